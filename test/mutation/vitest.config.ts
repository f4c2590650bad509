import { defineConfig } from "vitest/config";

/** The tests of the rules for money and deliveries; the simulations are too slow to run for each mutant. */
export default defineConfig({
  test: {
    include: [
      "test/{delivery,withdrawals,money-guards}/+([!.]).test.ts",
      "test/delivery/{closed-reader,deliver,possible-post,restored}.job.test.ts",
      "test/money-guards/money-guards.service.test.ts",
      "test/reports/{daily-report,report-route.view}.test.ts",
      "test/withdrawals/{external-withdrawals,left-undecided,withdraw-reconcile,withdrawals}.service.test.ts",
      "test/withdrawals/withdraw-{asked-again,cancel,confirm,prepare,rules,send}.service.test.ts",
      "test/withdrawals/{receipt,withdraw-confirmation,withdrawal-detail,withdrawal-list}.view.test.ts",
      "test/withdrawals/refunds/{refund-once,withdraw-refund}.service.test.ts",
      "test/wallet/{charges,classify-read,classify-money,client-bodies}.test.ts",
    ],
    setupFiles: ["test/support/temporal-equality.ts"],
    globalSetup: ["test/support/database-global-setup.ts"],
    maxWorkers: 1,
    testTimeout: 60_000,
  },
});
