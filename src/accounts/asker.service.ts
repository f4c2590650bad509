import { type Account, entitledAmong, isEntitledAmong } from "./account.ts";
import type { AccountsStore } from "./accounts.store.ts";
import { UserError } from "../shared/errors.ts";
import { StoreError } from "../shared/store-errors.ts";
import type { Logger } from "../shared/log.ts";
import type { Result } from "../shared/settled.ts";
import { type WalletKey, walletKeyOf } from "./wallet-key.ts";
import type { Secret } from "../shared/secret.ts";
import type { Locale } from "../shared/locale.ts";

/** A person and a place; `guildId` is empty in a direct message. */
export interface Asker {
  readonly guildId: string;
  readonly userId: string;
  readonly locale: Locale;
}

/** A connected account, with the key that reads it and moves its money. */
export interface Connection {
  readonly account: Account;
  readonly key: WalletKey;
}

export const connectionOf = (account: Account, apiKey: Secret): Connection => ({
  account,
  key: walletKeyOf(account, apiKey),
});

const isUnreadable = (error: unknown): boolean =>
  error instanceof StoreError && error.kind === "unreadable_secret";

/** A person connects a key again that the master key ring no longer opens. @throws UserError key_unreadable */
export const readableKey = async <Found>(found: Promise<Found>): Promise<Found> => {
  try {
    return await found;
  } catch (error) {
    throw isUnreadable(error) ? new UserError({ kind: "key_unreadable" }) : error;
  }
};

/** Whether the master key ring no longer opens the key. */
export const isKeyUnreadable = async (found: Promise<unknown>): Promise<boolean> => {
  try {
    await found;
    return false;
  } catch (error) {
    if (isUnreadable(error)) return true;
    throw error;
  }
};

/** The asker's account in this guild. @throws UserError not_connected, key_unreadable */
export const connectionOfAsker = async (
  accounts: Pick<AccountsStore, "findWithKey">,
  { guildId, userId }: Pick<Asker, "guildId" | "userId">,
): Promise<Connection> => {
  const found = await readableKey(accounts.findWithKey(guildId, userId));
  if (found === undefined) throw new UserError({ kind: "not_connected" });
  return connectionOf(found.account, found.apiKey);
};

export const entitledConnections = async (
  accounts: Pick<AccountsStore, "connectionsOf">,
  accountFp: string,
): Promise<readonly Account[]> => entitledAmong(await accounts.connectionsOf(accountFp));

export const isEntitledOwner = async (
  accounts: Pick<AccountsStore, "connectionsOf">,
  { accountFp, ownerId }: Pick<Account, "accountFp" | "ownerId">,
): Promise<boolean> => isEntitledAmong(await accounts.connectionsOf(accountFp), ownerId);

export interface ResumeNeeds extends Pick<AccountsStore, "resume"> {
  readonly log: Logger;
}

/**
 * A key that reads is used by jobs again; of its `readings`, of which none was refused, one has to have succeeded. Never
 * rejects, because the caller already has its answer.
 */
export const resumeJobs = async (
  { resume, log }: ResumeNeeds,
  { id, pausedAt }: Account,
  readings?: readonly Result<unknown>[],
): Promise<void> => {
  if (pausedAt === undefined) return;
  if (readings?.some(({ ok }) => ok) === false) return;
  try {
    await resume(id);
  } catch (error) {
    log.error({ account: id, err: error }, "a key that reads again is still paused");
  }
};
