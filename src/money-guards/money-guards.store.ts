import type { Selectable } from "kysely";
import { guardsInForce, type MoneyGuards, type Pin } from "./money-guards.ts";
import { recordAudit } from "../database/audit.ts";
import {
  flagOf,
  optionalCentsOf,
  optionalInstantOf,
  storedFlag,
  storedOptionalInstant,
} from "../database/columns.ts";
import type { MoneyGuardTable } from "../withdrawals/money-tables.store.ts";
import { enqueueDeliveries, enqueueDelivery } from "../delivery/outbox-enqueue.store.ts";
import { lockName, rowLock } from "../database/queries.ts";
import type { Database } from "../schema.ts";
import type { NewDelivery } from "../delivery/delivery.ts";

export type GuardChange =
  | "money_locked"
  | "money_unlock_asked"
  | "pin_set"
  | "pin_removed"
  | "pin_kept"
  | "daily_cap_set"
  | "new_key_wait_set";

/** Lock-out rule for wrong PINs. */
export interface PinRule {
  /** Number of tries before a lock. */
  readonly tries: number;
  /** Length of the first, second, … lock in a row; further locks use the last value. */
  readonly waitsMs: readonly number[];
}

/** Result of reserving a try. `look` with `lockedUntil`: the last try, which locks unless the PIN is right. */
export type PinTry =
  | { readonly kind: "no_pin" }
  | { readonly kind: "locked"; readonly lockedUntil: Temporal.Instant }
  | {
      readonly kind: "look";
      readonly triesLeft: number;
      readonly lockedUntil: Temporal.Instant | undefined;
    };

export const guardsStore = (db: Database) => ({
  find: async (ownerId: string): Promise<MoneyGuards | undefined> => {
    const row = await rowOf(db, ownerId);
    return row && guardsOf(row);
  },
  save: saveGuards(db),
  reservePinTry: reserveTry(db),
  /** After a right PIN: resets the tries and the number of locks in a row. */
  clearPinTries: async (ownerId: string): Promise<void> => {
    await db.updateTable("money_guard").set(NO_TRIES).where("owner_id", "=", ownerId).execute();
  },
});

type GuardRow = Selectable<MoneyGuardTable>;

/**
 * Columns that an owner's settings fill. The count of wrong tries is separate: saving a setting must not give a try
 * back.
 */
type SetColumns = Omit<GuardRow, keyof TryColumns>;

type TryColumns = Pick<GuardRow, "pin_wrong_tries" | "pin_locked_until" | "pin_locks">;

const pinOf = (row: GuardRow): Pin | undefined =>
  row.pin_hash === null || row.pin_salt === null
    ? undefined
    : {
        hash: row.pin_hash,
        salt: row.pin_salt,
        wrongTries: row.pin_wrong_tries,
        lockedUntil: optionalInstantOf(row.pin_locked_until),
        endsAt: optionalInstantOf(row.pin_ends_at),
      };

const guardsOf = (row: GuardRow): MoneyGuards => {
  const from = optionalInstantOf(row.pending_cap_from);
  return {
    ownerId: row.owner_id,
    lockedAt: optionalInstantOf(row.locked_at),
    unlockAt: optionalInstantOf(row.unlock_at),
    pin: pinOf(row),
    dailyCap: optionalCentsOf(row.daily_cap_cents),
    pendingCap: from && { cap: optionalCentsOf(row.pending_cap_cents), from },
    newKeyWait: flagOf(row.new_key_wait),
    newKeyWaitEndsAt: optionalInstantOf(row.new_key_wait_ends_at),
  };
};

const columnsOf = (guards: MoneyGuards): SetColumns => ({
  owner_id: guards.ownerId,
  locked_at: storedOptionalInstant(guards.lockedAt),
  unlock_at: storedOptionalInstant(guards.unlockAt),
  pin_hash: guards.pin?.hash ?? null,
  pin_salt: guards.pin?.salt ?? null,
  pin_ends_at: storedOptionalInstant(guards.pin?.endsAt),
  daily_cap_cents: guards.dailyCap ?? null,
  pending_cap_cents: guards.pendingCap?.cap ?? null,
  pending_cap_from: storedOptionalInstant(guards.pendingCap?.from),
  new_key_wait: storedFlag(guards.newKeyWait),
  new_key_wait_ends_at: storedOptionalInstant(guards.newKeyWaitEndsAt),
});

