import { readFileSync } from "node:fs";
import {
  ButtonStyle,
  ComponentType,
  type RESTPostAPIChannelMessageJSONBody,
} from "discord-api-types/v10";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunningPage, startPage } from "#src/sandbox/page/page-server.ts";
import { type Sandbox, startSandbox } from "#src/sandbox/start-sandbox.ts";
import { ANA, APPLICATION, CHANNELS, GUILD } from "#src/sandbox/world.ts";
import { type Browser, hasChromium, openBrowser, PHONE } from "./open-browser.ts";
import { endsClean, type Screen, screenOf } from "./screen.ts";

const START = Temporal.Instant.from("2026-11-21T17:30:00Z");
const HOSTILE =
  "<img src=x onerror=\"document.title='x'\"><script>alert(1)</script> @everyone " +
  "[clique](javascript:alert(1)) \u202eabc 118000000000000020199 ";

describe.skipIf(!hasChromium)("messages in the page", () => {
  let sandbox: Sandbox;
  let running: RunningPage;
  let browser: Browser;
  let screen: Screen;

  beforeAll(async () => {
    sandbox = await startSandbox({ start: START, discord: { postsPerChannel: Infinity } });
    running = await startPage({ sandbox, port: 0 });
    browser = await openBrowser(running.url);
    screen = screenOf(browser.page);
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
    await sandbox.stop();
  });
  beforeEach(() => browser.page.setViewportSize({ width: 1280, height: 800 }));

  /** Posts with the bot's token. */
  const post = async (body: RESTPostAPIChannelMessageJSONBody): Promise<void> => {
    const response = await fetch(
      `${sandbox.discord.apiUrl}/v10/channels/${CHANNELS.geral.id}/messages`,
      {
        method: "POST",
        headers: {
          authorization: `Bot ${APPLICATION.token}`,
          "content-type": "application/json",
          "user-agent": "DiscordBot (https://localhost, 1)",
        },
        body: JSON.stringify({ ...body, allowed_mentions: { parse: [] } }),
      },
    );
    expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
  };

  test("hostile text is text wherever it stands, and asks nobody for anything", async () => {
    await post({
      content: HOSTILE,
      embeds: [
        {
          title: HOSTILE,
          description: HOSTILE,
          author: { name: HOSTILE },
          fields: [{ name: HOSTILE, value: HOSTILE }],
          footer: { text: HOSTILE },
        },
      ],
    });
    await expect.poll(() => screen.newest().textContent()).toContain("@everyone");
    const shown = await screen.newest().evaluate((message) => ({
      texts: (message.textContent ?? "").split("<script>alert(1)</script>").length - 1,
      markup: message.querySelectorAll("script, img[src=x], a").length,
      title: document.title,
    }));
    expect(shown).toEqual({ texts: 7, markup: 0, title: "#geral · Balcão, demonstração" });
  });

  test("very long words and many fields make no screen wider than it is", async () => {
    const word = "x".repeat(900);
    await post({
      content: word,
      embeds: [
        {
          title: word.slice(0, 250),
          description: `\`\`\`\n${word}\n\`\`\``,
          fields: [`\`${word}\``, word, "<t:1795282200:F>"].map((value) => ({
            name: "a",
            value,
            inline: true,
          })),
        },
      ],
    });
    await expect.poll(() => screen.newest().textContent()).toContain(word);
    for (const viewport of [PHONE, { width: 900, height: 700 }, { width: 1280, height: 800 }]) {
      await browser.page.setViewportSize(viewport);
      const wider = await browser.page.evaluate(() =>
        ["html", "#messages", "discord-message:last-child", "discord-embed-field"]
          .flatMap((selector) => [...document.querySelectorAll(selector)])
          .filter((node) => node.scrollWidth > node.clientWidth)
          .map((node) => node.tagName),
      );
      expect([viewport.width, wider]).toEqual([viewport.width, []]);
    }
  });

  test("an embed shows its parts, and names and times in the person's language", async () => {
    await post({
      embeds: [
        {
          title: "Vendas de 20/11/2026",
          description: `Em <#${CHANNELS.vendas.id}>, de <@${ANA.id}>: <t:1795282200:F>, <t:1795282200:R>`,
          color: 0x3ecf8e,
          fields: [{ name: "Total", value: "**R$ 10,00**", inline: true }],
          footer: { text: "ref 00000000" },
          timestamp: "2026-11-21T17:30:00Z",
        },
      ],
    });
    const text = () => screen.newest().innerText();
    await expect.poll(text).toContain("Vendas de 20/11/2026");
    const portuguese = await text();
    for (const part of ["vendas", "Ana", "sábado, 21 de novembro de 2026", "Total", "R$ 10,00"]) {
      expect(portuguese).toContain(part);
    }
    expect(portuguese).toContain("ref 00000000 • Hoje às 14:30");
    await browser.page.locator("#language").selectOption("en-US");
    await expect.poll(text).toContain("Saturday, November 21, 2026");
    await browser.page.locator("#language").selectOption("pt-BR");
    await expect.poll(text).toContain("sábado");
  });

  test("a link to the server opens its channel here and leaves the page nowhere", async () => {
    await post({
      content: `[Abrir](https://discord.com/channels/${GUILD.id}/${CHANNELS.equipe.id}) agora`,
    });
    await screen.newest().getByRole("button", { name: "Abrir" }).click();
    await browser.page.locator("#channel-name", { hasText: "equipe" }).waitFor();
    expect(browser.page.context().pages()).toHaveLength(1);
    await screen.openChannel("geral");
  });

  test("a click that nobody answers says so beside its message", async () => {
    await post({
      content: "Escolha",
      components: [
        {
          type: ComponentType.ActionRow,
          components: [
            {
              type: ComponentType.Button,
              style: ButtonStyle.Success,
              label: "Pode",
              custom_id: "a:b",
            },
          ],
        },
        {
          type: ComponentType.ActionRow,
          components: [
            {
              type: ComponentType.StringSelect,
              custom_id: "c:d",
              options: [{ label: "Uma linha", value: "line" }],
            },
          ],
        },
      ],
    });
    await screen.newest().getByRole("button", { name: "Pode" }).click();
    await screen.newest().getByText("Esta interação falhou").waitFor();
    await screen.newest().getByRole("combobox").selectOption("Uma linha");
    await screen.newest().getByText("Esta interação falhou").waitFor();
  });

  test("a menu sends by the keyboard what Enter picks in it, and keeps the focus", async () => {
    const { page } = browser;
    await post({
      content: "Período",
      components: [
        {
          type: ComponentType.ActionRow,
          components: [
            {
              type: ComponentType.StringSelect,
              custom_id: "p:q",
              options: ["dia", "semana"].map((word) => ({ label: word, value: word })),
            },
          ],
        },
      ],
    });
    await screen.newest().getByText("Período").waitFor();
    const sent: unknown[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.postDataJSON());
    });
    await screen.newest().getByRole("combobox").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) {
      await page.keyboard.press(key);
    }
    await screen.newest().getByText("Esta interação falhou").waitFor();
    expect(sent).toMatchObject([{ kind: "select", values: ["semana"] }]);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("SELECT");
  });

  test("a menu of several shows its prompt only while nothing is chosen, as Discord does", async () => {
    const menu = (isChosen: boolean) => ({
      type: ComponentType.StringSelect as const,
      custom_id: `e:${isChosen}`,
      placeholder: "O que sai",
      max_values: 2,
      options: [
        { label: "Semana", value: "week", default: isChosen },
        { label: "Mês", value: "month" },
      ],
    });
    await post({
      content: "Fechamentos",
      components: [false, true].map((isChosen) => ({
        type: ComponentType.ActionRow as const,
        components: [menu(isChosen)],
      })),
    });
    const menus = screen.newest().getByRole("group", { name: "O que sai" });
    await menus.last().getByRole("checkbox", { name: "Semana", checked: true }).waitFor();
    expect(await menus.count()).toBe(2);
    expect(await menus.first().getByText("O que sai").count()).toBe(1);
    expect(await menus.last().getByText("O que sai").count()).toBe(0);
  });

  test("the channel that was open is open again after the page is loaded anew", async () => {
    await screen.openChannel("equipe");
    await browser.page.reload();
    await browser.page.locator("#channel-name", { hasText: "equipe" }).waitFor();
    await screen.openChannel("geral");
  });

  test("a channel that is not open gets a dot when something is posted there", async () => {
    await screen.openChannel("avisos");
    await post({ content: "novidade" });
    await browser.page.locator(".channel.unread", { hasText: "geral" }).waitFor();
    await screen.openChannel("geral");
    expect(await browser.page.locator(".channel.unread").count()).toBe(0);
  });

  endsClean(() => browser);
});

