import type { Compilable, CompiledQuery } from "kysely";
import type { Database } from "./schema.ts";

type Parameter = string | number | null;

/**
 * A query for what is asked at every look: it is built once, because building costs several times as much as SQLite's
 * answer. Its parameters are given at each call, in the order in which they stand in its text.
 */
export const builtOnce = <Row>(
  db: Database,
  query: Compilable<Row>,
): ((...parameters: readonly Parameter[]) => Promise<Row[]>) => {
  const run = builtFor(() => query);
  return (...parameters) => run(db, ...parameters);
};

/** The same for whatever transaction asks: it is built once for each database. */
export const builtFor = <Row>(
  query: (db: Database) => Compilable<Row>,
): ((db: Database, ...parameters: readonly Parameter[]) => Promise<Row[]>) => {
  // All transactions of a database have its adapter.
  const built = new WeakMap<object, CompiledQuery<Row>>();
  return async (db, ...parameters) => {
    const { adapter } = db.getExecutor();
    const kept = built.get(adapter) ?? query(db).compile();
    built.set(adapter, kept);
    return (await db.executeQuery<Row>({ ...kept, parameters })).rows;
  };
};
