import { createRequire } from "node:module";
import type * as undici from "undici";
import type { Dispatcher } from "undici";

export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** How one request ended; without a whole answer, what had come by then is kept. */
type HttpOutcome =
  | {
      readonly complete: true;
      readonly status: number;
      /** By lower-case name. */
      readonly headers: HttpHeaders;
      readonly text: string;
    }
  | {
      readonly complete: false;
      /** False proves that not one byte of the request was written; true proves nothing. */
      readonly started: boolean;
      readonly error: Error;
      readonly status: number | undefined;
      readonly headers: HttpHeaders;
    };

/** When an answer is waited for no longer. */
export interface Expiry {
  /** Calls `end` at that time; gives back what takes it back. */
  readonly wait: (end: (reason: Error) => void) => () => void;
  /** Timers of a busy process fire late: asked again when the request gets its connection. */
  readonly isOver: () => boolean;
}

/**
 * One request and its whole answer, exactly once on the wire: no retry, no redirect, no decompression. Never rejects.
 *
 * It works on `dispatch`, the layer below undici's `request`, for three things that `request` does not give: a call
 * that is still waiting for a connection ends when it expires, and then never leaves; `onRequestStart` tells apart,
 * with certainty, a request that was never sent; and a quarter of the CPU of a call is saved.
 */
export const requestOnce = (
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  expiry: Expiry,
): Promise<HttpOutcome> =>
  new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let over = false;
    let status: number | undefined;
    let headers: HttpHeaders = {};
    const chunks: Buffer[] = [];

    const end = (outcome: HttpOutcome): void => {
      if (over) return;
      over = true;
      stopWaiting();
      resolve(outcome);
    };
    const fail = (error: Error): void =>
      end({ complete: false, started: controller !== undefined, error, status, headers });
    const stopWaiting = expiry.wait((reason) => {
      fail(reason);
      controller?.abort(reason);
    });

    dispatcher.dispatch(options, {
      onRequestStart: (started) => {
        if (over || expiry.isOver()) started.abort(new Error("It expired before it was sent"));
        else controller = started;
      },
      onResponseStart: (_controller, statusCode, responseHeaders) => {
        if (statusCode < 200) return;
        status = statusCode;
        headers = responseHeaders;
      },
      onResponseData: (_controller, chunk) => {
        chunks.push(chunk);
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
 * The parts of undici that we use, without the rest of the package: its own `fetch`, caches, mocks and web
 * sockets cost every process 4 MB and a tenth of its start. The package's version is pinned, so its files are too.
 */
export type Agent = undici.Agent;
export const Agent = load("undici/lib/dispatcher/agent.js") as typeof undici.Agent;
export type Pool = undici.Pool;
export const Pool = load("undici/lib/dispatcher/pool.js") as typeof undici.Pool;
/** Takes 3 MB and 50 ms when it is loaded: at the first file that is sent, for most processes never. */
export const emptyForm = (): undici.FormData => {
  const { FormData } = load("undici/lib/web/fetch/formdata.js") as Pick<typeof undici, "FormData">;
  return new FormData();
};
