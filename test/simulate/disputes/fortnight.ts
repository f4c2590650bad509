import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { createDice, type Dice } from "../dice.ts";
import type { BotWorld, Plant } from "./bot.ts";
import { SETTLES_MS } from "./judge-owed.ts";
import { LAST_CALL_MS } from "./known-truth.ts";
import type { DisputeStage } from "./stage.ts";
import { type SeedResult, sumOf } from "../run-seeds.ts";
import { CHANNELS, createSellers, type Seller, SELLERS, type Sellers } from "./sellers.ts";
import { drawWeather, type Weather } from "./weather.ts";
import { createWorld, START, type World } from "./world.ts";
import type { Standing, TrueDispute } from "./truth.ts";

const DAYS = 14;

export interface FortnightResult extends SeedResult {
  readonly posts: readonly string[];
  readonly disputes: number;
  readonly alerts: number;
  readonly repeats: number;
  readonly deaths: number;
  readonly downMs: number;
}

/** A process dies after some calls: around the critical ones, or during idle time. */
const drawReach = (dice: Dice, isOver: () => boolean): BotWorld["reach"] => {
  const mortal = dice.chance(0.6);
  const nervous = mortal && dice.chance(0.4);
  const slow = dice.chance(0.1) ? 0.01 : 0;
  const draw = (): number => (mortal ? dice.spread(20, 20_000) : Infinity);
  let fuse = draw();
  return (point) => {
    const calm = isOver();
    const matters = nervous && /post:|\.step:|\.keep:|\.settle:/.test(point);
    if (!calm && (--fuse <= 0 || (matters && dice.chance(0.04)))) {
      fuse = draw();
      return { dies: true, holdMs: 0 };
    }
    // The lease is checked in the same turn as the request; only the client can delay it.
    if (!point.endsWith(":before") || point.startsWith("posting.post")) {
      return { dies: false, holdMs: 0 };
    }
    const isHeld = !calm && slow > 0 && dice.chance(slow);
    // Different delays, because simultaneous calls would run in an order that depends on the stores' promises.
    return { dies: false, holdMs: isHeld ? dice.spread(10, 200 * SECOND) : dice.between(1, 9) };
  };
};

/** All actions of people and the service in two weeks, each with its time. */
const planFortnight = (world: World, sellers: Sellers, dice: Dice, present: readonly Seller[]) => {
  const { time, truth, bots, ledger } = world;
  const at = (work: () => unknown): void => {
    time.after(dice.between(MINUTE, DAYS * DAY), () => void work());
  };
  const anySeller = (): Seller => present[dice.between(0, present.length - 1)] ?? SELLERS[0];
  const times = (least: number, most: number, work: () => unknown): void => {
    for (let more = dice.between(least, most); more > 0; more--) at(work);
  };
  const merchants = [...new Set(world.keys.values())];
  const anyMerchant = (): string => merchants[dice.between(0, merchants.length - 1)] ?? "";
  for (let old = dice.between(0, 2); old > 0; old--) {
    openDispute(world, dice, anyMerchant(), dice.spread(MINUTE, 3 * DAY));
  }
  times(1, 4, () => openDispute(world, dice, anyMerchant(), 0));
  times(0, 2, () => sellers.choose(anySeller()));
  times(0, 1, sellers.saveRoute);
  times(0, 3, () => {
    const ids = [...truth.disputes.keys()];
    const id = ids[dice.between(0, Math.max(ids.length - 1, 0))];
    if (id !== undefined) void sellers.follow(anySeller(), id);
  });
  times(0, 8, () => {
    const cases = [...ledger.rows.values()].flatMap((row) => [...row.cases.values()]);
    const one = cases[dice.between(0, Math.max(cases.length - 1, 0))];
    if (one === undefined) return;
    const dueMs = one.known.at(time.nowMs())?.dueAt.epochMilliseconds ?? 0;
    const leftMs = dueMs - LAST_CALL_MS - time.nowMs();
    // Few would react under the last call by chance alone.
    const isLast = leftMs > 0 && dice.chance(0.7);
    const waitMs = isLast ? leftMs + dice.spread(MINUTE, 4 * HOUR) : 0;
    time.after(waitMs, () => void sellers.react(one));
  });
  if (dice.chance(0.2)) at(() => sellers.loseKey(anySeller()));
  times(0, 3, () => bots()[dice.between(0, Math.max(bots().length - 1, 0))]?.life.kill());
  // A power cut of all processes.
  if (dice.chance(0.3)) {
    at(() => {
      for (const { life } of bots().toReversed()) life.kill();
    });
  }
};

interface FortnightOptions {
  readonly plant?: Plant;
  readonly everyMinute?: boolean;
}

