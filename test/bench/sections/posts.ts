import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { asked, type Bench, onFile, type Section, withBot } from "../bench.ts";
import { POSTS } from "../bench-world.ts";
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
  const { files, load } = bench;
  await load.ask({ kind: "posts", reset: true });
  const file = join(files.folder, "posts.db");
  await seedPosts({ ...files, file, walletUrl: load.walletUrl, users: SELLERS });
  return await withBot(onFile(bench, file), "ours", async () => {
    await posted(bench, 1, BEGIN_WITHIN_SECONDS);
    const rate = { perSecond: ASKED_PER_SECOND, seconds: ASKED_SECONDS, users: bench.users };
    const meanwhile = await asked(bench, rate);
    await posted(bench, POSTS, END_WITHIN_SECONDS);
    const { seconds, refused } = await load.ask({ kind: "posts", reset: false });
    const best = POSTS / PER_SECOND;
    return [
      absolute(`${POSTS} posts, of ${best} s`, "ratio", { ours: seconds / best }, { most: 1.05 }),
      absolute("429 on posts", "", { ours: refused }, { most: 0 }),
      absolute("final answer p50 meanwhile", "ms", { ours: meanwhile.finalMs.p50 }),
      absolute("final answer p99 meanwhile", "ms", { ours: meanwhile.finalMs.p99 }),
    ];
  });
};

const posted = async ({ load }: Bench, count: number, withinSeconds: number): Promise<void> => {
  for (let waited = 0; waited < withinSeconds * 1000; waited += POLL_MS) {
    const { posted } = await load.ask({ kind: "posts", reset: false });
    if (posted >= count) return;
    await pause(POLL_MS);
  }
  throw new Error(`Fewer than ${count} posts after ${withinSeconds} s`);
};
