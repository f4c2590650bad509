import { type Expression, type SelectQueryBuilder, sql } from "kysely";
import { storedInstant, type StoredInstant } from "../database/columns.ts";
import { lockName } from "../database/queries.ts";
import type { AlertSubject } from "../disputes/dispute-alert.ts";
import type { Database, Schema } from "../schema.ts";
import {
  type Chosen,
  type DeliveryPayload,
  type PostingRoute,
  type RouteOwner,
  type RouteStore,
} from "./delivery.ts";
import { enqueueDeliveries, nonceAt } from "./outbox-enqueue.store.ts";
import { alertKinds, type DeliveryKind, reportKinds } from "./delivery-policies.ts";

type RouteTable = "alert_route" | "report_route" | "sale_route";

interface Owner {
  readonly id: string;
}

/** Those of the guild's present sellers whom `wanting` leaves, and the admin who set the route. */
export const ownersOfRoute = async (
  db: Database,
  table: RouteTable,
  guildId: string,
  wanting: (sellers: SelectQueryBuilder<Schema, "account", Owner>) => Expression<Owner>,
): Promise<readonly RouteOwner[]> => {
  const left = db
    .selectFrom("presence")
    .select("owner_id")
    .where("guild_id", "=", guildId)
    .where("left_at", "is not", null);
  const sellers = db
    .selectFrom("account")
    .select("owner_id as id")
    .where("guild_id", "=", guildId)
    .where("owner_id", "not in", left);
  const owners = db
    .selectFrom(table)
    .select("updated_by as id")
    .where("guild_id", "=", guildId)
    .union(wanting(sellers));
  const rows = await db
    .selectFrom(owners.as("owner"))
    .select("owner.id")
    // An admin may be a seller in another server, and read messages in the language known there.
    .select((eb) =>
      eb
        .selectFrom("account")
        .select("locale")
        .whereRef("owner_id", "=", "owner.id")
        .where("locale", "is not", null)
        .orderBy((by) => by.case().when("guild_id", "=", guildId).then(0).else(1).end())
        .orderBy("connected_at", "desc")
        .limit(1)
        .as("locale"),
    )
    .orderBy("owner.id")
    .execute();
  return rows.map(({ id, locale }) => ({ id, locale: locale ?? undefined }));
};

interface Lost {
  readonly guildId: string;
  readonly channelId: string;
  readonly at: Temporal.Instant;
  /** Whether this call suspended the route. */
  readonly isFirst: boolean;
}

/** In its transaction `lock` comes first, and `follow` after the route. */
export const suspendRoute =
  (
    db: Database,
    table: RouteTable,
    follow?: (trx: Database, lost: Lost) => Promise<void>,
    lock?: (trx: Database) => Promise<void>,
  ): RouteStore<PostingRoute>["suspend"] =>
  (guildId, channelId, at, notices) =>
    db.transaction().execute(async (trx) => {
      await lock?.(trx);
      const { numUpdatedRows } = await trx
        .updateTable(table)
        .set({ suspended_at: storedInstant(at) })
        .where("guild_id", "=", guildId)
        .where("channel_id", "=", channelId)
        .where("suspended_at", "is", null)
        .executeTakeFirst();
      const isFirst = numUpdatedRows === 1n;
      await follow?.(trx, { guildId, channelId, at, isFirst });
      if (isFirst) await enqueueDeliveries(trx, notices, at);
      return isFirst;
    });

/** A saved route's `suspended_at`: the one of before, unless its channel was given or its posts were switched on. */
export const keptSuspension = (
  { channelId, liftsSuspension }: Pick<Chosen<PostingRoute>, "channelId" | "liftsSuspension">,
  before: Pick<Schema[RouteTable], "channel_id" | "suspended_at"> | undefined,
): StoredInstant | null =>
  liftsSuspension === true || before?.channel_id !== channelId ? null : before.suspended_at;

/** A server, one channel of it, or a seller's connection: all, or those for channels alone. */
export type DeliveriesOf =
  | { readonly accountId: string; readonly inChannels?: boolean }
  | { readonly guildId: string; readonly channelId?: string };

export const ownerColumnOf = (of: DeliveriesOf) =>
  "accountId" in of
    ? (["outbox.account_id", of.accountId] as const)
    : (["outbox.guild_id", of.guildId] as const);

/** Removes the pings: a direct message has one reader. */
export const withoutPings = (payload: DeliveryPayload): string =>
  JSON.stringify({ ...payload, pings: undefined });

/**
 * Redirects alerts that wait for a channel to their owners' direct messages, blocked ones at once. An attempted alert
 * moves too and may be read twice: a missed deadline costs more.
 */
export const redirectAlertsToOwners = async (db: Database, of: DeliveriesOf): Promise<void> => {
  const [column, id] = ownerColumnOf(of);
  const channelId = "guildId" in of ? of.channelId : undefined;
  const waiting = await db
    .selectFrom("outbox")
    .innerJoin("account", "account.id", "outbox.account_id")
    .select(["outbox.dedupe_key", "outbox.kind", "outbox.payload", "account.owner_id"])
    .where(column, "=", id)
    .where("outbox.kind", "in", alertKinds)
    .where("outbox.target_kind", "=", "channel")
    .$if(channelId !== undefined, (query) => query.where("outbox.target_id", "=", channelId ?? ""))
    .where("outbox.settled_at", "is", null)
    .orderBy("outbox.dedupe_key")
    .execute();
  for (const { dedupe_key: key, kind, owner_id: ownerId, payload } of waiting) {
    await db
      .updateTable("outbox")
      .set({
        target_kind: "person",
        target_id: ownerId,
        nonce: nonceAt({ dedupeKey: key, kind, target: { kind: "person", userId: ownerId } }),
        payload: withoutPings(JSON.parse(payload) as DeliveryPayload),
      })
      .where("dedupe_key", "=", key)
      .where("settled_at", "is", null)
      .execute();
  }
  // Includes alerts redirected while an attempt at the channel was under way.
  await db
    .updateTable("outbox")
    .set(dueAgain)
    .where(column, "=", id)
    .where("kind", "in", alertKinds)
    .where("target_kind", "=", "person")
    .where("state", "=", "blocked")
    .where("settled_at", "is", null)
    .execute();
};

