import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { createThread } from "#src/shared/thread.ts";

const programOf = (text: string) =>
  new URL(
    `data:text/javascript,import { parentPort, threadId } from "node:worker_threads";${encodeURIComponent(text)}`,
  );

test("a thread that hangs costs those behind it no time of their own", async () => {
  const program = `
    parentPort.on("message", (begun) => Atomics.add(new Int32Array(begun), 0, 1));
  `;
  const begun = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const { run } = createThread({
    program: programOf(program),
    timeoutMs: 500,
    mostMegabytes: 16,
  });
  const ends = await Promise.allSettled([run(begun), run(begun), run(begun)]);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  // Zero on a machine so busy that its time ended before the first began.
  expect(new Int32Array(begun)[0]).toBeLessThanOrEqual(1);
});

test("inputs that come one after the other share a thread, unless it fails or has rested", async () => {
  const { run } = createThread({
    program: programOf(`
      parentPort.on("message", (input) => {
        if (input === "fail") throw new Error("refused");
        if (input === "end") setImmediate(() => process.exit());
        parentPort.postMessage(new Uint8Array([threadId]));
      });
    `),
    timeoutMs: 5_000,
    mostMegabytes: 16,
    restMs: 60_000,
  });
  const [first, second] = [await run("draw"), await run("draw")];
  expect(second).toEqual(first);
  await expect(run("fail")).rejects.toThrow("refused");
  const third = await run("draw");
  expect(third).not.toEqual(first);
  await run("end");
  const another = async () => expect(await run("draw")).not.toEqual(third);
  await vi.waitFor(another, { timeout: 10_000 });
});

test("a thread that was begun ahead runs the first input", async () => {
  const options = {
    program: programOf(
      `parentPort.on("message", () => parentPort.postMessage(new Uint8Array([threadId])));`,
    ),
    timeoutMs: 5_000,
    mostMegabytes: 16,
    restMs: 60_000,
  };
  const [early, late] = [createThread(options), createThread(options)];
  early.begin();
  const later = await late.run("draw");
  const [first] = await early.run("draw");
  expect(first).toBeLessThan(later[0] ?? 0);
  early.begin();
  expect(await early.run("draw")).toEqual(new Uint8Array([first ?? 0]));
});

test("a thread that was begun ahead and fails at once fails nothing else", async () => {
  vi.stubEnv("THREAD_FAILS", "once");
  const { run, begin } = createThread({
    program: programOf(`
      parentPort.on("message", () => parentPort.postMessage(new Uint8Array([threadId])));
      if (process.env.THREAD_FAILS === "once") {
        delete process.env.THREAD_FAILS;
        throw new Error("refused");
      }
    `),
    timeoutMs: 5_000,
    mostMegabytes: 16,
    restMs: 60_000,
  });
  begin();
  await vi.waitFor(() => expect(process.env["THREAD_FAILS"]).toBeUndefined(), 10_000);
  await vi.waitFor(async () => expect(await run("draw")).toHaveLength(1), 10_000);
  vi.unstubAllEnvs();
});

test("an answer is not kept until its deadline", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const { run } = createThread({
    program: programOf(
      `parentPort.on("message", () => parentPort.postMessage(new Uint8Array([threadId])));`,
    ),
    timeoutMs: 60_000,
    mostMegabytes: 16,
    restMs: 60_000,
  });
  const first = new WeakRef(await run("draw"));
  await run("draw");
  await vi.waitFor(() => {
    collect();
    expect(first.deref()).toBeUndefined();
  }, 10_000);
});
