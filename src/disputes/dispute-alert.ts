import type { Dispute, DisputeState } from "./dispute.ts";
import type { Chosen, PostingRoute } from "../delivery/delivery.ts";
import { HOUR, toMillisecond } from "../shared/time.ts";

/** The alerts about a dispute, in the order of its life. */
export const alertSteps = [
  "new",
  "72h",
  "48h",
  "24h",
  "6h",
  "1h",
  "overdue",
  "answered",
  "won",
  "lost",
  "cancelled",
] as const;

export type AlertStep = (typeof alertSteps)[number];

/** The guild's channel for alerts and its settings; switched off, alerts go to the owners. One per guild. */
export interface AlertRoute extends PostingRoute {
  /** Role pinged in `content`; undefined: no ping. */
  readonly roleId: string | undefined;
  readonly pingSteps: readonly AlertStep[];
  /** Quiet hours in local time: alerts that can wait are posted at their end. */
  readonly quiet:
    | { readonly from: Temporal.PlainTime; readonly to: Temporal.PlainTime }
    | undefined;
  /** IANA name: the zone of the server's report, or the saved one in a server without a report. */
  readonly timeZone: string;
  /** Whether the service is polled less often in the quiet hours. */
  readonly slowNights: boolean;
}

export type ChosenAlertRoute = Chosen<AlertRoute>;

/** A dispute that the bot watches for an account. Contains no name, document or description. */
export interface WatchedDispute extends Pick<
  Dispute,
  "infractionId" | "amount" | "frozen" | "status" | "analysisStatus" | "dueAt"
> {
  /** `Account.watchId`: one for each pair of wallet account and owner. */
  readonly watchId: string;
  /** Empty until the dispute was read in full, where the list told the rest: the list's own txid is undocumented. */
  readonly txid: string;
  /** Undefined until it is read in full by a version that keeps it; empty where no such reading had a sale. */
  readonly saleTxid: string | undefined;
  /** Counts changes; a write with an old version has no effect. */
  readonly version: number;
  readonly firstSeenAt: Temporal.Instant;
  /** Steps that were enqueued or made obsolete by later ones; they are not owed again. */
  readonly doneSteps: readonly AlertStep[];
  /** When the owner reported an answer in the panel; reset once the service shows it, or awaits it 6 h before the deadline. */
  readonly answeredByOwnerAt: Temporal.Instant | undefined;
  /** The owner snoozed reminders until then, but at most until 6 hours before the deadline. */
  readonly snoozedUntil: Temporal.Instant | undefined;
  /** Set once the dispute is final: no more alerts follow, unless a later reading shows another state. */
  readonly closedAt: Temporal.Instant | undefined;
}

/** A dispute before it is watched. */
export type NewWatchedDispute = Omit<WatchedDispute, "version">;

/** Fields that a step may set. A missing field stays; an explicit undefined clears an optional field. */
export type DisputeChange = Partial<
  Omit<WatchedDispute, "watchId" | "infractionId" | "version" | "firstSeenAt">
>;

type Reminded = Pick<
  WatchedDispute,
  "watchId" | "infractionId" | "dueAt" | "doneSteps" | "snoozedUntil"
>;

/**
 * The answer to a request about the reminders of a dispute that awaits an answer. `muted`: also of a snooze of muted
 * ones. `too_late`: within six hours of the deadline reminders cannot be snoozed.
 */
export type ReminderAnswer =
  | { readonly kind: "muted" | "resumed" | "too_late" }
  | { readonly kind: "snoozed"; readonly until: Temporal.Instant };

/** Result of an owner's request about the reminders of a dispute. */
export type ReminderOutcome = {
  readonly watched: Reminded;
  /** No reminder comes, also of a request that was taken. */
  readonly areAlertsOff?: true;
} & (
  | ReminderAnswer
  /** The dispute has no reminders in its `state`, in which an answer may still be possible. */
  | { readonly kind: "nothing"; readonly state: DisputeState }
);

/** Steps of a dispute that awaits the seller's answer. */
export const isAwaiting = (step: AlertStep): boolean => step === "new" || isReminder(step);

/** Steps with the deadline in their alert: a new deadline makes a new alert. */
export const isUndecided = (step: AlertStep): boolean => isAwaiting(step) || step === "overdue";

/** Key of an alert, unique for each step of a dispute and, for dated steps, each deadline. */
export const alertKey = (
  { watchId, infractionId, dueAt }: Pick<WatchedDispute, "watchId" | "infractionId" | "dueAt">,
  step: AlertStep,
): string => {
  const key = `med|${watchId}|${encodeURIComponent(infractionId)}|${step}`;
  return isUndecided(step) ? `${key}|${dueAt.toString({ smallestUnit: "millisecond" })}` : key;
};

