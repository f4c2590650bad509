import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANA } from "#src/sandbox/world.ts";
import { type Browser, hasChromium } from "./open-browser.ts";
import { openConnectedDemo, type OpenDemo } from "./open-demo.ts";
import { endsClean, type Screen } from "./screen.ts";

describe.skipIf(!hasChromium)("a MED, by hand", () => {
  let demo: OpenDemo;
  let browser: Browser;
  let screen: Screen;

  beforeAll(async () => {
    demo = await openConnectedDemo();
    ({ browser, screen } = demo);
  });
  afterAll(() => demo?.close());

  const newestId = (): string => demo.sandbox.wallet.meds(ANA.id)[0]?.infractionId ?? "";

  test("is opened in the wallet's panel, and stands first in its list", async () => {
    const panel = await screen.openWallet();
    await panel.locator("#med-amount").fill("1.234,50");
    await panel.getByLabel("Prazo da resposta").selectOption({ label: "5 horas" });
    await panel.getByRole("button", { name: "Abrir um MED contra a conta" }).click();
    await panel.getByText(/^Aberto\. Veja em/).waitFor();
    const first = panel.locator("#wallet-meds li").first();
    await first.getByText(newestId()).waitFor();
    expect(await first.innerText()).toMatch(/1\.234,50[^]*sem resposta[^]*prazo Hoje às 16:10/);
    await screen.closeMenus();
  });

  test("is the most urgent in /meds", async () => {
    await screen.send("/meds");
    await screen.says("3 MEDs precisam de resposta");
    const text = await screen.newest().innerText();
    const amounts = [...text.matchAll(/R\$\s([\d.,]+) · /g)].map(([, amount]) => amount);
    expect(amounts[0]).toBe("1.234,50");
    expect(await screen.newest().locator("discord-embed").innerText()).not.toContain(newestId());
  });

  test("is answered and decided in the panel, which shows both", async () => {
    const panel = await screen.openWallet();
    const med = panel.locator("#wallet-meds li", { hasText: newestId() });
    await med.getByRole("button", { name: "Discordar" }).click();
    await med.getByText("vendedor discordou").waitFor();
    expect(await med.getByRole("button").allInnerTexts()).toEqual([
      "Banco recusa",
      "Banco aceita",
      "Cancelar",
    ]);
    await med.getByRole("button", { name: "Banco recusa" }).click();
    await panel.locator("#wallet-meds li[data-state=rejected]", { hasText: newestId() }).waitFor();
    await screen.closeMenus();
  });

  test("opens from the list, as the bank decided it meanwhile", async () => {
    // Readings of a MED are shared for two seconds, and the list read this one.
    demo.sandbox.clock.moveBy(3_000);
    await screen.newest().locator("select").last().selectOption(newestId());
    await screen.says(/MED de R\$\s[\d.,]+ · Ganho: valor liberado/);
    await screen.says(/R\$\s1\.234,50/);
  });

  test("has its panel in the person's language", async () => {
    demo.sandbox.discord.person(ANA.id).setLocale("en-US");
    const panel = await screen.openWallet();
    await panel.getByRole("button", { name: "Open a MED against the account" }).waitFor();
    await panel.getByText("seller accepted the claim").waitFor();
    await panel.getByText("MEDs at the service").waitFor();
  });

  endsClean(() => browser);
});

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

  test("a message's menu and a panel close by Escape and once the focus is outside", async () => {
    await screen.be("Bruno");
    await browser.page.locator("#composer-input").fill("Bom dia");
    await browser.page.keyboard.press("Enter");
    await screen.says("Bom dia");
    const menus = [screen.newest().locator(".message-menu"), browser.page.locator("#sell-panel")];
    for (const menu of menus) {
      const isOpen = () => menu.evaluate((details: HTMLDetailsElement) => details.open);
      await menu.locator("summary").press("Enter");
      await browser.page.keyboard.press("Tab");
      expect(await isOpen()).toBe(true);
      await browser.page.keyboard.press("Escape");
      expect(await isOpen()).toBe(false);
      await browser.page.keyboard.press("Enter");
      expect(await isOpen()).toBe(true);
      await browser.page.keyboard.press("Shift+Tab");
      expect(await isOpen()).toBe(false);
    }
  });

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
