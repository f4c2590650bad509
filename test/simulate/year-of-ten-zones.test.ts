import { expect, it } from "vitest";
import { nonceOf } from "#src/delivery/delivery.ts";
import {
  dueInstant,
  type ReportSubscription,
  dailyReportKey,
} from "#src/reports/report-schedule.ts";
import { closeOf } from "#src/shared/report-day.ts";
import type { Scheduler } from "#src/scheduler/scheduler.job.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { openStage, type Stage } from "../support/stage.ts";
import { createDice } from "./dice.ts";
import { DAYS, SEED, START, ZONES } from "./ten-zones.ts";
import { expectInOrder } from "../shared/zone-transitions.ts";

/** Hours that offset changes skip or repeat in some zones. */
const TIMES = ["00:00", "02:15"];
const NIGHT_MS = 8 * HOUR;
const LONGEST_BEAT_MS = 20 * MINUTE;
const LARGEST_STEP_MS = 10 * MINUTE;

type Subscribed = Pick<ReportSubscription, "subscriberId" | "target" | "time" | "timeZone">;

const subscribe = async (stage: Stage): Promise<readonly Subscribed[]> => {
  const since = Temporal.Instant.from(START);
  const subscribed: Subscribed[] = [];
  for (const timeZone of ZONES) {
    for (const time of TIMES) {
      const guildId = `${timeZone} ${time}`;
      const channelId = `#${guildId}`;
      await stage.saveRoute({ guildId, channelId, time, timeZone, since });
      await stage.addSeller({ guildId, ownerId: "u-ana", since });
      const ownerId = `u-direct ${guildId}`;
      const direct = await stage.addSeller({ guildId, ownerId, since, isDirect: true });
      const hour = { timeZone, time: Temporal.PlainTime.from(time) };
      subscribed.push({ ...hour, subscriberId: guildId, target: { kind: "channel", channelId } });
      subscribed.push({
        ...hour,
        subscriberId: direct,
        target: { kind: "person", userId: ownerId },
      });
    }
  }
  return subscribed;
};

/** Simulates the year: uneven beats, clock changes and restarts by day, and eight hours of sleep every night. */
const live = async (stage: Stage, between: (least: number, most: number) => number) => {
  let bot: Scheduler = stage.startProcess();
  let skewMs = 0;
  let ticks = 0;
  for (let day = 0; day < DAYS; day++) {
    let awakeMs = DAY - NIGHT_MS;
    while (awakeMs > 0) {
      const beatMs = between(MINUTE, LONGEST_BEAT_MS);
      awakeMs -= beatMs;
      stage.clock.moveBy(beatMs);
      if (between(0, 40) === 0) {
        const nextMs = between(-LARGEST_STEP_MS, LARGEST_STEP_MS);
        stage.clock.moveBy(nextMs - skewMs);
        skewMs = nextMs;
      }
      if (between(0, 60) === 0) {
        await bot.stop();
        bot = stage.startProcess();
      }
      await bot.tick();
      ticks++;
    }
    await bot.stop();
    stage.clock.moveBy(NIGHT_MS + awakeMs);
    bot = stage.startProcess();
  }
  await bot.tick();
  await bot.stop();
  return ticks;
};

it("posts every owed day of a year once, through nights off, set clocks, restarts and summer times", async () => {
  const stage = await openStage(START);
  const subscribed = await subscribe(stage);
  const started = performance.now();

  const ticks = await live(stage, createDice(SEED).between);

  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const end = stage.clock.now();
  const byNonce = Map.groupBy(stage.channels.messages, ({ nonce }) => nonce);
  let owed = 0;
  for (const subscription of subscribed) {
    for (let age = 0; age <= DAYS; age++) {
      const day = Temporal.PlainDate.from("2011-02-28").add({ days: age });
      const due = dueInstant(closeOf(day), subscription);
      const posted = byNonce.get(nonceOf(dailyReportKey(subscription, day))) ?? [];
      const isOwed =
        Temporal.Instant.compare(due, START) > 0 && Temporal.Instant.compare(due, end) <= 0;
      expect([subscription.target, day.toString(), posted.length]).toEqual([
        subscription.target,
        day.toString(),
        isOwed ? 1 : 0,
      ]);
      for (const { at } of posted) {
        const waitedMs = at.epochMilliseconds - due.epochMilliseconds;
        expect(waitedMs).toBeGreaterThanOrEqual(0);
        expect(waitedMs).toBeLessThanOrEqual(NIGHT_MS + LONGEST_BEAT_MS + 2 * LARGEST_STEP_MS);
      }
      owed += isOwed ? 1 : 0;
    }
  }
  expect(stage.channels.messages).toHaveLength(owed);
  console.log(
    `A simulated year of ${ZONES.length} zones, seed ${SEED}: ${owed} reports, ${ticks} ticks, ${seconds} s`,
  );
});

it("keeps the days in order around every change of offset of every zone, from 1970 to 2037", () => {
  const years = ["1970-01-01T00:00Z", "2038-01-01T00:00Z"] as const;
  expectInOrder(years, [5 * MINUTE, 50 * HOUR], (day, hour) => dueInstant(closeOf(day), hour));
});
