import { beforeEach, describe, expect, test } from "vitest";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { START, walletUnderTest, type WalletUnderTest } from "./wallet-support.ts";

const PIX_KEY = "financeiro@lojaaurora.example";
const RICH = { userId: "1180000000000000777", apiKey: "sk_sandbox_rica", balance: 50_000 };

let its: WalletUnderTest;

beforeEach(async () => {
  its = await walletUnderTest(ANA.apiKey);
});

const post = (path: string, body: unknown, key = ANA.apiKey) =>
  its.ask(path, { method: "POST", body, key });
const withdraw = (asked: Readonly<Record<string, unknown>> = {}, key?: string) =>
  post("/v1/withdraw", { amount: 50, pixKey: PIX_KEY, turbo: true, ...asked }, key);
const available = async (key = ANA.apiKey): Promise<number> =>
  (await its.ask("/v1/balance", { key })).body.balance.available;
const statusOf = async (txid: string): Promise<string> =>
  (await its.ask(`/v1/withdrawals/${txid}`)).body.withdrawal.status;

describe("a withdrawal", () => {
  test.each([ANA, BRUNO])("is possible at once for $displayName", async ({ apiKey }) => {
    expect((await withdraw({}, apiKey)).status).toBe(200);
  });

  test("by turbo starts processing, lowers the balance at once and is paid seconds later", async () => {
    const before = await available();
    const { body } = await withdraw({ amount: 100.5 });
    expect(body).toMatchObject({
      success: true,
      withdrawal: {
        amount: 100.5,
        fee: 3.5,
        netAmount: 97,
        isTurbo: true,
        status: "processing",
        pixKeyOwner: "Titular do sandbox",
      },
    });
    expect(await available()).toBeCloseTo(before - 100.5, 6);
    its.moveTo(START.add({ seconds: 7 }));
    expect(await statusOf(body.withdrawal.txid)).toBe("completed");
  });

  test("by the normal way waits a day, is processed for a while, then paid", async () => {
    const { txid, status, fee, estimatedProcessingAt } = (await withdraw({ turbo: false })).body
      .withdrawal;
    expect({ status, fee }).toEqual({ status: "scheduled", fee: 0.5 });
    expect(estimatedProcessingAt).toBe(START.add({ hours: 24 }).epochMilliseconds);
    its.moveTo(START.add({ hours: 24, seconds: 30 }));
    expect(await statusOf(txid)).toBe("processing");
    its.moveTo(START.add({ hours: 24, seconds: 91 }));
    expect(await statusOf(txid)).toBe("completed");
  });

  test("that is made to fail says why and returns its value, once", async () => {
    const before = await available();
    its.wallet.failNextWithdrawal(ANA.id, { reason: "Conta encerrada.", code: "ACCOUNT_CLOSED" });
    const { txid } = (await withdraw()).body.withdrawal;
    its.moveTo(START.add({ seconds: 7 }));
    const { body } = await its.ask(`/v1/withdrawals/${txid}`);
    expect(body.withdrawal).toMatchObject({
      status: "failed",
      failReason: "Conta encerrada.",
      metadata: { error_code: "ACCOUNT_CLOSED" },
    });
    expect(await available()).toBeCloseTo(before, 6);
    const second = (await withdraw()).body.withdrawal;
    its.moveTo(START.add({ seconds: 20 }));
    expect(await statusOf(second.txid)).toBe("completed");
  });

  test.each([[9.99], [0], [-50], [10.005], ["50"], [null], [2_480.36]])(
    "of %s is refused and moves nothing",
    async (amount) => {
      const { status, body } = await withdraw({ amount });
      expect([status, body.success]).toEqual([400, false]);
      expect(its.wallet.executed(ANA.id)).toEqual([]);
    },
  );

  test.each([[10], [2_480.35]])("of %s is accepted", async (amount) => {
    expect((await withdraw({ amount })).body.withdrawal.amount).toBe(amount);
  });

  test("to something that is no key is refused", async () => {
    expect((await withdraw({ pixKey: "?" })).status).toBe(400);
  });

  test("without a speed goes by turbo", async () => {
    expect((await withdraw({ turbo: undefined })).body.withdrawal.feeType).toBe("turbo");
  });
});

