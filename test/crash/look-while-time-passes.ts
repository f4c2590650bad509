import { setTimeout as pause } from "node:timers/promises";
import type { BotProcess } from "#src/sandbox/start-bot-process.ts";
import type { Sandbox } from "#src/sandbox/start-sandbox.ts";

const LOOKED_EVERY_MS = 20;
/** Slightly more than the pause between two calls of one account. */
const MOVED_BY_MS = 1_300;
/** All moves together are shorter than any lease, so that no claim expires because of them. */
const MOST_MOVES = 30;

/**
 * Resolves when these bots have finished all due work. Virtual time runs fast for a while, so that work waiting for an
 * account's rate limit gets its turn.
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
