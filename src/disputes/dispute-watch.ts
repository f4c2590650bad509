import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  awaitsAnswer,
  mayBeAnswered,
  type Dispute,
  disputeState,
  type DisputeState,
  isOpenDispute,
  type DisputeSummary,
} from "./dispute.ts";
import {
  type AlertRoute,
  type AlertStep,
  type AlertSubject,
  isAwaiting,
  isDecision,
  isReminder,
  dueReminders,
  leftMs,
  type WatchedDispute,
  type NewWatchedDispute,
} from "./dispute-alert.ts";
import { DAY, earlierInstant, HOUR, MINUTE, msBetween, toMillisecond } from "../shared/time.ts";

/** The step that tells each state; one that needs an answer has several, by the time that is left. */
const STATE_STEPS: Readonly<Record<Exclude<DisputeState, "needs_answer">, AlertStep>> = {
  overdue: "overdue",
  defended: "answered",
  conceded: "answered",
  won: "won",
  lost: "lost",
  cancelled: "cancelled",
  // It may await an answer.
  other: "new",
};

export type FollowedFacts = Pick<
  Dispute,
  "infractionId" | "txid" | "amount" | "frozen" | "status" | "analysisStatus" | "dueAt"
>;

/** A reading in full has the sale's txid too. */
type ReadFacts = FollowedFacts & Partial<Pick<Dispute, "saleTxid">>;

/** PostgreSQL text cannot contain NUL. */
const withoutNul = <Text extends string>(text: Text): Text => text.replaceAll("\0", "") as Text;

/**
 * A reading in storable form: any value of the service must be stored, so that the owner is alerted. Deadlines lose
 * their fractions of a millisecond, which the store drops, so that equal deadlines stay equal.
 */
export const keptFacts = (
  dispute: ReadFacts,
): Pick<WatchedDispute, "saleTxid" | Exclude<keyof FollowedFacts, "infractionId">> => ({
  txid: withoutNul(dispute.txid),
  saleTxid: "saleTxid" in dispute ? withoutNul(dispute.saleTxid ?? "") : undefined,
  amount: dispute.amount,
  frozen: dispute.frozen,
  status: withoutNul(dispute.status),
  analysisStatus: withoutNul(dispute.analysisStatus),
  dueAt: toMillisecond(dispute.dueAt),
});

/** Whether a reading in full told which payment it is about. */
export const isProven = ({ txid, saleTxid }: WatchedDispute): boolean =>
  txid !== "" && saleTxid !== undefined;

/**
 * The record of a dispute that its owner has just read. Past steps count as done, so only later alerts are owed.
 * Contains no name, document or description.
 */
export const followedDispute = (
  watchId: string,
  dispute: ReadFacts,
  now: Temporal.Instant,
): NewWatchedDispute => {
  const { infractionId } = dispute;
  const facts = keptFacts(dispute);
  const { dueAt } = facts;
  const state = disputeState(dispute, now);
  const doneSteps: readonly AlertStep[] = [
    "new",
    ...dueReminders(dueAt, now),
    ...(Temporal.Instant.compare(now, dueAt) < 0 ? [] : (["overdue"] as const)),
    ...(awaitsAnswer(state) ? [] : (["answered"] as const)),
    ...(isOpenDispute(state) ? [] : [STATE_STEPS[state]]),
  ];
  return {
    watchId,
    infractionId,
    ...facts,
    firstSeenAt: now,
    doneSteps,
    answeredByOwnerAt: undefined,
    snoozedUntil: undefined,
    closedAt: isOpenDispute(state) ? undefined : now,
  };
};

/**
 * Whether a closed dispute stands otherwise than at its last reading in full: the bank may accept a cancelled one, too. A
 * row of the list alone is no such reading.
 */
export const leavesEnd = (
  kept: Pick<WatchedDispute, "txid" | "closedAt" | "status" | "analysisStatus" | "dueAt">,
  state: DisputeState,
  now: Temporal.Instant,
): boolean => kept.closedAt !== undefined && kept.txid !== "" && disputeState(kept, now) !== state;

/**
 * The step of an answer or an end that a dispute has turned to since its last reading in full: it is told even if it was
 * told before. An undocumented word takes back no step, so that a dispute does not turn from it.
 */
export const turnedStep = (
  kept: Pick<WatchedDispute, "txid" | "status" | "analysisStatus" | "dueAt">,
  state: DisputeState,
  now: Temporal.Instant,
): AlertStep | undefined => {
  const was = disputeState(kept, now);
  if (kept.txid === "" || was === state || was === "other") return undefined;
  return mayBeAnswered(state) ? undefined : STATE_STEPS[state];
};

