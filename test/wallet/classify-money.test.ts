import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { acceptedWithdrawal } from "#src/wallet/withdraw.ts";
import type { HttpFailure } from "#src/wallet/http.ts";
import { classifyMoney } from "#src/wallet/classify-money.ts";
import { fixture } from "./wallet-setup.ts";

const KEY = "sk_sandbox_ana_4f9b27c1d05e";

const GOOD = '{"success":true,"withdrawal":{"txid":"SW1","pixKeyOwner":"Ana","amount":10}}';
const REFUSAL = '{"success":false,"message":"Não."}';
const SHORTFALL = JSON.parse(fixture("split-withdraw.error.insufficient-balance")) as object;
const SHORT = JSON.stringify({ ...SHORTFALL, message: "Não." });
const NAMING = '{"success":false,"message":"Falhou.","withdrawal":{"txid":"SW1"}}';
const NOT_FOUND = '{"error":"Not Found","message":"Não."}';
const HTML = "\n<html><body>502</body></html>";

const verdictOf = (status: number, body: string, headers: Record<string, string> = {}) =>
  classifyMoney({ complete: true, status, headers, body }, acceptedWithdrawal, KEY, 0);

const shortOf = (status: number, body: string): string => {
  const verdict = verdictOf(status, body);
  return verdict.state === "rejected" ? verdict.reason : verdict.state;
};

