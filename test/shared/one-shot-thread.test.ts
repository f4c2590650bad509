import { expect, test } from "vitest";
import { createOneShotThread } from "#src/shared/one-shot-thread.ts";

test("a thread that hangs costs those behind it no time of their own", async () => {
  const program = `
    import { workerData } from "node:worker_threads";
    Atomics.add(new Int32Array(workerData), 0, 1);
    setInterval(() => {}, 1_000);
  `;
  const begun = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const run = createOneShotThread({
    program: new URL(`data:text/javascript,${encodeURIComponent(program)}`),
    timeoutMs: 500,
    mostMegabytes: 16,
  });
  const ends = await Promise.allSettled([run(begun), run(begun), run(begun)]);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(new Int32Array(begun)[0]).toBe(1);
});
