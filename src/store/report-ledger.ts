import { sql } from "kysely";
import type { NewDelivery } from "../domain/delivery.ts";
import type { DeliveryHour, ReportSubscription } from "../domain/report-schedule.ts";
import { compilePerDatabase, rowLock } from "./queries.ts";
import { instantOf, storedDay, storedTime } from "./columns.ts";
import { enqueueDelivery, targetIdOf } from "./outbox-enqueue.ts";
import type { Database } from "./schema.ts";
import { createGroupCommit } from "./group-commit.ts";

export interface ReportLedger {
  /** The different hours of delivery of all working routes: few, however many sellers there are. */
  readonly hours: () => Promise<DeliveryHour[]>;
  /**
   * Sellers who agreed and are not paused, in guilds with a working route, who lack that day or an earlier one. With
   * `hours`, who lacks nothing but that day is there only with an hour among them.
   */
  readonly owing: (
    latestClosedDay: Temporal.PlainDate,
    hours?: readonly DeliveryHour[],
  ) => Promise<ReportSubscription[]>;
  /**
   * Hands a day's report to the outbox and marks the day, both or neither. No delivery: an empty day that the guild
   * skips. False, with nothing done, when the account, its consent or the route has gone in the meantime, or the
   * channel changed.
   */
  readonly record: (
    accountId: string,
    day: Temporal.PlainDate,
    delivery: NewDelivery | undefined,
    at: Temporal.Instant,
  ) => Promise<boolean>;
}

/** A route's hour of delivery as one of `hourTexts`. */
export const routeHour = sql<string>`report_route.time || ' ' || report_route.time_zone`;

/** Never empty, as the right side of an `in`. */
export const hourTexts = (hours: readonly DeliveryHour[]): readonly string[] =>
  hours.length === 0 ? [""] : hours.map(({ time, timeZone }) => `${storedTime(time)} ${timeZone}`);

const owingRows = (
  db: Database,
  latestClosedDay: Temporal.PlainDate,
  hours: readonly DeliveryHour[] | undefined,
) =>
  db
    .selectFrom("account")
    .innerJoin("report_route", "report_route.guild_id", "account.guild_id")
    .leftJoin("report_progress", "report_progress.account_id", "account.id")
    .select([
      "account.id",
      "account.guild_id",
      "account.owner_id",
      "account.report_consent_at",
      "report_route.channel_id",
      "report_route.time",
      "report_route.time_zone",
      "report_route.locale",
      "report_route.empty_choice",
      "report_route.active_since",
      "report_progress.last_day",
    ])
    .where("account.report_consent", "=", 1)
    .where("account.paused_at", "is", null)
    .where("report_route.active", "=", 1)
    .where("report_route.suspended_at", "is", null)
    .where((eb) =>
      eb.or([
        eb("report_progress.last_day", "is", null),
        eb("report_progress.last_day", "<", storedDay(latestClosedDay)),
      ]),
    )
    .$if(hours !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb("report_progress.last_day", "is", null),
          eb("report_progress.last_day", "<", storedDay(latestClosedDay.subtract({ days: 1 }))),
          eb(routeHour, "in", hourTexts(hours ?? [])),
        ]),
      ),
    )
    .execute();

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
    .values({ account_id: "", last_day: "" })
    .onConflict((conflict) =>
      conflict
        .column("account_id")
        .doUpdateSet((eb) => ({ last_day: eb.ref("excluded.last_day") }))
        .whereRef("report_progress.last_day", "<", "excluded.last_day"),
    ),
);

const recordReport = async (
  trx: Database,
  ...[accountId, day, delivery, at]: Parameters<ReportLedger["record"]>
): Promise<boolean> => {
  const [wanted] = await channelsOf(trx, accountId);
  if (wanted === undefined) return false;
  if (delivery !== undefined) {
    if (targetIdOf(delivery.target) !== wanted.channel_id) return false;
    await enqueueDelivery(trx, delivery, at);
  }
  await markDay(trx, accountId, storedDay(day));
  return true;
};

/** Which days were reported for whom. */
export const reportLedger = (db: Database, groupCommit = createGroupCommit(db)): ReportLedger => ({
  hours: async () => {
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
  },
  owing: async (latestClosedDay, hours) => {
    const rows = await owingRows(db, latestClosedDay, hours);
    // Sorted here: in the order of ids SQLite would read the accounts one by one, those without a report too.
    rows.sort((one, other) => (one.id < other.id ? -1 : 1));
    return rows.map((row) => ({
      accountId: row.id,
      guildId: row.guild_id,
      ownerId: row.owner_id,
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
      lastDay: row.last_day === null ? undefined : Temporal.PlainDate.from(row.last_day),
    }));
  },
  record: (...report) => groupCommit((trx) => recordReport(trx, ...report)),
});
