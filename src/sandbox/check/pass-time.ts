import { SECOND } from "../../shared/duration.ts";
import type { Demo } from "../start-demo.ts";

/** Longer than the bot waits between two calls of one account. */
const STEP_MS = 1.5 * SECOND;
/** In real time; meanwhile what waited is answered. */
const EVERY_MS = 20;
/** In sum less than the bot's leases last, however slow this machine is; then the clock runs as it is. */
const MOST_STEPS = 24;
/** After it an account that was asked for much may be asked at once again. */
const REST_MS = 10 * SECOND;

/**
 * The bot does all that is owed now. It spaces its calls by the clock: while it waits for a turn the clock goes on, so
 * that nobody waits in real time.
 */
export const settle = async ({ sandbox: { clock }, bot }: Demo): Promise<void> => {
  let steps = 0;
  const running = setInterval(() => {
    clock.moveBy(STEP_MS);
    if (++steps === MOST_STEPS) clearInterval(running);
  }, EVERY_MS);
  try {
    await bot().tick();
  } finally {
    clearInterval(running);
  }
  clock.moveBy(REST_MS);
  // A look that is under way when the clock jumps next would take what it read before for what is there after.
  await bot().tick();
};

/** The clock is moved on, and all that is owed then is done. */
export const pass = async (demo: Demo, ms: number): Promise<void> => {
  demo.sandbox.clock.moveBy(ms);
  await settle(demo);
};
