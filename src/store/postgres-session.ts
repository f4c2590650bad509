import type pg from "pg";
import { StoreError } from "./errors.ts";

/** `remote_apply` promises more than `on`; every other value promises less. */
const KEEP_COMMITS = `
  select set_config(
    'synchronous_commit',
    case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end,
    false
  )`;
const READ_BACK = `
  select
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as only_reads`;

interface SessionFacts {
  readonly synchronous_commit: string;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly only_reads: boolean;
}

const DURABLE: Readonly<Record<string, readonly string[]>> = {
  synchronous_commit: ["on", "remote_apply"],
  fsync: ["on"],
  full_page_writes: ["on"],
};

/**
 * Makes each commit of a new connection wait for the server's disk, over whatever the server, the database or the role
 * has set, and reads back what holds. A commit that the server forgets would let the same withdrawal go out again.
 * @throws StoreError unsafe_database, or database_unavailable for a standby, which only reads
 */
export const prepareSession = async (client: Pick<pg.ClientBase, "query">): Promise<void> => {
  await client.query(KEEP_COMMITS);
  const { rows } = await client.query<SessionFacts>(READ_BACK);
  const [facts] = rows;
  if (facts?.only_reads !== false) {
    throw new StoreError(
      "database_unavailable",
      "The database (DATABASE_URL) only reads now, as a standby does: try again later, or name the primary server",
    );
  }
  const unsafe = Object.entries(DURABLE).find(
    ([name, values]) => !values.includes(String(facts[name as keyof SessionFacts])),
  );
  if (unsafe === undefined) return;
  const [name] = unsafe;
  throw new StoreError(
    "unsafe_database",
    `PostgreSQL runs with ${name} = ${String(facts[name as keyof SessionFacts])}, so that a crash may lose a withdrawal that was sent: set it to on and reload the server`,
  );
};
