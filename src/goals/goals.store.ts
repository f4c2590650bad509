import { recordAudit } from "../database/audit.ts";
import { flagOf, isOwnersPresence, type StoredFlag, storedFlag } from "../database/columns.ts";
import { lockedAccounts } from "../accounts/wallet-accounts.store.ts";
import { inList } from "../database/queries.ts";
import { hideGoalInReports } from "../delivery/outbox-cancel.store.ts";
import type { Database } from "../schema.ts";
import { type Cents, cents } from "../shared/money.ts";
import type { Goal } from "./goal.ts";

/** One row for each connection with a goal; it goes with the connection. */
export interface GoalTable {
  account_id: string;
  amount_cents: number;
  shown: StoredFlag;
}

export type Goals = ReturnType<typeof goalsStore>;

/** Goals of the sellers, by their connection in a server. */
export const goalsStore = (db: Database) => ({
  find: async (guildId: string, ownerId: string): Promise<Goal | undefined> => {
    const row = await db
      .selectFrom("goal")
      .innerJoin("account", "account.id", "goal.account_id")
      .select(["amount_cents", "shown"])
      .where("guild_id", "=", guildId)
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
    return row && { amount: cents(row.amount_cents), shown: flagOf(row.shown) };
  },
  /** Parts that are not given stay; a new goal is private. Undefined without a connection, or without an amount. */
  save: (
    guildId: string,
    ownerId: string,
    change: Partial<Goal>,
    at: Temporal.Instant,
  ): Promise<Goal | undefined> =>
    db.transaction().execute(async (trx) => {
      const accountId = await lockedConnection(trx, guildId, ownerId);
      if (accountId === undefined) return undefined;
      const before = await trx
        .selectFrom("goal")
        .selectAll()
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      const amount = change.amount ?? before?.amount_cents;
      if (amount === undefined) return undefined;
      const shown = change.shown ?? before?.shown === 1;
      const row = { account_id: accountId, amount_cents: amount, shown: storedFlag(shown) };
      await trx
        .insertInto("goal")
        .values(row)
        .onConflict((conflict) => conflict.column("account_id").doUpdateSet(row))
        .execute();
      if (before?.shown === 1 && !shown) await hideGoalInReports(trx, guildId, accountId);
      await recordAudit(trx, { at, actor: ownerId, action: "goal_saved", subject: accountId });
      return { amount: cents(amount), shown };
    }),
  remove: (guildId: string, ownerId: string, at: Temporal.Instant): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const accountId = await lockedConnection(trx, guildId, ownerId);
      if (accountId === undefined) return;
      const before = await trx
        .deleteFrom("goal")
        .where("account_id", "=", accountId)
        .returning("shown")
        .executeTakeFirst();
      if (before?.shown === 1) await hideGoalInReports(trx, guildId, accountId);
      await recordAudit(trx, { at, actor: ownerId, action: "goal_removed", subject: accountId });
    }),
  /** Goals of these accounts that their sellers show in the report of the server, by account id. */
  shown: async (accountIds: readonly string[]): Promise<ReadonlyMap<string, Cents>> => {
    const rows = await db
      .selectFrom("goal")
      .select(["account_id", "amount_cents"])
      .where("account_id", "in", inList(db, accountIds))
      .where("shown", "=", 1)
      .execute();
    return new Map(rows.map((row) => [row.account_id, cents(row.amount_cents)]));
  },
  /**
   * Goal for the direct report of a connection, which is of its owner's wallet account in all servers: the connection's
   * own, or else that of the oldest other one. Servers that the owner left are skipped, unless the owner left each.
   */
  direct: async (accountId: string): Promise<Cents | undefined> => {
    const row = await db
      .selectFrom("account as asked")
      .innerJoin("account as own", "own.watch_id", "asked.watch_id")
      .innerJoin("goal", "goal.account_id", "own.id")
      .select("amount_cents")
      .where("asked.id", "=", accountId)
      .where((eb) => {
        const stayed = eb
          .selectFrom("account")
          .leftJoin("presence", (join) => join.on(isOwnersPresence))
          .select("account.id")
          .whereRef("account.watch_id", "=", "own.watch_id")
          .where("presence.left_at", "is", null);
        return eb.or([eb("own.id", "in", stayed), eb.not(eb.exists(stayed))]);
      })
      .orderBy((eb) => eb.case().when("own.id", "=", accountId).then(0).else(1).end())
      .orderBy("own.connected_at")
      .orderBy("own.id")
      .limit(1)
      .executeTakeFirst();
    return row && cents(row.amount_cents);
  },
});

/** Locked, so that two changes at once do not lose one, and a removal of the connection waits. */
const lockedConnection = async (
  trx: Database,
  guildId: string,
  ownerId: string,
): Promise<string | undefined> => {
  const place = { guild_id: guildId, owner_id: ownerId };
  const [id] = await lockedAccounts(trx, (eb) => eb.and(place), "for update");
  return id;
};
