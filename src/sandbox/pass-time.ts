import { MINUTE, SECOND } from "../shared/time.ts";
import type { VirtualClock } from "./clock.ts";
import type { Demo } from "./start-demo.ts";

/** Longer than the bot waits between two calls of one account. */
const TURN_MS = 1.5 * SECOND;
/** In real time; meanwhile what waited is answered. */
const EVERY_MS = 20;
/** In sum less than the bot's leases last, however slow this machine is; then the clock runs as it is. */
const MOST_TURNS = 24;
/** After it an account that was asked for much may be asked at once again. */
const REST_MS = 10 * SECOND;
/** A day is passed in steps of two minutes; the bot counts as late after an hour. */
const MOST_STEPS = 720;

/**
 * Until `work` of the bot ends. It spaces its calls by the clock: while it waits for a turn the clock goes on, so that
 * nobody waits in real time.
 */
const hurry = async (clock: VirtualClock, work: Promise<void>): Promise<void> => {
  let turns = 0;
  const running = setInterval(() => {
    clock.moveBy(TURN_MS);
    if (++turns === MOST_TURNS) clearInterval(running);
  }, EVERY_MS);
  try {
    await work;
  } finally {
    clearInterval(running);
  }
};

/** The bot does all that is owed now. */
export const settle = async ({ sandbox: { clock }, power }: Demo): Promise<void> => {
  await hurry(clock, power.bot().tick());
  clock.moveBy(REST_MS);
  // A look that is under way when the clock jumps next would take what it read before for what is there after.
  await power.bot().tick();
};

/** The clock is moved on, and all that is owed then is done. */
export const pass = async (demo: Demo, ms: number): Promise<void> => {
  demo.sandbox.clock.moveBy(ms);
  await settle(demo);
};

/** Runs the clock up to `target`, in steps: in each the bot does all that is owed, so that nothing comes late. */
export const runClock = async (clock: VirtualClock, target: Temporal.Instant): Promise<void> => {
  const leftMs = (): number => target.epochMilliseconds - clock.now().epochMilliseconds;
  const stepMs = Math.max(MINUTE, Math.ceil(leftMs() / MOST_STEPS));
  for (let left = leftMs(); left > 0; left = leftMs())
    await hurry(clock, clock.moveAndSettle(Math.min(stepMs, left)));
};
