import { join } from "node:path";
import type { Bench, Section } from "../bench.ts";
import { POSTS } from "../bench-world.ts";
import { pause, startBot, type BotUnderLoad } from "../bot-under-load.ts";
import { absolute } from "../figures.ts";
import type { LoadResult } from "../load-messages.ts";
import { seedReports } from "../seed.ts";

const PER_SECOND = 50;
const SELLERS = 1_000;
const ASKED_PER_SECOND = 50;
/** Starts a minute before the reports are due and outlasts their posts a little. */
const ASKED_SECONDS = 20;
const END_WITHIN_SECONDS = 90;
const POLL_MS = 250;
/** Time until the last report is settled. */
const SETTLED_MS = 2_000;
/** Minimum time between the bot's start and the full hour. */
const AHEAD_MS = 110_000;

interface Batch {
  readonly cpu: number;
  readonly seconds: number;
  readonly refused: number;
  /** Load before the hour, and from the hour on. */
  readonly asked: readonly [before: LoadResult, meanwhile: LoadResult] | undefined;
}

/** Reports due in one minute: read, built and posted, first without commands, then with many. */
export const reports: Section = async (bench) => {
  const alone = await batch(bench, false);
  const beside = await batch(bench, true);
  const best = POSTS / PER_SECOND;
  return [
    absolute(`CPU of ${POSTS} reports`, "s", { ours: alone.cpu }, { most: 3 }),
    absolute(`their posts, of ${best} s`, "ratio", { ours: alone.seconds / best }, { most: 1.05 }),
    absolute("429 on them", "", { ours: alone.refused + beside.refused }, { most: 0 }),
    absolute("final answer p50, to before", "ms", answersOf(beside, "p50")),
    absolute("final answer p99, to before", "ms", answersOf(beside, "p99"), { most: 100 }),
  ];
};

const answersOf = ({ asked }: Batch, share: "p50" | "p99") => {
  const [before, meanwhile] = asked ?? [];
  return { ours: meanwhile?.finalMs[share] ?? NaN, yardstick: before?.finalMs[share] };
};

const batch = async (bench: Bench, withPeople: boolean): Promise<Batch> => {
  const { files, load, say } = bench;
  const file = join(files.folder, `reports-${withPeople}.db`);
  const dueAt = Temporal.Now.instant()
    .add({ milliseconds: AHEAD_MS })
    .round({ smallestUnit: "minute", roundingMode: "ceil" });
  await seedReports({ ...files, walletUrl: load.walletUrl, users: SELLERS, file, dueAt });
  const bot = startBot("ours", load, files, file);
  try {
    await bot.ready;
    const told = await onTheHour(bench, bot, dueAt.epochMilliseconds, withPeople);
    const { cpu, seconds, refused, asked } = told;
    const p99 = asked?.map(({ finalMs }) => `, p99 ${finalMs.p99.toFixed(1)} ms`).join("") ?? "";
    say(`  CPU ${cpu.toFixed(2)} s, ${seconds.toFixed(1)} s, ${refused} times 429${p99}`);
    return told;
  } finally {
    await bot.stop();
  }
};

const onTheHour = async (
  { load }: Bench,
  bot: BotUnderLoad,
  dueMs: number,
  withPeople: boolean,
): Promise<Batch> => {
  const ask = () =>
    load.ask({
      kind: "open",
      bot: "ours",
      perSecond: ASKED_PER_SECOND,
      seconds: ASKED_SECONDS,
      firstUser: 0,
      users: SELLERS,
    });
  await pause(dueMs - SETTLED_MS - (withPeople ? ASKED_SECONDS * 1000 : 0) - Date.now());
  const before = withPeople ? await ask() : undefined;
  await load.ask({ kind: "posts", reset: true });
  const cpuBefore = bot.cpuSeconds();
  await pause(dueMs - Date.now());
  const asked = before && ([before, await ask()] as const);
  for (const latest = dueMs + END_WITHIN_SECONDS * 1000; ; await pause(POLL_MS)) {
    const { posted } = await load.ask({ kind: "posts", reset: false });
    if (posted >= POSTS) break;
    if (Date.now() > latest) throw new Error(`Only ${posted} reports were posted`);
  }
  await pause(SETTLED_MS);
  const cpu = bot.cpuSeconds() - cpuBefore;
  return { ...(await load.ask({ kind: "posts", reset: false })), cpu, asked };
};
