import { expect, test } from "vitest";
import { createAccountingFiles } from "#src/accounting-files/accounting-files.service.ts";
import { withdrawalSums } from "#src/accounting-files/accounting.ts";
import { newestPeriod, periodBefore } from "#src/closes/close.ts";
import { ownCloseView } from "#src/closes/close.view.ts";
import { createCloses } from "#src/closes/closes.service.ts";
import { newDisputeRow } from "#src/disputes/dispute-tables.store.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { daysOf } from "#src/reports/sales-period.ts";
import type { Locale } from "#src/shared/locale.ts";
import { WalletError } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import { MINUTE } from "#src/shared/time.ts";
import { day, factsOf } from "../accounting-files/accounting-samples.ts";
import { noticeTo } from "../database/builders.ts";
import { sampleDispute } from "../disputes/dispute-samples.ts";
import { quietLog } from "../support/databases.ts";
import { GUILD, openStage } from "../support/stage.ts";
import { createPlainWallet } from "../withdrawals/plain-wallet.ts";
import { opIn } from "../withdrawals/withdraw-builders.ts";
import { readMessage } from "../ui/read-message.ts";
import { salesDay } from "./close-samples.ts";

const WEEK = newestPeriod("week", Temporal.PlainDate.from("2026-11-22"));
const OWNER = "u-ana";

/** A connected seller who agreed to no report and never asked for a period. */
const open = async (now = "2026-11-25T15:00:00Z") => {
  const stage = await openStage(now);
  const { stores, clock } = stage;
  const id = await stage.addSeller({ ownerId: OWNER, since: clock.now(), isDirect: true });
  await stores.accounts.chooseReport(GUILD, OWNER, "off", clock.now());
  const { accountFp } = (await stores.accounts.findById(id))!;
  const plain = createPlainWallet(clock);
  const { hashPixKey } = stores.vault;
  const read = { hashPixKey, clock, askedDetails: new Map() };
  const needs = { ...stores, ...read, log: quietLog, wallet: plain.wallet };
  const closes = createCloses(needs);
  const own = async (locale: Locale = "pt-BR") => {
    const view = ownCloseView(await closes.own(GUILD, OWNER, WEEK), locale);
    return readMessage(view).join("\n").replaceAll("\u00a0", " ");
  };
  return { stage, id, accountFp, plain, own, needs };
};

test("one's own close asks for days that were never read, says so, and has them a little later", async () => {
  const { stage, own } = await open();
  expect(await own()).toContain(
    "Ainda não li 7 dias (16/11, 17/11, 18/11, e mais 4). Já pedi: toque no botão de novo em alguns minutos.",
  );
  expect(await own("en-US")).toContain("I asked for them: tap the button again in a few minutes.");
  expect(await own()).not.toMatch(/Esperei|enhuma venda|u-ana/);
  const bot = stage.startProcess({ closes: true });
  for (let minutes = 0; minutes < 4; minutes++) {
    await bot.tick();
    stage.clock.moveBy(MINUTE);
  }
  expect(await own()).toContain("**R$ 700,00** em 7 vendas");
  expect(await own()).not.toContain("ainda não li");
});

test("one's own close has the days read soon again, once the key works that the background found refused", async () => {
  const { stage, own } = await open();
  const { read } = stage.wallet;
  const bot = stage.startProcess({ closes: true });
  const pass = async () => {
    for (let minutes = 0; minutes < 4; minutes++) {
      await bot.tick();
      stage.clock.moveBy(MINUTE);
    }
  };
  stage.wallet.read = () =>
    Promise.reject(new WalletError({ kind: "unauthorized", method: "GET", route: "/" }));
  await own();
  await pass();
  stage.wallet.read = read;
  expect(await own()).toContain("Já pedi: toque no botão de novo em alguns minutos.");
  await pass();
  expect(await own()).toContain("**R$ 700,00** em 7 vendas");
});

test("one's own close with all its days asks for nothing", async () => {
  const { stage, accountFp, own } = await open();
  for (const each of [...daysOf(periodBefore(WEEK)), ...daysOf(WEEK)])
    await stage.stores.salesDays.keep(accountFp, salesDay(each, 10));
  expect(await own()).not.toContain("Falta");
  expect(await Array.fromAsync(stage.stores.salesDays.due(stage.clock.now(), 1))).toEqual([]);
});

