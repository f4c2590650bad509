import { expect } from "vitest";
import { GENERAL_PACE } from "#src/wallet/client.ts";
import { peakOf } from "./day-figures.ts";
import type { DayPlan, DayRecord } from "./watched-day.ts";

/** The fullest minute over the mean of all. */
export const MOST_PEAK = 1.5;
/** From the opening of a dispute at the service to the post that Discord accepted, in 99 of 100. */
export const MOST_DELAY_S = 360;

/** So many hours of a thousand keys, with as many disputes in each as 2,000 a day. */
export const thousandKeys = (seed: number, hours: number): DayPlan => ({
  seed,
  hours,
  sellers: 1_000,
  singleMeds: Math.round((1_500 * hours) / 24),
  bursts: Math.round((50 * hours) / 24),
  oldMeds: 300,
});

/** Whatever happened: nobody's dispute is lost, no key is asked too often, and the keys are asked evenly. */
export const expectGoodDay = ({ calls, unannounced, errors }: DayRecord, polls: PollsOf): void => {
  expect(unannounced).toEqual([]);
  expect(errors).toEqual([]);
  expect(calls.mostOfKey()).toBeLessThanOrEqual(GENERAL_PACE.perMinute + GENERAL_PACE.burst);
  for (const spread of polls(calls)) expect(peakOf(spread)).toBeLessThanOrEqual(MOST_PEAK);
};

type PollsOf = (calls: DayRecord["calls"]) => readonly ReturnType<DayRecord["calls"]["spread"]>[];
