import {
  ApplicationCommandOptionType as Option,
  type RESTPutAPIApplicationCommandsJSONBody,
} from "discord-api-types/v10";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type RunningPage, startPage } from "#src/sandbox/page/page-server.ts";
import { type Sandbox, startSandbox } from "#src/sandbox/start-sandbox.ts";
import { APPLICATION, BRUNO, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { type Browser, hasChromium, openBrowser, PHONE } from "./open-browser.ts";
import { type Screen, screenOf } from "./screen.ts";
import { openConnectedDemo, type OpenDemo } from "./open-demo.ts";

const EMPTY_DAY = [
  { name: "Enviar assim mesmo", value: "send" },
  { name: "Uma linha", value: "line" },
];
const COMMANDS: RESTPutAPIApplicationCommandsJSONBody = [
  {
    name: "conta",
    description: "Conta",
    options: [
      {
        type: Option.Subcommand,
        name: "conectar",
        description: "Conecta a chave",
        options: [{ type: Option.User, name: "membro", description: "De quem é" }],
      },
      { type: Option.Subcommand, name: "ver", description: "Mostra a conexão" },
    ],
  },
  { name: "vendas", description: "Vendas de um dia" },
  {
    name: "config",
    description: "Configuração",
    default_member_permissions: "32",
    options: [
      {
        type: Option.Subcommand,
        name: "relatorio",
        description: "Relatório diário",
        description_localizations: { "en-US": "Daily report" },
        options: [
          { type: Option.Channel, name: "canal", description: "Onde", required: true },
          { type: Option.String, name: "horario", description: "HH:MM" },
          { type: Option.Boolean, name: "ativo", description: "Ligado" },
          { type: Option.String, name: "vazio", description: "Dia vazio", choices: EMPTY_DAY },
        ],
      },
    ],
  },
];

describe.skipIf(!hasChromium)("the composer", () => {
  let sandbox: Sandbox;
  let running: RunningPage;
  let browser: Browser;
  let screen: Screen;

  beforeAll(async () => {
    sandbox = await startSandbox();
    const path = `/v10/applications/${APPLICATION.id}/commands`;
    const registered = await fetch(sandbox.discord.apiUrl + path, {
      method: "PUT",
      headers: {
        authorization: `Bot ${APPLICATION.token}`,
        "content-type": "application/json",
        "user-agent": "DiscordBot (https://localhost, 1)",
      },
      body: JSON.stringify(COMMANDS),
    });
    expect(registered.status).toBe(200);
    running = await startPage({ sandbox, port: 0 });
    browser = await openBrowser(running.url);
    screen = screenOf(browser.page);
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
    await sandbox.stop();
  });
  beforeEach(async () => {
    await browser.page.reload();
    await screen.be("Carla");
  });

  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await browser.page.keyboard.press(key);
  };
  const type = (text: string): Promise<void> => browser.page.keyboard.type(text);
  /** The request that the action sends to the server. */
  const sentBy = async (act: () => Promise<void>): Promise<unknown> => {
    const request = browser.page.waitForRequest((sent) => sent.url().endsWith("/act"));
    await act();
    return (await request).postDataJSON();
  };
  const command = { kind: "command", person: CARLA.id, channelId: CHANNELS.geral.id };

  test("offers what this person may use, in the language of their client", async () => {
    await type("/");
    await screen.suggestions().filter({ hasText: "/config relatorio" }).waitFor();
    await browser.page.locator("#language").selectOption("en-US");
    await browser.page.locator("#composer-input").fill("/");
    await screen.suggestions().filter({ hasText: "Daily report" }).waitFor();
    await browser.page.locator("#language").selectOption("pt-BR");
    await screen.be("Ana");
    await browser.page.locator("#composer-input").fill("/");
    await expect
      .poll(() => screen.suggestions().locator(".suggestion-label").allInnerTexts())
      .toEqual(["/conta conectar", "/conta ver", "/vendas"]);
  });

  test("takes a command with its options by the keyboard alone", async () => {
    await type("/rel");
    await press("Enter");
    await type("ven");
    await press("Enter", "ArrowDown", "ArrowDown", "Tab");
    await type("fal");
    await press("Enter");
    await type("vazio:linha");
    await press("ArrowDown", "ArrowUp", "Enter");
    expect(await sentBy(() => press("Enter"))).toEqual({
      ...command,
      name: "config",
      subcommand: "relatorio",
      options: { canal: CHANNELS.vendas.id, ativo: false, vazio: "line" },
    });
    expect(await browser.page.evaluate(() => document.activeElement?.id)).toBe("composer-input");
  });

  test("takes a command with its options by the mouse alone", async () => {
    await browser.page.locator("#composer-input").click();
    await type("/");
    await screen.suggestions().filter({ hasText: "/conta conectar" }).click();
    await screen.suggestions().filter({ hasText: "membro" }).click();
    await screen.suggestions().filter({ hasText: "@Bruno" }).click();
    expect(await sentBy(() => browser.page.locator("#composer-send").click())).toEqual({
      ...command,
      name: "conta",
      subcommand: "conectar",
      options: { membro: BRUNO.id },
    });
  });

  test("reads a whole line that was pasted", async () => {
    await browser.page
      .locator("#composer-input")
      .fill("/config relatorio canal:#vendas horario:09:30");
    expect(await sentBy(() => press("Enter"))).toEqual({
      ...command,
      name: "config",
      subcommand: "relatorio",
      options: { canal: CHANNELS.vendas.id, horario: "09:30" },
    });
  });

  test("sends nothing while an option is missing or impossible, and says which", async () => {
    const hint = browser.page.locator("#composer-hint");
    await browser.page.locator("#composer-input").fill("/config relatorio ");
    await browser.page.locator("#composer-send").click();
    await expect.poll(() => hint.textContent()).toBe("canal: Esta opção é obrigatória");
    await type("#nenhum");
    await press("Enter");
    await expect.poll(() => hint.textContent()).toBe("canal: Escolha um dos valores da lista");
    await browser.page.locator(".pill.wrong").waitFor();
    await press("ControlOrMeta+a");
    await type("#geral");
    await expect.poll(() => hint.textContent()).toBe("");
    await press("Enter");
    expect(await sentBy(() => press("Enter"))).toMatchObject({
      options: { canal: CHANNELS.geral.id },
    });
  });

  test("goes back by Escape and Backspace without sending anything", async () => {
    await browser.page.locator("#composer-input").fill("/conta conectar membro:Ana");
    await press("Backspace");
    await browser.page.locator(".pill input").fill("");
    await browser.page.locator(".pill input").press("Backspace");
    expect(await browser.page.locator(".pill").count()).toBe(0);
    await press("Backspace");
    await expect
      .poll(() => browser.page.locator("#composer-input").inputValue())
      .toBe("/conta conectar");
    await type(" ");
    await browser.page.locator(".command-chip").waitFor();
    await press("Escape", "Escape");
    await expect.poll(() => browser.page.locator("#composer-input").inputValue()).toBe("");
  });

  test("sends a whole command by Enter with its list closed, and after a blank", async () => {
    const { page } = browser;
    for (const line of ["/vendas", " /vendas"]) {
      await page.locator("#composer-input").fill(line);
      await press("Escape");
      expect(await sentBy(() => press("Enter"))).toMatchObject({ name: "vendas", options: {} });
    }
  });

  test("keeps a draft for each person while another is looked at", async () => {
    await screen.composer().fill("/config relatorio canal:#vendas horario:21:05 ");
    await browser.page.locator(".command-chip").waitFor();
    await screen.be("Bruno");
    await screen.composer().fill("Recebi o ac");
    await screen.be("Carla");
    const options = { canal: CHANNELS.vendas.id, horario: "21:05" };
    expect(await sentBy(() => browser.page.locator("#composer-send").click())).toEqual({
      ...command,
      name: "config",
      subcommand: "relatorio",
      options,
    });
    await screen.be("Bruno");
    await expect.poll(() => screen.composer().inputValue()).toBe("Recebi o ac");
    await screen.be("Carla");
    await expect.poll(() => screen.composer().inputValue()).toBe("");
  });

  test("writes plain text as a message that everybody sees", async () => {
    await browser.page.locator("#composer-input").fill("bom dia");
    await press("Enter");
    await screen.newest().getByText("bom dia").waitFor();
    await expect.poll(() => browser.page.locator("#composer-input").inputValue()).toBe("");
  });

  test("keeps a text that is too long, or that the demo does not take, and says why", async () => {
    const { page } = browser;
    const input = page.locator("#composer-input");
    const hint = page.locator("#composer-hint");
    await input.fill("x".repeat(2_001));
    await press("Enter");
    await hint.getByText("no máximo 2.000 caracteres").waitFor();
    expect(await input.inputValue()).toHaveLength(2_001);
    await page.route("**/act", (route) => route.abort());
    await input.fill("bom dia");
    await press("Enter");
    await hint.getByText("A demonstração não está respondendo").waitFor();
    expect(await input.inputValue()).toBe("bom dia");
    await page.unroute("**/act");
  });

  test("says in full on a phone how it is used, in both languages", async () => {
    const { page } = browser;
    await page.setViewportSize(PHONE);
    onTestFinished(() => page.setViewportSize({ width: 1280, height: 800 }));
    const input = page.locator("#composer-input");
    for (const [locale, words] of [
      ["en-US", "Write"],
      ["pt-BR", "Escreva"],
    ] as const) {
      await page.locator("#language").selectOption(locale);
      await expect.poll(() => input.getAttribute("placeholder")).toContain(words);
      const room = await input.evaluate((field: HTMLInputElement) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(field);
        const pen = document.createElement("canvas").getContext("2d");
        if (pen !== null) pen.font = font;
        const needed = pen?.measureText(field.placeholder).width ?? Infinity;
        return field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - needed;
      });
      expect(room).toBeGreaterThan(0);
    }
  });

  test("says so when the bot is not there to answer", async () => {
    await screen.send("/vendas");
    await screen.newest().getByText("O aplicativo não respondeu").waitFor();
    await screen.newest().getByRole("button", { name: "Ignorar mensagem" }).click();
    await expect.poll(() => screen.messages().count()).toBe(1);
  });

  test("a message that is dismissed by the keyboard leaves the focus in the list", async () => {
    await screen.send("/vendas");
    const dismiss = browser.page.getByRole("button", { name: "Ignorar mensagem" });
    await dismiss.press("Enter");
    await dismiss.waitFor({ state: "detached" });
    expect(await browser.page.evaluate(() => document.activeElement?.id)).toBe("messages");
  });
});

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
      "/conta webhook",
      "/vendas",
      "/meta",
      "/transacoes",
      "/saldo",
      "/saques",
      "/estornar",
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
