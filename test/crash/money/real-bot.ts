import { fork } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BotExit } from "#src/sandbox/start-bot-process.ts";
import type { Sandbox } from "#src/sandbox/start-sandbox.ts";
import { startArguments } from "../../support/start-arguments.ts";
import { createClockOffset } from "./clock-offset.ts";
import type { PlantedName } from "./planted.ts";

/** Not the bundle of `src/start.js`: clocks are shifted and bugs planted in single modules. */
const START = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));
const AHEAD = new URL("ahead.ts", import.meta.url).href;
/** The options of `npm start`. */
const NODE_OPTIONS = startArguments().filter((argument) => argument.startsWith("--"));
const COMPILE_CACHE = join(tmpdir(), "balcao-crash-compile-cache");
const OUTPUT_KEPT = 200_000;
const READY = '"msg":"ready"';

/** The bot of `npm start` from its sources, in a process of its own; its clock follows the sandbox's. */
export interface RealBot {
  readonly ready: Promise<void>;
  readonly exited: Promise<BotExit>;
  readonly hasEnded: () => boolean;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly stop: () => Promise<BotExit>;
  readonly said: (message: string) => number;
  readonly output: () => string;
}

export const startRealBot = (
  sandbox: Sandbox,
  databaseUrl: string,
  planted?: PlantedName,
): RealBot => {
  const offset = createClockOffset(sandbox.clock.offsetMs());
  const child = fork(START, [], {
    execArgv: [...NODE_OPTIONS, "--import", AHEAD],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      HOME: process.env["HOME"],
      ...sandbox.botEnvironment(databaseUrl),
      LOG_LEVEL: "info",
      CRASH_OFFSET_FILE: offset.path,
      CRASH_PLANTED: planted,
    },
  });
  const stopListening = sandbox.clock.onMove(() => {
    offset.set(sandbox.clock.offsetMs());
    // A process that is being killed ignores the message.
    if (child.connected) child.send("moved", () => {});
  });
  const ready = Promise.withResolvers<void>();
  // Callers that ignore `ready` learn of the end through `exited`.
  ready.promise.catch(() => {});
  let ended = false;
  let output = "";
  let begun = "";
  const counts = new Map<string, number>();
  const note = (line: string): void => {
    const message = /"msg":"([^"]*)"/.exec(line)?.[1];
    if (message !== undefined) counts.set(message, (counts.get(message) ?? 0) + 1);
    if (line.includes(READY)) ready.resolve();
  };
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-OUTPUT_KEPT);
      const lines = (begun + text).split("\n");
      begun = lines.pop() ?? "";
      for (const line of lines) note(line);
    });
  const exited = new Promise<BotExit>((resolve) => {
    child.once("exit", (code, signal) => {
      ended = true;
      stopListening();
      offset.remove();
      ready.reject(new Error(`The bot ended (${signal ?? code}):\n${output}`));
      resolve({ code, signal });
    });
  });
  return {
    ready: ready.promise,
    exited,
    hasEnded: () => ended,
    kill: (signal) => void child.kill(signal),
    stop: () => {
      child.kill("SIGTERM");
      return exited;
    },
    said: (message) => counts.get(message) ?? 0,
    output: () => output,
  };
};
