import { DAY, earlierInstant, HOUR, MINUTE, SECOND } from "../shared/time.ts";
import {
  type ClaimedDelivery,
  type DeliveryTarget,
  type HistorySearch,
  type LostLife,
  type PostOutcome,
  type Settlement,
  type UnsentStep,
} from "./delivery.ts";
import { alertKinds, LONGEST_BLOCK_MS, deliveryPolicies } from "./delivery-policies.ts";
import { closeOf } from "../shared/report-day.ts";
import type { DatabaseRestore, RestoreCause } from "../withdrawals/restore/restore-hold.ts";

/** First step of an attempt: post, search for an earlier post, or give up unless an earlier attempt posted it. */
type NextStep = "post" | "search" | "expire";

/** How an attempt ended. */
export type AttemptOutcome =
  | PostOutcome
  | Exclude<HistorySearch, { readonly kind: "absent" }>
  /** No channel could be opened, or not in time, so there was no post. */
  | { readonly kind: "unopened"; readonly reason: string }
  | { readonly kind: "expired" }
  /**
   * Postponed until then (snooze, quiet hours, a rate limit or questions to ask), so there was no post. `isUncounted`:
   * the attempt was not in vain, and does not count.
   */
  | { readonly kind: "waits"; readonly until: Temporal.Instant; readonly isUncounted?: true }
  /** The destination changed since it was enqueued, so there was no post. */
  | {
      readonly kind: "moved";
      readonly target: DeliveryTarget;
      readonly via?: Pick<ClaimedDelivery, "accountId" | "guildId">;
    }
  /** The destination changed, and an earlier attempt may have posted it in the channel that it had. */
  | { readonly kind: "left_behind" }
  /** The alert or card does not apply now, so there was no post. `unsent`: undefined when the dispute is not watched. */
  | { readonly kind: "untrue"; readonly unsent: UnsentStep | undefined };

/** Discord knows nonces of "the past few minutes": a repeat within them posts once. Source: decisions 2.1. */
export const NONCE_TRUST_MS = 2 * MINUTE;
const BACK_OFF_MS = [1, 2, 4, 8, 15, 30, 60, 120, 300, 600].map((seconds) => seconds * SECOND);
const LONGEST_THROTTLE_MS = HOUR;
/** All posts pause after a number of refusals: with a shorter wait, a hundred refused readers would reach it. */
export const REFUSED_READER_MS = 10 * MINUTE;
const HOURLY_PROBES = 24;
/** Source: JSON error codes of Discord's reference. */
const NO_SERVER_IN_COMMON = 50278;

/**
 * First step for a claimed delivery. It posts without a search only while Discord still knows the nonce. If the clock
 * went back, the nonce's age is unknown, so it searches.
 */
export const nextStep = (claim: ClaimedDelivery, now: Temporal.Instant): NextStep => {
  if (since(claim.enqueuedAt, now) > deliveryPolicies[claim.kind].obsoleteAfterMs) return "expire";
  if (claim.lostLives.length > 0) return "search";
  const elapsedMs = since(claim.firstAttemptAt, claim.claimedAt);
  return elapsedMs >= 0 && elapsedMs < NONCE_TRUST_MS ? "post" : "search";
};

/** The first attempt was made before the clock was set back, by how much is not known: at most this is searched. */
const SET_BACK_SEARCH_MS = DAY;

/** Largest assumed difference between our clock and Discord's, which dates its messages. */
const CLOCK_TOLERANCE_MS = 15 * MINUTE;

/** A time in which the delivery may have been posted; without `before`, until now. */
interface PostedSpan {
  /** Of the span of a lost run alone, not of attempts on record. */
  readonly cause?: RestoreCause;
  readonly after: Temporal.Instant;
  readonly before?: Temporal.Instant;
}

/**
 * The spans of a possible earlier post: of the attempts on record, and of lost runs, which ended when they were noticed.
 * Spans that meet are one search, as each request may fail. Notices keep them apart: they are posted although the span of
 * a lost run could not be read to its end.
 */