const isUnchanged = (row: GuardRow, guards: MoneyGuards): boolean =>
  Object.entries(columnsOf(guards)).every(
    ([column, value]) => row[column as keyof SetColumns] === value,
  );

const rowOf = (db: Database, ownerId: string) =>
  db.selectFrom("money_guard").selectAll().where("owner_id", "=", ownerId).executeTakeFirst();

/** Counts of a PIN before its first wrong try. */
const NO_TRIES: TryColumns = { pin_wrong_tries: 0, pin_locked_until: null, pin_locks: 0 };

/** Forgets the owner's keys that were only typed: the next time is their first again. */
const forgetUnusedPixKeys = async (db: Database, ownerId: string): Promise<void> => {
  await db
    .deleteFrom("pix_key")
    .where("owner_id", "=", ownerId)
    .where("last_used_at", "is", null)
    .where("key_kid", "is", null)
    .execute();
};

/**
 * Replaces the guards and adds the audit event and the notices in one transaction. False: the guards changed since
 * `find` returned `before`, so read again. Tries of an unchanged PIN stay out of comparison and update. Where the wait
 * of new keys begins, keys that were only typed before are new again.
 */
const saveGuards =
  (db: Database) =>
  (
    before: MoneyGuards | undefined,
    after: MoneyGuards,
    change: GuardChange,
    at: Temporal.Instant,
    notices: readonly NewDelivery[],
  ): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const { ownerId } = after;
      await lockName(trx, `money_guard|${ownerId}`);
      const row = await rowOf(trx, ownerId);
      if (
        before === undefined ? row !== undefined : row === undefined || !isUnchanged(row, before)
      ) {
        return false;
      }
      const samePin = row?.pin_hash === after.pin?.hash;
      const set = { ...columnsOf(after), ...(!samePin && NO_TRIES) };
      await trx
        .insertInto("money_guard")
        .values({ ...NO_TRIES, ...set })
        .onConflict((conflict) => conflict.column("owner_id").doUpdateSet(set))
        .execute();
      const waits = (guards: MoneyGuards | undefined): boolean =>
        guardsInForce(guards, ownerId, at).newKeyWait;
      if (waits(after) && !waits(before)) await forgetUnusedPixKeys(trx, ownerId);
      await recordAudit(trx, { at, actor: ownerId, action: change, subject: ownerId });
      await enqueueDeliveries(trx, notices, at);
      return true;
    });

/**
 * Counts a try before the PIN is checked, so that parallel clicks cannot exceed the rule. The last try locks and
 * enqueues `noticeOf` in the same transaction. The row is locked, so that each try sees the tries before it.
 */
const reserveTry =
  (db: Database) =>
  (
    ownerId: string,
    { tries: most, waitsMs }: PinRule,
    at: Temporal.Instant,
    noticeOf: (lockedUntil: Temporal.Instant) => NewDelivery,
  ): Promise<PinTry> =>
    db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom("money_guard")
        .selectAll()
        .where("owner_id", "=", ownerId)
        .modifyEnd(rowLock(trx, "for update"))
        .executeTakeFirst();
      if (row === undefined || row.pin_hash === null) return { kind: "no_pin" };
      const lockedUntil = optionalInstantOf(row.pin_locked_until);
      if (lockedUntil !== undefined && Temporal.Instant.compare(at, lockedUntil) < 0) {
        return { kind: "locked", lockedUntil };
      }
      // An expired lock restarts the count.
      const tries = (lockedUntil === undefined ? row.pin_wrong_tries : 0) + 1;
      const locks = tries >= most;
      const waitMs = waitsMs[row.pin_locks] ?? waitsMs.at(-1) ?? 0;
      const until = locks ? at.add({ milliseconds: waitMs }) : undefined;
      await trx
        .updateTable("money_guard")
        .set({
          pin_wrong_tries: tries,
          pin_locked_until: storedOptionalInstant(until),
          pin_locks: row.pin_locks + (locks ? 1 : 0),
        })
        .where("owner_id", "=", ownerId)
        .execute();
      if (until !== undefined) await enqueueDelivery(trx, noticeOf(until), at);
      return { kind: "look", triesLeft: most - tries, lockedUntil: until };
    });
