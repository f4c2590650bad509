import { defineConfig } from "vitest/config";
import { CHROMIUM, hasChromium } from "./open-browser.ts";

if (!hasChromium) console.log(`Skipped: the browser tests need ${CHROMIUM} (apt install chromium)`);

export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    // Two cores carry one browser at a time.
    fileParallelism: false,
    // One step that hangs holds up the later ones of its story.
    bail: 3,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // Only what hangs meets it, as in the project's own configuration.
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
