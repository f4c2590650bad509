import { expect, it } from "vitest";
import {
  delaysOf,
  expectGoodDay,
  FIRST_LOOKS_MS,
  MOST_DELAY_S,
  POLLING,
  tell,
  thousandKeys,
} from "./day-figures.ts";
import { liveDay } from "./watched-day.ts";

/** Four hours by default, the reports in their middle; `FLEET_HOURS=24` runs a whole day. */
const HOURS = Number(process.env["FLEET_HOURS"] ?? 4);

it("announces the disputes of a thousand keys within six minutes, asking evenly", async () => {
  const day = await liveDay({ ...thousandKeys(1, HOURS), hoursToReports: HOURS / 2 });

  tell(`${HOURS} simulated hours of 1,000 keys`, day);
  const { startMs, endMs } = day;
  expectGoodDay(day, ({ spread }) => [
    spread(["summary"], startMs, endMs),
    // Excludes the first minutes, in which each account's list is read too.
    spread(POLLING, startMs + FIRST_LOOKS_MS, endMs),
  ]);
  expect(delaysOf(day.announced).p99).toBeLessThanOrEqual(MOST_DELAY_S);
});