test("one's own close says that days are too old to be kept, and of a refused key that it waits", async () => {
  const old = await open("2027-03-10T12:00:00Z");
  expect(await old.own()).toContain("Não guardo dias tão antigos: 7 dias (16/11, 17/11,");
  expect(await old.own()).not.toContain("Já pedi");
  const refused = await open();
  const { stores, clock } = refused.stage;
  await stores.accounts.pause(refused.id, clock.now(), noticeTo(OWNER, "paused"));
  expect(await refused.own()).toContain("A chave foi recusada: leio quando ela voltar.");
});

test("one's own close is not told to who has a refused key, where another owner's key is accepted", async () => {
  const { stage, id, accountFp, plain, own } = await open();
  const { accounts, salesDays } = stage.stores;
  for (const each of daysOf(WEEK)) await salesDays.keep(accountFp, salesDay(each, 10));
  await accounts.pause(id, stage.clock.now(), noticeTo(OWNER, "paused"));
  plain.failing.set("withdrawals", "unauthorized");
  expect(await own()).toContain("**R$ 70,00** em 7 vendas");
  const apiKey = `sk_sandbox_${GUILD}_${OWNER}`;
  await stage.addSeller({ ownerId: "u-bruno", since: stage.clock.now(), apiKey });
  await expect(own()).rejects.toMatchObject({ kind: "unauthorized" });
  plain.failing.clear();
  expect(await own()).toContain("**R$ 70,00** em 7 vendas");
  expect((await accounts.findById(id))?.pausedAt).toBeUndefined();
});

test("one's own close says that MEDs are not followed while its alerts are off", async () => {
  const { stage, own } = await open();
  const { accounts } = stage.stores;
  const off = "MEDs: não acompanho: os alertas de MED estão desligados";
  const apiKey = "another wallet account's";
  await stage.addSeller({ ownerId: "u-bruno", since: stage.clock.now(), apiKey });
  expect(await own()).not.toContain(off);
  await accounts.setAlerts(GUILD, OWNER, "off", stage.clock.now());
  expect(await own()).toContain(off);
  expect(await own("en-US")).toContain("MEDs: not followed: MED alerts are off");
});

test("one's own close tells no MED of another seller", async () => {
  const { stage, own } = await open();
  const seen = Temporal.Instant.from("2026-11-18T12:00:00Z");
  await stage.db
    .insertInto("dispute_watch")
    .values(
      newDisputeRow({
        ...followedDispute("another's", sampleDispute({ analysisStatus: "accepted" }), seen),
        closedAt: seen.add({ hours: 1 }),
      }),
    )
    .execute();
  expect(await own()).not.toContain("MEDs");
});

test("one's own close and its spreadsheet tell the same withdrawals: splits, confirmed ones and those made elsewhere too", async () => {
  const { stage, accountFp, plain, own, needs } = await open();
  const { stores, db } = stage;
  const at = Temporal.Instant.from("2026-11-18T12:00:00Z");
  const of = { guildId: GUILD, ownerId: OWNER, accountFp };
  const paid = (txid: string, amount: number) => ({
    txid,
    amount: cents(amount),
    fee: cents(50),
    net: cents(amount - 50),
  });
  await opIn(stores.journal, "completed", of, paid("TX-1", 10_000), at);
  const split = { ...of, kind: "split_normal", amount: undefined, recipientId: "u-bruno" } as const;
  await opIn(stores.journal, "completed", split, paid("TX-2", 2_000), at);
  const confirmed = await opIn(stores.journal, "failed", { ...of, amount: cents(300) }, {}, at);
  await db
    .updateTable("withdraw_op")
    .set({ state: "resolved_manual", resolution: "happened" })
    .where("id", "=", confirmed.id)
    .execute();
  plain.add({
    txid: "TX-9",
    amount: cents(40),
    status: "completed",
    requestedAt: at,
    completedAt: at,
  });
  const files = createAccountingFiles({
    ...needs,
    readPeriod: async () => ({
      ...factsOf("2026-11-16", [day(1, 0)]).reading,
      missing: 0,
      isKept: false,
    }),
  });
  const facts = await files.facts(GUILD, OWNER, { ...WEEK, kind: "days" });
  const { count, amount } = withdrawalSums(facts.withdrawals);
  expect({ count, amount }).toEqual({ count: 4, amount: 12_340 });
  expect(await own()).toContain("Saques: R$ 123,40 em 4 saques");
  expect(await own()).toContain("R$ 20,00 da soma são de 1 saque de split:");
  expect(await own("en-US")).toContain("Withdrawals: R$ 123.40 in 4 withdrawals");
  plain.failing.set("withdrawals", "unavailable");
  expect(await own()).toContain("R$ 123,00 em 3 saques");
  expect(await own()).toContain("Não consegui ler a lista de saques do serviço");
});
