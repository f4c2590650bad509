import { statfsSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They start programs or pass through days: begun last, one of them would keep a single worker busy at the end. */
const LONGEST = [
  "e2e/shards",
  "sandbox/demo",
  "e2e/saque",
  "e2e/closes",
  "disputes/dispute-watch.job",
  "sandbox/run-clock",
  "database/rotate-keys",
  "e2e/daily-report",
  "database/backup",
  "e2e/process",
  "interleavings/interleavings",
  "e2e/dispute-alerts",
  "e2e/dispute-processes",
].map((name) => join(import.meta.dirname, `test/${name}.test.ts`));

/** By the times of the run before, which a fresh clone has not; the longest are known to it too. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      LONGEST.indexOf(moduleId) + 1 || Infinity;
    return (await super.sort(files)).toSorted((one, other) =>
      rank(one) === rank(other) ? 0 : rank(one) - rank(other),
    );
  }
}

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
    globalSetup: ["test/support/database-global-setup.ts"],
    // Nothing is mocked, so that files may share what was loaded once.
    isolate: false,
    env: {
      // Our programs are compiled once for all of their starts.
      NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/programs"),
    },
    sequence: { sequencer: LongestFirst },
    // Two cores are all that may be assumed.
    maxWorkers: 2,
    // Only what hangs meets these: no test may depend on the speed of the machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 10 } },
  },
});