/** Key of a posted alert that is owed again since `at`, or because the owner's report of an answer at `at` proved wrong. */
export const owedAgainKey = (key: string, at: Temporal.Instant): string =>
  `${key}|${at.toString({ smallestUnit: "millisecond" })}`;

/** Key of an alert's marked repeat, sent when it is unclear whether the alert was posted. */
export const repeatKey = (key: string): string => `${key}|again`;

/** The dispute and step of one alert. */
export interface AlertSubject {
  /** `Account.watchId`. */
  readonly watchId: string;
  readonly infractionId: string;
  readonly step: AlertStep;
  /** Deadline named in the alert, to the millisecond; undefined for undated steps. */
  readonly dueAt: Temporal.Instant | undefined;
}

export const alertSubject = (
  { watchId, infractionId, dueAt }: Pick<WatchedDispute, "watchId" | "infractionId" | "dueAt">,
  step: AlertStep,
): AlertSubject => ({
  watchId,
  infractionId,
  step,
  dueAt: isUndecided(step) ? toMillisecond(dueAt) : undefined,
});

/** Reminders and how long before the deadline each is owed. */
const REMINDERS: readonly (readonly [AlertStep, number])[] = [
  ["72h", 72 * HOUR],
  ["48h", 48 * HOUR],
  ["24h", 24 * HOUR],
  ["6h", 6 * HOUR],
  ["1h", HOUR],
];

type Steps = Pick<WatchedDispute, "doneSteps" | "dueAt">;

/** Milliseconds until the deadline; negative after it. */
export const leftMs = (dueAt: Temporal.Instant, now: Temporal.Instant): number =>
  dueAt.epochMilliseconds - now.epochMilliseconds;

/** Reminders due at `now`, latest last. */
export const dueReminders = (
  dueAt: Temporal.Instant,
  now: Temporal.Instant,
): readonly AlertStep[] =>
  REMINDERS.flatMap(([step, beforeMs]) => (leftMs(dueAt, now) <= beforeMs ? [step] : []));

/** When a reminder, or the word that the deadline has passed, is owed; undefined for other steps. */
export const beginOf = (step: AlertStep, dueAt: Temporal.Instant): Temporal.Instant | undefined => {
  if (step === "overdue") return dueAt;
  const beforeMs = REMINDERS.find(([each]) => each === step)?.[1];
  return beforeMs === undefined ? undefined : dueAt.subtract({ milliseconds: beforeMs });
};

export const isReminder = (step: AlertStep): boolean => REMINDERS.some(([each]) => each === step);

/** Whether no alert follows this step. */
export const isDecision = (step: AlertStep): boolean =>
  step === "won" || step === "lost" || step === "cancelled";

/** Done steps that are due under the current deadline. Steps that a later deadline moves ahead are owed again. */
export const reachedSteps = (
  { doneSteps, dueAt }: Steps,
  now: Temporal.Instant,
): readonly AlertStep[] => {
  const passed = dueReminders(dueAt, now);
  return doneSteps.filter((step) =>
    step === "overdue"
      ? Temporal.Instant.compare(now, dueAt) >= 0
      : !isReminder(step) || passed.includes(step),
  );
};

const supersededBy = (step: Exclude<AlertStep, "new">): readonly AlertStep[] => {
  const reminders = REMINDERS.map(([each]) => each);
  if (step === "overdue") return ["new", ...reminders];
  if (isReminder(step)) return ["new", ...reminders.slice(0, reminders.indexOf(step))];
  return ["new", "answered"];
};

/** Done steps after `step` was sent, with the older steps that it makes obsolete. */
export const withStep = (
  { doneSteps, dueAt }: Steps,
  step: AlertStep,
  now: Temporal.Instant,
): readonly AlertStep[] => {
  const needless = step === "new" ? dueReminders(dueAt, now) : supersededBy(step);
  return [...new Set([...doneSteps, ...needless, step])];
};

/** Done steps after `step` was cancelled unsent. The step stays done when a later one made it obsolete. */
export const withoutStep = (
  doneSteps: readonly AlertStep[],
  step: AlertStep,
): readonly AlertStep[] => {
  const others = doneSteps.filter((each) => each !== step);
  const isNeedless = others.some(
    (each) => each !== "new" && !isReminder(each) && supersededBy(each).includes(step),
  );
  return isNeedless ? doneSteps : others;
};

/**
 * Done steps after the owner's report of an answer proved wrong. The latest reminder is owed again: the report may have
 * held it back, or was made under it.
 */
export const afterFailedAcknowledgement = (
  { doneSteps, dueAt }: Steps,
  now: Temporal.Instant,
): readonly AlertStep[] => {
  const newest = dueReminders(dueAt, now).at(-1);
  return doneSteps.filter((step) => step !== newest);
};
