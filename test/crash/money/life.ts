import { setTimeout as pause } from "node:timers/promises";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { CHANNELS } from "#src/sandbox/world.ts";
import { SECOND, MINUTE, HOUR } from "#src/shared/time.ts";
import type { Dice } from "../../simulate/dice.ts";
import { readCharges, readJournal } from "./journal.ts";
import { decide, payCharges, shop, withdrawInDashboard } from "./people.ts";
import type { RealBot } from "./real-bot.ts";
import { judgeCharges, judgeNotices, type SellerBook } from "./sales-verdict.ts";
import { type MoneyStage, movesMoney, SALE_NOTICES, type Seller } from "./stage.ts";
import { judge, type MoneyVerdict, type RefundBook } from "./verdict.ts";

const READY_WITHIN_MS = 15_000;
/** Starting and reading takes that long on a busy machine. */
const IDLE_MS = 4_000;
/** The service and Discord have done by then what they received, with the longest latency of a life. */
const RECEIVED_MS = 30;
const SETTLING_ROUNDS = 900;
/** Rounds after the last end, in which a notice told twice would show. */
const QUIET_ROUNDS = 6;
/** Rounds without progress: the bot is given up with an open operation, or with notices alone. */
const STUCK_ROUNDS = 90;
const STUCK_NOTICES = 36;
const SHORT_LEAPS = 12;
/**
 * Slightly more than the pause between two calls of one account; repeated so often that a check gets most of its reads.
 */
const PACE_MS = 1_300;
const PACES = 15;
const PACED_EVERY_MS = 20;
/** Ten times real speed: an order needs more calls than one short-lived process may make. */
const HURRIED_MS = 10 * PACED_EVERY_MS;

/** Time between two processes, each range equally likely: checks, a lease, an absence, a day. */
const MOVES = [
  [3 * SECOND, 20 * SECOND],
  [20 * SECOND, 60 * SECOND],
  [61 * SECOND, 119 * SECOND],
  [2 * MINUTE, 9 * MINUTE],
  [10 * MINUTE, 16 * MINUTE],
  [16 * MINUTE, 90 * MINUTE],
  [3 * HOUR, 25 * HOUR],
] as const;

/** Time until the next process; a bot that is behind never skips a day. */
export const nextMove = (dice: Dice, behind = false): number => {
  const [least, most] = MOVES[dice.between(0, MOVES.length - (behind ? 2 : 1))] ?? MOVES[0];
  return dice.between(least, most);
};

/** Resolves when the bot is ready or was killed. */
const readyOrDead = (bot: RealBot): Promise<void> =>
  Promise.race([bot.ready.catch(() => {}), pause(READY_WITHIN_MS)]);

/** @throws Error when the bot ended in any way but by the signal. */
export const kill = async (bot: RealBot): Promise<void> => {
  bot.kill("SIGKILL");
  const { code, signal } = await bot.exited;
  if (signal !== "SIGKILL")
    throw new Error(`The bot ended by itself with ${code}:\n${bot.output()}`);
};

/** Lets time pass as for a machine that is suspended: no bot runs meanwhile, and none of its requests is under way. */
export const suspend = async (
  stage: MoneyStage,
  bots: readonly RealBot[],
  ms: number,
): Promise<void> => {
  for (const bot of bots) bot.kill("SIGSTOP");
  await pause(RECEIVED_MS);
  await stage.moveBy(ms);
  for (const bot of bots) bot.kill("SIGCONT");
};

/** Advances time at the accounts' pace while the bots live. */
const hurry = async (stage: MoneyStage, alive: { readonly now: boolean }): Promise<void> => {
  while (alive.now) {
    await stage.moveBy(HURRIED_MS);
    await pause(PACED_EVERY_MS);
  }
};

interface Aim {
  /** Requests that a kill follows. */
  readonly isWanted: (route: string) => boolean;
  /** At most how many of them. */
  readonly most: number;
}

const AIMS = {
  reads: { isWanted: (route) => route.startsWith("GET"), most: 12 },
  sales: { isWanted: (route) => route === "GET /v1/transactions", most: 8 },
  charges: { isWanted: (route) => route === "POST /v1/payment/create", most: 2 },
  refunds: { isWanted: (route) => route === "POST /v1/refund", most: 2 },
  money: { isWanted: movesMoney, most: 2 },
} as const satisfies Record<string, Aim>;

export type AimName = keyof typeof AIMS;

/** Each equally likely: mostly in the midst of a withdrawal; among the reads before it, or when sales are told. */
const MOMENTS: readonly (AimName | "start")[] = [
  ...(["start", "reads", "sales", "sales", "charges"] as const),
  ...Array.from({ length: 10 }, () => "money" as const),
];

/** How a planted bug shows in the lives of bots. */
export interface Symptom {
  /** Requests among which it shows. */
  readonly aim: AimName;
  /** Shows by a further request of a living bot, or by a notice that is missing after the bot has settled. */
  readonly shows?: "slowly" | "late";
}

const SLOW_REQUESTS = [2, 4] as const;

