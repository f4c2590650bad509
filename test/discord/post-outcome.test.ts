import { expect, test } from "vitest";
import type { PacedAnswer } from "#src/discord/paced-rest.ts";
import { postOutcome } from "#src/discord/post-outcome.ts";
import { globalPauseMs } from "#src/discord/poster.ts";
import type { PostOutcome } from "#src/domain/delivery.ts";

const ok = (body: unknown): PacedAnswer => ({ kind: "ok", body });
const error = (status: number, code?: number): PacedAnswer => ({ kind: "error", status, code });
const noAnswer = (unsent: boolean): PacedAnswer => ({ kind: "no_answer", unsent, reason: "E" });
const throttled = (retryAfterMs: number): PostOutcome => ({ kind: "throttled", retryAfterMs });

test.each<[string, PacedAnswer, PostOutcome]>([
  ["a message", ok({ id: "12" }), { kind: "posted", messageId: "12" }],
  ["no id", ok({}), { kind: "unclear", reason: "answer_without_id" }],
  ["an id that is a number", ok({ id: 12 }), { kind: "unclear", reason: "answer_without_id" }],
  ["10008", error(404, 10008), { kind: "posted_then_deleted" }],
  ["10003", error(404, 10003), { kind: "lost_channel", code: 10003 }],
  ["10004", error(404, 10004), { kind: "lost_channel", code: 10004 }],
  ["50001", error(403, 50001), { kind: "lost_channel", code: 50001 }],
  ["50013", error(403, 50013), { kind: "lost_channel", code: 50013 }],
  ["50007", error(403, 50007), { kind: "unreachable_person", code: 50007 }],
  ["50278", error(403, 50278), { kind: "unreachable_person", code: 50278 }],
  ["10013", error(404, 10013), { kind: "unreachable_person", code: 10013 }],
  ["20016", error(429, 20016), throttled(30_000)],
  ["20028", error(429, 20028), throttled(30_000)],
  ["40062", error(429, 40062), throttled(30_000)],
  ["130000", error(503, 130000), throttled(30_000)],
  ["429", error(429), throttled(30_000)],
  ["a limit", { kind: "limited", retryAfterMs: 7_000 }, throttled(7_000)],
  ["401", error(401, 0), throttled(60_000)],
  ["a page of HTML with 403", error(403), throttled(600_000)],
  ["50035", error(400, 50035), { kind: "rejected", status: 400, code: 50035 }],
  ["50006", error(400, 50006), { kind: "rejected", status: 400, code: 50006 }],
  ["413", error(413), { kind: "rejected", status: 413, code: undefined }],
  ["500", error(500), { kind: "unclear", reason: "status_500" }],
  ["502 of HTML", error(502), { kind: "unclear", reason: "status_502" }],
  ["408", error(408), { kind: "unclear", reason: "status_408" }],
  ["a request that never left", noAnswer(true), throttled(15_000)],
  ["a request without an answer", noAnswer(false), { kind: "unclear", reason: "E" }],
])("a post that is answered with %s", (_, answer, outcome) => {
  expect(postOutcome(answer)).toEqual(outcome);
});

test.each<[string, PacedAnswer, number, number]>([
  ["401", error(401, 0), 0, 60_000],
  ["a page of HTML with 403", error(403), 0, 600_000],
  ["a refusal of one channel", error(403, 50013), 999, 0],
  ["many refusals", error(403, 50013), 1_000, 60_000],
  ["a message", ok({ id: "1" }), 0, 0],
])("posts pause after %s as long as they must", (_, answer, invalidRequests, pauseMs) => {
  expect(globalPauseMs(answer, invalidRequests)).toBe(pauseMs);
});
