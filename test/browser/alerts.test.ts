import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANA, CHANNELS, ROLES } from "#src/sandbox/world.ts";
import { type Browser, hasChromium } from "./open-browser.ts";
import { openConnectedDemo, type OpenDemo } from "./open-demo.ts";
import { takePicture } from "./picture.ts";
import { endsClean, type Screen } from "./screen.ts";

describe.skipIf(!hasChromium)("alerts of a MED, by hand", () => {
  let demo: OpenDemo;
  let browser: Browser;
  let screen: Screen;

  beforeAll(async () => {
    demo = await openConnectedDemo();
    ({ browser, screen } = demo);
  });
  afterAll(() => demo?.close());

  const posts = () => demo.sandbox.discord.messages(CHANNELS.avisos.id);
  const newestId = (): string => demo.sandbox.wallet.meds(ANA.id)[0]?.infractionId ?? "";
  /** The channel's message about the MED that this test opened. */
  const alert = (): Locator =>
    browser.page.locator("discord-message", { hasText: newestId() }).first();

  test("Carla chooses the channel and the role as the guide says", async () => {
    await screen.be("Carla");
    await browser.page.getByRole("button", { name: /^Usar \/config alertas/ }).click();
    await browser.page.locator(".command-chip").waitFor();
    await browser.page.locator("#composer-send").click();
    await screen.says("Alertas de MED salvos");
    await screen.newest().locator("discord-mention", { hasText: "Equipe" }).waitFor();
  });

  test("she adds a step that pings, and those chosen before stay chosen", async () => {
    const steps = screen.newest().getByRole("group", { name: "Quais alertas mencionam o cargo" });
    await steps.getByLabel("72 horas antes").check();
    await steps.getByRole("button", { name: "Enviar" }).click();
    await screen.says(/MED novo · 72 horas antes · 24 horas antes · 6 horas antes/);
    expect(await steps.getByLabel("72 horas antes").isChecked()).toBe(true);
  });

  test("Ana lets hers go to that channel", async () => {
    await screen.be("Ana");
    await screen.send("/conta ver");
    await screen.says("Alertas de MED");
    await screen
      .newest()
      .getByRole("combobox")
      .nth(1)
      .selectOption({ label: "No canal de alertas do servidor" });
    await screen.says(/Saem em/);
  });

  test("one that a payer opens is announced in the channel, and the role is pinged", async () => {
    const panel = await screen.openWallet();
    await panel.locator("#med-amount").fill("319,00");
    await panel.getByLabel("Prazo da resposta").selectOption({ label: "7 dias" });
    await panel.getByRole("button", { name: "Abrir um MED contra a conta" }).click();
    await panel.getByText(/^Aberto\. Veja em/).waitFor();
    await screen.closeMenus();
    await browser.page.getByRole("button", { name: "Avançar 10 minutos" }).click();
    await screen.clockArrives();
    await screen.openChannel("avisos");
    await alert()
      .getByText(/Novo MED de R\$\s319,00/)
      .first()
      .waitFor();
    await alert().locator("discord-mention", { hasText: "Equipe" }).waitFor();
    const post = posts().find(({ embeds }) => JSON.stringify(embeds).includes(newestId()));
    expect([post?.mentionedUserIds, post?.mentionedRoleIds]).toEqual([[ANA.id], [ROLES.equipe.id]]);
    await takePicture(alert(), "alerta-med", demo.folder);
  });

  test("its details are for Ana alone, under the alert", async () => {
    await alert().getByRole("button", { name: "Ver detalhes" }).click();
    await screen.says("Só você pode ver esta mensagem");
    await screen.says("Pagador informa que não reconhece o pagamento.");
    await screen.newest().getByRole("button", { name: "Ignorar mensagem" }).click();
    await screen.be("Bruno");
    await alert().getByRole("button", { name: "Ver detalhes" }).click();
    await screen.says("Este MED é de outra pessoa");
    await screen.newest().getByRole("button", { name: "Ignorar mensagem" }).click();
    await screen.be("Ana");
  });

  test("once Ana says that she has answered, it is noted for her alone", async () => {
    await alert().getByRole("button", { name: "Já respondi no painel" }).click();
    await screen.says("Anotado");
    await screen.says("Só você pode ver esta mensagem");
  });

  endsClean(() => browser);
});
