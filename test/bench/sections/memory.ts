import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  alternate,
  databaseCopies,
  medians,
  withBot,
  type Bench,
  type Both,
  type Section,
} from "../bench.ts";
import type { BotName } from "../bench-world.ts";
import { absolute, median, ratio, type Figure } from "../figures.ts";
import { seedIdleSellers } from "../seed.ts";

const MANY_GUILDS = 10_000;
const WARM_UP = 3_000;
const IN_FLIGHT = 64;

/** Few enough for their looks to be negligible. */
const FEW = 1_000;

/** Memory after login, before any command: of a small bot beside the yardstick, and with all sellers' alerts on. */
export const idle: Section = async (bench) => {
  const { files, load, quick, users } = bench;
  const file = join(files.folder, `idle-memory-${FEW}.db`);
  await seedIdleSellers({ ...files, walletUrl: load.walletUrl, users: FEW, alerts: false, file });
  const few: Bench = { ...bench, database: databaseCopies(file, files.folder) };
  const rounds = quick ? 1 : 3;
  const small = await idleMemory(few, 0, rounds);
  const many: number[] = [];
  for (let round = 0; round < rounds; round++)
    many.push(await withBot(bench, "ours", (bot) => bot.settledMemoryMb()));
  return [
    ratio("idle memory", "MB", small, { most: 1.15 }),
    absolute(
      `with alerts of ${users.toLocaleString("en")} sellers`,
      "MB",
      { ours: median(many) },
      { most: 160 },
    ),
  ];
};

/** Memory in as many guilds as a popular bot has. */
export const guilds: Section = async (bench) => {
  const measured = await idleMemory(bench, MANY_GUILDS, bench.quick ? 1 : 2);
  return [ratio("idle memory, 10,000 guilds", "MB", measured, { most: 0.2 })];
};

/** Limits and paces know a person for a minute. */
const FORGOTTEN_MS = 60_000;

/** Memory retained after many different users came once, when the bot has forgotten them. */
export const growth: Section = async (bench): Promise<readonly Figure[]> => {
  const rounds = await alternate(1, (name) =>
    withBot(bench, name, async (bot) => {
      const serve = (total: number, firstUser: number) =>
        bench.load.ask({
          kind: "closed",
          bot: name,
          inFlight: IN_FLIGHT,
          seconds: 120,
          total,
          firstUser,
          users: bench.users,
        });
      // Two warm-up rounds with the same users: lazy loading and compilation are not growth.
      await serve(WARM_UP, 0);
      await serve(WARM_UP, 0);
      const before = await bot.settledMemoryMb();
      const { lost } = await serve(bench.users, 0);
      await pause(FORGOTTEN_MS);
      const after = await bot.settledMemoryMb();
      bench.say(`  ${name}: ${before.toFixed(1)} -> ${after.toFixed(1)} MB, ${lost} lost`);
      return { before, growth: after - before };
    }),
  );
  const users = bench.users.toLocaleString("en");
  return [
    ratio(
      `memory after ${(2 * WARM_UP).toLocaleString("en")} answers`,
      "MB",
      medians(rounds, "before"),
    ),
    absolute(`growth after ${users} more users`, "MB", medians(rounds, "growth"), { most: 10 }),
  ];
};

const idleMemory = async (bench: Bench, count: number, rounds: number): Promise<Both<number>> => {
  await bench.load.ask({ kind: "guilds", count });
  const measured = await alternate(rounds, (name: BotName) =>
    withBot(bench, name, async (bot) => {
      const memory = await bot.settledMemoryMb();
      bench.say(`  ${name}: ${memory.toFixed(1)} MB`);
      return { memory };
    }),
  );
  await bench.load.ask({ kind: "guilds", count: 0 });
  return medians(measured, "memory");
};
