import { type Selectable, sql } from "kysely";
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
import type { Database, OutboxTable } from "../schema.ts";
import type { DatabaseRestore } from "../withdrawals/restore/restore-hold.ts";
import { lostLivesOf } from "./settlement.ts";
import { DAY, earlierInstant, SET_BACK_MS } from "../shared/time.ts";
import { restoreOf } from "../database/storage-state.ts";
import { compilePerDatabase, inList, rowLock } from "../database/queries.ts";

export interface ClaimRequest {
  /** Name of this process. With the fencing token it proves who holds a delivery. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** Of these, places for urgent deliveries alone. */
  readonly reserved?: number;
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
  lead: Temporal.Duration,
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
  lostLives: lostLivesOf(
    { kind: row.kind, day: dayOf(row), enqueuedAt: instantOf(row.created_at) },
    restores,
  ),
  day: dayOf(row),
  closeKind: row.close_kind ?? undefined,
  alert: alertOf(row),
  repeatOf: row.repeat_of ?? undefined,
  offerId: row.offer_id ?? undefined,
  opId: row.op_id ?? undefined,
  firstAttemptAt: optionalInstantOf(row.first_attempt_at)?.subtract(lead) ?? claimedAt,
  claimedAt,
  owner: row.owner ?? "",
  token: row.token,
  wasBlocked: flagOf(row.was_blocked),
});

/** Literals, as in the words of the partial indexes. */
const oneOf = <const Text extends string>(texts: readonly Text[]) =>
  texts.map((text) => sql.lit(text));

/** A lost channel ends these, so that they do not wait for its next probe: their route is suspended at once. */
const endedKinds = kindsWhere(({ lostChannel }) => lostChannel === "cancel");

/** The head of each line. A head that must wait holds its whole line, but for `endedKinds`. Parameters: except, now. */
const headsOf = (db: Database) =>
  db
    .selectFrom("outbox as head")
    .select("head.dedupe_key")
    .where("head.settled_at", "is", null)
    .where("head.dedupe_key", "not in", inList(db, []))
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
                earlier("earlier.state", "<>", sql.lit("blocked")),
                earlier("earlier.not_before", "<=", ""),
                earlier("head.kind", "not in", oneOf(endedKinds)),
              ]),
            ),
        ),
      ),
    )
    .orderBy("head.not_before")
    .orderBy("head.created_at");

type Heads = ReturnType<typeof headsOf>;

/**
 * Claims some of the heads. Parameters: those of `headsOf` and of `part`, the limit, the owner, the lease's end and start.
 */
const claimOf = (part: (heads: Heads, db: Database) => Heads) =>
  compilePerDatabase<OutboxRow>((db) =>
    db
      // Materialised, so that PostgreSQL applies the limit once in every plan of the update.
      .with(
        (cte) => cte("claimable").materialized(),
        () =>
          part(headsOf(db), db)
            // A sum: SQLite plans a statement with a bound limit again at each run.
            .limit(sql<number>`${1} + 0`)
            .modifyEnd(rowLock(db, "for update skip locked")),
      )
      .updateTable("outbox")
      .set((eb) => ({
        state: sql.lit("sending"),
        owner: "",
        lease_until: "",
        token: eb("token", "+", sql.lit(1)),
        attempts: eb("attempts", "+", sql.lit(1)),
        first_attempt_at: eb.fn.coalesce("first_attempt_at", eb.val("")),
        first_attempt_token: eb.fn.coalesce("first_attempt_token", eb("token", "+", sql.lit(1))),
      }))
      .where("dedupe_key", "in", (eb) => eb.selectFrom("claimable").select("dedupe_key"))
      .returningAll(),
  );

/** Parameter: now. */
const due = (heads: Heads): Heads =>
  heads.where("head.state", "in", oneOf(["due", "blocked"])).where("head.not_before", "<=", "");

const ownLineKinds = kindsWhere(({ line }) => line === "own");

/**
 * Deliveries that cannot wait behind a rush of reports: alerts, posts that a person has just asked for here, and messages
 * that belong to no connection, most of them about money. They are few. The words of the partial index.
 */
const IS_URGENT = sql<boolean>`(kind in (${sql.join(oneOf(ownLineKinds))})
  or (kind = 'notice' and account_id is null))`;