describe("a whole answer to a request that moves money", () => {
  test.each<readonly [number, string, string]>([
    // 2xx: the body decides, and an unclear body means unknown
    [200, GOOD, "accepted"],
    [201, `\ufeff${GOOD}`, "accepted"],
    [299, GOOD, "accepted"],
    [200, REFUSAL, "refused"],
    [200, SHORT, "insufficient_split_balance"],
    [202, '{"success":false,"message":""}', "refused"],
    [200, '{"success":false,"message":"Não.","withdrawal":null}', "refused"],
    [200, '{"success":false,"message":"Não.","withdrawal":"SW1"}', "refused"],
    [200, '{"success":false}', "unknown"],
    [200, '{"success":false,"message":7}', "unknown"],
    [200, NAMING, "unknown"],
    [200, NOT_FOUND, "unknown"],
    [200, '{"success":true}', "unknown"],
    [200, '{"success":true,"withdrawal":{}}', "unknown"],
    [200, '{"success":true,"withdrawal":{"txid":7}}', "unknown"],
    [200, '{"success":true,"withdrawal":{"txid":""}}', "unknown"],
    [200, '{"success":true,"withdrawal":{"txid":"SW1\\u0000"}}', "unknown"],
    [200, '{"success":"true","withdrawal":{"txid":"SW1"}}', "unknown"],
    [200, '{"success":1,"withdrawal":{"txid":"SW1"}}', "unknown"],
    [200, '{"withdrawal":{"txid":"SW1"}}', "unknown"],
    [200, '{"__proto__":{"success":true},"withdrawal":{"txid":"SW1"}}', "unknown"],
    [200, `[${GOOD}]`, "unknown"],
    [200, "null", "unknown"],
    [200, GOOD.slice(0, -1), "unknown"],
    [200, HTML, "unknown"],
    [204, "", "unknown"],
    // Refusals by their status in the documented envelope
    [400, REFUSAL, "invalid"],
    [401, REFUSAL, "unauthorized"],
    [403, REFUSAL, "forbidden"],
    [404, REFUSAL, "not_found"],
    [413, REFUSAL, "invalid"],
    [415, REFUSAL, "invalid"],
    [422, REFUSAL, "invalid"],
    [429, REFUSAL, "rate_limited"],
    // Other documented bodies, each with its own status
    [404, NOT_FOUND, "not_found"],
    [404, '{"error":"Not Found"}', "unknown"],
    [404, '{"error":"not found","message":"Não."}', "unknown"],
    [404, '{"error":"Not Found","message":7}', "unknown"],
    [404, NOT_FOUND.replace("{", '{"success":true,'), "unknown"],
    [404, SHORT.replace('"success":false', '"error":"Not Found"'), "not_found"],
    [429, '{"retryAfter":30}', "rate_limited"],
    [429, '{"error":"Too Many Requests","retryAfter":"30"}', "rate_limited"],
    [429, '{"success":true,"retryAfter":30}', "unknown"],
    [429, '{"retryAfter":true}', "unknown"],
    [400, '{"retryAfter":30}', "unknown"],
    [429, '{"retryAfter":30,"withdrawal":{"txid":"SW1"}}', "unknown"],
    [429, '{"error":"Too Many Requests"}', "unknown"],
    ...[400, 403, 404, 410, 422].map(
      (status) => [status, SHORT, "insufficient_split_balance"] as const,
    ),
    [401, SHORT, "unauthorized"],
    [429, SHORT, "rate_limited"],
    // Other 4xx: only in the documented envelope
    ...[402, 405, 406, 410, 411, 418, 423, 424, 426, 428, 431, 451, 499].flatMap((status) => [
      [status, REFUSAL, "refused"] as const,
      [status, NAMING, "unknown"] as const,
      [status, '{"success":false}', "unknown"] as const,
      [status, NOT_FOUND, "unknown"] as const,
      [status, GOOD, "unknown"] as const,
      [status, HTML, "unknown"] as const,
      [status, "", "unknown"] as const,
    ]),
    // "Later", redirects, 5xx and undefined statuses prove neither outcome
    ...[0, 100, 199, 300, 301, 302, 307, 308, 408, 425, 500, 501, 502, 503, 504, 520, 599, 600, 999]
      .flatMap((status) => [REFUSAL, SHORT, GOOD, HTML, ""].map((body) => [status, body] as const))
      .map(([status, body]) => [status, body, "unknown"] as const),
  ])("of %d with %j stands for %s", (status, body, expected) => {
    expect(shortOf(status, body)).toBe(expected);
  });

  test.each(
    [400, 401, 403, 404, 409, 413, 415, 422, 429].flatMap((status) =>
      [HTML, "", "{", "[]", "null", '{"success":false}', '{"error":"no"}', GOOD, NAMING].map(
        (body) => [status, body] as const,
      ),
    ),
  )(
    "S7: of %d with %j is no refusal, whoever wrote it: the withdrawal may have been made",
    (status, body) => {
      expect(shortOf(status, body)).toBe("unknown");
    },
  );

  test.each([REFUSAL, SHORT, NOT_FOUND])(
    "S7: of 409 with %j may speak of the very withdrawal that was asked for",
    (body) => {
      expect(verdictOf(409, body)).toMatchObject({ state: "unknown", httpStatus: 409 });
    },
  );

  test("is accepted only with a 2xx and success === true", () => {
    const said = fc.oneof(fc.boolean(), fc.jsonValue());

    fc.assert(
      fc.property(fc.integer({ min: 100, max: 999 }), said, (status, success) => {
        const body = JSON.stringify({ success, withdrawal: { txid: "SW1" } });
        const accepted = success === true && status >= 200 && status < 300;
        expect(verdictOf(status, body).state === "accepted").toBe(accepted);
      }),
      { examples: [[200, true]] },
    );
  });

  test("is rejected neither as a 5xx nor as a redirect, whatever it says", () => {
    const status = fc.oneof(fc.integer({ min: 300, max: 399 }), fc.integer({ min: 500, max: 599 }));

    fc.assert(
      fc.property(
        status,
        fc.oneof(fc.json(), fc.constantFrom(REFUSAL, SHORT, HTML)),
        (at, body) => {
          expect(verdictOf(at, body)).toEqual({
            state: "unknown",
            errorCode: `HTTP_${at}`,
            httpStatus: at,
            requestId: undefined,
          });
        },
      ),
    );
  });

  test.each([
    [404, NOT_FOUND],
    [429, '{"message":"Não.","retryAfter":30}'],
  ])("keeps the words of a documented %s without the envelope", (status, body) => {
    expect(verdictOf(status, body)).toMatchObject({ state: "rejected", message: "Não." });
  });

  test("keeps what support and the person need", () => {
    const headers = { "x-request-id": "req_7", "retry-after": "30" };

    expect(verdictOf(429, REFUSAL, headers)).toEqual({
      state: "rejected",
      reason: "rate_limited",
      httpStatus: 429,
      requestId: "req_7",
      message: "Não.",
      retryAfterMs: 30_000,
      shortfall: undefined,
    });
    expect(verdictOf(200, SHORT, headers)).toMatchObject({
      requestId: "req_7",
      message: "Não.",
      retryAfterMs: undefined,
      shortfall: { available: 735, minimum: 1_000 },
    });
    expect(verdictOf(202, GOOD, headers)).toMatchObject({ httpStatus: 202, requestId: "req_7" });
    for (const body of [HTML, '{"success":true}', '{"success":false}']) {
      expect(verdictOf(200, body, headers)).toEqual({
        state: "unknown",
        errorCode: "UNREADABLE_ANSWER",
        httpStatus: 200,
        requestId: "req_7",
      });
    }
  });
});

