import { beforeEach, describe, expect, test } from "vitest";
import { ANA } from "#src/sandbox/world.ts";
import { rowsOf } from "../support/rows-of.ts";
import { createMoneyDriver, has, type MoneyDriver } from "./support/money.ts";
import { messageOf, openStage, type Stage, textOf, type } from "./support/stage.ts";

describe("the overview of money", () => {
  let stage: Stage;
  let moneyDriver: MoneyDriver;

  const executed = () => stage.sandbox.wallet.executed(ANA.id);
  const list = async () => messageOf(await moneyDriver.command("saques"));
  const codeIn = (text: string): string => /W-[0-9A-Z]{5}/.exec(text)?.[0] ?? "";

  beforeEach(async () => {
    stage = await openStage();
    await stage.connectAna();
    moneyDriver = createMoneyDriver(stage);
  });

  test("shows one withdrawal in full, by its code and by its txid", async () => {
    const sent = await moneyDriver.withdraw({ modalidade: "turbo" });
    await stage.later(2);
    const code = codeIn(textOf(sent));
    const short = messageOf(await moneyDriver.command("saques", { txid: code }));
    expect(textOf(short)).toMatch(/^✅ Saque concluído\n[^]*R\$\s46,50/);
    const detail = messageOf(await moneyDriver.press(short, "saques:detalhes:"));
    expect(detail.id).toBe(short.id);
    const txid = executed().at(-1)?.txid ?? "";
    expect(textOf(detail)).toContain(txid);
    expect(textOf(detail)).toContain("R$\u00a046,50");
    expect(textOf(await list())).toContain(code);
    expect(textOf(messageOf(await moneyDriver.command("saques", { txid })))).toContain(code);
    const receipt = messageOf(await moneyDriver.press(detail, "saques:recibo:"));
    expect(textOf(receipt)).toMatch(/```[\s\S]*46,50[\s\S]*```/);
    expect(receipt.attachments.map(({ filename }) => filename)).toEqual([`recibo-${code}.pdf`]);
  });

  test("in a direct message follows one to its end, and offers nothing there that needs a server", async () => {
    stage.sandbox.wallet.failNextWithdrawal(ANA.id, { reason: "Conta encerrada" });
    const sent = await moneyDriver.withdraw({ modalidade: "turbo" });
    const direct = moneyDriver.person.openDirectMessages();
    const txid = codeIn(textOf(sent));
    const detail = messageOf(await type(moneyDriver.person, "saques", { txid }, direct));
    const status = messageOf(await moneyDriver.press(detail, "saques:verificar:"));
    await stage.later(2);
    const ended = moneyDriver.again(status);
    expect(textOf(ended)).toContain("O saque falhou");
    expect(has(ended, "saque:formulario:")).toBe(false);
  });

  test("leaves to the owner what reading cannot tell, and asks for the code", async () => {
    stage.sandbox.faults.failNext("GET /v1/withdrawals", { kind: "html", at: "before" }, 500);
    stage.sandbox.faults.failNext("POST /v1/withdraw", { kind: "reset", at: "before" });
    const unclear = await moneyDriver.withdraw({ modalidade: "turbo" });
    const code = codeIn(textOf(unclear));
    await stage.later(60);
    await stage.later(25 * 60);
    const detail = messageOf(await moneyDriver.command("saques", { txid: code }));
    const wrong = await moneyDriver.fill(detail, "saques:nao-aconteceu:", { codigo: "W-00000" });
    expect(textOf(wrong)).toMatch(/código/i);
    const open = messageOf(await moneyDriver.command("saques", { txid: code }));
    await moneyDriver.fill(open, "saques:nao-aconteceu:", { codigo: code });
    expect(has(await moneyDriver.ask({ valor: "20" }), "saque:confirmar:")).toBe(true);
  });

  test("tells of a withdrawal that nobody asked for here, once, with a button that locks", async () => {
    await stage.later(11);
    await stage.later(11);
    stage.sandbox.wallet.dashboardWithdraw(ANA.id, {
      amountCents: 75_00,
      pixKey: "alguem@example.com",
      turbo: true,
    });
    await stage.later(11);
    await stage.later(11);
    await stage.later(11);
    const ghosts = moneyDriver.directMessages().filter((message) => has(message, "travar:agora:"));
    expect(ghosts).toHaveLength(1);
    await moneyDriver.press(ghosts[0]!, "travar:agora:");
    expect(has(await moneyDriver.ask({}), "saque:confirmar:")).toBe(false);
  });

  test("tells of one that came between connecting and the first look of the job", async () => {
    // A request alone stores no row yet, and the job shares an answer that is still in flight.
    await expect.poll(() => rowsOf(stage.databaseUrl, "ghost_baseline")).toHaveLength(1);
    stage.sandbox.wallet.dashboardWithdraw(ANA.id, {
      amountCents: 60_00,
      pixKey: "alguem@example.com",
      turbo: true,
    });
    await stage.later(11);
    await stage.later(1);
    expect(
      moneyDriver.directMessages().filter((message) => has(message, "travar:agora:")),
    ).toHaveLength(1);
  });
});
