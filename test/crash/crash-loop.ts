import { SECOND, MINUTE, HOUR, DAY } from "#src/shared/time.ts";
import { type Dice, createDice } from "../simulate/dice.ts";
import { type CloseVerdict, dueCloses, judgeCloses, unposted } from "./close-verdict.ts";
import { START, type CrashStage, FIRST_DAY, openCrashStage, POST } from "./stage.ts";
import { lookWhileTimePasses } from "./look-while-time-passes.ts";
import { judge, owedReports, type Verdict } from "./verdict.ts";

/** Beyond this the clock waits for the bot, because reports are dropped after seven days. */
const MOST_BEHIND_DAYS = 3;
/** The same for closes, which are not owed after three weeks. */
const CLOSE_BEHIND_DAYS = 14;
const FIRST_CLOSE_WITHIN_MS = 7 * DAY;
const SETTLING_ROUNDS = 60;
const READY_WITHIN_MS = 15_000;
/** Jobs begin a quarter of a second after the bot starts listening. */
const IDLE_MS = 600;

export interface CrashRun extends Verdict, CloseVerdict {
  readonly kills: number;
  /** Kills that hit a delivery between claim and settlement. */
  readonly midway: number;
  readonly faults: number;
}

const judged = ({ sellers, sandbox, posts, directReports }: CrashStage): Verdict =>
  judge(owedReports(sellers, FIRST_DAY, sandbox.clock.now()), posts(), directReports());

const judgedCloses = ({ sandbox, closings }: CrashStage): CloseVerdict => {
  const verdicts = closings().map(({ posts, unsent }) =>
    judgeCloses(START, sandbox.clock.now(), posts, unsent),
  );
  const sumOf = (figure: keyof CloseVerdict) =>
    verdicts.reduce((sum, verdict) => sum + verdict[figure], 0);
  return {
    closesOwed: sumOf("closesOwed"),
    closesPosted: sumOf("closesPosted"),
    closesLost: sumOf("closesLost"),
    closesTwice: sumOf("closesTwice"),
  };
};

const missing = (stage: CrashStage): number => judged(stage).lost;

/** Closes that fell due until then and are not posted now. */
const missingCloses = ({ closings }: CrashStage, due: Temporal.Instant): number =>
  closings().flatMap(({ posts, unsent }) => unposted(dueCloses(START, due), posts, unsent)).length;

const isBehind = (stage: CrashStage): boolean => {
  const longAgo = stage.sandbox.clock.now().subtract({ milliseconds: CLOSE_BEHIND_DAYS * DAY });
  return (
    missing(stage) > MOST_BEHIND_DAYS * stage.sellers.length || missingCloses(stage, longAgo) > 0
  );
};

/** Back-off; a lease that expires while the nonce is still valid; an expired nonce; the next reports. */
const MOVES = {
  retry: [2 * SECOND, 50 * SECOND],
  nonce: [61 * SECOND, 115 * SECOND],
  history: [6 * MINUTE, 30 * MINUTE],
  day: [DAY, DAY],
} as const;

/** How far time moves before the next process starts. */
const nextMove = (dice: Dice, underWay: boolean, behind: boolean): number => {
  const afresh = behind ? "history" : "day";
  const kinds = underWay
    ? (["nonce", "nonce", "nonce", "nonce", "history", afresh] as const)
    : (["retry", "nonce", "history", afresh, afresh, afresh] as const);
  const [least, most] = MOVES[kinds[dice.between(0, kinds.length - 1)] ?? afresh];
  return dice.between(least, most);
};

/** A close whose days are missing waits for half an hour and ten runs of one process. */
const LONG_LIFE = { moves: 12, ms: 3 * MINUTE, waitMs: 500 } as const;

