import { beforeEach, describe, expect, test } from "vitest";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { databases } from "../support/databases.ts";
import { english } from "./support/english.ts";
import { createMoneyDriver, has, partWith, type MoneyDriver } from "./support/money.ts";
import { connect, messageOf, openStage, type Stage, textOf, type } from "./support/stage.ts";

const SHOP_KEY = "sk_sandbox_shop_0123456789abcdef";
const OTHER_KEY = "sk_sandbox_shop_second_00112233445566";
const PRODUCT = "Plano VIP mensal";

describe.each(databases)("/estornar on $name", (kind) => {
  let stage: Stage;
  let ana: MoneyDriver;
  let sale: string;

  const wallet = () => stage.sandbox.wallet;
  const sell = (reais: number, payerName?: string): string =>
    wallet().sale({
      owner: ANA.id,
      origin: "api",
      reais,
      product: PRODUCT,
      ...(payerName !== undefined && { payerName }),
    });
  const ask = async (txid = sale, by = ana): Promise<StoredMessage> =>
    messageOf(await by.command("estornar", { txid }));
  const confirm = async (asked: StoredMessage, by = ana): Promise<StoredMessage> =>
    messageOf(await by.press(asked, "saque:confirmar:"));
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
    stage = await openStage(kind);
    await stage.connectAna();
    ana = createMoneyDriver(stage);
    sale = sell(79.9);
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
    expect(textOf(await ask())).toMatch(/já devolveu esta venda/);
    expect(asked()).toBe(0);
  });

  test("sees a MED that opens between the confirmation and the request", async () => {
    const question = await ask();
    openMed();
    const stopped = await confirm(question);
    expect(textOf(stopped)).toMatch(/não foi enviado[^]*MED aberto/);
    expect(asked()).toBe(0);
  });

  test("is refused with the reason, and sends nothing", async () => {
    const routes = ["GET /v1/meds", "GET /v1/transactions/:id"];
    const reasons: string[] = [];
    const paid = await ana.withdraw({ modalidade: "turbo" });
    await stage.later(2);
    expect(textOf(ana.again(paid))).toContain("concluído");
    const withdrawal = wallet().executed(ANA.id).at(-1)?.txid ?? "";
    for (const txid of [withdrawal, "naoexiste", "../meds", "@everyone [x](https://e.example)"])
      reasons.push(textOf(await ask(txid)));
    stage.sandbox.faults.failNext(
      routes[0] ?? "",
      { kind: "status", status: 500, at: "before" },
      9,
    );
    reasons.push(textOf(await ask()));
    expect(reasons).toEqual([
      expect.stringContaining("Isso é um saque"),
      expect.stringContaining("Não achei essa venda"),
      expect.stringContaining("`../meds`"),
      expect.stringContaining("`@everyone [x](https://e.example)`"),
      expect.stringContaining("Não consegui ler os seus MEDs"),
    ]);
    expect(wallet().refunds(ANA.id)).toEqual([]);
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

  test("is its owner's to settle when it was lost before it arrived, and is never sent again", async () => {
    stage.sandbox.faults.failNext("POST /v1/refund", { kind: "reset", at: "before" });
    const unclear = await refund();
    for (let minute = 0; minute < 50; minute += 5) await stage.later(5);
    expect(told()).toContain("Preciso que você confira este estorno");
    const code = /W-[0-9A-Z]{5}/.exec(textOf(unclear))?.[0] ?? "";
    const detail = messageOf(await ana.command("saques", { txid: code }));
    expect(textOf(detail)).toContain(`Estorno ${code}`);
    await ana.fill(detail, "saques:nao-aconteceu:", { codigo: code });
    expect(asked()).toBe(0);
    expect(textOf(await refund())).toContain("Estorno feito");
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

  test("that the service refused moves nothing, in the service's words", async () => {
    wallet().planNextRefund(ANA.id, { kind: "refuse", message: "Prazo de estorno encerrado" });
    expect(textOf(await refund())).toMatch(/Prazo de estorno encerrado[^]*Nenhum dinheiro/);
    expect(wallet().refunds(ANA.id)).toMatchObject([{ times: 1, at: undefined }]);
  });

  test("is sent once by a double click, and once by two people with keys of one account", async () => {
    const shop = { userId: "loja-aurora", apiKey: SHOP_KEY, balance: 1_000 };
    wallet().open(shop);
    wallet().issueKey(shop.userId, OTHER_KEY);
    await stage.connectAna(SHOP_KEY);
    const bruno = createMoneyDriver(stage, BRUNO.id);
    await connect(bruno.person, OTHER_KEY);
    sale = wallet().sale({ owner: shop.userId, origin: "api", reais: 79.9, product: PRODUCT });
    const [anas, brunos] = [await ask(), await ask(sale, bruno)];
    stage.sandbox.clock.moveBy(2_000);
    const anasId = partWith(anas, "saque:confirmar:");
    await Promise.all([
      ana.person.click(anas.id, anasId),
      ana.person.click(anas.id, anasId),
      bruno.person.click(brunos.id, partWith(brunos, "saque:confirmar:")),
    ]);
    await stage.later(1);
    await stage.later(1);
    expect(wallet().refunds(shop.userId)).toMatchObject([{ txid: sale, times: 1 }]);
  });

  test("reads in English, from the question to the end and where it is refused", async () => {
    ana.person.setLocale("en-US");
    const product = "VIP plan";
    sale = wallet().sale({ owner: ANA.id, origin: "api", reais: 79.9, product, payerName: "Mark" });
    const question = await ask();
    english(textOf(question));
    const med = openMed();
    english(textOf(await ask()));
    english(textOf(await confirm(question)));
    wallet().cancelMed(ANA.id, med);
    // Refills the pace of her key, which a slow machine uses up: fewer of its readings are shared.
    await stage.later(1);
    stage.sandbox.faults.failNext("POST /v1/refund", { kind: "reset", at: "after" });
    const unclear = await refund();
    expect(textOf(unclear)).toMatch(/may have been made/);
    english(textOf(unclear));
    english(textOf(await ask()));
    await stage.later(1);
    await stage.later(1);
    await expect.poll(() => textOf(ana.again(unclear))).toContain("Refund made");
    const done = ana.again(unclear);
    english(textOf(done));
    const code = /W-[0-9A-Z]{5}/.exec(textOf(done))?.[0] ?? "";
    english(textOf(await ana.command("saques", { txid: code })));
    english(textOf(await ana.command("saques")));
  });

  // test/withdrawals covers the rest of the journal on both databases.
  if (kind !== databases[0]) return;

  test("survives a restart while the request is on its way", async () => {
    stage.sandbox.faults.failNext("POST /v1/refund", { kind: "hang", ms: 300, at: "after" });
    const question = await ask();
    const click = ana.press(question, "saque:confirmar:");
    await expect.poll(() => asked()).toBe(1);
    await stage.restart();
    await click.catch(() => undefined);
    await stage.later(2);
    await stage.later(2);
    expect(asked()).toBe(1);
    expect(textOf(await ana.command("saques"))).toContain("Concluído");
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

  test("works in the bot's direct message", async () => {
    const direct = ana.person.openDirectMessages();
    const question = messageOf(await type(ana.person, "estornar", { txid: sale }, direct));
    expect(textOf(await confirm(question))).toContain("Estorno feito");
    expect(asked()).toBe(1);
  });

  test("shows a payer's and a product's hostile name as plain code", async () => {
    const name = "**Ana** @everyone <@1> \u202e`x` https://e.example";
    const question = await ask(sell(10, name));
    const payer = question.embeds[0]?.fields?.find((field) => field.value.includes("everyone"));
    expect(payer?.value).toMatch(/^`[^`\u202e]*`$/);
    expect(textOf(await confirm(question))).not.toContain("everyone");
  });

  test("is off where the operator did not switch it on", async () => {
    await stage.restart({ REFUND_ENABLED: "false" });
    expect(textOf(await ask())).toContain("ainda não faz estornos");
    expect(asked()).toBe(0);
  });
});
