import { setTimeout as pause } from "node:timers/promises";
import type { FormData } from "undici";
import { MINUTE, SECOND } from "../shared/time.ts";
import type { ReplyFile } from "../views/reply.ts";
import {
  answerOutcome,
  noAnswerOutcome,
  repeatedCallbackOutcome,
  type AnswerOutcome,
} from "./answer-outcome.ts";
import { createDiscordHttp, NoAnswerError, type HttpRequest } from "./discord-http.ts";
import type { InteractionAddress } from "./interaction.ts";
import { fitsUpload, formOf } from "./multipart-body.ts";

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
const CONNECTIONS = 128;

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
  const http = createDiscordHttp({ apiUrl: options.apiUrl, connections: CONNECTIONS });
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
