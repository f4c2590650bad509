import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clockSkewMs, requestIdOf, retryAfterOf } from "#src/wallet/headers.ts";
import { MINUTE, SECOND } from "#src/shared/time.ts";
import { type Answer } from "./answering-server.ts";
import { connectTo, DAY, fixture, walletErrorOf, walletKey } from "./wallet-setup.ts";

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
    const { client, logged } = await connectTo(...answers);
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
      { level: 30, requestId: "req_1", status: 500 },
      { level: 30, requestId: "req_2", status: 200, route: "/v1/sales/report" },
    ]);
  });

  test("goes on without one, and says nothing of amounts in centavos", async () => {
    const [line] = await linesOf({ body: report, ...id("") });
    expect(line).toMatchObject({ level: 30, status: 200 });
    expect(line).not.toHaveProperty("requestId");
    expect(line).not.toHaveProperty("rounded");
  });

  test("has a reference where a failed answer has no request id, and the error has the same", async () => {
    const { client, logged } = await connectTo({ status: 404, ...id("") });
    const error = await walletErrorOf(client.salesReport(walletKey(), DAY, "interactive"));
    expect(error).toMatchObject({ requestId: undefined, reference: expect.any(String) });
    expect(JSON.parse(logged())).toMatchObject({ level: 40, reference: error.reference });
  });

  test("rule 13: notes that an amount was finer than centavos and was rounded", async () => {
    const fine = report.replace(/("totalSales":\s*)[\d.]+/, "$157.144");
    expect(fine).not.toBe(report);
    expect(await linesOf({ body: fine })).toMatchObject([{ level: 30, rounded: true }]);
  });
});

const OURS = Temporal.Instant.from("2025-03-14T13:05:10Z").epochMilliseconds;

test.each([
  ["Fri, 14 Mar 2025 13:05:20 GMT", 10_500],
  ["Fri, 14 Mar 2025 13:05:09 GMT", -500],
  ["Fri, 14 Mar 2025 10:05:10 GMT", -3 * 3_600_000 + 500],
  [undefined, undefined],
  ["", undefined],
  ["soon", undefined],
  ["2025-03-14T13:05:20Z", undefined],
  ["14/03/2025", undefined],
  ["Fri, 99 Mar 2025 13:05:20 GMT", undefined],
  ["1741957520", undefined],
])("the clock of a service that dates its answer %j is %j ms ahead of ours", (date, skewMs) => {
  expect(clockSkewMs(date, OURS)).toBe(skewMs);
});

const DATE = "Fri, 14 Mar 2025 10:00:00 GMT";

const wait = (body: unknown, retryAfter?: string, date?: string, fraction = 0) =>
  retryAfterOf(
    {
      complete: true,
      status: 429,
      headers: { "retry-after": retryAfter, date },
      body: JSON.stringify(body) ?? "",
    },
    fraction,
  );

describe("the wait after a 429", () => {
  test.each([
    [30, 30 * SECOND],
    ["30", 30 * SECOND],
    [1.5, 1.5 * SECOND],
    [120, 120 * SECOND],
    [600, 600 * SECOND],
    [1_001, 1_001],
    [30_000, 30 * SECOND],
    ["45000", 45 * SECOND],
    [0, SECOND],
    [0.2, SECOND],
    [1_741_957_522_418, 15 * MINUTE],
  ])("for a retryAfter of %j in the body is %d ms", (retryAfter, ms) => {
    expect(wait({ retryAfter })).toBe(ms);
  });

  test.each([
    ["missing", {}],
    ["null", { retryAfter: null }],
    ["negative", { retryAfter: -5 }],
    ["a word", { retryAfter: "soon" }],
    ["an object", { retryAfter: { seconds: 3 } }],
    ["in no JSON object", undefined],
  ])("is the quota's own minute when the figure is %s", (_name, body) => {
    expect(wait(body)).toBe(MINUTE);
  });

  test("follows the header before the body", () => {
    expect(wait({ retryAfter: 300 }, "7")).toBe(7 * SECOND);
  });

  test("follows a date in the header by the service's own clock", () => {
    expect(wait({}, "Fri, 14 Mar 2025 10:00:40 GMT", DATE)).toBe(40 * SECOND);
  });

  test("is no shorter than a second for a date in the past", () => {
    expect(wait({}, "Fri, 14 Mar 2025 09:59:00 GMT", DATE)).toBe(SECOND);
  });

  test("passes over a header that says nothing", () => {
    expect(wait({ retryAfter: 5 }, "later")).toBe(5 * SECOND);
    expect(wait({ retryAfter: 5 }, "-1", DATE)).toBe(5 * SECOND);
    expect(wait({ retryAfter: 5 }, "Fri, 14 Mar 2025 10:00:40 GMT")).toBe(5 * SECOND);
  });

  test("is at most a tenth longer than asked, never shorter, within a second and 15 minutes", () => {
    const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const figure = fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.nat());

    fc.assert(
      fc.property(figure, fraction, (retryAfter, chance) => {
        const asked = wait({ retryAfter });
        const given = wait({ retryAfter }, undefined, undefined, chance);
        expect(given).toBeGreaterThanOrEqual(asked);
        expect(given).toBeLessThanOrEqual(Math.ceil(asked * 1.1));
        expect(asked).toBeGreaterThanOrEqual(SECOND);
        expect(asked).toBeLessThanOrEqual(15 * MINUTE);
      }),
    );
  });
});
