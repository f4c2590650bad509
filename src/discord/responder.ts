import { setTimeout as pause } from "node:timers/promises";
import type { FormData } from "undici";
import { MINUTE, SECOND } from "../shared/time.ts";
import type { ReplyFile } from "../views/reply.ts";
import {
  createDiscordHttp,
  type HttpAnswer,
  type HttpRequest,
  NoAnswerError,
  retryAfterMs,
  UNKNOWN_MESSAGE,
} from "./discord-http.ts";
import type { InteractionAddress } from "./interaction.ts";
import { fitsUpload, formOf } from "./message-body.ts";
import { fieldsOf, numberOf, parseJson } from "./json.ts";

/** Discord waits three seconds for a callback: one that hangs for this long leaves time for another. */
const CALLBACK_TIMEOUT_MS = SECOND;
const MOST_CALLBACK_PAUSE_MS = SECOND;
const EDIT_TIMEOUT_MS = 10 * SECOND;
/** Counts the upload too, which a slow line may draw out. */
const UPLOAD_TIMEOUT_MS = 30 * SECOND;
const EDIT_RETRIES = 2;
const EDIT_PAUSE_MS = SECOND;
const MOST_EDIT_PAUSE_MS = MINUTE;
/** Connections of interactions are their own: scheduled posts never stand before them. */
const INTERACTION_CONNECTIONS = 128;

const TOO_LARGE: AnswerOutcome = { kind: "refused", status: 413, code: undefined };

type Send = (
  to: InteractionAddress,
  body: object,
  files?: readonly ReplyFile[],
) => Promise<AnswerOutcome>;

/**
 * Answers interactions. Nothing here throws: every call ends in an outcome. With files the body must name them as its
 * attachments; more than 10 files or 10 MiB are refused and not sent.
 */
export interface Responder {
  /** The first response. Repeated once when its fate is unclear, which Discord recognises. */
  readonly callback: Send;
  /** Replaces the first response. The same edit twice is the same edit, so it is repeated up to twice. */
  readonly editOriginal: Send;
  /** Another message beside the first response. Sent once: a repeat would show it twice. */
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
      if (observeDate !== undefined) observeDate(textHeader(answer.headers["date"]));
      return answerOutcome(answer);
    } catch (error) {
      // Whatever went wrong, the caller has to choose between another try and giving up.
      return noAnswerOutcome(
        error instanceof NoAnswerError ? error : new NoAnswerError(false, error),
      );
    }
  };

  return {
    callback: async (to, body, files = []) => {
      if (!fitsUpload(files)) return TOO_LARGE;
      const request: HttpRequest = {
        method: "POST",
        path: `/interactions/${to.id}/${encodeURIComponent(to.token)}/callback`,
        body: bodyOf(body, files),
        headersTimeoutMs: callbackTimeoutMs,
      };
      const first = await attempt(request);
      const pauseMs = callbackPauseMs(first);
      if (pauseMs === undefined) return first;
      if (pauseMs > 0) await wait(pauseMs);
      return repeatedCallbackOutcome(first, await attempt(request));
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

    followUp: async (to, body, files = []) =>
      fitsUpload(files)
        ? await attempt({
            method: "POST",
            path: webhookPath(to),
            body: bodyOf(body, files),
            headersTimeoutMs: editTimeoutMs(files),
          })
        : TOO_LARGE,

    close: () => http.close(),
  };
};

const bodyOf = (body: object, files: readonly ReplyFile[]): string | FormData =>
  files.length === 0 ? JSON.stringify(body) : formOf(body, files);

const editTimeoutMs = (files: readonly ReplyFile[]): number =>
  files.length === 0 ? EDIT_TIMEOUT_MS : UPLOAD_TIMEOUT_MS;

const webhookPath = ({ applicationId, token }: InteractionAddress): string =>
  `/webhooks/${applicationId}/${encodeURIComponent(token)}`;

/** How long to wait before the callback's one repeat; undefined when there is to be none. */
export const callbackPauseMs = (outcome: AnswerOutcome): number | undefined => {
  if (outcome.kind === "unclear") return 0;
  if (outcome.kind !== "throttled") return undefined;
  return outcome.retryAfterMs <= MOST_CALLBACK_PAUSE_MS ? outcome.retryAfterMs : undefined;
};

/** How long to wait before the edit is repeated for the `retry`-th time; undefined when that makes no sense. */
export const editPauseMs = (outcome: AnswerOutcome, retry: number): number | undefined => {
  if (outcome.kind === "unclear") return EDIT_PAUSE_MS * retry;
  if (outcome.kind !== "throttled") return undefined;
  return outcome.retryAfterMs <= MOST_EDIT_PAUSE_MS ? outcome.retryAfterMs : undefined;
};

const textHeader = (value: string | string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

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
