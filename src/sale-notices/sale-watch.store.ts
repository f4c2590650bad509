import { sql } from "kysely";
import { accountOf } from "../accounts/account-connections.store.ts";
import { type NewDelivery, targetIdOf } from "../delivery/delivery.ts";
import type { DoneLook, SaleWatches } from "./sale-stores.ts";
import type { SaleDestination } from "./sale-notice.ts";
import { LONGEST_PACE_MS } from "./sale-watch.ts";
import { instantOf, optionalInstantOf, storedInstant } from "../database/columns.ts";
import { createGroupCommit } from "../database/group-commit.ts";
import { inList, rowLock } from "../database/queries.ts";
import { latestRestore } from "../database/storage-state.ts";
import { enqueueDeliveries } from "../delivery/outbox-enqueue.store.ts";
import { saleWatchOf, storedState } from "./sale-tables.store.ts";
import { destinationsOf } from "./sale-connections.store.ts";
import type { Database } from "../schema.ts";

export const saleWatches = (db: Database, groupCommit = createGroupCommit(db)): SaleWatches => ({
  claim: claim(db),
  seen: async (accountFp, keys) => {
    if (keys.length === 0) return new Map();
    const rows = await db
      .selectFrom("sale_seen")
      .select(["sale_key", "state", "at"])
      .where("account_fp", "=", accountFp)
      .where("sale_key", "in", inList(db, keys))
      .execute();
    return new Map(rows.map((row) => [row.sale_key, { state: row.state, at: instantOf(row.at) }]));
  },
  toldSince: async (accountFp, at, limit) => {
    const rows = await db
      .selectFrom("sale_seen")
      .select("at")
      .where("account_fp", "=", accountFp)
      .where("at", ">=", storedInstant(at))
      .where("state", "=", "approved")
      .orderBy("at", "desc")
      .limit(limit)
      .execute();
    return rows.map((row) => instantOf(row.at));
  },
  awaitedSince: async (accountFp, at) => {
    const { oldest } = await db
      .selectFrom("sale_seen")
      .select(({ fn }) => fn.min<string | null>("at").as("oldest"))
      .where("account_fp", "=", accountFp)
      .where("at", ">=", storedInstant(at))
      .where("state", "=", "pending")
      .executeTakeFirstOrThrow();
    return optionalInstantOf(oldest);
  },
  record: (done, at) => groupCommit((trx) => record(trx, done, at)),
  putOff: async ({ accountFp, heldUntil }, nextLookAt) => {
    if (heldUntil === undefined) return;
    await db
      .updateTable("sale_watch")
      .set({ next_look_at: storedInstant(nextLookAt), held_until: null })
      .where("account_fp", "=", accountFp)
      .where("held_until", "=", storedInstant(heldUntil))
      .execute();
  },
  release: async () => {
    await db
      .updateTable("sale_watch")
      .set({ held_until: null })
      .where("held_until", "is not", null)
      .execute();
  },
  checkNow: async (accountFp, at) => {
    const { numUpdatedRows } = await db
      .updateTable("sale_watch")
      .set({ next_look_at: storedInstant(at), called_at: storedInstant(at) })
      .where("account_fp", "=", accountFp)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
  nextDueAt: async (now) => {
    const row = await db
      .selectFrom("sale_watch")
      .select("next_look_at")
      .where("next_look_at", ">", storedInstant(now))
      .orderBy("next_look_at")
      .limit(1)
      .executeTakeFirst();
    return row && instantOf(row.next_look_at);
  },
  find: async (accountFp) => {
    const row = await db
      .selectFrom("sale_watch")
      .selectAll()
      .where("account_fp", "=", accountFp)
      .executeTakeFirst();
    return row && saleWatchOf(row);
  },
});

/** Watches with a consenting connection whose key works, that no process holds. */
const claimable = (trx: Database, now: Temporal.Instant) =>
  trx
    .selectFrom("sale_watch")
    .selectAll()
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("account")
          .innerJoin("sale_choice", "sale_choice.account_id", "account.id")
          .select("account.id")
          .whereRef("account.account_fp", "=", "sale_watch.account_fp")
          .where("account.paused_at", "is", null),
      ),
    )
    .where((eb) =>
      eb.or([
        eb("held_until", "is", null),
        eb("held_until", "<=", storedInstant(now)),
        // Held before a clock was set back.
        eb("held_until", ">", storedInstant(now.add({ milliseconds: LONGEST_PACE_MS }))),
      ]),
    );

