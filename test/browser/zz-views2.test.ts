import { afterAll, beforeAll, describe, test } from "vitest";
import { ANA } from "#src/sandbox/world.ts";
import { openDemo } from "./open-demo.ts";
import type { OpenDemo } from "./open-demo.ts";
const START = Temporal.Instant.from("2026-11-19T14:10:00Z");
describe("pics", () => {
  let demo: OpenDemo; let screen: any; let browser: any;
  beforeAll(async () => { demo = await openDemo(START); ({ browser, screen } = demo); await demo.connect(ANA.apiKey); await screen.newest().getByText("Chave conectada").waitFor(); });
  afterAll(() => demo?.close());
  const wait = () => browser.page.waitForTimeout(1800);
  const press = async (l: any) => { await screen.newest().getByRole("button", { name: l }).first().click().catch(() => {}); await wait(); };
  const pic = async (n: string) => { await browser.page.mouse.move(0, 0); await screen.newest().screenshot({ path: `/tmp/v2pics/${n}.png`, animations: "disabled" }).catch(() => {}); };
  const go = async (t: string, n: string) => { await screen.send(t); await wait(); await pic(n); };
  test("all", async () => {
    await go("/saques", "saques-empty");
    await screen.send(`/saque valor:50 chave:ana@lojaaurora.example modalidade:normal`); await wait();
    await press(/^Confirmar$/); await pic("sent1"); await press(/Confirmar de novo/); await wait(); await pic("sent");
    await go("/saques", "saques");
    const code = /W-[0-9A-Z]{5}/.exec(await screen.newest().innerText())?.[0];
    await go(`/saques txid:${code}`, "detail");
    await press("Recibo"); await pic("receipt");
    await go("/seguranca", "seguranca");
    await go("/saldo", "saldo-open");
    await go("/travar", "travar");
    await go("/ajuda", "ajuda");
  }, 120000);
});
