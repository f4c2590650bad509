import { statfsSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { longestFirst } from "./test/support/longest-first.ts";

/** They start programs or pass through days: begun last, one of them would keep a single worker busy at the end. */
const LONGEST = [
  "sandbox/demo",
  "e2e/shards",
  "discord/gateway",
  "e2e/sale-notices",
  "e2e/vendas",
  "e2e/closes",
  "e2e/cobrar",
  "e2e/saque",
  "e2e/webhook",
  "e2e/estornar",
  "e2e/daily-report",
  "e2e/process",
  "sale-notices/sale-history",
  "sale-notices/sale-list",
  "disputes/dispute-watch.job",
  "sandbox/run-clock",
  "database/rotate-keys",
  "database/backup",
  "interleavings/interleavings",
  "e2e/dispute-alerts",
  "e2e/dispute-processes",
];

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 ** 31;

const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
};

// Memory takes the place of the disk, for which every commit of the bot waits. A killed process keeps its files there too.
if (process.env["TMPDIR"] === undefined && hasRoom(MEMORY)) process.env["TMPDIR"] = MEMORY;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [
      "test/simulate/**",
      "test/fuzz/**",
      "test/browser/**",
      "test/crash/**",
      "test/bench/**",
    ],
    setupFiles: ["test/support/temporal-equality.ts"],
    globalSetup: ["test/support/database-global-setup.ts"],
    // Nothing is mocked, so that files may share what was loaded once.
    isolate: false,
    // Node loads the files as it does those of the running bot.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: {
      // Our programs are compiled once for all of their starts.
      NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/programs"),
    },
    sequence: { sequencer: longestFirst(LONGEST) },
    // Two cores are all that may be assumed; three more workers take the time in which tests wait.
    maxWorkers: 5,
    // Only what hangs meets these: no test may depend on the speed of the machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 10 } },
  },
});