export const postedSpans = (claim: ClaimedDelivery): readonly PostedSpan[] => {
  const { firstAttemptAt, claimedAt, lostLives, kind } = claim;
  const isSetBack = since(claimedAt, firstAttemptAt) > 0;
  const attemptedAt = isSetBack
    ? claimedAt.subtract({ milliseconds: SET_BACK_SEARCH_MS })
    : firstAttemptAt;
  const own = attemptedAt.subtract({ milliseconds: CLOCK_TOLERANCE_MS });
  const lost = lostLives.map(({ cause, since, until }) => ({
    cause,
    after: since.subtract({ milliseconds: CLOCK_TOLERANCE_MS }),
    before: until.add({ milliseconds: CLOCK_TOLERANCE_MS }),
  }));
  if (!mayBePosted(claim)) return lost;
  const isApart = ({ before }: Required<PostedSpan>): boolean =>
    Temporal.Instant.compare(own, before) > 0 || deliveryPolicies[kind].lostRun === "told";
  const met = lost.filter((span) => !isApart(span));
  const after = met.reduce((first, span) => earlierInstant(first, span.after), own);
  return [{ after }, ...lost.filter(isApart)];
};

/** Whether an attempt on record may have posted it. One that seems to be later was made before the clock was set back. */
export const mayBePosted = ({
  firstAttemptAt,
  claimedAt,
}: Pick<ClaimedDelivery, "claimedAt" | "firstAttemptAt">): boolean =>
  !firstAttemptAt.equals(claimedAt);

/**
 * Whether an earlier attempt may have posted a delivery that Discord refuses now: the refusal is no answer about it, unless
 * it was searched for first.
 */
export const mayStand = (claim: ClaimedDelivery): boolean =>
  mayBePosted(claim) && nextStep(claim, claim.claimedAt) === "post";

/**
 * Whether the delivery is posted although a lost run has left more messages in the span than a search reads. After a mere
 * gap there hardly was such a run; the repeat of an alert is marked.
 */
export const isToldInCrowd = (claim: ClaimedDelivery, { cause }: PostedSpan): boolean =>
  cause === "gap" ||
  (cause === "restored" && (isRepeat(claim) || deliveryPolicies[claim.kind].lostRun === "told"));

/** Whether gaps in the bot's activity are the only reason to search, so that an unreadable history may be ignored. */
export const isOnlySilence = (claim: ClaimedDelivery): boolean =>
  claim.lostLives.length > 0 &&
  claim.lostLives.every(({ cause }) => cause === "gap") &&
  !mayBePosted(claim);

/**
 * Lost runs less far apart are one search: each search takes a request or more, and all that a week of frequent stops
 * may need have to fit into a lease.
 */
const ONE_SEARCH_MS = 6 * HOUR;

/**
 * The lost runs of the bot that may have posted a delivery, oldest first. A restore concerns deliveries enqueued before
 * it was noticed, reports of days that had closed by then, and other deliveries enqueued within the week after it.
 */
export const lostLivesOf = (
  { kind, day, enqueuedAt }: Pick<ClaimedDelivery, "day" | "enqueuedAt" | "kind">,
  restores: readonly DatabaseRestore[],
): readonly LostLife[] => {
  const { lostRun, obsoleteAfterMs } = deliveryPolicies[kind];
  if (lostRun === "unsought") return [];
  const concerning = restores.filter(({ noticedAt }) => {
    if (Temporal.Instant.compare(enqueuedAt, noticedAt) <= 0) return true;
    return day === undefined
      ? since(noticedAt, enqueuedAt) <= obsoleteAfterMs
      : Temporal.Instant.compare(closeOf(day), noticedAt) <= 0;
  });
  const lives = concerning.map(({ cause, aliveAt, noticedAt }): LostLife => {
    if (aliveAt !== undefined && Temporal.Instant.compare(aliveAt, noticedAt) <= 0)
      return { cause, since: aliveAt, until: noticedAt };
    // A last sign of life that seems to be later was dated by another clock: its run may have begun at any time.
    const begin = noticedAt.subtract({ milliseconds: obsoleteAfterMs });
    return { cause, since: begin, until: aliveAt ?? noticedAt };
  });
  return lives
    .toSorted((one, other) => Temporal.Instant.compare(one.since, other.since))
    .reduce<readonly LostLife[]>((before, life) => {
      const last = before.at(-1);
      if (last === undefined || since(last.until, life.since) > ONE_SEARCH_MS)
        return [...before, life];
      const cause = last.cause === "restored" ? "restored" : life.cause;
      const isLonger = since(last.until, life.until) > 0;
      const until = isLonger ? life.until : last.until;
      return [...before.slice(0, -1), { cause, since: last.since, until }];
    }, []);
};

