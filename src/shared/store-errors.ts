import { DatabaseAwayError, errorCode } from "./errors.ts";

export type StoreErrorKind =
  | "malformed_key_ring"
  /** The key ring is not the one that this database was written with. */
  | "wrong_key_ring"
  /** The database holds keys of another wallet service than the configured one. */
  | "other_wallet"
  /** A sealed value cannot be opened: it was changed or moved to another row, or its key is not in the ring. */
  | "unreadable_secret"
  /** Another process has the database open. */
  | "database_in_use"
  /** The database does not answer in time: the next try may succeed. */
  | "database_unavailable"
  /**
   * PostgreSQL refuses the address's user, password, database or TLS, or shows a wrong certificate, a pooler refuses a
   * setting, or a file that the address names cannot be read.
   */
  | "database_refused"
  /** The database is older than the copy that this process has worked on. */
  | "database_rolled_back"
  /** The file is not a database, or parts of it or of PostgreSQL's files are damaged. */
  | "corrupt_database"
  /** There is no database file where one is needed, or the address names no file. */
  | "missing_database"
  /** A backup or restore would overwrite data, or lacks a tool or a file. */
  | "backup_refused"
  /** The disk is full, read-only or broken: the next try succeeds once the operator has fixed it. */
  | "disk_unwritable"
  /** The database refused a setting that the safety of its data depends on. */
  | "unsafe_database"
  /** The tables cannot be migrated to this version. */
  | "migration_failed";

/** The store cannot be opened or read. Messages are for the operator and carry no secret. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly kind: StoreErrorKind;

  constructor(kind: StoreErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/**
 * Failures of a statement that may pass without an operator: a lock of another process, a limit of time, a server or
 * disk that lacks resources. Source: PostgreSQL's classes of error codes, SQLite's result codes.
 */
const STATEMENT_CODE = /^(40|53|55P03|57014|SQLITE_(BUSY|LOCKED|FULL|IOERR|PROTOCOL))/;
/**
 * Failures that may pass too, after which a PostgreSQL connection is useless: the connection broke, or its server stops,
 * starts, or became a read-only standby (25006). Source: the same, and Node's system errors.
 */
const AWAY_CODE = /^(08|57P0|25P03|25006|E(?!RR_)[A-Z])/;
/** A pooler's refusal of a setting, at each start. It ends the connection that had it. */
const PROTOCOL_VIOLATION = "08P01";
/** Damage to the file itself: SQLite's result codes. */
const DAMAGED_CODE = /^SQLITE_(CORRUPT|NOTADB)/;
/** Damage to the data or an index of PostgreSQL's server. Source: its error codes. */
const SERVER_DAMAGED_CODE = /^XX00[12]$/;
/** Failures of the disk: SQLite's result codes and Node's system errors. */
const DISK_CODE = /^(SQLITE_(FULL|READONLY|IOERR|CANTOPEN)|E(NOSPC|ROFS|DQUOT|IO|FBIG)$)/;
/** Failures of the disk of PostgreSQL's server. Source: its error codes. */
const SERVER_DISK_CODE = /^(53100|58030)$/;
/** Applies to files only: opening a port can fail with the same codes. */
export const FORBIDDEN_CODE = /^E(ACCES|PERM)$/;

export const damaged = (path: string, cause: unknown): StoreError =>
  new StoreError(
    "corrupt_database",
    `${path} is damaged or is no database: put a backup back with npm run restore -- FILE (it keeps the damaged file beside it)`,
    cause,
  );

/** The primary result codes that the bot distinguishes. Source: sqlite.org/rescode.html. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [5, "SQLITE_BUSY"],
  [6, "SQLITE_LOCKED"],
  [8, "SQLITE_READONLY"],
  [10, "SQLITE_IOERR"],
  [11, "SQLITE_CORRUPT"],
  [13, "SQLITE_FULL"],
  [14, "SQLITE_CANTOPEN"],
  [15, "SQLITE_PROTOCOL"],
  [19, "SQLITE_CONSTRAINT"],
  [26, "SQLITE_NOTADB"],
]);
const PRIMARY = 0xff;

/** Name of the primary result code of a SQLite error; undefined for any other error. */
export const sqliteCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = Reflect.get(error, "errcode");
  return typeof code === "number" ? (NAMES.get(code & PRIMARY) ?? "SQLITE_ERROR") : undefined;
};

/** The code of an error of a library or the system; empty without one. */
export const codeOf = (error: unknown): string => sqliteCode(error) ?? errorCode(error) ?? "";

/**
 * The storage error behind an error; undefined when the error concerns neither the disk nor the database file. `path`
 * is the file being opened.
 */
export const storageProblem = (error: unknown, path?: string): StoreError | undefined => {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const name = path ?? "The database";
  if (DAMAGED_CODE.test(code)) return damaged(name, error);
  if (SERVER_DAMAGED_CODE.test(code)) {
    return new StoreError(
      "corrupt_database",
      `The database (DATABASE_URL) says that its server's files are damaged (${code}): stop the bot, REINDEX where its log names an index, or else put a backup into an empty database with npm run restore -- FILE`,
      error,
    );
  }
  if (SERVER_DISK_CODE.test(code)) {
    return new StoreError(
      "disk_unwritable",
      `The database (DATABASE_URL) cannot be written (${code}): the disk of its server is full or broken`,
      error,
    );
  }
  if (!DISK_CODE.test(code) && !(path !== undefined && FORBIDDEN_CODE.test(code))) return undefined;
  return new StoreError(
    "disk_unwritable",
    `${name} cannot be written (${code}): the disk is full or read-only, or the folder belongs to somebody else`,
    error,
  );
};

/** Errors that `pg` throws without a code, and Kysely in their place at the end of a migration. */
const PASSING_MESSAGE = /timeout|terminated|not queryable|been discarded/i;

/** Whether the connection to PostgreSQL failed, and not only this statement. */
export const isConnectionFailure = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === "" ? PASSING_MESSAGE.test(error.message) : AWAY_CODE.test(code);
};

/**
 * Refusals to read a file that PostgreSQL's address names, such as `sslrootcert`. A socket refuses with the same codes,
 * by the system call `connect`.
 */
const FILE_REFUSAL = /^(open E(NOENT|NOTDIR|ACCES|PERM)|read EISDIR)$/;

/** Whether a database failure may pass without an operator. */
export const isPassingFailure = (error: unknown): boolean => {
  if (error instanceof DatabaseAwayError) return true;
  const code = codeOf(error);
  if (error instanceof Error && FILE_REFUSAL.test(`${Reflect.get(error, "syscall")} ${code}`))
    return false;
  return code !== PROTOCOL_VIOLATION && (isConnectionFailure(error) || STATEMENT_CODE.test(code));
};

/**
 * Whether the database could not do its part of a command: it is away, locked by another program, too slow, damaged or
 * without a disk to write on. A secret that cannot be opened is none of these: a second try meets it again.
 */
export const isDatabaseAway = (error: unknown): boolean => {
  if (error instanceof DatabaseAwayError || STATEMENT_CODE.test(codeOf(error))) return true;
  const problem = storageProblem(error);
  return problem !== undefined && problem.kind !== "unreadable_secret";
};
