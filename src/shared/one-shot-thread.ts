import { Worker } from "node:worker_threads";

interface OneShotThread {
  /** Posts one message, its result. */
  readonly program: URL;
  /** From the call on: waiting for the threads before it counts too. */
  readonly timeoutMs: number;
  readonly mostMegabytes: number;
}

const runOnce = async (
  { program, mostMegabytes }: Omit<OneShotThread, "timeoutMs">,
  input: unknown,
  deadline: AbortSignal,
): Promise<Uint8Array> => {
  deadline.throwIfAborted();
  const worker = new Worker(program, {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", (code) => reject(new Error(`The thread ended with ${code}`)));
      deadline.addEventListener("abort", () => reject(new Error("The thread took too long")));
    });
  } finally {
    await worker.terminate();
  }
};

/**
 * Runs the program for one input after the other, each in a thread that ends with it: in the main thread, loading a
 * large library would block every interaction and keep its memory.
 */
export const createOneShotThread = (
  thread: OneShotThread,
): ((input: unknown) => Promise<Uint8Array>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (input) => {
    const deadline = AbortSignal.timeout(thread.timeoutMs);
    const done = last.then(() => runOnce(thread, input, deadline));
    // One failure must not fail the next.
    last = done.catch(() => undefined);
    return done;
  };
};