const ATTACH_FILES = 1n << 15n;
const INVITED = 84_992n;
const NAME = `prazo-${"x".repeat(70)}.html`;
/** A script that would run if the browser displayed the file instead of saving it. */
const DATA = "<script>document.title='x'</script>".repeat(50);

describe.skipIf(!hasChromium)("a file under a message", () => {
  let sandbox: Sandbox;
  let running: RunningPage;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await startSandbox({ start: Temporal.Instant.from("2026-11-21T17:30:00Z") });
    running = await startPage({ sandbox, port: 0 });
    browser = await openBrowser(running.url, PHONE);
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
    await sandbox.stop();
  });

  test("has its name and size, and is saved by its link as it is", async () => {
    const { id } = CHANNELS.geral;
    sandbox.discord.setBotPermissions(id, INVITED | ATTACH_FILES);
    const form = new FormData();
    form.append("payload_json", JSON.stringify({ content: "veja" }));
    form.append("files[0]", new Blob([DATA], { type: "text/html" }), NAME);
    const posted = await fetch(`${sandbox.discord.apiUrl}/v10/channels/${id}/messages`, {
      method: "POST",
      headers: { authorization: `Bot ${APPLICATION.token}` },
      body: form,
    });
    expect(posted.status).toBe(200);

    const { page } = browser;
    const message = screenOf(page).newest();
    const link = message.getByRole("link", { name: NAME });
    await link.waitFor();
    expect(await message.innerText()).toContain("1,7 kB");
    const box = await message.locator(".file").boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(PHONE.width);

    const saving = page.waitForEvent("download");
    await link.click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe(NAME);
    expect(readFileSync(await saved.path(), "utf8")).toBe(DATA);
    expect(page.url()).toBe(`${running.url}/`);
    expect(browser.complaints).toEqual([]);
  });
});
