import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";

/**
 * Catches hangs only: the bot's jobs wait for the account's rate limit, and a simulated day takes a busy machine half a
 * minute.
 */
const LONGEST_WAIT_MS = 90_000;

const DESKTOP = { width: 1280, height: 800 } as const;
export const PHONE = { width: 390, height: 844 } as const;

export interface Browser {
  readonly page: Page;
  /** Requests to other machines. */
  readonly strayRequests: readonly string[];
  /** Console errors and warnings, and uncaught exceptions. */
  readonly complaints: readonly string[];
  readonly close: () => Promise<void>;
}

/** Opens `url` in a browser with an empty profile. */
export const openBrowser = async (
  url: string,
  viewport: { readonly width: number; readonly height: number } = DESKTOP,
): Promise<Browser> => {
  const profile = mkdtempSync(join(tmpdir(), "balcao-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    viewport,
    locale: "pt-BR",
    permissions: ["clipboard-read", "clipboard-write"],
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  context.setDefaultTimeout(LONGEST_WAIT_MS);
  const strayRequests: string[] = [];
  const complaints: string[] = [];
  context.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol !== "data:" && hostname !== "127.0.0.1") strayRequests.push(request.url());
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(url);
  return {
    page,
    strayRequests,
    complaints,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
};

/** Path in Debian's package. */
export const CHROMIUM = "/usr/bin/chromium";

export const hasChromium = existsSync(CHROMIUM);
