import { SECOND } from "../shared/duration.ts";
import type { Timers } from "./timers.ts";

/** Keeps reads from a service that does not answer, for all accounts of the process. */
export interface Breaker {
  /** Whether a call may begin. One that began while the breaker was open must be noted: it finds out for all others. */
  readonly admits: (account: string) => boolean;
  /** What became of a call: answered is any answer of the service, a refusal too. */
  readonly note: (account: string, answered: boolean) => void;
}

const WINDOW_MS = 30 * SECOND;
const FIRST_PAUSE_MS = 5 * SECOND;
const LONGEST_PAUSE_MS = 30 * SECOND;
/** Calls that find out at the same time, each of another account: one that always hangs decides nothing alone. */
const MOST_PROBES = 3;

interface Second {
  readonly at: number;
  calls: number;
  lost: number;
}

interface Opened {
  readonly until: number;
  readonly pauseMs: number;
  /** The one account whose calls were lost, if it was one: others may see for themselves at once. */
  readonly sole: string | undefined;
  readonly probes: Set<string>;
}

/**
 * Opens when, of at least `leastCalls` calls within 30 seconds, half were left without an answer, and more accounts
 * were left without one last than had one: an account whose own reads hang stops nobody whose reads are answered. Then
 * no call begins for five seconds, and a few find out; longer each time, up to half a minute.
 * Source: reliability notes 9.
 */
export const createBreaker = (parts: {
  readonly timers: Pick<Timers, "now">;
  readonly leastCalls: number;
  readonly onChange?: (open: boolean) => void;
}): Breaker => {
  const { timers, leastCalls, onChange = () => {} } = parts;
  /** Counts of each second, the oldest first. */
  let seconds: Second[] = [];
  /** What the latest call of each account came to, the oldest first. */
  const latest = new Map<string, { readonly at: number; readonly answered: boolean }>();
  let opened: Opened | undefined;

  const forgetOld = (now: number): void => {
    const since = now - WINDOW_MS;
    seconds = seconds.filter(({ at }) => at > since);
    for (const [account, { at }] of latest) {
      if (at > since) break;
      latest.delete(account);
    }
  };

  const count = (account: string, answered: boolean, now: number): void => {
    const last = seconds.at(-1);
    const current =
      last !== undefined && now - last.at < SECOND ? last : { at: now, calls: 0, lost: 0 };
    if (current !== last) seconds.push(current);
    current.calls += 1;
    if (!answered) current.lost += 1;
    latest.delete(account);
    latest.set(account, { at: now, answered });
  };

  const lostAccounts = (): readonly string[] =>
    [...latest].filter(([, { answered }]) => !answered).map(([account]) => account);

  const mustOpen = (): boolean => {
    const calls = seconds.reduce((sum, second) => sum + second.calls, 0);
    const lost = seconds.reduce((sum, second) => sum + second.lost, 0);
    if (calls < leastCalls || lost * 2 < calls) return false;
    return lostAccounts().length * 2 > latest.size;
  };

  const open = (now: number, pauseMs: number, sole: string | undefined): void => {
    opened = { until: now + pauseMs, pauseMs, sole, probes: new Set() };
  };

  const close = (): void => {
    opened = undefined;
    seconds = [];
    latest.clear();
    onChange(false);
  };

  return {
    admits: (account) => {
      if (opened === undefined) return true;
      const { until, sole, probes } = opened;
      const isStranger = sole !== undefined && sole !== account;
      if (timers.now() < until && !isStranger) return false;
      if (probes.size >= MOST_PROBES || probes.has(account)) return false;
      probes.add(account);
      return true;
    },
    note: (account, answered) => {
      const now = timers.now();
      if (opened !== undefined) {
        if (!opened.probes.delete(account)) return;
        if (answered) close();
        else {
          const { sole, pauseMs } = opened;
          const still = sole === account ? sole : undefined;
          open(now, Math.min(pauseMs * 2, LONGEST_PAUSE_MS), still);
        }
        return;
      }
      forgetOld(now);
      count(account, answered, now);
      if (answered || !mustOpen()) return;
      const lost = lostAccounts();
      open(now, FIRST_PAUSE_MS, lost.length === 1 ? lost[0] : undefined);
      onChange(true);
    },
  };
};
