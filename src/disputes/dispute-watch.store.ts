import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { type NewDelivery } from "../delivery/delivery.ts";
import { alertKinds } from "../delivery/delivery-policies.ts";
import { recordAudit } from "../database/audit.ts";
import { compileOnce, lockName, rowLock } from "../database/queries.ts";
import { storedInstant, storedOptionalInstant } from "../database/columns.ts";
import { awaitingAnswer, disputePolls } from "./dispute-poll.store.ts";
import { changedColumns, newDisputeRow, watchedDisputeOf } from "./dispute-tables.store.ts";
import { enqueueDeliveries } from "../delivery/outbox-enqueue.store.ts";
import { judgeFirstAlertAnew } from "../delivery/outbox-redirect.store.ts";
import { undelivered } from "../delivery/undelivered.store.ts";
import { inSmall, snowflakeMs } from "../shared/ids.ts";
import type { Database } from "../schema.ts";
import { NONE_UNLISTED, type UnlistedPending } from "./dispute-list.ts";
import { type AccountRow, isEntitled, rowsOfWatch } from "../accounts/account-connections.store.ts";
import { lockAccounts } from "../accounts/wallet-accounts.store.ts";
import {
  type AlertStep,
  type AlertSubject,
  type DisputeChange,
  isUndecided,
  type NewWatchedDispute,
  type WatchedDispute,
} from "./dispute-alert.ts";

export type DisputeWatch = ReturnType<typeof disputeWatch>;

