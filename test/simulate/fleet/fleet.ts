import { HOUR } from "#src/shared/time.ts";
import { openDatabase, type OpenDatabase } from "#src/database/database.ts";
import { Secret } from "#src/shared/secret.ts";
import { openStores, type Stores } from "#src/stores.ts";
import { createDice, type Dice } from "../dice.ts";
import { createVirtualTime, type VirtualTime } from "../virtual-time.ts";
import { type BotNeeds, type BotProcess, createBotProcess } from "./bot-process.ts";
import { keyOf } from "./model-service.ts";
import { asRoute } from "../../support/samples.ts";

/** Half a minute after the reports of 21:05 in São Paulo become due. */
const REPORTS = "2026-11-21T00:05:30Z";
/** From the beginning of a fleet's day to its reports. */
const HOURS_TO_REPORTS = 10;

/** The sellers of a fleet with their stores, before its day begins. */
export const openFleet = async (plan: {
  readonly seed: number;
  readonly sellers: number;
  readonly hours: number;
  readonly hoursToReports?: number;
}) => {
  const dice = createDice(plan.seed);
  const hours = plan.hoursToReports ?? HOURS_TO_REPORTS;
  const start = Temporal.Instant.from(REPORTS).subtract({ hours });
  const time = createVirtualTime(start.toString());
  const startMs = time.nowMs();
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const options = { clock: time.clock, random: dice, log: silent };
  const database = await openDatabase("sqlite::memory:", options);
  const since = time.clock.now().subtract({ hours: 24 });
  const stores = await connectFleet(database, dice, plan.sellers, since);
  return { dice, time, startMs, endMs: startMs + plan.hours * HOUR, since, database, stores };
};

type Fleet = Awaited<ReturnType<typeof openFleet>>;

/** Lives a fleet's day with the processes that `begin` starts, and closes the fleet. */
export const liveFleet = async (
  { dice, time, endMs, database, stores }: Fleet,
  models: Pick<BotNeeds, "call" | "discord" | "withCalls">,
  begin: (start: () => BotProcess) => void,
) => {
  const errors: unknown[] = [];
  const restoreTimers = useVirtualTimers(time);
  const running: BotProcess[] = [];
  const start = (): BotProcess => {
    const onError = (what: unknown) => void errors.push(what);
    const bot = createBotProcess({ time, dice, stores, ...models, onError });
    bot.start();
    running.push(bot);
    return bot;
  };
  const before = process.cpuUsage();
  try {
    begin(start);
    await time.run(endMs, () => false);
    const { user, system } = process.cpuUsage(before);
    const stopped = Promise.all(running.map((bot) => bot.stop()));
    await time.run(endMs + HOUR, () => false);
    await stopped;
    const heapMegabytes = process.memoryUsage().heapUsed / 2 ** 20;
    return { errors, cpuSeconds: (user + system) / 1e6, heapMegabytes };
  } finally {
    restoreTimers();
    await database.close();
  }
};

export const SELLERS_PER_GUILD = 25;
const ADMIN = "u-admin";

/** Connects the sellers: half receive alerts in their guild's channel, half directly; all have reports at 21:05. */
const connectFleet = async (
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
    await stores.routes.save(...asRoute({ ...fixed, ...report }), since);
    const nobody = { roleId: undefined, pingSteps: [], quiet: undefined, slowNights: false };
    const alerts = { channelId: `alerts-${guild}`, timeZone, ...nobody };
    await stores.alertRoutes.save(...asRoute({ ...fixed, ...alerts }), since);
  }
  for (let seller = 0; seller < sellers; seller++) {
    const guildId = `g${Math.floor(seller / SELLERS_PER_GUILD)}`;
    const ownerId = `u${seller}`;
    const consent = { reportConsent: true, reportConsentAt: since, connectedAt: since };
    const account = { guildId, ownerId, connectedBy: ownerId, ownerVerified: true, ...consent };
    await stores.accounts.save(account, new Secret(keyOf(seller)), ownerId);
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
