import type { Compilable } from "kysely";
import type { Database } from "./schema.ts";

/**
 * A query for what is asked at every look: it is built once, because building costs several times as much as SQLite's
 * answer. Its parameters are given at each call, in the order in which they stand in its text.
 */
export const builtOnce = <Row>(
  db: Database,
  query: Compilable<Row>,
): ((...parameters: readonly (string | number)[]) => Promise<Row[]>) => {
  const built = query.compile();
  return async (...parameters) => (await db.executeQuery<Row>({ ...built, parameters })).rows;
};
