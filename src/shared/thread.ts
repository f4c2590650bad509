import { SHARE_ENV, Worker } from "node:worker_threads";
import { abortAfter } from "./time.ts";

interface ThreadNeeds {
  /** Answers each message with one, its result. */
  readonly program: URL;
  /** From the call on: waiting for the calls before it counts too. */
  readonly timeoutMs: number;
  readonly mostMegabytes: number;
  /** How long the thread waits for another input before it ends. */
  readonly restMs?: number;
}

export type Thread = ReturnType<typeof createThread>;

interface Begun {
  readonly worker: Worker;
  answer: PromiseWithResolvers<Uint8Array>;
}

/**
 * Runs the program for one input after the other in a thread that ends with the last of them: in the main thread,
 * loading a large library would block every interaction and keep its memory.
 */
export const createThread = ({ program, timeoutMs, mostMegabytes, restMs = 0 }: ThreadNeeds) => {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let resting: Begun | undefined;
  let restEnds: NodeJS.Timeout | undefined;

  const begin = (): Begun => {
    // A small young generation is collected often: native memory goes with its objects.
    const resourceLimits = { maxOldGenerationSizeMb: mostMegabytes, maxYoungGenerationSizeMb: 1 };
    // Native libraries read the environment of the process; a thread's own copy would not reach them.
    const worker = new Worker(program, { resourceLimits, env: SHARE_ENV });
    const thread: Begun = { worker, answer: Promise.withResolvers() };
    worker.on("message", (bytes: Uint8Array) => thread.answer.resolve(bytes));
    worker.on("error", (error) => thread.answer.reject(error));
    // A thread may fail before its first input, while nobody waits for it.
    thread.answer.promise.catch(() => {});
    worker.on("exit", (code) => {
      thread.answer.reject(new Error(`The thread ended with ${code}`));
      if (resting === thread) resting = undefined;
    });
    return thread;
  };

  const rest = (thread: Begun): void => {
    resting = thread;
    restEnds = setTimeout(() => {
      resting = undefined;
      void thread.worker.terminate();
    }, restMs).unref();
  };

  const run = async (input: unknown, deadline: AbortSignal): Promise<Uint8Array> => {
    deadline.throwIfAborted();
    const thread = resting ?? begin();
    resting = undefined;
    clearTimeout(restEnds);
    const answer = Promise.withResolvers<Uint8Array>();
    thread.answer = answer;
    deadline.addEventListener("abort", () => answer.reject(new Error("The thread took too long")));
    thread.worker.postMessage(input, []);
    try {
      const bytes = await answer.promise;
      if (restMs > 0) rest(thread);
      else await thread.worker.terminate();
      return bytes;
    } catch (error) {
      await thread.worker.terminate();
      throw error;
    }
  };

  return {
    /** Inputs are run one after the other. */
    run: (input: unknown): Promise<Uint8Array> => {
      const { signal, end } = abortAfter(timeoutMs);
      waiting++;
      const done = last
        .then(() => run(input, signal))
        .finally(() => {
          end();
          waiting--;
        });
      // One failure must not fail the next.
      last = done.catch(() => undefined);
      return done;
    },
    /** Begins the thread ahead of an input that comes within `restMs`. */
    begin: (): void => {
      if (waiting === 0 && resting === undefined) rest(begin());
    },
  };
};
