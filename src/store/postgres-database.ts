import { type Dialect, PostgresDialect } from "kysely";
import { SECOND } from "../shared/duration.ts";
import type { Logger } from "../shared/log.ts";

const BIGINT = 20;

const safeInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("The database holds an unsafe integer");
  return value;
};

/**
 * Kysely on PostgreSQL. Every wait is bounded: by default pg waits for ever on a link that died half-open. Loads pg
 * only here, so that a bot on SQLite starts without it.
 */
export const openPostgres = async (url: string, log: Logger): Promise<Dialect> => {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "balcao",
    max: 10,
    keepAlive: true,
    connectionTimeoutMillis: 5 * SECOND,
    query_timeout: 15 * SECOND,
    statement_timeout: 10 * SECOND,
    lock_timeout: 5 * SECOND,
    idle_in_transaction_session_timeout: 10 * SECOND,
    types: {
      getTypeParser: (type: number, format?: "text" | "binary") =>
        Number(type) === BIGINT && format !== "binary"
          ? safeInteger
          : pg.types.getTypeParser(type, format),
    },
  });
  // Without a listener an idle connection that the server closes ends the process.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  return new PostgresDialect({ pool });
};
