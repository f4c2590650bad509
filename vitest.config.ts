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
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
