import type {
  ClaimedDelivery,
  DeliveryState,
  NewDelivery,
  Settlement,
} from "../domain/delivery.ts";
import { instantOf, storedInstant } from "./columns.ts";
import { claimDeliveries, type ClaimRequest } from "./outbox-claim.ts";
import { enqueueDelivery } from "./outbox-enqueue.ts";
import { retractDelivery } from "./outbox-retract.ts";
import { settleDelivery } from "./outbox-settle.ts";
import type { Database } from "./schema.ts";
import { createTogether } from "./together.ts";

export interface OutboxStore {
  /** False when it was already there; an alert that is there as obsolete is owed again, and looked for where it may be. */
  readonly enqueue: (delivery: NewDelivery, at: Temporal.Instant) => Promise<boolean>;
  /** Per target only the head of its line; counts the attempt and commits before it returns. */
  readonly claim: (request: ClaimRequest) => Promise<ClaimedDelivery[]>;
  /**
   * False when the lease was lost: another process holds the delivery, or it was withdrawn. `untold` is of the same
   * transaction; see `UntoldStep` for what happens when the dispute has changed.
   */
  readonly settle: (claim: ClaimedDelivery, result: Settlement) => Promise<boolean>;
  readonly state: (dedupeKey: string) => Promise<DeliveryState | undefined>;
  /**
   * Takes a delivery back that no attempt can have posted; nothing happens to any other. True when it is sure that its
   * reader never got it, and never will; also of one that was never owed.
   */
  readonly retract: (dedupeKey: string, at: Temporal.Instant) => Promise<boolean>;
  /** Age of the oldest delivery that is due and not held back by a lost channel; 0 when there is none. */
  readonly pendingAgeMs: (now: Temporal.Instant) => Promise<number>;
  /** Forgets what was settled before that instant. */
  readonly purge: (settledBefore: Temporal.Instant) => Promise<void>;
}

const oldestPending = (db: Database, now: Temporal.Instant) =>
  db
    .selectFrom("outbox as pending")
    .select("pending.line_at")
    .where("pending.settled_at", "is", null)
    .where("pending.line_at", "<=", storedInstant(now))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("outbox as blocked")
            .select("blocked.dedupe_key")
            .where("blocked.settled_at", "is", null)
            .whereRef("blocked.line", "=", "pending.line")
            .where("blocked.was_blocked", "=", 1),
        ),
      ),
    )
    .orderBy("pending.line_at")
    .limit(1)
    .executeTakeFirst();

/**
 * Posts that are owed to Discord. `leaseNow` is the clock of leases and of attempts; `now` and `notBefore` are the
 * bot's own time.
 */
export const outboxStore = (
  db: Database,
  leaseNow: () => Promise<Temporal.Instant>,
  together = createTogether(db),
): OutboxStore => ({
  enqueue: (delivery, at) => enqueueDelivery(db, delivery, at),
  claim: async (request) => {
    const at = await leaseNow();
    return await together((trx) => claimDeliveries(trx, request, at), "look");
  },
  settle: async (claim, result) => {
    const at = await leaseNow();
    return await together((trx) => settleDelivery(trx, claim, result, at));
  },
  state: async (dedupeKey) => {
    const row = await db
      .selectFrom("outbox")
      .select("state")
      .where("dedupe_key", "=", dedupeKey)
      .executeTakeFirst();
    return row?.state;
  },
  retract: (dedupeKey, at) => retractDelivery(db, dedupeKey, at),
  pendingAgeMs: async (now) => {
    const oldest = await oldestPending(db, now);
    return oldest === undefined ? 0 : now.since(instantOf(oldest.line_at)).total("milliseconds");
  },
  purge: async (settledBefore) => {
    await db.deleteFrom("outbox").where("settled_at", "<", storedInstant(settledBefore)).execute();
  },
});
