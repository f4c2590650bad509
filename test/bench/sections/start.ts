import { alternate, type Bench, type Section } from "../bench.ts";
import { startBot } from "../bot-under-load.ts";
import { median, ratio, type Figure } from "../figures.ts";

const MANY_GUILDS = 10_000;

/** From the start of the process to the first acknowledgement of somebody who was already waiting. */
export const start: Section = async (bench) => [
  await firstAck(bench, 0, bench.quick ? 3 : 7, "spawn to first ack", 1.3),
  await firstAck(bench, MANY_GUILDS, bench.quick ? 1 : 3, "the same, 10,000 guilds", 0.2),
];

const firstAck = async (
  bench: Bench,
  count: number,
  rounds: number,
  name: string,
  most: number,
): Promise<Figure> => {
  const { load, files, say } = bench;
  await load.ask({ kind: "guilds", count });
  const measured = await alternate(rounds, async (botName) => {
    const database = bench.database("sellers");
    const waiting = load.ask({ kind: "first_ack", bot: botName });
    const bot = startBot(botName, load, files, database);
    try {
      // Whoever ends before it has a session never acknowledges.
      await bot.ready;
      const { at } = await waiting;
      say(`  ${botName}: ${(at - bot.spawnedAt).toFixed(0)} ms`);
      return at - bot.spawnedAt;
    } finally {
      await bot.stop();
    }
  });
  await load.ask({ kind: "guilds", count: 0 });
  const both = { ours: median(measured.ours), yardstick: median(measured.yardstick) };
  return ratio(name, "ms", both, { most });
};
