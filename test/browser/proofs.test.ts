import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "./chromium.ts";
import type { Browser } from "./open-browser.ts";
import { openConnectedDemo } from "./open-demo.ts";
import type { OpenDemo } from "./open-demo.ts";
import type { Screen } from "./screen.ts";

const PENDING = "b3c5e0f2-66d1-4a7e-8f19-0d42a7c81e53";

describe.skipIf(!hasChromium)("a proof and a defence, by hand", () => {
  let demo: OpenDemo;
  let browser: Browser;
  let screen: Screen;

  beforeAll(async () => {
    demo = await openConnectedDemo();
    ({ browser, screen } = demo);
  });
  afterAll(() => demo?.close());

  test("a message that Bruno writes is kept from its menu", async () => {
    await screen.be("Bruno");
    await browser.page.locator("#composer-input").fill("Recebi o acesso, tudo certo");
    await browser.page.keyboard.press("Enter");
    await screen.says("Recebi o acesso, tudo certo");
    await screen.be("Ana");
    const menu = screen.newest().locator(".message-menu");
    await menu.locator("summary").click();
    await menu.getByRole("button", { name: "Guardar como prova" }).click();
    const form = browser.page.getByRole("dialog");
    await form.getByRole("textbox").fill("a41f07c98e2d4b6391d05c7f");
    await form.getByRole("button", { name: "Enviar" }).click();
    await form.waitFor({ state: "detached" });
    await screen.says("Prova guardada");
    expect(await screen.newest().locator(".message-menu").count()).toBe(0);
  });

  test("the defence comes with both files and a text to paste", async () => {
    await screen.send(`/meds infracao:${PENDING}`);
    await screen.newest().getByRole("button", { name: "Preparar defesa" }).click();
    await screen.says("Defesa preparada");
    const links = screen.newest().getByRole("link");
    await links.getByText(`defesa-${PENDING}.pdf`).or(links.first()).first().waitFor();
    const names = await screen.newest().innerText();
    expect(names).toContain(`defesa-${PENDING}.pdf`);
    expect(names).toContain(`defesa-${PENDING}.txt`);
  });
});
