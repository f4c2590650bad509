import { setTimeout as pause } from "node:timers/promises";
import type { BotProcess } from "#src/sandbox/start-bot-process.ts";
import type { Sandbox } from "#src/sandbox/start-sandbox.ts";

const LOOKED_EVERY_MS = 20;
/** A little more than lies between two calls of one account. */
const MOVED_BY_MS = 1_300;
/** All of them together are shorter than any lease, so that nobody loses what it holds by them. */
const MOST_MOVES = 30;

/**
 * Everything owed now is done or settled by these bots. What waits for an account's pace meanwhile waits in time that
 * runs many times as fast as real time, for a while.
 */
export const lookWhileTimePasses = async (
  { clock }: Pick<Sandbox, "clock">,
  bots: readonly BotProcess[],
): Promise<void> => {
  let isOver = false;
  const looks = Promise.all(bots.map((bot) => bot.tick())).finally(() => {
    isOver = true;
  });
  const passing = async (): Promise<void> => {
    for (let moves = 0; moves < MOST_MOVES; moves++) {
      await pause(LOOKED_EVERY_MS);
      if (isOver) return;
      clock.moveBy(MOVED_BY_MS);
    }
  };
  await Promise.all([looks, passing()]);
};
