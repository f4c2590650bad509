import { spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { BOTS, type BotName } from "./bench-world.ts";
import type { LoadServer } from "./load-client.ts";
import { cpuSeconds, memoryMb } from "./proc.ts";

const ENTRIES: Readonly<Record<BotName, string>> = {
  ours: fileURLToPath(new URL("../../src/main.ts", import.meta.url)),
  yardstick: fileURLToPath(new URL("./yardstick.ts", import.meta.url)),
};
const SETTLE = new URL("./settle.ts", import.meta.url).href;
const READY_WITHIN_MS = 60_000;
const LOG_SHOWN = 3_000;
const SETTLE_MS = 3_000;

export interface BotUnderLoad {
  readonly name: BotName;
  /** When the process was started: milliseconds since the epoch. */
  readonly spawnedAt: number;
  /** Has a session and all guilds. */
  readonly ready: Promise<void>;
  readonly cpuSeconds: () => number;
  /** After collecting all garbage. */
  readonly settledMemoryMb: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

export interface BenchFiles {
  readonly folder: string;
  readonly masterKey: string;
}

/** Starts one bot as it is run for real: its own entry, its configuration in the environment, its log in a file. */
export const startBot = (
  name: BotName,
  load: LoadServer,
  files: BenchFiles,
  database: string,
): BotUnderLoad => {
  const logFile = join(files.folder, `${name}.log`);
  const log = openSync(logFile, "a");
  const spawnedAt = performance.timeOrigin + performance.now();
  const child = spawn(process.execPath, [...nodeFlags(name), ENTRIES[name]], {
    stdio: ["ignore", log, log],
    env: {
      PATH: process.env["PATH"],
      DISCORD_TOKEN: BOTS[name].token,
      DISCORD_API_URL: load.apiUrl,
      WALLET_BASE_URL: load.walletUrl,
      DATABASE_URL: `sqlite:${database}`,
      MASTER_KEY: files.masterKey,
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
    settledMemoryMb: async () => {
      for (let round = 0; round < 2; round++) {
        process.kill(pid, "SIGUSR2");
        await pause(SETTLE_MS);
      }
      return memoryMb(pid);
    },
    stop: async () => {
      child.kill("SIGTERM");
      const killed = setTimeout(() => child.kill("SIGKILL"), SETTLE_MS);
      await gone;
      clearTimeout(killed);
    },
  };
};

/** `BENCH_PROFILE=ours` writes a CPU profile of that bot into the working folder when it stops. */
const nodeFlags = (name: BotName): readonly string[] => [
  "--expose-gc",
  "--import",
  SETTLE,
  ...(process.env["BENCH_PROFILE"] === name ? ["--cpu-prof"] : []),
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
    // Every bot is stopped in the end; only the race wanted to know.
    failed.promise.catch(() => {});
  }
};

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
