import type { BotProcess } from "#src/sandbox/start-bot-process.ts";
import { type SeededRandom, seededRandom } from "../../simulate/seeded-random.ts";
import { lookWhileTimePasses } from "../look-while-time-passes.ts";
import type { DatabaseServer } from "./database.ts";
import { readJournal } from "./journal.ts";
import { decide, shop, withdrawInDashboard } from "./people.ts";
import { type MoneyStage, openMoneyStage, type Seller } from "./stage.ts";
import { judge, type MoneyVerdict } from "./verdict.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const READY_WITHIN_MS = 15_000;
const IDLE_MS = 1_200;
const SETTLING_ROUNDS = 90;
const HELD = "select id from withdraw_op where state in ('confirmed', 'sending')";

export interface MoneyRun extends MoneyVerdict {
  readonly kills: number;
  /** Kills that left an operation between its confirmation and what became of it. */
  readonly midway: number;
  readonly faults: number;
  readonly dashboard: number;
}

/** By how much time moves before the next life, each as likely as another: checks, a lease, an absence, a day. */
const MOVES = [
  [3 * SECOND, 20 * SECOND],
  [20 * SECOND, 60 * SECOND],
  [61 * SECOND, 119 * SECOND],
  [2 * MINUTE, 9 * MINUTE],
  [10 * MINUTE, 16 * MINUTE],
  [16 * MINUTE, 90 * MINUTE],
  [3 * HOUR, 25 * HOUR],
] as const;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A process that is killed before it was ready is no failure here. */
const readyOrDead = (bot: BotProcess): Promise<void> =>
  Promise.race([bot.ready.catch(() => {}), pause(READY_WITHIN_MS)]);

const kill = async (bot: BotProcess): Promise<void> => {
  bot.kill("SIGKILL");
  const { code, signal } = await bot.exited;
  if (signal !== "SIGKILL")
    throw new Error(`The bot ended by itself with ${code}:\n${bot.output()}`);
};

/** Frees the account if it waits for its owner's word, then withdraws. */
const actAs = async (
  stage: MoneyStage,
  seller: Seller,
  dice: SeededRandom,
  alive: { readonly now: boolean },
): Promise<void> => {
  await decide(stage, seller);
  if (alive.now) await shop(stage, seller, dice, alive);
};

/** Lives until a moment that is most often in the midst of a withdrawal. */
const untilTheMoment = async (
  stage: MoneyStage,
  dice: SeededRandom,
  bots: readonly BotProcess[],
): Promise<void> => {
  const moment = dice.between(0, 11);
  if (moment === 0) {
    // While it starts.
    await pause(dice.between(150, 450));
    return;
  }
  await Promise.all(bots.map(readyOrDead));
  const alive = { now: true };
  for (const seller of stage.sellers) {
    if (dice.fraction() < 0.2) withdrawInDashboard(stage, seller, dice);
    // Nobody waits for people: what they do ends when their bot does, or with the stage.
    actAs(stage, seller, dice, alive).catch(() => {});
  }
  if (moment <= 2) {
    // Among the reads before the confirmation, or among the checks.
    for (const bot of bots) bot.tick().catch(() => {});
    await Promise.race([stage.asked("GET", dice.between(1, 12)), pause(IDLE_MS)]);
  } else {
    await Promise.race([stage.asked("POST", dice.between(1, 2)), pause(IDLE_MS)]);
  }
  // From before the effect to after the answer is kept.
  await pause(dice.between(0, 6) ** 2);
  alive.now = false;
};

/** Lets the bots live, with everything working, until every operation has ended or patience ends. */
const settle = async (stage: MoneyStage, bots: readonly BotProcess[]): Promise<void> => {
  await Promise.all(bots.map((bot) => bot.ready));
  for (let round = 0; round < SETTLING_ROUNDS; round++) {
    stage.sandbox.clock.moveBy(round < 12 ? 7 * MINUTE : HOUR);
    await lookWhileTimePasses(stage.sandbox, bots);
    const { endless } = judge(await readJournal(stage.database), []);
    if (endless === 0) break;
  }
  for (const bot of bots) await bot.stop();
};

/** Kills processes of the real bot `kills` times while a third of the wallet's answers fail, then holds the books. */
export const moneyCrashLoop = async (
  server: DatabaseServer,
  kills: number,
  seed: number,
  onKill: () => void,
): Promise<MoneyRun> => {
  const dice = seededRandom(seed);
  const stage = await openMoneyStage(server);
  let killed = 0;
  let midway = 0;
  let held: ReadonlySet<unknown> = new Set();
  const begin = (): Promise<BotProcess[]> =>
    Promise.all(Array.from({ length: server.processes }, stage.startBot));
  let bots = await begin();
  try {
    for (let life = 0; killed < kills; life++) {
      stage.breakThings(seed + life);
      stage.sandbox.wallet.setLatency(dice.between(0, 12));
      await untilTheMoment(stage, dice, bots);
      const doomed = bots.filter(
        (_, index) => index === life % bots.length || dice.fraction() < 0.3,
      );
      await Promise.all(doomed.map(kill));
      killed += doomed.length;
      for (const _ of doomed) onKill();
      const left = new Set((await stage.database.query(HELD)).map(({ id }) => id));
      if ([...left].some((id) => !held.has(id))) midway++;
      held = left;
      // Hundreds of starts in an hour are this test's own: the bot is right to wait after them.
      await stage.database.query("delete from identify_start");
      const [least, most] = MOVES[dice.between(0, MOVES.length - 1)] ?? MOVES[0];
      stage.sandbox.clock.moveBy(dice.between(least, most));
      const survivors = bots.filter((bot) => !doomed.includes(bot));
      bots = [...survivors, ...(await Promise.all(doomed.map(stage.startBot)))];
    }
    stage.mendThings();
    stage.sandbox.wallet.setLatency(0);
    await settle(stage, bots);
    const books = stage.sellers.flatMap(({ id }) => stage.sandbox.wallet.executed(id));
    const verdict = judge(await readJournal(stage.database), books);
    const dashboard = books.filter(({ source }) => source === "dashboard").length;
    const faults = stage.sandbox.faults.count();
    return { ...verdict, kills: killed, midway, faults, dashboard };
  } finally {
    for (const bot of bots) bot.kill("SIGKILL");
    await stage.close();
  }
};
