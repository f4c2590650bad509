import { expect, it } from "vitest";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import {
  cameOutside,
  caughtUpAfter,
  delaysOf,
  expectGoodDay,
  MOST_DELAY_S,
  tell,
  thousandKeys,
  told,
  toldDelays,
} from "./day-figures.ts";
import { hourFrom, type Span } from "./model-service.ts";
import { liveDay } from "./watched-day.ts";

/** Enough to fill all concurrency slots while calls hang. */
const SELLERS = 500;
/** Every key is polled within this time. */
const ROUND_MS = 5 * MINUTE;
/** The longest back-off, the next beat, and the attempt itself. */
const LONGEST_RETRY_S = 12 * 60;

/** Includes the round before the outage, whose disputes would have been found during it. */
const affected = ({ fromMs, untilMs }: Span): Span => ({ fromMs: fromMs - ROUND_MS, untilMs });

it("catches up after an hour without the service, and after an hour without Discord", async () => {
  const service = (startMs: number): Span => hourFrom(startMs, 0.25);
  const discord = (startMs: number): Span => hourFrom(startMs, 1.75);
  const day = await liveDay({
    ...thousandKeys(2, 3.5),
    sellers: SELLERS,
    serviceOutages: (startMs) => [service(startMs)],
    discordOutages: (startMs) => [discord(startMs)],
  });

  const { startMs, endMs, calls } = day;
  const away = affected(service(startMs));
  const mute = affected(discord(startMs));
  const usual = delaysOf(cameOutside(day, [away, mute]));
  const foundAfter = caughtUpAfter(day, away);
  const postedAfter = caughtUpAfter(day, mute);
  tell("3.5 hours with two outages", day, [
    `disputes that came outside of the outages: ${toldDelays(usual)}`,
    `all were told ${foundAfter.toFixed(0)} s after the service was back, ` +
      `${postedAfter.toFixed(0)} s after Discord was`,
    `calls a minute while the service was away: ${told(calls.spread(["summary"], away.fromMs + ROUND_MS, away.untilMs))}`,
  ]);
  expectGoodDay(day, ({ spread }) => [
    spread(["summary"], startMs, away.fromMs),
    spread(["summary"], away.untilMs, endMs),
  ]);
  expect(usual.p99).toBeLessThanOrEqual(MOST_DELAY_S);
  expect(foundAfter).toBeLessThanOrEqual(MOST_DELAY_S);
  expect(postedAfter).toBeLessThanOrEqual(LONGEST_RETRY_S);
});

it("keeps its pace while reports hang for an hour", async () => {
  const reportsHang = (startMs: number): readonly Span[] => [
    { fromMs: startMs, untilMs: startMs + HOUR },
  ];
  const day = await liveDay({ ...thousandKeys(4, 0.75), sellers: SELLERS, reportsHang });

  tell("45 minutes in which reports hang", day);
  const { startMs, endMs } = day;
  expectGoodDay(day, ({ spread }) => [
    spread(["summary"], startMs, endMs),
    spread(["withdrawals"], startMs + 2 * MINUTE, endMs),
  ]);
  expect(delaysOf(day.announced).p99).toBeLessThanOrEqual(MOST_DELAY_S);
});
