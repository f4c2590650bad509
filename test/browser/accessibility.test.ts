import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasChromium, PHONE } from "./open-browser.ts";
import { openConnectedDemo, type OpenDemo } from "./open-demo.ts";

describe.skipIf(!hasChromium)("the page, as axe reads it", () => {
  let demo: OpenDemo;

  beforeAll(async () => {
    demo = await openConnectedDemo();
  });
  afterAll(() => demo?.close());

  /** Each fault as `impact rule: element`, e.g. `serious color-contrast: #clock-date`. */
  const faults = async (): Promise<readonly string[]> => {
    const { page } = demo.browser;
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(),
    );
    return violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ target }) => `${impact} ${id}: ${target.join(" ")}`),
    );
  };

  test.each([
    ["a desktop", { width: 1280, height: 800 }],
    ["a phone", PHONE],
  ])("has no fault on %s, with its panels and forms open and closed", async (_, size) => {
    const { page } = demo.browser;
    await page.setViewportSize(size);
    await page.reload();
    await page.locator("discord-message, .empty").first().waitFor();
    expect(await faults()).toEqual([]);
    for (const panel of ["#sell-panel", "#wallet-panel", "#clock-panel"]) {
      await page.locator(`${panel} > summary`).click();
      expect(await faults()).toEqual([]);
      await page.keyboard.press("Escape");
    }
    const guide = page.locator("#guide > summary");
    await guide.click();
    expect(await faults()).toEqual([]);
    await guide.click();
    await demo.screen.send("/conta conectar");
    await page.getByRole("dialog").waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Cancelar" }).click();
  });

  test("at 400 % has room for messages, and its panels are on the screen", async () => {
    const { page } = demo.browser;
    await page.setViewportSize({ width: 320, height: 256 });
    await page.reload();
    await page.locator("discord-message, .empty").first().waitFor();
    expect((await page.locator("#messages").boundingBox())?.height).toBeGreaterThan(100);
    for (const panel of ["#sell-panel", "#wallet-panel", "#clock-panel"]) {
      await page.locator(`${panel} > summary`).click();
      const body = await page.locator(`${panel} > .menu-body`).boundingBox();
      expect(body?.x).toBeGreaterThanOrEqual(0);
      expect((body?.x ?? 0) + (body?.width ?? Infinity)).toBeLessThanOrEqual(320);
      await page.keyboard.press("Escape");
    }
  });

  test("on a phone its channels are reached and left by the keyboard alone", async () => {
    const { page } = demo.browser;
    const { keyboard } = page;
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
    await page.setViewportSize(PHONE);
    await page.locator("#open-sidebar").press("Enter");
    expect(await focused()).toMatch(/geral$/);
    await keyboard.press("Escape");
    expect(await page.locator("#sidebar").isVisible()).toBe(false);
    expect(await focused()).toMatch(/Canais$/);
    await keyboard.press("Enter");
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    await page.locator("#channel-name", { hasText: "vendas" }).waitFor();
    expect(await page.locator("#sidebar").isVisible()).toBe(false);
    expect(await focused()).toMatch(/Canais$/);
    await demo.screen.be("Ana");
  });

  test("with forced colours marks the person, the channel and the suggestion", async () => {
    const { page } = demo.browser;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ forcedColors: "active" });
    onTestFinished(() => page.emulateMedia({ forcedColors: "none" }));
    await demo.screen.composer().fill("/");
    await page.locator(".suggestion[aria-selected=true]").waitFor();
    const edges = (marked: string): Promise<readonly string[]> =>
      page.evaluate(
        (marks) =>
          [marks, marks.replace(/(\[.*\])/, ":not($1)")].map(
            (chosen) => getComputedStyle(document.querySelector(chosen) as Element).borderLeft,
          ),
        marked,
      );
    for (const marked of [
      ".person[aria-pressed=true]",
      ".channel[aria-current]",
      ".suggestion[aria-selected=true]",
    ]) {
      const [own, other] = await edges(marked);
      expect([marked, own]).not.toEqual([marked, other]);
    }
    await demo.screen.composer().fill("");
  });

  test("has no relative time that a screen reader reads aloud at each change", async () => {
    await demo.screen.send("/conta ver");
    await demo.screen.says("Conta conectada em");
    const times = demo.browser.page.locator("#messages [data-style=R]");
    expect(await times.count()).toBeGreaterThan(0);
    expect(await times.evaluateAll((all) => all.map((time) => time.ariaLive))).not.toContain(null);
  });

  test("on a phone the bar above is as high after the report as before it", async () => {
    const { page } = demo.browser;
    await page.setViewportSize(PHONE);
    const height = async () => (await page.locator("#top-bar").boundingBox())?.height;
    const before = await height();
    await page.locator("#clock-report", { hasText: "Hoje" }).click();
    await demo.screen.clockArrives();
    await page.locator("#clock-report", { hasText: "Amanhã" }).waitFor();
    expect(await height()).toBe(before);
  });
});
