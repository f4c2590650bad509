import { type OnConflictBuilder, type Selectable, sql } from "kysely";
import {
  calendarDayOf,
  instantOf,
  type StoredDay,
  storedDay,
  type StoredInstant,
  storedInstant,
} from "../database/columns.ts";
import { createGroupCommit } from "../database/group-commit.ts";
import {
  compilePerDatabase,
  deleteInSlices,
  idRanges,
  jsonRows,
  lockName,
  rowLock,
} from "../database/queries.ts";
import type { Database, Schema } from "../schema.ts";
import { cents } from "../shared/money.ts";
import { placeAhead, salesHistory } from "./sales-history.store.ts";
import { isWhole, LARGEST_LEAD_MS, type SalesCorrection, type SalesDay } from "./sales-days.ts";

export interface SalesDayTable {
  account_fp: string;
  day: StoredDay;
  sales_cents: number;
  fees_cents: number;
  net_cents: number;
  api_count: number;
  api_cents: number;
  esales_count: number;
  esales_cents: number;
  read_at: StoredInstant;
  /** Kept by later readings, unless a clock that was ahead has dated it. */
  refunded_at: StoredInstant | null;
}

export interface SalesCorrectionTable {
  account_fp: string;
  day: StoredDay;
  /** Rises with each correction of the wallet account, in the order of their commits. */
  noticed_at: StoredInstant;
  old_sales_cents: number;
  new_sales_cents: number;
  old_net_cents: number;
  new_net_cents: number;
}

const DAY_COLUMNS = [
  "account_fp",
  "day",
  "sales_cents",
  "fees_cents",
  "net_cents",
  "api_count",
  "api_cents",
  "esales_count",
  "esales_cents",
  "read_at",
] as const satisfies readonly (keyof SalesDayTable)[];

interface AccountDay extends SalesDay {
  readonly accountFp: string;
}

export type SalesDays = ReturnType<typeof salesDays>;

const daysBetween = compilePerDatabase((db) =>
  db
    .selectFrom("sales_day")
    .selectAll()
    .where("account_fp", "=", "")
    .where("day", ">=", "")
    .where("day", "<=", "")
    .orderBy("day"),
);

const daysOfGuild = compilePerDatabase((db) =>
  db
    .selectFrom("sales_day")
    .selectAll()
    .where("account_fp", "in", (eb) =>
      eb
        .selectFrom("account")
        .select("account_fp")
        .where("guild_id", "=", "")
        .where("report_consent", "=", sql.lit(1)),
    )
    .where("day", ">=", "")
    .where("day", "<=", "")
    .orderBy("day"),
);

/** Parameter: wallet accounts with their instants, as JSON. */
const correctionsAfter = compilePerDatabase((db) =>
  db
    .selectFrom("sales_correction")
    .innerJoin(jsonRows(db, []).as("asked"), (join) =>
      join
        .on("account_fp", "=", sql<string>`asked.value ->> 'fp'`)
        .on("noticed_at", ">", sql<string>`asked.value ->> 'after'`),
    )
    .selectAll("sales_correction")
    .orderBy("noticed_at")
    .orderBy("day"),
);

const correctedAccounts = idRanges("sales_correction", "account_fp");

