import { createHash } from "node:crypto";
import { DAY, HOUR, MINUTE } from "../shared/duration.ts";
import type { AlertRoute, AlertStep, WatchedDispute } from "./dispute-alert.ts";
import type { DisputePoll } from "./dispute-stores.ts";
import type { DisputeState } from "./dispute-state.ts";
import { passedReminders } from "./dispute-steps.ts";

/** No reminder is owed longer before a deadline. */
export const LONGEST_REMINDER_MS = 72 * HOUR;
const LAST_CALL_MS = 6 * HOUR;
const SNOOZE_MS = 6 * HOUR;
/** An answer given in the panel may take this long to show in what the service says. */
const ANSWER_SHOWS_MS = 15 * MINUTE;
const POLL_MS = 5 * MINUTE;
const SLOW_POLL_MS = 15 * MINUTE;
const OLD_LIST_MS = HOUR;

const leftMs = (dueAt: Temporal.Instant, now: Temporal.Instant): number =>
  dueAt.epochMilliseconds - now.epochMilliseconds;

type Silences = Pick<WatchedDispute, "answeredByOwnerAt" | "snoozedUntil" | "dueAt">;

/**
 * When reminders that were put off go on; undefined when none are put off at `now`. A deadline that came nearer since
 * ends the wait too.
 */
export const putOffUntil = (
  { snoozedUntil, dueAt }: Pick<Silences, "snoozedUntil" | "dueAt">,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  if (snoozedUntil === undefined) return undefined;
  const lastCall = dueAt.subtract({ milliseconds: LAST_CALL_MS });
  const until = Temporal.Instant.compare(snoozedUntil, lastCall) < 0 ? snoozedUntil : lastCall;
  return Temporal.Instant.compare(now, until) < 0 ? until : undefined;
};

const isSilent = (silences: Silences, now: Temporal.Instant): boolean =>
  silences.answeredByOwnerAt !== undefined || putOffUntil(silences, now) !== undefined;

type Watched = Silences & Pick<WatchedDispute, "doneSteps" | "closedAt">;

const stepOf = (
  watched: Watched,
  state: DisputeState,
  now: Temporal.Instant,
): AlertStep | undefined => {
  switch (state) {
    case "won":
    case "lost":
    case "cancelled":
    case "overdue":
      return state;
    case "defended":
    case "conceded":
      return "answered";
    // What nobody understands may await an answer all the same.
    case "other":
      return "new";
    case "needs_answer":
      break;
  }
  if (isSilent(watched, now)) return undefined;
  return watched.doneSteps.includes("new") ? passedReminders(watched.dueAt, now).at(-1) : "new";
};

/** What is to be told now of a dispute in that state: one step at most, since the newest says what the older would. */
export const owedStep = (
  watched: Watched,
  state: DisputeState,
  now: Temporal.Instant,
): AlertStep | undefined => {
  if (watched.closedAt !== undefined) return undefined;
  const step = stepOf(watched, state, now);
  return step === undefined || watched.doneSteps.includes(step) ? undefined : step;
};

/**
 * Whether a reading shows that the owner's word does not hold: six hours before the deadline the service still awaits an
 * answer.
 */
export const wordFails = (
  { answeredByOwnerAt, dueAt }: Pick<WatchedDispute, "answeredByOwnerAt" | "dueAt">,
  state: DisputeState,
  now: Temporal.Instant,
): boolean =>
  answeredByOwnerAt !== undefined &&
  state === "needs_answer" &&
  leftMs(dueAt, now) <= LAST_CALL_MS &&
  now.epochMilliseconds - answeredByOwnerAt.epochMilliseconds >= ANSWER_SHOWS_MS;

/** Until when reminders wait; undefined when the deadline is too near to wait at all. */
export const snoozeUntil = (
  dueAt: Temporal.Instant,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  const waitMs = Math.min(SNOOZE_MS, leftMs(dueAt, now) - LAST_CALL_MS);
  return waitMs > 0 ? now.add({ milliseconds: waitMs }) : undefined;
};

type Nights = Pick<AlertRoute, "quiet" | "timeZone" | "slowNights">;

/** The end of the quiet hours that `now` lies in; undefined outside of them. */
const quietEnd = (
  { quiet, timeZone }: Nights,
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

const cannotWait = (step: AlertStep, dueAt: Temporal.Instant, now: Temporal.Instant): boolean =>
  step === "6h" || step === "1h" || (step === "new" && leftMs(dueAt, now) < DAY);

/**
 * When an alert may be posted: at once, or at the end of the guild's quiet hours. A guild that has switched its route off
 * has none.
 */
export const notBeforeOf = (
  step: AlertStep,
  dueAt: Temporal.Instant,
  route: (Nights & Pick<AlertRoute, "active">) | undefined,
  now: Temporal.Instant,
): Temporal.Instant => {
  if (route?.active !== true || cannotWait(step, dueAt, now)) return now;
  return quietEnd(route, now) ?? now;
};

/** The same minute between two polls for an account, always; each minute has as many accounts as the others. */
const placeOf = (accountId: string, periodMs: number): number => {
  const hash = createHash("sha256").update(`poll|${accountId}`).digest().readUInt32BE();
  return (hash % (periodMs / MINUTE)) * MINUTE;
};

/** When an account is to be asked next, after it was asked at `now`: at a full minute, when the scheduler looks. */
export const nextPollAt = (
  accountId: string,
  route: Nights | undefined,
  now: Temporal.Instant,
): Temporal.Instant => {
  const slow = route?.slowNights === true && quietEnd(route, now) !== undefined;
  const periodMs = slow ? SLOW_POLL_MS : POLL_MS;
  const placeMs = placeOf(accountId, periodMs);
  const rounds = Math.floor((now.epochMilliseconds - placeMs) / periodMs) + 1;
  return Temporal.Instant.fromEpochMilliseconds(rounds * periodMs + placeMs);
};

type Counts = NonNullable<DisputePoll["counts"]>;

const sameCounts = (one: Counts, other: Counts): boolean =>
  (["pending", "agreed", "disagreed", "canceled", "total"] as const).every(
    (each) => one.byStatus[each] === other.byStatus[each],
  ) &&
  (["pending", "accepted", "rejected"] as const).every(
    (each) => one.byAnalysis[each] === other.byAnalysis[each],
  );

/** Whether the list is worth a call: nobody knows whether anything moved, or a deadline is near or may have moved. */
export const shouldReadList = (
  { counts: before, listReadAt }: Pick<DisputePoll, "counts" | "listReadAt">,
  counts: Counts | undefined,
  awaiting: readonly Pick<WatchedDispute, "dueAt">[],
  now: Temporal.Instant,
): boolean => {
  if (before === undefined || counts === undefined || !sameCounts(before, counts)) return true;
  const isNear = (leftUntil: number): boolean => leftUntil > 0 && leftUntil <= LONGEST_REMINDER_MS;
  if (awaiting.some(({ dueAt }) => isNear(leftMs(dueAt, now)))) return true;
  // No count tells of a deadline that moved. A clock that went back says nothing about how long ago that was.
  const agoMs = listReadAt && now.epochMilliseconds - listReadAt.epochMilliseconds;
  const isOld = agoMs === undefined || agoMs < 0 || agoMs >= OLD_LIST_MS;
  return awaiting.length > 0 && isOld;
};
