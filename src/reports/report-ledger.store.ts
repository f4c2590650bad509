import { sql } from "kysely";
import { lockedAccounts } from "../accounts/wallet-accounts.store.ts";
import { type NewDelivery, targetIdOf } from "../delivery/delivery.ts";
import { compilePerDatabase, inList, jsonRows, rowLock } from "../database/queries.ts";
import { calendarDayOf, storedDay, storedOptionalInstant } from "../database/columns.ts";
import { enqueueReport } from "../delivery/outbox-enqueue.store.ts";
import { goalsStore } from "../goals/goals.store.ts";
import type { Database } from "../schema.ts";
import { createGroupCommit } from "../database/group-commit.ts";
import type { ReportSubscription } from "./report-schedule.ts";
import { reportSellers } from "./report-sellers.store.ts";
import { wantDaysOf } from "./sales-history.store.ts";

export type ReportLedger = ReturnType<typeof reportLedger>;

export interface ToldSeller {
  readonly accountId: string;
  /** When the newest correction was noticed that the report tells. */
  readonly correctionsTold: Temporal.Instant | undefined;
}

export const reportLedger = (db: Database, groupCommit = createGroupCommit(db)) => ({
  ...reportSellers(db),
  /**
   * Enqueues a day's report and marks the day, in one transaction. An undefined delivery marks an empty day that the
   * guild skips. False, without a change, when the account, its consent or the route is gone, the channel has
   * changed, or a goal is hidden. `correctionsTold` marks the corrections that the report tells.
   */
  record: (...report: SellersReport): Promise<boolean> =>
    groupCommit((trx) => recordReport(trx, ...report), "awaited"),
  /**
   * Enqueues a subscriber's report and marks its day, in one transaction: of a server for the guild and for each seller in
   * it, of a seller for all connections of its owner that have direct reports of the wallet account. False, without a
   * change, when the guild has that day already, when one of the sellers or the route is gone, when the channel has
   * changed, or when a goal is hidden.
   */
  recordDay: (...report: DaysReport): Promise<boolean> => {
    const isDirect = report[0].target.kind === "person";
    const record = isDirect ? recordDirectReport : recordGuildReport;
    return groupCommit((trx) => record(trx, ...report), "awaited");
  },
  /** The day is posted without sellers who have left the server: no later report corrects it, or an earlier day, for them. */
  leaveOut: async (accountIds: readonly string[], day: Temporal.PlainDate): Promise<void> => {
    const next = storedDay(day.add({ days: 1 }));
    await db
      .updateTable("report_progress")
      .set({ first_day: next })
      .where("account_id", "in", inList(db, accountIds))
      .where("last_day", ">=", storedDay(day))
      .where((eb) => eb.or([eb("first_day", "is", null), eb("first_day", "<", next)]))
      .execute();
  },
});

type SellersReport = [
  accountId: string,
  day: Temporal.PlainDate,
  delivery: NewDelivery | undefined,
  at: Temporal.Instant,
  correctionsTold?: Temporal.Instant,
];

type DaysReport = [
  subscription: Pick<ReportSubscription, "subscriberId" | "target">,
  day: Temporal.PlainDate,
  told: readonly ToldSeller[],
  delivery: NewDelivery | undefined,
  at: Temporal.Instant,
];

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

/**
 * The server's route where its reports are on and the delivery goes to its channel, and so they do until the transaction
 * ends.
 */
export const lockRoute = async (
  trx: Database,
  guildId: string,
  delivery: NewDelivery | undefined,
  strength: Parameters<typeof rowLock>[1] = "for share",
) => {
  const route = await trx
    .selectFrom("report_route")
    .select(["channel_id", "posted_day"])
    .where("guild_id", "=", guildId)
    .where("active", "=", 1)
    .modifyEnd(rowLock(trx, strength))
    .executeTakeFirst();
  const isElsewhere = delivery && targetIdOf(delivery.target) !== route?.channel_id;
  return isElsewhere ? undefined : route;
};

/** Whether all these connections agree to the report of the server, and so they do until the transaction ends. */
export const lockAgreed = async (
  trx: Database,
  guildId: string,
  accountIds: readonly string[],
): Promise<boolean> => {
  const agreed = await lockedAccounts(
    trx,
    (eb) =>
      eb.and([
        eb("id", "in", inList(trx, accountIds)),
        eb.and({ guild_id: guildId, report_consent: 1 }),
      ]),
    "for share",
  );
  return agreed.length === accountIds.length;
};

