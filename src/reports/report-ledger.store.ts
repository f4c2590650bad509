import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { Account } from "../accounts/account.ts";
import type { NewDelivery } from "../delivery/delivery.ts";
import type { DeliveryHour, ReportSubscription } from "./report-schedule.ts";
import { accountOf } from "../accounts/account-connections.store.ts";
import { compilePerDatabase, inList, jsonRows, rowLock } from "../database/queries.ts";
import {
  instantOf,
  optionalInstantOf,
  storedDay,
  storedOptionalInstant,
  storedTime,
} from "../database/columns.ts";
import { enqueueDelivery, targetIdOf } from "../delivery/outbox-enqueue.store.ts";
import type { Database } from "../schema.ts";
import { createGroupCommit } from "../database/group-commit.ts";

export interface ReportLedger {
  /** The distinct hours of delivery of all working routes: few, even with many sellers. */
  readonly hours: () => Promise<DeliveryHour[]>;
  /**
   * Unpaused sellers with consent, in guilds with a working route, who lack that day or an earlier one. With `hours`,
   * sellers who lack only that day are included only if their route's hour is listed. A few whole guilds at a time.
   */
  readonly owing: (
    latestClosedDay: Temporal.PlainDate,
    hours?: readonly DeliveryHour[],
  ) => AsyncIterable<readonly ReportSeller[]>;
  /** All sellers of the guild with consent, paused ones too; none without a working route. */
  readonly sellersOf: (guildId: string) => Promise<readonly ReportSeller[]>;
  /** Guilds with a working route at one of these hours. */
  readonly guildsAt: (hours: readonly DeliveryHour[]) => Promise<readonly string[]>;
  /** Sellers with reports at these hours and no presence check since `since`, by account id above `after`. */
  readonly unheard: (
    hours: readonly DeliveryHour[],
    since: Temporal.PlainDate,
    after: string,
    limit: number,
  ) => Promise<readonly Account[]>;
  /**
   * Enqueues a day's report and marks the day, in one transaction. An undefined delivery marks an empty day that the
   * guild skips. False, without a change, when the account, its consent or the route is gone, or the channel has
   * changed. `correctionsTold` marks the corrections that the report tells.
   */
  readonly record: (
    accountId: string,
    day: Temporal.PlainDate,
    delivery: NewDelivery | undefined,
    at: Temporal.Instant,
    correctionsTold?: Temporal.Instant,
  ) => Promise<boolean>;
  /**
   * Enqueues a store's report, and marks its day for the guild and for each seller in it, in one transaction. False,
   * without a change, when the guild has that day already, when one of the sellers or the route is gone, or when the
   * channel has changed.
   */
  readonly recordStore: (
    guildId: string,
    day: Temporal.PlainDate,
    told: readonly ToldSeller[],
    delivery: NewDelivery | undefined,
    at: Temporal.Instant,
  ) => Promise<boolean>;
}

/** A seller with all that a store's report needs to know. */
export interface ReportSeller extends ReportSubscription {
  readonly accountFp: string;
  /** The service refuses the key. */
  readonly isPaused: boolean;
  /** Newest day of which the guild has its report. */
  readonly postedDay: Temporal.PlainDate | undefined;
}

export interface ToldSeller {
  readonly accountId: string;
  /** When the newest correction was noticed that the report tells. */
  readonly correctionsTold: Temporal.Instant | undefined;
}

export const reportLedger = (db: Database, groupCommit = createGroupCommit(db)): ReportLedger => ({
  hours: () => deliveryHours(db),
  owing: async function* (latestClosedDay, hours) {
    const [day, dayBefore] = [latestClosedDay, latestClosedDay.subtract({ days: 1 })];
    const atHours = JSON.stringify(hourTexts(hours ?? (await deliveryHours(db))));
    for (let after: string | undefined = ""; after !== undefined; await setImmediate()) {
      const routes: readonly { guild_id: string }[] = await workingGuilds(db, after);
      const guilds = routes.map((route) => route.guild_id);
      const page = JSON.stringify(guilds);
      const rows = await owingSellers(db, page, storedDay(dayBefore), atHours, storedDay(day));
      if (rows.length > 0) yield rows.map(sellerOf).sort(byId);
      after = guilds.length < GUILDS_AT_ONCE ? undefined : guilds.at(-1);
    }
  },
  sellersOf: async (guildId) => {
    const rows = await sellersOfGuild(db, guildId);
    return rows.map(sellerOf).sort(byId);
  },
  guildsAt: async (hours) => {
    const rows = await db
      .selectFrom("report_route")
      .select("guild_id")
      .where("active", "=", 1)
      .where("suspended_at", "is", null)
      .where(routeHour, "in", hourTexts(hours))
      .execute();
    return rows.map((row) => row.guild_id);
  },
  unheard: async (hours, since, after, limit) => {
    const rows = await db
      .selectFrom("account")
      .innerJoin("report_route", "report_route.guild_id", "account.guild_id")
      .leftJoin("presence", (join) =>
        join
          .onRef("presence.guild_id", "=", "account.guild_id")
          .onRef("presence.owner_id", "=", "account.owner_id"),
      )
      .selectAll("account")
      .where("account.report_consent", "=", 1)
      .where("account.paused_at", "is", null)
      .where("report_route.active", "=", 1)
      .where("report_route.suspended_at", "is", null)
      .where(routeHour, "in", hourTexts(hours))
      .where((eb) =>
        eb.or([
          eb("presence.asked_on", "is", null),
          eb("presence.asked_on", "<", storedDay(since)),
        ]),
      )
      .where("account.id", ">", after)
      .orderBy("account.id")
      .limit(limit)
      .execute();
    return rows.map(accountOf);
  },
  record: (...report) => groupCommit((trx) => recordReport(trx, ...report)),
  recordStore: (...report) => groupCommit((trx) => recordStoreReport(trx, ...report)),
});

