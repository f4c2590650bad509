import type { AnsweredRequest } from "./answered-request.ts";

const KEPT = 10_000;

/** The last 10,000 requests, oldest first. */
export interface RequestLog {
  readonly add: (request: AnsweredRequest) => void;
  readonly all: () => readonly AnsweredRequest[];
}

export const createRequestLog = (): RequestLog => {
  let kept: AnsweredRequest[] = [];
  return {
    add: (request) => {
      kept.push(request);
      if (kept.length >= 2 * KEPT) kept = kept.slice(-KEPT);
    },
    all: () => kept.slice(-KEPT),
  };
};
