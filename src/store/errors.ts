import { DatabaseAwayError } from "../shared/errors.ts";
import { sqliteCode } from "./sqlite.ts";

export type StoreErrorKind =
  /** The key ring's text is not a key ring. */
  | "malformed_key_ring"
  /** The key ring is not the one that this database was written with. */
  | "wrong_key_ring"
  /** The database holds keys of another wallet service than the configured one. */
  | "other_wallet"
  /** One sealed value cannot be opened: changed, moved to another row, or of a key that is not in the ring. */
  | "unreadable_secret"
  /** Another process has the database file. */
  | "database_in_use"
  /** The database does not answer, or not in time: the next try may go well. */
  | "database_unavailable"
  /** The database is an older copy than this process has worked on. */
  | "database_rolled_back"
  /** The file is no database, or parts of it are damaged. */
  | "corrupt_database"
  /** A backup or a restore that would overwrite something, or lacks what it needs. */
  | "backup_refused"
  /** The disk is full, read-only or broken: once somebody makes room the next try goes well. */
  | "disk_unwritable"
  /** The database did not take a setting that its safety depends on. */
  | "unsafe_database"
  /** The tables cannot be brought to the shape that this version needs. */
  | "migration_failed";

/** Why the store cannot be opened or read. Messages are for the operator and carry no secret. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly kind: StoreErrorKind;

  constructor(kind: StoreErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

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
/** The file itself: SQLite's result codes. */
const DAMAGED_CODE = /^SQLITE_(CORRUPT|NOTADB)/;
/** The disk: SQLite's result codes and Node's system errors. */
const DISK_CODE = /^(SQLITE_(FULL|READONLY|IOERR|CANTOPEN)|E(NOSPC|ROFS|DQUOT|IO|FBIG)$)/;
/** Of a file only: a port may be refused by the same codes. */
const FORBIDDEN_CODE = /^E(ACCES|PERM)$/;

/** What is told of a file that is damaged, or is no database. */
export const damaged = (path: string, cause: unknown): StoreError =>
  new StoreError(
    "corrupt_database",
    `${path} is damaged or is no database: put a backup back with npm run restore -- FILE (it keeps the damaged file beside it)`,
    cause,
  );

/** The code of a library's or the system's error; empty when it has none. */
export const codeOf = (error: unknown): string => {
  const sqlite = sqliteCode(error);
  if (sqlite !== undefined) return sqlite;
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : "";
};

/**
 * What an error says of the disk or of the file of the database; undefined when it is about neither. `path`: of the file
 * that was being opened.
 */
export const storageProblem = (error: unknown, path?: string): StoreError | undefined => {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const name = path ?? "The database";
  if (DAMAGED_CODE.test(code)) return damaged(name, error);
  if (!DISK_CODE.test(code) && !(path !== undefined && FORBIDDEN_CODE.test(code))) return undefined;
  return new StoreError(
    "disk_unwritable",
    `${name} cannot be written (${code}): the disk is full or read-only, or the folder belongs to somebody else`,
    error,
  );
};

/** `pg` gives these errors of its own no code. */
const PASSING_MESSAGE = /timeout|terminated|not queryable/i;

/** Whether a database failed in a way that needs nobody to change anything. */
export const isPassingFailure = (error: unknown): boolean => {
  if (error instanceof DatabaseAwayError) return true;
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === "" ? PASSING_MESSAGE.test(error.message) : PASSING_CODE.test(code);
};

/** Whether PostgreSQL, or the way to it, failed as a whole: not this statement, but the connection that carried it. */
export const isConnectionFailure = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === "" ? PASSING_MESSAGE.test(error.message) : AWAY_CODE.test(code);
};
