import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startArguments } from "../support/start-arguments.ts";
import { type BotName, BOTS } from "./bench-world.ts";
import type { LoadServer } from "./load-client.ts";

const ROOT = new URL("../../", import.meta.url);
const YARDSTICK = fileURLToPath(new URL("./yardstick.ts", import.meta.url));
const PROBE = fileURLToPath(new URL("./probe.js", import.meta.url));
const READY_WITHIN_MS = 60_000;
const LOG_SHOWN = 3_000;
const SETTLE_MS = 3_000;

export interface BotUnderLoad {
  readonly name: BotName;
  /** Start of the process, in milliseconds since the epoch. */
  readonly spawnedAt: number;
  readonly ready: Promise<void>;
  readonly cpuSeconds: () => number;
  /** Resident memory, without a collection first. */
  readonly memoryMb: () => number;
  /** The part of it that is not read from the files of programs and libraries, which the system can drop. */
  readonly ownMemoryMb: () => number;
  /** Resident memory after a full garbage collection. */
  readonly settledMemoryMb: () => Promise<number>;
  /** Longest turn of the event loop since the call before; the first call begins to watch. */
  readonly longestTurn: () => Promise<LongestTurn>;
  readonly stop: () => Promise<void>;
}

export interface LongestTurn {
  readonly blockMs: number;
  /** Processor time of the main thread in one turn: free of what else the machine does. */
  readonly busyMs: number;
}

export interface BenchFiles {
  readonly folder: string;
  readonly masterKey: string;
}

/** Starts one bot as in production: its own entry, configuration by environment, log to a file. */
export const startBot = (
  name: BotName,
  load: LoadServer,
  files: BenchFiles,
  database: string,
  settings: Readonly<Record<string, string>>,
): BotUnderLoad => {
  const logFile = join(files.folder, `${name}.log`);
  const log = openSync(logFile, "a");
  const spawnedAt = performance.timeOrigin + performance.now();
  const child = spawn(process.execPath, [...nodeFlags(name), ...entry(name)], {
    cwd: ROOT,
    stdio: ["ignore", log, log, "ipc"],
    env: {
      PATH: process.env["PATH"],
      DISCORD_TOKEN: BOTS[name].token,
      DISCORD_API_URL: load.apiUrl,
      WALLET_BASE_URL: load.walletUrl,
      DATABASE_URL: `sqlite:${database}`,
      MASTER_KEY: files.masterKey,
      COMMANDS_PER_PERSON: "100000",
      COMMANDS_PER_SERVER: "100000",
      ...settings,
    },
  });
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  const pid = child.pid ?? 0;
  return {
    name,
    spawnedAt,
    ready: within(READY_WITHIN_MS, load.ask({ kind: "ready", bot: name }), gone, () => {
      const said = readFileSync(logFile, "utf8").slice(-LOG_SHOWN);
      return new Error(`${name} did not get ready; it said:\n${said}`);
    }),
    cpuSeconds: () => cpuSeconds(pid),
    memoryMb: () => memoryMb(pid),
    ownMemoryMb: () => megabytesOf(pid, "Anonymous"),
    settledMemoryMb: async () => {
      for (let round = 0; round < 2; round++) {
        process.kill(pid, "SIGUSR2");
        await pause(SETTLE_MS);
      }
      return memoryMb(pid);
    },
    longestTurn: async () => {
      const told = once(child, "message");
      child.send({});
      const [turn] = (await told) as [LongestTurn];
      return turn;
    },
    stop: async () => {
      child.kill("SIGTERM");
      const killed = setTimeout(() => child.kill("SIGKILL"), SETTLE_MS);
      await gone;
      clearTimeout(killed);
    },
  };
};

const entry = (name: BotName): readonly string[] =>
  name === "yardstick" ? [YARDSTICK] : startArguments();

/** `BENCH_PROFILE=ours` writes a CPU profile of that bot to `.output` when it stops. */
const nodeFlags = (name: BotName): readonly string[] => [
  "--expose-gc",
  "--import",
  PROBE,
  ...(process.env["BENCH_PROFILE"] === name ? ["--cpu-prof", "--cpu-prof-dir", ".output"] : []),
];

const within = async (
  ms: number,
  wanted: Promise<unknown>,
  gone: Promise<void>,
  failure: () => Error,
): Promise<void> => {
  const failed = Promise.withResolvers<never>();
  const fail = (): void => failed.reject(failure());
  const timer = setTimeout(fail, ms);
  void gone.then(fail);
  try {
    await Promise.race([wanted, failed.promise]);
  } finally {
    clearTimeout(timer);
    // A failed start also ends in `stop`; only the race reads this rejection.
    failed.promise.catch(() => {});
  }
};

const TICKS_PER_SECOND = 100;
/** Indexes into the fields of /proc/PID/stat after the command's closing bracket. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** CPU time of the process: user and system, all threads. */
const cpuSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) / TICKS_PER_SECOND;
};

/**
 * Resident set size, as shown by `ps` and charged to a container. The proportional size would vary with every other
 * Node process on the machine.
 */
const memoryMb = (pid: number): number => megabytesOf(pid, "Rss");

const megabytesOf = (pid: number, field: "Rss" | "Anonymous"): number => {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1]) / 1024;
};
