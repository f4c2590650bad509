import { DAY, HOUR, MINUTE, SECOND } from "../shared/time.ts";
import { isTurbo, type WithdrawOp } from "./withdraw-op.ts";

type Sent = Pick<WithdrawOp, "sentAt" | "updatedAt">;
type UnknownOp = Sent & Pick<WithdrawOp, "setBackAt">;
type AcceptedOp = Sent & Pick<WithdrawOp, "kind" | "state" | "scheduledFor">;

/** Delays after the request at which an unknown outcome is read. From the last one on a person must decide. */
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
  30 * MINUTE,
  45 * MINUTE,
];

/**
 * Longest waits between two readings, of an `unknown` operation and of any. A time further ahead was set before the clock
 * was set back, and is due.
 */
export const LONGEST_UNKNOWN_WAIT_MS = 15 * MINUTE;
export const LONGEST_WAIT_MS = HOUR;

const AFTER_PLAN_MS = 30 * SECOND;
const OVERDUE_MS = 2 * DAY;
/** A transfer may stay in precautionary analysis for an hour at night. */
const SLOW_MS = HOUR;

const at = (ms: number): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(ms);

const sentMs = ({ sentAt, updatedAt }: Sent): number => (sentAt ?? updatedAt).epochMilliseconds;

/** When the withdrawal should start: as planned, or at once. */
const beginsMs = (op: AcceptedOp): number => op.scheduledFor?.epochMilliseconds ?? sentMs(op);

/**
 * The instant from which an `unknown` operation counts its 45 minutes: its request, or the first reading that found the
 * clock set back to before it. One that seems to be later than now is of before another step back.
 */
export const unknownSince = (op: UnknownOp, now: Temporal.Instant): Temporal.Instant => {
  if (op.setBackAt !== undefined && Temporal.Instant.compare(op.setBackAt, now) <= 0)
    return op.setBackAt;
  return at(Math.min(sentMs(op), now.epochMilliseconds));
};

/**
 * Time of the next reading of an `unknown` operation: soon at first, then every 15 minutes. Undefined: 45 minutes have
 * passed, so a person must decide.
 */
export const nextUnknownCheck = (
  op: UnknownOp,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  const sinceMs = unknownSince(op, now).epochMilliseconds;
  const passedMs = now.epochMilliseconds - sinceMs;
  const nextMs = UNKNOWN_MS.find((ms) => ms > passedMs);
  return nextMs === undefined ? undefined : at(sinceMs + nextMs);
};

/** How long a `manual` operation is still read. */
const MANUAL_READ_FOR_MS = 30 * DAY;

/** Time of the next reading of a `manual` operation; undefined: never. */
export const nextManualCheck = (
  { sentAt, createdAt }: Pick<WithdrawOp, "sentAt" | "createdAt">,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  const sinceMs = now.epochMilliseconds - (sentAt ?? createdAt).epochMilliseconds;
  return sinceMs < MANUAL_READ_FOR_MS ? now.add({ milliseconds: LONGEST_WAIT_MS }) : undefined;
};

/** Wait between two readings: half of the time under way, within bounds; to either side, as clocks are set back. */
const acceptedWaitMs = (passedMs: number, leastMs: number): number => {
  if (passedMs > DAY) return LONGEST_WAIT_MS;
  const mostMs = passedMs > 2 * HOUR ? 30 * MINUTE : 5 * MINUTE;
  return Math.min(Math.max(Math.abs(passedMs) / 2, leastMs), mostMs);
};

/**
 * Time of the next reading of an accepted operation: within seconds at first, close to the planned time of a normal
 * withdrawal, otherwise hourly.
 */
export const nextAcceptedCheck = (op: AcceptedOp, now: Temporal.Instant): Temporal.Instant => {
  const nowMs = now.epochMilliseconds;
  const leastMs = isTurbo(op.kind) ? 3 * SECOND : 15 * SECOND;
  const untilPlanMs = beginsMs(op) + AFTER_PLAN_MS - nowMs;
  if (op.scheduledFor !== undefined && untilPlanMs > 0) {
    // An early reading lets the reply show the service's own status.
    const longestMs =
      op.state === "accepted" ? acceptedWaitMs(nowMs - sentMs(op), leastMs) : LONGEST_WAIT_MS;
    return at(nowMs + Math.round(Math.min(untilPlanMs, longestMs)));
  }
  return at(nowMs + Math.round(acceptedWaitMs(nowMs - beginsMs(op), leastMs)));
};

/** Whether an accepted operation is late enough for a person to decide. */
export const isOverdue = (op: AcceptedOp, now: Temporal.Instant): boolean =>
  now.epochMilliseconds - beginsMs(op) >= OVERDUE_MS;

/** Whether it takes longer than a precautionary analysis: worth a remark, no error. */
export const isSlow = (op: AcceptedOp, now: Temporal.Instant): boolean =>
  now.epochMilliseconds - beginsMs(op) > SLOW_MS;
