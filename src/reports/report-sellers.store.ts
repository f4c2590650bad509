import { setImmediate } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { Account } from "../accounts/account.ts";
import { accountOf, hasOthers, isEntitled } from "../accounts/account-connections.store.ts";
import {
  calendarDayOf,
  flagOf,
  instantOf,
  isOwnersPresence,
  optionalInstantOf,
  storedDay,
  storedTime,
  type StoredTime,
} from "../database/columns.ts";
import { compilePerDatabase, idRanges, inList } from "../database/queries.ts";
import { reportKinds } from "../delivery/delivery-policies.ts";
import type { Database } from "../schema.ts";
import { DEFAULT_HOUR, type DeliveryHour, type ReportSubscription } from "./report-schedule.ts";

/** A seller with all that a daily report needs to know. */
export interface ReportSeller extends ReportSubscription {
  readonly accountFp: string;
  readonly keyLast4: string;
  /** Whether the owner has other wallet accounts too; read of who has direct reports. */
  readonly hasOthers: boolean;
  /** The service refuses the key. */
  readonly isPaused: boolean;
  /** False while another owner's key alone is accepted: the kept days are not this seller's to show. */
  readonly isEntitled: boolean;
  /** Oldest day since which a report told this seller of each one, as far as is known. */
  readonly firstDay: Temporal.PlainDate | undefined;
  /** Newest day of which the guild has its report. */
  readonly postedDay: Temporal.PlainDate | undefined;
}

