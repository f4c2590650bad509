import type { HoldReason, RestoreCause } from "../domain/restore-hold.ts";
import type { StoredInstant } from "./columns.ts";

/** One row: by it a start tells whether the database is an older copy of itself. */
export interface StorageStateTable {
  only_row: 1;
  id: string;
  /** Rises with each start. */
  generation: number;
  /** Rises with each request that moves money, in the transaction that permits it. */
  money_sequence: number;
  /** Written each minute. */
  alive_at: StoredInstant;
  /** Where PostgreSQL keeps the database: a restore changes it. Null for SQLite. */
  place: string | null;
}

/** Starts whose database may be an older copy. */
export interface DatabaseRestoreTable {
  number: number;
  cause: RestoreCause;
  noticed_at: StoredInstant;
  /** Newest event of the journal in the copy; null when it has none. */
  last_event_at: StoredInstant | null;
  /** When a process last lived on the copy; null when it does not say. */
  alive_at: StoredInstant | null;
}

/** Wallet accounts that were compared with the service since. */
export interface RestoreCheckTable {
  account_fp: string;
  /** Number of the newest restore that the account was compared after; 0: none. */
  cleared: number;
  /** Why the account still waits for its owner; null once it does not. */
  why: HoldReason | null;
  /** JSON array of the txids that the owner was asked about. */
  shown: string | null;
  /** Names the question; null once it was answered. */
  answer_id: string | null;
  at: StoredInstant;
}
