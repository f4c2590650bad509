import type { Locale } from "../shared/locale.ts";
import { type Account, entitledAmong } from "../accounts/account.ts";
import type { NewWithdrawOp, WithdrawOp } from "./withdraw-op.ts";
import { UserError } from "../shared/errors.ts";
import { type Connection, connectionOf, readableKey } from "../accounts/asker.service.ts";
import type { Actor, MoneyNeeds } from "./money-services.service.ts";
import { type PixKey, type PixKeyReading, readPixKey, storedPixKey } from "./pix-key.ts";

/** Origin of a draft: its owner, wallet account and place. */
export const originOf = (actor: Actor, { account, key }: Connection) =>
  ({
    accountFp: key.fingerprint,
    accountId: account.id,
    guildId: actor.guildId,
    channelId: actor.channelId,
    ownerId: actor.userId,
    locale: actor.locale,
  }) satisfies Partial<NewWithdrawOp>;

/**
 * A key that reads the operation's wallet account. A person may use only their own connection; jobs may use any,
 * because operations outlive connections: the owner's own before others, but a refused one only while all are refused.
 */
export const connectionOfOp = async (
  needs: Pick<MoneyNeeds, "findByFingerprint">,
  op: WithdrawOp,
  forWhom: "person" | "job",
): Promise<Connection | undefined> => {
  const first = forWhom === "job" ? "working" : "own";
  const finding = needs.findByFingerprint(op.accountFp, op.ownerId, first);
  const found = await (forWhom === "person" ? readableKey(finding) : finding);
  if (found === undefined) return undefined;
  if (forWhom === "person" && found.account.ownerId !== op.ownerId) return undefined;
  return connectionOf(found.account, found.apiKey);
};

/** The owner's connection with the operation's wallet account, in any server. @throws UserError not_connected */
export const ownConnectionOfOp = async (
  needs: Pick<MoneyNeeds, "findByFingerprint">,
  op: WithdrawOp,
): Promise<Connection> => {
  const connection = await connectionOfOp(needs, op, "person");
  if (connection === undefined) throw new UserError({ kind: "not_connected" });
  return connection;
};

/** An owner of a wallet account, with the language of their messages. */
export interface NotifiedOwner {
  readonly account: Account;
  readonly locale: Locale;
  /** As in `entitledAmong`. */
  readonly isEntitled: boolean;
}

/** All owners of the wallet account, also of a refused key: their own withdrawal is no alarm. */
export const ownerIdsOf = async (
  { connectionsOf }: Pick<MoneyNeeds, "connectionsOf">,
  accountFp: string,
): Promise<readonly string[]> => (await connectionsOf(accountFp)).map(({ ownerId }) => ownerId);

/** Each owner of the wallet account, in the language of a connection, or else of their latest withdrawal. */
export const allOwnersOf = async (
  needs: MoneyNeeds,
  accountFp: string,
): Promise<readonly NotifiedOwner[]> => {
  const accounts = await needs.connectionsOf(accountFp);
  const entitled = new Set(entitledAmong(accounts));
  const byOwner = new Map(accounts.map((account) => [account.ownerId, account]));
  return await Promise.all(
    [...byOwner.values()].map(async (account) => {
      const [last] = await needs.journal.list({ ownerId: account.ownerId, limit: 1 });
      const known = accounts.find(
        ({ ownerId, locale }) => ownerId === account.ownerId && locale !== undefined,
      );
      const locale = known?.locale ?? last?.locale ?? "pt-BR";
      return { account, locale, isEntitled: entitled.has(account) };
    }),
  );
};

/** Each entitled one of them. */
export const ownersOf = async (
  needs: MoneyNeeds,
  accountFp: string,
): Promise<readonly NotifiedOwner[]> =>
  (await allOwnersOf(needs, accountFp)).filter(({ isEntitled }) => isEntitled);

const SAVED_PREFIX = "salva:";

/** The typed or chosen key. @throws UserError pix_key_unusable, pix_key_gone */
export const keyOfOrder = async (
  needs: MoneyNeeds,
  ownerId: string,
  typed: string,
): Promise<Exclude<PixKeyReading, { readonly kind: "unusable" }>> => {
  if (typed.startsWith(SAVED_PREFIX)) {
    return { kind: "key", key: await savedKey(needs, ownerId, savedKeyHandle(typed)) };
  }
  const read = readPixKey(typed);
  if (read.kind === "unusable") throw new UserError({ kind: "pix_key_unusable" });
  return read;
};

/** The key of an operation in clear text; undefined once erased, and where it is not the one of the operation's hash. */
export const keyOfOp = async (
  needs: MoneyNeeds,
  op: Pick<WithdrawOp, "id" | "pixKeyHash">,
): Promise<PixKey | undefined> => {
  const value = await needs.journal.pixKeyOf(op.id);
  if (value === undefined || needs.hashPixKey(value) !== op.pixKeyHash) return undefined;
  return storedPixKey(value);
};

/** Suggestion value of a saved key. */
export const savedKeyValue = (handle: string): string => `${SAVED_PREFIX}${handle}`;

export const savedKeyHandle = (value: string): string =>
  value.startsWith(SAVED_PREFIX) ? value.slice(SAVED_PREFIX.length) : value;

const savedKey = async (needs: MoneyNeeds, ownerId: string, handle: string): Promise<PixKey> => {
  const saved = await needs.pixKeys.saved(ownerId);
  const entry = saved.find((candidate) => candidate.handle === handle);
  const value = entry && (await needs.pixKeys.reveal(ownerId, handle));
  if (value === undefined || needs.hashPixKey(value) !== entry?.hash)
    throw new UserError({ kind: "pix_key_gone" });
  return storedPixKey(value);
};
