import { SECOND } from "../shared/time.ts";
import type { Timers } from "./timers.ts";

interface CallSource {
  readonly account: string;
  /** Path with its parameters as names. */
  readonly route: string;
}

export type Breaker = ReturnType<typeof createBreaker>;

const WINDOW_MS = 30 * SECOND;
const FIRST_PAUSE_MS = 5 * SECOND;
const LONGEST_PAUSE_MS = 30 * SECOND;
/** Probes at the same time: a hanging probe does not delay the others. */
const MOST_PROBES = 3;

interface Second {
  readonly at: number;
  calls: number;
  lost: number;
}

/** Whether the latest call of each name was answered, the oldest first. */
type Latest = Map<string, { readonly at: number; readonly answered: boolean }>;

interface Opened {
  until: number;
  pauseMs: number;
  /**
   * The only account, or the only route, whose calls failed, if there is just one: all other calls may begin at once.
   */
  readonly soleAccount: string | undefined;
  readonly soleRoute: string | undefined;
  readonly probes: Set<string>;
}

const lostIn = (latest: Latest): readonly string[] =>
  [...latest].filter(([, { answered }]) => !answered).map(([name]) => name);

const soleOf = ([first, ...others]: readonly string[]): string | undefined =>
  others.length === 0 ? first : undefined;

const nameOf = ({ account, route }: CallSource): string => `${account} ${route}`;

/**
 * Stops the reads of all accounts of this process while the service does not answer.
 *
 * Opens when, of at least `leastCalls` calls within about 30 seconds, half were left without an answer, and so was the
 * latest call of most accounts and of most routes: one hanging account, or one hanging kind of read, does not stop
 * the others. No call then begins for five seconds, after which up to three probes do; a round of probes that fails
 * doubles the pause, up to half a minute.
 * Source: decisions 3.
 */
export const createBreaker = (parts: {
  readonly timers: Pick<Timers, "now">;
  readonly leastCalls: number;
  readonly onChange?: (open: boolean) => void;
}) => {
  const { timers, leastCalls, onChange = () => {} } = parts;
  /** Counts of each second, the oldest first. */
  let seconds: Second[] = [];
  const accounts: Latest = new Map();
  const routes: Latest = new Map();
  let opened: Opened | undefined;
  let forgottenAt = -Infinity;

  // Once a second: a map's iterator passes over all places of names that were deleted.
  const forgetOld = (now: number): void => {
    if (now - forgottenAt < SECOND) return;
    forgottenAt = now;
    const since = now - WINDOW_MS;
    seconds = seconds.filter(({ at }) => at > since);
    for (const latest of [accounts, routes]) {
      for (const [name, { at }] of latest) {
        if (at > since) break;
        latest.delete(name);
      }
    }
  };

  const count = ({ account, route }: CallSource, answered: boolean, at: number): void => {
    const last = seconds.at(-1);
    const current = last !== undefined && at - last.at < SECOND ? last : { at, calls: 0, lost: 0 };
    if (current !== last) seconds.push(current);
    current.calls += 1;
    if (!answered) current.lost += 1;
    accounts.delete(account);
    accounts.set(account, { at, answered });
    routes.delete(route);
    routes.set(route, { at, answered });
  };

  const openIfLost = (now: number): void => {
    const calls = seconds.reduce((sum, second) => sum + second.calls, 0);
    const lost = seconds.reduce((sum, second) => sum + second.lost, 0);
    if (calls < leastCalls || lost * 2 < calls) return;
    const [lostAccounts, lostRoutes] = [lostIn(accounts), lostIn(routes)];
    if (lostAccounts.length * 2 <= accounts.size || lostRoutes.length * 2 <= routes.size) return;
    opened = {
      until: now + FIRST_PAUSE_MS,
      pauseMs: FIRST_PAUSE_MS,
      soleAccount: soleOf(lostAccounts),
      soleRoute: soleOf(lostRoutes),
      probes: new Set(),
    };
    onChange(true);
  };

  const close = (): void => {
    opened = undefined;
    seconds = [];
    accounts.clear();
    routes.clear();
    onChange(false);
  };

  const isStranger = (
    { soleAccount, soleRoute }: Opened,
    { account, route }: CallSource,
  ): boolean =>
    (soleAccount !== undefined && soleAccount !== account) ||
    (soleRoute !== undefined && soleRoute !== route);

  const noteProbe = (open: Opened, source: CallSource, answered: boolean, now: number): void => {
    if (!open.probes.delete(nameOf(source))) return;
    if (answered) {
      close();
      return;
    }
    if (now < open.until && !isStranger(open, source)) return;
    const pauseMs = Math.min(open.pauseMs * 2, LONGEST_PAUSE_MS);
    const same = !isStranger(open, source);
    opened = {
      until: now + pauseMs,
      pauseMs,
      soleAccount: same ? open.soleAccount : undefined,
      soleRoute: same ? open.soleRoute : undefined,
      probes: open.probes,
    };
  };

  return {
    /** Whether a call may begin. A call that begins while the breaker is open is a probe: its result must be noted. */
    admits: (source: CallSource): boolean => {
      if (opened === undefined) return true;
      const { probes, until } = opened;
      const name = nameOf(source);
      // Calls of other accounts or routes have all been answered so far: they begin freely until one fails.
      const mayBegin =
        isStranger(opened, source) ||
        (timers.now() >= until && probes.size < MOST_PROBES && !probes.has(name));
      if (mayBegin) probes.add(name);
      return mayBegin;
    },
    /** Notes the result of a call; any answer of the service counts as answered, a refusal too. */
    note: (source: CallSource, answered: boolean): void => {
      const now = timers.now();
      if (opened !== undefined) {
        noteProbe(opened, source, answered, now);
        return;
      }
      forgetOld(now);
      count(source, answered, now);
      if (!answered) openIfLost(now);
    },
  };
};
