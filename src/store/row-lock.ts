import { type RawBuilder, sql } from "kysely";
import type { Database } from "./schema.ts";

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
