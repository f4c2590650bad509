import { type Compilable, type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Database } from "./schema.ts";

type Parameter = string | number | null;

/**
 * A query for what is asked at every look: it is built once, because building costs several times as much as SQLite's
 * answer. Its parameters are given at each call, in the order in which they stand in its text.
 */
export const compileOnce = <Row>(
  db: Database,
  query: Compilable<Row>,
): ((...parameters: readonly Parameter[]) => Promise<Row[]>) => {
  const run = compilePerDatabase(() => query);
  return (...parameters) => run(db, ...parameters);
};

/** The same for whatever transaction asks: it is built once for each database. */
export const compilePerDatabase = <Row>(
  query: (db: Database) => Compilable<Row>,
): ((db: Database, ...parameters: readonly Parameter[]) => Promise<Row[]>) => {
  // All transactions of a database have its adapter.
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return async (db, ...parameters) => {
    const { adapter } = db.getExecutor();
    const kept = compiled.get(adapter) ?? query(db).compile();
    compiled.set(adapter, kept);
    return (await db.executeQuery<Row>({ ...kept, parameters })).rows;
  };
};

/**
 * The right side of an `in` with any number of texts: one parameter, so that lists of every length are one statement,
 * which the connection remembers once.
 */
export const listed = (db: Database, texts: readonly string[]): RawBuilder<string> =>
  db.getExecutor().adapter.supportsMultipleConnections
    ? sql`(select json_array_elements_text(${JSON.stringify(texts)}::json))`
    : sql`(select value from json_each(${JSON.stringify(texts)}))`;

type Lock = "for update" | "for share" | "for update skip locked";

/**
 * The end of a query that locks the rows it reads until the transaction ends. SQLite knows no such words and needs
 * none: its transactions hold the whole file from their beginning.
 */
export const rowLock = (db: Database, lock: Lock): RawBuilder<unknown> =>
  db.getExecutor().adapter.supportsMultipleConnections ? sql.raw(lock) : sql``;

/** Waits until no other transaction holds this name, and holds it: for rows that may not exist yet. */
export const lockName = async (db: Database, name: string): Promise<void> => {
  if (!db.getExecutor().adapter.supportsMultipleConnections) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
};
