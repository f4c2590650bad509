import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openReportDay, settledAt } from "#src/shared/report-day.ts";
import { asked, type Bench, onFile, type Section, withBot } from "../bench.ts";
import { POSTS } from "../bench-world.ts";
import type { BotUnderLoad, LongestTurn } from "../bot-under-load.ts";
import { absolute } from "../figures.ts";
import type { LoadResult, PostsResult } from "../load-messages.ts";
import { oweWeeklyCloses, type ReportsSeed, seedReports } from "../seed.ts";

const PER_SECOND = 50;
/** Who type commands. */
const PEOPLE = 1_000;
/** Starts before the reports are due and outlasts their posts a little. */
const ASKED_SECONDS = 20;
const END_WITHIN_SECONDS = 180;
const POLL_MS = 250;
/** Time until the last report is settled. */
const SETTLED_MS = 2_000;
/** Minimum time between the bot's start and the full hour: its idle memory grows in the first minutes. */
const AHEAD_MS = 120_000;
/** Until the memory is expected back. */
const AFTER_MS = 60_000;

/** From one rush to the next: its posts, and the memory after it. */
const EVERY_MS = 4 * 60_000;

interface Plan extends Pick<ReportsSeed, "servers" | "sellersEach" | "rushes"> {
  readonly askedPerSecond: number;
  readonly askedSeconds: number;
  /** The servers of the last rush owe the week's close as well. */
  readonly closesInLast?: boolean;
}

interface Batch extends PostsResult {
  readonly plan: Plan;
  readonly cpu: number;
  /** From the hour to the last post. */
  readonly untilLast: number;
  /** Commands before the hour, and from the hour on. */
  readonly asked: readonly [before: LoadResult, meanwhile: LoadResult] | undefined;
  readonly turns: readonly [before: LongestTurn, meanwhile: LongestTurn];
  /** In MB: before the hour, and at most from then on. */
  readonly memory: readonly [before: number, most: number];
  /** In MB, `afterMs` later. */
  readonly after: number;
  /** Both without the files of programs and libraries: a rush reads some of them for the first time. */
  readonly ownBefore: number;
  readonly ownAfter: number;
}

/** Reports due in one minute: read, built and posted, first without commands, then with many. */
export const reports: Section = async (bench) => {
  const plan = { servers: POSTS, sellersEach: 1, rushes: 1, askedSeconds: ASKED_SECONDS };
  const [alone] = await batches(bench, { ...plan, askedPerSecond: 0 });
  const [beside] = await batches(bench, { ...plan, askedPerSecond: 50 });
  if (alone === undefined || beside === undefined) throw new Error("No rush");
  const best = POSTS / PER_SECOND;
  return [
    absolute(`CPU of ${POSTS} reports`, "s", { ours: alone.cpu }, { most: 3 }),
    absolute(`their posts, of ${best} s`, "ratio", { ours: alone.seconds / best }, { most: 1.05 }),
    absolute("429 on them", "", { ours: alone.refused + beside.refused }, { most: 0 }),
    absolute("final answer p50, to before", "ms", answersOf(beside, "p50")),
    absolute("final answer p99, to before", "ms", answersOf(beside, "p99"), { most: 100 }),
  ];
};

/**
 * Stores of 20 sellers each, all due in one minute, with pictures; then as many others, as on the bot's second day,
 * because the first rush loads code that stays loaded; then others that owe the week's close as well, as on a Monday.
 */
export const stores: Section = async (bench) => {
  const servers = bench.quick ? 50 : 500;
  const plan = { servers, sellersEach: 20, rushes: 3, askedPerSecond: 20, askedSeconds: 30 };
  const [told, again, monday] = await batches(bench, { ...plan, closesInLast: true }, AFTER_MS);
  if (told === undefined || again === undefined || monday === undefined) throw new Error("No rush");
  const best = servers / PER_SECOND;
  const [idle, most] = told.memory;
  const [idleAgain, mostAgain] = again.memory;
  const [before, meanwhile] = told.turns;
  return [
    absolute(`posts of ${servers} stores, of ${best} s`, "ratio", { ours: told.seconds / best }),
    absolute("the same from the hour on", "ratio", { ours: told.untilLast / best }, { most: 1.05 }),
    absolute("posts with a picture", "", { ours: told.pictures }, { least: servers }),
    absolute("429 on them", "", { ours: told.refused }, { most: 0 }),
    absolute("their CPU", "s", { ours: told.cpu }),
    absolute("final answer p99, to before", "ms", answersOf(told, "p99")),
    absolute("slowest answer, to before", "ms", answersOf(told, "most"), { most: 1_000 }),
    absolute(
      "longest block, to before",
      "ms",
      { ours: meanwhile.blockMs, yardstick: before.blockMs },
      { most: 50 },
    ),
    absolute("its longest turn of processor time", "ms", {
      ours: meanwhile.busyMs,
      yardstick: before.busyMs,
    }),
    absolute("memory above idle, at most", "MB", { ours: most - idle }, { most: 60 }),
    absolute("memory above idle, a minute after", "MB", { ours: told.after - idle }),
    absolute(
      "without the files of programs",
      "MB",
      { ours: told.ownAfter - told.ownBefore },
      { most: 10 },
    ),
    absolute("the same in a second rush, at most", "MB", { ours: mostAgain - idleAgain }),
    absolute("a minute after that", "MB", { ours: again.after - idleAgain }),
    absolute(
      `with ${servers} weekly closes, posts of ${2 * best} s from the hour on`,
      "ratio",
      {
        ours: monday.untilLast / (2 * best),
      },
      { most: 1.05 },
    ),
    absolute("their 429", "", { ours: monday.refused }, { most: 0 }),
    absolute("their slowest answer, to before", "ms", answersOf(monday, "most"), { most: 1_000 }),
    absolute(
      "their longest block, to before",
      "ms",
      {
        ours: monday.turns[1].blockMs,
        yardstick: monday.turns[0].blockMs,
      },
      { most: 50 },
    ),
    absolute(
      "their memory above idle, at most",
      "MB",
      {
        ours: monday.memory[1] - monday.memory[0],
      },
      { most: 60 },
    ),
    absolute("their memory a minute after", "MB", { ours: monday.after - monday.memory[0] }),
  ];
};

