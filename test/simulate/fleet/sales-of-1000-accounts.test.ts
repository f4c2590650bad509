import { describe, expect, it } from "vitest";
import { GENERAL_PACE } from "#src/wallet/client.ts";
import { peakOf, told as toldSpread } from "./day-figures.ts";
import { liveSalesDay, type SalesDayRecord } from "./sales-day.ts";

/** Three hours by default; `FLEET_HOURS=24` runs a whole day. */
const HOURS = Number(process.env["FLEET_HOURS"] ?? 3);
const MOST_DELAY_S = 60;

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? 0;

const tell = (name: string, day: SalesDayRecord): void => {
  const { calls, delays, startMs, endMs } = day;
  const sorted = delays.toSorted((a, b) => a - b);
  const [p50, p99, most] = [at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1)];
  const lines = [
    `${name}: ${day.made} sales made, ${day.told} told`,
    `told after p50 ${p50.toFixed(1)} s, p99 ${p99.toFixed(1)} s, most ${most.toFixed(1)} s`,
    `calls of lists ${calls.total("sales")}, most of one key in 60 s: ${calls.mostOfKey()}`,
    `lists a minute, least / mean / most: ${toldSpread(calls.spread(["sales"], startMs, endMs))}`,
    `${day.cpuSeconds.toFixed(1)} s of processor`,
  ];
  console.log(lines.join("\n  "));
};

const expectEachOnce = (day: SalesDayRecord): void => {
  expect(day.errors).toEqual([]);
  expect([day.told, day.toldCents]).toEqual([day.made, day.madeCents]);
  expect(day.calls.mostOfKey()).toBeLessThanOrEqual(GENERAL_PACE.perMinute + GENERAL_PACE.burst);
};

describe("the sales of a thousand accounts", () => {
  it("are told once, within a minute at the 99th percentile, and asked for evenly", async () => {
    const day = await liveSalesDay({
      seed: 1,
      sellers: 1_000,
      consenting: 1_000,
      hours: HOURS,
      selling: 400,
      salesADay: 12,
      bursts: Math.round((40 * HOURS) / 24),
    });
    tell(`${HOURS} simulated hours of 1,000 accounts`, day);
    expectEachOnce(day);
    expect(
      at(
        day.delays.toSorted((a, b) => a - b),
        0.99,
      ),
    ).toBeLessThanOrEqual(MOST_DELAY_S);
    const later = day.calls.spread(["sales"], day.startMs + 4_200_000, day.endMs);
    expect(peakOf(later)).toBeLessThanOrEqual(2);
  });

  it("are told once by processes that stop and start", async () => {
    const day = await liveSalesDay({
      seed: 2,
      sellers: 200,
      consenting: 200,
      hours: 2,
      selling: 150,
      salesADay: 100,
      bursts: 10,
      restarts: true,
    });
    tell("2 hours with restarts", day);
    expectEachOnce(day);
  });

  it("cost no call where nobody agreed", async () => {
    const day = await liveSalesDay({
      seed: 3,
      sellers: 200,
      consenting: 0,
      hours: 1,
      selling: 100,
      salesADay: 100,
      bursts: 1,
    });
    expect(day.calls.total("sales")).toBe(0);
    expect(day.told).toBe(0);
  });
});
