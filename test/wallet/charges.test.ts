import { generatePixPayload } from "@brazilian-utils/brazilian-utils/generate-pix-payload";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cents } from "#src/shared/money.ts";
import { charge } from "#src/wallet/charges.ts";
import { camelKeys } from "#src/wallet/undocumented-list.ts";
import { type Answer } from "./answering-server.ts";
import { connectTo, API_KEY, walletErrorOf, walletKey } from "./wallet-setup.ts";

const REQUEST = { amount: cents(7_990), description: "Plano VIP mensal" };
/** The example of the Banco Central's manual, with its own CRC. */
const MANUAL =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000" +
  "5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
const asking = (amount: number): string =>
  generatePixPayload({
    key: "123e4567-e12b-12d1-a456-426655440000",
    merchantName: "Loja",
    merchantCity: "Recife",
    amount,
  }) ?? "";

/** Codes with an address, which the library makes without an amount, each with its own CRC. */
const addressed = (amount: string, crc: string): string =>
  "00020101021226420014br.gov.bcb.pix2520pix.example/qr/v2/c1520400005303986" +
  `${amount}5802BR5904Loja6006Recife62070503***6304${crc}`;

const created = async (body: unknown, request = REQUEST) => {
  const { client } = await connectTo({ body: JSON.stringify(body) });
  const answer = await client.createCharge(walletKey(), request);
  return answer.state === "accepted" ? answer.value : answer;
};