/** Figures of days by wallet account, in `Account.accountFp`. */
export const salesDays = (db: Database, groupCommit = createGroupCommit(db)) => ({
  ...salesHistory(db),
  /**
   * Keeps the figures unless newer ones are kept; those of a clock that was ahead give way to a whole day. Figures of a
   * whole day that differ from the kept whole day leave a correction. Without a connection to the wallet account it keeps no figures.
   */
  keep: (accountFp: string, day: SalesDay, isAwaited?: boolean): Promise<void> =>
    groupCommit((trx) => keepDay(trx, accountFp, day), isAwaited === true ? "awaited" : "write"),
  /** Kept days from the first to the last, oldest first. */
  between: async (
    accountFp: string,
    from: Temporal.PlainDate,
    to: Temporal.PlainDate,
  ): Promise<readonly SalesDay[]> =>
    (await daysBetween(db, accountFp, storedDay(from), storedDay(to))).map(dayOf),
  /** Kept days of all wallet accounts whose sellers agreed to the guild's report, oldest first. */
  ofGuild: async (
    guildId: string,
    from: Temporal.PlainDate,
    to: Temporal.PlainDate,
  ): Promise<readonly AccountDay[]> => {
    const rows = await daysOfGuild(db, guildId, storedDay(from), storedDay(to));
    return rows.map((row) => ({ ...dayOf(row), accountFp: row.account_fp }));
  },
  /** Corrections noticed after each wallet account's instant, oldest first. */
  corrections: async (
    after: ReadonlyMap<string, Temporal.Instant>,
  ): Promise<readonly (SalesCorrection & { readonly accountFp: string })[]> => {
    const asked = [...after].map(([fp, at]) => ({ fp, after: storedInstant(at) }));
    const rows = await correctionsAfter(db, JSON.stringify(asked));
    return rows.map((row) => ({
      accountFp: row.account_fp,
      day: calendarDayOf(row.day),
      oldSales: cents(row.old_sales_cents),
      newSales: cents(row.new_sales_cents),
      oldNet: cents(row.old_net_cents),
      newNet: cents(row.new_net_cents),
      noticedAt: instantOf(row.noticed_at),
    }));
  },
  /** Has the background read the kept days again, soon, because a sale of one of them was refunded. */
  readAgain: async (
    accountFp: string,
    from: Temporal.PlainDate,
    to: Temporal.PlainDate,
    at: Temporal.Instant,
  ): Promise<void> => {
    await db
      .updateTable("sales_day")
      .set({ refunded_at: storedInstant(at) })
      .where("account_fp", "=", accountFp)
      .where("day", ">=", storedDay(from))
      .where("day", "<=", storedDay(to))
      .execute();
    await db
      .updateTable("sales_history")
      // Before others: a person may wait for the account, and a look that is under way must not put it off.
      .set({ next_at: placeAhead(at) })
      .where("account_fp", "=", accountFp)
      .execute();
  },
  /** Erases figures and corrections of days before that one. */
  purge: async (before: Temporal.PlainDate, stopping?: AbortSignal): Promise<void> => {
    const isOld = sql<boolean>`day < ${storedDay(before)}`;
    await deleteInSlices(db, "sales_day", ["account_fp", "day"], isOld, stopping);
    // By accounts: no index finds a correction by its day, so that each slice would read all before it once more.
    for await (const { after, last } of correctedAccounts(db)) {
      if (stopping?.aborted === true) return;
      await db
        .deleteFrom("sales_correction")
        .where("account_fp", ">", after)
        .where("account_fp", "<=", last)
        .where(isOld)
        .execute();
    }
  },
});

const dayOf = (row: Selectable<SalesDayTable>): SalesDay => ({
  day: calendarDayOf(row.day),
  sales: cents(row.sales_cents),
  fees: cents(row.fees_cents),
  net: cents(row.net_cents),
  api: { count: row.api_count, sales: cents(row.api_cents) },
  esales: { count: row.esales_count, sales: cents(row.esales_cents) },
  readAt: instantOf(row.read_at),
  ...(row.refunded_at !== null && { refundedAt: instantOf(row.refunded_at) }),
});

type ReadDay = Omit<SalesDayTable, "refunded_at">;

const rowFor = (accountFp: string, day: SalesDay): ReadDay => ({
  account_fp: accountFp,
  day: storedDay(day.day),
  sales_cents: day.sales,
  fees_cents: day.fees,
  net_cents: day.net,
  api_count: day.api.count,
  api_cents: day.api.sales,
  esales_count: day.esales.count,
  esales_cents: day.esales.sales,
  read_at: storedInstant(day.readAt),
});

/**
 * Locks the connection: its removal erases the figures after they are written, or keeps them from being written; without
 * a connection it adds nothing. Parameters: the values, and the wallet account.
 */
const insertDay = (db: Database) =>
  db
    .insertInto("sales_day")
    .columns(DAY_COLUMNS)
    .expression((eb) =>
      eb
        .selectFrom("account")
        .select(DAY_COLUMNS.map((column) => eb.val("").as(column)))
        .where("account_fp", "=", "")
        .limit(sql.lit(1))
        .modifyEnd(rowLock(db, "for share")),
    );

/** Adds nothing to a day that is there. */
const addDay = compilePerDatabase((db) =>
  insertDay(db)
    .onConflict((conflict) => conflict.doNothing())
    .returning("day"),
);

