import type { Account } from "../accounts/account.ts";
import { accountOf } from "../accounts/account-connections.store.ts";
import { type StoredInstant, storedInstant } from "../database/columns.ts";
import { compilePerDatabase, inList } from "../database/queries.ts";
import type { Database } from "../schema.ts";

/** Wallet accounts whose days are read in the background. */
export interface SalesHistoryTable {
  account_fp: string;
  /** When a person first asked for a period; null: only for the daily report. */
  asked_at: StoredInstant | null;
  /** When the background looks at the account again. */
  next_at: StoredInstant;
}

/** A wallet account whose history is due, with one of its working connections. */
export interface DueHistory {
  readonly account: Account;
  /** Whether a person asked for periods. */
  readonly asked: boolean;
}

/** Which wallet accounts' days the background reads. */
export interface SalesHistory {
  /** Has the background read the account's days, since a person asked for periods. */
  readonly want: (accountFp: string, at: Temporal.Instant) => Promise<void>;
  /** The background looks at the account now, if its time has not come; one that is due keeps its place. */
  readonly lookSoon: (accountFp: string, at: Temporal.Instant) => Promise<void>;
  /** Longest due first. Accounts without a report, and without a person who asked, are dropped. */
  readonly due: (at: Temporal.Instant, limit: number) => Promise<readonly DueHistory[]>;
  readonly lookAgain: (
    accountFp: string,
    at: Temporal.Instant,
    since: Temporal.Instant,
  ) => Promise<void>;
}

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

export const salesHistory = (db: Database): SalesHistory => ({
  want: async (accountFp, at) => {
    await addHistory(db, accountFp, storedInstant(at), storedInstant(at));
  },
  lookSoon: async (accountFp, at) => {
    await db
      .updateTable("sales_history")
      .set({ next_at: storedInstant(at) })
      .where("account_fp", "=", accountFp)
      .where("next_at", ">", storedInstant(at))
      .execute();
  },
  due: dueHistories(db),
  lookAgain: async (accountFp, at, since) => {
    await db
      .updateTable("sales_history")
      .set({ next_at: storedInstant(at) })
      .where("account_fp", "=", accountFp)
      .where("next_at", "<=", storedInstant(since))
      .execute();
  },
});

const dueHistories =
  (db: Database): SalesHistory["due"] =>
  async (at, limit) => {
    const rows = await db
      .selectFrom("sales_history")
      .select(["account_fp", "asked_at"])
      .where("next_at", "<=", storedInstant(at))
      .orderBy("next_at")
      .limit(limit)
      .execute();
    const due: DueHistory[] = [];
    for (const { account_fp: accountFp, asked_at: askedAt } of rows) {
      const asked = askedAt !== null;
      const reader = await readerOf(db, accountFp, asked);
      if (reader === undefined)
        await db.deleteFrom("sales_history").where("account_fp", "=", accountFp).execute();
      else due.push({ account: accountOf(reader), asked });
    }
    return due;
  };

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
