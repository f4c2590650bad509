import { expect } from "vitest";
import { MINUTE, SECOND } from "#src/shared/time.ts";
import type { Spread } from "./call-book.ts";
import { type CallKind, callKinds, isWithin, type Span } from "./model-service.ts";
import type { Announced, DayPlan, DayRecord } from "./watched-day.ts";

export const POLLING: readonly CallKind[] = ["summary", "list", "detail"];
/** By then each account has been polled once. */
export const FIRST_LOOKS_MS = 6 * MINUTE;

interface Shares {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

interface Delays extends Shares {
  readonly count: number;
}

export const sharesOf = (seconds: readonly number[]): Shares => {
  const sorted = seconds.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
};

export const toldShares = ({ p50, p99, most }: Shares): string =>
  `p50 ${p50.toFixed(1)} s, p99 ${p99.toFixed(1)} s, most ${most.toFixed(1)} s`;

export const delaysOf = (announced: readonly Announced[]): Delays => {
  const seconds = announced.map(({ afterMs }) => afterMs / SECOND);
  return { count: seconds.length, ...sharesOf(seconds) };
};

export const cameOutside = (
  { announced }: DayRecord,
  spans: readonly Span[],
): readonly Announced[] =>
  announced.filter(({ med }) => !spans.some((span) => isWithin(span, med.createdMs)));

/** Seconds from the end of the span to the announcement of its last dispute. */
export const caughtUpAfter = ({ announced }: DayRecord, span: Span): number => {
  const came = announced.filter(({ med }) => isWithin(span, med.createdMs));
  const atMs = came.map(({ med, afterMs }) => med.createdMs + afterMs);
  return Math.max(0, ...atMs.map((ms) => (ms - span.untilMs) / SECOND));
};

export const peakOf = ({ mean, most }: Spread): number => most / mean;

export const told = (spread: Spread): string =>
  `${spread.least} / ${spread.mean.toFixed(1)} / ${spread.most} (peak ${peakOf(spread).toFixed(2)})`;

export const toldDelays = ({ count, p50, p99, most }: Delays): string =>
  `${count} announced, p50 ${p50.toFixed(0)} s, p99 ${p99.toFixed(0)} s, most ${most.toFixed(0)} s`;

export const tell = (name: string, day: DayRecord, more: readonly string[] = []): void => {
  const { calls, startMs, endMs } = day;
  const totals = callKinds.map((kind) => `${kind} ${calls.total(kind)}`).join(", ");
  const all = callKinds.reduce((sum, kind) => sum + calls.total(kind), 0);
  const later = startMs + FIRST_LOOKS_MS;
  const lines = [
    `${name}: ${all} calls (${totals}), most of one key in 60 s: ${calls.mostOfKey()}`,
    "calls a minute, least / mean / most:",
    `  polls ${told(calls.spread(["summary"], startMs, endMs))}`,
    `  polls and what they lead to ${told(calls.spread(POLLING, later, endMs))}; ` +
      `with the first looks ${told(calls.spread(POLLING, startMs, endMs))}`,
    `  of all jobs ${told(calls.spread(callKinds, later, endMs))}`,
    `disputes: ${toldDelays(delaysOf(day.announced))}`,
    ...more,
    `${day.cpuSeconds.toFixed(1)} s of processor, ${day.heapMegabytes.toFixed(0)} MB of heap`,
  ];
  console.log(lines.join("\n  "));
};

/** Of one account. Source: service.md 8. */
export const MOST_CALLS_A_MINUTE = 60;
export const MOST_PEAK = 1.5;
/** Time from a dispute's opening at the service to the accepted post, 99th percentile. */
export const MOST_DELAY_S = 360;

/** Hours of a thousand keys, at a rate of 2,000 disputes a day. */
export const thousandKeys = (seed: number, hours: number): DayPlan => ({
  seed,
  hours,
  sellers: 1_000,
  singleMeds: Math.round((1_500 * hours) / 24),
  bursts: Math.round((50 * hours) / 24),
  oldMeds: 300,
});

/** In every scenario: no dispute is lost, no key exceeds its rate, and polls are spread evenly. */
export const expectGoodDay = ({ calls, unannounced, errors }: DayRecord, polls: PollsOf): void => {
  expect(unannounced).toEqual([]);
  expect(errors).toEqual([]);
  expect(calls.mostOfKey()).toBeLessThanOrEqual(MOST_CALLS_A_MINUTE);
  for (const spread of polls(calls)) expect(peakOf(spread)).toBeLessThanOrEqual(MOST_PEAK);
};

type PollsOf = (calls: DayRecord["calls"]) => readonly ReturnType<DayRecord["calls"]["spread"]>[];
