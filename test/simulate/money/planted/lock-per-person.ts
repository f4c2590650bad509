import type { Account } from "#src/domain/account.ts";
import type { MoneyNeeds } from "#src/services/money/money-services.ts";
import type { Plant } from "../bot.ts";

interface Connected {
  readonly account: Account;
}

const under = <Found extends Connected>(accountFp: string, found: Found | undefined) =>
  found && { ...found, account: { ...found.account, accountFp } };

const walletOf = (accountFp: string): string => accountFp.split("~")[0] ?? "";

/** Splits the operations of one wallet account by something that several of its connections differ in. */
const lockPer =
  (what: (account: Account) => string): Plant =>
  (needs: MoneyNeeds) => ({
    ...needs,
    findWithKey: async (guildId, ownerId) => {
      const found = await needs.findWithKey(guildId, ownerId);
      return found && under(`${found.account.accountFp}~${what(found.account)}`, found);
    },
    findByFingerprint: async (accountFp, ownerId) =>
      under(accountFp, await needs.findByFingerprint(walletOf(accountFp), ownerId)),
    connectionsOf: (accountFp) => needs.connectionsOf(walletOf(accountFp)),
  });

/** Takes the Discord user for the scope of the lock, although two of them may hold the key of one wallet account. */
export const lockPerPerson = lockPer(({ ownerId }) => ownerId);

/** Takes the API key for the scope of the lock, although a wallet account may have several. */
export const lockPerKey = lockPer(({ keyFingerprint }) => keyFingerprint);
