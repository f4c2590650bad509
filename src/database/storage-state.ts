import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Selectable, sql } from "kysely";
import type { DatabaseRestore, RestoreCause } from "../withdrawals/restore/restore-hold.ts";
import { type Clock, MINUTE } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import { type Random, randomText } from "../shared/random.ts";
import { instantOf, optionalInstantOf, storedInstant } from "./columns.ts";
import { codeOf, FORBIDDEN_CODE, storageProblem, StoreError } from "../shared/store-errors.ts";
import { OWNER_ONLY, syncFolder } from "./files.ts";
import type { Database, DatabaseRestoreTable, StorageStateTable } from "../schema.ts";
import { isPostgres, lockName, rowLock } from "./queries.ts";

/** Name of a row in `meta` that `npm run restore` writes into a copy of any version. */
export const RESTORED_FACT = "restored_by_command";

/** The journal's hooks around a request that moves money. */
export type SendingMark = Awaited<ReturnType<typeof openStorage>>["sending"];

interface StorageNeeds {
  /** For a SQLite file only. */
  readonly markPath: string | undefined;
  readonly clock: Clock;
  readonly random: Pick<Random, "bytes">;
  readonly log: Logger;
}

/**
 * Detects at a start whether the database is an older copy of itself, and saves the numbers for the next start.
 * @throws errors of the database and the file system
 */
export const openStorage = async (db: Database, needs: StorageNeeds) => {
  const { markPath, clock, log } = needs;
  const placeNow = isPostgres(db) ? await placeReader(db) : async () => null;
  const { state, noticed, isNew } = await detectRestore(db, needs, await placeNow(db));
  const { id, generation } = state;
  let newest = state.money_sequence;
  const keep = (): void => {
    if (markPath !== undefined) writeMark(markPath, { id, generation, moneySequence: newest });
  };
  keep();
  if (isNew) log.info({}, "a new database was begun");
  if (noticed !== undefined)
    log.warn({ cause: noticed }, "money waits until each account was compared with the service");

  /** Several processes may share PostgreSQL; a SQLite file belongs to the newest process. */
  const requireOwn = (found: Pick<State, "generation">): void => {
    if (isPostgres(db) || found.generation === generation) return;
    throw new StoreError("database_in_use", "Another process has taken the database file");
  };
  const isRolledBack = (found: State): boolean =>
    found.money_sequence < newest || found.generation < generation || found.id !== id;

  const recordReplacement = (on: Database, place: string | null): Promise<void> =>
    on.transaction().execute(async (trx) => {
      await lockName(trx, "storage");
      const found = await lockedState(trx);
      // Another process may have noticed first.
      if (found === undefined || (found.place === place && !isRolledBack(found))) return;
      const now = clock.now();
      await recordRestore(trx, "restored", found, now);
      await keepState(trx, {
        ...found,
        id,
        place,
        generation: Math.max(found.generation, generation),
        money_sequence: Math.max(found.money_sequence, newest),
        alive_at: storedInstant(now),
      });
      log.error({}, "the database was put back under this process: money waits");
    });

  /** Undefined where the database was replaced, which is on record then. */
  const unreplacedState = async (on: Database): Promise<State | undefined> => {
    const found = await stateOf(on);
    if (found === undefined) return undefined;
    requireOwn(found);
    const place = await placeNow(on);
    if (found.place === place && !isRolledBack(found)) return found;
    await recordReplacement(on, place);
    return undefined;
  };

  return {
    /** Why the database may be an older copy; undefined when this start found no sign of that. */
    noticed,
    /** Call on each new connection, before its first query. Records that the database was replaced under the process. */
    check: async (on: Database): Promise<void> => void (await unreplacedState(on)),
    sending: {
      /**
       * Call in the transaction that permits the request. @returns the number to pass to `keep`.
       * @throws StoreError database_in_use, database_rolled_back
       */
      raise: async (trx: Database): Promise<number> => {
        const raised = await trx
          .updateTable("storage_state")
          .set((eb) => ({ money_sequence: eb("money_sequence", "+", 1) }))
          .returningAll()
          .executeTakeFirst();
        // A promoted standby may lack sends of another process, and by the sequence this one would not notice.
        if (
          raised === undefined ||
          raised.place !== (await placeNow(trx)) ||
          isRolledBack({ ...raised, money_sequence: raised.money_sequence - 1 })
        )
          throw new StoreError("database_rolled_back", "The database is an older copy of itself");
        requireOwn(raised);
        return raised.money_sequence;
      },
      /**
       * Call after the commit and before the request. @throws when the mark cannot be written: do not send the request
       * then.
       */
      keep: (sequence: number): void => {
        newest = Math.max(newest, sequence);
        keep();
      },
    },
    /**
     * Call each minute. Records that the process is alive, and notices a database that was replaced under it.
     * @throws StoreError database_in_use when another process has taken a SQLite file
     */
    stillAlive: async (): Promise<void> => {
      const found = await unreplacedState(db);
      if (found === undefined) return;
      newest = Math.max(newest, found.money_sequence);
      await db
        .updateTable("storage_state")
        .set({ alive_at: storedInstant(clock.now()) })
        .where("generation", "=", found.generation)
        .execute();
    },
  };
};