describe("an exchange without a whole answer", () => {
  const failure = (kind: HttpFailure["kind"], code: string, status?: number): HttpFailure => ({
    complete: false,
    kind,
    code,
    status,
    headers: { "x-request-id": "req_7" },
  });
  const verdict = (failed: HttpFailure) => classifyMoney(failed, acceptedWithdrawal, KEY, 0);

  test.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "DEADLINE"])(
    "that never began, by %s, was not sent",
    (errorCode) => {
      expect(verdict(failure("unreachable", errorCode))).toEqual({
        state: "not_sent",
        reason: "unreachable",
        errorCode,
        retryAfterMs: undefined,
      });
    },
  );

  test("that a closed client never began was not sent, for that reason", () => {
    expect(verdict(failure("unreachable", "UND_ERR_CLOSED"))).toMatchObject({
      state: "not_sent",
      reason: "closed",
    });
  });

  test.each([
    ["unavailable", "ECONNRESET", undefined],
    ["unavailable", "UND_ERR_SOCKET", 200],
    ["timeout", "UND_ERR_HEADERS_TIMEOUT", undefined],
    ["timeout", "UND_ERR_BODY_TIMEOUT", 200],
    ["timeout", "DEADLINE", 400],
    ["malformed", "HTTPParserError", undefined],
    ["unavailable", "ECONNREFUSED", undefined],
  ] as const)("that began and ended as %s, by %s, is unknown", (kind, errorCode, httpStatus) => {
    expect(verdict(failure(kind, errorCode, httpStatus))).toEqual({
      state: "unknown",
      errorCode,
      httpStatus,
      requestId: "req_7",
    });
  });
});

describe("an answer that gives our own key back", () => {
  const forms = [KEY, Buffer.from(KEY).toString("base64"), Buffer.from(KEY).toString("hex")];

  test.each(forms)("is accepted all the same, without what adorns it: %s", (echo) => {
    const body = GOOD.replace("Ana", echo);
    const verdict = verdictOf(200, body, { "x-request-id": echo });

    expect(verdict).toMatchObject({
      state: "accepted",
      value: { txid: "SW1", pixKeyOwner: undefined, amount: undefined },
      requestId: undefined,
    });
    expect(JSON.stringify(verdict)).not.toContain(echo);
  });

  test.each(forms)("in the place of the txid leaves nothing to know it by: %s", (echo) => {
    expect(verdictOf(200, GOOD.replace("SW1", echo))).toMatchObject({
      state: "unknown",
      errorCode: "ANSWER_REPEATS_KEY",
    });
  });

  test.each(forms)("is a refusal all the same, without its words: %s", (echo) => {
    expect(verdictOf(400, REFUSAL.replace("Não.", echo))).toMatchObject({
      state: "rejected",
      reason: "invalid",
      message: undefined,
    });
  });
});
