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
    globalSetup: ["test/support/postgres-global-setup.ts"],
    // Two cores are all that may be assumed.
    maxWorkers: 2,
    // Only what hangs meets these: no test may depend on the speed of the machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