/** Who has daily reports, at which hours, and who lacks one. */
export const reportSellers = (db: Database) => ({
  /** The distinct hours of delivery of working routes and of direct reports: few, even with many sellers. */
  hours: () => deliveryHours(db),
  /**
   * Unpaused sellers with consent, in guilds with a working route, or with a direct report, who lack that day or an
   * earlier one. With `hours`, sellers who lack only that day are included only if their hour is listed. A few whole
   * stores at a time.
   */
  owing: async function* (
    latestClosedDay: Temporal.PlainDate,
    hours?: readonly DeliveryHour[],
  ): AsyncGenerator<readonly ReportSeller[]> {
    const atHours = JSON.stringify(hourTexts(hours ?? (await deliveryHours(db))));
    const dayBefore = storedDay(latestClosedDay.subtract({ days: 1 }));
    const lacking = [dayBefore, atHours, storedDay(latestClosedDay)] as const;
    for (let after: string | undefined = ""; after !== undefined; await setImmediate()) {
      const routes: readonly { guild_id: string }[] = await workingGuilds(db, after);
      const guilds = routes.map((route) => route.guild_id);
      const rows = await owingInChannels(db, JSON.stringify(guilds), ...lacking);
      if (rows.length > 0) yield sellersOfRows(rows);
      after = guilds.length < GUILDS_AT_ONCE ? undefined : guilds.at(-1);
    }
    for await (const { after, last } of accountRanges(db)) {
      const rows = await owingDirectly(db, after, last, ...lacking);
      if (rows.length > 0) yield sellersOfRows(rows);
    }
  },
  /** All sellers of the store, paused ones too; none of a guild without a working route. */
  sellersOf: async (subscriberId: string): Promise<readonly ReportSeller[]> => {
    const inChannel = await sellersOfGuild(db, subscriberId);
    return sellersOfRows([...inChannel, ...(await directSellersOf(db, subscriberId))]);
  },
  /** Guilds with a working route at one of these hours. */
  guildsAt: async (hours: readonly DeliveryHour[]): Promise<readonly string[]> => {
    const rows = await db
      .selectFrom("report_route")
      .select("guild_id")
      .where("active", "=", 1)
      .where(mayPost)
      .where(routeHour, "in", hourTexts(hours))
      // One order for all processes, each of which begins at its own place.
      .orderBy("guild_id")
      .execute();
    return rows.map((row) => row.guild_id);
  },
  /**
   * Sellers in the guild's reports, paused ones too, and those who left, whose alerts and notices wait for their return,
   * with no presence check since `since`, by account id above `after`.
   */
  unheard: async (
    guildId: string,
    since: Temporal.PlainDate,
    after: string,
    limit: number,
  ): Promise<readonly Account[]> => {
    const rows = await db
      .selectFrom("account")
      .leftJoin("presence", (join) => join.on(isOwnersPresence))
      .selectAll("account")
      .where("account.guild_id", "=", guildId)
      .where((eb) =>
        eb.or([eb("account.report_consent", "=", 1), eb("presence.left_at", "is not", null)]),
      )
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
});

export const accountRanges = idRanges("account", "id");

/**
 * A lost channel is tried again by the posts that wait for it. Once no post does, because its seller took it back or it was
 * too old, the next one that is due is written and tries it.
 */
export const mayPost = sql<boolean>`(report_route.suspended_at is null or not exists (select 1 from outbox
  where outbox.line = 'channel:' || report_route.channel_id and outbox.settled_at is null
    and outbox.kind in (${sql.join(reportKinds.map((kind) => sql.lit(kind)))})))`;

export const deliveryHours = async (db: Database): Promise<DeliveryHour[]> => {
  const rows = await db
    .selectFrom("report_route")
    .select(["time", "time_zone"])
    .distinct()
    .where("active", "=", 1)
    .where(mayPost)
    .execute();
  for await (const { after, last } of accountRanges(db))
    rows.push(...(await directHours(db, after, last)));
  const hours = rows.map((row) => ({
    time: Temporal.PlainTime.from(row.time),
    timeZone: row.time_zone,
  }));
  return [...new Map(hours.map((hour) => [hourText(hour), hour])).values()];
};

/** The seller's own, or the route's. Also without a route, or while it is off: a direct report needs no channel. */
const directTime = sql<StoredTime>`coalesce(account.report_time, report_route.time,
  ${sql.lit(storedTime(DEFAULT_HOUR.time))})`;
const directZone = sql<string>`coalesce(report_route.time_zone, ${sql.lit(DEFAULT_HOUR.timeZone)})`;

/** Hours of all connections with direct reports. Parameters: those of a range of accounts. */
const directHours = compilePerDatabase((db) =>
  db
    .selectFrom("account")
    .leftJoin("report_route", "report_route.guild_id", "account.guild_id")
    .select([directTime.as("time"), directZone.as("time_zone")])
    .distinct()
    .where("account.report_direct", "=", sql.lit(1))
    .where("account.id", ">", "")
    .where("account.id", "<=", ""),
);

/** A route's hour of delivery, as `hourTexts` writes it. */
export const routeHour = sql<string>`report_route.time || ' ' || report_route.time_zone`;

const hourText = ({ time, timeZone }: DeliveryHour): string => `${storedTime(time)} ${timeZone}`;

/** The same of a direct report. */
export const directHour = sql<string>`${directTime} || ' ' || ${directZone}`;

/** Never empty, because it is the right side of an `in`. */
export const hourTexts = (hours: readonly DeliveryHour[]): readonly string[] =>
  hours.length === 0 ? [""] : hours.map(hourText);

const sellerColumns = [
  "account.id",
  "account.guild_id",
  "account.owner_id",
  "account.account_fp",
  "account.watch_id",
  "account.key_last4",
  "account.paused_at",
  "account.report_direct",
  "account.report_time",
  "account.report_consent_at",
  "account.connected_at",
  "account.locale as owner_locale",
  "report_route.channel_id",
  "report_route.time",
  "report_route.time_zone",
  "report_route.locale",
  "report_route.empty_choice",
  "report_route.active_since",
  "report_route.posted_day",
  "report_progress.first_day",
  "report_progress.last_day",
  "report_progress.corrections_told",
] as const;

const sellers = (db: Database) =>
  db
    .selectFrom("account")
    .leftJoin("report_route", "report_route.guild_id", "account.guild_id")
    .leftJoin("report_progress", "report_progress.account_id", "account.id")
    .select(sellerColumns)
    .select(sql<number>`case when ${isEntitled} then 1 else 0 end`.as("is_entitled"))
    .select(
      sql<number>`case when account.report_direct = 1 and ${hasOthers} then 1 else 0 end`.as(
        "has_others",
      ),
    );

const channelSellers = (db: Database) =>
  sellers(db)
    .where("account.report_consent", "=", sql.lit(1))
    .where("report_route.active", "=", sql.lit(1))
    .where(mayPost);

/** Working keys before refused ones, then who chose first. */
const directRank = (account: string) =>
  sql.raw(`(case when ${account}.paused_at is null then 0 else 1 end,
    coalesce(${account}.report_consent_at, ''), ${account}.id)`);

/** One connection for each owner and wallet account, so that one message comes however many servers the key is in. */
export const directSellers = (db: Database) =>
  sellers(db)
    .where("account.report_direct", "=", sql.lit(1))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("account as other")
            .select("other.id")
            .whereRef("other.watch_id", "=", "account.watch_id")
            .where("other.report_direct", "=", sql.lit(1))
            .where(sql<boolean>`${directRank("other")} < ${directRank("account")}`),
        ),
      ),
    );

