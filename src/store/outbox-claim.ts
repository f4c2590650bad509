import { type Selectable, sql } from "kysely";
import type { ClaimedDelivery, DeliveryPayload } from "../domain/delivery.ts";
import type { DatabaseRestore } from "../domain/restore-hold.ts";
import { lostLifeOf } from "../domain/settlement.ts";
import { DAY } from "../shared/duration.ts";
import { flagOf, instantOf, type StoredInstant, storedInstant } from "./columns.ts";
import { restoreOf } from "./restore-holds.ts";
import { rowLock } from "./row-lock.ts";
import type { Database, OutboxTable } from "./schema.ts";

export interface ClaimRequest {
  /** Names this process; with the fencing number it proves who holds a delivery. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** What is due by this instant. */
  readonly now: Temporal.Instant;
}

/** What is owed is owed for a week at most, and what is owed again comes within another. */
const RESTORES_MATTER_MS = 14 * DAY;

type OutboxRow = Selectable<OutboxTable>;

/** Restores that a delivery of the last days can have come through. */
const recentRestores = async (
  db: Database,
  now: Temporal.Instant,
): Promise<readonly DatabaseRestore[]> => {
  const rows = await db
    .selectFrom("database_restore")
    .selectAll()
    .where("noticed_at", ">", storedInstant(now.subtract({ milliseconds: RESTORES_MATTER_MS })))
    .execute();
  return rows.map(restoreOf);
};

const claimedOf = (
  row: OutboxRow,
  claimedAt: Temporal.Instant,
  restores: readonly DatabaseRestore[],
): ClaimedDelivery => ({
  dedupeKey: row.dedupe_key,
  kind: row.kind,
  target:
    row.target_kind === "channel"
      ? { kind: "channel", channelId: row.target_id }
      : { kind: "person", userId: row.target_id },
  guildId: row.guild_id,
  accountId: row.account_id,
  payload: JSON.parse(row.payload) as DeliveryPayload,
  notBefore: instantOf(row.not_before),
  nonce: row.nonce,
  attempts: row.attempts,
  enqueuedAt: instantOf(row.created_at),
  lostLife: lostLifeOf(
    { kind: row.kind, dedupeKey: row.dedupe_key, enqueuedAt: instantOf(row.created_at) },
    restores,
  ),
  firstAttemptAt: row.first_attempt_at === null ? claimedAt : instantOf(row.first_attempt_at),
  claimedAt,
  owner: row.owner ?? "",
  token: row.token,
  wasBlocked: flagOf(row.was_blocked),
});

/** The first of each line that may be tried now. A first that must wait holds its whole line. */
const claimable = (db: Database, now: StoredInstant, leaseNow: StoredInstant, limit: number) =>
  db
    .selectFrom("outbox as head")
    .select("head.dedupe_key")
    .where("head.settled_at", "is", null)
    .where("head.line_at", "<=", now)
    .where((eb) =>
      eb.or([
        eb.and([eb("head.state", "in", ["due", "blocked"]), eb("head.not_before", "<=", now)]),
        // Whoever held it died, or lost touch with the database.
        eb.and([eb("head.state", "=", "sending"), eb("head.lease_until", "<=", leaseNow)]),
      ]),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("outbox as earlier")
            .select("earlier.dedupe_key")
            .where("earlier.settled_at", "is", null)
            .whereRef("earlier.line", "=", "head.line")
            .where(
              sql<boolean>`(earlier.line_at, earlier.created_at, earlier.dedupe_key)
                < (head.line_at, head.created_at, head.dedupe_key)`,
            ),
        ),
      ),
    )
    .orderBy("head.line_at")
    .orderBy("head.created_at")
    .orderBy("head.dedupe_key")
    .limit(limit)
    .modifyEnd(rowLock(db, "for update skip locked"));

const inOrder = (one: OutboxRow, other: OutboxRow): number => {
  const [left, right] = [one, other].map(
    (row) => `${row.line_at}|${row.created_at}|${row.dedupe_key}`,
  );
  return left !== undefined && right !== undefined && left < right ? -1 : 1;
};

/**
 * Takes deliveries for `owner` until their lease ends, oldest first, at most one of each line. The attempt is counted
 * and committed before the caller can post, so that a crash leaves a trace of it.
 */
export const claimDeliveries = async (
  db: Database,
  request: ClaimRequest,
  leaseNow: Temporal.Instant,
): Promise<ClaimedDelivery[]> => {
  const leaseStart = storedInstant(leaseNow);
  const leaseUntil = storedInstant(leaseNow.add({ milliseconds: request.leaseMs }));
  const rows = await db
    // Materialised, so that the limit is applied once however PostgreSQL plans the update.
    .with(
      (cte) => cte("claimable").materialized(),
      () => claimable(db, storedInstant(request.now), leaseStart, request.limit),
    )
    .updateTable("outbox")
    .set((eb) => ({
      state: "sending",
      owner: request.owner,
      lease_until: leaseUntil,
      token: eb("token", "+", 1),
      attempts: eb("attempts", "+", 1),
      first_attempt_at: eb.fn.coalesce("first_attempt_at", eb.val(leaseStart)),
      first_attempt_token: eb.fn.coalesce("first_attempt_token", eb("token", "+", 1)),
    }))
    .where("dedupe_key", "in", (eb) => eb.selectFrom("claimable").select("dedupe_key"))
    .returningAll()
    .execute();
  const claimedAt = Temporal.Instant.from(leaseStart);
  const restores = rows.length === 0 ? [] : await recentRestores(db, request.now);
  return rows.sort(inOrder).map((row) => claimedOf(row, claimedAt, restores));
};
