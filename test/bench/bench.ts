import { copyFileSync } from "node:fs";
import { join, parse } from "node:path";
import { markPathOf } from "#src/database/storage-state.ts";
import type { BotName } from "./bench-world.ts";
import { startBot, type BenchFiles, type BotUnderLoad } from "./bot-under-load.ts";
import { type Figure, median } from "./figures.ts";
import type { LoadServer } from "./load-client.ts";
import type { LoadOrder, LoadResult } from "./load-messages.ts";

/** The tools that each section measures with. */
export interface Bench {
  readonly quick: boolean;
  readonly load: LoadServer;
  readonly files: BenchFiles;
  readonly users: number;
  readonly accounts: number;
  /** Copies the database of sellers for the next bot; gives its path. */
  readonly database: () => string;
  readonly say: (text: string) => void;
}

export type Section = (bench: Bench) => Promise<readonly Figure[]>;

export interface Both<Value> {
  readonly ours: Value;
  readonly yardstick: Value;
}

const NAMES = ["ours", "yardstick"] as const satisfies readonly BotName[];

/** Alternates between both bots, round by round, so that a drift of the machine affects both alike. */
export const alternate = async <Value>(
  rounds: number,
  measure: (name: BotName) => Promise<Value>,
): Promise<Both<readonly Value[]>> => {
  const measured: Record<BotName, Value[]> = { ours: [], yardstick: [] };
  for (let round = 0; round < rounds; round++)
    for (const name of NAMES) measured[name].push(await measure(name));
  return measured;
};

/** Runs the work with one fresh bot, and stops the bot even when the work fails. */
export const withBot = async <Value>(
  { load, files, database }: Bench,
  name: BotName,
  use: (bot: BotUnderLoad) => Promise<Value>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Value> => {
  const bot = startBot(name, load, files, database(), settings);
  try {
    await bot.ready;
    return await use(bot);
  } finally {
    await bot.stop();
  }
};

/** Runs the work with both bots alive; only one bot at a time is given load. */
export const withBoth = async <Value>(
  bench: Bench,
  use: (bots: Readonly<Record<BotName, BotUnderLoad>>) => Promise<Value>,
): Promise<Value> =>
  withBot(bench, "ours", (ours) =>
    withBot(bench, "yardstick", (yardstick) => use({ ours, yardstick })),
  );

/** People ask our bot at a fixed rate. */
export const asked = (
  { load }: Bench,
  rate: Pick<Extract<LoadOrder, { kind: "open" }>, "perSecond" | "seconds" | "users">,
): Promise<LoadResult> => load.ask({ kind: "open", bot: "ours", firstUser: 0, ...rate });

/** The median of each bot's rounds. */
export const medians = <Key extends string>(
  rounds: Both<readonly Readonly<Record<Key, number>>[]>,
  key: Key,
): Both<number> => ({
  ours: median(rounds.ours.map((round) => round[key])),
  yardstick: median(rounds.yardstick.map((round) => round[key])),
});

/** The next bots work on this file itself. */
export const onFile = (bench: Bench, file: string): Bench => ({ ...bench, database: () => file });

export const databaseCopies = (seeded: string, folder: string): Bench["database"] => {
  const { name } = parse(seeded);
  let copies = 0;
  return () => {
    const copy = join(folder, `${name}-bot-${++copies}.db`);
    copyFileSync(seeded, copy);
    // Without its mark the copy would pass for a restored database, and each account would be compared at once.
    copyFileSync(markPathOf(seeded), markPathOf(copy));
    return copy;
  };
};
