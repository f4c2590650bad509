import { MINUTE } from "../../shared/duration.ts";

const REQUESTS_PER_MINUTE = 60;
const WITHDRAWALS_PER_MINUTE = 3;

export interface RequestLimits {
  /** Undefined when the request may pass, else how long until one may. A refused request is not counted. */
  readonly take: (apiKey: string, withdraws: boolean, now: Temporal.Instant) => number | undefined;
}

/** 60 requests and 3 withdrawals in any minute, for each key. Source: service.md 8. */
export const createRequestLimits = (): RequestLimits => {
  const requests = new Map<string, number[]>();
  const withdrawals = new Map<string, number[]>();
  return {
    take: (apiKey, withdraws, now) => {
      const nowMs = now.epochMilliseconds;
      const general = recent(requests, apiKey, nowMs);
      const money = recent(withdrawals, apiKey, nowMs);
      const wait =
        waitFor(general, REQUESTS_PER_MINUTE, nowMs) ??
        (withdraws ? waitFor(money, WITHDRAWALS_PER_MINUTE, nowMs) : undefined);
      if (wait !== undefined) return wait;
      general.push(nowMs);
      if (withdraws) money.push(nowMs);
      return undefined;
    },
  };
};

/** Instants ahead of `nowMs` are dropped too: the virtual clock may have been moved back. */
const recent = (seen: Map<string, number[]>, apiKey: string, nowMs: number): number[] => {
  const kept = (seen.get(apiKey) ?? []).filter((at) => at > nowMs - MINUTE && at <= nowMs);
  seen.set(apiKey, kept);
  return kept;
};

const waitFor = (instants: readonly number[], limit: number, nowMs: number): number | undefined => {
  const oldest = instants[0];
  return oldest === undefined || instants.length < limit ? undefined : oldest + MINUTE - nowMs;
};