const deliveryHours = async (db: Database): Promise<DeliveryHour[]> => {
  const rows = await db
    .selectFrom("report_route")
    .select(["time", "time_zone"])
    .distinct()
    .where("active", "=", 1)
    .where("suspended_at", "is", null)
    .execute();
  return rows.map((row) => ({
    time: Temporal.PlainTime.from(row.time),
    timeZone: row.time_zone,
  }));
};

/** A route's hour of delivery, as `hourTexts` writes it. */
const routeHour = sql<string>`report_route.time || ' ' || report_route.time_zone`;

/** Never empty, because it is the right side of an `in`. */
const hourTexts = (hours: readonly DeliveryHour[]): readonly string[] =>
  hours.length === 0 ? [""] : hours.map(({ time, timeZone }) => `${storedTime(time)} ${timeZone}`);

const reportSellers = (db: Database) =>
  db
    .selectFrom("account")
    .innerJoin("report_route", "report_route.guild_id", "account.guild_id")
    .leftJoin("report_progress", "report_progress.account_id", "account.id")
    .select([
      "account.id",
      "account.guild_id",
      "account.owner_id",
      "account.account_fp",
      "account.paused_at",
      "account.report_consent_at",
      "report_route.channel_id",
      "report_route.time",
      "report_route.time_zone",
      "report_route.locale",
      "report_route.empty_choice",
      "report_route.active_since",
      "report_route.posted_day",
      "report_progress.last_day",
      "report_progress.corrections_told",
    ])
    .where("account.report_consent", "=", sql.lit(1))
    .where("report_route.active", "=", sql.lit(1))
    .where("report_route.suspended_at", "is", null);

type SellerRow = Awaited<ReturnType<ReturnType<typeof reportSellers>["execute"]>>[number];

const optionalDay = (day: string | null): Temporal.PlainDate | undefined =>
  day === null ? undefined : Temporal.PlainDate.from(day);

const sellersOfGuild = compilePerDatabase((db) =>
  reportSellers(db).where("account.guild_id", "=", ""),
);

/** Sorted here: ordered by id, SQLite would scan all accounts, including those without a report. */
const byId = (one: ReportSeller, other: ReportSeller): number =>
  one.accountId < other.accountId ? -1 : 1;

const sellerOf = (row: SellerRow): ReportSeller => ({
  accountId: row.id,
  guildId: row.guild_id,
  ownerId: row.owner_id,
  accountFp: row.account_fp,
  isPaused: row.paused_at !== null,
  channelId: row.channel_id,
  time: Temporal.PlainTime.from(row.time),
  timeZone: row.time_zone,
  locale: row.locale,
  emptyChoice: row.empty_choice,
  since: instantOf(
    row.report_consent_at !== null && row.report_consent_at > row.active_since
      ? row.report_consent_at
      : row.active_since,
  ),
  lastDay: optionalDay(row.last_day),
  correctionsTold: optionalInstantOf(row.corrections_told),
  postedDay: optionalDay(row.posted_day),
});

/** Guilds whose sellers are read before the event loop gets a turn. */
const GUILDS_AT_ONCE = 8;

const workingGuilds = compilePerDatabase((db) =>
  db
    .selectFrom("report_route")
    .select("guild_id")
    .where("active", "=", sql.lit(1))
    .where("suspended_at", "is", null)
    .where("guild_id", ">", "")
    .orderBy("guild_id")
    .limit(sql.lit(GUILDS_AT_ONCE)),
);

