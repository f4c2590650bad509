import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "./start-sandbox.ts";

const ENTRY = fileURLToPath(new URL("./bot-process.ts", import.meta.url));
/** As in `src/compile-cache.js`. */
const COMPILE_CACHE = join(import.meta.dirname, "../../node_modules/.cache/balcao-compiled");
const OUTPUT_KEPT = 200_000;

interface BotProcessOptions {
  readonly sandbox: Sandbox;
  readonly databaseUrl: string;
  /** Module that runs the bot; the sandbox's own by default. */
  readonly entry?: string;
  /** Variables in addition to the sandbox's, such as `LOG_LEVEL`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Receives the bot's log, in pieces. */
  readonly onOutput?: (text: string) => void;
}

export interface BotExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export type BotProcess = Awaited<ReturnType<typeof startBotProcess>>;

/**
 * Starts the real bot in a process of its own, connected to the sandbox; each move of the sandbox's clock reaches the
 * bot and makes it tick.
 */
export const startBotProcess = async (options: BotProcessOptions) => {
  const { sandbox } = options;
  const child = fork(options.entry ?? ENTRY, [], {
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Compiled once for all starts: a crash loop starts hundreds of times.
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env },
  });
  const output = collectOutput(child, options.onOutput);
  const send = (message: ToBot): void => {
    if (child.connected) child.send(message);
  };

  let over = false;
  let ticks = 0;
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  const ready = Promise.withResolvers<void>();
  const exited = new Promise<BotExit>((resolve) => {
    child.once("exit", (code, signal) => {
      over = true;
      stopListening();
      const reason = new Error(`The bot's process ended (${signal ?? code})`, { cause: output() });
      ready.reject(reason);
      for (const tick of waiting.values()) tick.reject(reason);
      waiting.clear();
      resolve({ code, signal });
    });
  });
  child.on("message", (message: FromBot) => {
    if (message.kind === "ready") return ready.resolve();
    const tick = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) tick?.resolve();
    else tick?.reject(new Error(`The bot's tick failed: ${message.error}`));
  });

  const tick = (): Promise<void> => {
    if (over) return Promise.reject(new Error("The bot's process has ended"));
    const answer = Promise.withResolvers<void>();
    waiting.set(++ticks, answer);
    send({ kind: "clock", id: ticks, offsetMs: sandbox.clock.offsetMs() });
    return answer.promise;
  };
  // `exited` reports the end of the bot.
  const stopListening = sandbox.clock.onMove(() => tick().catch(() => {}));
  // Callers that do not await `ready` learn of the end by `exited`.
  ready.promise.catch(() => {});

  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  send({
    kind: "start",
    offsetMs: sandbox.clock.offsetMs(),
    env: { ...sandbox.botEnvironment(options.databaseUrl), ...options.env },
  });

  return {
    pid: child.pid ?? 0,
    /** Resolves when the bot is logged in and its commands are registered. Rejects when the process ends before. */
    ready: ready.promise,
    exited,
    kill: (signal: NodeJS.Signals): void => {
      child.kill(signal);
    },
    /** Resolves when all work due at the sandbox's present instant is done. Rejects when the process ends before. */
    tick,
    /** Graceful; resolves when the process is gone. */
    stop: (): Promise<BotExit> => {
      send({ kind: "stop" });
      return exited;
    },
    /** The end of its log. */
    output,
  };
};

const collectOutput = (
  child: ChildProcess,
  onOutput: ((text: string) => void) | undefined,
): (() => string) => {
  let kept = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      kept = (kept + text).slice(-OUTPUT_KEPT);
      onOutput?.(text);
    });
  }
  return () => kept;
};

export type BotState = "on" | "starting" | "off";

export type BotSwitch = Awaited<ReturnType<typeof startBotSwitch>>;

/** The power switch of the bot, which it starts by `run`. @throws Error when it does not get ready. */
export const startBotSwitch = async (run: () => Promise<BotProcess>) => {
  const listeners = new Set<() => void>();
  let state: BotState = "off";
  const become = (next: BotState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  let bot: BotProcess;
  /** Starts a new process on the same data, unless a process runs. Rejects when it ends before it is ready. */
  const start = async (): Promise<void> => {
    if (state !== "off") return;
    become("starting");
    try {
      bot = await run();
      void bot.exited.then(() => become("off"));
      await bot.ready;
      become("on");
    } catch (error) {
      become("off");
      throw error;
    }
  };
  await start();
  return {
    /** The process that runs, or ran last. */
    bot: (): BotProcess => bot,
    state: (): BotState => state,
    /** Kills the process as a power cut would. Resolves when it is gone. */
    kill: async (): Promise<void> => {
      bot.kill("SIGKILL");
      await bot.exited;
    },
    start,
    /** Calls the listener at each new state; the returned function ends that. */
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Messages of the sandbox to the bot's process. */
export type ToBot =
  | {
      readonly kind: "start";
      readonly env: Readonly<Record<string, string>>;
      /** How far ahead of real time the sandbox's clock is. */
      readonly offsetMs: number;
    }
  /** Sets the clock and asks for a tick; answered with `ticked`. */
  | { readonly kind: "clock"; readonly id: number; readonly offsetMs: number }
  | { readonly kind: "stop" };

/** Messages of the bot's process to the sandbox. */
export type FromBot =
  | { readonly kind: "ready" }
  /** `error` when the tick itself failed. */
  | { readonly kind: "ticked"; readonly id: number; readonly error?: string };
