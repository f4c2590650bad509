import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { alternate, databaseCopies, withBot, type Bench, type Section } from "./bench.ts";
import { USERS } from "./bench-world.ts";
import { table, type Figure } from "./figures.ts";
import { startLoadServer } from "./load-client.ts";
import { growth, guilds, idle } from "./sections/memory.ts";
import { posts } from "./sections/posts.ts";
import { reports, stores } from "./sections/reports.ts";
import { sales } from "./sections/sales.ts";
import { sellers } from "./sections/sellers.ts";
import { start } from "./sections/start.ts";
import { throughput } from "./sections/throughput.ts";
import { webhooks } from "./sections/webhooks.ts";
import { seedIdleSellers } from "./seed.ts";

const SECTIONS: Readonly<Record<string, Section>> = {
  throughput,
  idle,
  guilds,
  growth,
  start,
  posts,
  reports,
  stores,
  sellers,
  sales,
  webhooks,
};
const QUICK_USERS = 10_000;

const ACCOUNTS = 20_000;

/** `npm run bench -- [--quick] [--accounts N] [SECTION …]`: our bot and a bare discord.js bot, side by side. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    accounts: { type: "string", default: String(ACCOUNTS) },
  },
});
const unknown = positionals.filter((name) => SECTIONS[name] === undefined);
if (unknown.length > 0) {
  console.error(`No section ${unknown.join(", ")}; there are: ${Object.keys(SECTIONS).join(", ")}`);
  process.exit(1);
}
if (process.platform !== "linux") {
  console.error("The bench reads CPU time and memory from /proc: it needs Linux");
  process.exit(1);
}
const chosen = positionals.length === 0 ? Object.keys(SECTIONS) : positionals;
const folder = mkdtempSync(join(tmpdir(), "balcao-bench-"));
const load = await startLoadServer();
const say = (text: string): void => console.log(text);

try {
  const masterKey = `bench:${randomBytes(32).toString("base64")}`;
  const users = values.quick ? QUICK_USERS : USERS;
  say(`Seeding ${users.toLocaleString("en")} sellers …`);
  const file = join(folder, "sellers.db");
  await seedIdleSellers({
    masterKey,
    walletUrl: load.walletUrl,
    users,
    file,
    alerts: true,
  });
  const bench: Bench = {
    quick: values.quick,
    load,
    files: { folder, masterKey },
    users,
    accounts: Number(values.accounts),
    database: databaseCopies(file, folder),
    say,
  };
  // One uncounted start of each: afterwards Node's compile cache serves both.
  await alternate(1, (name) => withBot(bench, name, async () => {}));
  const figures: Figure[] = [];
  for (const name of chosen) {
    say(`${name} …`);
    figures.push(...((await SECTIONS[name]?.(bench)) ?? []));
  }
  say(`\n${table(figures)}\n`);
} finally {
  await load.stop();
  rmSync(folder, { recursive: true, force: true });
}