/** When the newest restore was noticed. Operations that the journal held before may have continued without it. */
export const restoredAt = async (db: Database): Promise<Temporal.Instant | undefined> => {
  const newest = await db
    .selectFrom("database_restore")
    .select("noticed_at")
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest && instantOf(newest.noticed_at);
};

/** The newest restore from a copy; a mere gap in the bot's activity is none. */
export const latestRestore = async (
  db: Database,
): Promise<Pick<DatabaseRestore, "number" | "noticedAt"> | undefined> => {
  const newest = await db
    .selectFrom("database_restore")
    .select(["number", "noticed_at"])
    .where("cause", "=", "restored")
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest && { number: newest.number, noticedAt: instantOf(newest.noticed_at) };
};

type State = Selectable<StorageStateTable>;

const ID_BYTES = 12;

/**
 * PostgreSQL's identity of the tables, which a restore changes: the cluster, its timeline, the database and the table.
 * A recovery to an earlier moment changes the timeline alone, and so does the promotion of a standby, which may lack the
 * last commits too. Managed servers may hide a part of it.
 */
const placeReader = async (db: Database): Promise<(on: Database) => Promise<string>> => {
  // PostgreSQL refuses a statement that names a hidden function, though it would not be called.
  const { rows } = await sql<{ system: boolean; timeline: boolean }>`
    select has_function_privilege('pg_control_system()', 'execute') as system,
      has_function_privilege('pg_current_wal_lsn()', 'execute')
        and has_function_privilege('pg_walfile_name(pg_lsn)', 'execute') as timeline
  `.execute(db);
  const system = rows[0]?.system ? "system_identifier::text from pg_control_system()" : "null";
  const timeline = rows[0]?.timeline
    ? "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"
    : "null";
  const place = sql<{ place: string }>`
    select concat_ws('/',
      (select ${sql.raw(system)}),
      (select oid::text from pg_database where datname = current_database()),
      'storage_state'::regclass::oid::text,
      case when not pg_is_in_recovery() then ${sql.raw(timeline)} end) as place
  `;
  return async (on) => (await place.execute(on)).rows[0]?.place ?? "";
};

const stateOf = (db: Database): Promise<State | undefined> =>
  db.selectFrom("storage_state").selectAll().executeTakeFirst();

/** The row that `keepState` writes back whole: a request raises its number without locking the name. */
const lockedState = (trx: Database): Promise<State | undefined> =>
  trx
    .selectFrom("storage_state")
    .selectAll()
    .modifyEnd(rowLock(trx, "for update"))
    .executeTakeFirst();

/** A database without its mark was copied from elsewhere. A mark with higher numbers was left by a newer copy. */
const isOlderThan = (state: State | undefined, mark: StorageMark | "unreadable" | undefined) => {
  if (mark === undefined) return state !== undefined;
  if (mark === "unreadable" || state === undefined || state.id !== mark.id) return true;
  return state.generation < mark.generation || state.money_sequence < mark.moneySequence;
};

/** Longest time between two signs of life: one beat, a restart, and a reserve. */
const LONGEST_SILENCE_MS = 3 * MINUTE;

const isSilent = ({ alive_at }: State, now: Temporal.Instant): boolean =>
  Math.abs(now.epochMilliseconds - instantOf(alive_at).epochMilliseconds) > LONGEST_SILENCE_MS;