/** Connections of an owner to a wallet account that have direct reports, and have them until the transaction ends. */
export const lockDirect = (trx: Database, watchId: string): Promise<readonly string[]> =>
  lockedAccounts(trx, (eb) => eb.and({ watch_id: watchId, report_direct: 1 }), "for share");

/** Whether the goals in a server's report are shown: their sellers may have hidden one since they were read. */
const showsItsGoals = async (
  trx: Database,
  delivery: NewDelivery | undefined,
): Promise<boolean> => {
  const told = (delivery?.payload.report?.sellers ?? []).flatMap(({ accountId, goal }) =>
    goal === undefined ? [] : [accountId],
  );
  return told.length === 0 || (await goalsStore(trx).shown(told)).size === told.length;
};

/**
 * Two statements for the many sellers of a server. Their days go on being read. A day that does not follow the last one
 * is the first: those in between, while the report was off, were not told.
 */
const markDays = async (
  trx: Database,
  told: readonly ToldSeller[],
  day: Temporal.PlainDate,
  at: Temporal.Instant,
): Promise<void> => {
  const rows = told.map(({ accountId, correctionsTold }) => ({
    id: accountId,
    told: storedOptionalInstant(correctionsTold),
  }));
  // SQLite's upsert from a select needs a where, or it takes the `on` for a join's.
  await sql`
    insert into report_progress (account_id, first_day, last_day, corrections_told)
    select value ->> 'id', ${storedDay(day)}, ${storedDay(day)}, value ->> 'told'
    from ${jsonRows(trx, rows)} where true
    on conflict (account_id) do update set last_day = excluded.last_day,
      first_day = case when report_progress.last_day < ${storedDay(day.subtract({ days: 1 }))}
        then excluded.first_day else report_progress.first_day end,
      corrections_told = coalesce(excluded.corrections_told, report_progress.corrections_told)
    where report_progress.last_day < excluded.last_day
  `.execute(trx);
  await wantDaysOf(
    trx,
    told.map(({ accountId }) => accountId),
    at,
  );
};

const recordReport = async (
  trx: Database,
  ...[accountId, day, delivery, at, correctionsTold]: SellersReport
): Promise<boolean> => {
  const [wanted] = await channelsOf(trx, accountId);
  if (wanted === undefined || !(await showsItsGoals(trx, delivery))) return false;
  if (delivery !== undefined) {
    if (targetIdOf(delivery.target) !== wanted.channel_id) return false;
    await enqueueReport(trx, delivery, at);
  }
  await markDays(trx, [{ accountId, correctionsTold }], day, at);
  return true;
};

const recordDirectReport = async (
  trx: Database,
  ...[{ subscriberId }, day, [seller], delivery, at]: DaysReport
): Promise<boolean> => {
  const ids = await lockDirect(trx, subscriberId);
  if (seller === undefined || !ids.includes(seller.accountId)) return false;
  if (delivery !== undefined) await enqueueReport(trx, delivery, at);
  const marked = ids.map((accountId) => ({ ...seller, accountId }));
  await markDays(trx, marked, day, at);
  return true;
};

const recordGuildReport = async (
  trx: Database,
  ...[{ subscriberId: guildId }, day, told, delivery, at]: DaysReport
): Promise<boolean> => {
  const route = await lockRoute(trx, guildId, delivery, "for update");
  if (route === undefined || (route.posted_day ?? "") >= storedDay(day)) return false;
  const ids = told.map(({ accountId }) => accountId);
  if (!(await lockAgreed(trx, guildId, ids))) return false;
  if (!(await showsItsGoals(trx, delivery))) return false;
  if (delivery !== undefined) await enqueueReport(trx, delivery, at);
  await markDays(trx, told, day, at);
  await trx
    .updateTable("report_route")
    .set({ posted_day: storedDay(day) })
    .where("guild_id", "=", guildId)
    .execute();
  return true;
};

/**
 * Reads the reported days of a connection that a key of another wallet account replaces. @returns the write that gives
 * them to the new connection: it repeats no report, and corrects no day before its own first one
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
    const { last_day } = progress;
    await trx
      .insertInto("report_progress")
      .values({
        account_id: newAccountId,
        first_day: storedDay(calendarDayOf(last_day).add({ days: 1 })),
        last_day,
        corrections_told: null,
      })
      .execute();
  };
};
