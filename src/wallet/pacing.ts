import { MINUTE, SECOND } from "../shared/time.ts";
import type { Priority } from "../accounts/wallet-key.ts";
import type { Timers } from "./timers.ts";

export interface Pace {
  readonly perMinute: number;
  /** Calls that may follow one another at once after a quiet time. */
  readonly burst: number;
  /** Calls of the burst that jobs leave to people. */
  readonly backgroundHeadroom: number;
}

export type Pacer = ReturnType<typeof createPacer>;

interface Waiter {
  readonly priority: Priority;
  readonly expiresAt: number;
  readonly settle: (waitMs: number) => void;
}

interface Queue {
  readonly waiters: Waiter[];
  cancelTimer: () => void;
}

interface Slowdown {
  readonly until: number;
  /** No turn before this time. */
  readonly heldUntil: number;
  /** How many times slower jobs run. */
  readonly factor: number;
  nextAt: number;
}

const RANK: Readonly<Record<Priority, number>> = { money: 0, interactive: 1, background: 2 };
const SLOWDOWN_MS = 10 * MINUTE;
const SLOWDOWN_FACTOR = 2;
const LARGEST_SLOWDOWN = 16;
const SWEEP_MS = SECOND;

/**
 * Spaces the calls of each account by GCRA: one time per account, `tat`, at which its calls so far would end if
 * spread out evenly. In any 60 seconds at most `perMinute + burst` calls get a turn. Processes that share a key do
 * not coordinate.
 */
export const createPacer = (pace: Pace, timers: Timers) => {
  const spacing = MINUTE / pace.perMinute;
  const tolerance = (pace.burst - 1) * spacing;
  const headroom = pace.backgroundHeadroom * spacing;
  const tats = new Map<string, number>();
  const slowdowns = new Map<string, Slowdown>();
  const queues = new Map<string, Queue>();
  let cancelSweep: (() => void) | undefined;
  let closed = false;

  const freeAt = (account: string, priority: Priority): number => {
    const at = (tats.get(account) ?? -Infinity) - tolerance;
    if (priority !== "background") return at;
    return Math.max(at + headroom, slowdowns.get(account)?.nextAt ?? -Infinity);
  };

  const grant = (account: string, priority: Priority, now: number) => {
    tats.set(account, Math.max(now, tats.get(account) ?? now) + spacing);
    const slowdown = slowdowns.get(account);
    if (priority === "background" && slowdown) slowdown.nextAt = now + slowdown.factor * spacing;
    cancelSweep ??= timers.after(SWEEP_MS, sweep);
  };

  /**
   * The service also refuses frequent calls by limits that it does not document: each further refusal slows jobs
   * further.
   */
  const nextFactor = (account: string, now: number): number => {
    const slowdown = slowdowns.get(account);
    if (slowdown === undefined || slowdown.until <= now) return SLOWDOWN_FACTOR;
    // Calls under way together are refused together: they count as one refusal.
    if (now < slowdown.heldUntil) return slowdown.factor;
    return Math.min(slowdown.factor * SLOWDOWN_FACTOR, LARGEST_SLOWDOWN);
  };

  const sweep = () => {
    const now = timers.now();
    for (const [account, tat] of tats) if (tat <= now) tats.delete(account);
    for (const [account, { until }] of slowdowns) if (until <= now) slowdowns.delete(account);
    const idle = tats.size === 0 && slowdowns.size === 0;
    cancelSweep = idle ? undefined : timers.after(SWEEP_MS, sweep);
  };

  const arm = (account: string, queue: Queue) => {
    queue.cancelTimer();
    const [head] = queue.waiters;
    if (head === undefined) {
      queues.delete(account);
      return;
    }
    const expiry = Math.min(...queue.waiters.map(({ expiresAt }) => expiresAt));
    const at = Math.min(freeAt(account, head.priority), expiry);
    const delay = Math.max(1, Math.ceil(at - timers.now()));
    queue.cancelTimer = timers.after(delay, () => {
      advance(account, queue);
    });
  };

  const advance = (account: string, queue: Queue) => {
    const now = timers.now();
    for (let [head] = queue.waiters; head; [head] = queue.waiters) {
      if (freeAt(account, head.priority) > now) break;
      queue.waiters.shift();
      grant(account, head.priority, now);
      head.settle(0);
    }
    const late = queue.waiters.filter(
      ({ priority, expiresAt }) => Math.max(freeAt(account, priority), now) > expiresAt,
    );
    for (const waiter of late) {
      queue.waiters.splice(queue.waiters.indexOf(waiter), 1);
      waiter.settle(Math.max(1, Math.ceil(freeAt(account, waiter.priority) - now)));
    }
    arm(account, queue);
  };

  const enqueue = (
    account: string,
    priority: Priority,
    place: number,
    expiresAt: number,
  ): Promise<number> =>
    new Promise((settle) => {
      const queue = queues.get(account) ?? { waiters: [], cancelTimer: () => {} };
      queues.set(account, queue);
      queue.waiters.splice(place, 0, { priority, expiresAt, settle });
      arm(account, queue);
    });

  const placeOf = (account: string, priority: Priority): number => {
    const waiters = queues.get(account)?.waiters ?? [];
    const behind = waiters.findIndex((waiter) => RANK[waiter.priority] > RANK[priority]);
    return behind === -1 ? waiters.length : behind;
  };

  /** The wait, in ms, for the account's next turn behind those that wait already; takes none. */
  const waitMs = (account: string, priority: Priority): number =>
    Math.ceil(
      Math.max(freeAt(account, priority) - timers.now(), 0) + placeOf(account, priority) * spacing,
    );

  /**
   * Takes a turn of the account. 0: taken, call now. Any other number: no turn, as the wait would be that many ms
   * (infinite once the pacer is closed). A free turn is returned without a promise.
   */
  const take = (
    account: string,
    priority: Priority,
    longestWaitMs: number,
  ): number | Promise<number> => {
    if (closed) return Infinity;
    const wait = waitMs(account, priority);
    const now = timers.now();
    if (wait === 0) {
      grant(account, priority, now);
      return 0;
    }
    const place = placeOf(account, priority);
    return wait > longestWaitMs ? wait : enqueue(account, priority, place, now + longestWaitMs);
  };

  return {
    take,
    waitMs,
    /**
     * Gives the account no turn for `ms` and no burst after it, and slows its jobs to half their rate for ten minutes.
     * A further call within that time halves their rate again, down to a sixteenth.
     */
    hold: (account: string, ms: number): void => {
      const now = timers.now();
      const until = now + ms;
      const factor = nextFactor(account, now);
      tats.set(account, Math.max(tats.get(account) ?? 0, until + tolerance));
      const heldUntil = Math.max(until, slowdowns.get(account)?.heldUntil ?? until);
      slowdowns.set(account, { until: until + SLOWDOWN_MS, heldUntil, factor, nextAt: until });
      cancelSweep ??= timers.after(SWEEP_MS, sweep);
      const queue = queues.get(account);
      if (queue) advance(account, queue);
    },
    /** Number of entries in memory; quiet accounts are forgotten. */
    size: (): number => tats.size + slowdowns.size + queues.size,
    /** Ends all waits without a turn. */
    close: (): void => {
      closed = true;
      cancelSweep?.();
      for (const queue of queues.values()) {
        queue.cancelTimer();
        for (const waiter of queue.waiters.splice(0)) waiter.settle(Infinity);
      }
      queues.clear();
    },
  };
};
