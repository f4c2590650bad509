import type { Locale } from "../shared/locale.ts";
import type { Account } from "../accounts/account.ts";
import type { NewWithdrawOp, WithdrawOp } from "./withdraw-op.ts";
import { UserError } from "../shared/errors.ts";
import { type Connection, connectionOf } from "../accounts/asker.service.ts";
import type { Actor, MoneyNeeds } from "./money-services.service.ts";

/** The actor's account in this guild. @throws UserError not_connected */
export const connectionOfActor = async (
  needs: Pick<MoneyNeeds, "findWithKey">,
  actor: Pick<Actor, "guildId" | "userId">,
): Promise<Connection> => {
  const found = await needs.findWithKey(actor.guildId, actor.userId);
  if (found === undefined) throw new UserError({ kind: "not_connected" });
  return connectionOf(found.account, found.apiKey);
};

/** Origin of a draft: its owner, wallet account and place. */
export const originOf = (actor: Actor, { account, key }: Connection) =>
  ({
    accountFp: key.fingerprint,
    accountId: account.id,
    guildId: actor.guildId,
    channelId: actor.channelId,
    ownerId: actor.userId,
    interactionId: actor.interactionId,
    locale: actor.locale,
  }) satisfies Partial<NewWithdrawOp>;

/**
 * A key that reads the operation's wallet account. A person may use only their own connection; jobs may use any,
 * because operations outlive connections.
 */
export const connectionOfOp = async (
  needs: Pick<MoneyNeeds, "findByFingerprint">,
  op: WithdrawOp,
  forWhom: "person" | "job",
): Promise<Connection | undefined> => {
  const found = await needs.findByFingerprint(op.accountFp, op.ownerId);
  if (found === undefined) return undefined;
  if (forWhom === "person" && found.account.ownerId !== op.ownerId) return undefined;
  return connectionOf(found.account, found.apiKey);
};

/** An owner of a wallet account, with the language of their messages. */
export interface NotifiedOwner {
  readonly account: Account;
  readonly locale: Locale;
}

/** Each owner of the wallet account, in the language of their latest withdrawal. */
export const ownersOf = async (
  needs: MoneyNeeds,
  accountFp: string,
): Promise<readonly NotifiedOwner[]> => {
  const accounts = await needs.connectionsOf(accountFp);
  const byOwner = new Map(accounts.map((account) => [account.ownerId, account]));
  return await Promise.all(
    [...byOwner.values()].map(async (account) => {
      const [last] = await needs.journal.list({ ownerId: account.ownerId, limit: 1 });
      return { account, locale: last?.locale ?? "pt-BR" };
    }),
  );
};
