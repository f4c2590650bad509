import { expect, test } from "vitest";
import { createSalesHistory } from "#src/reports/sales-history.job.ts";
import { keepSalesDays } from "#src/reports/sales-days.service.ts";
import type { DueHistory } from "#src/reports/sales-history.store.ts";
import type { SalesDay } from "#src/reports/sales-days.ts";
import { WalletError } from "#src/shared/errors.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { Secret } from "#src/shared/secret.ts";
import { quietLog, standingClock } from "../support/databases.ts";
import { NOW, sampleAccount, sampleReport, sold } from "../support/samples.ts";

const unauthorized = new WalletError({ kind: "unauthorized", method: "GET", route: "/" });
const unavailable = new WalletError({ kind: "unavailable", method: "GET", route: "/" });
const malformed = new WalletError({ kind: "malformed", method: "GET", route: "/" });
const going = new AbortController().signal;

const stage = (
  given: Partial<DueHistory> = {},
  refusal?: Error,
  isRefused: (day: string) => boolean = () => true,
  accounts = 1,
) => {
  const clock = standingClock(NOW.toString());
  const kept = new Map<string, SalesDay>();
  const asked: string[] = [];
  const again: string[] = [];
  const limits: number[] = [];
  const service = { skewMs: 0 };
  const salesReport = keepSalesDays(
    {
      clock,
      log: quietLog,
      days: { keep: async (_, day) => void kept.set(day.day.toString(), day) },
    },
    async (_, day) => {
      asked.push(day.toString());
      if (refusal !== undefined && isRefused(day.toString())) throw refusal;
      return { ...sampleReport(sold(1, 100, 6), sold(0, 0, 0), day.toString()), ...service };
    },
  );
  const key = { apiKey: new Secret("sk_test_ana_0123456789"), fingerprint: "f" };
  const run = createSalesHistory({
    clock,
    log: quietLog,
    days: {
      between: async () => [...kept.values()],
      countHistories: async () => accounts,
      due: async function* (_, limit) {
        limits.push(limit);
        yield { account: sampleAccount(), asked: false, place: NOW, ...given };
      },
      lookAgain: async (_, at) => void again.push(at.toString()),
    },
    readReport: (_, day) => salesReport(key, day, "background"),
  });
  return { clock, service, kept, asked, again, limits, run };
};

test("missing days are read newest first, five in a run, until all 32 are kept", async () => {
  const { asked, again, kept, run } = stage();
  await run(going);
  expect(asked).toEqual([19, 18, 17, 16, 15].map((day) => `2026-11-${day}`));
  for (let runs = 2; runs <= 7; runs += 1) await run(going);
  expect(kept.size).toBe(32);
  // Until then the account keeps its place.
  expect(again).toEqual(["2026-11-21T01:00:00Z"]);
  expect(asked).toHaveLength(32);
});

test("days of a service that has yet to come to our day wait, and hold up no other account", async () => {
  const { clock, service, asked, again, run } = stage();
  service.skewMs = -DAY;
  await run(going);
  expect(asked).toHaveLength(1);
  expect(again).toEqual([clock.now().add({ minutes: 15 }).toString()]);
  // Minutes behind ours, within the same day, hold up nothing.
  service.skewMs = -10 * MINUTE;
  await run(going);
  expect(asked).toHaveLength(6);
  expect(again).toHaveLength(1);
});

test("for a person who asked for periods, days up to three months back are read", async () => {
  const { kept, run } = stage({ asked: true });
  for (let runs = 1; runs <= 19; runs += 1) await run(going);
  expect(kept.size).toBe(92);
});

test.each([
  ["that does not answer", unavailable],
  ["that refuses a key which no job has paused", unauthorized],
])("a service %s is asked in a quarter of an hour", async (_, refusal) => {
  const { asked, again, run } = stage({}, refusal);
  await run(going);
  expect(asked).toHaveLength(1);
  expect(again).toEqual(["2026-11-20T18:15:00Z"]);
});

test("days with unreadable answers wait for the next day, and all others are read", async () => {
  const isRefused = (day: string) => day >= "2026-11-14";
  const { asked, again, clock, kept, run } = stage({}, malformed, isRefused);
  for (let runs = 1; runs <= 10; runs += 1) await run(going);
  expect(kept.size).toBe(26);
  expect(asked).toHaveLength(32);
  expect(again.at(-1)).toBe("2026-11-21T01:00:00Z");
  clock.moveBy(7 * HOUR);
  await run(going);
  expect(asked.filter((day) => day === "2026-11-19")).toHaveLength(2);
});

test("a paused key is not used, and waits for the next day unless it works before", async () => {
  const { again, asked, run } = stage({ account: sampleAccount({ pausedAt: NOW }) });
  await run(going);
  expect(asked).toEqual([]);
  expect(again).toEqual(["2026-11-21T01:00:00Z"]);
});

test("a stopping bot begins no other day", async () => {
  const { asked, run } = stage();
  await run(AbortSignal.abort());
  expect(asked).toEqual([]);
});

test("a report is read although its figures cannot be kept", async () => {
  const salesReport = keepSalesDays(
    {
      clock: standingClock(NOW.toString()),
      log: quietLog,
      days: { keep: () => Promise.reject(new Error("the disk is full")) },
    },
    async () => sampleReport(),
  );
  const key = { apiKey: new Secret("sk_test_ana_0123456789"), fingerprint: "f" };
  const day = Temporal.PlainDate.from("2026-11-20");
  expect(await salesReport(key, day, "background")).toMatchObject(sampleReport());
});

test.each([
  [100, 60],
  [10_000, 389],
  [20_000, 778],
])(
  "of %d accounts %d are looked at in a run, so that a month takes three hours",
  async (count, most) => {
    const { limits, run } = stage({}, undefined, undefined, count);
    await run(going);
    expect(limits).toEqual([most]);
  },
);