describe("the limits", () => {
  test("one that is scheduled keeps another from being asked for, split or not", async () => {
    await withdraw({ turbo: false });
    expect((await withdraw()).status).toBe(409);
    const split = { recipientUserId: BRUNO.id, pixKey: PIX_KEY, turbo: true };
    expect((await post("/v1/split/withdraw", split)).status).toBe(409);
  });

  test("a second one in 24 hours is refused, unless the first was cancelled", async () => {
    await withdraw();
    its.moveTo(START.add({ minutes: 5 }));
    expect((await withdraw()).status).toBe(403);
    its.moveTo(START.add({ hours: 24 }));
    const { txid } = (await withdraw({ turbo: false })).body.withdrawal;
    await post("/v1/withdraw/cancel", { txid });
    its.moveTo(START.add({ hours: 24, minutes: 1 }));
    expect((await withdraw()).status).toBe(200);
  });

  test.each([
    ["2026-11-18T22:59:00Z", 10_000, 10_000.01],
    ["2026-11-18T23:00:00Z", 3_000, 3_000.01],
    ["2026-11-19T08:59:00Z", 3_000, 3_000.01],
    ["2026-11-19T09:00:00Z", 10_000, 10_000.01],
  ])("at %s %d is allowed and %d is not", async (at, most, more) => {
    its.wallet.open(RICH);
    its.moveTo(Temporal.Instant.from(at));
    expect((await withdraw({ amount: more }, RICH.apiKey)).status).toBe(403);
    expect((await withdraw({ amount: most }, RICH.apiKey)).status).toBe(200);
  });

  test("can be lifted, so that a withdrawal asked for twice is seen to be made twice", async () => {
    its.wallet.settings.withdrawalLimits = false;
    await withdraw();
    await withdraw();
    expect(its.wallet.executed(ANA.id)).toHaveLength(2);
  });

  test("the fourth request of a minute is answered with 429, a cancellation is not", async () => {
    for (let i = 0; i < 3; i++) await withdraw({ pixKey: "?" });
    expect((await withdraw()).status).toBe(429);
    expect((await post("/v1/withdraw/cancel", { txid: "none" })).status).toBe(404);
    its.moveTo(START.add({ seconds: 60 }));
    expect((await withdraw()).status).toBe(200);
  });
});

describe("a cancellation", () => {
  test("of a scheduled withdrawal returns the value and keeps it from being paid", async () => {
    const before = await available();
    const { txid } = (await withdraw({ turbo: false })).body.withdrawal;
    const { status, body } = await post("/v1/withdraw/cancel", { txid });
    expect([status, body.success]).toEqual([200, true]);
    expect(await available()).toBeCloseTo(before, 6);
    its.moveTo(START.add({ hours: 30 }));
    expect(await statusOf(txid)).toBe("cancelled");
  });

  test("of a split withdrawal returns the value to the split balance", async () => {
    const split = { recipientUserId: BRUNO.id, pixKey: PIX_KEY, turbo: false };
    const { txid } = (await post("/v1/split/withdraw", split)).body.withdrawal;
    const before = await available();
    await post("/v1/withdraw/cancel", { txid });
    expect(await available()).toBe(before);
    const again = await post("/v1/split/withdraw", split);
    expect(again.body.withdrawal.previousSplitBalance).toBe(1250.8);
  });

  test("of one on its way, a second time, or of another account is refused", async () => {
    const { txid } = (await withdraw()).body.withdrawal;
    expect((await post("/v1/withdraw/cancel", { txid })).status).toBe(409);
    const theirs = (await withdraw({ turbo: false }, BRUNO.apiKey)).body.withdrawal.txid;
    expect((await post("/v1/withdraw/cancel", { txid: theirs })).status).toBe(404);
    expect((await post("/v1/withdraw/cancel", { txid: theirs }, BRUNO.apiKey)).status).toBe(200);
    expect((await post("/v1/withdraw/cancel", { txid: theirs }, BRUNO.apiKey)).status).toBe(409);
  });
});
