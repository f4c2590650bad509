import { beforeEach, expect, test } from "vitest";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { START, walletUnderTest, type WalletUnderTest } from "./wallet-support.ts";

let its: WalletUnderTest;
let txid: string;

beforeEach(async () => {
  its = await walletUnderTest(ANA.apiKey);
  txid = its.wallet.sale({ owner: ANA.id, origin: "api", reais: 79.9 });
});

const refund = (body: unknown = { txid }, key = ANA.apiKey) =>
  its.ask("/v1/refund", { method: "POST", body, key });
const statusOf = async (): Promise<string> =>
  (await its.ask(`/v1/transactions/${txid}`)).body.transaction.status;

test("a refund changes the payment's status and takes its net from the balance", async () => {
  const before = its.wallet.availableCents(ANA.id);
  expect((await refund()).body).toMatchObject({ success: true });
  expect(await statusOf()).toBe("refunded");
  expect(its.wallet.availableCents(ANA.id)).toBe(before - 7_511);
  expect(its.wallet.refunds(ANA.id)).toMatchObject([{ txid, times: 1 }]);
});

test("a second refund is a conflict, and the truth counts both requests", async () => {
  await refund();
  expect((await refund()).status).toBe(409);
  expect(its.wallet.refunds(ANA.id)).toMatchObject([{ times: 2 }]);
});

test("a late refund is accepted at once and takes effect later", async () => {
  its.wallet.planNextRefund(ANA.id, { kind: "late", ms: 60_000 });
  expect((await refund()).status).toBe(200);
  expect(await statusOf()).toBe("approved");
  its.moveTo(START.add({ minutes: 1 }));
  expect(await statusOf()).toBe("refunded");
});

test("a planned refusal is answered once, and a cancelled plan is not", async () => {
  its.wallet.planNextRefund(ANA.id, { kind: "refuse", message: "Prazo encerrado" });
  expect((await refund()).body).toEqual({ success: false, message: "Prazo encerrado" });
  its.wallet.planNextRefund(ANA.id, { kind: "refuse", message: "Prazo encerrado" });
  its.wallet.planNextRefund(ANA.id, undefined);
  expect((await refund()).status).toBe(200);
});

test("a refund in the dashboard is seen by the API", async () => {
  its.wallet.dashboardRefund(ANA.id, txid);
  expect(await statusOf()).toBe("refunded");
});

test.each([
  ["somebody else's payment", () => refund({ txid }, BRUNO.apiKey), 404],
  ["no payment", () => refund({ txid: "nada" }), 404],
  ["a body without a txid", () => refund({}), 404],
])("%s is refused", async (_, ask, status) => {
  expect((await ask()).status).toBe(status);
  expect(its.wallet.refunds(ANA.id)).toEqual([]);
});
