import { MINUTE } from "../shared/time.ts";
import type { HttpAnswer } from "./discord-http.ts";

const WINDOW_MINUTES = 10;

/** Counts answers that Discord holds against the machine's address: 10,000 in ten minutes block it. */
export interface InvalidRequests {
  readonly observe: (answer: HttpAnswer) => void;
  /** In the last ten minutes. */
  readonly count: () => number;
}

/** 401, 403 and 429; a 429 of a shared limit is nobody's fault. Source: Discord's reference, "Invalid Request Limit". */
export const isInvalid = ({ status, headers }: HttpAnswer): boolean =>
  status === 401 || status === 403 || (status === 429 && headers["x-ratelimit-scope"] !== "shared");

/** @param now of a monotonic clock, in milliseconds. */
export const createInvalidRequests = (
  now: () => number = () => performance.now(),
): InvalidRequests => {
  let minutes: { readonly minute: number; count: number }[] = [];
  const currentMinute = (): number => Math.floor(now() / MINUTE);
  return {
    observe: (answer) => {
      if (!isInvalid(answer)) return;
      const minute = currentMinute();
      const last = minutes.at(-1);
      if (last?.minute === minute) last.count++;
      else minutes = [...minutes.slice(1 - WINDOW_MINUTES), { minute, count: 1 }];
    },
    count: () => {
      const first = currentMinute() - WINDOW_MINUTES;
      return minutes.reduce((sum, { minute, count }) => (minute >= first ? sum + count : sum), 0);
    },
  };
};
