import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createIdleMemory, createSmallHeap } from "#src/scheduler/idle-memory.job.ts";
import { DAY, MINUTE, SECOND } from "#src/shared/time.ts";
import { standingClock } from "../support/databases.ts";

const MB = 1_048_576;

const machine = () => {
  const clock = standingClock("2026-11-19T00:05:00Z");
  const state = { residentMb: 40, busy: 0, leftMb: 40, collections: 0 };
  const run = createIdleMemory({
    clock,
    collect: async () => {
      state.collections++;
      state.residentMb = state.leftMb;
    },
    residentBytes: () => state.residentMb * MB,
    busyShare: () => state.busy,
  });
  return { clock, state, run };
};

test("what a rush left is collected once it is quiet, and not before", async () => {
  const { clock, state, run } = machine();
  expect(await run()).toBeUndefined();
  Object.assign(state, { residentMb: 170, busy: 0.6 });
  expect((await run())?.since(clock.now()).seconds).toBe(10);
  expect(state.collections).toBe(0);
  clock.moveBy(10 * SECOND);
  state.busy = 0.02;
  await run();
  expect(state).toMatchObject({ collections: 1, residentMb: 40 });
});

test("collections go on, each in a quiet moment of its own, while they give memory back", async () => {
  const { clock, state, run } = machine();
  await run();
  for (const [residentMb, leftMb] of [
    [100, 70],
    [70, 52],
    [52, 51],
  ]) {
    Object.assign(state, { residentMb, leftMb });
    const before = state.collections;
    const next = await run();
    expect(state.collections).toBe(before + 1);
    expect(next?.since(clock.now()).seconds).toBe(leftMb === 51 ? undefined : 10);
    clock.moveBy(10 * SECOND);
  }
  await run();
  expect(state.collections).toBe(3);
});

test("beats between two looks are no looks, so that each look judges ten seconds", async () => {
  const { clock, state, run } = machine();
  await run();
  Object.assign(state, { residentMb: 170, busy: 0.6 });
  const next = await run();
  clock.moveBy(4 * SECOND);
  state.busy = 0;
  expect(await run()).toBe(next);
  expect(state.collections).toBe(0);
  clock.moveBy(-DAY);
  await run();
  expect(state.collections).toBe(1);
});

test("memory that stays in use is not collected again each minute", async () => {
  const { clock, state, run } = machine();
  await run();
  Object.assign(state, { residentMb: 90, leftMb: 85 });
  for (let minute = 0; minute < 5; minute++) {
    await run();
    clock.moveBy(MINUTE);
  }
  expect(state.collections).toBe(2);
  state.residentMb = 102;
  await run();
  expect(state.collections).toBe(3);
});

test("new garbage between two collections is no reason for a third", async () => {
  const { clock, state, run } = machine();
  await run();
  state.residentMb = 60;
  for (let look = 0; look < 60; look++) {
    await run();
    clock.moveBy(10 * SECOND);
    state.residentMb = 45;
  }
  expect(state.collections).toBe(2);
});

test("a little growth is left to V8, and what looks of idle sellers leave in some minutes is not", async () => {
  const { state, run } = machine();
  await run();
  state.residentMb = 45;
  await run();
  expect(state.collections).toBe(0);
  state.residentMb = 48;
  await run();
  expect(state.collections).toBe(1);
});

/** Frees 20,000 pieces among which a few stay, and prints the resident megabytes before and after a collection. */
const FREE_PIECES = `
  const { collectAll } = await import("./src/scheduler/idle-memory.job.ts");
  const megabytes = () => process.memoryUsage.rss() / 1_048_576;
  let pieces = Array.from({ length: 20_000 }, () => new Uint8Array(10_000).fill(1));
  pieces = pieces.filter((_, index) => index % 100 === 0);
  gc();
  await new Promise(setImmediate);
  const before = megabytes();
  await collectAll()();
  console.log(JSON.stringify({ before, after: megabytes(), kept: pieces.length }));
`;

