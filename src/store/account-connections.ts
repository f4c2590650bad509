import { sql } from "kysely";
import type { Account } from "../domain/account.ts";
import { accountOf, type AccountWithKey, accountWithKey } from "./account-row.ts";
import type { Database } from "./schema.ts";
import type { Vault } from "./vault.ts";

/** Connections by whose they are, where they are, and the wallet account that they are of. */
export interface AccountConnections {
  /** All of one person, in every guild, the oldest first. */
  readonly ofOwner: (ownerId: string) => Promise<readonly Account[]>;
  /** Owners of a guild's connections, the oldest connection first, from `skipped` on. */
  readonly ownersIn: (
    guildId: string,
    skipped: number,
    limit: number,
  ) => Promise<readonly string[]>;
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
  ofOwner: async (ownerId) => {
    const rows = await db
      .selectFrom("account")
      .selectAll()
      .where("owner_id", "=", ownerId)
      .orderBy("connected_at")
      .orderBy("id")
      .execute();
    return rows.map(accountOf);
  },
  ownersIn: async (guildId, skipped, limit) => {
    const rows = await db
      .selectFrom("account")
      .select("owner_id")
      .where("guild_id", "=", guildId)
      .orderBy("connected_at")
      .orderBy("id")
      .offset(skipped)
      .limit(limit)
      .execute();
    return rows.map((row) => row.owner_id);
  },
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
