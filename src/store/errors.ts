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
