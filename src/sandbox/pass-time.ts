import { MINUTE, SECOND } from "../shared/time.ts";
import type { VirtualClock } from "./clock.ts";
import type { Demo } from "./start-demo.ts";

/** Longer than the bot waits between two calls of one account. */
const TURN_MS = 1.5 * SECOND;
/** Real milliseconds between two moves of the clock, in which waiting calls get their answers. */
const EVERY_MS = 20;
/** These moves together stay shorter than the bot's leases. */
const QUICK_TURNS = 24;
/** The later moves leave even a slow machine the time to end within a lease what it has begun. */
const THEN_EVERY_MS = 100;
/** After this rest an account that was read often may be read at once again. */
const REST_MS = 10 * SECOND;
/** A day passes in steps of two minutes; the bot calls a report late after an hour. */
const MOST_STEPS = 720;

/** Moves the clock until `work` ends: the bot spaces its calls by that clock, so its waits take no real time. */
const hurry = async (clock: VirtualClock, work: Promise<void>): Promise<void> => {
  let turns = 0;
  const moveOn = (): void => {
    clock.moveBy(TURN_MS);
    turns++;
    next = setTimeout(moveOn, turns < QUICK_TURNS ? EVERY_MS : THEN_EVERY_MS);
  };
  let next = setTimeout(moveOn, EVERY_MS);
  try {
    await work;
  } finally {
    clearTimeout(next);
  }
};

/** Lets the bot do all work that is due now. */
export const settle = async ({ sandbox: { clock }, power }: Demo): Promise<void> => {
  await hurry(clock, power.bot().tick());
  clock.moveBy(REST_MS);
  // A tick still under way at the next move of the clock would act on older answers.
  await hurry(clock, power.bot().tick());
};

/** Moves the clock, and lets the bot do all work that is due then. */
export const pass = async (demo: Demo, ms: number): Promise<void> => {
  demo.sandbox.clock.moveBy(ms);
  await settle(demo);
};

/** Moves the clock to the next 21:05:30 in Brasília, and lets the bot do all work that is due. */
export const passToEvening = async (demo: Demo): Promise<void> => {
  const { clock } = demo.sandbox;
  const local = clock.now().toZonedDateTimeISO("America/Sao_Paulo");
  const evening = local.withPlainTime("21:05:30");
  const isPast = Temporal.ZonedDateTime.compare(evening, local) <= 0;
  clock.moveTo((isPast ? evening.add({ days: 1 }) : evening).toInstant());
  await settle(demo);
};

/** Runs the clock up to `target` in steps; the bot does all due work in each, so that no message comes late. */
export const runClock = async (clock: VirtualClock, target: Temporal.Instant): Promise<void> => {
  const leftMs = (): number => target.epochMilliseconds - clock.now().epochMilliseconds;
  const stepMs = Math.max(MINUTE, Math.ceil(leftMs() / MOST_STEPS));
  for (let left = leftMs(); left > 0; left = leftMs())
    await hurry(clock, clock.moveAndSettle(Math.min(stepMs, left)));
};