/** The guild's deliveries of these kinds that certainly were not posted. */
const unattempted = (db: Database, kinds: readonly DeliveryKind[], guildId: string) =>
  db
    .updateTable("outbox")
    .where("guild_id", "=", guildId)
    .where("kind", "in", kinds)
    .where("state", "in", ["due", "blocked"])
    .where("settled_at", "is", null)
    .where("first_attempt_at", "is", null);

/** Redirects the guild's unattempted alerts to the newly chosen channel. */
export const redirectAlerts = async (
  db: Database,
  guildId: string,
  oldChannelId: string,
  channelId: string,
): Promise<void> => {
  await unattempted(db, alertKinds, guildId)
    .set({ ...dueAgain, target_id: channelId })
    .where("target_id", "=", oldChannelId)
    .execute();
};

/**
 * Makes alerts due now that are unattempted or put off: right before its post each waits again for quiet hours that still
 * hold.
 */
const judgedAnew = (db: Database, at: Temporal.Instant) =>
  db
    .updateTable("outbox")
    .set({ not_before: storedInstant(at) })
    .where("kind", "in", alertKinds)
    .where("state", "=", "due")
    .where("settled_at", "is", null)
    .where((eb) => eb.or([eb("first_attempt_at", "is", null), eb("last_error", "=", "put_off")]))
    .where("not_before", ">", storedInstant(at));

/** Judges the guild's alerts by its present quiet hours. */
export const judgeAlertsAnew = async (
  db: Database,
  guildId: string,
  at: Temporal.Instant,
): Promise<void> => {
  await judgedAnew(db, at).where("guild_id", "=", guildId).execute();
};

/** Judges a dispute's first alert by its present deadline. */
export const judgeFirstAlertAnew = async (
  db: Database,
  { watchId, infractionId }: Pick<AlertSubject, "watchId" | "infractionId">,
  at: Temporal.Instant,
): Promise<void> => {
  await judgedAnew(db, at)
    .where("watch_id", "=", watchId)
    .where("infraction_id", "=", infractionId)
    .where("step", "=", "new")
    .execute();
};

/** The deliveries that wait for a lost channel. */
const blockedIn = (db: Database, channelId: string) =>
  db
    .updateTable("outbox")
    .where("line", "=", `channel:${channelId}`)
    .where("state", "=", "blocked")
    .where("settled_at", "is", null);

/** Makes deliveries that wait for a lost channel due now. */
export const unblockChannel = async (db: Database, channelId: string): Promise<void> => {
  await blockedIn(db, channelId).set(dueAgain).execute();
};

/** Moves the guild's unattempted deliveries of these kinds to another channel, with their place in the order. */
export const changeLine = async (
  db: Database,
  kinds: readonly DeliveryKind[],
  guildId: string,
  oldChannelId: string,
  channelId: string,
): Promise<void> => {
  await unattempted(db, kinds, guildId)
    .set({ target_id: channelId, line: `channel:${channelId}` })
    .where("line", "=", `channel:${oldChannelId}`)
    .execute();
};

/** Whether a report of a channel may stand in it, because it was attempted or its attempt is under way. */
const mayStandIn = async (db: Database, channelId: string): Promise<boolean> => {
  const attempted = await db
    .selectFrom("outbox")
    .select("dedupe_key")
    .where("line", "=", `channel:${channelId}`)
    .where("kind", "in", reportKinds)
    .where("first_attempt_at", "is not", null)
    .where("settled_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return attempted !== undefined;
};

/**
 * Changes of a server's waiting reports and closes lock many of them, each in its own order: at once, they could deadlock.
 * Call after the transaction has locked the route or the connection, and before the first delivery.
 */
export const lockReports = (trx: Database, guildId: string): Promise<void> =>
  lockName(trx, `reports|${guildId}`);

/**
 * Redirects the guild's waiting reports to the newly chosen channel and makes them due now. One that may stand in the old
 * channel follows with its next attempt, once a search shows that it is not there; those behind it follow after it, each
 * right before its post.
 */
export const redirectReports = async (
  db: Database,
  guildId: string,
  oldChannelId: string,
  channelId: string,
): Promise<void> => {
  if (oldChannelId !== channelId) {
    if (await mayStandIn(db, oldChannelId)) await blockedIn(db, oldChannelId).set(atOnce).execute();
    else await changeLine(db, reportKinds, guildId, oldChannelId, channelId);
  }
  await unblockChannel(db, channelId);
};

/** Makes a delivery's next attempt due. */
const atOnce = { not_before: sql.ref<StoredInstant>("line_at") };

/** Makes a delivery due again, at its old place in its line. */
const dueAgain = { ...atOnce, state: "due", was_blocked: 0 } as const;