const withRead = (conflict: OnConflictBuilder<Schema, "sales_day">) =>
  conflict
    .columns(["account_fp", "day"])
    .doUpdateSet((eb) =>
      Object.fromEntries(DAY_COLUMNS.map((column) => [column, eb.ref(`excluded.${column}`)])),
    );

const replaceDay = compilePerDatabase((db) => insertDay(db).onConflict(withRead));

/** Leaves a day that was read later. */
const putDay = compilePerDatabase((db) =>
  insertDay(db).onConflict((conflict) =>
    withRead(conflict).whereRef("sales_day.read_at", "<=", "excluded.read_at"),
  ),
);

const lockedDay = compilePerDatabase((db) =>
  db
    .selectFrom("sales_day")
    .selectAll()
    .where("account_fp", "=", "")
    .where("day", "=", "")
    .modifyEnd(rowLock(db, "for update")),
);

const keepDay = async (trx: Database, accountFp: string, day: SalesDay): Promise<void> => {
  const row = rowFor(accountFp, day);
  const values = DAY_COLUMNS.map((column) => row[column]);
  // Only whole days are corrected.
  if (!isWhole(day)) return void (await putDay(trx, ...values, accountFp));
  if ((await addDay(trx, ...values, accountFp)).length > 0) return;
  const [before] = await lockedDay(trx, accountFp, row.day);
  if (before === undefined || isReadLater(dayOf(before), day)) return;
  await replaceDay(trx, ...values, accountFp);
  if (before.refunded_at !== null) await forgetLaterRefund(trx, row, day);
  await keepCorrection(trx, dayOf(before), row, day);
};

/** A refund that seems minutes later than this reading was dated by a clock that was ahead: the figures have it. */
const forgetLaterRefund = async (
  trx: Database,
  row: ReadDay,
  { readAt }: SalesDay,
): Promise<void> => {
  await trx
    .updateTable("sales_day")
    .set({ refunded_at: null })
    .where("account_fp", "=", row.account_fp)
    .where("day", "=", row.day)
    .where("refunded_at", ">", storedInstant(readAt.add({ milliseconds: LARGEST_LEAD_MS })))
    .execute();
};

/** No reading is kept minutes after a later one: one that seems so was dated by a clock that was ahead. */
const isReadLater = (before: SalesDay, day: SalesDay): boolean => {
  const byMs = before.readAt.epochMilliseconds - day.readAt.epochMilliseconds;
  return byMs > 0 && byMs <= LARGEST_LEAD_MS;
};

const keepCorrection = async (
  trx: Database,
  old: SalesDay,
  row: ReadDay,
  day: SalesDay,
): Promise<void> => {
  const isSame = old.net === day.net && old.sales === day.sales;
  if (isSame || !isWhole(old)) return;
  await trx
    .insertInto("sales_correction")
    .values({
      account_fp: row.account_fp,
      day: row.day,
      noticed_at: storedInstant(await nextNotice(trx, row.account_fp, day.readAt)),
      old_sales_cents: old.sales,
      new_sales_cents: day.sales,
      old_net_cents: old.net,
      new_net_cents: day.net,
    })
    .execute();
};

/**
 * After all corrections that are visible by now: a report tells those after the last one that it told before, also when
 * a slow reading is committed after it.
 */
const nextNotice = async (
  trx: Database,
  accountFp: string,
  readAt: Temporal.Instant,
): Promise<Temporal.Instant> => {
  await lockName(trx, `sales_correction|${accountFp}`);
  const row = await trx
    .selectFrom("sales_correction")
    .select(({ fn }) => fn.max("noticed_at").as("last"))
    .where("account_fp", "=", accountFp)
    .executeTakeFirst();
  const after = row?.last && instantOf(row.last).add({ milliseconds: 1 });
  return after && Temporal.Instant.compare(after, readAt) > 0 ? after : readAt;
};

/** Erases the kept days of an account without connections. */
export const deleteSalesDays = async (db: Database, accountFp: string): Promise<void> => {
  for (const table of ["sales_day", "sales_correction", "sales_history"] as const)
    await db.deleteFrom(table).where("account_fp", "=", accountFp).execute();
};
