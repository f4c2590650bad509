import type { Posting } from "#src/delivery/delivery.ts";
import type { DisputeReads } from "./model-wallet.ts";
import { settlementHooks } from "#src/bot-jobs.ts";
import { createDeliver, createSignal, type DeliverNeeds } from "#src/delivery/deliver.job.ts";
import { createRevalidateAlert } from "#src/disputes/revalidate-alert.job.ts";
import { createDisputeWatch } from "#src/disputes/dispute-watch.job.ts";
import { createDisputeReminders } from "#src/disputes/dispute-reminders.service.ts";
import { createDisputeReading } from "#src/disputes/dispute-reading.service.ts";
import { MINUTE } from "#src/shared/time.ts";
import { noMetrics } from "#src/shared/metrics.ts";
import { WalletError } from "#src/shared/errors.ts";
import { createLife, type Life, type LifeOptions, seamed } from "../process-life.ts";
import type { VirtualTime } from "../virtual-time.ts";
import type { DisputePorts } from "./stage.ts";

type Services = Pick<ReturnType<typeof createDisputeReading>, "detail"> &
  ReturnType<typeof createDisputeReminders>;

/** One process of the bot with the real jobs, and the real services behind its buttons. */
export interface Bot {
  readonly name: string;
  readonly life: Life;
  readonly services: Services;
  /** The scheduler's work of every minute. */
  readonly beat: () => void;
}

/** The parts of a process; a plant changes them like a mistake in the code. */
export interface BotParts {
  readonly jobs: DisputePorts;
  readonly people: DisputePorts;
  readonly wallet: DisputeReads;
  readonly posting: Posting;
  readonly stillTrue: DeliverNeeds["revalidate"] | undefined;
}

export type Plant = (parts: BotParts) => BotParts;

export interface BotWorld {
  readonly time: VirtualTime;
  readonly parts: BotParts;
  readonly plant: Plant;
  readonly reach: LifeOptions["reach"];
  readonly onDeath: (name: string) => void;
  readonly onBroken: (error: unknown) => void;
  /** A run was skipped because the previous one is still in progress. */
  readonly onBusy: () => void;
}

const MOMENT_MS = 100;

const unused = (): never => {
  throw new Error("Nobody reports sales here");
};

export const startBot = (world: BotWorld, name: string): Bot => {
  const { time, onBroken } = world;
  const { clock } = time;
  const onDeath = (): void => {
    world.onDeath(name);
  };
  const life = createLife({ reach: world.reach, sleep: time.sleep, onDeath });
  const error = (fields: { readonly err?: unknown }): void => {
    const isExpected = fields.err === undefined || fields.err instanceof WalletError;
    if (life.isAlive() && !isExpected) onBroken(fields.err);
  };
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error } as DeliverNeeds["log"];
  const behindSeams = ({ accounts, watch, routes, outbox, skipPolls }: DisputePorts) => ({
    accounts: seamed(life, "accounts", accounts),
    watch: seamed(life, "watch", watch),
    routes: seamed(life, "routes", routes),
    outbox: seamed(life, "outbox", outbox),
    skipPolls,
  });
  const parts = world.plant({
    jobs: behindSeams(world.parts.jobs),
    people: behindSeams(world.parts.people),
    wallet: seamed(life, "wallet", world.parts.wallet),
    posting: seamed(life, "posting", world.parts.posting),
    stillTrue: world.parts.stillTrue,
  });
  const { wallet, posting, people: asked } = parts;
  const { accounts, watch, routes, outbox } = parts.jobs;
  const common = { clock, log, accounts };
  const deliver = createDeliver({
    ...common,
    metrics: noMetrics,
    owner: name,
    outbox,
    posting,
    hooks: settlementHooks({
      clock,
      accounts,
      charges: { cardShows: unused, find: unused, posted: unused },
      outbox: { ...outbox, enqueueEach: unused },
      alertRoutes: routes,
      presences: { hasLeft: unused },
      routes: { find: unused, suspend: unused, lift: unused, owners: unused },
      keyOffers: { end: unused, find: unused },
      saleRoutes: { find: unused, suspend: unused, owners: unused },
    }),
    revalidate:
      parts.stillTrue ??
      createRevalidateAlert({ ...common, watch, routes, wallet, onOwed: () => void wake() }),
  });
  const stopping = new AbortController().signal;
  const news = createSignal();
  let delivering: Promise<void> | undefined;
  let wokenAgain = false;
  const deliverAll = async (): Promise<void> => {
    while (wokenAgain) {
      wokenAgain = false;
      await deliver({ stopping, news, retryAt });
    }
    delivering = undefined;
  };
  const wake = async (): Promise<void> => {
    wokenAgain = true;
    news.ring();
    delivering ??= deliverAll();
    await delivering;
  };
  /** Stands for the alarm between two beats. */
  const retryAt = (instant: Temporal.Instant): void => {
    const moment = Math.ceil(instant.epochMilliseconds / MOMENT_MS) * MOMENT_MS;
    const waitMs = Math.max(moment - time.nowMs(), MOMENT_MS);
    if (waitMs < MINUTE) time.after(waitMs, () => void (life.isAlive() && wake()));
  };
  const job = createDisputeWatch({ ...common, watch, routes, wallet, onOwed: () => void wake() });
  let isLooking = false;
  const look = async (): Promise<void> => {
    isLooking = true;
    await Promise.all([job.poll(stopping), job.remind(), wake()]);
    await wake();
    isLooking = false;
  };
  const needs = {
    clock,
    wallet: { ...wallet, salesReport: unused },
    find: asked.accounts.find,
    findWithKey: asked.accounts.findWithKey,
    ofOwner: asked.accounts.ofOwner,
    ofWatch: asked.accounts.ofWatch,
    apiKey: asked.accounts.apiKey,
    resume: asked.accounts.resume,
    log: common.log,
    watched: asked.watch,
    products: async () => new Map<string, string>(),
  };
  const reading = createDisputeReading(needs);
  return {
    name,
    life,
    services: { ...reading, ...createDisputeReminders({ ...needs, open: reading.open }) },
    beat: () => {
      if (!life.isAlive()) return;
      wake().catch(onBroken);
      job.remind().catch(onBroken);
      // The next beat catches up.
      if (isLooking) world.onBusy();
      else look().catch(onBroken);
    },
  };
};
