import { join } from "node:path";
import { defineConfig } from "vitest/config";

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
    // Two cores are all that may be assumed.
    maxWorkers: 2,
    // Only what hangs meets these: no test may depend on the speed of the machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