const answersOf = ({ asked }: Batch, share: "p50" | "p99" | "most") => {
  const [before, meanwhile] = asked ?? [];
  return { ours: meanwhile?.finalMs[share] ?? NaN, yardstick: before?.finalMs[share] };
};

/** One batch for each rush; memory is measured again `afterMs` after each. */
const batches = async (bench: Bench, plan: Plan, afterMs = 0): Promise<readonly Batch[]> => {
  const { files, load, say } = bench;
  const { servers, sellersEach, askedPerSecond, rushes } = plan;
  const file = join(files.folder, `reports-${servers}-${sellersEach}-${askedPerSecond}.db`);
  const dueAt = await seedReports({
    ...files,
    ...plan,
    everyMs: EVERY_MS,
    walletUrl: load.walletUrl,
    users: PEOPLE,
    file,
    dueAt: () => firstDue(rushes),
  });
  const rush = async (bot: BotUnderLoad, index: number): Promise<Batch> => {
    const dueMs = dueAt.epochMilliseconds + index * EVERY_MS;
    const closes = plan.closesInLast === true && index === rushes - 1;
    const oweCloses = () => oweWeeklyCloses(file, { first: index * servers, servers });
    const posted = await onTheHour(bench, bot, dueMs, plan, closes ? oweCloses : undefined);
    await pause(afterMs);
    const told = { ...posted, after: bot.memoryMb(), ownAfter: bot.ownMemoryMb() };
    say(inWords(told));
    return told;
  };
  const told: Batch[] = [];
  const allRushes = async (bot: BotUnderLoad): Promise<void> => {
    for (let index = 0; index < rushes; index++) told.push(await rush(bot, index));
  };
  await withBot(onFile(bench, file), "ours", allRushes);
  return told;
};

/** The first minute from which no rush waits until a day that just closed has settled. */
const firstDue = (rushes: number): Temporal.Instant => {
  const soon = Temporal.Now.instant()
    .add({ milliseconds: AHEAD_MS })
    .round({ smallestUnit: "minute", roundingMode: "ceil" });
  const last = soon.add({ milliseconds: (rushes - 1) * EVERY_MS });
  const settled = settledAt(openReportDay(last).subtract({ days: 1 }));
  return Temporal.Instant.compare(soon, settled) < 0 ? settled : soon;
};

const inWords = ({ cpu, seconds, untilLast, refused, asked, turns, memory, after }: Batch) => {
  const p99 = asked?.map(({ finalMs }) => `, p99 ${finalMs.p99.toFixed(1)} ms`).join("") ?? "";
  const blocks = turns.map((turn) => `${turn.blockMs.toFixed(0)} (${turn.busyMs.toFixed(0)})`);
  const megabytes = [...memory, after].map((each) => each.toFixed(0));
  return (
    `  CPU ${cpu.toFixed(2)} s, ${seconds.toFixed(1)} s, ${untilLast.toFixed(1)} s from the hour, ` +
    `${refused} times 429${p99}, blocks ${blocks.join(" then ")} ms, memory ${megabytes.join(", ")} MB`
  );
};

const onTheHour = async (
  bench: Bench,
  bot: BotUnderLoad,
  dueMs: number,
  plan: Plan,
  oweCloses?: () => void,
): Promise<Omit<Batch, "after" | "ownAfter">> => {
  const { load } = bench;
  const { servers, askedPerSecond, askedSeconds } = plan;
  const withPeople = askedPerSecond > 0;
  const ask = (seconds: number) =>
    asked(bench, { perSecond: askedPerSecond, seconds, users: PEOPLE });
  await pause(dueMs - SETTLED_MS - (withPeople ? ASKED_SECONDS * 1000 : 0) - Date.now());
  await bot.longestTurn();
  const before = withPeople ? await ask(ASKED_SECONDS) : undefined;
  await load.ask({ kind: "posts", reset: true });
  const cpuBefore = bot.cpuSeconds();
  const idle = bot.memoryMb();
  const ownBefore = bot.ownMemoryMb();
  let most = idle;
  const turnBefore = await bot.longestTurn();
  oweCloses?.();
  await pause(dueMs - Date.now());
  const watching = setInterval(() => (most = Math.max(most, bot.memoryMb())), POLL_MS);
  const meanwhile = before && ask(askedSeconds);
  for (const latest = dueMs + END_WITHIN_SECONDS * 1000; ; await pause(POLL_MS)) {
    const { posted } = await load.ask({ kind: "posts", reset: false });
    if (posted >= (oweCloses === undefined ? servers : 2 * servers)) break;
    if (Date.now() > latest) throw new Error(`Only ${posted} reports were posted`);
  }
  const answers = before && meanwhile && ([before, await meanwhile] as const);
  await pause(SETTLED_MS);
  clearInterval(watching);
  const cpu = bot.cpuSeconds() - cpuBefore;
  const posts = await load.ask({ kind: "posts", reset: false });
  return {
    ...posts,
    plan,
    cpu,
    untilLast: (posts.lastAt - dueMs) / 1000,
    asked: answers,
    turns: [turnBefore, await bot.longestTurn()],
    memory: [idle, most],
    ownBefore,
  };
};