/** The earliest reminder is due this long before the deadline. */
export const LONGEST_REMINDER_MS = 72 * HOUR;
const LAST_CALL_MS = 6 * HOUR;
const SNOOZE_MS = 6 * HOUR;
/** Time that an answer in the panel may take to appear in the service. */
const ANSWER_SHOWS_MS = 15 * MINUTE;
const POLL_MS = 5 * MINUTE;
const SLOW_POLL_MS = 15 * MINUTE;
const OLD_LIST_MS = HOUR;

/**
 * End of a snooze; undefined when no snooze is active at `now`, as one that seems to last longer than any: a clock that was
 * ahead has dated it. A nearer deadline ends the snooze early.
 */
export const activeSnoozeEnd = (
  { snoozedUntil, dueAt }: Pick<WatchedDispute, "snoozedUntil" | "dueAt">,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  if (snoozedUntil === undefined || leftMs(snoozedUntil, now) > SNOOZE_MS) return undefined;
  const lastCall = dueAt.subtract({ milliseconds: LAST_CALL_MS });
  const until = earlierInstant(snoozedUntil, lastCall);
  return Temporal.Instant.compare(now, until) < 0 ? until : undefined;
};

type StepFacts = Pick<
  WatchedDispute,
  "answeredByOwnerAt" | "closedAt" | "doneSteps" | "dueAt" | "snoozedUntil"
>;

const stepOf = (
  watched: StepFacts,
  state: DisputeState,
  now: Temporal.Instant,
): AlertStep | undefined => {
  if (state !== "needs_answer") return STATE_STEPS[state];
  if (watched.answeredByOwnerAt !== undefined || activeSnoozeEnd(watched, now) !== undefined)
    return undefined;
  return watched.doneSteps.includes("new") ? dueReminders(watched.dueAt, now).at(-1) : "new";
};

/** The step to send now, if any: only the newest one, because it covers the older ones. */
export const dueStep = (
  watched: StepFacts,
  state: DisputeState,
  now: Temporal.Instant,
): AlertStep | undefined => {
  if (watched.closedAt !== undefined) return undefined;
  const step = stepOf(watched, state, now);
  return step === undefined || watched.doneSteps.includes(step) ? undefined : step;
};

/**
 * Whether the owner's report of an answer proved wrong: 6 h before the deadline the service still awaits it. One that
 * seems to be of later than now was made before the clock was set back.
 */
export const acknowledgementFails = (
  { answeredByOwnerAt, dueAt }: Pick<WatchedDispute, "answeredByOwnerAt" | "dueAt">,
  state: DisputeState,
  now: Temporal.Instant,
): boolean =>
  answeredByOwnerAt !== undefined &&
  state === "needs_answer" &&
  leftMs(dueAt, now) <= LAST_CALL_MS &&
  msBetween(now, answeredByOwnerAt) >= ANSWER_SHOWS_MS;

/** End of a snooze that starts now; undefined when the deadline is too near for one. */
export const snoozeUntil = (
  dueAt: Temporal.Instant,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  const waitMs = Math.min(SNOOZE_MS, leftMs(dueAt, now) - LAST_CALL_MS);
  return waitMs > 0 ? now.add({ milliseconds: waitMs }) : undefined;
};

type QuietRoute = Pick<AlertRoute, "quiet" | "timeZone" | "slowNights">;

/** End of the quiet hours at `now`; undefined outside of them. */
const quietEnd = (
  { quiet, timeZone }: QuietRoute,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  if (quiet === undefined) return undefined;
  const { from, to } = quiet;
  const here = now.toZonedDateTimeISO(timeZone);
  const time = here.toPlainTime();
  const begun = Temporal.PlainTime.compare(time, from) >= 0;
  const notOver = Temporal.PlainTime.compare(time, to) < 0;
  const overMidnight = Temporal.PlainTime.compare(from, to) > 0;
  if (overMidnight ? !begun && !notOver : !begun || !notOver) return undefined;
  const day = overMidnight && begun ? here.toPlainDate().add({ days: 1 }) : here.toPlainDate();
  return day.toZonedDateTime({ timeZone, plainTime: to }).toInstant();
};

/** Time from which an alert waits for no end of quiet hours; undefined: it waits whenever it comes. */
const urgentFrom = (
  step: AlertStep,
  dueAt: Temporal.Instant,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  if (step === "6h" || step === "1h") return now;
  return step === "new" ? dueAt.subtract({ milliseconds: DAY }) : undefined;
};

/** Earliest time for an alert: now, or, under an active route, the end of the quiet hours or of the time that it can wait. */
export const notBeforeOf = (
  step: AlertStep,
  dueAt: Temporal.Instant,
  route: (QuietRoute & Pick<AlertRoute, "active">) | undefined,
  now: Temporal.Instant,
): Temporal.Instant => {
  const end = route?.active === true ? quietEnd(route, now) : undefined;
  if (end === undefined) return now;
  const until = earlierInstant(end, urgentFrom(step, dueAt, now));
  return Temporal.Instant.compare(now, until) < 0 ? until : now;
};

