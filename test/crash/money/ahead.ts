import { openSync, readSync } from "node:fs";
import { flushCompileCache, registerHooks } from "node:module";
import { timersAheadBy } from "#src/sandbox/clock.ts";
import { PLANTED, type PlantedName, plant } from "./planted.ts";

/**
 * Preloaded before `src/main.ts`, which stays unchanged: shifts the machine's clock and the timers that wait for a
 * minute or for an account's pace by the offset in the parent's file, which a process that was suspended sees at once.
 * The parent's messages wake the timers. `CRASH_PLANTED` names a bug to plant.
 */
const TIMERS = Symbol.for("balcao.crash.timers");
const AHEAD =
  /\/(src\/scheduler\/wake-timer\.ts|src\/wallet\/timers\.ts|node_modules\/node-cron\/dist\/_shared\.js)$/;

const file = openSync(process.env["CRASH_OFFSET_FILE"] ?? "", "r");
const read = new Float64Array(1);
const offsetMs = (): number => {
  readSync(file, read, 0, read.byteLength, 0);
  return read[0] ?? 0;
};
const listeners = new Set<() => void>();
process.on("message", () => {
  for (const listener of listeners) listener();
});
// The bot is useless without its sandbox.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.channel?.unref();

// A killed process would lose its compile cache and make every start as slow as the first.
const COMPILED_AFTER_MS = 1_500;
setTimeout(flushCompileCache, COMPILED_AFTER_MS).unref();

const machineNow = Temporal.Now.instant.bind(Temporal.Now);
Object.defineProperty(Temporal.Now, "instant", {
  value: () => machineNow().add({ milliseconds: offsetMs() }),
});

const ahead = timersAheadBy({
  offsetMs,
  onMove: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
});
/** node-cron's clock. */
class DateAhead extends Date {
  constructor(...given: readonly [] | readonly [number]) {
    super(given.length === 0 ? DateAhead.now() : given[0]);
  }
  static override now(): number {
    return Date.now() + offsetMs();
  }
}
Reflect.set(globalThis, TIMERS, {
  Date: DateAhead,
  performance: { now: ahead.now },
  setTimeout: (work: () => void, ms: number) => {
    const timer = { cancel: ahead.after(ms, work), unref: () => timer };
    return timer;
  },
  clearTimeout: (timer: { cancel: () => void } | undefined) => timer?.cancel(),
});
const OF_TIMERS = `const { Date, setTimeout, clearTimeout, performance } = globalThis[Symbol.for("${TIMERS.description ?? ""}")];`;

const bug = PLANTED[process.env["CRASH_PLANTED"] as PlantedName];
registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    const isPlanted =
      (bug as typeof bug | undefined) !== undefined && url.endsWith(`/${bug.module}`);
    if (!isPlanted && !AHEAD.test(url)) return loaded;
    const text = new TextDecoder().decode(loaded.source as Uint8Array);
    const source = isPlanted ? plant(bug, text) : text;
    return { ...loaded, source: AHEAD.test(url) ? `${OF_TIMERS} ${source}` : source };
  },
});
