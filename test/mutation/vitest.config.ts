import { defineConfig } from "vitest/config";

/** The tests of the rules for money and deliveries; the simulations are too slow to run for each mutant. */
export default defineConfig({
  test: {
    include: [
      "test/{shared,reports,disputes,accounts,delivery,withdrawals,money-guards}/+([!.]).test.ts",
      "test/delivery/{closed-reader,deliver,possible-post}.job.test.ts",
      "test/money-guards/money-guards.service.test.ts",
      "test/withdrawals/*.service.test.ts",
      "test/withdrawals/refunds/*.service.test.ts",
      "test/wallet/{classify-read,classify-money,client-bodies}.test.ts",
    ],
    globalSetup: ["test/support/database-global-setup.ts"],
    maxWorkers: 1,
    testTimeout: 60_000,
  },
});