const lockDue = async (trx: Database, now: Temporal.Instant, limit: number) => {
  const first = (rows: ReturnType<typeof claimable>, most: number) =>
    rows
      .orderBy("next_look_at")
      .orderBy("account_fp")
      .limit(most)
      .modifyEnd(rowLock(trx, "for update skip locked"))
      .execute();
  const due = await first(
    claimable(trx, now).where("next_look_at", "<=", storedInstant(now)),
    limit,
  );
  if (due.length >= limit) return due;
  const beyond = storedInstant(now.add({ milliseconds: LONGEST_PACE_MS }));
  const putOff = claimable(trx, now).where("next_look_at", ">", beyond);
  return [...due, ...(await first(putOff, limit - due.length))];
};

const claim =
  (db: Database): SaleWatches["claim"] =>
  (now, limit, holdMs) =>
    db.transaction().execute(async (trx) => {
      const due = await lockDue(trx, now, limit);
      if (due.length === 0) return [];
      const held = storedInstant(now.add({ milliseconds: holdMs }));
      const fps = due.map((row) => row.account_fp);
      await trx
        .updateTable("sale_watch")
        .set({ held_until: held })
        .where("account_fp", "in", inList(trx, fps))
        .execute();
      const found = await destinationsOf(trx, fps);
      const restoredAt = (await latestRestore(trx))?.noticedAt;
      return due.flatMap((row) => {
        const watch = saleWatchOf({ ...row, held_until: held });
        const { rows = [], destinations = [] } = found.get(row.account_fp) ?? {};
        const reader = rows.find((each) => each.paused_at === null);
        if (reader === undefined) return [];
        const isNews =
          restoredAt !== undefined &&
          watch.lookedAt !== undefined &&
          Temporal.Instant.compare(watch.lookedAt, restoredAt) < 0;
        return [
          {
            watch,
            reader: accountOf(reader),
            destinations,
            restoredAt: isNews ? restoredAt : undefined,
          },
        ];
      });
    });

const isStillWanted = (
  { accountId, target }: NewDelivery,
  destinations: readonly SaleDestination[],
): boolean =>
  destinations.some(
    (each) =>
      each.accountId === accountId &&
      each.target.kind === target.kind &&
      targetIdOf(each.target) === targetIdOf(target),
  );

const saveSeen = async (trx: Database, { claimed, seen, forget }: DoneLook): Promise<void> => {
  const { accountFp } = claimed;
  for (const [key, { state, at }] of seen) {
    const row = { account_fp: accountFp, sale_key: key, state, at: storedInstant(at) };
    await trx
      .insertInto("sale_seen")
      .values(row)
      .onConflict((conflict) => conflict.columns(["account_fp", "sale_key"]).doUpdateSet(row))
      .execute();
  }
  if (forget === undefined) return;
  await trx
    .deleteFrom("sale_seen")
    .where("account_fp", "=", accountFp)
    .where("at", "<", storedInstant(forget.before))
    .where(sql<boolean>`sale_key not in ${inList(trx, forget.except)}`)
    .execute();
};

/** The claim fences it: another process that took the account since then has changed `held_until`. */
const record = async (trx: Database, done: DoneLook, at: Temporal.Instant): Promise<boolean> => {
  const { claimed, after, nextLookAt, deliveries } = done;
  const { accountFp, heldUntil } = claimed;
  const row = await trx
    .selectFrom("sale_watch")
    .selectAll()
    .where("account_fp", "=", accountFp)
    .modifyEnd(rowLock(trx, "for update"))
    .executeTakeFirst();
  if (row === undefined || heldUntil === undefined) return false;
  if (row.held_until !== storedInstant(heldUntil)) return false;
  await saveSeen(trx, done);
  if (deliveries.length > 0) {
    const { destinations = [] } = (await destinationsOf(trx, [accountFp])).get(accountFp) ?? {};
    const wanted = deliveries.filter((each) => isStillWanted(each, destinations));
    await enqueueDeliveries(trx, wanted, at);
  }
  // A call that came during the look makes the account due again.
  const wasWoken = row.next_look_at !== storedInstant(claimed.nextLookAt);
  await trx
    .updateTable("sale_watch")
    .set({
      next_look_at: wasWoken ? row.next_look_at : storedInstant(nextLookAt),
      held_until: null,
      state: storedState(after),
    })
    .where("account_fp", "=", accountFp)
    .execute();
  return true;
};
