import { DAY, HOUR, MINUTE, SECOND } from "../shared/time.ts";
import type {
  ClaimedDelivery,
  DeliveryKind,
  DeliveryTarget,
  HistorySearch,
  LostLife,
  PostOutcome,
  Settlement,
  UnsentStep,
} from "./delivery.ts";
import { repeatKeyOf } from "./dispute-alert.ts";
import { closeOf } from "./report-day.ts";
import { dayOfReportKey } from "./report-schedule.ts";
import type { DatabaseRestore } from "./restore-hold.ts";

/** What an attempt does first: post, look whether an earlier attempt posted, or let it be. */
export type NextStep = "post" | "search" | "expire";

/** How an attempt ended, whatever it consisted of. */
export type AttemptOutcome =
  | PostOutcome
  | Exclude<HistorySearch, { readonly kind: "absent" }>
  /** No channel was had to post to, or none in time, so nothing was posted. */
  | { readonly kind: "unopened"; readonly reason: string }
  | { readonly kind: "expired" }
  /** Its reader put it off until then, so nothing was posted. */
  | { readonly kind: "waits"; readonly until: Temporal.Instant }
  /** Its reader wants it elsewhere since it was claimed, so nothing was posted. */
  | { readonly kind: "moved"; readonly target: DeliveryTarget }
  /** What it says does not hold any more, so nothing was posted. `unsent`: undefined when its dispute is not watched. */
  | { readonly kind: "untrue"; readonly unsent: UnsentStep | undefined };

/** After this nobody wants to read it any more. */
const OBSOLETE_AFTER_MS = {
  sales_report: 7 * DAY,
  notice: 7 * DAY,
  test: 15 * MINUTE,
  dispute_alert: 7 * DAY,
} as const satisfies Record<DeliveryKind, number>;

/** Discord keeps nonces "for the past few minutes": for so long a repeated post is no second message. */
const NONCE_TRUST_MS = 2 * MINUTE;
const BACK_OFF_MS = [1, 2, 4, 8, 15, 30, 60, 120, 300, 600].map((seconds) => seconds * SECOND);
const LONGEST_THROTTLE_MS = HOUR;
const HOURLY_PROBES = 24;
/** How often, and how long, an unreadable history is asked again. A deadline does not wait: an alert is repeated soon. */
const SEARCH_LIMITS = {
  sales_report: { searches: 40, ms: HOUR },
  notice: { searches: 40, ms: HOUR },
  test: { searches: 40, ms: HOUR },
  dispute_alert: { searches: 10, ms: 5 * MINUTE },
} as const satisfies Record<DeliveryKind, { readonly searches: number; readonly ms: number }>;

/**
 * What to do with a delivery that was just claimed. An attempt is repeated without looking only while Discord still
 * knows its nonce; a clock that went back in the meantime proves nothing about that.
 */
export const nextStep = (claim: ClaimedDelivery, now: Temporal.Instant): NextStep => {
  if (since(claim.enqueuedAt, now) > OBSOLETE_AFTER_MS[claim.kind]) return "expire";
  if (claim.lostLife !== undefined) return "search";
  const elapsedMs = since(claim.firstAttemptAt, claim.claimedAt);
  return elapsedMs >= 0 && elapsedMs < NONCE_TRUST_MS ? "post" : "search";
};

/** From when on an earlier attempt may have posted it. */
export const postedFrom = ({ firstAttemptAt, lostLife }: ClaimedDelivery): Temporal.Instant =>
  lostLife !== undefined && Temporal.Instant.compare(lostLife.since, firstAttemptAt) < 0
    ? lostLife.since
    : firstAttemptAt;

/** Whether only a silence speaks for an earlier post, so that a history that nobody may read decides nothing. */
export const isOnlySilence = ({ lostLife, firstAttemptAt, claimedAt }: ClaimedDelivery): boolean =>
  lostLife?.cause === "gap" && Temporal.Instant.compare(firstAttemptAt, claimedAt) === 0;

/**
 * The life that may have posted a delivery and that the database lost: of what came through a restore, of a report
 * whose day had closed by then, and of anything else that is owed again within the week after.
 */
