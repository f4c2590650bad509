import { beforeEach, expect, test } from "vitest";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { START, walletUnderTest, type WalletUnderTest } from "./wallet-support.ts";

let its: WalletUnderTest;

beforeEach(async () => {
  its = await walletUnderTest(ANA.apiKey);
});

const create = (body: unknown = { amount: 79.9, description: "Plano VIP" }) =>
  its.ask("/v1/payment/create", { method: "POST", body });
const status = async (txid: string) =>
  (await its.ask(`/v1/payment/status/${txid}`)).body.payment.status;
const detail = async (txid: string) => (await its.ask(`/v1/transactions/${txid}`)).body.transaction;
const available = async () => (await its.ask("/v1/balance")).body.balance.available;

/** CRC-16/CCITT-FALSE, written from the Banco Central's manual and not by the library. */
const crcOf = (text: string): string => {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
};

test("a charge has a BR Code with a right CRC, and is pending until a payer pays it, once", async () => {
  const before = await available();
  const { payment } = (await create()).body;
  const code: string = payment.pixCopyPaste;
  expect(code.slice(0, 6)).toBe("000201");
  expect(code.slice(-4)).toBe(crcOf(code.slice(0, -4)));
  expect(payment).toMatchObject({ status: "pending", amount: 79.9, fee: 4.79, netAmount: 75.11 });
  expect(await detail(payment.txid)).toMatchObject({
    type: "payment",
    status: "pending",
    metadata: { description: "Plano VIP" },
  });
  expect(await detail(payment.txid)).not.toHaveProperty("payer");
  expect(await available()).toBe(before);

  expect(its.wallet.payCharge(ANA.id, payment.txid)).toBe("done");
  expect(its.wallet.payCharge(ANA.id, payment.txid)).toBe("refused");
  expect(its.wallet.expireCharge(ANA.id, payment.txid)).toBe("refused");
  expect(await status(payment.txid)).toBe("approved");
  expect((await detail(payment.txid)).status).toBe("approved");
  expect(await available()).toBeCloseTo(before + 75.11, 6);
});

test("a charge expires after half an hour, and the detail has no word for it", async () => {
  const { txid } = (await create()).body.payment;
  its.moveTo(START.add({ minutes: 30 }));
  expect(await status(txid)).toBe("expired");
  expect((await detail(txid)).status).toBe("pending");
  expect(its.wallet.payCharge(ANA.id, txid)).toBe("refused");
});

test.each([
  {},
  { amount: 10 },
  { amount: 10, description: " " },
  { amount: 0, description: "x" },
  { amount: -1, description: "x" },
  { amount: 0.001, description: "x" },
  { amount: "10", description: "x" },
  { amount: 10, description: "x".repeat(5_000) },
])("refuses %j", async (body) => {
  expect((await create(body)).status).toBe(400);
  expect(its.wallet.charges(ANA.id)).toEqual([]);
});

test("a charge of another account is not found", async () => {
  const { txid } = (await create()).body.payment;
  const asked = await its.ask(`/v1/payment/status/${txid}`, { key: BRUNO.apiKey });
  expect(asked.status).toBe(404);
});