/** Parameters: the guilds, the day before the latest closed one, the hours, the latest closed day; lists as JSON. */
const owingSellers = compilePerDatabase((db) =>
  reportSellers(db)
    .where("account.guild_id", "in", inList(db, []))
    .where("account.paused_at", "is", null)
    .where((eb) =>
      eb.or([
        eb("report_progress.last_day", "is", null),
        eb("report_progress.last_day", "<", ""),
        eb.and([eb(routeHour, "in", inList(db, [])), eb("report_progress.last_day", "<", "")]),
      ]),
    ),
);

const channelsOf = compilePerDatabase((db) =>
  db
    .selectFrom("account")
    .innerJoin("report_route", "report_route.guild_id", "account.guild_id")
    .select("report_route.channel_id")
    .where("account.id", "=", "")
    .where("account.report_consent", "=", sql.lit(1))
    .where("report_route.active", "=", sql.lit(1))
    .modifyEnd(rowLock(db, "for share")),
);

const markDay = compilePerDatabase((db) =>
  db
    .insertInto("report_progress")
    .values({ account_id: "", last_day: "", corrections_told: "" })
    .onConflict((conflict) =>
      conflict
        .column("account_id")
        .doUpdateSet((eb) => ({
          last_day: eb.ref("excluded.last_day"),
          corrections_told: eb.fn.coalesce(
            "excluded.corrections_told",
            "report_progress.corrections_told",
          ),
        }))
        .whereRef("report_progress.last_day", "<", "excluded.last_day"),
    ),
);

/** In one statement for the many sellers of a server. */
const markDays = async (
  trx: Database,
  told: readonly ToldSeller[],
  day: Temporal.PlainDate,
): Promise<void> => {
  const rows = told.map(({ accountId, correctionsTold }) => ({
    id: accountId,
    told: storedOptionalInstant(correctionsTold),
  }));
  // SQLite's upsert from a select needs a where, or it takes the `on` for a join's.
  await sql`
    insert into report_progress (account_id, last_day, corrections_told)
    select value ->> 'id', ${storedDay(day)}, value ->> 'told'
    from ${jsonRows(trx, rows)} where true
    on conflict (account_id) do update set last_day = excluded.last_day,
      corrections_told = coalesce(excluded.corrections_told, report_progress.corrections_told)
    where report_progress.last_day < excluded.last_day
  `.execute(trx);
};

const recordReport = async (
  trx: Database,
  ...[accountId, day, delivery, at, correctionsTold]: Parameters<ReportLedger["record"]>
): Promise<boolean> => {
  const [wanted] = await channelsOf(trx, accountId);
  if (wanted === undefined) return false;
  if (delivery !== undefined) {
    if (targetIdOf(delivery.target) !== wanted.channel_id) return false;
    await enqueueDelivery(trx, delivery, at);
  }
  await markDay(trx, accountId, storedDay(day), storedOptionalInstant(correctionsTold));
  return true;
};

const recordStoreReport = async (
  trx: Database,
  ...[guildId, day, told, delivery, at]: Parameters<ReportLedger["recordStore"]>
): Promise<boolean> => {
  const route = await trx
    .selectFrom("report_route")
    .select(["channel_id", "posted_day"])
    .where("guild_id", "=", guildId)
    .where("active", "=", 1)
    .modifyEnd(rowLock(trx, "for update"))
    .executeTakeFirst();
  const isPosted =
    route === undefined || (route.posted_day !== null && route.posted_day >= storedDay(day));
  if (isPosted) return false;
  if (delivery !== undefined && targetIdOf(delivery.target) !== route.channel_id) return false;
  const ids = told.map(({ accountId }) => accountId);
  const present = await trx
    .selectFrom("account")
    .select("id")
    .where("id", "in", inList(trx, ids))
    .where("guild_id", "=", guildId)
    .where("report_consent", "=", 1)
    .orderBy("id")
    .modifyEnd(rowLock(trx, "for share"))
    .execute();
  if (present.length < ids.length) return false;
  if (delivery !== undefined) await enqueueDelivery(trx, delivery, at);
  await markDays(trx, told, day);
  await trx
    .updateTable("report_route")
    .set({ posted_day: storedDay(day) })
    .where("guild_id", "=", guildId)
    .execute();
  return true;
};

/**
 * Reads the reported days of a connection that another key replaces. @returns the write that gives them to the new
 * connection, so that it repeats no report
 */
export const carryOverProgress = async (
  trx: Database,
  accountId: string,
): Promise<(newAccountId: string) => Promise<void>> => {
  const progress = await trx
    .selectFrom("report_progress")
    .select("last_day")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return async (newAccountId) => {
    if (progress === undefined) return;
    await trx
      .insertInto("report_progress")
      .values({ ...progress, account_id: newAccountId, corrections_told: null })
      .execute();
  };
};
