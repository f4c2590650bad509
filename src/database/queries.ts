import { setImmediate } from "node:timers/promises";
import {
  type Compilable,
  type CompiledQuery,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from "kysely";
import type { Database, Schema } from "../schema.ts";
import { storedInstant } from "./columns.ts";

type Parameter = string | number | null;

/**
 * Compiles a frequent query once: building it costs several times as much as SQLite's answer. Pass the parameters at
 * each call, in the order of the query's text.
 */
export const compileOnce = <Row>(
  db: Database,
  query: Compilable<Row>,
): ((...parameters: readonly Parameter[]) => Promise<Row[]>) => {
  const run = compilePerDatabase(() => query);
  return (...parameters) => run(db, ...parameters);
};

/** Like `compileOnce`, for a query that runs in changing transactions. Compiles it once for each database. */
export const compilePerDatabase = <Row>(
  query: (db: Database) => Compilable<Row>,
): ((db: Database, ...parameters: readonly Parameter[]) => Promise<Row[]>) => {
  // All transactions of a database share its adapter.
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return async (db, ...parameters) => {
    const { adapter } = db.getExecutor();
    const kept = compiled.get(adapter) ?? query(db).compile();
    compiled.set(adapter, kept);
    return (await db.executeQuery<Row>({ ...kept, parameters })).rows;
  };
};

/** SQLite alone has a single connection. */
export const isPostgres = (db: Database): boolean =>
  db.getExecutor().adapter.supportsMultipleConnections === true;

/**
 * The right side of an `in`, as one parameter: lists of every length share one statement, which the connection caches.
 */
export const inList = (db: Database, texts: readonly string[]): RawBuilder<string> =>
  isPostgres(db)
    ? sql`(select json_array_elements_text(${JSON.stringify(texts)}::json))`
    : sql`(select value from json_each(${JSON.stringify(texts)}))`;

/** Objects as rows with a column `value`, whose fields `value ->> 'name'` gives as text: one statement for many rows. */
export const jsonRows = (db: Database, rows: readonly object[]): RawBuilder<unknown> =>
  isPostgres(db)
    ? sql`json_array_elements(${JSON.stringify(rows)}::json)`
    : sql`json_each(${JSON.stringify(rows)})`;

type Lock = "for update" | "for update of alert_route" | "for share" | "for update skip locked";

/**
 * The end of a query that locks its rows until the transaction ends. Empty for SQLite, whose transactions lock the
 * whole file.
 */
export const rowLock = (db: Database, lock: Lock): RawBuilder<unknown> =>
  isPostgres(db) ? sql.raw(lock) : sql``;

/** Locks a name until the transaction ends: for rows that may not exist yet. */
export const lockName = async (db: Database, name: string): Promise<void> => {
  if (!isPostgres(db)) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
};

/** Rows of which no next check is further ahead than the longest wait. */
interface CheckedRows<Table extends keyof Schema, Row> {
  readonly rows: SelectQueryBuilder<Schema, Table, Row>;
  readonly longestWaitMs: number;
}

/** The columns with the time of the next check and with the id. */
interface CheckColumns<Table extends keyof Schema> {
  readonly next: keyof Schema[Table] & string;
  readonly id: keyof Schema[Table] & string;
}

/**
 * Locks due rows, then those whose next check is further ahead than any wait of theirs: a clock that was set back since
 * then put them off. `sooner`: some of the rows, with a shorter longest wait. Each query reads one range of one index;
 * together they would read all rows, or sort thousands to take a few. Rows that another process has locked are skipped.
 */
export const lockDueRows = async <Table extends keyof Schema, Row>(
  trx: Database,
  columns: CheckColumns<Table>,
  { rows, longestWaitMs }: CheckedRows<Table, Row>,
  at: Temporal.Instant,
  limit: number,
  sooner?: CheckedRows<Table, Row>,
): Promise<readonly Row[]> => {
  const next = sql.ref(columns.next);
  const beyond = (milliseconds: number) => storedInstant(at.add({ milliseconds }));
  const farthest = beyond(longestWaitMs);
  const ranges = [
    rows.where(sql<boolean>`${next} <= ${storedInstant(at)}`),
    rows.where(sql<boolean>`${next} > ${farthest}`),
  ];
  if (sooner !== undefined) {
    const far = beyond(sooner.longestWaitMs);
    ranges.push(sooner.rows.where(sql<boolean>`${next} > ${far} and ${next} <= ${farthest}`));
  }
  const due: Row[] = [];
  for (const range of ranges) {
    if (due.length >= limit) break;
    const more = await range
      .orderBy(next)
      .orderBy(sql.ref(columns.id))
      .limit(limit - due.length)
      .modifyEnd(rowLock(trx, "for update skip locked"))
      .execute();
    due.push(...more);
  }
  return due;
};

/** Ids after one, up to another. */
export interface IdRange {
  readonly after: string;
  readonly last: string;
}

const IDS_AT_ONCE = 200;

/**
 * Ranges of the ids of a table, with a turn of the event loop between: a query by pages would let SQLite scan the whole
 * table for one page when few rows match. Rows of one id are of one range.
 */
export const idRanges = (
  table: "account" | "report_route" | "sales_correction",
  id: "account_fp" | "guild_id" | "id",
): ((db: Database) => AsyncGenerator<IdRange>) => {
  const rangeAfter = compilePerDatabase((db) =>
    db
      .selectFrom(
        sql<{ id: string }>`(select ${sql.ref(id)} as id from ${sql.table(table)}
          where ${sql.ref(id)} > ${""} order by 1 limit ${sql.lit(IDS_AT_ONCE)})`.as("page"),
      )
      .select(({ fn }) => [fn.max("id").as("last"), fn.countAll<number>().as("ids")]),
  );
  return async function* (db) {
    for (let after = ""; ; await setImmediate()) {
      const [range] = await rangeAfter(db, after);
      if (range === undefined || range.last === null) return;
      yield { after, last: range.last };
      if (range.ids < IDS_AT_ONCE) return;
      after = range.last;
    }
  };
};

const DELETED_AT_ONCE = 200;

/**
 * Deletes the rows that match in slices, as one statement would block SQLite's thread for seconds. `key`: columns with
 * values that no row that stays has. Stopped halfway, the rest is deleted the next time.
 */
export const deleteInSlices = async <Table extends keyof Schema>(
  db: Database,
  table: Table,
  key: readonly (keyof Schema[Table] & string)[],
  matches: RawBuilder<boolean>,
  stopping: AbortSignal | undefined,
): Promise<void> => {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (;;) {
    if (stopping?.aborted === true) return;
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where (${columns}) in (
        select ${columns} from ${sql.table(table)} where ${matches} limit ${sql.lit(DELETED_AT_ONCE)})
    `.execute(db);
    if (Number(numAffectedRows) < DELETED_AT_ONCE) return;
    await setImmediate();
  }
};