export const lostLifeOf = (
  { kind, dedupeKey, enqueuedAt }: Pick<ClaimedDelivery, "kind" | "dedupeKey" | "enqueuedAt">,
  restores: readonly DatabaseRestore[],
): LostLife | undefined => {
  if (kind === "test") return undefined;
  const concerning = restores.filter(({ noticedAt }) => {
    if (Temporal.Instant.compare(enqueuedAt, noticedAt) <= 0) return true;
    return kind === "sales_report"
      ? Temporal.Instant.compare(closeOf(dayOfReportKey(dedupeKey)), noticedAt) <= 0
      : since(noticedAt, enqueuedAt) <= OBSOLETE_AFTER_MS[kind];
  });
  const [oldest] = concerning
    .map(
      ({ aliveAt, noticedAt }) =>
        aliveAt ?? noticedAt.subtract({ milliseconds: OBSOLETE_AFTER_MS[kind] }),
    )
    .toSorted((one, other) => Temporal.Instant.compare(one, other));
  if (oldest === undefined) return undefined;
  const restored = concerning.some(({ cause }) => cause === "restored");
  return { cause: restored ? "restored" : "gap", since: oldest };
};

/** What becomes of a delivery after an attempt that ended at `now`. */
export const settlementOf = (
  claim: ClaimedDelivery,
  outcome: AttemptOutcome,
  now: Temporal.Instant,
): Settlement => {
  const again = (afterMs: number, error: string, untouched: boolean): Settlement => ({
    state: "due",
    notBefore: now.add({ milliseconds: afterMs }),
    error,
    untouched,
  });
  switch (outcome.kind) {
    case "posted":
    case "found":
      return { state: "sent", messageId: outcome.messageId };
    case "posted_then_deleted":
      return { state: "sent", messageId: null };
    case "unclear":
      return again(backOffMs(claim), outcome.reason, false);
    case "unopened":
      return again(backOffMs(claim), outcome.reason, true);
    case "throttled":
      return again(throttleMs(outcome.retryAfterMs), "throttled", true);
    case "lost_channel":
      return lost(claim, `lost_channel ${outcome.code}`, now, true);
    case "unreachable_person":
      return { state: "dead", error: `unreachable_person ${outcome.code}` };
    case "rejected":
      return { state: "dead", error: `rejected ${outcome.status} ${outcome.code ?? ""}`.trim() };
    case "expired":
      return { state: "obsolete", error: "expired" };
    case "waits":
      return { state: "due", notBefore: outcome.until, error: "put_off", untouched: true };
    case "moved": {
      const { target } = outcome;
      return { state: "due", notBefore: now, error: "moved", untouched: true, target };
    }
    case "untrue":
      return {
        state: "obsolete",
        error: "no_longer_true",
        ...(outcome.unsent && { unsent: outcome.unsent }),
      };
    case "unreadable":
      break;
  }
  if (outcome.lasting && claim.wasBlocked) return lost(claim, "history_refused", now, false);
  if (outcome.lasting || triedLongEnough(claim)) {
    return { state: "unknown", error: "history_unreadable" };
  }
  return again(backOffMs(claim), "history_unreadable", false);
};

/**
 * A report waits for its channel to come back. An alert goes to its owner instead, so it waits for that to be arranged;
 * one that does not reach its owner either is dead. Anything else about a channel that is gone has no use.
 */
const lost = (
  claim: ClaimedDelivery,
  error: string,
  now: Temporal.Instant,
  untouched: boolean,
): Settlement => {
  const waitMs = lostWaitMs(claim);
  if (waitMs === undefined) {
    return { state: claim.kind === "dispute_alert" ? "dead" : "obsolete", error };
  }
  return { state: "blocked", notBefore: now.add({ milliseconds: waitMs }), error, untouched };
};

const lostWaitMs = ({ kind, target, attempts }: ClaimedDelivery): number | undefined => {
  if (kind === "dispute_alert") return target.kind === "channel" ? MINUTE : undefined;
  if (kind !== "sales_report") return undefined;
  return attempts <= HOURLY_PROBES ? HOUR : DAY;
};

/** Nothing comes after the repeat of an alert: while Discord is away for hours, giving it up would tell nobody ever. */
export const isLastNotice = ({
  kind,
  dedupeKey,
}: Pick<ClaimedDelivery, "kind" | "dedupeKey">): boolean =>
  kind === "dispute_alert" && repeatKeyOf(dedupeKey) === undefined;

const triedLongEnough = (claim: ClaimedDelivery): boolean => {
  const { searches, ms } = SEARCH_LIMITS[claim.kind];
  const { attempts, firstAttemptAt, claimedAt } = claim;
  return !isLastNotice(claim) && attempts >= searches && since(firstAttemptAt, claimedAt) >= ms;
};

const backOffMs = ({ attempts }: ClaimedDelivery): number =>
  BACK_OFF_MS[Math.min(attempts, BACK_OFF_MS.length) - 1] ?? SECOND;

const throttleMs = (retryAfterMs: number): number =>
  Math.min(Math.max(retryAfterMs, SECOND), LONGEST_THROTTLE_MS);

const since = (from: Temporal.Instant, to: Temporal.Instant): number =>
  to.epochMilliseconds - from.epochMilliseconds;
