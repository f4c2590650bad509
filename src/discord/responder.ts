import { setTimeout as pause } from "node:timers/promises";
import type { FormData } from "undici";
import { abortAfter, MINUTE, SECOND } from "../shared/time.ts";
import type { ReplyFile } from "../ui/reply.ts";
import {
  createDiscordHttp,
  type DiscordAnswer,
  type HttpRequest,
  isBlockedRequest,
  isForeignPage,
  NoAnswerError,
  rateLimitMs,
  UNKNOWN_MESSAGE,
} from "./discord-http.ts";
import type { InteractionAddress } from "./interaction.ts";
import { fitsUpload, formOf } from "./message-body.ts";
import { fieldsOf, numberOf, parseJson, textOf } from "./json.ts";

/** Discord waits three seconds for a callback: this limit, which covers its connection, leaves time for a second try. */
const CALLBACK_TIMEOUT_MS = SECOND;
const MOST_CALLBACK_PAUSE_MS = SECOND;
const EDIT_TIMEOUT_MS = 10 * SECOND;
/** Includes the upload, which a slow line may draw out. */
const UPLOAD_TIMEOUT_MS = 30 * SECOND;
const EDIT_RETRIES = 2;
const EDIT_PAUSE_MS = SECOND;
const MOST_EDIT_PAUSE_MS = MINUTE;
/** Separate from the other REST connections, so that scheduled posts never delay answers. */
const INTERACTION_CONNECTIONS = 128;

const TOO_LARGE: AnswerOutcome = { kind: "refused", status: 413, code: undefined };

type Send = (
  to: InteractionAddress,
  body: object,
  files?: readonly ReplyFile[],
) => Promise<AnswerOutcome>;

/**
 * Answers interactions. Every call resolves with an outcome, also after errors. The body must name the files as its
 * attachments; more than 10 files or 10 MiB are refused unsent.
 */
export interface Responder {
  /** Sends the first response, and repeats it once when its outcome is unclear. Discord recognises the repeat. */
  readonly callback: Send;
  /** Replaces the first response. Edits are idempotent, so a failed one is repeated up to twice. */
  readonly editOriginal: Send;
  /**
   * Sends another message after the first response. It is repeated once, and only where the first try surely did not arrive:
   * otherwise it could be shown twice.
   */
  readonly followUp: Send;
  readonly close: () => Promise<void>;
}

/**
 * @param options.apiUrl Discord's REST API without version.
 * @param options.observeDate gets the `date` header of answers.
 */
export const createResponder = (options: {
  readonly apiUrl: string;
  readonly observeDate?: (header: string | undefined) => void;
  readonly wait?: (ms: number) => Promise<void>;
  readonly callbackTimeoutMs?: number;
}): Responder => {
  const { wait = pause, callbackTimeoutMs = CALLBACK_TIMEOUT_MS } = options;
  const http = createDiscordHttp({ apiUrl: options.apiUrl, connections: INTERACTION_CONNECTIONS });
  const { observeDate } = options;

  const attempt = async (request: HttpRequest): Promise<AnswerOutcome> => {
    try {
      const answer = await http.send(request);
      if (observeDate !== undefined) observeDate(textOf(answer.headers["date"]));
      return answerOutcome(answer);
    } catch (error) {
      // An unexpected error counts as a missing answer, so that callers can decide on another try.
      return noAnswerOutcome(
        error instanceof NoAnswerError ? error : new NoAnswerError(false, error),
      );
    }
  };

  const attemptInTime = async (request: HttpRequest): Promise<AnswerOutcome> => {
    const { signal, end } = abortAfter(callbackTimeoutMs);
    return await attempt({ ...request, signal }).finally(end);
  };

  return {
    callback: async (to, body, files = []) => {
      if (!fitsUpload(files)) return TOO_LARGE;
      const request: HttpRequest = {
        method: "POST",
        path: `/interactions/${to.id}/${encodeURIComponent(to.token)}/callback`,
        body: bodyOf(body, files),
      };
      const first = await attemptInTime(request);
      const pauseMs = callbackPauseMs(first);
      if (pauseMs === undefined) return first;
      if (pauseMs > 0) await wait(pauseMs);
      return repeatedCallbackOutcome(first, await attemptInTime(request));
    },

    editOriginal: async (to, body, files = []) => {
      if (!fitsUpload(files)) return TOO_LARGE;
      const request: HttpRequest = {
        method: "PATCH",
        path: `${webhookPath(to)}/messages/@original`,
        body: bodyOf(body, files),
        headersTimeoutMs: editTimeoutMs(files),
      };
      let outcome = await attempt(request);
      for (let retry = 1; retry <= EDIT_RETRIES; retry++) {
        const pauseMs = editPauseMs(outcome, retry);
        if (pauseMs === undefined) return outcome;
        await wait(pauseMs);
        outcome = await attempt(request);
      }
      return outcome;
    },

    followUp: async (to, body, files = []) => {
      if (!fitsUpload(files)) return TOO_LARGE;
      const request: HttpRequest = {
        method: "POST",
        path: webhookPath(to),
        body: bodyOf(body, files),
        headersTimeoutMs: editTimeoutMs(files),
      };
      const first = await attempt(request);
      const mayBeShown = first.kind !== "throttled" && !(first.kind === "unclear" && first.unsent);
      const pauseMs = mayBeShown ? undefined : editPauseMs(first, 1);
      if (pauseMs === undefined) return first;
      await wait(pauseMs);
      return await attempt(request);
    },

    close: () => http.close(),
  };
};

