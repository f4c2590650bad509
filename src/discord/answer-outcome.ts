import type { HttpAnswer, NoAnswerError } from "./discord-http.ts";
import { fieldsOf, numberOf, parseJson } from "./wire.ts";
import { retryAfterMs } from "./discord-http.ts";

/** What became of one answer to an interaction. */
export type AnswerOutcome =
  /** `presumed`: Discord's words fit that, and fit an answer that came too late as well. */
  | { readonly kind: "accepted"; readonly presumed?: true }
  /** Another answer was there before ours: a second process, or an event that was replayed. */
  | { readonly kind: "answered_elsewhere" }
  /** Too late, or the token ran out: nobody will see it. */
  | { readonly kind: "expired"; readonly code: number | undefined }
  /** Discord will never take this body. */
  | { readonly kind: "refused"; readonly status: number; readonly code: number | undefined }
  /** Discord did not look at it now. */
  | { readonly kind: "throttled"; readonly retryAfterMs: number }
  /** 5xx or no answer. `unsent`: it certainly did not arrive. */
  | { readonly kind: "unclear"; readonly unsent: boolean; readonly reason: string };

const ACCEPTED: AnswerOutcome = { kind: "accepted" };
const UNKNOWN_MESSAGE = 10008;
const UNKNOWN_WEBHOOK = 10015;
const UNKNOWN_INTERACTION = 10062;
const ALREADY_ACKNOWLEDGED = 40060;
const INVALID_WEBHOOK_TOKEN = 50027;
const GONE = new Set([
  UNKNOWN_MESSAGE,
  UNKNOWN_WEBHOOK,
  UNKNOWN_INTERACTION,
  INVALID_WEBHOOK_TOKEN,
]);
const DEFAULT_PAUSE_MS = 1_000;

/** Reads Discord's answer to an interaction callback or to an edit of its answer. Source: JSON error codes of its reference. */
export const answerOutcome = (answer: HttpAnswer): AnswerOutcome => {
  const { status } = answer;
  if (status >= 200 && status < 300) return ACCEPTED;
  const body = parseJson(answer.text);
  const code = numberOf(fieldsOf(body)["code"]);
  if (code === ALREADY_ACKNOWLEDGED) return { kind: "answered_elsewhere" };
  if (code !== undefined && GONE.has(code)) return { kind: "expired", code };
  if (status === 401) return { kind: "expired", code };
  if (status === 429)
    return { kind: "throttled", retryAfterMs: retryAfterMs(answer, body) ?? DEFAULT_PAUSE_MS };
  if (status >= 400 && status < 500 && status !== 408) return { kind: "refused", status, code };
  return { kind: "unclear", unsent: false, reason: `status_${status}` };
};

/** What a missing answer means. */
export const noAnswerOutcome = ({ unsent, code }: NoAnswerError): AnswerOutcome => ({
  kind: "unclear",
  unsent,
  reason: code ?? "no_answer",
});

/**
 * The outcome of a callback that was sent twice because the first one's fate was unclear: "already acknowledged" then
 * means that the first had arrived, and so may "unknown interaction", which Discord sometimes says instead.
 */
export const repeatedCallbackOutcome = (
  first: AnswerOutcome,
  second: AnswerOutcome,
): AnswerOutcome => {
  const firstMayHaveArrived = first.kind === "unclear" && !first.unsent;
  if (!firstMayHaveArrived) return second;
  if (second.kind === "answered_elsewhere") return ACCEPTED;
  const mayHaveArrived = second.kind === "expired" && second.code === UNKNOWN_INTERACTION;
  return mayHaveArrived ? { kind: "accepted", presumed: true } : second;
};
