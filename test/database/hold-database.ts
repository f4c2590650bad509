import { flushCompileCache } from "node:module";
import { openDatabase } from "#src/database/database.ts";

const clock = { now: () => Temporal.Instant.from("2026-11-19T12:00:00Z") };
const silence = () => {};
const log = { debug: silence, info: silence, warn: silence, error: silence };
const random = { bytes: (size: number) => new Uint8Array(size), fraction: () => 0.5 };

/** Opens the given database, says so, and stays until it is killed. Imports as little as possible. */
const open = await openDatabase(process.argv[2] ?? "", {
  clock,
  leaseClock: clock,
  random,
  log,
  sqlite: { readersMs: 50 },
});
await open.probeWrite();
// Flushes now: a kill would lose the compile cache.
flushCompileCache();
process.send?.("open");
setInterval(() => {}, 60_000);