/** A tick whose requests hang takes longer. */
const TICK_WITHIN_MS = 3_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One process of the bot, from start to a SIGKILL at a random moment, mostly in the midst of work. */
const liveAndDie = async (stage: CrashStage, dice: Dice): Promise<void> => {
  const bot = await stage.startBot();
  // A process killed before it was ready is expected here.
  const ready = Promise.race([bot.ready.catch(() => {}), pause(READY_WITHIN_MS)]);
  const closesMissing = missingCloses(stage, stage.sandbox.clock.now()) > 0;
  const kind = closesMissing && dice.between(0, 1) === 0 ? "close" : dice.between(0, 9);
  switch (kind) {
    case "close": {
      // Between the mark of a close and its post.
      const looked = ready.then(() => Promise.race([bot.tick(), pause(TICK_WITHIN_MS)]));
      await stage.closeMarked(looked.catch(() => {}));
      await pause(dice.between(0, 5) ** 2);
      break;
    }
    case 0:
      await pause(dice.between(150, 450));
      break;
    case 1:
      // After its first retries.
      await ready;
      await pause(dice.between(1_100, 2_300));
      break;
    case 2:
    case 3:
      await ready;
      bot.tick().catch(() => {});
      await pause(dice.between(0, 120));
      break;
    case 4:
    case 5:
      // Between a post and its settlement; settlements are batched for up to 150 ms.
      await Promise.race([
        stage.workBegun(dice.between(1, 2), POST),
        ready.then(() => pause(IDLE_MS)),
      ]);
      await pause(dice.between(0, 12) ** 2);
      break;
    case 6:
    case 7:
      await ready;
      for (let moves = dice.between(LONG_LIFE.moves / 2, LONG_LIFE.moves); moves > 0; moves--) {
        stage.sandbox.clock.moveBy(LONG_LIFE.ms);
        await Promise.race([bot.tick().catch(() => {}), pause(LONG_LIFE.waitMs)]);
      }
      await pause(dice.between(0, 120));
      break;
    default:
      // Among reads, claims, posts and settlements, or after `IDLE_MS` when there is no work.
      await Promise.race([stage.workBegun(dice.between(1, 8)), ready.then(() => pause(IDLE_MS))]);
      // A post takes a few milliseconds, so early kills are the most likely.
      await pause(dice.between(0, 5) ** 2);
  }
  bot.kill("SIGKILL");
  const { code, signal } = await bot.exited;
  if (signal !== "SIGKILL")
    throw new Error(`The bot ended by itself with ${code}:\n${bot.output()}`);
};

/** Runs the bot without faults until the first close is due, and kills it between the close's mark and its post. */
const dieAtFirstClose = async (stage: CrashStage): Promise<void> => {
  const { clock } = stage.sandbox;
  const [first] = dueCloses(START, clock.now().add({ milliseconds: FIRST_CLOSE_WITHIN_MS }));
  if (first === undefined) throw new Error("No close within a week");
  const reader = await stage.startBot();
  await reader.ready;
  while (clock.now().until(first.dueAt).total("hours") > 12) {
    clock.moveBy(12 * HOUR);
    await lookWhileTimePasses(stage.sandbox, [reader]);
    clock.moveBy(MINUTE);
    await lookWhileTimePasses(stage.sandbox, [reader]);
  }
  await reader.stop();
  clock.moveTo(first.dueAt.add({ minutes: 1 }));
  const bot = await stage.startBot();
  await stage.closeMarked(bot.ready.then(bot.tick).catch(() => {}));
  bot.kill("SIGKILL");
  await bot.exited;
};

/** Runs the bot without faults until all reports and closes are posted, or `SETTLING_ROUNDS` are over. */
const settle = async (stage: CrashStage): Promise<void> => {
  const bot = await stage.startBot();
  await bot.ready;
  for (let round = 0; round < SETTLING_ROUNDS; round++) {
    stage.sandbox.clock.moveBy(11 * MINUTE);
    await lookWhileTimePasses(stage.sandbox, [bot]);
    if (missing(stage) + missingCloses(stage, stage.sandbox.clock.now()) === 0) break;
  }
  // Gives a possible duplicate the time to appear.
  stage.sandbox.clock.moveBy(30 * MINUTE);
  await lookWhileTimePasses(stage.sandbox, [bot]);
  await bot.stop();
};

/**
 * Kills the real bot `cycles` times while a third of the answers fail, then compares the channel with the
 * reports and closes owed.
 */
export const crashLoop = async (
  cycles: number,
  seed: number,
  entry?: string,
): Promise<CrashRun> => {
  const dice = createDice(seed);
  const stage = await openCrashStage(entry);
  let midway = 0;
  let claims: readonly string[] = [];
  let caught = false;
  try {
    await dieAtFirstClose(stage);
    for (let cycle = 0; cycle < cycles; cycle++) {
      stage.sandbox.clock.moveBy(nextMove(dice, caught, isBehind(stage)));
      stage.breakThings(seed + cycle);
      await liveAndDie(stage, dice);
      const left = stage.underWay();
      caught = left.some((claim) => !claims.includes(claim));
      claims = left;
      if (caught) midway++;
    }
    stage.mendThings();
    await settle(stage);
    const faults = stage.sandbox.faults.count();
    return { ...judged(stage), ...judgedCloses(stage), kills: cycles + 1, midway, faults };
  } finally {
    await stage.close();
  }
};