/** Watched disputes and their alerts. A change applies only to the version that the caller read. */
export const disputeWatch = (db: Database) => ({
  ...disputePolls(db),
  ...disputeUnlisted(db),
  find: async (watchId: string, infractionId: string): Promise<WatchedDispute | undefined> => {
    const ofAccount = watched(db).where("account_id", "=", watchId);
    // The exact id has an index, and SQLite's `lower` leaves letters outside of ASCII as they are.
    const row =
      (await ofAccount.where("infraction_id", "=", infractionId).executeTakeFirst()) ??
      (await ofAccount
        .where(sql<string>`lower(infraction_id)`, "=", inSmall(infractionId))
        .executeTakeFirst());
    return row && watchedDisputeOf(row);
  },
  /** Includes closed disputes; soonest deadline first. */
  of: ofWatch(db),
  /** Open disputes of the watch without an answer or a decision; soonest deadline first. */
  awaiting: awaitingOf(db),
  /**
   * The same for all watches of entitled owners that want alerts, paused ones included, limited to disputes with a
   * deadline before `dueBefore` or never announced. Those told as overdue by `now` owe no step, and stay for years where the
   * bank never decides them.
   */
  awaitingBefore: async (
    dueBefore: Temporal.Instant,
    now: Temporal.Instant,
  ): Promise<readonly WatchedDispute[]> => {
    const rows = await awaiting(db)
      .where((eb) =>
        eb.or([eb("due_at", ">", storedInstant(now)), eb("done_steps", "not like", '%"overdue"%')]),
      )
      .where((eb) =>
        eb.or([
          eb("due_at", "<", storedInstant(dueBefore)),
          eb("done_steps", "not like", '%"new"%'),
        ]),
      )
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("account")
            .select("id")
            .whereRef("watch_id", "=", "dispute_watch.account_id")
            .where("alerts", "!=", "off")
            .where(isEntitled),
        ),
      )
      .orderBy("due_at")
      .orderBy("infraction_id")
      .execute();
    return rows.map(watchedDisputeOf);
  },
  /**
   * Starts watching a dispute and enqueues its deliveries in one transaction. Undefined, without changes: the dispute
   * was already watched, or the deliveries are not wanted (see `step`).
   */
  keep: (
    dispute: NewWatchedDispute,
    deliveries: readonly NewDelivery[],
    at: Temporal.Instant,
  ): Promise<WatchedDispute | undefined> =>
    db.transaction().execute(async (trx) => {
      const ownerId = await ownerIfWanted(trx, dispute.watchId, deliveries);
      if (ownerId === undefined) return undefined;
      const row = await trx
        .insertInto("dispute_watch")
        .values(newDisputeRow(dispute))
        .onConflict((conflict) => conflict.columns(["account_id", "infraction_id"]).doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await enqueueDeliveries(trx, deliveries, at);
      return watchedDisputeOf(row);
    }),
  /**
   * Changes a dispute whose version is unchanged, and enqueues its deliveries, in one transaction. Undefined, without
   * changes: the dispute changed first, the account is gone, or its alerts no longer go to that target (alerts off;
   * route off, suspended or on another channel). Read again before acting. A new `answeredByOwnerAt` is audited as the
   * owner's statement.
   */
  step: (
    { watchId, infractionId, version }: WatchedDispute,
    change: DisputeChange,
    deliveries: readonly NewDelivery[],
    at: Temporal.Instant,
  ): Promise<WatchedDispute | undefined> =>
    db.transaction().execute(async (trx) => {
      const ownerId = await ownerIfWanted(trx, watchId, deliveries);
      if (ownerId === undefined) return undefined;
      const row = await trx
        .updateTable("dispute_watch")
        .set({ ...changedColumns(change), version: version + 1 })
        .where("account_id", "=", watchId)
        .where("infraction_id", "=", infractionId)
        .where("version", "=", version)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      if (change.dueAt !== undefined) await judgeFirstAlertAnew(trx, { watchId, infractionId }, at);
      await enqueueDeliveries(trx, deliveries, at);
      if (change.answeredByOwnerAt !== undefined) {
        const subject = `${watchId}.${infractionId}`;
        await recordAudit(trx, { at, actor: ownerId, action: "dispute_silenced", subject });
      }
      return watchedDisputeOf(row);
    }),
  /** Whether the alert, by any deadline, is surely still to be posted, such as after quiet hours. */
  isWaiting: async (alert: Omit<AlertSubject, "dueAt">): Promise<boolean> => {
    const rows = await deliveriesOfStep(db, alert).execute();
    return rows.some((row) => row.settled_at === null && row.first_attempt_at === null);
  },
  /** Whether the alert, or its repeat, was posted or may have been, or surely was `before` then, and is not about to be. */
  isPosted: async (alert: AlertSubject, before?: Temporal.Instant): Promise<boolean> => {
    const rows = await deliveriesOfStep(db, alert)
      .where("due_at", "is not distinct from", storedOptionalInstant(alert.dueAt))
      .execute();
    if (rows.some(({ settled_at: settledAt }) => settledAt === null)) return false;
    if (before === undefined)
      return rows.some(({ state }) => state === "sent" || state === "unknown");
    const posted = rows.flatMap(({ message_id: id }) => id ?? []);
    const isEarly = (id: string) => (snowflakeMs(id) ?? Infinity) < before.epochMilliseconds;
    return posted.length > 0 && posted.every(isEarly);
  },
  /** Whether the newest posted alert told this step, and a later one of another answer or end came to be posted too late. */
  isTurnUntold: async ({ watchId, infractionId, step }: AlertSubject): Promise<boolean> => {
    const settled = await db
      .selectFrom("outbox")
      .select(["step", "state"])
      .where("watch_id", "=", watchId)
      .where("infraction_id", "=", infractionId)
      .where("state", "in", ["sent", "unknown", "obsolete"])
      .orderBy("settled_at", "desc")
      .execute();
    const last = settled.findIndex(({ state }) => state !== "obsolete");
    const turns = settled.slice(0, Math.max(last, 0)).map((each) => each.step);
    const isTurn = (other: AlertStep | null) =>
      other !== null && other !== step && !isUndecided(other);
    return settled[last]?.step === step && turns.some(isTurn);
  },
  /**
   * Number of alerts since `since` that did not reach the owner: Discord refused them (for example closed direct
   * messages), or they wait for a lost channel. Alerts with a posted repeat do not count.
   */
  undelivered: undelivered(db, alertKinds),
});

const deliveriesOfStep = (
  db: Database,
  { watchId, infractionId, step }: Omit<AlertSubject, "dueAt">,
) =>
  db
    .selectFrom("outbox")
    .select(["state", "settled_at", "message_id", "first_attempt_at"])
    .where("watch_id", "=", watchId)
    .where("infraction_id", "=", infractionId)
    .where("step", "=", step);

const watched = (db: Database) => db.selectFrom("dispute_watch").selectAll();

const awaiting = (db: Database) => awaitingAnswer(db).selectAll();

/** Sorted here: for a few rows SQLite's own sorting takes six times as long. */
const soonestFirst = (read: readonly WatchedDispute[]): readonly WatchedDispute[] =>
  read.toSorted((one, other) => Temporal.Instant.compare(one.dueAt, other.dueAt));