describe("the creation of a charge", () => {
  test("sends the amount in reais with its description, once", async () => {
    const { server, client } = await connectTo({ body: '{"success":true,"txid":"c1"}' });
    await client.createCharge(walletKey(), REQUEST);

    expect(server.received).toMatchObject([
      {
        method: "POST",
        path: "/v1/payment/create",
        headers: { authorization: `Bearer ${API_KEY}`, "content-type": "application/json" },
        body: '{"amount":79.9,"description":"Plano VIP mensal"}',
      },
    ]);
  });

  test.each<readonly [string, unknown]>([
    [
      "at the root",
      { success: true, txid: "c1", pixCopyPaste: MANUAL, fee: 4.79, netAmount: 75.11 },
    ],
    [
      "in an envelope",
      { success: true, payment: { txid: "c1", qrCode: MANUAL, fee: 4.79, netAmount: 75.11 } },
    ],
    ["without success", { data: { tx_id: "c1", brcode: MANUAL, fee: 4.79, net_amount: 75.11 } }],
    [
      "with amounts as text",
      { success: true, txId: "c1", emv: MANUAL, amount: "79.90", fee: "4.79", net: "75,11" },
    ],
    [
      "with the code deep inside, within other text",
      {
        success: true,
        transactionId: "c1",
        fee: 4.79,
        netAmount: 75.11,
        pix: { qr: { image: "data:image/png;base64,AAAA", text: `PIX: ${MANUAL} (copie)` } },
      },
    ],
    [
      "with unknown fields, a list and the description again",
      {
        success: true,
        novidade: [{ x: 1 }, null],
        description: "Plano VIP mensal",
        charges: [{ id: "c1", copyPaste: MANUAL, fee: 4.79, netValue: 75.11 }],
      },
    ],
  ])("is read %s", async (_, body) => {
    expect(await created(body)).toMatchObject({
      txid: "c1",
      code: MANUAL,
      fee: 479,
      net: 7_511,
      problem: undefined,
    });
  });

  test.each([
    ["no code", { success: true, txid: "c1" }, { txid: "c1", problem: "no_code" }],
    ["no txid", { success: true, code: MANUAL }, { txid: undefined, code: MANUAL }],
    ["nothing", { success: true }, { txid: undefined, code: undefined, problem: "no_code" }],
    [
      "a code with a broken CRC",
      { success: true, txid: "c1", code: MANUAL.replace("1D3D", "1D3E") },
      { code: undefined, problem: "broken_code" },
    ],
    [
      "a code of another amount",
      { success: true, txid: "c1", code: asking(7.99) },
      { code: undefined, problem: "other_amount" },
    ],
    ["a code of the amount", { success: true, code: asking(79.9) }, { code: asking(79.9) }],
    [
      "a code with an address and a hundredfold amount",
      { success: true, txid: "c1", amount: 7_990, code: addressed("54077990.00", "EA43") },
      { code: undefined, problem: "other_amount" },
    ],
    [
      "a code with an address and the amount",
      { success: true, code: addressed("540579.90", "2FBD") },
      { code: addressed("540579.90", "2FBD") },
    ],
    [
      "a code with an address and no amount",
      { success: true, code: addressed("", "81BC") },
      { code: addressed("", "81BC") },
    ],
    [
      "a code with an address and zero in place of an amount",
      { success: true, code: addressed("54040.00", "CA1C") },
      { code: addressed("54040.00", "CA1C") },
    ],
    [
      "another amount",
      { success: true, txid: "c1", amount: 7.99, code: MANUAL },
      { code: undefined, problem: "other_amount" },
    ],
    [
      "the amount in centavos",
      { success: true, txid: "c1", amount: 7_990, fee: 479, code: MANUAL },
      { code: MANUAL, fee: undefined },
    ],
    [
      "two codes",
      { success: true, txid: "c1", a: MANUAL, b: asking(79.9) },
      { code: undefined, problem: "several_codes" },
    ],
    [
      "more beginnings and ends of codes than can be judged",
      { success: true, txid: "c1", code: "0002016304ABCD".repeat(70_000) },
      { code: undefined, problem: "several_codes" },
    ],
    [
      "a name of a million underscores",
      { success: true, tx_id: "c1", code: MANUAL, [`${"_".repeat(1_000_000)}!`]: 1 },
      { txid: "c1", code: MANUAL },
    ],
    [
      "an id of something else",
      { success: true, customer: { id: "9" }, charge: { reference: "abc" } },
      { txid: undefined, problem: "no_code" },
    ],
    [
      "an id beside the amount",
      { success: true, customer: { id: "9" }, charge: { id: "c1", amount: 79.9 } },
      { txid: "c1" },
    ],
    ["a txid as a number", { success: true, id: 71_204 }, { txid: "71204" }],
    ["a time of expiry", { success: true, txid: "c", expires_at: "2025-03-14T13:35:00Z" }, {}],
  ])("with %s is accepted for what it shows", async (_, body, shown) => {
    expect(await created(body)).toMatchObject(shown);
  });

  test("never takes a code out of the description, which the answer may repeat", async () => {
    const request = { ...REQUEST, description: `Pague aqui: ${MANUAL}` };
    expect(
      await created({ success: true, txid: "c1", description: request.description }, request),
    ).toMatchObject({ code: undefined, problem: "no_code" });
  });

  test.each([
    ["an error and a plain id", '{"error":"Não.","id":"req_81f2"}'],
    ["neither success nor a charge", '{"ok":1}'],
    ["a charge without success", '{"success":false,"txid":"c1","amount":79.9}'],
  ])("that meets %s is never repeated", async (_, body) => {
    const { server, client } = await connectTo({ body }, { body: '{"success":true,"txid":"c1"}' });

    expect(await client.createCharge(walletKey(), REQUEST)).toHaveProperty("state", "unknown");
    expect(server.received).toHaveLength(1);
  });

  test.each([0, -1, 0.5, Number.MAX_SAFE_INTEGER])(
    "of %d centavos is not sent, nor one without a description",
    async (amount) => {
      expect(charge({ ...REQUEST, amount: amount as never }).body).toBeUndefined();
      expect(charge({ ...REQUEST, description: " " }).body).toBeUndefined();
    },
  );

  test("writes each amount in reais so that it reads as the same centavos", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e13 }), (amount) => {
        const sent: unknown = JSON.parse(charge({ ...REQUEST, amount: cents(amount) }).body ?? "");
        const reais = (sent as { readonly amount: number }).amount;
        expect(Math.round(reais * 100)).toBe(amount);
      }),
    );
  });

  test("reads a huge answer within bounds", () => {
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f_${n}`, "x"]));
    expect(camelKeys(wide)).toBe(wide);
    let deep: object = { txid: "c1", code: MANUAL };
    for (let level = 0; level < 1_000; level++) deep = { deep };
    const { read } = charge(REQUEST).accepted;
    expect(read({ success: true, ...wide, deep })).toMatchObject({
      ok: true,
      value: { txid: undefined, problem: "no_code" },
    });
  });
});

describe("the quick look at a charge", () => {
  const looked = async (...answers: readonly Answer[]) => {
    const { client } = await connectTo(...answers);
    return client.chargeStatus(walletKey(), "c1", REQUEST, "interactive");
  };

  test.each([
    [{ success: true, status: "APPROVED" }, "approved"],
    [{ success: true, payment: { status: "pending" } }, "pending"],
    [{ data: { payment_status: "expired" } }, "expired"],
    [{ success: true, payment: { state: "Novo" } }, "novo"],
    [{ success: true, status: 200, payment: { status: "pending" } }, "pending"],
    [{ success: true }, undefined],
  ])("reads %j as %s", async (body, status) => {
    expect(await looked({ body: JSON.stringify(body) })).toHaveProperty("status", status);
  });

  test("finds the code that a lost answer had", async () => {
    expect(await looked({ body: JSON.stringify({ success: true, pix: MANUAL }) })).toHaveProperty(
      "code",
      MANUAL,
    );
  });

  test("brings no code beside another amount, as the answer before it had none", async () => {
    const body = { success: true, payment: { txid: "c1", amount: 7.99, pix: MANUAL } };
    expect(await created(body)).toMatchObject({ code: undefined, problem: "other_amount" });
    expect(await looked({ body: JSON.stringify(body) })).toHaveProperty("code", undefined);
  });

  test("of an unknown charge is a missing one", async () => {
    const body = '{"error":"Not Found","message":"x"}';
    expect((await walletErrorOf(looked({ status: 404, body }))).kind).toBe("not_found");
  });
});
