import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Browser } from "./open-browser.ts";

/** The page, driven as a person would. */
export interface Screen {
  readonly be: (name: "Ana" | "Bruno" | "Carla") => Promise<void>;
  readonly openChannel: (name: string) => Promise<void>;
  /** Types a line into the composer and sends it. */
  readonly send: (line: string) => Promise<void>;
  readonly newest: () => Locator;
  readonly says: (text: string | RegExp) => Promise<void>;
  /** Waits until the clock, which runs fast after a press, is back at normal speed. */
  readonly clockArrives: () => Promise<void>;
  /** Moves the clock by its button of that name. */
  readonly moveClock: (button: "minute" | "minutes" | "hour" | "day") => Promise<void>;
  readonly openWallet: () => Promise<Locator>;
  readonly closeMenus: () => Promise<void>;
  readonly messages: () => Locator;
  readonly composer: () => Locator;
  readonly suggestions: () => Locator;
}

export const screenOf = (page: Page): Screen => {
  const composer = () => page.locator("#composer-line input").first();
  const newest = () => page.locator("discord-message").last();
  const clockArrives = () => page.locator("#clock:not([aria-busy])").waitFor();
  const closeMenus = () => page.keyboard.press("Escape");
  return {
    be: async (name) => {
      const person = page.locator("#people").getByRole("button", { name });
      await person.click();
      await page.locator(`.person[aria-pressed=true]`, { hasText: name }).waitFor();
    },
    openChannel: async (name) => {
      await page.locator("#sidebar .channel", { hasText: name }).click();
      await page.locator("#channel-name", { hasText: name }).waitFor();
    },
    send: async (line) => {
      await page.locator("#composer-input").fill(`${line} `);
      await page.locator(".command-chip").waitFor();
      await page.locator("#composer-send").click();
    },
    newest,
    says: (text) => newest().getByText(text).first().waitFor(),
    clockArrives,
    moveClock: async (button) => {
      const inside = button === "minute" || button === "minutes";
      if (inside) await page.locator("#clock-panel summary").click();
      await page.locator(`#clock-${button}`).click();
      if (inside) await closeMenus();
      await clockArrives();
    },
    openWallet: async () => {
      const panel = page.locator("#wallet-panel");
      if ((await panel.getAttribute("open")) === null) await panel.locator("summary").click();
      return panel;
    },
    closeMenus,
    messages: () => page.locator("discord-message"),
    composer,
    suggestions: () => page.locator("#suggestions [role=option]"),
  };
};

/** The last test of a describe. */
export const endsClean = (browser: () => Browser): void => {
  test("all of it without one error in the console or one request to another machine", () => {
    expect(browser().complaints).toEqual([]);
    expect(browser().strayRequests).toEqual([]);
  });
};
