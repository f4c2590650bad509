import type { PostOutcome } from "../domain/delivery.ts";
import { MINUTE, SECOND } from "../shared/time.ts";
import type { PacedAnswer } from "./paced-rest.ts";
import { fieldsOf, textOf } from "./wire.ts";

const UNKNOWN_MESSAGE = 10008;
/** Unknown channel, unknown guild, missing access, missing permissions. */
const LOST_CHANNEL = new Set([10003, 10004, 50001, 50013]);
/** Takes no direct messages from us (50007), has no guild in common (50278), unknown user (10013), invalid recipient (50033). */
const UNREACHABLE_PERSON = new Set([10013, 50007, 50033, 50278]);
/** Slow mode, write limits of a channel or guild, opening direct messages too fast, service overloaded. */
const THROTTLED = new Set([20016, 20028, 20029, 40003, 40062, 130000]);

const UNSENT_PAUSE_MS = 15 * SECOND;
const THROTTLED_PAUSE_MS = 30 * SECOND;
/** 401: the token does not count now; the gateway will say whether it ever will. */
export const UNAUTHORIZED_PAUSE_MS = MINUTE;
/** 403 without one of Discord's codes is a page of its shield: the address is blocked for a while. */
export const BLOCKED_PAUSE_MS = 10 * MINUTE;

/**
 * How an attempt to post ended. Whatever is neither proof of a post nor proof of its absence is `unclear`; what is
 * certainly not posted and may be posted later is `throttled`. Source: JSON error codes of Discord's reference.
 */
export const postOutcome = (answer: PacedAnswer): PostOutcome => {
  if (answer.kind === "limited") return { kind: "throttled", retryAfterMs: answer.retryAfterMs };
  if (answer.kind === "error") return refusedPost(answer.status, answer.code);
  if (answer.kind === "no_answer")
    return answer.unsent
      ? { kind: "throttled", retryAfterMs: UNSENT_PAUSE_MS }
      : { kind: "unclear", reason: answer.reason };
  const messageId = textOf(fieldsOf(answer.body)["id"]);
  return messageId === undefined
    ? { kind: "unclear", reason: "answer_without_id" }
    : { kind: "posted", messageId };
};

const refusedPost = (status: number, code: number | undefined): PostOutcome => {
  if (code !== undefined) {
    if (code === UNKNOWN_MESSAGE) return { kind: "posted_then_deleted" };
    if (LOST_CHANNEL.has(code)) return { kind: "lost_channel", code };
    if (UNREACHABLE_PERSON.has(code)) return { kind: "unreachable_person", code };
    if (THROTTLED.has(code)) return { kind: "throttled", retryAfterMs: THROTTLED_PAUSE_MS };
  }
  if (status === 401) return { kind: "throttled", retryAfterMs: UNAUTHORIZED_PAUSE_MS };
  if (status === 403 && code === undefined)
    return { kind: "throttled", retryAfterMs: BLOCKED_PAUSE_MS };
  if (status === 429) return { kind: "throttled", retryAfterMs: THROTTLED_PAUSE_MS };
  if (status >= 500 || status === 408 || status === 425)
    return { kind: "unclear", reason: `status_${status}` };
  return { kind: "rejected", status, code };
};
