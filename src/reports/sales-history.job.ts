import type { Account } from "../accounts/account.ts";
import { createSpacing, createWorkers } from "../shared/concurrency.ts";
import { concernsRequestAlone, WalletError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import { type Clock, MINUTE } from "../shared/time.ts";
import {
  ASKED_HISTORY_DAYS,
  DAYS_KEPT,
  daysToRead,
  HISTORY_DAYS,
  nextReading,
  type ReadSalesReport,
} from "./sales-days.ts";
import { openReportDay } from "../shared/report-day.ts";
import type { SalesDays } from "./sales-days.store.ts";
import type { DueHistory } from "./sales-history.store.ts";

interface SalesHistoryNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly days: Pick<SalesDays, "between" | "countHistories" | "due" | "lookAgain">;
  /** Reads with background priority and keeps the figures. @throws WalletError */
  readonly readReport: (account: Account, day: Temporal.PlainDate) => Promise<ReadSalesReport>;
}

/** Days of one account in one run, a minute: a small part of its pace. */
const DAYS_A_RUN = 5;
/** Wallet accounts in one run where there are few. */
const FEWEST_A_RUN = 60;
/** Runs that read all days that a month's close needs. */
const RUNS_OF_A_MONTH = Math.ceil(HISTORY_DAYS / DAYS_A_RUN);
/**
 * Minutes in which the days of a month are read for all accounts: half of the time that a close waits for them, since
 * slow answers make a run last two minutes.
 */
const MONTH_READ_WITHIN = 180;
/** Accounts of a run for each worker: an account may take four seconds, which is long. */
const ACCOUNTS_OF_A_WORKER = 15;
const AFTER_FAILURE_MS = 15 * MINUTE;

/** Whether the service answered badly about this day: its answers about other days may be right. */
const concernsDay = (error: unknown): error is WalletError =>
  error instanceof WalletError && concernsRequestAlone(error);

const keyOf = ({ accountFp }: Account, day: Temporal.PlainDate): string =>
  `${accountFp}|${day.toString()}`;

/** Reads missing days and reads recent ones again, a few for each due wallet account. */
export const createSalesHistory = (needs: SalesHistoryNeeds) => {
  const { clock, log, days } = needs;
  /** Until when unreadable days wait, by wallet account and day. In memory only: a restart asks about each once more. */
  const waiting = new Map<string, Temporal.Instant>();

  const forgetWaits = (now: Temporal.Instant): void => {
    for (const [key, until] of waiting)
      if (Temporal.Instant.compare(until, now) <= 0) waiting.delete(key);
  };

  const read = async (account: Account, day: Temporal.PlainDate, again: Temporal.Instant) => {
    try {
      return await needs.readReport(account, day);
    } catch (error) {
      if (!concernsDay(error)) throw error;
      log.warn({ account: account.id, day: day.toString(), err: error }, "a day is unreadable");
      waiting.set(keyOf(account, day), again);
      return undefined;
    }
  };

  /** @returns when to look at the account again; undefined while days are left: it keeps its place */
  const catchUp = async ({ account, asked }: DueHistory, stopping: AbortSignal) => {
    const now = clock.now();
    const again = nextReading(now);
    // The account is due again once its key works.
    if (account.pausedAt !== undefined) return again;
    const open = openReportDay(now);
    const kept = await days.between(account.accountFp, open.subtract({ days: DAYS_KEPT }), open);
    const due = daysToRead(kept, asked ? ASKED_HISTORY_DAYS : HISTORY_DAYS, now).filter(
      (day) => !waiting.has(keyOf(account, day)),
    );
    for (const day of due.slice(0, DAYS_A_RUN)) {
      if (stopping.aborted) return undefined;
      const report = await read(account, day, again);
      // The service has yet to come to our day: days that are read now will be due again then.
      if (report && Temporal.PlainDate.compare(openReportDay(report.readAt), open) < 0)
        return now.add({ milliseconds: AFTER_FAILURE_MS });
    }
    return due.length > DAYS_A_RUN ? undefined : again;
  };

  const catchUpOrWait = async (due: DueHistory, stopping: AbortSignal): Promise<void> => {
    const { account } = due;
    let again: Temporal.Instant | undefined;
    try {
      again = await catchUp(due, stopping);
    } catch (error) {
      log.warn({ account: account.id, err: error }, "days of sales cannot be read now");
      again = clock.now().add({ milliseconds: AFTER_FAILURE_MS });
    }
    if (again !== undefined) await days.lookAgain(due, again);
  };

  return async (stopping: AbortSignal): Promise<void> => {
    const now = clock.now();
    forgetWaits(now);
    const share = ((await days.countHistories()) * RUNS_OF_A_MONTH) / MONTH_READ_WITHIN;
    const most = Math.max(FEWEST_A_RUN, Math.ceil(share));
    const spacing = createSpacing(clock, most);
    const workers = createWorkers(Math.ceil(most / ACCOUNTS_OF_A_WORKER));
    const readInTurn = async (due: DueHistory): Promise<void> => {
      await spacing.turn(stopping);
      await catchUpOrWait(due, stopping);
    };
    await workers(days.due(now, most), readInTurn, stopping);
  };
};