/** People withdraw and charge until a random moment, or one at which the symptom shows. */
export const untilTheMoment = async (
  stage: MoneyStage,
  dice: Dice,
  bots: readonly RealBot[],
  symptom?: Symptom,
): Promise<void> => {
  const moment = symptom?.aim ?? MOMENTS[dice.between(0, MOMENTS.length - 1)] ?? "start";
  if (moment === "start") {
    await pause(dice.between(150, 450));
    return;
  }
  await Promise.all(bots.map(readyOrDead));
  const alive = { now: true };
  const hurried = hurry(stage, alive);
  await payCharges(stage, dice);
  for (const seller of stage.sellers) {
    if (dice.fraction() < 0.2) withdrawInDashboard(stage, seller, dice);
    const act = async (): Promise<void> => {
      await decide(stage, seller);
      if (alive.now) await shop(stage, seller, dice, alive);
    };
    // Not awaited: these actions end with their bot or with the stage.
    act().catch(() => {});
  }
  if (moment === "reads" || moment === "sales") await stage.moveBy(MINUTE);
  const { isWanted, most } = AIMS[moment];
  const requests =
    symptom?.shows === "slowly" ? dice.between(...SLOW_REQUESTS) : dice.between(1, most);
  await Promise.race([stage.asked(isWanted, requests), pause(IDLE_MS)]);
  // From before the effect until after the answer is stored.
  await pause(dice.between(0, 6) ** 2);
  alive.now = false;
  await hurried;
};

const isPrivate = ({ privateTo }: StoredMessage): boolean => privateTo !== undefined;

const bookOf = (
  { sandbox: { wallet, discord } }: MoneyStage,
  { id: ownerId, sales }: Seller,
): SellerBook => {
  const charges = wallet.charges(ownerId);
  const paid = charges.flatMap(({ state, amountCents }) =>
    state === "approved" ? [amountCents] : [],
  );
  const refunds = wallet.refunds(ownerId).filter(({ at }) => at !== undefined);
  return {
    ownerId,
    charges,
    sold: [...sales.values(), ...paid],
    refunded: refunds.flatMap(({ txid }) => sales.get(txid) ?? []),
    directMessages: discord.directMessages(ownerId),
    answers: () =>
      discord
        .visibleTo(ownerId)
        .channels.flatMap(({ messages }) => messages)
        .filter(isPrivate),
  };
};

/** Compares the journal, the charges and what sellers were told with the service's current books. */
export const verdictOf = async (stage: MoneyStage): Promise<MoneyVerdict> => {
  const { wallet } = stage.sandbox;
  const books = stage.sellers.flatMap(({ id }) => wallet.executed(id));
  const refunds = stage.sellers.flatMap(({ id, sales, disputed }) => {
    const asked = new Map(wallet.refunds(id).map((each) => [each.txid, each]));
    return [...sales.keys()].map((txid): RefundBook => {
      const { times = 0, at } = asked.get(txid) ?? {};
      const isRefunded = at !== undefined;
      return { txid, times, isRefunded, isDisputed: disputed.has(txid) };
    });
  });
  const operations = judge(await readJournal(stage.database), books, refunds);
  const sellers = stage.sellers.map((seller) => bookOf(stage, seller));
  const { discord } = stage.sandbox;
  const cards = discord.messages(CHANNELS.geral.id);
  const charges = judgeCharges(await readCharges(stage.database), sellers, cards);
  const notices = judgeNotices(sellers, discord.messages(SALE_NOTICES.id));
  return {
    ...operations,
    ...charges,
    ...notices,
    double: operations.double + charges.double,
    wrong: operations.wrong + charges.wrong,
    endless: operations.endless + charges.endless,
    untold: charges.untold + notices.untold,
    toldTwice: charges.toldTwice + notices.toldTwice,
    findings: [...operations.findings, ...charges.findings, ...notices.findings],
  };
};

/**
 * Runs the bots without faults until every operation has ended, `isDone` and each sale is told, or the rounds are over,
 * then stops them.
 * @throws Error when a bot ends before it is stopped.
 */
export const settle = async (
  stage: MoneyStage,
  bots: readonly RealBot[],
  isDone = (): boolean => true,
): Promise<void> => {
  stage.mendThings();
  stage.sandbox.wallet.settings.latencyMs = 0;
  await Promise.all(bots.map((bot) => bot.ready));
  let [leaps, stuck, quiet, least] = [0, 0, 0, Infinity];
  for (let round = 0; round < SETTLING_ROUNDS; round++) {
    for (let paces = 0; paces < PACES; paces++) {
      await pause(PACED_EVERY_MS);
      await stage.moveBy(PACE_MS);
    }
    const { endless, untold } = await verdictOf(stage);
    stuck = endless + untold < least ? 0 : stuck + 1;
    least = Math.min(least, endless + untold);
    if (endless + untold === 0 && isDone()) quiet++;
    const isWaiting = endless > 0 || !isDone();
    if (quiet > QUIET_ROUNDS || stuck > (isWaiting ? STUCK_ROUNDS : STUCK_NOTICES)) break;
    // A leap ends leases and interrupts looks: none while the bot makes progress.
    if (stuck % 3 !== 2 && stuck < STUCK_NOTICES) continue;
    await suspend(stage, bots, isWaiting && ++leaps > SHORT_LEAPS ? HOUR : 7 * MINUTE);
  }
  for (const bot of bots) {
    const { code } = await bot.stop();
    if (code !== 0) throw new Error(`The bot stopped with ${code}:\n${bot.output()}`);
  }
};
