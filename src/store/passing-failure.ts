/**
 * What the next try may find mended: the network, a server that starts, stops or is short of something, a lock that
 * another process holds. Source: PostgreSQL's classes of error codes, SQLite's result codes, Node's system errors.
 */
const PASSING_CODE =
  /^(08|40|53|57|55P03|25P03|E(?!RR_)[A-Z]|SQLITE_(BUSY|LOCKED|FULL|IOERR|PROTOCOL))/;
/** `pg` gives these errors of its own no code. */
const PASSING_MESSAGE = /timeout|terminated/i;

/** Whether a database failed in a way that needs nobody to change anything. */
export const isPassingFailure = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" ? PASSING_CODE.test(code) : PASSING_MESSAGE.test(error.message);
};
