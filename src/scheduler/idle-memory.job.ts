import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { type Clock, SECOND } from "../shared/time.ts";

/** The heap grows by a fifth between full collections, at least by 2 MB, and each empties pages that are partly in use. */
const SMALL = "--heap-growing-percent=20 --optimize-for-size";
/** V8 chooses by itself: a growth of up to 300 percent, at least 8 MB. */
const USUAL = "--heap-growing-percent=0 --no-optimize-for-size";

/** Keeps the heap small while any of its runs is under way. The collections cost a few percent more CPU for as long. */
export const createSmallHeap = (setFlags: (flags: string) => void = setFlagsFromString) => {
  let running = 0;
  return <Needs extends readonly unknown[]>(run: (...needs: Needs) => Promise<void>) =>
    async (...needs: Needs): Promise<void> => {
      if (running++ === 0) setFlags(SMALL);
      try {
        await run(...needs);
      } finally {
        if (--running === 0) setFlags(USUAL);
      }
    };
};

/** Growth of resident memory that is worth a collection. */
const WORTH_BYTES = 6 * 1_048_576;
/** Share of quiet seconds in which the event loop works, at most. */
const QUIET_SHARE = 0.1;
/** A collection that frees less is not repeated. */
const GAINED_BYTES = 4 * 1_048_576;
const LOOK_AGAIN_MS = 10 * SECOND;

interface IdleMemoryNeeds {
  readonly clock: Clock;
  /** Gives memory back in turns of its own; undefined where Node runs without `--expose-gc`. */
  readonly collect: (() => Promise<void>) | undefined;
  readonly residentBytes?: () => number;
  /** Share of the time since the call before in which the event loop worked. */
  readonly busyShare?: () => number;
}

/**
 * Gives memory back after a rush, once the event loop is quiet again. V8 collects garbage while memory is asked for:
 * what a full hour of reports leaves would stay until the next one. A run gives the instant of the next look, if that is
 * before the next beat.
 */
export const createIdleMemory = ({
  clock,
  collect,
  residentBytes = () => process.memoryUsage.rss(),
  busyShare = eventLoopShare(),
}: IdleMemoryNeeds) => {
  let restingBytes = Number.POSITIVE_INFINITY;
  let goesOn = false;
  let nextLook: Temporal.Instant | undefined;
  return async (): Promise<Temporal.Instant | undefined> => {
    const now = clock.now();
    const leftMs = (nextLook?.epochMilliseconds ?? 0) - now.epochMilliseconds;
    // A longer wait means that the clock was set back.
    if (leftMs > 0 && leftMs <= LOOK_AGAIN_MS) return nextLook;
    nextLook = undefined;
    const isQuiet = busyShare() <= QUIET_SHARE;
    const before = residentBytes();
    restingBytes = Math.min(restingBytes, before);
    if (collect === undefined || !(goesOn || before - restingBytes >= WORTH_BYTES))
      return undefined;
    if (isQuiet) {
      await collect();
      const left = residentBytes();
      // Less than the collection before left, when there was one: new garbage is no reason to go on.
      goesOn = (goesOn ? restingBytes : before) - left >= GAINED_BYTES;
      // The rest after the collection is in use: the next rush is measured against it.
      restingBytes = left;
      if (!goesOn) return undefined;
    }
    nextLook = now.add({ milliseconds: LOOK_AGAIN_MS });
    return nextLook;
  };
};

/**
 * Collects garbage and releases what else can be had again. Blocks for 30 ms where 40 MB live. It empties only some of
 * the pages that are partly in use, so that several give more back; one that empties all of them blocks for 180 ms.
 */
export const collectAll = (
  release: () => Promise<void> = async () => {},
): IdleMemoryNeeds["collect"] => {
  const { gc } = globalThis;
  return (
    gc &&
    (async () => {
      await gc({ type: "major", execution: "async" });
      await setImmediate();
      await release();
      returnFreed();
    })
  );
};

/** glibc's part in memory: `malloc_trim`, and `mallopt` with a setting and its value. */
const GLIBC = {
  malloc_trim: { arguments: ["u64"], return: "i32" },
  mallopt: { arguments: ["i32", "i32"], return: "i32" },
} as const;

/** Without effect where Node has no FFI, which is experimental, or the C library is another. */
const withGlibc = (use: (glibc: ReturnType<typeof openGlibc>["functions"]) => void): void => {
  try {
    const { lib, functions } = openGlibc();
    use(functions);
    lib.close();
  } catch {
    // The memory stays.
  }
};

const openGlibc = () => process.getBuiltinModule("node:ffi").dlopen(null, GLIBC);

/** Returns to the system what threads and native code have freed: glibc keeps 15 MB of it after a full hour. Takes 6 ms. */
const returnFreed = (): void => withGlibc(({ malloc_trim: trim }) => trim(0n));

/** glibc's settings, by its numbers. Source: malloc.h. */
const [M_TRIM_THRESHOLD, M_MMAP_THRESHOLD] = [-1, -3];
/** Where glibc begins; a value that is set does not grow. */
const LARGE_BYTES = 131_072;

/**
 * Has glibc return each large block as it is freed. By itself it keeps blocks up to the largest that it has seen freed,
 * such as the pixels of a picture.
 */
export const returnLargeBlocks = (): void =>
  withGlibc(({ mallopt }) => {
    for (const setting of [M_MMAP_THRESHOLD, M_TRIM_THRESHOLD]) mallopt(setting, LARGE_BYTES);
  });

const eventLoopShare = (): (() => number) => {
  let before: EventLoopUtilization | undefined;
  return () => {
    const now = performance.eventLoopUtilization();
    const since = before === undefined ? now : performance.eventLoopUtilization(now, before);
    before = now;
    return since.utilization;
  };
};
