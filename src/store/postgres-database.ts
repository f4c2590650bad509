import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import type pg from "pg";
import { SECOND } from "../shared/duration.ts";
import { DatabaseAwayError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { Random } from "../shared/random.ts";
import { type DatabasePresence, watchPresence } from "./database-presence.ts";
import { StoreError } from "./errors.ts";
import { isConnectionFailure } from "./passing-failure.ts";
import { prepareSession } from "./postgres-session.ts";

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
  onLost: (error: unknown) => void,
): PostgresPoolClient => {
  let usable = true;
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    try {
      return await client.query(text, values);
    } catch (error) {
      const lost = isConnectionFailure(error);
      usable &&= isServerAnswer(error) && !lost;
      if (!lost) throw error;
      onLost(error);
      throw new DatabaseAwayError(error);
    }
  };
  return {
    query: query as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy === true || !usable),
  };
};

export interface OpenPostgres {
  readonly dialect: Dialect;
  readonly presence: DatabasePresence;
}

/**
 * Kysely on PostgreSQL. Every wait is bounded: by default pg waits for ever on a link that died half-open. Each
 * connection is made safe before its first query. Loads pg only here, so that a bot on SQLite starts without it.
 * Queries throw DatabaseAwayError when the connection, not the statement, is what failed.
 */
export const openPostgres = async (
  url: string,
  { log, random }: { readonly log: Logger; readonly random: Random },
  limits: PostgresLimits = POSTGRES_LIMITS,
): Promise<OpenPostgres> => {
  const { default: pg } = await import("pg");
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, safeInteger);
  const settings = {
    connectionString: url,
    application_name: "balcao",
    keepAlive: true,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.queryMs,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleTransactionMs,
    types,
  };
  const pool = new pg.Pool({ ...settings, max: CONNECTIONS });
  const presence = watchPresence({
    log,
    random,
    ask: async () => {
      const client = new pg.Client(settings);
      client.on("error", () => {});
      try {
        await client.connect();
        await prepareSession(client);
      } finally {
        // Over a link that is silent its end is never told.
        void client.end();
      }
    },
  });
  const fresh = new WeakSet<pg.PoolClient>();
  pool.on("connect", (client) => {
    fresh.add(client);
    // The pool listens to idle clients alone: without a listener a client in use that breaks ends the process.
    client.on("error", presence.doubt);
  });
  pool.on("error", presence.doubt);

  const connect = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect();
    try {
      if (fresh.has(client)) await prepareSession(client);
      fresh.delete(client);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  const isServerAnswer = (error: unknown): boolean => error instanceof pg.DatabaseError;
  const reserved: PostgresPool = {
    options: pool.options,
    connect: async () => {
      if (presence.isAway()) throw new DatabaseAwayError();
      try {
        return reservedClient(await connect(), isServerAnswer, presence.doubt);
      } catch (error) {
        if (!(error instanceof StoreError) && !isConnectionFailure(error)) throw error;
        presence.doubt(error);
        throw new DatabaseAwayError(error);
      }
    },
    end: () => {
      presence.stop();
      return pool.end();
    },
  };
  return { dialect: new PostgresDialect({ pool: reserved }), presence };
};
