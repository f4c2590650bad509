import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "test/simulate/**/*.test.ts",
      "test/interleavings/**/*.test.ts",
      "test/accounting-files/accounting-months.test.ts",
    ],
    env: { INTERLEAVINGS: "1000", MONTHS: process.env["MONTHS"] ?? "2000" },
    // One per core.
    maxWorkers: 2,
    // Catches hangs only.
    testTimeout: 30 * 60_000,
  },
});