/** Settlement of a delivery after an attempt that ended at `now`. */
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
      return settleLostChannel(claim, `lost_channel ${outcome.code}`, now, true);
    case "unreachable_person": {
      const error = `unreachable_person ${outcome.code}`;
      const notBefore = now.add({ milliseconds: probeMs(claim) });
      // The bot was removed from their only server in common, and may be invited again.
      return claim.payload.lostChannel !== undefined && outcome.code === NO_SERVER_IN_COMMON
        ? { state: "blocked", notBefore, error, untouched: true }
        : { state: "dead", error };
    }
    case "rejected":
      return {
        state: "dead",
        error: `rejected ${outcome.status} ${outcome.code ?? ""}`.trim(),
        untouched: true,
      };
    case "expired":
      return { state: "obsolete", error: "expired" };
    case "waits":
      return {
        state: "due",
        notBefore: outcome.until,
        error: "put_off",
        untouched: true,
        ...(outcome.isUncounted && { isUncounted: true }),
      };
    case "moved": {
      const { target, via } = outcome;
      return { state: "due", notBefore: now, error: "moved", untouched: true, target, via };
    }
    case "left_behind":
      return { state: "unknown", error: "channel_replaced" };
    case "untrue":
      return {
        state: "obsolete",
        error: "no_longer_true",
        ...(outcome.unsent && { unsent: outcome.unsent }),
      };
    // A span of attempts only grows, so that a later search would end no better.
    case "too_long":
      return { state: "unknown", error: "history_too_long" };
    case "unreadable":
      break;
  }
  // A direct message is tried until it is obsolete: refusals use up no tries. An alert is repeated instead.
  const isDirect = claim.target.kind === "person" && isPostedOnce(claim);
  if (outcome.lasting && (claim.wasBlocked || isDirect))
    return settleLostChannel(claim, "history_refused", now, false);
  if (outcome.lasting || (!isDirect && searchLimitReached(claim))) {
    return { state: "unknown", error: "history_unreadable" };
  }
  return again(backOffMs(claim), "history_unreadable", false);
};

/**
 * Settlement for a lost channel. A direct message has no permissions that it could lose: Discord refuses one so by mistake,
 * at times for hours (discord-api-docs #7275), and it is tried again until it is obsolete.
 */
const settleLostChannel = (
  claim: ClaimedDelivery,
  error: string,
  now: Temporal.Instant,
  untouched: boolean,
): Settlement => {
  const { target } = claim;
  const { lostChannel } = deliveryPolicies[claim.kind];
  const waiting = (state: "blocked" | "due", waitMs: number): Settlement => ({
    state,
    notBefore: now.add({ milliseconds: waitMs }),
    error,
    untouched,
  });
  // Blocked alerts are told as not arrived. Messages stay due: later ones would pass a blocked one in their reader's line.
  if (target.kind === "person")
    return waiting(lostChannel === "redirect" ? "blocked" : "due", REFUSED_READER_MS);
  if (lostChannel === "cancel") return { state: "obsolete", error, isChannelLost: true, untouched };
  if (lostChannel === "redirect") return waiting("blocked", MINUTE);
  return waiting("blocked", probeMs(claim));
};

const probeMs = ({ attempts }: ClaimedDelivery): number =>
  attempts <= HOURLY_PROBES ? HOUR : LONGEST_BLOCK_MS;

/**
 * Whether the delivery is an alert's repeat, which is not repeated. It is never given up as unclear: otherwise a long outage
 * of Discord would leave the owner without the alert.
 */
export const isRepeat = ({ repeatOf }: Pick<ClaimedDelivery, "repeatOf">): boolean =>
  repeatOf !== undefined;

/** An alert may stand in two places, because a missed deadline costs more; other deliveries may not. */
export const isPostedOnce = ({ kind }: Pick<ClaimedDelivery, "kind">): boolean =>
  !alertKinds.includes(kind);

const searchLimitReached = (claim: ClaimedDelivery): boolean => {
  const { search } = deliveryPolicies[claim.kind];
  const { attempts, firstAttemptAt, claimedAt } = claim;
  return (
    !isRepeat(claim) && attempts >= search.attempts && since(firstAttemptAt, claimedAt) >= search.ms
  );
};

const backOffMs = ({ attempts }: ClaimedDelivery): number =>
  BACK_OFF_MS[Math.min(attempts, BACK_OFF_MS.length) - 1] ?? SECOND;

const throttleMs = (retryAfterMs: number): number =>
  Math.min(Math.max(retryAfterMs, SECOND), LONGEST_THROTTLE_MS);

const since = (from: Temporal.Instant, to: Temporal.Instant): number =>
  to.epochMilliseconds - from.epochMilliseconds;
