import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { asked, type Bench, onFile, type Section, withBot } from "../bench.ts";
import type { BotUnderLoad } from "../bot-under-load.ts";
import { absolute, median, ratio, type Figure } from "../figures.ts";
import type { Percentiles } from "../load-messages.ts";
import { seedIdleSellers } from "../seed.ts";

/** Few enough for their polls to be negligible, enough for `/vendas` to reach the wallet each time. */
const FEW = 1_000;
/** Time for the polls that became overdue before the start. */
const WARM_UP_MS = 120_000;
const SLICE_MS = 10_000;
const ASKED_PER_SECOND = 50;
/** Share of one core, and MB, for the first entry with at least that many accounts. */
const BOUNDS = [
  { accounts: 20_000, core: 0.07, memory: 120 },
  { accounts: 100_000, core: 0.35, memory: 160 },
] as const;

interface Quiet {
  readonly core: number;
  readonly memory: number;
  readonly perTenSeconds: readonly number[];
}

type Answers = Pick<Percentiles, "p50" | "p99">;

/** The cost of connected accounts alone, and their effect on command latency. */
export const sellers: Section = async (bench) => {
  const { accounts, say } = bench;
  say(`  seeding ${accounts.toLocaleString("en")} accounts …`);
  const few = await seeded(bench, FEW, false);
  const many = await seeded(bench, accounts, true);
  const alone = await withBot(onFile(bench, few), "ours", async (bot) => {
    const answered = await answers(bench);
    say(`  memory with none: ${bot.memoryMb().toFixed(0)} MB`);
    return answered;
  });
  const [quiet, beside] = await withBot(onFile(bench, many), "ours", async (bot) => {
    await pause(WARM_UP_MS);
    return [await watchQuiet(bench, bot), await answers(bench)] as const;
  });
  const calls = quiet.perTenSeconds.reduce((sum, count) => sum + count, 0);
  const mean = calls / quiet.perTenSeconds.length;
  const bound = BOUNDS.find((each) => accounts <= each.accounts);
  const most = (value: number | undefined): Figure["target"] =>
    value === undefined ? undefined : { most: value };
  const of = accounts.toLocaleString("en");
  const seconds = (quiet.perTenSeconds.length * SLICE_MS) / 1000;
  return [
    absolute(`cores, ${of} idle accounts`, "", { ours: quiet.core }, most(bound?.core)),
    absolute("their memory", "MB", { ours: quiet.memory }, most(bound?.memory)),
    absolute("their calls a second", "1/s", { ours: calls / seconds }),
    absolute("CPU of each call", "ms", { ours: (quiet.core * 1000 * seconds) / calls }),
    absolute(
      "most calls in 10 s, of the mean",
      "ratio",
      { ours: Math.max(...quiet.perTenSeconds) / mean },
      { most: 1.5 },
    ),
    ratio(`final answer p50, ${ASKED_PER_SECOND}/s, to none`, "ms", {
      ours: beside.p50,
      yardstick: alone.p50,
    }),
    ratio(
      `final answer p99, ${ASKED_PER_SECOND}/s, to none`,
      "ms",
      { ours: beside.p99, yardstick: alone.p99 },
      { most: 1.3 },
    ),
  ];
};

const seeded = async (bench: Bench, users: number, alerts: boolean): Promise<string> => {
  const { files, load } = bench;
  const file = join(files.folder, `idle-${users}.db`);
  await seedIdleSellers({ ...files, walletUrl: load.walletUrl, users, alerts, file });
  return file;
};

/** Some whole minutes without commands; memory is the peak, uncollected. */
const watchQuiet = async ({ load, quick, say }: Bench, bot: BotUnderLoad): Promise<Quiet> => {
  const slices = quick ? 12 : 60;
  await load.ask({ kind: "looks", reset: true });
  const [begunAt, cpuBefore] = [performance.now(), bot.cpuSeconds()];
  const memory: number[] = [];
  for (let slice = 1; slice <= slices; slice++) {
    await pause(begunAt + slice * SLICE_MS + 1 - performance.now());
    memory.push(bot.memoryMb());
  }
  const core = ((bot.cpuSeconds() - cpuBefore) * 1000) / (performance.now() - begunAt);
  const { perTenSeconds } = await load.ask({ kind: "looks", reset: true });
  say(`  calls in 10 s each: ${perTenSeconds.join(" ")}`);
  say(`  memory: ${memory.map((each) => each.toFixed(0)).join(" ")} MB`);
  return { core, memory: Math.max(...memory), perTenSeconds };
};

const answers = async (bench: Bench): Promise<Answers> => {
  const { quick, say } = bench;
  const rounds: Answers[] = [];
  for (let round = 0; round < (quick ? 3 : 5); round++) {
    const rate = { perSecond: ASKED_PER_SECOND, seconds: 20, users: FEW };
    const { finalMs, lost } = await asked(bench, rate);
    say(`  at ${ASKED_PER_SECOND}/s: p99 ${finalMs.p99.toFixed(1)} ms, ${lost} lost`);
    rounds.push(finalMs);
  }
  return {
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
  };
};
