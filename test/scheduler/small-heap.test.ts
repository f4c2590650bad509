import { expect, test } from "vitest";
import { createSmallHeap } from "#src/scheduler/small-heap.ts";

const SMALL = "--heap-growing-percent=20";
const USUAL = "--heap-growing-percent=0";

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
