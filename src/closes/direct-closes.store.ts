import { setImmediate } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { storedDay, storedInstant } from "../database/columns.ts";
import { inList, rowLock } from "../database/queries.ts";
import { enqueueDelivery } from "../delivery/outbox-enqueue.store.ts";
import { latestClosedDay } from "../reports/report-schedule.ts";
import {
  deliveryHours,
  directHour,
  directSellers,
  hourTexts,
  sellersOfRows,
} from "../reports/report-sellers.store.ts";
import type { Database } from "../schema.ts";
import { closeOf } from "../shared/report-day.ts";
import {
  type CloseChoices,
  type CloseProgressTable,
  markPeriod,
  progressOf,
  storeChoices,
} from "./close-progress.store.ts";
import {
  closeDueAt,
  type CloseKind,
  closeKinds,
  type ClosePeriod,
  type CloseRoute,
  newestPeriod,
  periodBefore,
} from "./close.ts";
import type { Closes } from "./closes.store.ts";

/** Sellers that are read before the event loop gets a turn. */
const AT_ONCE = 200;

/**
 * Sellers with a direct report and a working key who lack a close that is due, and of a period that was not over when
 * they chose it.
 */
export const lackingDirectly = async function* (
  db: Database,
  now: Temporal.Instant,
): AsyncGenerator<readonly CloseRoute[]> {
  const hours = await deliveryHours(db);
  const lacks = ({ kind, to }: ClosePeriod): RawBuilder<boolean> => {
    const over = storedInstant(closeOf(to));
    return sql<boolean>`(coalesce(account.report_consent_at, account.connected_at) < ${over}
      and not exists (select 1 from close_progress where guild_id = account.id and kind = ${kind}
        and (active = 0 or last_day >= ${storedDay(to)} or active_since >= ${over})))`;
  };
  /** Between the end of a period and the hour of its close only those are read who lack an older one. */
  const [week, month] = closeKinds.map((kind) => {
    const newest = newestPeriod(kind, latestClosedDay(now));
    const due = hours.filter(
      (hour) => Temporal.Instant.compare(closeDueAt(newest, hour), now) <= 0,
    );
    return sql<boolean>`(${lacks(newest)}
      and (${directHour} in ${inList(db, hourTexts(due))} or ${lacks(periodBefore(newest))}))`;
  });
  for (let after: string | undefined = ""; after !== undefined; await setImmediate()) {
    const rows: Awaited<ReturnType<ReturnType<typeof directSellers>["execute"]>> =
      await directSellers(db)
        .where("account.id", ">", after)
        .where("account.paused_at", "is", null)
        .where(sql<boolean>`(${week} or ${month})`)
        .orderBy("account.id")
        .limit(AT_ONCE)
        .execute();
    const kept = await db
      .selectFrom("close_progress")
      .selectAll()
      .where(
        "guild_id",
        "in",
        inList(
          db,
          rows.map(({ id }) => id),
        ),
      )
      .execute();
    const byId = Map.groupBy(kept, (row) => row.guild_id);
    yield sellersOfRows(rows).map(({ since, ...direct }) => {
      const own = byId.get(direct.accountId) ?? [];
      const { guildId, time, timeZone, locale, emptyChoice } = direct;
      const progress = { week: progressIn(own, "week"), month: progressIn(own, "month") };
      const hour = { time, timeZone, locale, emptyChoice };
      return { guildId, channelId: "", ...hour, activeSince: since, progress, direct };
    });
    after = rows.length < AT_ONCE ? undefined : rows.at(-1)?.id;
  }
};

const progressIn = (rows: readonly CloseProgressTable[], kind: CloseKind) => {
  const row = rows.find((each) => each.kind === kind);
  return progressOf(row?.active ?? null, row?.active_since ?? null, row?.last_day ?? null);
};

/** Marks the period for all connections of the owner that have direct reports of the wallet account. */
export const recordDirectClose = async (
  trx: Database,
  { accountId, storeId }: NonNullable<CloseRoute["direct"]>,
  ...[{ period }, , delivery, at]: Parameters<Closes["record"]>
): Promise<boolean> => {
  const connections = await trx
    .selectFrom("account")
    .select("id")
    .where("watch_id", "=", storeId)
    .where("report_direct", "=", 1)
    .orderBy("id")
    .modifyEnd(rowLock(trx, "for share"))
    .execute();
  let isMarked = false;
  for (const { id } of connections) {
    const isNew = await markPeriod(trx, id, period);
    if (id === accountId) isMarked = isNew;
  }
  if (!isMarked) return false;
  if (delivery !== undefined) await enqueueDelivery(trx, delivery, at);
  return true;
};

/** In all connections of the owner to the wallet account, so that any of them may go on. */
export const chooseDirectCloses = async (
  trx: Database,
  watchId: string,
  choices: CloseChoices,
  at: Temporal.Instant,
): Promise<void> => {
  const accounts = await trx
    .selectFrom("account")
    .select("id")
    .where("watch_id", "=", watchId)
    .orderBy("id")
    .modifyEnd(rowLock(trx, "for share"))
    .execute();
  for (const { id } of accounts)
    await storeChoices(trx, id, choices, () => waitingFor(trx, id), at);
};

const waitingFor = async (trx: Database, accountId: string): Promise<readonly string[]> => {
  const rows = await trx
    .selectFrom("outbox")
    .select("dedupe_key")
    .where("account_id", "=", accountId)
    .where("kind", "=", "close")
    .where("settled_at", "is", null)
    .execute();
  return rows.map((row) => row.dedupe_key);
};

/** The choices and the marked periods of a connection that another key replaces. */
export const carryOverCloses = async (
  trx: Database,
  accountId: string,
): Promise<(newAccountId: string) => Promise<void>> => {
  const rows = await trx
    .selectFrom("close_progress")
    .selectAll()
    .where("guild_id", "=", accountId)
    .execute();
  return async (newAccountId) => {
    for (const row of rows)
      await trx
        .insertInto("close_progress")
        .values({ ...row, guild_id: newAccountId })
        .execute();
  };
};

/** A further connection with direct reports goes on with the choices and marks of another one of its wallet account. */
export const shareCloses = async (
  trx: Database,
  accountId: string,
  otherId: string,
): Promise<void> => {
  await deleteCloses(trx, "", accountId);
  const insert = await carryOverCloses(trx, otherId);
  await insert(accountId);
};

export const deleteCloses = async (trx: Database, _: string, accountId: string): Promise<void> => {
  await trx.deleteFrom("close_progress").where("guild_id", "=", accountId).execute();
};
