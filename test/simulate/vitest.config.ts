import { defineConfig } from "vitest/config";
import { longestFirst } from "../support/longest-first.ts";

export default defineConfig({
  test: {
    include: [
      "test/simulate/**/*.test.ts",
      "test/interleavings/**/*.test.ts",
      "test/accounting-files/accounting-months.test.ts",
      "test/charges/charge-life.test.ts",
      "test/reports/report-life.test.ts",
      "test/sale-notices/sale-history.test.ts",
      "test/sale-notices/sale-report-history.test.ts",
    ],
    // `npm test` lives through a few of each.
    env: {
      INTERLEAVINGS: "1000",
      MONTHS: process.env["MONTHS"] ?? "2000",
      CHARGE_LIVES: process.env["CHARGE_LIVES"] ?? "150",
      REPORT_LIVES: process.env["REPORT_LIVES"] ?? "80",
      SALE_HISTORIES: process.env["SALE_HISTORIES"] ?? "25",
    },
    sequence: {
      sequencer: longestFirst([
        "simulate/fleet/sales-of-500-accounts",
        "simulate/money/crash-points",
        "simulate/disputes/fortnights",
        "accounting-files/accounting-months",
        "simulate/fleet/day-of-1000-keys",
        "simulate/money/weeks",
        "simulate/year-of-closes",
        "simulate/year-of-ten-zones",
      ]),
    },
    // One per core.
    maxWorkers: 2,
    // Catches hangs only.
    testTimeout: 30 * 60_000,
  },
});
