import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { classifyRead } from "#src/wallet/read.ts";
import type { Operation } from "#src/wallet/operation.ts";

const operation: Operation<string> = {
  method: "GET",
  route: "/v1/example",
  path: "/v1/example",
  read: (answer) =>
    "value" in answer
      ? { ok: true, value: String(answer.value) }
      : { ok: false, problems: ["value invalid_type"] },
  refusal: "refused",
};
const detail: Operation<string> = { ...operation, refusal: "not_found" };

const NO_FACTS = { skewMs: undefined };

const codeUnit = fc.nat(0xffff).map((unit) => String.fromCharCode(unit));

const GOOD = '{"success":true,"value":1}';
const REFUSAL = '{"success":false,"message":"Não."}';
const NOT_FOUND = '{"error":"Not Found","message":"Não."}';
const HTML = "\n<html><body>502</body></html>";

const kindOf = async (of: Operation<string>, status: number, body: string) => {
  const verdict = await classifyRead(of, status, body, NO_FACTS);
  return verdict.ok ? "value" : verdict.kind;
};

describe("an answer", () => {
  test.each([
    // 2xx: the body decides
    [200, GOOD, "value", "value"],
    [201, `\ufeff${GOOD}`, "value", "value"],
    [299, GOOD, "value", "value"],
    [200, '{"success":true}', "malformed", "malformed"],
    [200, REFUSAL, "refused", "not_found"],
    [200, NOT_FOUND, "not_found", "not_found"],
    [200, '{"value":1}', "malformed", "malformed"],
    [200, '{"success":"true","value":1}', "malformed", "malformed"],
    [200, '{"success":1,"value":1}', "malformed", "malformed"],
    [200, '{"success":null,"value":1}', "malformed", "malformed"],
    [200, '{"__proto__":{"success":true},"value":1}', "malformed", "malformed"],
    [200, `[${GOOD}]`, "malformed", "malformed"],
    [200, "null", "malformed", "malformed"],
    [200, '"success"', "malformed", "malformed"],
    [200, GOOD.slice(0, -1), "malformed", "malformed"],
    [200, HTML, "malformed", "malformed"],
    [204, "", "malformed", "malformed"],
    // Below 500 outside 2xx: the status decides, unless the body reports a missing resource
    [400, REFUSAL, "invalid_request", "not_found"],
    [400, GOOD, "invalid_request", "invalid_request"],
    [400, "", "invalid_request", "invalid_request"],
    [401, REFUSAL, "unauthorized", "unauthorized"],
    [401, NOT_FOUND, "unauthorized", "unauthorized"],
    [401, "Unauthorized", "unauthorized", "unauthorized"],
    [403, REFUSAL, "forbidden", "forbidden"],
    [404, NOT_FOUND, "not_found", "not_found"],
    [404, REFUSAL, "not_found", "not_found"],
    [404, "", "not_found", "not_found"],
    [409, REFUSAL, "conflict", "conflict"],
    [410, "{}", "not_found", "not_found"],
    [413, REFUSAL, "invalid_request", "not_found"],
    [422, NOT_FOUND, "not_found", "not_found"],
    [429, REFUSAL, "rate_limited", "rate_limited"],
    [429, HTML, "rate_limited", "rate_limited"],
    [408, HTML, "timeout", "timeout"],
    [425, "", "unavailable", "unavailable"],
    // Markup comes from a proxy, which cannot judge keys and resources
    [401, HTML, "malformed", "malformed"],
    [403, HTML, "malformed", "malformed"],
    [404, HTML, "malformed", "malformed"],
    // 5xx: the body is ignored
    [500, REFUSAL, "unavailable", "unavailable"],
    [500, GOOD, "unavailable", "unavailable"],
    [502, HTML, "unavailable", "unavailable"],
    [503, NOT_FOUND, "unavailable", "unavailable"],
    [599, "", "unavailable", "unavailable"],
    // Redirects are not followed; other statuses are undefined
    [301, GOOD, "malformed", "malformed"],
    [307, "", "malformed", "malformed"],
    [600, GOOD, "malformed", "malformed"],
  ])("of %d with %j stands for %s, on a detail for %s", async (status, body, kind, detailKind) => {
    expect(await kindOf(operation, status, body)).toBe(kind);
    expect(await kindOf(detail, status, body)).toBe(detailKind);
  });

  test("is a value only with a 2xx and success === true", async () => {
    const status = fc.integer({ min: 100, max: 999 });
    const success = fc.oneof(fc.boolean(), fc.jsonValue());

    await fc.assert(
      fc.asyncProperty(status, success, async (code, said) => {
        const text = JSON.stringify({ success: said, value: 1 });
        const verdict = await classifyRead(operation, code, text, NO_FACTS);
        expect(verdict.ok).toBe(said === true && code >= 200 && code < 300);
      }),
      { examples: [[200, true]] },
    );
  });

  test("gets a verdict whatever its body is", async () => {
    const body = fc.oneof(fc.string({ unit: codeUnit }), fc.json());

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 100, max: 999 }), body, async (status, text) => {
        await classifyRead(detail, status, text, NO_FACTS);
      }),
    );
  });
});

describe("an answer whose form the document does not show", () => {
  const unshown: Operation<string> = {
    ...operation,
    unshown: true,
    read: (answer) =>
      Array.isArray(answer) ? { ok: true, value: "list" } : operation.read(answer, NO_FACTS),
  };

  test.each([
    [200, GOOD, "value"],
    [200, '{"value":1}', "value"],
    [200, "[]", "value"],
    [200, `[${REFUSAL}]`, "value"],
    [200, "{}", "malformed"],
    [200, '{"success":true}', "malformed"],
    [200, '{"success":"true","value":1}', "malformed"],
    [200, '{"success":1,"value":1}', "malformed"],
    [200, '{"success":null,"value":1}', "malformed"],
    [200, '{"success":false,"value":1}', "refused"],
    [200, '{"error":"Not Found","value":1}', "not_found"],
    [200, "null", "malformed"],
    [200, "7", "malformed"],
    [200, HTML, "malformed"],
    [400, "[]", "invalid_request"],
    [404, '{"value":1}', "not_found"],
    [429, "[]", "rate_limited"],
    [500, "[]", "unavailable"],
    [307, "[]", "malformed"],
  ])("of %d with %j stands for %s", async (status, body, kind) => {
    expect(await kindOf(unshown, status, body)).toBe(kind);
  });

  test("is read together with what is known of it beside its body", async () => {
    const skew: Operation<string> = {
      ...unshown,
      read: (_answer, { skewMs }) => ({ ok: true, value: `${skewMs}` }),
    };

    expect(await classifyRead(skew, 200, "[]", { skewMs: -500 })).toEqual({
      ok: true,
      value: "-500",
    });
  });
});

describe("a refusal that the document gives a meaning of its own", () => {
  const withMeaning: Operation<string> = {
    ...operation,
    readRefusal: (answer) => ("details" in answer ? "meaning" : undefined),
  };
  const body = '{"success":false,"details":{}}';

  test.each([200, 400, 403, 404, 409, 422])("has it with status %d", async (status) => {
    expect(await classifyRead(withMeaning, status, body, NO_FACTS)).toEqual({
      ok: true,
      value: "meaning",
    });
  });

  test.each([401, 408, 425, 429, 500, 503, 302])("has none with status %d", async (status) => {
    expect((await classifyRead(withMeaning, status, body, NO_FACTS)).ok).toBe(false);
  });
});
