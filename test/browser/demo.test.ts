import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startDemos } from "#src/sandbox/start-demo.ts";
import { ANA, BRUNO, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { type Browser, hasChromium, openBrowser, PHONE } from "./open-browser.ts";
import { openDemo, type OpenDemo } from "./open-demo.ts";
import { endsClean, type Screen, screenOf } from "./screen.ts";

const START = Temporal.Instant.from("2026-11-19T18:40:00Z");

describe.skipIf(!hasChromium)("the demo, by hand", () => {
  const keepPicture = process.env["UPDATE_SCREENSHOT"] === "1";
  let demo: OpenDemo;
  let browser: Browser;
  let screen: Screen;

  beforeAll(async () => {
    demo = await openDemo(START);
    ({ browser, screen } = demo);
  });
  afterAll(() => demo?.close());

  /**
   * Repeats the command until the answer matches. The bot answers equal commands within two seconds from one wallet
   * call.
   */
  const askUntil = async (line: string, fits: RegExp): Promise<void> => {
    const idOfNewest = () => screen.newest().getAttribute("data-message");
    const ask = async (): Promise<string> => {
      const before = await idOfNewest();
      await screen.send(line);
      await expect.poll(async () => [null, before].includes(await idOfNewest())).toBe(false);
      await screen.says("Só você pode ver esta mensagem");
      const answer = await screen.newest().innerText();
      if (!fits.test(answer)) {
        await screen.newest().getByRole("button", { name: "Ignorar mensagem" }).click();
        await expect.poll(idOfNewest).toBe(before);
      }
      return answer;
    };
    await expect.poll(ask, { timeout: 90_000, interval: 500 }).toMatch(fits);
  };
  const reports = () => demo.sandbox.discord.messages(CHANNELS.vendas.id);

  test("who has not connected can press a button, or the command's name in the text", async () => {
    await screen.openChannel("avisos");
    await screen.send("/vendas");
    await screen.says("Você ainda não conectou a sua chave");
    expect(await browser.page.locator("[data-step=sales] input").isChecked()).toBe(false);
    await screen.newest().getByRole("button", { name: "Conectar minha chave" }).click();
    await browser.page.getByRole("dialog").getByRole("textbox").waitFor();
    await browser.page.keyboard.press("Escape");
    await browser.page.getByRole("dialog").waitFor({ state: "detached" });
    await screen.newest().getByRole("button", { name: "/conta conectar", exact: true }).click();
    await browser.page.locator(".command-chip", { hasText: "/conta conectar" }).waitFor();
    await browser.page.keyboard.press("Escape");
  });

  test("the guide has both sellers' keys, and the one of its first step before the command", async () => {
    const [first] = await browser.page.locator("#guide-steps li").allInnerTexts();
    expect(first).toContain(BRUNO.apiKey);
    expect(first?.indexOf(ANA.apiKey)).toBeLessThan(first?.indexOf("/conta conectar") ?? 0);
  });

  test("on a phone the empty channel has the first step, with its button", async () => {
    const first = browser.page.locator(".first-step");
    await screen.openChannel("geral");
    expect(await first.isVisible()).toBe(false);
    // Closed, as on arrival with a phone.
    await browser.page.locator("#guide summary").click();
    await browser.page.setViewportSize(PHONE);
    await first.getByRole("button", { name: "Usar /conta conectar" }).click();
    await browser.page.locator(".command-chip", { hasText: "/conta conectar" }).waitFor();
    // Closes the list of options, then takes the command back.
    for (const key of ["Escape", "Escape"]) await browser.page.keyboard.press(key);
    await browser.page.setViewportSize({ width: 1280, height: 800 });
    await browser.page.locator("#guide summary").click();
  });

  test("the form pastes her key: Ana connects it", async () => {
    await screen.openChannel("geral");
    await screen.send("/conta conectar");
    const form = browser.page.getByRole("dialog");
    await form.getByRole("button", { name: "Colar a chave de Ana" }).click();
    await form.getByRole("button", { name: "Enviar" }).click();
    await screen.says("Chave conectada");
    await screen.says("Só você pode ver esta mensagem");
    await screen.says("Este servidor ainda não escolheu um canal");
  });

  test("her sales are in an embed that nobody else sees", async () => {
    await screen.send("/vendas data:ontem");
    await screen.says("Vendas de quarta, 18/11");
    await screen.says("líquido");
    await screen.be("Bruno");
    await browser.page.getByText("Este é o começo de #geral").waitFor();
    await screen.be("Ana");
  });

  test("what is done is ticked, and the guide says which step is next", async () => {
    const box = (step: string) => browser.page.locator(`[data-step=${step}] input`);
    const current = () =>
      browser.page.locator("#guide-steps [aria-current=step]").getAttribute("data-step");
    expect(await box("connect").isChecked()).toBe(true);
    expect(await box("sales").isChecked()).toBe(true);
    expect(await current()).toBe("channel");
    // What a person unticks stays so, though the messages still show it.
    await box("sales").uncheck();
    await screen.send("/vendas data:ontem");
    await screen.says("Vendas de quarta, 18/11");
    expect(await current()).toBe("sales");
    await box("sales").check();
    await browser.page.getByRole("checkbox", { name: /escolha o canal do relatório/ }).check();
    expect(await current()).toBe("report");
    expect(await browser.page.locator("#guide summary").innerText()).toMatch(/passo 4 de 16$/);
  });

  test("what she sells meanwhile is in her next answer", async () => {
    await browser.page.locator("#sell-panel summary").click();
    await browser.page.locator("#sell-amount").fill("5.000,00");
    await browser.page.locator("#sell-form button").click();
    await browser.page.getByText(/^Ana vendeu R\$\s5\.000,00/).waitFor();
    await browser.page.keyboard.press("Escape");
    await askUntil("/vendas", /R\$\s[5-7]\.\d{3},\d{2}/);
  });

  test("Carla, and only she, chooses where the report goes", async () => {
    await browser.page.locator("#composer-input").fill("/config");
    await browser.page.getByText("Nenhum comando com este nome").waitFor();
    await browser.page.locator("#composer-input").fill("");
    await screen.be("Carla");
    await screen.send("/config relatorio canal:#vendas");
    await screen.says("Relatório diário salvo");
  });

  test("Ana is asked by direct message, and agrees there", async () => {
    await screen.be("Ana");
    await screen.openChannel("Balcão");
    const question = screen.messages().filter({ hasText: "Posso postar o seu total" }).last();
    await question.getByRole("button", { name: "Pode postar" }).click();
    await screen.says("Relatório aceito");
    await screen.be("Carla");
  });

  test("at 21:05 one report arrives, and one it stays", async () => {
    await browser.page.locator("#clock-report").click();
    await browser.page.locator(".channel.unread", { hasText: "vendas" }).waitFor();
    await screen.openChannel("vendas");
    await screen.says("Fechamento de quinta, 19/11");
    await screen.moveClock("hour");
    expect(reports()).toHaveLength(1);
    expect(await screen.messages().count()).toBe(1);
  });

  test("English is what Ana reads once her client is English", async () => {
    await screen.be("Ana");
    await screen.openChannel("vendas");
    await browser.page.locator("#language").selectOption("en-US");
    await browser.page.getByRole("heading", { name: "Channels" }).waitFor();
    await browser.page.getByText("Ask for today's sales.").waitFor();
    await expect
      .poll(() => screen.composer().getAttribute("placeholder"))
      .toBe("Write, or type / to use a command");
    expect(await screen.composer().getAttribute("aria-label")).toBe("Command");
    await screen.send("/vendas");
    await screen.says("Only you can see this");
    await screen.says("Net");
    await screen.newest().getByRole("button", { name: "Dismiss message" }).click();
    await expect.poll(() => screen.messages().count()).toBe(1);
    await browser.page.locator("#language").selectOption("pt-BR");
  });

  test("what she reads agrees with the report, and both make a picture", async () => {
    await browser.page.setViewportSize({ width: 1280, height: 900 });
    const total = /R\$\s[\d.]+,\d{2}/.exec(JSON.stringify(reports()[0]?.embeds))?.[0] ?? "?";
    await askUntil("/vendas data:19/11/2026", new RegExp(total.replace("$", "\\$")));
    const picture = join(keepPicture ? "docs" : demo.folder, "demo.png");
    mkdirSync(dirname(picture), { recursive: true });
    // Each tick writes the clock in the language of then.
    await browser.page.locator("#clock-report", { hasText: "Amanhã" }).waitFor();
    await browser.page.locator("#messages").hover();
    await browser.page.screenshot({ path: picture });
  });

  test("further up, news are told of, and the answer to one's own command is scrolled to", async () => {
    const pill = browser.page.getByRole("button", { name: "Mensagens novas" });
    const list = browser.page.locator("#messages");
    const fromEnd = () =>
      list.evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight);
    const scrollUp = async () => {
      // The page learns of it by the scroll event, which comes before the next frame.
      await list.evaluate((node) => {
        node.scrollTo({ top: 0 });
        return new Promise((resolve) => requestAnimationFrame(resolve));
      });
      expect(await fromEnd()).toBeGreaterThan(100);
    };
    await browser.page.setViewportSize({ width: 1280, height: 420 });
    await scrollUp();
    const here = CHANNELS[(await browser.page.locator("#channel-name").innerText()) as "vendas"];
    demo.sandbox.discord.person(CARLA.id).write(here.id, "Bom dia!");
    await pill.click();
    await expect.poll(fromEnd).toBeLessThan(10);
    expect(await pill.isVisible()).toBe(false);
    await scrollUp();
    await screen.send("/ajuda");
    await screen.says("Só você pode ver esta mensagem");
    await expect.poll(fromEnd).toBeLessThan(10);
    await browser.page.setViewportSize({ width: 1280, height: 800 });
  });

  test("the clock's panel stays open for the next move", async () => {
    await browser.page.locator("#clock-panel summary").click();
    await browser.page.locator("#clock-minute").click();
    await browser.page.locator("#clock-minutes").click();
    await screen.clockArrives();
    await browser.page.locator("#clock-minute").click();
    await screen.clockArrives();
    await browser.page.keyboard.press("Escape");
  });

  endsClean(() => browser);
});

test.skipIf(!hasChromium)("Recomeçar erases what was done, and the page begins anew", async () => {
  const demo = startDemos(0, { start: START });
  onTestFinished(async () => (await demo()).stop());
  const first = await demo();
  const browser = await openBrowser(first.page.url);
  onTestFinished(browser.close);
  const screen = screenOf(browser.page);
  const place = () => browser.page.locator("#guide-place").innerText();
  await browser.page.locator("[data-step=connect] input").check();
  await screen.be("Bruno");
  await screen.send("/ajuda");
  await screen.says("Conectar minha chave");
  await expect.poll(place).toBe("passo 2 de 16");
  await browser.page.getByRole("button", { name: "Recomeçar" }).click();
  await browser.page.getByText("Este é o começo de #geral").waitFor();
  await expect.poll(place).toBe("passo 1 de 16");
  expect(await browser.page.locator("#people [aria-pressed=true]").innerText()).toContain("Ana");
  expect(await demo()).not.toBe(first);
});
