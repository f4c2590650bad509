import { expect, it } from "vitest";
import { createSalesHistory } from "#src/reports/sales-history.job.ts";
import { wantDaysOf } from "#src/reports/sales-history.store.ts";
import { salesDayOf } from "#src/reports/sales-days.ts";
import { HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { GENERAL_PACE } from "#src/wallet/client.ts";
import { createPacer } from "#src/wallet/pacing.ts";
import { quietLog } from "../../support/databases.ts";
import { sampleReport } from "../../support/samples.ts";
import { createCallBook } from "./call-book.ts";
import { MOST_PEAK, peakOf, told } from "./day-figures.ts";
import { openFleet, useVirtualTimers } from "./fleet.ts";

const SELLERS = 10_000;
const ANSWER_MS = 250;
/** The closes of 21:05 in Brasília give up after six hours; the background begins 55 minutes after that hour. */
const WITHIN_MS = 6 * HOUR - 55 * MINUTE;
/** After this time one seller opens the own close. */
const ASKED_AFTER_MS = HOUR;
const MOST_WAIT_MS = 10 * MINUTE;

const going = new AbortController().signal;
const daysBefore = (day: string, count: number) =>
  Array.from({ length: count }, (_, ago) => Temporal.PlainDate.from(day).subtract({ days: ago }));
const OCTOBER = daysBefore("2026-10-31", 31);

/** All accounts come due at once, and lack that the days of October are read again, as on the first of a month. */
const openMonth = async () => {
  const fleet = await openFleet({ seed: 1, sellers: SELLERS, hours: 0 });
  const { time, database, startMs, stores } = fleet;
  const now = time.clock.now();
  const accounts = await database.db.selectFrom("account").select(["id", "account_fp"]).execute();
  const ids = accounts.map(({ id }) => id);
  await wantDaysOf(database.db, ids, now);
  const keys = new Map(accounts.map(({ account_fp: accountFp }, key) => [accountFp, key]));
  const figures = salesDayOf({ ...sampleReport(), readAt: now });
  const november = daysBefore("2026-11-19", 19).map((day) => ({ ...figures, day }));
  const again = OCTOBER.map((day) => ({ ...figures, day }));
  const readAt = Temporal.Instant.from("2026-11-01T00:00Z");
  const before = again.map((day) => ({ ...day, readAt }));
  const calls = createCallBook();
  const pacer = createPacer(GENERAL_PACE, { ...time, now: time.nowMs });
  /** Days that were read again, newest first. */
  const counts = new Map<string, number>();
  const doneMs = new Map<string, number>();
  const run = createSalesHistory({
    clock: time.clock,
    log: quietLog,
    days: {
      ...stores.salesDays,
      between: async (accountFp) => {
        const count = counts.get(accountFp) ?? 0;
        return [...november, ...again.slice(0, count), ...before.slice(count)];
      },
    },
    readReport: async ({ accountFp }) => {
      expect(await pacer.take(accountFp, "background", 15 * SECOND)).toBe(0);
      calls.note("report", keys.get(accountFp) ?? 0, time.nowMs());
      await time.sleep(ANSWER_MS);
      const count = (counts.get(accountFp) ?? 0) + 1;
      counts.set(accountFp, count);
      if (count === OCTOBER.length) doneMs.set(accountFp, time.nowMs() - startMs);
      return { ...sampleReport(), readAt: time.clock.now() };
    },
  });
  return { ...fleet, run, calls, pacer, doneMs };
};

it("reads the days of a month again for 10,000 accounts before closes give up, evenly, and soon for who asks", async () => {
  const { time, startMs, database, stores, run, calls, pacer, doneMs } = await openMonth();
  const restoreTimers = useVirtualTimers(time);
  let underWay = false;
  const beat = async (): Promise<void> => {
    time.after(MINUTE, () => void beat());
    if (underWay) return;
    underWay = true;
    await run(going);
    underWay = false;
  };
  void beat();
  let asked = "";
  const ask = async (): Promise<void> => {
    const rows = database.db.selectFrom("sales_history").select("account_fp");
    const last = await rows.orderBy("account_fp", "desc").executeTakeFirstOrThrow();
    asked = last.account_fp;
    await stores.salesDays.lookSoon(asked, time.clock.now());
  };
  time.after(ASKED_AFTER_MS, () => void ask());
  await time.run(startMs + WITHIN_MS, () => doneMs.size === SELLERS);
  pacer.close();
  restoreTimers();
  await database.close();

  const takenMs = Math.max(...doneMs.values());
  // The last minutes have few accounts left.
  const spread = calls.spread(["report"], startMs, startMs + takenMs - 10 * MINUTE);
  console.log(
    `${calls.total("report")} days of ${doneMs.size} accounts in ${Math.ceil(takenMs / MINUTE)} minutes, ` +
      `a minute ${told(spread)}, most of one key in 60 s: ${calls.mostOfKey()}; ` +
      `who asked waited ${((doneMs.get(asked) ?? Infinity) - ASKED_AFTER_MS) / MINUTE} minutes`,
  );
  expect(doneMs.size).toBe(SELLERS);
  expect(peakOf(spread)).toBeLessThanOrEqual(MOST_PEAK);
  expect((doneMs.get(asked) ?? Infinity) - ASKED_AFTER_MS).toBeLessThanOrEqual(MOST_WAIT_MS);
});