/**
 * Heads of the lines with an urgent post that is due: a post waits for older posts to the same reader only. Parameters:
 * now, twice.
 */
const urgent = (heads: Heads): Heads =>
  due(heads).where("head.line", "in", (eb) =>
    eb
      .selectFrom("outbox")
      .select("line")
      .where("settled_at", "is", null)
      .where(IS_URGENT)
      .where("not_before", "<=", ""),
  );

/**
 * Attempts whose lease ended: their process died, or lost the database; or it was taken before the clock was set back.
 * Parameters: the lease's start, and the latest end of any.
 */
const leftBehind = (heads: Heads): Heads =>
  heads
    .where("head.token", ">", sql.lit(0))
    .where("head.state", "=", sql.lit("sending"))
    .where((eb) => eb.or([eb("head.lease_until", "<=", ""), eb("head.lease_until", ">", "")]));

const policies = Object.values(deliveryPolicies);
const waits = [...new Set(policies.map(({ longestWaitMs }) => longestWaitMs))];
const TOO_FAR_MS = [SET_BACK_MS, LONGEST_BLOCK_MS, ...waits];

/**
 * Deliveries that a clock which was set back since then has put off. A delivery's first attempt is not waited for.
 * Parameters: now and each of `TOO_FAR_MS`.
 */
const putOff = (heads: Heads, db: Database): Heads => {
  const unsettled = db.selectFrom("outbox").select("dedupe_key").where("settled_at", "is", null);
  const tried = unsettled.where("token", ">", sql.lit(0)).where("not_before", ">", "");
  const keys = [
    tried.where("state", "=", sql.lit("blocked")),
    ...waits.map((waitMs) =>
      tried
        .where("state", "=", sql.lit("due"))
        .where("kind", "in", oneOf(kindsWhere(({ longestWaitMs }) => longestWaitMs === waitMs))),
    ),
  ].reduce(
    (all, some) => all.unionAll(some),
    unsettled.where("token", "=", sql.lit(0)).where("created_at", ">", ""),
  );
  return heads
    .where("head.state", "in", oneOf(["due", "blocked"]))
    .where("head.dedupe_key", "in", keys);
};

interface Part {
  readonly claim: ReturnType<typeof claimOf>;
  readonly parameters: (
    request: ClaimRequest,
    leaseNow: Temporal.Instant,
  ) => readonly StoredInstant[];
  /** May take the reserved places. */
  readonly isUrgent?: true;
}

/**
 * The parts of the outbox that a claim goes through, one after the other while it has places left. Each reads one range
 * of a partial index: in one query they would read all that waits for its time.
 */
const parts: readonly Part[] = [
  {
    claim: claimOf(urgent),
    parameters: ({ now }) => [storedInstant(now), storedInstant(now)],
    isUrgent: true,
  },
  {
    claim: claimOf(leftBehind),
    parameters: (request, leaseNow) => [
      storedInstant(leaseNow),
      leaseEnd(request, leaseNow.add({ milliseconds: SET_BACK_MS })),
    ],
  },
  { claim: claimOf(due), parameters: ({ now }) => [storedInstant(now)] },
  {
    claim: claimOf(putOff),
    parameters: ({ now }) =>
      TOO_FAR_MS.map((milliseconds) => storedInstant(now.add({ milliseconds }))),
  },
];

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
  const { owner, limit, reserved = 0, now, except = [] } = request;
  const leaseStart = storedInstant(leaseNow);
  const heads = [JSON.stringify(except), storedInstant(now)];
  const lease = [owner, leaseEnd(request, leaseNow), leaseStart];
  const rows: OutboxRow[] = [];
  for (const part of parts) {
    const left = limit - rows.length - (part.isUrgent ? 0 : reserved);
    if (left <= 0) break;
    const some = part.parameters(request, leaseNow);
    rows.push(...(await part.claim(db, ...heads, ...some, left, ...lease)));
  }
  const leasedAt = Temporal.Instant.from(leaseStart);
  // The lead of the leases' clock over ours: a search goes by Discord's clock, and would begin after the post.
  const claimedAt = earlierInstant(leasedAt, now);
  const lead = leasedAt.since(claimedAt);
  const restores = rows.length === 0 ? [] : await recentRestores(db, now);
  return rows.sort(inOrder).map((row) => claimedOf(row, claimedAt, lead, restores));
};
