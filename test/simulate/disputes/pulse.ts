import { nextPollAt } from "#src/domain/dispute-watch.ts";
import type { AlertRoute } from "#src/domain/dispute-alert.ts";
import { MINUTE } from "#src/shared/time.ts";
import type { VirtualTime } from "../virtual-time.ts";

export interface Pulse {
  /** All processes beat at the first full minute from then on. */
  readonly stir: (atMs: number) => void;
  /** What is asked of the service for this account may have changed: its next poll matters. */
  readonly touch: (accountId: string) => void;
  readonly onPollTaken: (accountId: string, nextMs: number) => void;
  /** `isClean`: the next polls find nothing until something is touched, or until then. */
  readonly onPollSaved: (accountId: string, nextMs: number, cleanUntilMs: number) => void;
  /** Before a beat: polls that were left out because they would have found nothing are behind us. */
  readonly catchUp: () => Promise<void>;
  /** From now on somebody polls again. */
  readonly onLife: () => void;
}

interface Place {
  nextMs: number;
  cleanUntilMs: number;
}

export interface PulseNeeds {
  readonly time: VirtualTime;
  readonly beat: () => void;
  readonly routeOf: (accountId: string) => AlertRoute | undefined;
  readonly skipPolls: (accountId: string, nextPollAt: Temporal.Instant) => Promise<void>;
  /** Every minute is lived, also those in which nothing can happen. */
  readonly everyMinute: boolean;
}

const instantOf = (ms: number): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(ms);

/**
 * Beats only where something may be to do. Two weeks have twenty thousand minutes, and in most of them a process finds
 * nothing: those are passed over, and the polls of them are counted as made.
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
      // Whoever took it may die over it.
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
        // What was due before anybody lived is asked for at once.
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
