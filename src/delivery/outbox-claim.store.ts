import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import { type ClaimedDelivery, type DeliveryPayload } from "./delivery.ts";
import { deliveryPolicies, kindsWhere, LONGEST_BLOCK_MS } from "./delivery-policies.ts";
import type { AlertSubject } from "../disputes/dispute-alert.ts";
import {
  flagOf,
  instantOf,
  optionalInstantOf,
  storedInstant,
  type StoredInstant,
} from "../database/columns.ts";
import { targetOf } from "./outbox-enqueue.store.ts";
import type { Database, OutboxTable, Schema } from "../schema.ts";
import type { DatabaseRestore } from "../withdrawals/restore-hold.ts";
import { lostLifeOf } from "./settlement.ts";
import { DAY, SET_BACK_MS } from "../shared/time.ts";
import { restoreOf } from "../database/storage-state.ts";
import { inList, rowLock } from "../database/queries.ts";

export interface ClaimRequest {
  /** Name of this process. With the fencing token it proves who holds a delivery. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  readonly now: Temporal.Instant;
  /** Keys whose attempt by this process goes on, though its lease may be over. */
  readonly except?: readonly string[];
}

const leaseEnd = ({ leaseMs }: ClaimRequest, leaseNow: Temporal.Instant): StoredInstant =>
  storedInstant(leaseNow.add({ milliseconds: leaseMs }));

/** A delivery is retried for at most a week, and a repeated alert for another week. */
const RESTORES_MATTER_MS = 14 * DAY;

type OutboxRow = Selectable<OutboxTable>;

/** Restores that may have affected a recent delivery. */
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

const dayOf = ({ day }: OutboxRow): Temporal.PlainDate | undefined =>
  day === null ? undefined : Temporal.PlainDate.from(day);

const alertOf = ({ watch_id, infraction_id, step, due_at }: OutboxRow): AlertSubject | undefined =>
  watch_id === null || infraction_id === null || step === null
    ? undefined
    : { watchId: watch_id, infractionId: infraction_id, step, dueAt: optionalInstantOf(due_at) };

const claimedOf = (
  row: OutboxRow,
  claimedAt: Temporal.Instant,
  restores: readonly DatabaseRestore[],
): ClaimedDelivery => ({
  dedupeKey: row.dedupe_key,
  kind: row.kind,
  target: targetOf(row),
  guildId: row.guild_id,
  accountId: row.account_id,
  payload: JSON.parse(row.payload) as DeliveryPayload,
  notBefore: instantOf(row.not_before),
  nonce: row.nonce,
  attempts: row.attempts,
  enqueuedAt: instantOf(row.created_at),
  lostLife: lostLifeOf(
    { kind: row.kind, day: dayOf(row), enqueuedAt: instantOf(row.created_at) },
    restores,
  ),
  day: dayOf(row),
  closeKind: row.close_kind ?? undefined,
  alert: alertOf(row),
  repeatOf: row.repeat_of ?? undefined,
  offerId: row.offer_id ?? undefined,
  opId: row.op_id ?? undefined,
  firstAttemptAt: row.first_attempt_at === null ? claimedAt : instantOf(row.first_attempt_at),
  claimedAt,
  owner: row.owner ?? "",
  token: row.token,
  wasBlocked: flagOf(row.was_blocked),
});

const policies = Object.values(deliveryPolicies);
const waits = [...new Set(policies.map(({ longestWaitMs }) => longestWaitMs))];

/** Whether a clock that was set back since then put a delivery off. A delivery's first attempt is not waited for. */
const isPutOff = (
  eb: ExpressionBuilder<Schema & { head: OutboxTable }, "head">,
  now: Temporal.Instant,
) => {
  const beyond = (milliseconds: number) => storedInstant(now.add({ milliseconds }));
  return eb.or([
    eb.and([eb("head.token", "=", 0), eb("head.created_at", ">", beyond(SET_BACK_MS))]),
    eb.and([
      eb("head.state", "=", "blocked"),
      eb("head.not_before", ">", beyond(LONGEST_BLOCK_MS)),
    ]),
    ...waits.map((waitMs) =>
      eb.and([
        eb("head.state", "=", "due"),
        eb("head.not_before", ">", beyond(waitMs)),
        eb(
          "head.kind",
          "in",
          kindsWhere(({ longestWaitMs }) => longestWaitMs === waitMs),
        ),
      ]),
    ),
  ]);
};

/** A lost channel ends these, so that they do not wait for its next probe: their route is suspended at once. */
const endedKinds = kindsWhere(({ lostChannel }) => lostChannel === "cancel");

/** The head of each line, if it may be tried now. A head that must wait holds its whole line, but for `endedKinds`. */
const claimable = (db: Database, request: ClaimRequest, leaseNow: Temporal.Instant) =>
  db
    .selectFrom("outbox as head")
    .select("head.dedupe_key")
    .where("head.settled_at", "is", null)
    .where("head.dedupe_key", "not in", inList(db, request.except ?? []))
    .where((eb) =>
      eb.or([
        eb.and([
          eb("head.state", "in", ["due", "blocked"]),
          eb.or([
            eb("head.not_before", "<=", storedInstant(request.now)),
            isPutOff(eb, request.now),
          ]),
        ]),
        // The lease ended: its process died, or lost the database; or it was taken before the clock was set back.
        eb.and([
          eb("head.state", "=", "sending"),
          eb.or([
            eb("head.lease_until", "<=", storedInstant(leaseNow)),
            eb(
              "head.lease_until",
              ">",
              leaseEnd(request, leaseNow.add({ milliseconds: SET_BACK_MS })),
            ),
          ]),
        ]),
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
            )
            .where((earlier) =>
              earlier.or([
                earlier("earlier.state", "<>", "blocked"),
                earlier("earlier.not_before", "<=", storedInstant(request.now)),
                earlier("head.kind", "not in", endedKinds),
              ]),
            ),
        ),
      ),
    )
    .orderBy("head.line_at")
    .orderBy("head.created_at")
    .orderBy("head.dedupe_key")
    .limit(request.limit)
    .modifyEnd(rowLock(db, "for update skip locked"));

const inOrder = (one: OutboxRow, other: OutboxRow): number => {
  const [left, right] = [one, other].map(
    (row) => `${row.line_at}|${row.created_at}|${row.dedupe_key}`,
  );
  return left !== undefined && right !== undefined && left < right ? -1 : 1;
};

/**
 * Claims deliveries for `owner` until their lease ends, oldest first, at most one from each line. The attempt is
 * counted and committed before the caller can post, so that a crash leaves a trace of it.
 */
export const claimDeliveries = async (
  db: Database,
  request: ClaimRequest,
  leaseNow: Temporal.Instant,
): Promise<ClaimedDelivery[]> => {
  const leaseStart = storedInstant(leaseNow);
  const leaseUntil = leaseEnd(request, leaseNow);
  const rows = await db
    // Materialised, so that PostgreSQL applies the limit once in every plan of the update.
    .with(
      (cte) => cte("claimable").materialized(),
      () => claimable(db, request, leaseNow),
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
