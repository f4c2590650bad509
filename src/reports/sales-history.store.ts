import type { Account } from "../accounts/account.ts";
import { accountOf } from "../accounts/account-connections.store.ts";
import { instantOf, type StoredInstant, storedInstant } from "../database/columns.ts";
import { compilePerDatabase, inList } from "../database/queries.ts";
import type { Database } from "../schema.ts";
import { DAY, HOUR } from "../shared/time.ts";

/** Wallet accounts whose days are read in the background. */
export interface SalesHistoryTable {
  account_fp: string;
  /** When a person first asked for a period; null: only for the daily report. */
  asked_at: StoredInstant | null;
  /** When the background looks at the account again, which is also its place among those that are due. */
  next_at: StoredInstant;
}

/** A wallet account whose history is due, with one of its working connections. */
export interface DueHistory {
  readonly account: Account;
  /** Whether a person asked for periods. */
  readonly asked: boolean;
  /** The account's place among those that are due. */
  readonly place: Temporal.Instant;
}

/** The longest wait is a day, for the next close. */
const LONGEST_WAIT_MS = 25 * HOUR;

/** An account for which a person waits, or with a refund, gets a place so long ago: before all that are due by the clock alone. */
const AHEAD_MS = 365 * DAY;

export const placeAhead = (at: Temporal.Instant): StoredInstant =>
  storedInstant(at.subtract({ milliseconds: AHEAD_MS }));

/** A row that is there changes only for a person who asks first. */
const addHistory = compilePerDatabase((db) =>
  db
    .insertInto("sales_history")
    .values({ account_fp: "", asked_at: "", next_at: "" })
    .onConflict((conflict) =>
      conflict
        .column("account_fp")
        .doUpdateSet((eb) => ({
          asked_at: eb.ref("excluded.asked_at"),
          next_at: eb.ref("excluded.next_at"),
        }))
        .where("sales_history.asked_at", "is", null)
        .where("excluded.asked_at", "is not", null),
    ),
);

/** Parameters: the instant, and account ids as JSON. */
const addHistories = compilePerDatabase((db) =>
  db
    .insertInto("sales_history")
    .columns(["account_fp", "next_at"])
    .expression((eb) =>
      eb
        .selectFrom("account")
        .select(["account_fp", eb.val("").as("next_at")])
        .distinct()
        .where("id", "in", inList(db, []))
        // One order for all processes, so that none waits for another in a circle.
        .orderBy("account_fp"),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** Has the background go on reading the days of sellers who have a report. */
export const wantDaysOf = async (
  db: Database,
  accountIds: readonly string[],
  at: Temporal.Instant,
): Promise<void> => {
  await addHistories(db, storedInstant(at), JSON.stringify(accountIds));
};

/** A seller agrees to the report: the days that it compares with are read before it comes. */
export const wantComparedDays = async (
  db: Database,
  accountFp: string,
  at: Temporal.Instant,
): Promise<void> => {
  await addHistory(db, accountFp, null, storedInstant(at));
};

/** The account's place among those that are due is that one or an earlier one. */
const bringForward = async (
  db: Database,
  accountFp: string,
  place: StoredInstant,
): Promise<void> => {
  await db
    .updateTable("sales_history")
    .set({ next_at: place })
    .where("account_fp", "=", accountFp)
    .where("next_at", ">", place)
    .execute();
};

/** The key of an account reads: days that a refused one left unread are due since then, not after the next close. */
export const wantUnreadDays = (db: Database, accountFp: string, at: Temporal.Instant) =>
  bringForward(db, accountFp, storedInstant(at));

/** Which wallet accounts' days the background reads. */
export const salesHistory = (db: Database) => ({
  /** Has the background read the account's days, since a person asked for periods, who waits for them. */
  want: async (accountFp: string, at: Temporal.Instant): Promise<void> => {
    await addHistory(db, accountFp, storedInstant(at), placeAhead(at));
  },
  /** The background looks at the account before those for which no person waits. */
  lookSoon: (accountFp: string, at: Temporal.Instant) =>
    bringForward(db, accountFp, placeAhead(at)),
  /** Accounts whose days are read, due or not. */
  countHistories: async (): Promise<number> => {
    const { histories } = await db
      .selectFrom("sales_history")
      .select(({ fn }) => fn.countAll<number>().as("histories"))
      .executeTakeFirstOrThrow();
    return histories;
  },
  /**
   * Accounts for which a person waits, or with a refund, first, then the longest due, then those beyond the longest wait:
   * a clock that was set back since put them off. Those without a report, and without a person who asked, are dropped.
   * The key of each account is looked up when its turn comes: together, SQLite's answers would hold up the event loop.
   */
  due: async function* (at: Temporal.Instant, limit: number): AsyncGenerator<DueHistory> {
    const histories = db
      .selectFrom("sales_history")
      .selectAll()
      .orderBy("next_at")
      // All come due at the same instant: those that keep their place come first again.
      .orderBy("account_fp");
    const rows = await histories.where("next_at", "<=", storedInstant(at)).limit(limit).execute();
    if (rows.length < limit) {
      const beyond = storedInstant(at.add({ milliseconds: LONGEST_WAIT_MS }));
      const overdelayed = histories.where("next_at", ">", beyond);
      rows.push(...(await overdelayed.limit(limit - rows.length).execute()));
    }
    for (const { account_fp: accountFp, asked_at: askedAt, next_at: nextAt } of rows) {
      const asked = askedAt !== null;
      const reader = await readerOf(db, accountFp, asked);
      if (reader === undefined)
        await db.deleteFrom("sales_history").where("account_fp", "=", accountFp).execute();
      else yield { account: accountOf(reader), asked, place: instantOf(nextAt) };
    }
  },
  /**
   * Puts the account off until then. One that was asked for again since it was due stays due, as does one whose key was
   * refused and works by now.
   */
  lookAgain: async ({ account, asked, place }: DueHistory, at: Temporal.Instant): Promise<void> => {
    const { accountFp, pausedAt } = account;
    const reader = pausedAt === undefined ? undefined : await readerOf(db, accountFp, asked);
    if (reader?.paused_at === null) return;
    await db
      .updateTable("sales_history")
      .set({ next_at: storedInstant(at) })
      .where("account_fp", "=", accountFp)
      .where("next_at", "=", storedInstant(place))
      .execute();
  },
});

/** A connection whose key may read the history, one that is not paused before others. */
const readerOf = (db: Database, accountFp: string, asked: boolean) =>
  db
    .selectFrom("account")
    .leftJoin("report_route", (join) =>
      join
        .onRef("report_route.guild_id", "=", "account.guild_id")
        .on("report_route.active", "=", 1),
    )
    .selectAll("account")
    .where("account.account_fp", "=", accountFp)
    .$if(!asked, (query) =>
      query.where((eb) =>
        eb.or([
          eb("account.report_direct", "=", 1),
          eb.and([
            eb("account.report_consent", "=", 1),
            eb("report_route.guild_id", "is not", null),
          ]),
        ]),
      ),
    )
    .orderBy((eb) => eb.case().when("account.paused_at", "is", null).then(0).else(1).end())
    .orderBy("account.connected_at")
    .orderBy("account.id")
    .limit(1)
    .executeTakeFirst();
