import { describe, expect, test } from "vitest";

import { startAnsweringServer } from "./answering-server.ts";
import { calls, kindOf } from "./calls.ts";
import { connectClient, walletKey } from "./wallet-setup.ts";

const outcome = async (status: number, body: unknown) => {
  const server = await startAnsweringServer({ status, body: JSON.stringify(body) });
  const { client } = connectClient(server.baseUrl, { retryBaseMs: 0 });
  const call = calls.balance(client, walletKey());
  const kind = await kindOf(call);
  return kind === "value" ? await call : kind;
};

describe("a balance", () => {
  test.each([
    [1_834.72, 183_472],
    [0, 0],
    [-12.5, -1_250],
    ["1834.72", 183_472],
    ["1834,7", 183_470],
    ["10", 1_000],
    ["-0.05", -5],
    ["-0", 0],
    // Rule 13: a third decimal is rounded, once.
    [57.144, 5_714],
    [10.005, 1_001],
  ])("of %j is %d centavos", async (available, amount) => {
    expect(await outcome(200, { success: true, balance: { available } })).toEqual({
      available: amount,
    });
  });

  test.each([1e12, "10.005", "1.834,72", "R$ 10,00", "", " 10", "1e3", null, true, {}])(
    "of %j is none that can be shown",
    async (available) => {
      expect(await outcome(200, { success: true, balance: { available } })).toBe("malformed");
    },
  );

  test("is read without `success`, which the document does not show here", async () => {
    expect(await outcome(200, { balance: { available: 5 } })).toEqual({ available: 500 });
  });

  test.each([
    [200, { success: false, message: "Não.", balance: { available: 5 } }, "refused"],
    [200, { success: "true", balance: { available: 5 } }, "malformed"],
    [200, { error: "Not Found", message: "Não.", balance: { available: 5 } }, "not_found"],
    [200, { available: 5 }, "malformed"],
    [200, [{ balance: { available: 5 } }], "malformed"],
    [404, { error: "Not Found", message: "Não." }, "not_found"],
    [500, { balance: { available: 5 } }, "unavailable"],
  ])("with %d is not taken from %j: %s", async (status, body, kind) => {
    expect(await outcome(status, body)).toBe(kind);
  });
});
