import { PENDING_PROOF_MS } from "../domain/proof.ts";
import { DAY, HOUR } from "../shared/time.ts";

export interface UpkeepNeeds {
  /** Forgets deliveries that were settled before that instant. */
  readonly purgeDeliveries: (before: Temporal.Instant) => Promise<void>;
  readonly purgeInteractions: (before: Temporal.Instant) => Promise<void>;
  /** Forgets who did what before that instant. */
  readonly purgeAudit: (before: Temporal.Instant) => Promise<void>;
  /** Erases the PIX keys of withdrawals that ended before that instant, and drafts given up before it. */
  readonly purgeEndedWithdrawals: (before: Temporal.Instant) => Promise<void>;
  /** Erases messages that wait since before that instant for the sale that they prove. */
  readonly purgePendingProofs: (before: Temporal.Instant) => Promise<void>;
  /** Ends offers of keys whose time is over. */
  readonly expireKeyOffers: (now: Temporal.Instant) => Promise<void>;
}

/** Tidies the database once a day, PIX keys and offered API keys once an hour, messages that were not kept sooner. Leaving it out loses nothing. */
export type Upkeep = (now: Temporal.Instant) => Promise<void>;

const DELIVERIES_KEPT_MS = 30 * DAY;
/** Discord replays an interaction within minutes, never the day after. */
const INTERACTIONS_KEPT_MS = DAY;
const AUDIT_KEPT_MS = 365 * DAY;
/** For as long the key of a withdrawal can be saved, or read again by its owner. */
const PIX_KEYS_KEPT_MS = DAY;

/** Does the work when it was not done for so long. */
const atMostEvery = (ms: number, work: (now: Temporal.Instant) => Promise<void>): Upkeep => {
  let lastMs = Number.NEGATIVE_INFINITY;
  return async (now) => {
    // The distance both ways: a clock that went back a year must not stop the upkeep for a year.
    if (Math.abs(now.epochMilliseconds - lastMs) < ms) return;
    await work(now);
    lastMs = now.epochMilliseconds;
  };
};

export const createUpkeep = (needs: UpkeepNeeds): Upkeep => {
  const forgetKeys = atMostEvery(HOUR, async (now) => {
    await needs.purgeEndedWithdrawals(now.subtract({ milliseconds: PIX_KEYS_KEPT_MS }));
    await needs.expireKeyOffers(now);
  });
  const forgetProofs = atMostEvery(PENDING_PROOF_MS, (now) =>
    needs.purgePendingProofs(now.subtract({ milliseconds: PENDING_PROOF_MS })),
  );
  const tidy = atMostEvery(DAY, async (now) => {
    await needs.purgeDeliveries(now.subtract({ milliseconds: DELIVERIES_KEPT_MS }));
    await needs.purgeInteractions(now.subtract({ milliseconds: INTERACTIONS_KEPT_MS }));
    await needs.purgeAudit(now.subtract({ milliseconds: AUDIT_KEPT_MS }));
  });
  return async (now) => {
    await forgetKeys(now);
    await forgetProofs(now);
    await tidy(now);
  };
};
