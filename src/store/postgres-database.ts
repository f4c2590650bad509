import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import type pg from "pg";
import { SECOND } from "../shared/duration.ts";
import type { Logger } from "../shared/log.ts";

const CONNECTIONS = 10;

/** Longest waits, in milliseconds. */
export interface PostgresLimits {
  readonly connectMs: number;
  /** For the answer to one query, seen from here: a link may die without a word. */
  readonly queryMs: number;
  /** For one query, seen from the server. */
  readonly statementMs: number;
  readonly lockMs: number;
  readonly idleTransactionMs: number;
}

export const POSTGRES_LIMITS: PostgresLimits = {
  connectMs: 5 * SECOND,
  queryMs: 15 * SECOND,
  statementMs: 10 * SECOND,
  lockMs: 5 * SECOND,
  idleTransactionMs: 10 * SECOND,
};

const safeInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("The database holds an unsafe integer");
  return value;
};

/** What Kysely needs of a client. One that failed other than by the server's own answer is not used again. */
const reservedClient = (
  client: pg.PoolClient,
  isServerAnswer: (error: unknown) => boolean,
): PostgresPoolClient => {
  let usable = true;
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    try {
      return await client.query(text, values);
    } catch (error) {
      usable &&= isServerAnswer(error);
      throw error;
    }
  };
  return {
    query: query as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy === true || !usable),
  };
};

/**
 * Kysely on PostgreSQL. Every wait is bounded: by default pg waits for ever on a link that died half-open. Loads pg
 * only here, so that a bot on SQLite starts without it.
 */
export const openPostgres = async (
  url: string,
  log: Logger,
  limits: PostgresLimits = POSTGRES_LIMITS,
): Promise<Dialect> => {
  const { default: pg } = await import("pg");
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, safeInteger);
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "balcao",
    max: CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.queryMs,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleTransactionMs,
    types,
  });
  // Without a listener an idle connection that the server closes ends the process.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  const isServerAnswer = (error: unknown): boolean => error instanceof pg.DatabaseError;
  const reserved: PostgresPool = {
    options: pool.options,
    connect: async () => reservedClient(await pool.connect(), isServerAnswer),
    end: () => pool.end(),
  };
  return new PostgresDialect({ pool: reserved });
};
