import { createRequire } from "node:module";
import type * as undici from "undici";

export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** How one request ended. An incomplete answer keeps the status and headers that arrived. */
type HttpOutcome =
  | {
      readonly complete: true;
      readonly status: number;
      /** Keys are lower-case names. */
      readonly headers: HttpHeaders;
      readonly text: string;
    }
  | {
      readonly complete: false;
      /** False proves that not one byte of the request was written. True is no proof. */
      readonly started: boolean;
      readonly error: Error;
      readonly status: number | undefined;
      readonly headers: HttpHeaders;
    };

/** Deadline of a request. */
export interface Expiry {
  /** Calls `end` at the deadline. @returns a function that cancels the call */
  readonly wait: (end: (reason: Error) => void) => () => void;
  /** Checked again when the request gets its connection, because timers of a busy process fire late. */
  readonly isOver: () => boolean;
}

/** For all of an answer's body: one that comes a byte at a time would have no end of its own. */
const LONGEST_BODY_MS = 10_000;

/**
 * Sends one request exactly once and reads the whole answer: no retry, no redirect, no decompression. Never rejects.
 *
 * Uses undici's `dispatch` instead of `request` for three reasons: a call that expires while it waits for a connection
 * never leaves; `onRequestStart` proves that a request was never sent; a call needs a quarter less CPU.
 */
export const requestOnce = (
  dispatcher: undici.Dispatcher,
  options: undici.Dispatcher.DispatchOptions,
  expiry: Expiry,
): Promise<HttpOutcome> =>
  new Promise((resolve) => {
    let controller: undici.Dispatcher.DispatchController | undefined;
    let over = false;
    let status: number | undefined;
    let headers: HttpHeaders = {};
    let answeredAtMs = 0;
    const chunks: Buffer[] = [];

    const end = (outcome: HttpOutcome): void => {
      if (over) return;
      over = true;
      stopWaiting();
      resolve(outcome);
    };
    const fail = (error: Error): void =>
      end({ complete: false, started: controller !== undefined, error, status, headers });
    const abort = (reason: Error): void => {
      fail(reason);
      controller?.abort(reason);
    };
    const stopWaiting = expiry.wait(abort);

    dispatcher.dispatch(options, {
      onRequestStart: (started) => {
        if (over || expiry.isOver()) started.abort(new Error("It expired before it was sent"));
        else controller = started;
      },
      onResponseStart: (_controller, statusCode, responseHeaders) => {
        if (statusCode < 200) return;
        status = statusCode;
        headers = responseHeaders;
        answeredAtMs = performance.now();
      },
      onResponseData: (_controller, chunk) => {
        chunks.push(chunk);
        if (performance.now() - answeredAtMs > LONGEST_BODY_MS)
          abort(new Error("The answer has no end"));
      },
      onResponseEnd: () => {
        const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
        end({ complete: true, status: status ?? 0, headers, text: body?.toString("utf8") ?? "" });
      },
      onResponseError: (_controller, error) => fail(error),
    });
  });

const load = createRequire(import.meta.url);

/**
 * Loads only the parts of undici that we use: its `fetch`, caches, mocks and web sockets cost every process 4 MB and a
 * tenth of its start. The pinned version keeps these paths valid.
 */
export type Agent = undici.Agent;
export const Agent = load("undici/lib/dispatcher/agent.js") as typeof undici.Agent;
export type Pool = undici.Pool;
export const Pool = load("undici/lib/dispatcher/pool.js") as typeof undici.Pool;
/** Loaded at the first file that is sent: it takes 3 MB and 50 ms, and most processes send no file. */
export const emptyForm = (): undici.FormData => {
  const { FormData } = load("undici/lib/web/fetch/formdata.js") as Pick<typeof undici, "FormData">;
  return new FormData();
};
