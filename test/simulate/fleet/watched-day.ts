import { HOUR } from "#src/shared/time.ts";
import type { Scheduler } from "#src/jobs/scheduler.ts";
import { openDatabase } from "#src/store/database.ts";
import { createDice } from "../dice.ts";
import { createVirtualTime, type VirtualTime } from "../virtual-time.ts";
import { createBotProcess } from "./bot-process.ts";
import { type CallBook, createCallBook } from "./call-book.ts";
import { connectFleet } from "./fleet.ts";
import { drawMeds, type Med } from "./meds.ts";
import { createModelDiscord } from "./model-discord.ts";
import { createModelService, type Span } from "./model-service.ts";
import { useVirtualTimers } from "./virtual-timers.ts";

/** Ten hours before the reports of 21:05 in São Paulo. */
const START = "2026-11-20T14:05:30Z";

export interface DayPlan {
  readonly seed: number;
  readonly sellers: number;
  readonly hours: number;
  readonly singleMeds: number;
  readonly bursts: number;
  readonly oldMeds: number;
  readonly serviceOutages?: (startMs: number) => readonly Span[];
  readonly discordOutages?: (startMs: number) => readonly Span[];
  readonly reportsHang?: (startMs: number) => readonly Span[];
  /** What else happens: processes that stop and start. The first one runs from the beginning. */
  readonly events?: (day: RunningDay) => void;
}

export interface RunningDay {
  readonly time: VirtualTime;
  readonly startMs: number;
  readonly start: () => Scheduler;
  readonly first: Scheduler;
}

/** One dispute that was announced: when, and after how long. */
export interface Announced {
  readonly med: Med;
  readonly afterMs: number;
}

export interface DayRecord {
  readonly startMs: number;
  readonly endMs: number;
  readonly calls: CallBook;
  /** Of the disputes that came within the day. */
  readonly announced: readonly Announced[];
  readonly unannounced: readonly Med[];
  readonly errors: readonly unknown[];
  readonly cpuSeconds: number;
  readonly heapMegabytes: number;
}

const medsBySeller = (meds: readonly Med[]): ReadonlyMap<number, readonly Med[]> =>
  Map.groupBy(meds, ({ seller }) => seller);

const NAMED = /INF\d{6}/;

/** Lives a day of a fleet of sellers: the real jobs and stores, between a model of the service and one of Discord. */
export const liveDay = async (plan: DayPlan): Promise<DayRecord> => {
  const dice = createDice(plan.seed);
  const time = createVirtualTime(START);
  const startMs = time.nowMs();
  const endMs = startMs + plan.hours * HOUR;
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const options = { clock: time.clock, random: dice, log: silent };
  const database = await openDatabase("sqlite::memory:", options);
  const since = time.clock.now().subtract({ hours: 24 });
  const stores = await connectFleet(database, dice, plan.sellers, since);
  const { sellers, singleMeds: single, bursts, oldMeds: old } = plan;
  const meds = drawMeds(dice, { sellers, startMs, endMs, single, bursts, old });
  const bySeller = medsBySeller(meds);
  const calls = createCallBook();
  const errors: unknown[] = [];
  const announcedMs = new Map<string, number>();
  const call = createModelService({
    time,
    dice,
    medsOf: (seller) => bySeller.get(seller) ?? [],
    outages: plan.serviceOutages?.(startMs) ?? [],
    reportsHang: plan.reportsHang?.(startMs) ?? [],
    onCall: (kind, key) => {
      calls.note(kind, key, time.nowMs());
    },
  });
  const discord = createModelDiscord({
    time,
    dice,
    outages: plan.discordOutages?.(startMs) ?? [],
    onPosted: (text) => {
      const id = NAMED.exec(text)?.[0];
      if (id !== undefined && !announcedMs.has(id)) announcedMs.set(id, time.nowMs());
    },
  });
  const restoreTimers = useVirtualTimers(time);
  const running = new Set<Scheduler>();
  const start = (): Scheduler => {
    const onError = (what: unknown) => void errors.push(what);
    const bot = createBotProcess({ time, dice, stores, call, discord, onError });
    bot.start();
    running.add(bot);
    return bot;
  };
  const before = process.cpuUsage();
  try {
    plan.events?.({ time, startMs, start, first: start() });
    if (running.size === 0) start();
    await time.run(endMs, () => false);
    const { user, system } = process.cpuUsage(before);
    const stopped = Promise.all([...running].map((bot) => bot.stop()));
    await time.run(endMs + HOUR, () => false);
    await stopped;
    const came = meds.filter(({ createdMs }) => createdMs >= startMs);
    return {
      startMs,
      endMs,
      calls,
      announced: came.flatMap((med) => {
        const atMs = announcedMs.get(med.id);
        return atMs === undefined ? [] : [{ med, afterMs: atMs - med.createdMs }];
      }),
      unannounced: came.filter(({ id }) => !announcedMs.has(id)),
      errors,
      cpuSeconds: (user + system) / 1e6,
      heapMegabytes: process.memoryUsage().heapUsed / 2 ** 20,
    };
  } finally {
    restoreTimers();
    await database.close();
  }
};
