import type { VirtualTime } from "../virtual-time.ts";
import type { BotProcess } from "./bot-process.ts";
import { type CallBook, createCallBook } from "./call-book.ts";
import { liveFleet, openFleet } from "./fleet.ts";
import { drawMeds, type Med } from "./meds.ts";
import { createModelDiscord } from "./model-discord.ts";
import { createModelService, type Span } from "./model-service.ts";

export interface DayPlan {
  readonly seed: number;
  readonly sellers: number;
  readonly hours: number;
  readonly hoursToReports?: number;
  readonly singleMeds: number;
  readonly bursts: number;
  readonly oldMeds: number;
  readonly serviceOutages?: (startMs: number) => readonly Span[];
  readonly discordOutages?: (startMs: number) => readonly Span[];
  readonly reportsHang?: (startMs: number) => readonly Span[];
  /** Further events: processes that stop and start. The first process runs from the beginning. */
  readonly events?: (day: RunningDay) => void;
}

interface RunningDay {
  readonly time: VirtualTime;
  readonly startMs: number;
  readonly start: () => BotProcess;
  readonly first: BotProcess;
}

export interface Announced {
  readonly med: Med;
  readonly afterMs: number;
}

export interface DayRecord {
  readonly startMs: number;
  readonly endMs: number;
  readonly calls: CallBook;
  /** Only disputes opened within the day. */
  readonly announced: readonly Announced[];
  readonly unannounced: readonly Med[];
  readonly errors: readonly unknown[];
  readonly cpuSeconds: number;
  readonly heapMegabytes: number;
}

const medsBySeller = (meds: readonly Med[]): ReadonlyMap<number, readonly Med[]> =>
  Map.groupBy(meds, ({ seller }) => seller);

const NAMED = /INF\d{6}/;

/** Simulates a day of a fleet of sellers: the real jobs and stores, between models of the service and of Discord. */
export const liveDay = async (plan: DayPlan): Promise<DayRecord> => {
  const fleet = await openFleet(plan);
  const { dice, time, startMs, endMs } = fleet;
  const { sellers, singleMeds: single, bursts, oldMeds: old } = plan;
  const meds = drawMeds(dice, { sellers, startMs, endMs, single, bursts, old });
  const bySeller = medsBySeller(meds);
  const calls = createCallBook();
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
  const lived = await liveFleet(fleet, { call, discord }, (start) => {
    if (plan.events === undefined) start();
    else plan.events({ time, startMs, start, first: start() });
  });
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
    ...lived,
  };
};
