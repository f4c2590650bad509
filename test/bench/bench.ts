import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { BotName } from "./bench-world.ts";
import { startBot, type BenchFiles, type BotUnderLoad } from "./bot-under-load.ts";
import type { Figure } from "./figures.ts";
import type { LoadServer } from "./load-client.ts";

/** What each section measures with. */
export interface Bench {
  readonly quick: boolean;
  readonly load: LoadServer;
  readonly files: BenchFiles;
  /** How many sellers the seeded database has. */
  readonly users: number;
  /** How many connected accounts the section of idle sellers has. */
  readonly accounts: number;
  /** A seeded database of its own for the next bot. */
  readonly database: (seed: "sellers" | "posts") => string;
  readonly say: (text: string) => void;
}

export type Section = (bench: Bench) => Promise<readonly Figure[]>;

export interface Both<Value> {
  readonly ours: Value;
  readonly yardstick: Value;
}

const NAMES = ["ours", "yardstick"] as const satisfies readonly BotName[];

/** Both bots in turn, round by round, so that a machine that drifts drifts for both. */
export const alternate = async <Value>(
  rounds: number,
  measure: (name: BotName) => Promise<Value>,
): Promise<Both<readonly Value[]>> => {
  const measured: Record<BotName, Value[]> = { ours: [], yardstick: [] };
  for (let round = 0; round < rounds; round++)
    for (const name of NAMES) measured[name].push(await measure(name));
  return measured;
};

/** Runs with one fresh bot, alone, that is stopped whatever happens. */
export const withBot = async <Value>(
  bench: Bench,
  name: BotName,
  use: (bot: BotUnderLoad) => Promise<Value>,
): Promise<Value> => {
  const bot = startBot(name, bench.load, bench.files, bench.database("sellers"));
  try {
    await bot.ready;
    return await use(bot);
  } finally {
    await bot.stop();
  }
};

/** Runs with both bots alive; only one of them is given work at a time. */
export const withBoth = async <Value>(
  bench: Bench,
  use: (bots: Readonly<Record<BotName, BotUnderLoad>>) => Promise<Value>,
): Promise<Value> =>
  withBot(bench, "ours", (ours) =>
    withBot(bench, "yardstick", (yardstick) => use({ ours, yardstick })),
  );

/** Copies a seeded file under a new name each time it is asked. */
export const databaseCopies = (folder: string): Bench["database"] => {
  let copies = 0;
  return (seed) => {
    const copy = join(folder, `bot-${++copies}.db`);
    copyFileSync(join(folder, `${seed}.db`), copy);
    return copy;
  };
};