/** Two simulated weeks of one seed, then two calm days in which everything owed is posted. */
export const simulateFortnight = async (
  stage: DisputeStage,
  seed: number,
  { plant = (parts) => parts, everyMinute = false }: FortnightOptions = {},
): Promise<FortnightResult> => {
  const dice = createDice(seed);
  let isOver = false;
  const startMs = Temporal.Instant.from(START).epochMilliseconds;
  const people = SELLERS.map(({ userId }) => userId);
  const rough = drawWeather(dice, startMs, CHANNELS, people);
  const weather: Weather = {
    ...rough,
    readFails: () => !isOver && rough.readFails(),
    postFate: (nowMs) => (isOver ? "answered" : rough.postFate(nowMs)),
  };
  let downMs = 0;
  const world = await createWorld({
    stage,
    dice,
    weather,
    processes: dice.chance(0.5) ? 1 : 2,
    reach: drawReach(dice, () => isOver),
    restartMs: () => {
      const ms = isOver
        ? SECOND
        : dice.chance(0.2)
          ? dice.spread(HOUR, 3 * DAY)
          : dice.spread(SECOND, HOUR);
      downMs += ms;
      return ms;
    },
    plant,
    everyMinute,
  });
  const present = SELLERS.slice(0, dice.between(1, 3));
  const isShared = dice.chance(0.15);
  const sellers = createSellers(world, dice, ({ merchant }) =>
    isShared && merchant === "bruno" ? "ana" : merchant,
  );
  const begin = async (): Promise<void> => {
    if (dice.chance(0.75)) await sellers.saveRoute();
    for (const seller of present) {
      await sellers.connect(
        seller,
        `${isShared && seller.merchant === "bruno" ? "ana" : seller.merchant}/0`,
      );
      if (dice.chance(0.7)) await sellers.choose(seller);
    }
    planFortnight(world, sellers, dice, present);
  };
  world.time.after(0, () => void begin());
  await world.run(DAYS * DAY);
  isOver = true;
  await world.run(SETTLES_MS);
  const { violations, trace, discord, truth, ledger } = world;
  const all = [...ledger.rows.values()].flatMap((row) => [...row.cases.values()]);
  const told = all.flatMap((own) => own.told).filter(({ messages }) => messages.length > 0);
  return {
    seed,
    violations,
    trace,
    posts: discord.messages.map(
      ({ atMs, channelId, body }) => `${atMs} ${channelId} ${JSON.stringify(body)}`,
    ),
    disputes: truth.disputes.size,
    alerts: told.length,
    repeats: told.filter(({ isRepeat }) => isRepeat).length,
    deaths: trace.filter((line) => line.endsWith("dies")).length,
    downMs,
  };
};

export const fortnightFigures = (fortnights: readonly FortnightResult[]): string =>
  `${sumOf(fortnights, "disputes")} disputes, ${sumOf(fortnights, "alerts")} alerts, ` +
  `${sumOf(fortnights, "repeats")} marked repeats, ${sumOf(fortnights, "deaths")} deaths, ` +
  `${(sumOf(fortnights, "downMs") / DAY).toFixed(0)} days of processes that were down`;

/** The future of a dispute, with a time for each event. */
const answerAndDecide = (world: World, dice: Dice, dispute: TrueDispute): void => {
  const { time, truth } = world;
  const { dueMs } = truth.now(dispute);
  const nowMs = time.nowMs();
  const later = (atMs: number, change: Partial<Standing>): void => {
    time.after(atMs - nowMs, () => {
      const { status, analysis } = truth.now(dispute);
      const isOver = status === "canceled" || analysis !== "pending";
      if (isOver || (change.status !== undefined && status !== "pending")) return;
      truth.change(dispute, change);
    });
  };
  const leftMs = Math.max(dueMs - nowMs, MINUTE);
  const isAnswered = dice.chance(0.55);
  const answerMs = nowMs + dice.between(SECOND, leftMs);
  if (isAnswered) later(answerMs, { status: dice.pick(["disagreed", "disagreed", "agreed"]) });
  if (dice.chance(0.1)) {
    const atMs = nowMs + dice.spread(MINUTE, 10 * DAY);
    later(atMs, { status: "canceled" });
    // The bank may accept what was cancelled.
    if (dice.chance(0.5)) {
      time.after(atMs - nowMs + dice.spread(MINUTE, 3 * DAY), () => {
        const { status, analysis } = truth.now(dispute);
        if (status === "canceled" && analysis === "pending")
          truth.change(dispute, { analysis: "accepted" });
      });
    }
  }
  if (dice.chance(0.03)) later(nowMs + dice.spread(MINUTE, 10 * DAY), { status: "in_review" });
  if (dice.chance(0.7)) {
    const fromMs = isAnswered ? answerMs : dice.chance(0.5) ? dueMs : nowMs;
    const analysis = dice.pick(["accepted", "rejected"] as const);
    later(Math.max(fromMs, nowMs) + dice.spread(SECOND, 5 * DAY), { analysis });
  }
  if (dice.chance(0.15)) {
    time.after(dice.spread(MINUTE, 2 * leftMs), () => {
      const standing = truth.now(dispute);
      if (standing.status !== "pending" || standing.analysis !== "pending") return;
      const shiftMs = dice.spread(10 * MINUTE, 5 * DAY) * (dice.chance(0.7) ? 1 : -1);
      truth.change(dispute, { dueMs: standing.dueMs + shiftMs });
    });
  }
};

/** `ageMs`: age of the dispute before it becomes visible. */
const openDispute = (world: World, dice: Dice, merchant: string, ageMs: number): void => {
  const { time, truth } = world;
  const createdMs = time.nowMs() - ageMs;
  const isOverdue = dice.chance(0.06);
  const leftMs = isOverdue ? -dice.spread(MINUTE, DAY) : dice.spread(20 * MINUTE, 10 * DAY);
  const isOld = ageMs > 0 && dice.chance(0.5);
  const standing: Standing = {
    status: isOld ? dice.pick(["agreed", "disagreed", "canceled"]) : "pending",
    analysis: isOld && dice.chance(0.5) ? dice.pick(["accepted", "rejected"]) : "pending",
    dueMs: time.nowMs() + leftMs,
  };
  answerAndDecide(world, dice, truth.open(merchant, createdMs, standing));
};