/** Frees blocks of 2 MB after one of 16 MB, and prints the resident megabytes before and after. */
const FREE_BLOCKS = `
  const { returnLargeBlocks } = await import("./src/scheduler/idle-memory.job.ts");
  returnLargeBlocks();
  const { functions } = process.getBuiltinModule("node:ffi").dlopen(null, {
    malloc: { arguments: ["u64"], return: "u64" },
    memset: { arguments: ["u64", "i32", "u64"], return: "u64" },
    free: { arguments: ["u64"], return: "void" },
  });
  const MB = 1_048_576n;
  const filled = (bytes) => {
    const block = functions.malloc(bytes);
    functions.memset(block, 1, bytes);
    return block;
  };
  functions.free(filled(16n * MB));
  // Each small block stays, above a large one.
  const blocks = Array.from({ length: 8 }, () => [filled(2n * MB), filled(1_000n)]);
  const before = process.memoryUsage.rss() / 1_048_576;
  for (const [large] of blocks) functions.free(large);
  console.log(JSON.stringify({ before, after: process.memoryUsage.rss() / 1_048_576 }));
`;

/** Reads a table of 8 MB through SQLite's page cache, and prints what a collection without and with it leaves. */
const READ_TABLE = `
  const { sql } = await import("kysely");
  const { collectAll } = await import("./src/scheduler/idle-memory.job.ts");
  const { openDatabase } = await import("./src/database/database.ts");
  const { host } = await import("./src/program.ts");
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const { db, releaseMemory, close } = await openDatabase("sqlite:" + process.argv[1], { ...host, log });
  const megabytes = () => process.memoryUsage.rss() / 1_048_576;
  const value = "x".repeat(2_000);
  await sql\`
    with recursive numbered (row) as (select 1 union all select row + 1 from numbered where row < 4000)
    insert into meta (name, value) select row, \${value} from numbered\`.execute(db);
  await db.selectFrom("meta").select((eb) => eb.fn.max("value").as("most")).execute();
  for (let round = 0; round < 3; round++) await collectAll()();
  const before = megabytes();
  await collectAll(releaseMemory)();
  console.log(JSON.stringify({ before, after: megabytes() }));
  await close();
`;

const usesGlibc =
  "glibcVersionRuntime" in (process.report.getReport() as { header: object }).header;

/** Megabytes that the program gave back. */
const givenBack = (program: string, ...given: readonly string[]): number => {
  const options = ["--expose-gc", "--disable-warning=ExperimentalWarning", "--input-type=module"];
  const printed = execFileSync(process.execPath, [...options, "--eval", program, ...given], {
    encoding: "utf8",
  });
  const { before, after } = JSON.parse(printed) as { before: number; after: number };
  return before - after;
};

test.runIf(usesGlibc)("memory freed in pieces goes back to the system", () => {
  expect(givenBack(FREE_PIECES)).toBeGreaterThan(50);
});

test.runIf(usesGlibc)("large blocks go back to the system as they are freed", () => {
  expect(givenBack(FREE_BLOCKS)).toBeGreaterThan(12);
});

test.runIf(usesGlibc)("SQLite's page cache goes back to the system", () => {
  const folder = mkdtempSync(join(tmpdir(), "balcao-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(givenBack(READ_TABLE, join(folder, "balcao.db"))).toBeGreaterThan(1);
});

const SMALL = "--heap-growing-percent=20 --optimize-for-size";
const USUAL = "--heap-growing-percent=0 --no-optimize-for-size";

const smallHeap = () => {
  const flags: string[] = [];
  return { flags, inSmallHeap: createSmallHeap((flag) => flags.push(flag)) };
};

test("runs that overlap keep the heap small until the last one ends", async () => {
  const { flags, inSmallHeap } = smallHeap();
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const run = inSmallHeap((end: Promise<void>) => end);
  const running = [run(one.promise), run(other.promise)];
  one.resolve();
  await running[0];
  expect(flags).toEqual([SMALL]);
  other.resolve();
  await running[1];
  expect(flags).toEqual([SMALL, USUAL]);
});

test("a failed run ends as any other, and the failure is passed on", async () => {
  const { flags, inSmallHeap } = smallHeap();
  const run = inSmallHeap(() => Promise.reject(new Error("no figures")));
  await expect(run()).rejects.toThrow("no figures");
  expect(flags).toEqual([SMALL, USUAL]);
});
