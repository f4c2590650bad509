import { PENDING_PROOF_MS } from "../defence/proof.ts";
import { DAY, HOUR } from "../shared/time.ts";

/** Deletes older rows; ends early when the bot stops. */
type Purge = (before: Temporal.Instant, stopping: AbortSignal) => Promise<void>;

interface UpkeepNeeds {
  readonly purgeDeliveries: Purge;
  readonly purgeInteractions: Purge;
  readonly purgeAudit: Purge;
  readonly purgeSalesDays: Upkeep;
  /** Erases the PIX keys of withdrawals that ended before that instant, and drafts given up before it. */
  readonly purgeEndedWithdrawals: Purge;
  /** Erases messages that were marked as proof before that instant and never tied to a sale. */
  readonly purgePendingProofs: Purge;
  readonly purgeCharges: Purge;
  readonly expireKeyOffers: Upkeep;
}

/**
 * Deletes old data: untied proofs most often, PIX keys and key offers every hour, the rest once a day. Skipping a run
 * loses no data.
 */
type Upkeep = (now: Temporal.Instant, stopping: AbortSignal) => Promise<void>;

const DELIVERIES_KEPT_MS = 30 * DAY;
/** Discord replays an interaction within minutes, never the day after. */
const INTERACTIONS_KEPT_MS = DAY;
const AUDIT_KEPT_MS = 365 * DAY;
/** The close of a month, which is read until the next one, compares the fees of its charges. */
const CHARGES_KEPT_MS = 70 * DAY;
/** During this time the owner can save the PIX key of a withdrawal, or read it again. */
const PIX_KEYS_KEPT_MS = DAY;

/** Skips the work if it was done less than `ms` ago. */
const atMostEvery = (ms: number, work: Upkeep): Upkeep => {
  let lastMs = Number.NEGATIVE_INFINITY;
  return async (now, stopping) => {
    // Absolute distance: a clock that is set back a year must not stop the upkeep for a year.
    if (Math.abs(now.epochMilliseconds - lastMs) < ms) return;
    await work(now, stopping);
    lastMs = now.epochMilliseconds;
  };
};

export const createUpkeep = (needs: UpkeepNeeds): Upkeep => {
  const older =
    (purge: Purge, keptMs: number): Upkeep =>
    (now, stopping) =>
      purge(now.subtract({ milliseconds: keptMs }), stopping);
  const parts = [
    atMostEvery(HOUR, older(needs.purgeEndedWithdrawals, PIX_KEYS_KEPT_MS)),
    atMostEvery(HOUR, needs.expireKeyOffers),
    atMostEvery(PENDING_PROOF_MS, older(needs.purgePendingProofs, PENDING_PROOF_MS)),
    atMostEvery(DAY, older(needs.purgeDeliveries, DELIVERIES_KEPT_MS)),
    atMostEvery(DAY, older(needs.purgeInteractions, INTERACTIONS_KEPT_MS)),
    atMostEvery(DAY, older(needs.purgeCharges, CHARGES_KEPT_MS)),
    atMostEvery(DAY, needs.purgeSalesDays),
    atMostEvery(DAY, older(needs.purgeAudit, AUDIT_KEPT_MS)),
  ];
  return async (now, stopping) => {
    const failures: unknown[] = [];
    for (const part of parts) {
      if (stopping.aborted) break;
      try {
        await part(now, stopping);
      } catch (error) {
        // The other parts go on, and this one is tried again at the next beat.
        failures.push(error);
      }
    }
    if (failures.length > 1) throw new AggregateError(failures);
    if (failures.length > 0) throw failures[0];
  };
};
