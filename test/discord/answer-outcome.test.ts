import { describe, expect, test } from "vitest";
import {
  answerOutcome,
  noAnswerOutcome,
  repeatedCallbackOutcome,
  type AnswerOutcome,
} from "#src/discord/answer-outcome.ts";
import { NoAnswerError } from "#src/discord/discord-http.ts";
import { callbackPauseMs, editPauseMs } from "#src/discord/responder.ts";

const answered = (status: number, body: unknown = "", headers = {}) =>
  answerOutcome({ status, headers, text: typeof body === "string" ? body : JSON.stringify(body) });

describe("Discord's answer to an answer of ours", () => {
  test.each<[string, AnswerOutcome, AnswerOutcome]>([
    ["204", answered(204), { kind: "accepted" }],
    ["200", answered(200, { id: "1" }), { kind: "accepted" }],
    ["40060", answered(400, { code: 40060 }), { kind: "answered_elsewhere" }],
    ["10062", answered(404, { code: 10062 }), { kind: "expired", code: 10062 }],
    ["10008", answered(404, { code: 10008 }), { kind: "expired", code: 10008 }],
    ["10015", answered(404, { code: 10015 }), { kind: "expired", code: 10015 }],
    ["50027", answered(401, { code: 50027 }), { kind: "expired", code: 50027 }],
    ["401", answered(401), { kind: "expired", code: undefined }],
    ["50035", answered(400, { code: 50035 }), { kind: "refused", status: 400, code: 50035 }],
    ["HTML", answered(403, "<html>"), { kind: "refused", status: 403, code: undefined }],
    ["429", answered(429, { retry_after: 0.25 }), { kind: "throttled", retryAfterMs: 250 }],
    [
      "429 by header",
      answered(429, "", { "retry-after": "2" }),
      { kind: "throttled", retryAfterMs: 2000 },
    ],
    ["429 without a time", answered(429), { kind: "throttled", retryAfterMs: 1000 }],
    ["500", answered(500), { kind: "unclear", unsent: false, reason: "status_500" }],
    ["408", answered(408), { kind: "unclear", unsent: false, reason: "status_408" }],
    ["302", answered(302), { kind: "unclear", unsent: false, reason: "status_302" }],
  ])("%s", (_, outcome, expected) => {
    expect(outcome).toEqual(expected);
  });

  test("that did not come is unclear, unless nothing was sent", () => {
    const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });
    expect(noAnswerOutcome(new NoAnswerError(false, reset))).toEqual({
      kind: "unclear",
      unsent: false,
      reason: "ECONNRESET",
    });
    expect(noAnswerOutcome(new NoAnswerError(true, undefined))).toMatchObject({ unsent: true });
  });
});

describe("a repeated callback", () => {
  const lost: AnswerOutcome = { kind: "unclear", unsent: false, reason: "status_500" };
  const unsent: AnswerOutcome = { ...lost, unsent: true };
  const elsewhere: AnswerOutcome = { kind: "answered_elsewhere" };
  const unknown: AnswerOutcome = { kind: "expired", code: 10062 };
  const token: AnswerOutcome = { kind: "expired", code: 50027 };

  test.each<[AnswerOutcome, AnswerOutcome, AnswerOutcome]>([
    [lost, elsewhere, { kind: "accepted" }],
    [lost, unknown, { kind: "accepted", presumed: true }],
    [lost, token, token],
    [lost, lost, lost],
    [unsent, elsewhere, elsewhere],
    [unsent, unknown, unknown],
    [{ kind: "throttled", retryAfterMs: 5 }, elsewhere, elsewhere],
  ])("after %o that ends in %o ended in %o", (first, second, expected) => {
    expect(repeatedCallbackOutcome(first, second)).toEqual(expected);
  });
});

describe("another try", () => {
  const unclear: AnswerOutcome = { kind: "unclear", unsent: false, reason: "x" };
  const throttled = (retryAfterMs: number): AnswerOutcome => ({ kind: "throttled", retryAfterMs });

  test.each<[AnswerOutcome, number | undefined, number | undefined]>([
    [unclear, 0, 2_000],
    [throttled(300), 300, 300],
    [throttled(5_000), undefined, 5_000],
    [throttled(600_000), undefined, undefined],
    [{ kind: "accepted" }, undefined, undefined],
    [{ kind: "expired", code: 10062 }, undefined, undefined],
    [{ kind: "refused", status: 400, code: 50035 }, undefined, undefined],
    [{ kind: "answered_elsewhere" }, undefined, undefined],
  ])(
    "after %o waits %s ms for a callback and %s ms for a second edit",
    (outcome, callback, edit) => {
      expect(callbackPauseMs(outcome)).toBe(callback);
      expect(editPauseMs(outcome, 2)).toBe(edit);
    },
  );
});
