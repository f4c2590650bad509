import { createDice, type Dice } from "./dice.ts";
import { type CrashStage, FIRST_DAY, openCrashStage } from "./stage.ts";
import { judge, owedReports, type Verdict } from "./verdict.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** Beyond this the clock waits for the bot: reports are given up after seven days. */
const MOST_BEHIND_DAYS = 3;
const SETTLING_ROUNDS = 60;
const READY_WITHIN_MS = 15_000;

export interface CrashRun extends Verdict {
  readonly kills: number;
  readonly faults: number;
}

const missing = ({ sellers, sandbox, posts }: CrashStage): number =>
  judge(owedReports(sellers, FIRST_DAY, sandbox.clock.now()), posts()).lost;

/** By how much time moves: within a back-off, a lease or the trust in a nonce, beyond it, or on to the next reports. */
const nextMove = (dice: Dice, behind: boolean): number => {
  switch (dice.below(behind ? 3 : 5)) {
    case 0:
      return dice.between(2 * SECOND, 50 * SECOND);
    case 1:
      return dice.between(61 * SECOND, 115 * SECOND);
    case 2:
      return dice.between(6 * MINUTE, 30 * MINUTE);
    default:
      return DAY;
  }
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One life of the bot's process, from its start to a SIGKILL at a random moment of its work. */
const liveAndDie = async (stage: CrashStage, dice: Dice): Promise<void> => {
  const bot = await stage.startBot();
  // One in four dies while it starts; the others among reads, claims, posts and settlements.
  if (dice.below(4) === 0) await pause(dice.between(150, 450));
  else {
    await Promise.race([bot.ready, bot.exited, pause(READY_WITHIN_MS)]);
    if (dice.below(2) === 0) bot.tick().catch(() => {});
    // One life in eight lasts until the first retries.
    await pause(dice.below(8) === 0 ? dice.between(1_100, 2_300) : dice.between(0, 120));
  }
  bot.kill("SIGKILL");
  await bot.exited;
};

/** Lets the bot live, with everything working, until nothing is owed any more or patience ends. */
const settle = async (stage: CrashStage): Promise<void> => {
  const bot = await stage.startBot();
  await bot.ready;
  for (let round = 0; round < SETTLING_ROUNDS; round++) {
    stage.sandbox.clock.moveBy(11 * MINUTE);
    await bot.tick();
    if (missing(stage) === 0) break;
  }
  // What would be posted twice gets its chance.
  stage.sandbox.clock.moveBy(30 * MINUTE);
  await bot.tick();
  await bot.stop();
};

/** Kills the real bot's process `cycles` times while a third of the answers fail, then counts what people see. */
export const crashLoop = async (
  cycles: number,
  seed: number,
  entry: string | undefined,
  onCycle: () => void,
): Promise<CrashRun> => {
  const dice = createDice(seed);
  const stage = await openCrashStage(entry);
  try {
    for (let cycle = 0; cycle < cycles; cycle++) {
      const behind = missing(stage) > MOST_BEHIND_DAYS * stage.sellers.length;
      stage.sandbox.clock.moveBy(nextMove(dice, behind));
      stage.breakThings(seed + cycle);
      await liveAndDie(stage, dice);
      onCycle();
    }
    stage.mendThings();
    await settle(stage);
    const owed = owedReports(stage.sellers, FIRST_DAY, stage.sandbox.clock.now());
    return { ...judge(owed, stage.posts()), kills: cycles, faults: stage.sandbox.faults.count() };
  } finally {
    await stage.close();
  }
};
