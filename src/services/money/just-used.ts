import { type Clock, MINUTE } from "../../shared/time.ts";
import type { Confirmation } from "./money-services.ts";

/** What a token led to when it was used. */
export interface Used {
  readonly opId: string;
  /** The confirmation that took its place, if one did. */
  readonly next: Confirmation | undefined;
}

/**
 * Tokens used a moment ago, so that a second click is answered with what the first one did. A courtesy of this process
 * only: whether a token is good is the journal's to say.
 */
export interface JustUsed {
  readonly note: (tokenHash: string, used: Used) => void;
  readonly find: (tokenHash: string) => Used | undefined;
}

const KEPT_MS = 5 * MINUTE;
const MOST_KEPT = 1_000;

export const createJustUsed = (clock: Clock): JustUsed => {
  const kept = new Map<string, Used & { readonly untilMs: number }>();
  return {
    note: (tokenHash, used) => {
      const nowMs = clock.now().epochMilliseconds;
      for (const [hash, { untilMs }] of kept) {
        if (untilMs > nowMs && kept.size < MOST_KEPT) break;
        kept.delete(hash);
      }
      kept.set(tokenHash, { ...used, untilMs: nowMs + KEPT_MS });
    },
    find: (tokenHash) => kept.get(tokenHash),
  };
};
