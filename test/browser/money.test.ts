import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANA } from "#src/sandbox/world.ts";
import { type Browser, hasChromium } from "./open-browser.ts";
import { openConnectedDemo, type OpenDemo } from "./open-demo.ts";
import { takePicture } from "./picture.ts";
import { endsClean, type Screen } from "./screen.ts";

const PIX_KEY = "ana@lojaaurora.example";

describe.skipIf(!hasChromium)("money, by hand", () => {
  let demo: OpenDemo;
  let browser: Browser;
  let screen: Screen;

  beforeAll(async () => {
    demo = await openConnectedDemo();
    ({ browser, screen } = demo);
  });
  afterAll(() => demo?.close());

  const press = (label: string | RegExp): Promise<void> =>
    screen.newest().getByRole("button", { name: label }).click();
  /** Moves the clock past the minimum reading time, then clicks. */
  const sendIt = async (): Promise<void> => {
    demo.sandbox.clock.moveBy(2_000);
    await press(/^Enviar/);
  };
  const picture = (name: string): Promise<void> =>
    takePicture(screen.newest(), `saque-${name}`, demo.folder);
  const executed = () => demo.sandbox.wallet.executed(ANA.id);

  /** Asks for a withdrawal and goes on to the last confirmation; the PIX key is known after the first withdrawal. */
  const askFor = async (amount: string): Promise<void> => {
    await screen.send(`/saque valor:${amount} chave:${PIX_KEY} modalidade:turbo`);
    await screen.says("Confirme o saque");
  };
  const nextDay = async (): Promise<void> => {
    await screen.moveClock("day");
    await screen.moveClock("minutes");
  };

  test("what she would pay and receive is all there before anything moves", async () => {
    await screen.send(`/saque valor:1.234,56 chave:${PIX_KEY} modalidade:turbo`);
    await screen.says("Confirme o saque (1 de 2)");
    for (const amount of ["1.234,56", "3,50", "1.231,06", "1.234,06"])
      await screen.says(new RegExp(`R\\$\\s${amount.replaceAll(".", "\\.")}`));
    await screen.says("Titular do sandbox");
    await picture("confirmacao");
    expect(executed()).toEqual([]);
  });

  test("two confirmations of a new key send one withdrawal, and its reply follows it", async () => {
    await press("Continuar");
    await screen.says("Confirme de novo o saque (2 de 2)");
    await picture("segunda");
    await sendIt();
    await screen.says(/Saque (aceito|em processamento|concluído)/);
    await screen.moveClock("minute");
    await screen.says("Saque concluído");
    expect(executed()).toMatchObject([{ amountCents: 1_234_56, status: "completed" }]);
  });

  test("the wallet's panel shows what the service did", async () => {
    const panel = await screen.openWallet();
    await panel.getByText("pago").waitFor();
    await panel.getByText(PIX_KEY).waitFor();
    await panel.getByText(/R\$\s1\.245,79/).waitFor();
    await screen.closeMenus();
  });

  test("the list opens the withdrawal, and its receipt can be copied", async () => {
    await screen.send("/saques");
    await screen.says("Saques");
    const open = screen.newest().locator("select").last();
    const value = await open.locator("option", { hasText: "1.234,56" }).getAttribute("value");
    await open.selectOption(value ?? "");
    await screen.says("Saque concluído");
    await press("Recibo");
    await screen.says(/RECIBO DE SAQUE/);
    await picture("recibo");
  });

  test("an answer that was lost is told as such, and is found by looking", async () => {
    await nextDay();
    await askFor("50");
    const panel = await screen.openWallet();
    await panel.getByLabel("A próxima resposta de saque ou estorno se perde").check();
    await screen.closeMenus();
    await sendIt();
    await screen.says("Ainda não sei se o saque foi feito");
    await picture("desconhecido");
    await press("Verificar agora");
    await screen.says(/Saque (em processamento|concluído)/);
    await screen.moveClock("minute");
    await screen.says("Saque concluído");
    expect(executed()).toHaveLength(2);
    expect(await (await screen.openWallet()).getByRole("checkbox").first().isChecked()).toBe(false);
    await screen.closeMenus();
  });

  test("a withdrawal that failed says why, and that the value went back", async () => {
    await nextDay();
    await askFor("80");
    const panel = await screen.openWallet();
    await panel.getByLabel("O próximo saque falha").check();
    await screen.closeMenus();
    await sendIt();
    // Depends on the bot's next check, which shares the account's rate limit with other reads.
    await screen.says(/Saque (aceito|em processamento)|O saque falhou/);
    await screen.moveClock("minute");
    await screen.says("O saque falhou");
    await screen.says("Conta de destino encerrada.");
    await screen.says("devolve o valor ao saldo");
    await picture("falha");
  });

  test("a withdrawal outside the bot is told in a direct message, whose button locks", async () => {
    await nextDay();
    for (let times = 0; times < 2; times++) await screen.moveClock("minutes");
    const panel = await screen.openWallet();
    await panel.getByRole("button", { name: "Sacar pelo painel do serviço" }).click();
    await panel.getByText("O bot não sabe deste saque.").waitFor();
    await screen.closeMenus();
    for (let times = 0; times < 3; times++) await screen.moveClock("minutes");
    await browser.page.locator(".channel.unread", { hasText: "Balcão" }).waitFor();
    await screen.openChannel("Balcão");
    await screen.says("Há um saque que não foi pedido por aqui");
    await screen.newest().getByRole("button", { name: "/travar" }).waitFor();
    await press("Travar saques");
    await browser.page.locator("#messages").getByText("Saques travados").first().waitFor();
  });

  endsClean(() => browser);
});
