import { sql } from "kysely";
import type { Account } from "../domain/account.ts";
import { accountOf, type AccountWithKey, accountWithKey } from "./account-row.ts";
import type { Database } from "./schema.ts";
import type { Vault } from "./vault.ts";

/** Connections by the wallet account that they are of, whoever connected it and wherever. */
export interface AccountConnections {
  /** Any connection of that wallet account: the owner's own first, then one whose key works. */
  readonly findByFingerprint: (
    keyFingerprint: string,
    ownerId: string,
  ) => Promise<AccountWithKey | undefined>;
  readonly connectionsOf: (keyFingerprint: string) => Promise<readonly Account[]>;
  /**
   * One connection of each wallet account that has one that is not paused, of those whose fingerprint begins with one of
   * the characters.
   */
  readonly watched: (initials: readonly string[]) => Promise<readonly Account[]>;
}

export const accountConnections = (db: Database, vault: Vault): AccountConnections => ({
  findByFingerprint: async (keyFingerprint, ownerId) => {
    const row = await db
      .selectFrom("account")
      .selectAll()
      .where("key_fingerprint", "=", keyFingerprint)
      .orderBy((eb) => eb.case().when("owner_id", "=", ownerId).then(0).else(1).end())
      .orderBy((eb) => eb.case().when("paused_at", "is", null).then(0).else(1).end())
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    return row && accountWithKey(row, vault);
  },
  connectionsOf: async (keyFingerprint) => {
    const rows = await db
      .selectFrom("account")
      .selectAll()
      .where("key_fingerprint", "=", keyFingerprint)
      .orderBy("id")
      .execute();
    return rows.map(accountOf);
  },
  watched: async (initials) => {
    const rows = await db
      .selectFrom("account")
      .selectAll()
      .where("id", "in", (eb) =>
        eb
          .selectFrom("account as one")
          .select(({ fn }) => fn.min("one.id").as("id"))
          .where(sql<string>`substr(one.key_fingerprint, 1, 1)`, "in", initials)
          .where("one.paused_at", "is", null)
          .groupBy("one.key_fingerprint"),
      )
      .orderBy("id")
      .execute();
    return rows.map(accountOf);
  },
});