const bodyOf = (body: object, files: readonly ReplyFile[]): string | FormData =>
  files.length === 0 ? JSON.stringify(body) : formOf(body, files);

const editTimeoutMs = (files: readonly ReplyFile[]): number =>
  files.length === 0 ? EDIT_TIMEOUT_MS : UPLOAD_TIMEOUT_MS;

const webhookPath = ({ applicationId, token }: InteractionAddress): string =>
  `/webhooks/${applicationId}/${encodeURIComponent(token)}`;

/** Milliseconds to wait before the callback's one repeat; undefined for no repeat. */
export const callbackPauseMs = (outcome: AnswerOutcome): number | undefined => {
  if (outcome.kind === "unclear") return 0;
  if (outcome.kind !== "throttled") return undefined;
  return outcome.retryAfterMs <= MOST_CALLBACK_PAUSE_MS ? outcome.retryAfterMs : undefined;
};

/** Milliseconds to wait before the `retry`-th repeat of an edit; undefined for no repeat. */
export const editPauseMs = (outcome: AnswerOutcome, retry: number): number | undefined => {
  if (outcome.kind === "unclear") return EDIT_PAUSE_MS * retry;
  if (outcome.kind !== "throttled") return undefined;
  return outcome.retryAfterMs <= MOST_EDIT_PAUSE_MS ? outcome.retryAfterMs : undefined;
};

export type AnswerOutcome =
  /** `presumed`: Discord's answer means either that it took an earlier try or that the interaction has expired. */
  | { readonly kind: "accepted"; readonly presumed?: true }
  /** Another answer came first: from a second process, or to a replayed event. */
  | { readonly kind: "answered_elsewhere" }
  /** Too late, or the token ran out. */
  | { readonly kind: "expired"; readonly code: number | undefined }
  /** Discord will never take this body. */
  | { readonly kind: "refused"; readonly status: number; readonly code: number | undefined }
  /** A rate limit refused the request. */
  | { readonly kind: "throttled"; readonly retryAfterMs: number }
  /** 5xx or no answer. `unsent: true` proves that the request did not arrive. */
  | { readonly kind: "unclear"; readonly unsent: boolean; readonly reason: string };

const ACCEPTED: AnswerOutcome = { kind: "accepted" };
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

/** Outcome of Discord's answer to a callback or an edit. Source: JSON error codes of Discord's reference. */
export const answerOutcome = (answer: DiscordAnswer): AnswerOutcome => {
  const { status } = answer;
  const body = parseJson(answer.text);
  if (isForeignPage(answer, body)) return { kind: "unclear", unsent: false, reason: "no_json" };
  if (status >= 200 && status < 300) return ACCEPTED;
  const code = numberOf(fieldsOf(body)["code"]);
  if (code === ALREADY_ACKNOWLEDGED) return { kind: "answered_elsewhere" };
  if (isBlockedRequest({ status, code })) return { kind: "refused", status, code };
  if (code !== undefined && GONE.has(code)) return { kind: "expired", code };
  if (status === 401) return { kind: "expired", code };
  if (status === 429)
    return { kind: "throttled", retryAfterMs: rateLimitMs(answer, body) ?? DEFAULT_PAUSE_MS };
  if (status >= 400 && status < 500 && status !== 408) return { kind: "refused", status, code };
  return { kind: "unclear", unsent: false, reason: `status_${status}` };
};

export const noAnswerOutcome = ({ unsent, code }: NoAnswerError): AnswerOutcome => ({
  kind: "unclear",
  unsent,
  reason: code ?? "no_answer",
});

/**
 * Outcome of a repeated callback. If the first try may have arrived, "already acknowledged" means that it did. "Unknown
 * interaction" is ambiguous then: Discord sometimes says it in place of "already acknowledged".
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
