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

/** The reports' minute comes after ten; a whole day is lived with `FLEET_HOURS=24`. */
const HOURS = Number(process.env["FLEET_HOURS"] ?? 12);

it("announces the disputes of a thousand keys within six minutes, asking evenly", async () => {
  const day = await liveDay(thousandKeys(1, HOURS));

  tell(`${HOURS} simulated hours of 1,000 keys`, day);
  const { startMs, endMs } = day;
  expectGoodDay(day, ({ spread }) => [
    spread(["summary"], startMs, endMs),
    // The first look at each account reads its list too: that minute has no other like it.
    spread(POLLING, startMs + FIRST_LOOKS_MS, endMs),
  ]);
  expect(delaysOf(day.announced).p99).toBeLessThanOrEqual(MOST_DELAY_S);
});
