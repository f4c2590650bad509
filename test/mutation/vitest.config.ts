import { defineConfig } from "vitest/config";

/** The tests of the rules for money and deliveries; the simulations are too slow to run for each mutant. */
export default defineConfig({
  test: {
    include: [
      "test/domain/**/*.test.ts",
      "test/services/money/{money-guards,withdraw-confirm,withdraw-prepare,withdraw-rules}.test.ts",
      "test/wallet/{classify-read,classify-money,client-bodies}.test.ts",
    ],
    globalSetup: ["test/support/database-global-setup.ts"],
    maxWorkers: 1,
    testTimeout: 60_000,
  },
});
