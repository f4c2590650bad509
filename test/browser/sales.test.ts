import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANA, CHANNELS } from "#src/sandbox/world.ts";
import { type Browser, hasChromium } from "./open-browser.ts";
import { openConnectedDemo, type OpenDemo } from "./open-demo.ts";
import { takePicture } from "./picture.ts";
import { endsClean, type Screen } from "./screen.ts";

const PRODUCT = "Plano VIP trimestral";

describe.skipIf(!hasChromium)("sales, by hand", () => {
  let demo: OpenDemo;
  let browser: Browser;
  let screen: Screen;

  beforeAll(async () => {
    demo = await openConnectedDemo();
    ({ browser, screen } = demo);
    // The whole list of /transacoes fits in one picture.
    await browser.page.setViewportSize({ width: 1280, height: 1100 });
  });
  afterAll(() => demo?.close());

  const picture = (message: Locator, name: string): Promise<void> =>
    takePicture(message, name, demo.folder);
  /** Her private answer to /cobrar; the code alone stands below it. */
  const answer = (): Locator =>
    screen.messages().filter({ hasText: PRODUCT }).filter({ hasText: "Só você pode ver" }).first();
  const card = (): Locator =>
    screen.messages().filter({ hasText: PRODUCT }).filter({ hasNotText: "Só você pode ver" });

  test("the list shows sales by their product, and opens one with its payer", async () => {
    await screen.send("/transacoes");
    await screen.says("Transações");
    await picture(screen.newest(), "transacoes");
    await screen.newest().locator("select").last().selectOption({ index: 1 });
    await screen.says("Pagador");
    await screen.newest().getByRole("button", { name: "Estornar" }).waitFor();
  });

  test("a charge comes with its QR inside, and its code alone in a message to copy", async () => {
    await screen.send(`/cobrar valor:149,90 descricao:${PRODUCT}`);
    await screen.says(/000201\d{6}/);
    await answer().locator("discord-embed img.attachment").waitFor();
    await picture(answer(), "cobranca");
    await answer().getByRole("button", { name: "Publicar no canal" }).click();
    await card().waitFor();
    expect(await card().locator("img.attachment").count()).toBe(1);
  });

  test("a customer pays it in the wallet's panel, and answer and card become Pago", async () => {
    const panel = await screen.openWallet();
    const row = panel.locator("#wallet-payments li", { hasText: PRODUCT });
    await row.getByRole("button", { name: "Pagar como cliente" }).click();
    await panel.getByText(/^Paga\. Avance 1 minuto/).waitFor();
    await screen.closeMenus();
    await screen.moveClock("minute");
    await card()
      .getByText(/^Pago: R\$\s149,90$/)
      .first()
      .waitFor();
    await answer()
      .getByText(/^Pago: R\$\s149,90$/)
      .waitFor();
    await picture(answer(), "cobranca-paga");
    expect(await card().count()).toBe(1);
  });

  test("a refund asks with all that is known, and waits when the service is late", async () => {
    const sale = {
      owner: ANA.id,
      origin: "api",
      reais: 79.9,
      product: "Plano VIP mensal",
    } as const;
    const txid = demo.sandbox.wallet.sale({ ...sale, payerName: "Marina Duarte" });
    const panel = await screen.openWallet();
    await panel.getByLabel("O próximo estorno demora 10 minutos").check();
    await screen.closeMenus();
    await screen.send(`/estornar txid:${txid}`);
    await screen.says(/^Estornar R\$\s79,90\?$/);
    await picture(screen.newest(), "estorno-confirmacao");
    demo.sandbox.clock.moveBy(2_000);
    await screen
      .newest()
      .getByRole("button", { name: /^Estornar/ })
      .click();
    await screen.says("Estorno aceito");
    for (let times = 0; times < 2; times++) await screen.moveClock("minutes");
    await screen.says("Estorno feito");
  });

  test("seven days of sales come compared, with their picture", async () => {
    await screen.send("/vendas periodo:7 dias");
    await screen.newest().locator("discord-embed img.attachment").waitFor();
    // The days before, with which it is compared, are read meanwhile.
    for (let times = 0; times < 3; times++) await screen.moveClock("minute");
    await screen.newest().getByRole("button", { name: "Atualizar" }).click();
    await screen.says(/[▲▼]/);
    await picture(screen.newest(), "vendas-periodo");
  });

  test("a sale and a burst are told in the channel, a line each", async () => {
    await screen.be("Carla");
    await screen.send("/config vendas canal:#vendas");
    await screen.says("Avisos de venda salvos");
    await screen.be("Ana");
    await screen.send("/conta ver");
    await screen.says("Avisos de venda");
    const choice = screen.newest().getByRole("combobox").last();
    await choice.selectOption({ label: "No canal de vendas do servidor" });
    await screen.says(/o produto, o valor, o líquido/);
    for (let times = 0; times < 2; times++) await screen.moveClock("minute");
    const sale = { owner: ANA.id, origin: "api", product: "Plano VIP mensal" } as const;
    demo.sandbox.wallet.sale({ ...sale, reais: 79.9 });
    for (let times = 0; times < 2; times++) await screen.moveClock("minute");
    const panel = browser.page.locator("#sell-panel");
    await panel.locator("summary").click();
    await panel.locator("#sell-amount").fill("10,00");
    await panel.locator("#sell-count").selectOption("12");
    await panel.locator("#sell-form button").click();
    await panel.getByText(/^Ana vendeu/).waitFor();
    await screen.closeMenus();
    for (let times = 0; times < 2; times++) await screen.moveClock("minute");
    await screen.openChannel("vendas");
    await screen.says(/em 1 minuto/);
    await picture(screen.messages().filter({ hasText: "79,90" }).first(), "aviso-de-venda");
    expect(demo.sandbox.discord.messages(CHANNELS.vendas.id)).toHaveLength(2);
  });

  test("what is paid by Enter has no refund under the next Enter", async () => {
    await screen.send("/cobrar valor:31,70 descricao:Caneca");
    const panel = await screen.openWallet();
    const row = panel.locator("#wallet-payments li", { hasText: "Caneca" });
    await row.getByRole("button", { name: "Pagar como cliente" }).press("Enter");
    await row.getByRole("button", { name: "Estornar pelo painel do serviço" }).waitFor();
    await panel.locator("#wallet-payments:focus").waitFor();
    await screen.closeMenus();
  });

  endsClean(() => browser);
});
