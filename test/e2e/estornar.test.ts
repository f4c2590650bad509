import { beforeEach, describe, expect, test } from "vitest";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { ANA } from "#src/sandbox/world.ts";
import { rowsOf } from "../support/rows-of.ts";
import { createMoneyDriver, has, type MoneyDriver } from "./support/money.ts";
import { messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

const PRODUCT = "Plano VIP mensal";
const ANSWER = "PATCH /webhooks/{id}/{token}/messages/@original";

describe("/estornar", () => {
  let stage: Stage;
  let ana: MoneyDriver;
  let sale: string;

  const wallet = () => stage.sandbox.wallet;
  const sell = (reais: number): string =>
    wallet().sale({ owner: ANA.id, origin: "api", reais, product: PRODUCT });
  const ask = async (txid = sale): Promise<StoredMessage> =>
    messageOf(await ana.command("estornar", { txid }));
  const confirm = async (asked: StoredMessage): Promise<StoredMessage> =>
    messageOf(await ana.press(asked, "saque:confirmar:"));
  const refund = async (): Promise<StoredMessage> => await confirm(await ask());
  const openMed = (txid = sale): string =>
    wallet().openMed(ANA.id, {
      amountCents: 7_990,
      situationType: "FRAUDE",
      hoursToAnswer: 48,
      original: { type: "api", product: PRODUCT },
      txid,
    });
  /** Requests that reached the service. */
  const asked = (txid = sale) =>
    wallet()
      .refunds(ANA.id)
      .filter((each) => each.txid === txid)
      .reduce((sum, { times }) => sum + times, 0);
  const told = (): string => ana.directMessages().map(textOf).join("\n");

  beforeEach(async () => {
    stage = await openStage();
    await stage.connectAna();
    ana = createMoneyDriver(stage);
    sale = sell(79.9);
  });

  test("is its owner's to settle when it was lost before it arrived, and is never sent again", async () => {
    stage.sandbox.faults.failNext("POST /v1/refund", { kind: "reset", at: "before" });
    const unclear = await refund();
    for (let minute = 0; minute < 50; minute += 5) await stage.later(5);
    expect(told()).toContain("Preciso que você confira este estorno");
    const code = /W-[0-9A-Z]{5}/.exec(textOf(unclear))?.[0] ?? "";
    const detail = messageOf(await ana.command("saques", { txid: code }));
    expect(textOf(detail)).toContain(code);
    await ana.fill(detail, "saques:nao-aconteceu:", { codigo: code });
    expect(asked()).toBe(0);
    expect(textOf(await refund())).toContain("Estorno feito");
    expect(asked()).toBe(1);
  });

  test("asks with amount, payer, fee and what is not known, sends once, and shows the end", async () => {
    const before = wallet().availableCents(ANA.id);
    const question = await ask();
    expect(textOf(question)).toMatch(/Estornar R\$\u00a079,90\?[^]*o serviço não diz/);
    expect(textOf(question)).toContain("Pagador do sandbox");
    expect(textOf(question)).toContain("R$\u00a04,79");
    expect(asked()).toBe(0);

    const done = await confirm(question);

    expect(textOf(done)).toContain("Estorno feito");
    expect(asked()).toBe(1);
    expect(before - wallet().availableCents(ANA.id)).toBe(7_511);
    expect(textOf(await ana.command("saques"))).toContain("estorno de R$\u00a079,90");
    expect(textOf(await ana.command("estornar", { txid: sale }))).toContain("já está estornada");
  });

  test("is refused under an open MED and under one that gave the money back, and sends nothing", async () => {
    const med = openMed();
    const refused = await ask();
    expect(textOf(refused)).toMatch(/MED aberto sobre esta venda[^]*pagaria duas vezes/);
    expect(has(refused, "saque:confirmar:")).toBe(false);
    wallet().decideMed(ANA.id, med, "accepted");
    await stage.later(1);
    expect(textOf(await ask())).toMatch(/já devolveu o valor desta venda/);
    expect(asked()).toBe(0);
  });

  test("is found by reading when the answer was lost, and told once", async () => {
    stage.sandbox.faults.failNext("POST /v1/refund", { kind: "reset", at: "after" });
    const unclear = await refund();
    expect(textOf(unclear)).toMatch(/pode ter sido feito[^]*Não repita/);
    expect(textOf(await ask())).toContain("Já há um estorno desta venda");
    await stage.later(1);
    await stage.later(1);
    expect(textOf(ana.again(unclear))).toContain("Estorno feito");
    expect(asked()).toBe(1);
  });

  test("is followed until a late refund takes effect, over a restart, and told once", async () => {
    wallet().planNextRefund(ANA.id, { kind: "late", ms: 30 * 60_000 });
    expect(textOf(await refund())).toContain("Estorno aceito");
    await stage.restart();
    await stage.later(15);
    expect(told()).not.toContain("Estorno feito");
    for (const minutes of [16, 6, 6, 6]) await stage.later(minutes);
    const ends = ana.directMessages().filter((each) => textOf(each).includes("Estorno feito"));
    expect(ends).toHaveLength(1);
    expect(asked()).toBe(1);
  });

  test("that is made at once is told by its answer, and by message only where Discord did not take it", async () => {
    const messages = async (): Promise<readonly unknown[]> =>
      (await rowsOf(stage.databaseUrl, "outbox"))
        .filter((each) => each["op_id"] !== null)
        .map((each) => each["state"]);
    expect(textOf(await refund())).toContain("Estorno feito");
    await expect.poll(messages).toEqual(["obsolete"]);
    sale = sell(100);
    const question = await ask();
    stage.sandbox.faults.failNext(ANSWER, { kind: "status", status: 500, at: "before" }, 99);
    // Never answered.
    void ana.press(question, "saque:confirmar:").catch(() => undefined);
    await expect.poll(messages).toContain("due");
    await stage.later(1);
    expect(ana.directMessages().map(textOf)).toEqual([expect.stringContaining("Estorno feito")]);
  });

  test("asks for the PIN, stops at the lock and at the daily cap", async () => {
    const panel = messageOf(await ana.command("seguranca"));
    await ana.fill(panel, "seguranca:pin", { pin: "4821" });
    const question = await ask();
    expect(has(question, "saque:pin:")).toBe(true);
    await ana.fill(question, "saque:pin:", { pin: "0000" });
    expect(asked()).toBe(0);
    await ana.fill(question, "saque:pin:", { pin: "4821" });
    expect(asked()).toBe(1);
    await ana.fill(panel, "seguranca:limite:", { limite: "100" });
    const [over, under] = [sell(50), sell(20)];
    expect(textOf(await ask(over))).toMatch(/passa do seu limite diário[^]*20,10/);
    const open = await ask(under);
    await ana.command("travar");
    await ana.fill(open, "saque:pin:", { pin: "4821" });
    expect(textOf(await ask(under))).toContain("travados");
    expect([asked(over), asked(under)]).toEqual([0, 0]);
  });
});
