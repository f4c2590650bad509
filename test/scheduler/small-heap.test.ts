import { setFlagsFromString } from "node:v8";
import { beforeEach, expect, test, vi } from "vitest";
import { inSmallHeap } from "#src/scheduler/small-heap.ts";

vi.mock("node:v8", () => ({ setFlagsFromString: vi.fn<typeof setFlagsFromString>() }));

const set = vi.mocked(setFlagsFromString);
const SMALL = "--heap-growing-percent=20";
const USUAL = "--heap-growing-percent=0";

beforeEach(() => {
  set.mockClear();
});

test("runs that overlap keep the heap small until the last one ends", async () => {
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const run = inSmallHeap((end: Promise<void>) => end);
  const running = [run(one.promise), run(other.promise)];
  one.resolve();
  await running[0];
  expect(set.mock.calls).toEqual([[SMALL]]);
  other.resolve();
  await running[1];
  expect(set.mock.calls).toEqual([[SMALL], [USUAL]]);
});

test("a failed run ends as any other, and the failure is passed on", async () => {
  const run = inSmallHeap(() => Promise.reject(new Error("no figures")));
  await expect(run()).rejects.toThrow("no figures");
  expect(set.mock.calls).toEqual([[SMALL], [USUAL]]);
});
