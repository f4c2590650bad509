import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/simulate/**/*.test.ts", "test/interleavings/**/*.test.ts"],
    env: { INTERLEAVINGS: "1000" },
    // One at a time: the figures that they print are to mean something.
    fileParallelism: false,
    testTimeout: 300_000,
  },
});