type SellerRow = Awaited<ReturnType<ReturnType<typeof sellers>["execute"]>>[number];

/** Guilds that are read before the event loop gets a turn. */
const GUILDS_AT_ONCE = 8;

const workingGuilds = compilePerDatabase((db) =>
  db
    .selectFrom("report_route")
    .select("guild_id")
    .where("active", "=", sql.lit(1))
    .where(mayPost)
    .where("guild_id", ">", "")
    .orderBy("guild_id")
    .limit(sql.lit(GUILDS_AT_ONCE)),
);

/** Parameters: the day before the latest closed one, the hours as JSON, the latest closed day. */
const lacks = (db: Database, hour: RawBuilder<string>): RawBuilder<boolean> => {
  const lastDay = sql`coalesce(report_progress.last_day, '')`;
  return sql<boolean>`account.paused_at is null
    and (${lastDay} < ${""} or (${hour} in ${inList(db, [])} and ${lastDay} < ${""}))`;
};

/** Parameters: the guilds as JSON, and those of `lacks`. */
const owingInChannels = compilePerDatabase((db) =>
  channelSellers(db).where("account.guild_id", "in", inList(db, [])).where(lacks(db, routeHour)),
);

/** Parameters: those of a range of accounts, and of `lacks`. */
const owingDirectly = compilePerDatabase((db) =>
  directSellers(db)
    .where("account.id", ">", "")
    .where("account.id", "<=", "")
    .where(lacks(db, directHour)),
);

const sellersOfGuild = compilePerDatabase((db) =>
  channelSellers(db).where("account.guild_id", "=", ""),
);
const directSellersOf = compilePerDatabase((db) =>
  directSellers(db).where("account.watch_id", "=", ""),
);

const optionalDay = (day: string | null): Temporal.PlainDate | undefined =>
  day === null ? undefined : calendarDayOf(day);

const timeOf = (stored: StoredTime | null): Temporal.PlainTime =>
  stored === null ? DEFAULT_HOUR.time : Temporal.PlainTime.from(stored);

const directOf = (row: SellerRow) =>
  ({
    subscriberId: row.watch_id,
    target: { kind: "person", userId: row.owner_id },
    time: timeOf(row.report_time ?? row.time),
    locale: row.owner_locale ?? row.locale ?? "pt-BR",
    // The server's choice is about its channel; a message that fails to come would look like a lost one.
    emptyChoice: "line",
    since: instantOf(row.report_consent_at ?? row.connected_at),
    postedDay: undefined,
  }) as const;

const inChannelOf = (row: SellerRow) => {
  const starts = [row.report_consent_at, row.active_since].filter((each) => each !== null);
  return {
    subscriberId: row.guild_id,
    target: { kind: "channel", channelId: row.channel_id ?? "" },
    time: timeOf(row.time),
    locale: row.locale ?? "pt-BR",
    emptyChoice: row.empty_choice ?? "line",
    since: instantOf(starts.toSorted().at(-1) ?? row.connected_at),
    postedDay: optionalDay(row.posted_day),
  } as const;
};

/** Sorted here: ordered by id, SQLite would scan all accounts, including those without a report. */
export const sellersOfRows = (rows: readonly SellerRow[]): ReportSeller[] =>
  rows
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((row) => ({
      accountId: row.id,
      guildId: row.guild_id,
      ownerId: row.owner_id,
      accountFp: row.account_fp,
      keyLast4: row.key_last4,
      hasOthers: row.has_others === 1,
      isPaused: row.paused_at !== null,
      isEntitled: row.is_entitled === 1,
      timeZone: row.time_zone ?? DEFAULT_HOUR.timeZone,
      firstDay: optionalDay(row.first_day),
      lastDay: optionalDay(row.last_day),
      correctionsTold: optionalInstantOf(row.corrections_told),
      ...(flagOf(row.report_direct) ? directOf(row) : inChannelOf(row)),
    }));
