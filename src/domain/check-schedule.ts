import { DAY, HOUR, MINUTE, SECOND } from "../shared/time.ts";
import { isTurbo, type WithdrawOp } from "./withdraw-op.ts";

type Sent = Pick<WithdrawOp, "sentAt" | "updatedAt">;
type Followed = Sent & Pick<WithdrawOp, "kind" | "state" | "scheduledFor">;

/** Readings of an unknown outcome after its request; from the last one on, one every quarter of an hour. */
const UNKNOWN_MS: readonly number[] = [
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  12 * MINUTE,
  15 * MINUTE,
];
const UNKNOWN_EVERY_MS = 15 * MINUTE;
/** Longer than a seller should wait to be asked; the service is still read after that. */
const UNKNOWN_FOR_MS = 45 * MINUTE;

const AFTER_PLAN_MS = 30 * SECOND;
const OVERDUE_MS = 2 * DAY;
/** A transfer may lie in precautionary analysis for an hour at night. Source: product notes 4. */
const SLOW_MS = HOUR;

const at = (ms: number): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(ms);

const sentMs = ({ sentAt, updatedAt }: Sent): number => (sentAt ?? updatedAt).epochMilliseconds;

/** When what was sent should be on its way: as planned, or at once. */
const beginsMs = (op: Followed): number => op.scheduledFor?.epochMilliseconds ?? sentMs(op);

/**
 * When an `unknown` operation is read next: soon at first, then every quarter of an hour. Undefined: its 45 minutes are
 * over, and a person must decide.
 */
export const nextUnknownCheck = (op: Sent, now: Temporal.Instant): Temporal.Instant | undefined => {
  const passedMs = now.epochMilliseconds - sentMs(op);
  if (passedMs >= UNKNOWN_FOR_MS) return undefined;
  const early = UNKNOWN_MS.find((ms) => ms > passedMs);
  const rounds = Math.floor((passedMs - 15 * MINUTE) / UNKNOWN_EVERY_MS) + 1;
  const nextMs = early ?? 15 * MINUTE + rounds * UNKNOWN_EVERY_MS;
  return at(sentMs(op) + Math.min(nextMs, UNKNOWN_FOR_MS));
};

/** Wait between two readings of something under way for that long: half as long again, within bounds. */
const followWaitMs = (passedMs: number, leastMs: number): number => {
  if (passedMs > DAY) return HOUR;
  const mostMs = passedMs > 2 * HOUR ? 30 * MINUTE : 5 * MINUTE;
  return Math.min(Math.max(passedMs / 2, leastMs), mostMs);
};

/**
 * When an accepted operation is read next: within seconds at first, around its plan for a normal one, hourly in between
 * and for one that waits for a decision.
 */
export const nextFollowCheck = (op: Followed, now: Temporal.Instant): Temporal.Instant => {
  const nowMs = now.epochMilliseconds;
  if (op.state === "manual") return at(nowMs + HOUR);
  const leastMs = isTurbo(op.kind) ? 3 * SECOND : 15 * SECOND;
  const untilPlanMs = beginsMs(op) + AFTER_PLAN_MS - nowMs;
  if (op.scheduledFor !== undefined && untilPlanMs > 0) {
    // Read once soon, so that its reply says what the service itself says of it.
    const longestMs = op.state === "accepted" ? followWaitMs(nowMs - sentMs(op), leastMs) : HOUR;
    return at(nowMs + Math.round(Math.min(untilPlanMs, longestMs)));
  }
  return at(nowMs + Math.round(followWaitMs(nowMs - beginsMs(op), leastMs)));
};

/** Whether an accepted operation is so late that a person must decide. */
export const isOverdue = (op: Followed, now: Temporal.Instant): boolean =>
  now.epochMilliseconds - beginsMs(op) >= OVERDUE_MS;

/** Whether it takes longer than a precautionary analysis may: worth saying, no error. */
export const isSlow = (op: Followed, now: Temporal.Instant): boolean =>
  now.epochMilliseconds - beginsMs(op) > SLOW_MS;
