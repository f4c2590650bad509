import { setTimeout as pause } from "node:timers/promises";
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import type pg from "pg";
import { DAY, reconnectDelayMs, SECOND } from "../shared/time.ts";
import { DatabaseAwayError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { Random } from "../shared/random.ts";
import type { Database, Schema } from "../schema.ts";
import {
  isConnectionFailure,
  isPassingFailure,
  storageProblem,
  StoreError,
} from "../shared/store-errors.ts";

const CONNECTIONS = 10;

export type PostgresLimits = Readonly<typeof POSTGRES_LIMITS>;

/** Timeouts, in milliseconds. */
export const POSTGRES_LIMITS = {
  connectMs: 5 * SECOND,
  /** For the answer to one query, measured here: a link may die silently. */
  queryMs: 15 * SECOND,
  /** For one query, measured by the server. */
  statementMs: 10 * SECOND,
  lockMs: 5 * SECOND,
  idleTransactionMs: 10 * SECOND,
};

/**
 * Limits for migrations: one statement may rewrite a large table. Not 0, which `pg` would not send, so that a timeout of
 * the server or the role would hold.
 */
export const forMigrations = (limits: PostgresLimits): PostgresLimits => ({
  ...limits,
  queryMs: DAY,
  statementMs: DAY,
});

const safeInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("The database holds an unsafe integer");
  return value;
};

/**
 * The strict word for modes of `sslmode` that `pg` 8 takes for it. For the others it prints a warning that recommends
 * a parameter by which certificates go unchecked.
 */
