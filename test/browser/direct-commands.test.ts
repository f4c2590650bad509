import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "./chromium.ts";
import { type OpenDemo, openConnectedDemo } from "./open-demo.ts";

describe.skipIf(!hasChromium)("S14: the conversation with the bot", () => {
  let demo: OpenDemo;
  beforeAll(async () => {
    demo = await openConnectedDemo();
  });
  afterAll(() => demo.close());

  test("offers the commands that work there, and shows their answers", async () => {
    const { screen, browser } = demo;
    await screen.openChannel("Balcão");
    await screen.composer().fill("/");
    const offered = await screen.suggestions().allInnerTexts();
    expect(offered.map((text) => text.split("\n")[0])).toEqual([
      "/conta conectar",
      "/conta ver",
      "/conta desconectar",
      "/vendas",
      "/saldo",
      "/saques",
      "/meds",
      "/provas",
      "/travar",
      "/seguranca",
      "/ajuda",
    ]);
    await screen.send("/ajuda");
    await screen.newest().getByRole("button", { name: "/meds" }).click();
    await browser.page.locator(".command-chip", { hasText: "/meds" }).waitFor();
    await browser.page.locator("#composer-send").click();
    await screen.says(/Seus MEDs|MEDs/);
    await screen.composer().fill("oi");
    await browser.page.locator("#composer-send").click();
    await browser.page.getByText("Aqui o bot lê só comandos").waitFor();
    await screen.send("/conta desconectar");
    await screen.says("Desconectar esta chave?");
    await screen.newest().getByRole("button", { name: "Apagar a chave" }).click();
    await screen.says("Chave apagada");
    await screen.send("/conta ver");
    await screen.says("Você não tem nenhuma chave conectada");
    expect(browser.complaints).toEqual([]);
  });
});
