import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/simulate/**/*.test.ts", "test/interleavings/**/*.test.ts"],
    env: { INTERLEAVINGS: "1000" },
    // As many as there are cores.
    maxWorkers: 2,
    // For hangs alone.
    testTimeout: 30 * 60_000,
  },
});
