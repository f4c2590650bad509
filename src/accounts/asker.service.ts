import { type Account, entitledAmong, isEntitledAmong } from "./account.ts";
import type { AccountsStore } from "./accounts.store.ts";
import { UserError } from "../shared/errors.ts";
import { StoreError } from "../shared/store-errors.ts";
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

/** The asker's account in this guild. @throws UserError not_connected, key_unreadable */
export const connectionOfAsker = async (
  accounts: Pick<AccountsStore, "findWithKey">,
  { guildId, userId }: Pick<Asker, "guildId" | "userId">,
): Promise<Connection> => {
  const found = await accounts.findWithKey(guildId, userId).catch((error: unknown) => {
    if (error instanceof StoreError && error.kind === "unreadable_secret")
      throw new UserError({ kind: "key_unreadable" });
    throw error;
  });
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
