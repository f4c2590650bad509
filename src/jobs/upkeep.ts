import { DAY } from "../shared/duration.ts";

export interface UpkeepNeeds {
  /** Forgets deliveries that were settled before that instant. */
  readonly purgeDeliveries: (before: Temporal.Instant) => Promise<void>;
  readonly forgetInteractions: (before: Temporal.Instant) => Promise<void>;
  /** Forgets who did what before that instant. */
  readonly forgetAudit: (before: Temporal.Instant) => Promise<void>;
}

/** Tidies the database, at most once a day. Leaving it out loses nothing. */
export type Upkeep = (now: Temporal.Instant) => Promise<void>;

const EVERY_MS = DAY;
const DELIVERIES_KEPT_MS = 30 * DAY;
/** Discord replays an interaction within minutes, never the day after. */
const INTERACTIONS_KEPT_MS = DAY;
const AUDIT_KEPT_MS = 365 * DAY;

export const createUpkeep = (needs: UpkeepNeeds): Upkeep => {
  let lastMs = Number.NEGATIVE_INFINITY;
  return async (now) => {
    // The distance both ways: a clock that went back a year must not stop the upkeep for a year.
    if (Math.abs(now.epochMilliseconds - lastMs) < EVERY_MS) return;
    await needs.purgeDeliveries(now.subtract({ milliseconds: DELIVERIES_KEPT_MS }));
    await needs.forgetInteractions(now.subtract({ milliseconds: INTERACTIONS_KEPT_MS }));
    await needs.forgetAudit(now.subtract({ milliseconds: AUDIT_KEPT_MS }));
    lastMs = now.epochMilliseconds;
  };
};
