import { DatabaseAwayError } from "../shared/errors.ts";

/**
 * What the next try may find mended: the network, a server that starts, stops or is short of something, a lock that
 * another process holds. Source: PostgreSQL's classes of error codes, SQLite's result codes, Node's system errors.
 */
const PASSING_CODE =
  /^(08|40|53|57|55P03|25P03|E(?!RR_)[A-Z]|SQLITE_(BUSY|LOCKED|FULL|IOERR|PROTOCOL))/;
/**
 * Of these the ones after which a PostgreSQL connection is of no use: it broke, or its server stops, starts, or became a
 * standby that refuses to write (25006).
 */
const AWAY_CODE = /^(08|57P0|25P03|25006|E(?!RR_)[A-Z])/;
/** `pg` gives these errors of its own no code. */
const PASSING_MESSAGE = /timeout|terminated|not queryable/i;

const codeOf = (error: Error): string | undefined => {
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" ? code : undefined;
};

/** Whether a database failed in a way that needs nobody to change anything. */
export const isPassingFailure = (error: unknown): boolean => {
  if (error instanceof DatabaseAwayError) return true;
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === undefined ? PASSING_MESSAGE.test(error.message) : PASSING_CODE.test(code);
};

/** Whether PostgreSQL, or the way to it, failed as a whole: not this statement, but the connection that carried it. */
export const isConnectionFailure = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === undefined ? PASSING_MESSAGE.test(error.message) : AWAY_CODE.test(code);
};
