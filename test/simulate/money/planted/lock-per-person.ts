import type { Account } from "#src/domain/account.ts";
import type { Plant } from "../bot.ts";

interface Connected {
  readonly account: Account;
}

const under = <Found extends Connected>(fingerprint: string, found: Found | undefined) =>
  found && { ...found, account: { ...found.account, keyFingerprint: fingerprint } };

const walletOf = (fingerprint: string): string => fingerprint.split("~")[0] ?? "";

/** Takes the Discord user for the scope of the lock, although two of them may hold the key of one wallet account. */
export const lockPerPerson: Plant = (needs) => ({
  ...needs,
  findWithKey: async (guildId, ownerId) => {
    const found = await needs.findWithKey(guildId, ownerId);
    return under(`${found?.account.keyFingerprint ?? ""}~${ownerId}`, found);
  },
  findByFingerprint: async (fingerprint, ownerId) =>
    under(fingerprint, await needs.findByFingerprint(walletOf(fingerprint), ownerId)),
  connectionsOf: (fingerprint) => needs.connectionsOf(walletOf(fingerprint)),
});
