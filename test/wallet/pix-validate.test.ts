import { describe, expect, test } from "vitest";

import { hang, reset, startAnsweringServer, type Answer } from "./answering-server.ts";
import {
  API_KEY,
  connectClient,
  connectPatientClient,
  walletErrorOf,
  walletKey,
} from "./wallet-setup.ts";

const setUp = async (...answers: readonly Answer[]) => {
  const server = await startAnsweringServer(...answers);
  const key = walletKey();
  const patient = connectPatientClient(server);
  // Only a silent server is ended by the deadline.
  const isSilent = answers[0] === hang;
  const { client } = isSilent ? patient : connectClient(server.baseUrl);
  const check = async (pixKey: string) => {
    const call = client.checkPixKey(key, pixKey, "interactive");
    const [checked] = await Promise.all([call, isSilent ? patient.pastDeadline() : undefined]);
    return checked;
  };
  return { server, check };
};

const answered = async (status: number, body: unknown) => {
  const { check } = await setUp({ status, body: JSON.stringify(body) });
  return check("ana@loja.example");
};

describe("the check of a PIX key", () => {
  test("asks with the key as it is, by the field that the split withdrawal names", async () => {
    const { server, check } = await setUp({ body: '{"success":true}' });
    await check("+5511900000000");

    expect(server.received).toMatchObject([
      {
        method: "POST",
        path: "/v1/pix/validate",
        headers: { authorization: `Bearer ${API_KEY}`, "content-type": "application/json" },
        body: '{"pixKey":"+5511900000000"}',
      },
    ]);
  });

  test.each([
    [{ success: true, valid: true, name: "Ana" }, true, "Ana"],
    [{ isValid: true, ownerName: "Ana" }, true, "Ana"],
    [{ success: true, data: { valid: true, holderName: "Ana" } }, true, "Ana"],
    [{ success: true, key: { pixKeyOwner: "Ana" } }, undefined, "Ana"],
    [{ success: true, valid: true, owner: { name: "Ana", bank: {} } }, true, "Ana"],
    [{ result: { isValid: false, accountHolder: "  " } }, false, undefined],
    [{ success: true, valid: false }, false, undefined],
    [{ success: true, valid: "true", name: ["Ana"] }, undefined, undefined],
    [{ success: true, data: [{ valid: true }] }, undefined, undefined],
    [{ success: true, data: null, owner: "Ana" }, undefined, "Ana"],
    [{ success: true, pix: { valid: true, owner: "Ana" } }, true, "Ana"],
    [{ success: true, data: { pix: { valid: true, owner: "Ana" } } }, true, "Ana"],
    [{ pix: { valid: false, owner: null } }, false, undefined],
    [{ success: true, is_valid: false }, false, undefined],
    [{ success: true, data: { pix_key: { is_valid: true, owner_name: "Ana" } } }, true, "Ana"],
    [{ success: true }, undefined, undefined],
    [{}, undefined, undefined],
  ])("reads %j as valid: %s, of %s", async (body, valid, holderName) => {
    expect(await answered(200, body)).toMatchObject({ valid, holderName });
  });

  test("reads the bank where it is named", async () => {
    const body = { success: true, data: { valid: true, bankName: "Cooperativa Serra Clara" } };

    expect(await answered(200, body)).toHaveProperty("bankName", "Cooperativa Serra Clara");
  });

  test.each([200, 400, 404, 422])(
    "takes a refusal with %d for a missing key only where it says so",
    async (status) => {
      const said = { success: false, message: "Não.", valid: false };

      expect(await answered(status, said)).toMatchObject({ valid: false, holderName: undefined });
      const silent = await walletErrorOf(answered(status, { success: false }));
      expect(["refused", "invalid_request", "not_found"]).toContain(silent.kind);
    },
  );

  test.each([200, 400, 404, 422])(
    "takes a message with %d for no word on the key: the request itself may be wrong",
    async (status) => {
      const refused = { success: false, message: "Informe o tipo da chave." };
      const error = await walletErrorOf(answered(status, refused));
      expect(["refused", "invalid_request", "not_found"]).toContain(error.kind);
    },
  );

  test.each<readonly [string, Answer, string]>([
    ["a 500", { status: 500 }, "unavailable"],
    ["a 429", { status: 429, body: '{"retryAfter":1}' }, "rate_limited"],
    ["a reset", reset, "unavailable"],
    ["silence", hang, "timeout"],
    ["an array", { body: "[]" }, "malformed"],
    ["markup", { body: "<html>" }, "malformed"],
    ["its own key", { body: JSON.stringify({ success: true, name: API_KEY }) }, "malformed"],
  ])("that meets %s is not repeated, and says so", async (_name, answer, kind) => {
    const { server, check } = await setUp(answer, { body: '{"success":true}' });

    expect((await walletErrorOf(check("ana@loja.example"))).kind).toBe(kind);
    expect(server.received.length).toBe(1);
  });

  test("of one key is never answered with another's, however close together", async () => {
    const { server, check } = await setUp(
      { body: '{"success":true,"name":"Ana"}' },
      { body: '{"success":true,"name":"Bruno"}' },
    );

    expect(await check("ana@loja.example")).toHaveProperty("holderName", "Ana");
    expect(await check("bruno@loja.example")).toHaveProperty("holderName", "Bruno");
    expect(server.received.length).toBe(2);
  });
});
