import { DAY, HOUR, MINUTE } from "../shared/time.ts";

/** Looks whose news calls may announce. A service may call about sales and stay silent about MEDs. */
export const callSubjects = ["sales", "disputes"] as const;

export type CallSubject = (typeof callSubjects)[number];

/** Whether the calls for one wallet account announce its news of one subject. */
export interface CallTrust {
  /** Announced news in a row. */
  readonly announced: number;
  /** Calls are trusted until then; undefined while they are not. */
  readonly trustedUntil: Temporal.Instant | undefined;
  /** When a look found news that no call has announced so far. */
  readonly unexplainedAt: Temporal.Instant | undefined;
}

export const NO_TRUST: CallTrust = {
  announced: 0,
  trustedUntil: undefined,
  unexplainedAt: undefined,
};

/** Announced news in a row before calls are trusted: a single one may be chance. */
export const NEWS_NEEDED = 2;
/** Trust ends this long after the last announced news. */
export const TRUST_MS = DAY;
/** A look may find its news this long after the call, where the service shows it late. */
export const CALL_COUNTS_MS = 3 * MINUTE;
/** A call may come this long after a look has found its news. */
export const LATE_CALL_MS = MINUTE;

/**
 * Rest of an address before a call that may announce news of the subject. Most calls are about sales: that one of many
 * comes shortly before a MED is chance.
 */
const REST_BEFORE_MS: Readonly<Record<CallSubject, number>> = { sales: 0, disputes: HOUR };

/** Whether a call may announce news of the subject; `previous` is the address's call before it. */
export const mayAnnounce = (
  subject: CallSubject,
  previous: Temporal.Instant | undefined,
  at: Temporal.Instant,
): boolean => {
  const restMs = REST_BEFORE_MS[subject];
  if (restMs === 0 || previous === undefined) return true;
  return at.epochMilliseconds - previous.epochMilliseconds >= restMs;
};

const isWithin = (
  from: Temporal.Instant | undefined,
  to: Temporal.Instant,
  mostMs: number,
): boolean => {
  const passedMs = from && to.epochMilliseconds - from.epochMilliseconds;
  // A negative span comes from a clock that was set back, and is no evidence.
  return passedMs !== undefined && passedMs >= 0 && passedMs <= mostMs;
};

const announcedAt = ({ announced }: CallTrust, at: Temporal.Instant): CallTrust => ({
  announced: announced + 1,
  trustedUntil: announced + 1 < NEWS_NEEDED ? undefined : at.add({ milliseconds: TRUST_MS }),
  unexplainedAt: undefined,
});

/** News that stayed unannounced ends the trust. */
const settled = (trust: CallTrust, at: Temporal.Instant): CallTrust =>
  trust.unexplainedAt === undefined || isWithin(trust.unexplainedAt, at, LATE_CALL_MS)
    ? trust
    : NO_TRUST;

/** A call came. */
export const afterCall = (trust: CallTrust, at: Temporal.Instant): CallTrust => {
  const now = settled(trust, at);
  return now.unexplainedAt === undefined ? now : announcedAt(now, at);
};

/** A look found news; `lastCallAt` is the account's last call that may announce it. */
export const afterNews = (
  trust: CallTrust,
  lastCallAt: Temporal.Instant | undefined,
  at: Temporal.Instant,
): CallTrust => {
  const now = settled(trust, at);
  if (isWithin(lastCallAt, at, CALL_COUNTS_MS)) return announcedAt(now, at);
  return { ...now, unexplainedAt: now.unexplainedAt ?? at };
};

/** Until when looks may be rare: undefined while calls are not trusted, or while news waits for its call. */
export const restUntil = (
  { trustedUntil, unexplainedAt }: CallTrust,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  if (trustedUntil === undefined || unexplainedAt !== undefined) return undefined;
  // A longer rest comes from a clock that was set back.
  const leftMs = trustedUntil.epochMilliseconds - now.epochMilliseconds;
  return leftMs > 0 && leftMs <= TRUST_MS ? trustedUntil : undefined;
};
