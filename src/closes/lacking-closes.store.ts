import { type RawBuilder, sql } from "kysely";
import {
  flagOf,
  instantOf,
  optionalInstantOf,
  storedDay,
  type StoredInstant,
  storedInstant,
} from "../database/columns.ts";
import { idRanges, type IdRange, inList } from "../database/queries.ts";
import { latestClosedDay } from "../reports/report-schedule.ts";
import {
  accountRanges,
  deliveryHours,
  directHour,
  directSellers,
  hourTexts,
  mayPost,
  routeHour,
  sellersOfRows,
} from "../reports/report-sellers.store.ts";
import type { Database } from "../schema.ts";
import { closeOf } from "../shared/report-day.ts";
import type { CloseProgressTable } from "./close-progress.store.ts";
import {
  closeDueAt,
  type CloseKind,
  closeKinds,
  type ClosePeriod,
  type CloseProgress,
  type CloseRoute,
  newestPeriod,
  periodBefore,
} from "./close.ts";

/**
 * Who may lack a close that is due, in pages: servers with a working route first, then sellers with a direct report and
 * a working key.
 */
export const lackingCloses = async function* (
  db: Database,
  now: Temporal.Instant,
): AsyncGenerator<readonly CloseRoute[]> {
  const lacks = await whoLacks(db, now);
  yield* pagesOf(db, lacks, guildRanges(db), lackingRoutes);
  yield* pagesOf(db, lacks, accountRanges(db), lackingSellers);
};

/** Whether the server or account `id`, with reports `since` then at this `hour`, may lack a close that is due. */
type Lacks = (
  id: RawBuilder<string>,
  since: RawBuilder<StoredInstant>,
  hour: RawBuilder<string>,
) => RawBuilder<boolean>;

const whoLacks = async (db: Database, now: Temporal.Instant): Promise<Lacks> => {
  const hours = await deliveryHours(db);
  const newestOfKinds = closeKinds.map((kind) => {
    const newest = newestPeriod(kind, latestClosedDay(now));
    const due = hours.filter(
      (hour) => Temporal.Instant.compare(closeDueAt(newest, hour), now) <= 0,
    );
    return { newest, due: inList(db, hourTexts(due)) };
  });
  return (id, since, hour) => {
    const lacks = ({ kind, to }: ClosePeriod): RawBuilder<boolean> => {
      const over = storedInstant(closeOf(to));
      return sql`(${since} < ${over} and not exists (select 1 from close_progress
        where progress_id = ${id} and kind = ${kind}
          and (active = 0 or last_day >= ${storedDay(to)} or active_since >= ${over})))`;
    };
    // Between the end of a period and the hour of its close, only routes that also lack the period before are read.
    const kinds = newestOfKinds.map(
      ({ newest, due }) =>
        sql`(${lacks(newest)} and (${hour} in ${due} or ${lacks(periodBefore(newest))}))`,
    );
    return sql`(${sql.join(kinds, sql` or `)})`;
  };
};

type Unmarked = Omit<CloseRoute, "progress">;

/** Reads the routes of a range of ids that lack a close. */
type Read = (db: Database, lacks: Lacks, range: IdRange) => Promise<readonly Unmarked[]>;

const pagesOf = async function* (
  db: Database,
  lacks: Lacks,
  ranges: AsyncIterable<IdRange>,
  read: Read,
): AsyncGenerator<readonly CloseRoute[]> {
  for await (const range of ranges) {
    const found = await read(db, lacks, range);
    if (found.length === 0) continue;
    const progress = await progressOf(
      db,
      found.map(({ progressId }) => progressId),
    );
    yield found.map((route) => ({ ...route, progress: progress(route.progressId) }));
  }
};

const guildRanges = idRanges("report_route", "guild_id");

const lackingRoutes: Read = async (db, lacks, { after, last }) => {
  const rows = await db
    .selectFrom("report_route")
    .selectAll()
    .where("active", "=", 1)
    .where(mayPost)
    .where("guild_id", ">", after)
    .where("guild_id", "<=", last)
    .where(lacks(sql.ref("report_route.guild_id"), sql.ref("report_route.active_since"), routeHour))
    .orderBy("guild_id")
    .execute();
  return rows.map((row) => ({
    progressId: row.guild_id,
    guildId: row.guild_id,
    subscriberId: row.guild_id,
    target: { kind: "channel", channelId: row.channel_id },
    time: Temporal.PlainTime.from(row.time),
    timeZone: row.time_zone,
    locale: row.locale,
    emptyChoice: row.empty_choice,
    since: instantOf(row.active_since),
  }));
};

const lackingSellers: Read = async (db, lacks, { after, last }) => {
  const since = sql<StoredInstant>`coalesce(account.report_consent_at, account.connected_at)`;
  const rows = await directSellers(db)
    .where("account.id", ">", after)
    .where("account.id", "<=", last)
    .where("account.paused_at", "is", null)
    .where(lacks(sql.ref("account.id"), since, directHour))
    .execute();
  return sellersOfRows(rows).map(
    ({ accountId, ownerId, accountFp, keyLast4, hasOthers, ...route }) => ({
      ...route,
      progressId: accountId,
      seller: {
        ownerId,
        accountFp,
        keyLast4,
        hasOthers,
        isRefused: false,
        accountIds: [accountId],
      },
    }),
  );
};

/** By the id of a server or an account. */
const progressOf = async (db: Database, ids: readonly string[]) => {
  const rows = await db
    .selectFrom("close_progress")
    .selectAll()
    .where("progress_id", "in", inList(db, ids))
    .execute();
  const byId = Map.groupBy(rows, (row) => row.progress_id);
  const ofKind = (own: readonly CloseProgressTable[], kind: CloseKind): CloseProgress => {
    const row = own.find((each) => each.kind === kind);
    // A kind without a row is on, and settled no period.
    return {
      active: row === undefined || flagOf(row.active),
      since: optionalInstantOf(row?.active_since ?? null),
      lastDay: row?.last_day ? Temporal.PlainDate.from(row.last_day) : undefined,
    };
  };
  return (id: string): CloseRoute["progress"] => {
    const own = byId.get(id) ?? [];
    return { week: ofKind(own, "week"), month: ofKind(own, "month") };
  };
};
