import {
  type CloseActivity,
  closeFigures,
  type CloseFigures,
  type CloseKind,
  newestPeriod,
  periodBefore,
  tallyOf,
} from "#src/closes/close.ts";
import { createClosesJob } from "#src/closes/closes.job.ts";
import type { SalesDay } from "#src/reports/sales-days.ts";
import { daysOf } from "#src/reports/sales-period.ts";
import { cents } from "#src/shared/money.ts";
import { settledAt } from "#src/shared/report-day.ts";
import { paidHere } from "../accounting-files/accounting-samples.ts";
import { figuresOf } from "../reports/report-samples.ts";
import { quietLog } from "../support/databases.ts";
import type { Stage } from "../support/stage.ts";

/** The job as a new process would start it. */
export const startJob = ({ clock, stores }: Stage, closes = stores.closes) => {
  let enqueued = 0;
  const run = createClosesJob({
    clock,
    serviceClock: clock,
    log: quietLog,
    closes,
    salesDays: stores.salesDays,
    onOwed: () => void enqueued++,
  });
  return { run: () => run(new AbortController().signal), enqueued: () => enqueued };
};

/** A day's figures with the documented fee, read once the day had settled. */
export const salesDay = (
  day: Temporal.PlainDate,
  reais: number,
  changes: Partial<SalesDay> = {},
): SalesDay => {
  const sales = Math.round(reais * 100);
  return { day, ...figuresOf(sales, sales === 0 ? 0 : 1), readAt: settledAt(day), ...changes };
};

export const noActivity: CloseActivity = {
  withdrawals: {
    withdrawals: [],
    underWay: 0,
    elsewhere: { kind: "read", since: undefined, unclear: 0, left: 0 },
  },
  refunds: tallyOf([]),
  charges: [],
  disputes: { opened: tallyOf([]), won: tallyOf([]), lost: tallyOf([]) },
  isWatched: true,
};

const LAST = Temporal.PlainDate.from("2026-11-30");
const LAST_OPENING = Temporal.Instant.from("2026-11-30T00:00:00Z");
const OWNER = "1180000000000000011";

const tally = { count: 1_234, amount: cents(99_999_999) };

export const fullActivity: CloseActivity = {
  withdrawals: {
    withdrawals: Array.from({ length: 9 }, () =>
      paidHere("2026-11-25T12:00:00Z", [99_999_999, 400, undefined], { kind: "turbo" }),
    ),
    underWay: 1_234,
    elsewhere: { kind: "read", since: LAST_OPENING, unclear: 1_234, left: 1_234 },
  },
  refunds: tally,
  charges: Array.from({ length: 9 }, () => ({
    at: LAST_OPENING,
    amount: cents(99_999_999),
    fee: cents(1),
  })),
  disputes: { opened: tally, won: tally, lost: tally },
  isWatched: false,
};

/** Everything that the close of a server can tell: large amounts, other fees, and sellers with missing days. */
export const fullCloseFigures = (kind: CloseKind): CloseFigures => {
  const period = newestPeriod(kind, LAST);
  const most = 9_999_999.99;
  const days = [...daysOf(periodBefore(period)), ...daysOf(period)].map((day, place) =>
    salesDay(day, most - place, {
      fees: cents(70_000_000),
      esales: { count: 1, sales: cents(1) },
    }),
  );
  const lacking = Array.from({ length: 12 }, (_, place) => ({
    ownerId: `11800000000000000${20 + place}`,
    days: [],
  }));
  return closeFigures(period, [{ ownerId: OWNER, days }, ...lacking]);
};

export const quietCloseFigures = (): CloseFigures => {
  const period = newestPeriod("week", LAST);
  const days = daysOf(period).map((day) => salesDay(day, 0));
  return closeFigures(period, [{ ownerId: OWNER, days }]);
};