const withStrictMode = (url: string): string =>
  url.replaceAll(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=[&#]|$)/g, "verify-full");

/** The part of a client that Kysely needs. After an error that is not the server's answer the client is discarded. */
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

/** Kysely on this client alone. */
const onlyOn = (client: pg.PoolClient): Database => {
  const query = (text: string, values: unknown[]): Promise<unknown> => client.query(text, values);
  const reserved = { query: query as PostgresPoolClient["query"], release: () => {} };
  const pool: PostgresPool = { options: {}, connect: async () => reserved, end: async () => {} };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
};

/**
 * Kysely on PostgreSQL. Every wait is bounded: by default pg waits for ever on a half-open link. Each connection is
 * made safe before its first query. Loads pg here, so that a bot on SQLite starts without it. Queries throw
 * DatabaseAwayError when the connection fails or cannot be made, as opposed to the statement; its cause is a StoreError
 * when an operator has to change something.
 */
export const openPostgres = async (
  url: string,
  { log, random }: { readonly log: Logger; readonly random: Random },
  limits: PostgresLimits = POSTGRES_LIMITS,
) => {
  const { default: pg } = await import("pg");
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, safeInteger);
  const settings = {
    connectionString: withStrictMode(url),
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
  let isBusy = false;
  let isCrowded = false;
  /** Most often the server has no free one. Those that this process has still serve, so it keeps them. */
  const tellCrowded = (failure: unknown): void => {
    if (!isCrowded) log.warn({ err: failure }, "a database connection could not be made");
    isCrowded = true;
  };
  const connectionWatch = watchConnection({
    log,
    random,
    connect: async () => {
      const client = new pg.Client(settings);
      client.on("error", () => {});
      try {
        await client.connect();
        await prepareSession(client);
        return true;
      } catch (error) {
        if (!isRefusedForNow(error) || pool.totalCount === 0) throw error;
        tellCrowded(error);
        return false;
      } finally {
        // A silent link never reports its end.
        void client.end();
      }
    },
  });
  const fresh = new WeakSet<pg.PoolClient>();
  let check: ((on: Database) => Promise<void>) | undefined;
  pool.on("connect", (client) => {
    if (isCrowded) log.warn("a database connection can be made again");
    isCrowded = false;
    fresh.add(client);
    // The pool listens to idle clients only: an error on a busy client would end the process.
    client.on("error", connectionWatch.reportLoss);
  });
  pool.on("error", connectionWatch.reportLoss);

  const connect = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect();
    try {
      if (fresh.has(client)) {
        await prepareSession(client);
        await check?.(onlyOn(client));
      }
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
      if (connectionWatch.isAway()) throw new DatabaseAwayError();
      try {
        const client = await connect();
        isBusy = false;
        return reservedClient(client, isServerAnswer, connectionWatch.reportLoss);
      } catch (error) {
        if (pool.ending && !isPassingFailure(error)) throw error;
        const failure = openingFailure(error);
        if (isRefusedForNow(error)) tellCrowded(failure);
        else if (!isPoolBusy(error)) connectionWatch.reportLoss(failure);
        else {
          if (!isBusy) log.warn("no database connection was free in time");
          isBusy = true;
          // All of them may hang on a silent link.
          connectionWatch.reportLoss();
        }
        throw new DatabaseAwayError(failure);
      }
    },
    end: () => {
      connectionWatch.stop();
      return pool.end();
    },
  };
  return {
    dialect: new PostgresDialect({ pool: reserved }),
    connectionWatch,
    /**
     * Runs the check on each connection that is made from now on, before its first query: the server behind it may be a
     * promoted standby, also where no connection was seen to break, since idle ones are closed.
     */
    checkEach: (given: NonNullable<typeof check>): void => {
      check = given;
    },
  };
};

/** Whether a server that answers refused this connection alone. */
const isRefusedForNow = (error: unknown): boolean =>
  isPassingFailure(error) && !isConnectionFailure(error);

/** Whether all connections of this process stayed in use. Source: the words of pg-pool. */
const isPoolBusy = (error: unknown): boolean =>
  error instanceof Error && error.message === "timeout exceeded when trying to connect";

/**
 * Why a connection could not be made; a StoreError where an operator has to change something. The server's own words
 * name the user or the database, and never the password.
 */
const openingFailure = (error: unknown): unknown =>
  error instanceof StoreError || isPassingFailure(error)
    ? error
    : (storageProblem(error) ??
      new StoreError(
        "database_refused",
        `DATABASE_URL is refused: ${error instanceof Error ? error.message : "unknown reason"}`,
        error,
      ));

/**
 * Only `remote_apply` promises more than `on`. At a stricter isolation, a statement that waited for a lock would read
 * from before the wait. A limit of the whole transaction would end the migrations; servers before 17 know none.
 */
const SET_SESSION = `
  select
    set_config(
      'synchronous_commit',
      case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end,
      false
    ),
    set_config('default_transaction_isolation', 'read committed', false),
    (select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout')`;
const READ_BACK = `
  select
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('default_transaction_isolation') as default_transaction_isolation,
    current_setting('server_encoding') as server_encoding,
    pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as only_reads`;

interface SessionFacts {
  readonly synchronous_commit: string;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly default_transaction_isolation: string;
  readonly server_encoding: string;
  readonly only_reads: boolean;
}

const SAFE: Readonly<Record<string, readonly string[]>> = {
  synchronous_commit: ["on", "remote_apply"],
  fsync: ["on"],
  full_page_writes: ["on"],
  default_transaction_isolation: ["read committed"],
};

/** Encodings of a server that keep every text as it is sent: the second keeps bytes. */
const WHOLE_TEXT: ReadonlySet<string> = new Set(["UTF8", "SQL_ASCII"]);

/**
 * Makes each commit of a new connection wait for the server's disk, and each statement read the commits before it,
 * overriding the settings of the server, the database and the role, and reads the result back. A commit that is lost,
 * or not seen under a lock, would let the same withdrawal go out again.
 * @throws StoreError unsafe_database, or database_unavailable for a read-only standby
 */
const prepareSession = async (client: Pick<pg.ClientBase, "query">): Promise<void> => {
  await client.query(SET_SESSION);
  const { rows } = await client.query<SessionFacts>(READ_BACK);
  const [facts] = rows;
  if (facts?.only_reads !== false) {
    throw new StoreError(
      "database_unavailable",
      "The database (DATABASE_URL) only reads now, as a standby does: try again later, or name the primary server",
    );
  }
  if (!WHOLE_TEXT.has(facts.server_encoding)) {
    throw new StoreError(
      "unsafe_database",
      `The database (DATABASE_URL) has the encoding ${facts.server_encoding}, which cannot hold every text: create one with encoding 'UTF8' and template template0, and name that`,
    );
  }
  const unsafe = Object.entries(SAFE).find(
    ([name, values]) => !values.includes(String(facts[name as keyof SessionFacts])),
  );
  if (unsafe === undefined) return;
  const [name, [safe]] = unsafe;
  throw new StoreError(
    "unsafe_database",
    `PostgreSQL runs with ${name} = ${String(facts[name as keyof SessionFacts])}, so a withdrawal that was sent could be forgotten: set it to ${safe} and reload the server`,
  );
};

/** Shorter than the minute that people are told to wait: the database is asked several times in it. */
const LONGEST_WAIT_MS = 10 * SECOND;

/**
 * `connect` opens a new connection, and rejects while the database is unusable. False: it has no free one, and others of
 * this process are left.
 */
const watchConnection = ({
  connect,
  log,
  random,
}: {
  readonly connect: () => Promise<boolean>;
  readonly log: Logger;
  readonly random: Random;
}) => {
  const stopping = new AbortController();
  const listeners: (() => void)[] = [];
  let reconnecting = false;
  let away = false;
  let toldReason: string | undefined;

  const answers = async (failure: unknown): Promise<boolean> => {
    try {
      const isMade = await connect();
      if (isMade && failure !== undefined && !away && !stopping.signal.aborted)
        log.warn({ err: failure }, "a database connection was lost, and others can be made");
      return true;
    } catch (error) {
      if (stopping.signal.aborted) return false;
      const err = openingFailure(error);
      const reason = err instanceof StoreError ? err.message : undefined;
      if (!away || (reason !== undefined && reason !== toldReason)) {
        log.error({ err, reason }, "the database is away");
        toldReason = reason;
      }
      away = true;
      return false;
    }
  };

  const reconnect = async (failure: unknown): Promise<void> => {
    for (let failures = 1; !(await answers(failure)); failures++) {
      const delayMs = reconnectDelayMs(failures, random.fraction(), LONGEST_WAIT_MS);
      await pause(delayMs, undefined, { signal: stopping.signal });
    }
    if (stopping.signal.aborted || !away) return;
    away = false;
    log.warn("the database answers again");
    for (const listener of listeners) listener();
  };

  return {
    /** While true only this watch connects, so that a starting server is not flooded. */
    isAway: (): boolean => away,
    /**
     * A connection broke or failed to open: reconnects at once, then with growing delays until the database answers. Without
     * an error it may merely be slow.
     */
    reportLoss: (error?: unknown): void => {
      if (reconnecting || stopping.signal.aborted) return;
      reconnecting = true;
      // Rejects only after `stop`.
      reconnect(error)
        .catch(() => {})
        .finally(() => {
          reconnecting = false;
        });
    },
    /** Calls back each time a lost database answers again. */
    onReturn: (listener: () => void): void => void listeners.push(listener),
    stop: (): void => stopping.abort(),
  };
};
