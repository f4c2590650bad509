import { beforeEach, expect, test } from "vitest";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { START, walletUnderTest, type WalletUnderTest } from "./wallet-support.ts";

const PIX_KEY = "financeiro@lojaaurora.example";

let its: WalletUnderTest;

beforeEach(async () => {
  its = await walletUnderTest(ANA.apiKey);
});

const withdraw = (body: unknown, key = ANA.apiKey) =>
  its.ask("/v1/split/withdraw", { method: "POST", body, key });

test("turbo is the default, starts processing and is completed seconds later", async () => {
  const { status, body } = await withdraw({ recipientUserId: BRUNO.id, pixKey: PIX_KEY });
  expect(status).toBe(200);
  expect(body.withdrawal).toMatchObject({
    amount: 1250.8,
    fee: 3.5,
    netAmount: 1247.3,
    feeType: "turbo",
    status: "processing",
    previousSplitBalance: 1250.8,
    newSplitBalance: 0,
    splitRecipientUserId: BRUNO.id,
  });
  expect(body.withdrawal).toHaveProperty("providerId");
  expect(body.withdrawal).not.toHaveProperty("requestedAt");
  its.moveTo(START.add({ seconds: 10 }));
  const detail = await its.ask(`/v1/withdrawals/${body.withdrawal.txid}`);
  expect(detail.body.withdrawal.status).toBe("completed");
});

test("normal is scheduled for a day later and has no provider id", async () => {
  const { body } = await withdraw({ recipientUserId: BRUNO.id, pixKey: PIX_KEY, turbo: false });
  expect(body.withdrawal).toMatchObject({
    status: "scheduled",
    fee: 0.5,
    requestedAt: START.epochMilliseconds,
    estimatedProcessingAt: START.add({ hours: 24 }).epochMilliseconds,
  });
  expect(body.withdrawal).not.toHaveProperty("providerId");
});

test("split not enabled comes before a bad recipient", async () => {
  const { status, body } = await withdraw({ recipientUserId: "1" }, BRUNO.apiKey);
  expect(status).toBe(403);
  expect(body).toEqual({ success: false, message: expect.stringContaining("split") });
});

test.each([["1"], [ANA.id], [12345678901234]])(
  "the recipient %s is refused",
  async (recipientUserId) => {
    const { status, body } = await withdraw({ recipientUserId, pixKey: PIX_KEY });
    expect([status, body.success]).toEqual([400, false]);
  },
);

test("a balance below the minimum is refused with its details, before the key is looked at", async () => {
  const recipientUserId = "10482937561120948736";
  const { body } = await withdraw({ recipientUserId, pixKey: "?" });
  expect(body.details).toEqual({
    recipientUserId,
    availableSplitBalance: "0.00",
    minimumWithdrawal: "10.00",
  });
});

test("a bad key moves nothing", async () => {
  expect((await withdraw({ recipientUserId: BRUNO.id, pixKey: "?" })).status).toBe(400);
  expect((await withdraw({ recipientUserId: BRUNO.id, pixKey: PIX_KEY })).status).toBe(200);
});

test("a second one is a conflict while the first is pending, and over the limit for 24 hours", async () => {
  its.wallet.open({
    userId: "1180000000000000778",
    apiKey: "sk_sandbox_dois",
    splitEnabled: true,
    splitBalances: { [ANA.id]: 10, [BRUNO.id]: 10 },
  });
  const ask = (recipientUserId: string) =>
    withdraw({ recipientUserId, pixKey: PIX_KEY }, "sk_sandbox_dois");
  expect((await ask(ANA.id)).body.withdrawal.netAmount).toBe(6.5);
  expect((await ask(BRUNO.id)).status).toBe(409);
  its.moveTo(START.add({ minutes: 5 }));
  expect((await ask(BRUNO.id)).status).toBe(403);
  its.moveTo(START.add({ hours: 24, seconds: 1 }));
  expect((await ask(BRUNO.id)).status).toBe(200);
});

test("the fourth request of a minute is answered with 429, reads are not", async () => {
  for (let i = 0; i < 3; i++) await withdraw({ recipientUserId: "1" });
  const refused = await withdraw({ recipientUserId: BRUNO.id, pixKey: PIX_KEY });
  expect(refused.status).toBe(429);
  expect(refused.body.retryAfter).toBeGreaterThan(0);
  expect((await its.ask("/v1/meds/summary")).status).toBe(200);
});

test("malformed JSON is a bad request", async () => {
  expect((await withdraw('{"recipientUserId":')).status).toBe(400);
});