/** Records that recent events may be missing. Call it in the transaction that detects it. */
const recordRestore = async (
  trx: Database,
  cause: RestoreCause,
  state: State | undefined,
  now: Temporal.Instant,
): Promise<void> => {
  const { number } = await trx
    .selectFrom("database_restore")
    .select(({ fn }) => fn.max<number | null>("number").as("number"))
    .executeTakeFirstOrThrow();
  const { at } = await trx
    .selectFrom("withdraw_event")
    .select(({ fn }) => fn.max<string | null>("at").as("at"))
    .executeTakeFirstOrThrow();
  await trx
    .insertInto("database_restore")
    .values({
      number: (number ?? 0) + 1,
      cause,
      noticed_at: storedInstant(now),
      last_event_at: at,
      alive_at: state?.alive_at ?? null,
    })
    .execute();
};

const keepState = async (trx: Database, state: State): Promise<void> => {
  await trx
    .insertInto("storage_state")
    .values(state)
    .onConflict((conflict) => conflict.column("only_row").doUpdateSet(state))
    .execute();
};

const detectRestore = async (db: Database, needs: StorageNeeds, place: string | null) => {
  const { markPath, clock, random } = needs;
  const mark = markPath === undefined ? undefined : readMark(markPath);
  return await db.transaction().execute(async (trx) => {
    await lockName(trx, "storage");
    const before = await lockedState(trx);
    const now = clock.now();
    const byCommand = await trx
      .deleteFrom("meta")
      .where("name", "=", RESTORED_FACT)
      .executeTakeFirst();
    const isCopy =
      (markPath !== undefined && isOlderThan(before, mark)) ||
      (before !== undefined && before.place !== place) ||
      byCommand.numDeletedRows > 0n;
    const silent: RestoreCause | undefined =
      before !== undefined && isSilent(before, now) ? "gap" : undefined;
    const noticed: RestoreCause | undefined = isCopy ? "restored" : silent;
    if (noticed !== undefined) await recordRestore(trx, noticed, before, now);
    const known = mark === "unreadable" ? undefined : mark;
    const state: State = {
      only_row: 1,
      id: before?.id ?? randomText(random, ID_BYTES),
      generation: Math.max(before?.generation ?? 0, known?.generation ?? 0) + 1,
      money_sequence: Math.max(before?.money_sequence ?? 0, known?.moneySequence ?? 0),
      alive_at: storedInstant(now),
      place,
    };
    await keepState(trx, state);
    return { state, noticed, isNew: before === undefined };
  });
};

/** The numbers of the newest database, in a file beside it: an older copy of the database has lower ones. */
interface StorageMark {
  readonly id: string;
  readonly generation: number;
  readonly moneySequence: number;
}

export const markPathOf = (databasePath: string): string => `${databasePath}.mark`;

const isMark = (value: unknown): value is StorageMark => {
  if (typeof value !== "object" || value === null) return false;
  const { id, generation, moneySequence } = value as Partial<Record<keyof StorageMark, unknown>>;
  return (
    typeof id === "string" &&
    Number.isSafeInteger(generation) &&
    Number.isSafeInteger(moneySequence)
  );
};

/**
 * Undefined when the file is missing; `unreadable` when its content is not a mark.
 * @throws StoreError disk_unwritable when the file cannot be read
 */
const readMark = (path: string): StorageMark | "unreadable" | undefined => {
  try {
    const mark: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isMark(mark) ? mark : "unreadable";
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return undefined;
    if (error instanceof SyntaxError) return "unreadable";
    const advice = FORBIDDEN_CODE.test(code)
      ? ": run the bot and its tools as the user whom it belongs to"
      : "";
    throw new StoreError("disk_unwritable", `${path} cannot be read (${code})${advice}`, error);
  }
};

/** Replaces the mark atomically and flushes it to the disk. @throws StoreError disk_unwritable, or the system's error */
const writeMark = (path: string, mark: StorageMark): void => {
  const next = `${path}.next`;
  // As bytes: Node writes text of a given encoding by a shorter way, which does not flush.
  const bytes = Buffer.from(`${JSON.stringify(mark)}\n`);
  try {
    writeFileSync(next, bytes, { mode: OWNER_ONLY, flush: true });
    renameSync(next, path);
    syncFolder(dirname(path));
  } catch (error) {
    throw storageProblem(error, next) ?? error;
  }
};

export const restoreOf = (row: Selectable<DatabaseRestoreTable>): DatabaseRestore => ({
  number: row.number,
  cause: row.cause,
  noticedAt: instantOf(row.noticed_at),
  lastEventAt: optionalInstantOf(row.last_event_at),
  aliveAt: optionalInstantOf(row.alive_at),
});
