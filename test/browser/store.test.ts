import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { ask, hasPicture, press, privateMessage, textOf } from "#src/sandbox/demo-steps.ts";
import { pass } from "#src/sandbox/pass-time.ts";
import type { Demo } from "#src/sandbox/start-demo.ts";
import { ANA, BRUNO, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { MINUTE, SECOND } from "#src/shared/time.ts";
import { type Browser, hasChromium, openBrowser } from "./open-browser.ts";
import { nextEvening, openStore } from "./open-store.ts";
import { takePicture } from "./picture.ts";
import { endsClean, type Screen, screenOf } from "./screen.ts";

const MOST_WAITS = 12;

describe.skipIf(!hasChromium)("a store of three sellers", () => {
  const folder = mkdtempSync(join(tmpdir(), "balcao-pictures-"));
  let demo: Demo;
  let browser: Browser;
  let screen: Screen;

  beforeAll(async () => {
    demo = await openStore();
    browser = await openBrowser(demo.page.url, { width: 1280, height: 1100 });
    screen = screenOf(browser.page);
    await screen.be("Ana");
  });
  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const posts = (): readonly StoredMessage[] => demo.sandbox.discord.messages(CHANNELS.vendas.id);
  const picture = async (message: StoredMessage, name: string): Promise<void> => {
    // The answer takes the place of the one that says that the bot is thinking.
    const shown = browser.page.locator(`[data-message="${message.id}"]:not(:has(.thinking))`);
    await shown.waitFor();
    await browser.page.waitForLoadState("networkidle");
    await takePicture(shown, name, folder);
  };

  test("reads one report an evening: its sum, its sellers, its chart and what a refund changed", async () => {
    const { wallet } = demo.sandbox;
    const sale = { owner: ANA.id, origin: "api", reais: 320, product: "Plano VIP mensal" } as const;
    const refunded = wallet.sale(sale);
    await nextEvening(demo);
    expect(posts()).toHaveLength(1);
    wallet.dashboardRefund(ANA.id, refunded);
    wallet.sale({ ...sale, owner: CARLA.id, origin: "esales", reais: 137.5 });
    await pass(demo, MINUTE);
    await ask(demo, ANA.id, "vendas", { data: "19/11/2026" });
    await nextEvening(demo);
    const [, report] = posts();
    if (report === undefined) throw new Error("no second report");
    const text = textOf(report);
    for (const { id } of [ANA, BRUNO, CARLA]) expect(text).toContain(`<@${id}> **R$`);
    expect(text).toMatch(/qui 19\/11 caiu de R\$\s[\d.,]+ para R\$\s[\d.,]+/);
    expect(hasPicture(demo, report)).toBe(true);
    await screen.openChannel("vendas");
    await picture(report, "relatorio");
  });

  test("has its figures, its goal, its MEDs and its settings in private", async () => {
    await screen.openChannel("geral");
    const seen = async (
      [name, person, typed]: readonly [string, typeof ANA | typeof CARLA, string],
      options: Readonly<Record<string, string>> = {},
    ): Promise<StoredMessage> => {
      if (person === CARLA) await screen.be("Carla");
      const message = privateMessage(await ask(demo, person.id, typed, options));
      await picture(message, name);
      await pass(demo, 30 * SECOND);
      return message;
    };
    const goal = await seen(["meta", ANA, "meta"]);
    expect(textOf(goal)).toMatch(/\(\d+%\)/);
    expect(textOf(await seen(["meds", ANA, "meds"]))).toContain("Prazo vencido");
    expect(textOf(await seen(["saldo", ANA, "saldo"]))).toContain("disponível");
    const period = privateMessage(await ask(demo, ANA.id, "vendas", { periodo: "7 dias" }));
    const files = privateMessage(await press(demo, period, "Arquivo"));
    expect(files.attachments).toHaveLength(3);
    await picture(files, "arquivo");
    const settings = await seen(["config-relatorio", CARLA, "config relatorio"]);
    expect(textOf(settings)).toContain("3 aceitaram, de 3 conectados");
    await screen.be("Ana");
  });

  test("closes its week on Monday evening", async () => {
    for (let evenings = 0; evenings < 3; evenings++) await nextEvening(demo);
    const close = () => posts().find(({ content }) => content.startsWith("Semana de "));
    for (let waits = 0; close() === undefined && waits < MOST_WAITS; waits++)
      await pass(demo, 4 * MINUTE);
    const message = close();
    if (message === undefined) throw new Error("no close of the week");
    await screen.openChannel("vendas");
    await picture(message, "fechamento");
  });

  endsClean(() => browser);
});
