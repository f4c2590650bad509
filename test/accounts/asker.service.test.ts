import { expect, it } from "vitest";
import { openDisputeReading } from "../disputes/dispute-reading-stage.ts";
import { noticeTo } from "../database/builders.ts";
import { ANA as OWNER, connectRequest, GUILD as SHOP, openGuild } from "../support/guild.ts";
import { samplePayment } from "../transactions/transaction-samples.ts";
import {
  actor,
  ANA,
  GUILD,
  type MoneyStage,
  openMoneyStage,
  prepared,
  withdrawn,
} from "../withdrawals/money-stage.ts";

const readings: readonly (readonly [string, (stage: MoneyStage) => Promise<unknown>])[] = [
  ["/saldo", ({ money }) => money.balance.read(actor())],
  ["/saque", (stage) => prepared(stage)],
  ["/saques", ({ money }) => money.withdrawals.list(actor(), undefined)],
  ["a withdrawal", ({ money }) => money.withdrawals.detail(actor(), "ELSEWHERE")],
];

const withPaused = async () => {
  const stage = await openMoneyStage();
  stage.add({ txid: "ELSEWHERE" });
  const { accounts } = stage.stores;
  const { id } = (await accounts.find(GUILD, ANA))!;
  await accounts.pause(id, stage.clock.now(), noticeTo(ANA, "paused"));
  const isPaused = async () => (await accounts.findById(id))?.pausedAt !== undefined;
  return { stage, isPaused };
};

it.each(readings)("%s by a person resumes a refused key that reads", async (_, read) => {
  const { stage, isPaused } = await withPaused();
  await read(stage);
  expect(await isPaused()).toBe(false);
});

it.each(readings.slice(0, 2))(
  "%s resumes no key that one of its readings refuses, or that none of them tried",
  async (_, read) => {
    const { stage, isPaused } = await withPaused();
    stage.failing.set("withdrawals", "unauthorized");
    await expect(read(stage)).rejects.toMatchObject({ kind: "unauthorized" });
    expect(await isPaused()).toBe(true);
    for (const each of ["balance", "withdrawals", "disputeSummary", "checkPixKey"] as const)
      stage.failing.set(each, "unavailable");
    await expect(read(stage)).rejects.toThrow();
    expect(await isPaused()).toBe(true);
  },
);

it.each(["overview", "detail"] as const)("an %s of MEDs resumes a refused key", async (what) => {
  const { accountId, clock, disputes, failing, stores, add } = await openDisputeReading();
  add("i1");
  await stores.accounts.pause(accountId, clock.now(), noticeTo(ANA, "paused"));
  const isPaused = async () => (await stores.accounts.findById(accountId))?.pausedAt !== undefined;
  const read = async (): Promise<unknown> =>
    what === "overview"
      ? await disputes.overview(actor(), "all", 0)
      : await disputes.detail(actor(), "i1");
  failing.set("dispute", "unauthorized");
  await expect(read()).rejects.toMatchObject({ kind: "unauthorized" });
  expect(await isPaused()).toBe(true);
  failing.clear();
  await read();
  expect(await isPaused()).toBe(false);
});

it.each(["list", "detail"] as const)("a %s of payments resumes a refused key", async (what) => {
  const { clock, services, stores, wallet } = await openGuild();
  const { id } = await services.accounts.connect(connectRequest());
  await stores.accounts.pause(id, clock.now(), noticeTo(OWNER, "paused"));
  wallet.transactions = async () => ({ items: [], unnamed: 0, next: undefined, isCut: false });
  wallet.transaction = async (_, txid) => samplePayment({ txid, status: "pending" });
  const asker = { guildId: SHOP, userId: OWNER, locale: "pt-BR" } as const;
  if (what === "detail") await services.transactions.detail(asker, "t1");
  else await services.transactions.list(asker, { filter: "all", period: undefined, page: 0 });
  expect((await stores.accounts.findById(id))?.pausedAt).toBeUndefined();
});

const LOST_KEY = { api_key: "v1.lost.key", api_key_kid: "lost" };
const ASKED_ANEW = { reason: { kind: "key_unreadable" } };

it("a button of a MED whose key the ring no longer opens asks for the key anew", async () => {
  const { db, services } = await openGuild();
  const { watchId } = await services.accounts.connect(connectRequest());
  await db.updateTable("account").set(LOST_KEY).execute();
  const asker = { guildId: "", userId: OWNER, locale: "pt-BR" } as const;
  const ref = { watchId, infractionId: "i1" };
  await expect(services.disputes.open(asker, ref)).rejects.toMatchObject(ASKED_ANEW);
});

it("an open withdrawal whose key the ring no longer opens asks for the key anew", async () => {
  const stage = await openMoneyStage();
  const { op } = await withdrawn(stage, { turbo: false });
  await stage.db.updateTable("account").set(LOST_KEY).execute();
  const read = stage.money.withdrawals.detail(actor(), op.id);
  await expect(read).rejects.toMatchObject(ASKED_ANEW);
});
