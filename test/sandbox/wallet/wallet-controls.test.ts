import { beforeEach, describe, expect, test } from "vitest";
import type { Fault } from "#src/sandbox/faults.ts";
import { ANA } from "#src/sandbox/world.ts";
import { START, walletUnderTest, type WalletUnderTest } from "./wallet-support.ts";

const PIX_KEY = "+5521900000000";
const ASKED = { amount: 50, pixKey: PIX_KEY, turbo: true };

let its: WalletUnderTest;

beforeEach(async () => {
  its = await walletUnderTest(ANA.apiKey);
});

const withdraw = (body: unknown = ASKED) => its.ask("/v1/withdraw", { method: "POST", body });
const balance = async (): Promise<number> => (await its.ask("/v1/balance")).body.balance.available;

describe("the ground truth", () => {
  test("starts empty, whatever the history, and keeps what was asked", async () => {
    expect(its.wallet.executed(ANA.id)).toEqual([]);
    const { txid } = (await withdraw()).body.withdrawal;
    expect(its.wallet.executed(ANA.id)).toMatchObject([
      { txid, source: "api", asked: ASKED, amountCents: 50_00, status: "processing" },
    ]);
  });

  const moments: readonly [Fault["at"], number, number][] = [
    ["before", 0, 2_480.35],
    ["after", 1, 2_430.35],
  ];
  test.each(moments)("a fault %s the effect leaves %d made", async (at, made, left) => {
    its.faults.failNext("POST /v1/withdraw", { kind: "status", status: 500, at });
    expect((await withdraw()).status).toBe(500);
    expect(its.wallet.executed(ANA.id)).toHaveLength(made);
    expect(await balance()).toBe(left);
  });

  test("faults before the effect use up neither the limit of requests nor a failure", async () => {
    its.wallet.failNextWithdrawal(ANA.id, { reason: "Conta encerrada." });
    const fault = { kind: "status", status: 502, at: "before" } as const;
    its.faults.failNext("POST /v1/withdraw", fault, 5);
    for (let i = 0; i < 5; i++) await withdraw();
    expect((await withdraw()).status).toBe(200);
    expect(its.wallet.executed(ANA.id)).toMatchObject([{ end: { status: "failed" } }]);
  });

  test("a fault before a cancellation leaves the withdrawal scheduled, one after does not", async () => {
    const { txid } = (await withdraw({ ...ASKED, turbo: false })).body.withdrawal;
    const cancel = () => its.ask("/v1/withdraw/cancel", { method: "POST", body: { txid } });
    const faultAt = (at: Fault["at"]) =>
      its.faults.failNext("POST /v1/withdraw/cancel", { kind: "status", status: 500, at });
    faultAt("before");
    await cancel();
    expect(its.wallet.executed(ANA.id)[0]?.status).toBe("scheduled");
    faultAt("after");
    await cancel();
    expect(its.wallet.executed(ANA.id)[0]?.status).toBe("cancelled");
  });

  test("has what a person withdrew in the dashboard, under the same rules", async () => {
    const order = { amountCents: 30_00, pixKey: PIX_KEY, turbo: false };
    const done = its.wallet.dashboardWithdraw(ANA.id, order);
    if (done.kind === "refused") throw new Error(done.message);
    expect(its.wallet.executed(ANA.id)).toMatchObject([
      { txid: done.txid, source: "dashboard", amountCents: 30_00 },
    ]);
    expect((await its.ask("/v1/withdrawals")).body.withdrawals[0].txid).toBe(done.txid);
    expect(its.wallet.dashboardWithdraw(ANA.id, order)).toEqual({
      kind: "refused",
      message: expect.stringContaining("pendente"),
    });
  });
});

describe("the balance", () => {
  test("grows by the net of a sale", async () => {
    const before = await balance();
    its.wallet.sale({ owner: ANA.id, origin: "esales", reais: 100 });
    expect(await balance()).toBeCloseTo(before + 94, 6);
    expect(its.wallet.availableCents(ANA.id)).toBe(257_435);
  });

  test("follows the sales of the days that pass: their nets come in, a refund's goes back", async () => {
    const netOf = async (day: number): Promise<number> =>
      (await its.ask(`/v1/sales/report?date=${day}/11/2026`)).body.summary.totalNet;
    const [before, history] = [await balance(), await netOf(18)];
    its.moveTo(START.add({ hours: 48 }));
    const nets = (await netOf(18)) - history + (await netOf(19)) + (await netOf(20));
    expect(nets).toBeGreaterThan(200);
    expect(await balance()).toBeCloseTo(before + nets, 6);
    const { transactions } = (await its.ask("/v1/transactions")).body;
    const sold = transactions.find(({ status, type }: Record<string, string>) =>
      [status, type].every((each) => ["approved", "payment"].includes(each ?? "")),
    );
    await its.ask("/v1/refund", { method: "POST", body: { txid: sold.txid } });
    expect(await balance()).toBeCloseTo(before + nets - sold.netAmount, 6);
  });
});

describe("the list", () => {
  test("is newest first and as long as the page", async () => {
    await withdraw();
    const { withdrawals } = (await its.ask("/v1/withdrawals")).body;
    const instants = withdrawals.map((each: { requestedAt: string }) => each.requestedAt);
    expect(instants).toHaveLength(5);
    expect(instants).toEqual(instants.toSorted().toReversed());
    its.wallet.settings.withdrawalPageSize = 2;
    const short = (await its.ask("/v1/withdrawals")).body.withdrawals;
    expect(short).toEqual(withdrawals.slice(0, 2));
  });
});

describe("a PIX key", () => {
  test("that has a form of the network is valid and has a holder and a bank", async () => {
    const ask = (pixKey: unknown) =>
      its.ask("/v1/pix/validate", { method: "POST", body: { pixKey } });
    expect((await ask(PIX_KEY)).body).toMatchObject({
      success: true,
      valid: true,
      pixKeyType: "PHONE",
      ownerName: "Titular do sandbox",
      bankName: expect.any(String),
    });
    expect((await ask("?")).body).toMatchObject({ valid: false });
    expect((await ask(7)).body).toMatchObject({ valid: false });
  });
});

describe("the service's clock", () => {
  test("is told in the Date header", async () => {
    expect((await its.ask("/v1/balance")).date).toBe("Wed, 18 Nov 2026 15:00:00 GMT");
    its.moveTo(START.add({ hours: 48 }));
    expect((await its.ask("/v1/balance")).date).toBe("Fri, 20 Nov 2026 15:00:00 GMT");
  });

  test("may be ahead of the sandbox's", async () => {
    const ahead = await walletUnderTest(ANA.apiKey, { skewMs: 120_000 });
    const { date } = await ahead.ask("/v1/balance");
    expect(date).toBe("Wed, 18 Nov 2026 15:02:00 GMT");
  });
});
