import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["test/fuzz/**/*.test.ts"],
    // Assumes two cores.
    maxWorkers: 2,
    testTimeout: 300_000,
  },
});
