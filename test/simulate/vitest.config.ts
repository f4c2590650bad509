import { defineConfig } from "vitest/config";
import { longestFirst } from "../support/longest-first.ts";

export default defineConfig({
  test: {
    include: [
      "test/simulate/**/*.test.ts",
      "test/interleavings/**/*.test.ts",
      "test/accounting-files/accounting-months.test.ts",
    ],
    env: { INTERLEAVINGS: "1000", MONTHS: process.env["MONTHS"] ?? "2000" },
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
