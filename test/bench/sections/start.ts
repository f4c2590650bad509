import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { alternate, type Bench, onFile, type Section, withBot } from "../bench.ts";
import type { BotName } from "../bench-world.ts";
import type { BotUnderLoad } from "../bot-under-load.ts";
import { median, ratio, type Figure } from "../figures.ts";
import { seedIdleSellers } from "../seed.ts";

const MANY_GUILDS = 10_000;
/** No account is theirs, so that they get one answer from a bot with accounts and from one without. */
const STRANGER = 999_999;

/** From the process's start to the first acknowledgement of a waiting user. */
export const start: Section = async (bench) => [
  await firstAck(bench, 0, bench.quick ? 3 : 7, "spawn to first ack", 1.3),
  await firstAck(bench, MANY_GUILDS, bench.quick ? 1 : 3, "the same, 10,000 guilds", 0.2),
  await withAccounts(bench),
];

/** A fresh copy, because a bot on the same file would pause before its seventh session in ten minutes. */
const copyOf = (file: string): string => {
  const copy = `${file}.copy`;
  for (const beside of ["", "-shm", "-wal"]) rmSync(`${copy}${beside}`, { force: true });
  copyFileSync(file, copy);
  return copy;
};

/** Alternates between both starts, so that a drift of the machine affects both alike. */
const withAccounts = async (bench: Bench): Promise<Figure> => {
  const { files, load, accounts: many } = bench;
  const [none, some] = await Promise.all(
    [0, many].map(async (users) => {
      const file = join(files.folder, `start-${users}.db`);
      await seedIdleSellers({ ...files, walletUrl: load.walletUrl, users, file, alerts: true });
      return { file, times: [] as number[] };
    }),
  );
  for (let round = 0; round < (bench.quick ? 5 : 11); round++)
    for (const each of [none, some])
      if (each !== undefined)
        each.times.push(await timeToAck(onFile(bench, copyOf(each.file)), "ours", STRANGER));
  const both = { ours: median(some?.times ?? []), yardstick: median(none?.times ?? []) };
  return ratio(`the same, ${many.toLocaleString("en")} accounts, to none`, "ms", both, {
    most: 1.1,
  });
};

const firstAck = async (
  bench: Bench,
  count: number,
  rounds: number,
  name: string,
  most: number,
): Promise<Figure> => {
  const { load } = bench;
  await load.ask({ kind: "guilds", count });
  const measured = await alternate(rounds, (botName) => timeToAck(bench, botName));
  await load.ask({ kind: "guilds", count: 0 });
  const both = { ours: median(measured.ours), yardstick: median(measured.yardstick) };
  return ratio(name, "ms", both, { most });
};

const timeToAck = async (bench: Bench, botName: BotName, user = 0): Promise<number> => {
  const waiting = bench.load.ask({ kind: "first_ack", bot: botName, user });
  // A process that ends before its session never acknowledges.
  const timed = async ({ spawnedAt }: BotUnderLoad): Promise<number> => {
    const { at } = await waiting;
    bench.say(`  ${botName}: ${(at - spawnedAt).toFixed(0)} ms`);
    return at - spawnedAt;
  };
  return await withBot(bench, botName, timed);
};