/** Fixed offset of a watch within the poll period; hashing spreads the watches evenly over the minutes. */
const pollOffsetMs = (watchId: string, periodMs: number): number => {
  const hash = createHash("sha256").update(`poll|${watchId}`).digest().readUInt32BE();
  return (hash % (periodMs / MINUTE)) * MINUTE;
};

/**
 * Time of the next poll, at a full minute, when the scheduler runs. `isAnnounced`: calls announce the account's news,
 * and no dispute of it awaits an answer.
 */
export const nextPollAt = (
  watchId: string,
  route: QuietRoute | undefined,
  now: Temporal.Instant,
  isAnnounced = false,
): Temporal.Instant => {
  const isSlowNight = route?.slowNights === true && quietEnd(route, now) !== undefined;
  const periodMs = isSlowNight || isAnnounced ? SLOW_POLL_MS : POLL_MS;
  const placeMs = pollOffsetMs(watchId, periodMs);
  const rounds = Math.floor((now.epochMilliseconds - placeMs) / periodMs) + 1;
  return Temporal.Instant.fromEpochMilliseconds(rounds * periodMs + placeMs);
};

/** State of polling one watch. */
export interface DisputePoll {
  /** `Account.watchId`. */
  readonly watchId: string;
  readonly nextPollAt: Temporal.Instant;
  /** Counts of the last summary if its list was then read in full; undefined makes the next poll read it. */
  readonly counts: Pick<DisputeSummary, "byStatus" | "byAnalysis"> | undefined;
  /** When the list was last read; undefined before the first successful reading. */
  readonly listReadAt: Temporal.Instant | undefined;
  /** When the first reading was stored; disputes before it were not announced. Undefined before that. */
  readonly baselineAt: Temporal.Instant | undefined;
}

type Counts = NonNullable<DisputePoll["counts"]>;

export const sameCounts = (one: Counts, other: Counts): boolean =>
  isDeepStrictEqual(one.byStatus, other.byStatus) &&
  isDeepStrictEqual(one.byAnalysis, other.byAnalysis);

/** Whether the list must be read: counts are unknown or changed, or a deadline is near or may have moved. */
export const shouldReadList = (
  { counts: before, listReadAt }: Pick<DisputePoll, "counts" | "listReadAt">,
  counts: Counts | undefined,
  awaiting: readonly Pick<WatchedDispute, "dueAt">[],
  now: Temporal.Instant,
): boolean => {
  if (before === undefined || counts === undefined || !sameCounts(before, counts)) return true;
  const isNear = (leftUntil: number): boolean => leftUntil > 0 && leftUntil <= LONGEST_REMINDER_MS;
  if (awaiting.some(({ dueAt }) => isNear(leftMs(dueAt, now)))) return true;
  // Counts do not show a moved deadline. After the clock went back, the age of the list is unknown.
  const agoMs = listReadAt && now.epochMilliseconds - listReadAt.epochMilliseconds;
  const isOld = agoMs === undefined || agoMs < 0 || agoMs >= OLD_LIST_MS;
  return awaiting.length > 0 && isOld;
};

type CheckedDispute = Pick<
  WatchedDispute,
  "status" | "analysisStatus" | "dueAt" | "answeredByOwnerAt" | "snoozedUntil"
>;

const stillApplies = (
  { step, dueAt: named }: Pick<AlertSubject, "step" | "dueAt">,
  watched: CheckedDispute,
  now: Temporal.Instant,
): boolean => {
  const { dueAt, answeredByOwnerAt } = watched;
  if (named !== undefined && named.epochMilliseconds !== dueAt.epochMilliseconds) return false;
  const state = disputeState(watched, now);
  const awaits = state === "needs_answer" && answeredByOwnerAt === undefined;
  if (step === "new") return awaits || state === "other";
  if (isReminder(step)) return awaits && dueReminders(dueAt, now).at(-1) === step;
  // The bank may accept a cancelled or won one; an undocumented word takes no end back.
  if (state === "other") return isDecision(step);
  return state !== "needs_answer" && STATE_STEPS[state] === step;
};

/** Whether an owed alert is sent now (`holds`), `waits` for the end of a snooze, or is cancelled (`untrue`). */
export const revalidateAlert = (
  alert: Pick<AlertSubject, "step" | "dueAt">,
  watched: CheckedDispute,
  now: Temporal.Instant,
) => {
  if (!stillApplies(alert, watched, now)) return { kind: "untrue" } as const;
  const until = activeSnoozeEnd(watched, now);
  return isAwaiting(alert.step) && until !== undefined
    ? ({ kind: "waits", until } as const)
    : ({ kind: "holds" } as const);
};
