import { nextPollAt } from "#src/disputes/dispute-watch.ts";
import type { AlertRoute } from "#src/disputes/dispute-alert.ts";
import { MINUTE } from "#src/shared/time.ts";
import type { VirtualTime } from "../virtual-time.ts";

export interface Pulse {
  /** Makes all processes beat at the first full minute from then on. */
  readonly stir: (atMs: number) => void;
  /** The service's answers for this account may have changed: its next poll matters. */
  readonly touch: (accountId: string) => void;
  readonly onPollTaken: (accountId: string, nextMs: number) => void;
  /** Until `cleanUntilMs` further polls find no news, unless a `touch` comes first. */
  readonly onPollSaved: (accountId: string, nextMs: number, cleanUntilMs: number) => void;
  /** Before a beat: completes the uneventful polls that were skipped. */
  readonly catchUp: () => Promise<void>;
  /** Called when a process starts and polls again. */
  readonly onLife: () => void;
}

interface Place {
  nextMs: number;
  cleanUntilMs: number;
}

interface PulseNeeds {
  readonly time: VirtualTime;
  readonly beat: () => void;
  readonly routeOf: (accountId: string) => AlertRoute | undefined;
  readonly skipPolls: (accountId: string, nextPollAt: Temporal.Instant) => Promise<void>;
  /** Simulates every minute, including the idle ones. */
  readonly everyMinute: boolean;
}

const instantOf = (ms: number): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(ms);

/**
 * Beats only when work may be due. Most of the twenty thousand minutes of two weeks are idle: the pulse skips them and
 * counts their polls as made.
 */
export const createPulse = (needs: PulseNeeds): Pulse => {
  const { time, routeOf, everyMinute } = needs;
  const minutes = new Set<number>();
  const places = new Map<string, Place>();
  let aliveMs = time.nowMs();

  const stir = (atMs: number): void => {
    const minute = Math.ceil(Math.max(atMs, time.nowMs()) / MINUTE);
    if (minutes.has(minute)) return;
    minutes.add(minute);
    time.after(minute * MINUTE - time.nowMs(), () => {
      minutes.delete(minute);
      if (everyMinute) stir(time.nowMs() + 1);
      needs.beat();
    });
  };
  const pollAfter = (accountId: string, atMs: number): number =>
    nextPollAt(accountId, routeOf(accountId), instantOf(atMs)).epochMilliseconds;

  return {
    stir,
    touch: (accountId) => {
      const place = places.get(accountId);
      if (place) place.cleanUntilMs = Math.min(place.cleanUntilMs, time.nowMs());
      stir(pollAfter(accountId, time.nowMs()));
      stir(place?.nextMs ?? 0);
    },
    onPollTaken: (accountId, nextMs) => {
      const held = { nextMs, cleanUntilMs: 0 };
      places.set(accountId, held);
      // The process that took the poll may die during it.
      time.after(nextMs - time.nowMs(), () => {
        if (places.get(accountId) === held) stir(time.nowMs());
      });
    },
    onPollSaved: (accountId, nextMs, cleanUntilMs) => {
      places.set(accountId, { nextMs, cleanUntilMs });
      if (cleanUntilMs < Infinity) stir(Math.max(nextMs, pollAfter(accountId, cleanUntilMs)));
    },
    onLife: () => {
      aliveMs = time.nowMs();
    },
    catchUp: async () => {
      if (everyMinute) return;
      for (const [accountId, place] of places) {
        // Polls that became due before the first process are due at once.
        if (place.nextMs > time.nowMs() || place.nextMs < aliveMs) continue;
        const passedMs = Math.min(time.nowMs() - MINUTE, place.cleanUntilMs);
        const nextMs = pollAfter(accountId, passedMs);
        if (nextMs <= place.nextMs) continue;
        place.nextMs = nextMs;
        await needs.skipPolls(accountId, instantOf(nextMs));
      }
    },
  };
};
