import { type RawBuilder, sql } from "kysely";
import type { Database } from "./schema.ts";

/**
 * The right side of an `in` with any number of texts: one parameter, so that lists of every length are one statement,
 * which the connection remembers once.
 */
export const listed = (db: Database, texts: readonly string[]): RawBuilder<string> =>
  db.getExecutor().adapter.supportsMultipleConnections
    ? sql`(select json_array_elements_text(${JSON.stringify(texts)}::json))`
    : sql`(select value from json_each(${JSON.stringify(texts)}))`;
