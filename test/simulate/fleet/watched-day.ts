import { HOUR } from "#src/shared/time.ts";
import { openDatabase, type OpenDatabase } from "#src/database/database.ts";
import { Secret } from "#src/shared/secret.ts";
import { openStores, type Stores } from "#src/stores.ts";
import { createDice, type Dice } from "../dice.ts";
import { createVirtualTime, type VirtualTime } from "../virtual-time.ts";
import { type BotProcess, createBotProcess } from "./bot-process.ts";
import { type CallBook, createCallBook } from "./call-book.ts";
import { drawMeds, type Med } from "./meds.ts";
import { createModelDiscord } from "./model-discord.ts";
import { createModelService, keyOf, type Span } from "./model-service.ts";

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
  const running = new Set<BotProcess>();
  const start = (): BotProcess => {
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

const SELLERS_PER_GUILD = 25;
const ADMIN = "u-admin";

/** Connects the sellers: half receive alerts in their guild's channel, half directly; all have reports at 21:05. */
export const connectFleet = async (
  database: OpenDatabase,
  dice: Dice,
  sellers: number,
  since: Temporal.Instant,
): Promise<Stores> => {
  const ring = new Secret(`k1:${Buffer.from(dice.bytes(32)).toString("base64")}`);
  const stores = await openStores(database, ring, "https://wallet.example", dice);
  const timeZone = "America/Sao_Paulo";
  for (let guild = 0; guild * SELLERS_PER_GUILD < sellers; guild++) {
    const fixed = {
      guildId: `g${guild}`,
      active: true,
      locale: "pt-BR",
      updatedBy: ADMIN,
    } as const;
    const time = Temporal.PlainTime.from("21:05");
    const report = { channelId: `reports-${guild}`, time, timeZone, emptyChoice: "send" } as const;
    await stores.routes.save({ ...fixed, ...report }, since, ADMIN);
    const nobody = { roleId: undefined, pingSteps: [], quiet: undefined, slowNights: false };
    const alerts = { channelId: `alerts-${guild}`, timeZone, ...nobody };
    await stores.alertRoutes.save({ ...fixed, ...alerts }, since, ADMIN);
  }
  for (let seller = 0; seller < sellers; seller++) {
    const guildId = `g${Math.floor(seller / SELLERS_PER_GUILD)}`;
    const ownerId = `u${seller}`;
    const consent = { reportConsent: true, reportConsentAt: since, connectedAt: since };
    const account = { guildId, ownerId, connectedBy: ownerId, ownerVerified: true, ...consent };
    await stores.accounts.save(account, new Secret(keyOf(seller)));
    if (seller % 2 === 0) await stores.accounts.setAlerts(guildId, ownerId, "channel", since);
  }
  return stores;
};

/** Runs all timers of this thread in virtual time; the returned function restores the real ones. */
export const useVirtualTimers = (time: VirtualTime): (() => void) => {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const cancels = new WeakMap<object, () => void>();
  const set = (work: () => void, delayMs = 0): object => {
    const timer = { ref: () => timer, unref: () => timer };
    cancels.set(timer, time.after(delayMs, work));
    return timer;
  };
  const clear = (timer: object | undefined): void => {
    if (timer !== undefined) cancels.get(timer)?.();
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  return () => void Object.assign(globalThis, real);
};
