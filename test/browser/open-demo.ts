import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ANA } from "#src/sandbox/world.ts";
import { startPage } from "#src/sandbox/page/page-server.ts";
import { startBotProcess } from "#src/sandbox/start-bot-process.ts";
import { startSandbox } from "#src/sandbox/start-sandbox.ts";
import { openBrowser } from "./open-browser.ts";
import { screenOf } from "./screen.ts";

export type OpenDemo = Awaited<ReturnType<typeof openDemo>>;

export const openDemo = async (start: Temporal.Instant) => {
  await using opening = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "balcao-browser-demo-"));
  opening.defer(() => rmSync(folder, { recursive: true, force: true }));
  const sandbox = await startSandbox({ start });
  opening.defer(sandbox.stop);
  const bot = await startBotProcess({
    sandbox,
    databaseUrl: `sqlite:${join(folder, "balcao.db")}`,
  });
  opening.defer(async () => {
    await bot.stop();
  });
  await bot.ready;
  const page = await startPage({ sandbox, port: 0 });
  opening.defer(page.stop);
  const browser = await openBrowser(page.url);
  opening.defer(browser.close);
  const screen = screenOf(browser.page);
  const ending = opening.move();

  return {
    folder,
    sandbox,
    bot,
    browser,
    screen,
    connect: async (key: string): Promise<void> => {
      await screen.send("/conta conectar");
      const form = browser.page.getByRole("dialog");
      await form.getByRole("textbox").fill(key);
      await form.getByRole("button", { name: "Enviar" }).click();
      await form.waitFor({ state: "detached" });
    },
    close: (): Promise<void> => ending.disposeAsync(),
  };
};

const THURSDAY = Temporal.Instant.from("2026-11-19T14:10:00Z");

/** The demo on a Thursday at 11:10 in Brasília, with Ana's key connected. */
export const openConnectedDemo = async (): Promise<OpenDemo> => {
  const demo = await openDemo(THURSDAY);
  await demo.connect(ANA.apiKey);
  await demo.screen.says("Chave conectada");
  return demo;
};