const awaitingOf = (db: Database) => {
  const rowsOf = compileOnce(db, awaiting(db).where("account_id", "=", ""));
  return async (watchId: string) => soonestFirst((await rowsOf(watchId)).map(watchedDisputeOf));
};

/** Rows read before the event loop gets a turn. */
const ROWS_AT_ONCE = 500;

/** By pages: 20,000 disputes of years, read at once, would block SQLite's thread for a quarter of a second. */
const ofWatch = (db: Database) => {
  const pageOf = compileOnce(
    db,
    watched(db)
      .where("account_id", "=", "")
      .where("infraction_id", ">", "")
      .orderBy("infraction_id")
      .limit(sql.lit(ROWS_AT_ONCE)),
  );
  return async (watchId: string): Promise<readonly WatchedDispute[]> => {
    const read: WatchedDispute[] = [];
    for (let after = ""; ; await setImmediate()) {
      const page = await pageOf(watchId, after);
      read.push(...page.map(watchedDisputeOf));
      const last = page.at(-1);
      if (last === undefined || page.length < ROWS_AT_ONCE) return soonestFirst(read);
      after = last.infraction_id;
    }
  };
};

const finder = (db: Database) => {
  const rowsOf = compileOnce(
    db,
    db
      .selectFrom("dispute_unlisted")
      .select(["pending_count", "told_count"])
      .where("account_id", "=", ""),
  );
  return async (watchId: string): Promise<UnlistedPending> => {
    const [row] = await rowsOf(watchId);
    return row === undefined
      ? NONE_UNLISTED
      : { count: row.pending_count, notified: row.told_count };
  };
};

/** Counts of disputes that the service counts but does not list. */
const disputeUnlisted = (db: Database) => ({
  unlisted: finder(db),
  /**
   * Stores the unlisted disputes after a poll and enqueues the deliveries, in one transaction. False, without changes:
   * the stored value differs from `before`, the account is gone, or the deliveries are not wanted (see `step`).
   */
  saveUnlisted: (
    watchId: string,
    before: UnlistedPending,
    after: UnlistedPending,
    deliveries: readonly NewDelivery[],
    at: Temporal.Instant,
  ): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      // Another process that counted the same rise waits here, even before the row exists.
      await lockName(trx, `dispute_unlisted|${watchId}`);
      const ownerId = await ownerIfWanted(trx, watchId, deliveries);
      const now = await finder(trx)(watchId);
      if (ownerId === undefined || now.count !== before.count || now.notified !== before.notified)
        return false;
      const counts = { pending_count: after.count, told_count: after.notified };
      await trx
        .insertInto("dispute_unlisted")
        .values({ account_id: watchId, ...counts })
        .onConflict((conflict) => conflict.column("account_id").doUpdateSet(counts))
        .execute();
      await enqueueDeliveries(trx, deliveries, at);
      return true;
    }),
});

const isOpenChannel = async (
  db: Database,
  guildId: string,
  channelId: string,
): Promise<boolean> => {
  const route = await db
    .selectFrom("alert_route")
    .select("guild_id")
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("active", "=", 1)
    .where("suspended_at", "is", null)
    .modifyEnd(rowLock(db, "for share"))
    .executeTakeFirst();
  return route !== undefined;
};

type Wanting = Pick<AccountRow, "id" | "alerts" | "guild_id">;

const isWanted = async (
  db: Database,
  { id, alerts, guild_id: guildId }: Wanting,
  { kind, target, accountId }: NewDelivery,
): Promise<boolean> => {
  if (!alertKinds.includes(kind)) return true;
  if (alerts === "off" || accountId !== id) return false;
  if (target.kind === "person") return true;
  return alerts === "channel" && (await isOpenChannel(db, guildId, target.channelId));
};

/**
 * The owner of a watch whose alerts still go where these deliveries go. Undefined when the alert choice or the route
 * has changed, or the last connection was removed. Locks both until the transaction ends.
 */
const ownerIfWanted = async (
  trx: Database,
  watchId: string,
  deliveries: readonly NewDelivery[],
): Promise<string | undefined> => {
  // Locks the watch's connections alone: the query below also reads other rows. `isWanted` locks the deciding route.
  await lockAccounts(trx, (eb) => eb("watch_id", "=", watchId), "for share");
  const [told] = await rowsOfWatch(trx, watchId);
  if (told === undefined) return undefined;
  for (const delivery of deliveries) {
    if (!(await isWanted(trx, told, delivery))) return undefined;
  }
  return told.owner_id;
};
