import { expect, it } from "vitest";
import { MINUTE } from "#src/shared/time.ts";
import {
  cameOutside,
  caughtUpAfter,
  delaysOf,
  expectGoodDay,
  MOST_DELAY_S,
  MOST_PEAK,
  peakOf,
  tell,
  thousandKeys,
  told,
} from "./day-figures.ts";
import type { Span } from "./model-service.ts";
import { liveDay } from "./watched-day.ts";

const ROUND_MS = 5 * MINUTE;
const UPDATE = 20.4;
const UPDATED = 20.8;
const DOWN = 40;
const UP = 75;
const SECOND_PROCESS = 90;
const BOTH_DOWN = 110;
const BOTH_UP = 125;

/**
 * Overdue polls wait for each key's own minute, except a few: a thousand keys at once would mean a thousand calls
 * within seconds. Urgent work is unaffected: reminders follow the clock, and a changed dispute is read and announced at
 * once. So only the polls themselves are compared with the mean.
 */
it("spreads what is overdue when processes start, and adds nothing for a second process", async () => {
  const day = await liveDay({
    ...thousandKeys(3, 2.5),
    events: ({ time, start, first }) => {
      const running = [first];
      const at = (minutes: number, work: () => void): void =>
        void time.after(minutes * MINUTE, work);
      const stopAll = (): void => {
        for (const bot of running.splice(0)) void bot.stop();
      };
      const startOne = (): void => void running.push(start());
      at(UPDATE, stopAll);
      at(UPDATED, startOne);
      at(DOWN, stopAll);
      at(UP, startOne);
      at(SECOND_PROCESS, startOne);
      at(BOTH_DOWN, stopAll);
      at(BOTH_UP, startOne);
      at(BOTH_UP, startOne);
    },
  });

  const { startMs, endMs, calls } = day;
  const span = (from: number, until: number): Span => ({
    fromMs: startMs + from * MINUTE,
    untilMs: startMs + until * MINUTE,
  });
  const polls = ({ fromMs, untilMs }: Span) => calls.spread(["summary"], fromMs, untilMs);
  const lives = [span(0, DOWN), span(UP, BOTH_DOWN), { ...span(BOTH_UP, 0), untilMs: endMs }];
  const downs = [span(DOWN, UP), span(BOTH_DOWN, BOTH_UP)];
  const affected = downs.map(({ fromMs, untilMs }) => ({ fromMs: fromMs - ROUND_MS, untilMs }));
  const usual = delaysOf(cameOutside(day, affected));
  const later = affected.map((each) => caughtUpAfter(day, each));
  tell("2.5 hours with restarts", day, [
    ...lives.map((life) => `polls a minute of one life: ${told(polls(life))}`),
    `outside of the times without a process p99 ${usual.p99.toFixed(0)} s; after them all were told within ` +
      later.map((seconds) => `${seconds.toFixed(0)} s`).join(" and "),
  ]);
  expectGoodDay(day, () => lives.map(polls));
  expect(peakOf(polls(span(SECOND_PROCESS - 1, BOTH_DOWN)))).toBeLessThanOrEqual(MOST_PEAK);
  expect(usual.p99).toBeLessThanOrEqual(MOST_DELAY_S);
  for (const seconds of later) expect(seconds).toBeLessThanOrEqual(MOST_DELAY_S);
});
