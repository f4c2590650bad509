import { spawn } from "node:child_process";
import { openSync } from "node:fs";
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
  const log = openSync(join(files.folder, `${name}.log`), "a");
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
    ready: within(READY_WITHIN_MS, load.ask({ kind: "ready", bot: name }), gone, name),
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
  name: BotName,
): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} was not ready in ${ms} ms`)), ms);
  });
  const ended = gone.then(() => {
    throw new Error(`${name} ended before it was ready; see its log`);
  });
  try {
    await Promise.race([wanted, late, ended]);
  } finally {
    clearTimeout(timer);
    ended.catch(() => {
      // Ends with every bot that is stopped; only the race wanted to know.
    });
  }
};

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
