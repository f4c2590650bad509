import { afterAll, beforeAll, describe, test } from "vitest";
import { ANA } from "#src/sandbox/world.ts";
import { openDemo } from "./open-demo.ts";
import type { OpenDemo } from "./open-demo.ts";
const START = Temporal.Instant.from("2026-11-19T14:10:00Z");
describe("pics", () => {
  let demo: OpenDemo;
  let screen: any;
  let browser: any;
  beforeAll(async () => {
    demo = await openDemo(START);
    ({ browser, screen } = demo);
    await demo.connect(ANA.apiKey);
    await screen.newest().getByText("Chave conectada").waitFor();
  });
  afterAll(() => demo?.close());
  const says = (t: any) => screen.newest().getByText(t).first().waitFor();
  const press = (l: any) => screen.newest().getByRole("button", { name: l }).click();
  const pic = async (n: string) => {
    await browser.page.mouse.move(0, 0);
    await screen.newest().screenshot({ path: `/tmp/v2pics/${n}.png`, animations: "disabled" });
  };
  test("all", async () => {
    await screen.send("/saques");
    await says("Saques");
    await pic("saques-empty");
    await screen.send("/saldo");
    await says("Disponível");
    await pic("saldo");
    for (const m of ["normal"]) {
      await screen.send(`/saque valor:50 chave:ana@lojaaurora.example modalidade:${m}`);
      await says("Confirme o saque (1 de 2)");
      await press("Confirmar");
      await says("Confirme de novo o saque (2 de 2)");
      await press("Confirmar de novo");
      await browser.page.waitForTimeout(1500);
      await pic("sent");
    }
    await screen.send("/saques");
    await says("Saques");
    await pic("saques");

    let op = (await (demo as any).sandbox.wallet.executed(ANA.id)).at(-1);
    const code = /W-[0-9A-Z]{5}/.exec(await screen.newest().innerText())?.[0];
    await screen.send(`/saques txid:${code ?? op.txid}`);
    await says(/^Saque W-/);
    await pic("detail");
    await press("Recibo").catch(() => {});
    await browser.page.waitForTimeout(800);
    await pic("receipt");
    await screen.send("/seguranca");
    await says("Segurança do seu dinheiro");
    await pic("seguranca");
    await screen.send("/travar");
    await says("Saques travados");
    await pic("travar");
    await screen.send("/ajuda");
    await says("Balcão");
    await pic("ajuda");
    await screen.send("/saldo");
    await says("Disponível");
    await pic("saldo-open");
  }, 120000);
});
