import { Secret } from "#src/shared/secret.ts";
import { openStoresStage, type StoresStage } from "../stores-stage.ts";

export const GUILD = "g1";
interface Person {
  readonly userId: string;
  /** The first key of the person's wallet account; it also identifies the account. */
  readonly apiKey: string;
}

/** Ana and Bruno hold keys of one wallet account, sometimes the same key. Carla has an account of her own. */
export const PEOPLE: readonly [Person, Person, Person] = [
  { userId: "111111111111111111", apiKey: "sk_sandbox_shared_key" },
  { userId: "222222222222222222", apiKey: "sk_sandbox_shared_key" },
  { userId: "333333333333333333", apiKey: "sk_sandbox_other_key" },
];

/** All keys of a wallet account; each of its people may use any. */
export const keysOf = (account: string): readonly [string, ...string[]] => [
  account,
  `${account}#2`,
  `${account}#3`,
];

export const walletOf = (apiKey: string): string => apiKey.split("#")[0] ?? "";

const CONNECTED = Temporal.Instant.from("2026-01-01T00:00Z");

/** Each run finds these people connected. */
export const openMoneyStage = async (): Promise<StoresStage> => {
  const stage = await openStoresStage();
  const { stores, db } = stage;
  for (const { userId, apiKey } of PEOPLE) {
    const account = { guildId: GUILD, ownerId: userId, connectedBy: userId, ownerVerified: true };
    const consent = { reportConsent: false, reportConsentAt: undefined, connectedAt: CONNECTED };
    await stores.accounts.save({ ...account, ...consent }, new Secret(apiKey), apiKey);
  }
  const accounts = await db.selectFrom("account").selectAll().execute();
  const keys = await db.selectFrom("wallet_key").selectAll().execute();
  return {
    ...stage,
    begin: async (clock, dice) => {
      await stage.begin(clock, dice);
      await db.insertInto("account").values(accounts).execute();
      await db.insertInto("wallet_key").values(keys).execute();
    },
  };
};
