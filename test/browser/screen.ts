import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Browser } from "./open-browser.ts";

export type Screen = ReturnType<typeof screenOf>;

/** The page, driven as a person would. */
export const screenOf = (page: Page) => {
  const composer = () => page.locator("#composer-line input").first();
  const newest = () => page.locator("discord-message").last();
  /** Waits until the clock, which runs fast after a press, is back at normal speed. */
  const clockArrives = () => page.locator("#clock:not([aria-busy])").waitFor();
  const closeMenus = () => page.keyboard.press("Escape");
  return {
    be: async (name: "Ana" | "Bruno" | "Carla"): Promise<void> => {
      const person = page.locator("#people").getByRole("button", { name });
      await person.click();
      await page.locator(`.person[aria-pressed=true]`, { hasText: name }).waitFor();
    },
    openChannel: async (name: string): Promise<void> => {
      await page.locator("#sidebar .channel", { hasText: name }).click();
      await page.locator("#channel-name", { hasText: name }).waitFor();
    },
    /** Types a line into the composer and sends it. */
    send: async (line: string): Promise<void> => {
      await page.locator("#composer-input").fill(`${line} `);
      await page.locator(".command-chip").waitFor();
      await page.locator("#composer-send").click();
    },
    newest,
    says: (text: string | RegExp): Promise<void> => newest().getByText(text).first().waitFor(),
    clockArrives,
    /** Moves the clock by its button of that name. */
    moveClock: async (button: "minute" | "minutes" | "hour" | "day"): Promise<void> => {
      const inside = button === "minute" || button === "minutes";
      if (inside) await page.locator("#clock-panel summary").click();
      await page.locator(`#clock-${button}`).click();
      if (inside) await closeMenus();
      await clockArrives();
    },
    openWallet: async (): Promise<Locator> => {
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
