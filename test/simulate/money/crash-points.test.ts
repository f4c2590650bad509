import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CrashCase, liveThrough, type Story } from "./crash-points.ts";
import { openMoneyStage } from "./stage.ts";
import type { StoresStage } from "../stores-stage.ts";
import { fates } from "./weather.ts";

/** One in three of the points to die at, drawn anew in each run; `CRASH_POINTS=all` dies at each. */
const STEP = process.env["CRASH_POINTS"] === "all" ? 1 : 3;
/** Each fate begins at another point, so that the fates together die at every place. */
const FIRST = Number(process.env["CRASH_POINTS_FROM"] ?? randomInt(STEP));

let stage: StoresStage;
beforeAll(async () => {
  stage = await openMoneyStage();
});
afterAll(() => stage.close());

it.each<[Story, 1 | 2]>([
  ["turbo", 1],
  ["turbo", 2],
  ["normal", 1],
  ["split", 1],
  ["cancel", 1],
])(
  "a %s withdrawal on %i process(es) ends in the truth wherever it dies",
  async (story, processes) => {
    const started = performance.now();
    const wrong: string[] = [];
    const places = new Set<string>();
    let combinations = 0;
    for (const [nth, fate] of fates.entries()) {
      const unharmed: CrashCase = { story, fate, processes, diesAt: undefined };
      const { points, violations } = await liveThrough(stage, unharmed);
      wrong.push(...violations.map((why) => `${fate}, no death: ${why}`));
      for (let diesAt = 1 + ((FIRST + nth) % STEP); diesAt <= points; diesAt += STEP) {
        const lived = await liveThrough(stage, { ...unharmed, diesAt });
        combinations++;
        if (lived.point !== undefined) places.add(lived.point);
        wrong.push(...lived.violations.map((why) => `${fate}, dies at ${diesAt}: ${why}`));
      }
    }
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(
      `${story}, ${processes} process(es): ${combinations} combinations of ${fates.length} fates of the ` +
        `request and one in ${STEP} of its points to die at, from ${FIRST} on (${places.size} by name), in ${seconds} s`,
    );
    expect(wrong).toEqual([]);
    expect(combinations).toBeGreaterThan(300);
    expect(places.size).toBeGreaterThan(60);
  },
);
