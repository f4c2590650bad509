import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { requestIdOf } from "#src/wallet/request-id.ts";
import { type Answer, startAnsweringServer } from "./answering-server.ts";
import { connectClient, DAY, fixture, walletKey } from "./wallet-setup.ts";

const KEY = "sk_live_9f+/a77c=20b";

describe("the request id of an answer", () => {
  test.each(["req_123", "0b5c9d1e-5c1f-4c55-8a2e-6a6a5d0a7c11", "1-67e-abc=", "a"])(
    "%s is kept",
    (id) => {
      expect(requestIdOf(id, KEY)).toBe(id);
    },
  );

  test.each([undefined, "", "a b", "<b>", "[a](http://x)", "@everyone", "é", "x".repeat(129)])(
    "%j counts as missing",
    (id) => {
      expect(requestIdOf(id, KEY)).toBeUndefined();
    },
  );

  test("counts as missing when it repeats the API key, in whatever encoding", () => {
    const encode = fc.constantFrom(
      (key: string) => key,
      encodeURIComponent,
      (key: string) => Buffer.from(key).toString("base64"),
      (key: string) => Buffer.from(key).toString("base64url"),
      (key: string) => Buffer.from(key).toString("hex"),
      (key: string) => Buffer.from(key).toString("hex").toUpperCase(),
    );
    const key = fc.stringMatching(/^[\w.+/=-]{8,30}$/);
    const around = fc.stringMatching(/^[a-z0-9]{0,8}$/);

    fc.assert(
      fc.property(key, encode, around, around, (secret, encodeWith, before, after) => {
        expect(requestIdOf(before + encodeWith(secret) + after, secret)).toBeUndefined();
      }),
    );
  });
});

describe("rule 12: the log", () => {
  const linesOf = async (...answers: readonly Answer[]) => {
    const server = await startAnsweringServer(...answers);
    const { client, logged } = connectClient(server.baseUrl, { retryBaseMs: 0 });
    await client.salesReport(walletKey(), DAY, "interactive");
    return logged()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const report = fixture("sales-report");
  const id = (requestId: string) => ({ headers: { "x-request-id": requestId } });

  test("names the request id of each answer, at a level that is on by default", async () => {
    const lines = await linesOf({ status: 500, ...id("req_1") }, { body: report, ...id("req_2") });
    expect(lines).toMatchObject([
      { level: 40, requestId: "req_1", status: 500 },
      { level: 30, requestId: "req_2", status: 200, route: "/v1/sales/report" },
    ]);
  });

  test("goes on without one, and says nothing of amounts in centavos", async () => {
    const [line] = await linesOf({ body: report, ...id("") });
    expect(line).toMatchObject({ level: 30, status: 200 });
    expect(line).not.toHaveProperty("requestId");
    expect(line).not.toHaveProperty("rounded");
  });

  test("rule 13: notes that an amount was finer than centavos and was rounded", async () => {
    const fine = report.replace(/("totalSales":\s*)[\d.]+/, "$157.144");
    expect(fine).not.toBe(report);
    expect(await linesOf({ body: fine })).toMatchObject([{ level: 30, rounded: true }]);
  });
});
