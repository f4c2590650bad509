import { join } from "node:path";
import type { Bench, Section } from "../bench.ts";
import { POSTS } from "../bench-world.ts";
import { pause, startBot } from "../bot-under-load.ts";
import { absolute } from "../figures.ts";
import { seedPosts } from "../seed.ts";

const SELLERS = 500;
const PER_SECOND = 50;
const BEGIN_WITHIN_SECONDS = 75;
const END_WITHIN_SECONDS = 60;
const POLL_MS = 250;
const ASKED_PER_SECOND = 20;
const ASKED_SECONDS = 10;

/** A batch of overdue scheduled posts at start-up, while users send commands. */
export const posts: Section = async (bench) => {
  await bench.load.ask({ kind: "posts", reset: true });
  const { files, load } = bench;
  const file = join(files.folder, "posts.db");
  await seedPosts({ ...files, file, walletUrl: load.walletUrl, users: SELLERS });
  const bot = startBot("ours", load, files, file);
  try {
    await bot.ready;
    await posted(bench, 1, BEGIN_WITHIN_SECONDS);
    const meanwhile = await bench.load.ask({
      kind: "open",
      bot: "ours",
      perSecond: ASKED_PER_SECOND,
      seconds: ASKED_SECONDS,
      firstUser: 0,
      users: bench.users,
    });
    await posted(bench, POSTS, END_WITHIN_SECONDS);
    const { seconds, refused } = await bench.load.ask({ kind: "posts", reset: false });
    const best = POSTS / PER_SECOND;
    return [
      absolute(`${POSTS} posts, of ${best} s`, "ratio", { ours: seconds / best }, { most: 1.05 }),
      absolute("429 on posts", "", { ours: refused }, { most: 0 }),
      absolute("final answer p50 meanwhile", "ms", { ours: meanwhile.finalMs.p50 }),
      absolute("final answer p99 meanwhile", "ms", { ours: meanwhile.finalMs.p99 }),
    ];
  } finally {
    await bot.stop();
  }
};

const posted = async ({ load }: Bench, count: number, withinSeconds: number): Promise<void> => {
  for (let waited = 0; waited < withinSeconds * 1000; waited += POLL_MS) {
    const { posted } = await load.ask({ kind: "posts", reset: false });
    if (posted >= count) return;
    await pause(POLL_MS);
  }
  throw new Error(`Fewer than ${count} posts after ${withinSeconds} s`);
};
