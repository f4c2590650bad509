import type { Locale } from "../shared/locale.ts";
import type { Cents } from "../shared/money.ts";
import type { Dispute } from "./dispute.ts";
import { HOUR } from "../shared/time.ts";

/** What is told about a dispute, in the order of its life. */
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

/** Where the alerts of one connected key go: to the guild's channel, to the owner's direct messages, or nowhere. */
export const alertChoices = ["channel", "direct", "off"] as const;

export type AlertChoice = (typeof alertChoices)[number];

/** Where a guild's alerts go, and how loudly. One per guild. */
export interface AlertRoute {
  readonly guildId: string;
  readonly channelId: string;
  /** Role that is pinged, in `content`; undefined: nobody. */
  readonly roleId: string | undefined;
  /** Steps that ping the role. */
  readonly pingSteps: readonly AlertStep[];
  /** Between these local times only what cannot wait is posted; both or none. */
  readonly quiet:
    | { readonly from: Temporal.PlainTime; readonly to: Temporal.PlainTime }
    | undefined;
  /** IANA name. */
  readonly timeZone: string;
  /** Whether the service is asked less often in the quiet hours. */
  readonly slowNights: boolean;
  /** False when an admin switched it off: alerts go to their owners' direct messages. */
  readonly active: boolean;
  readonly locale: Locale;
  readonly activeSince: Temporal.Instant;
  /** Since when the channel cannot be posted to. */
  readonly suspendedAt: Temporal.Instant | undefined;
  readonly updatedBy: string;
}

/** One dispute that the bot watches for one account: no name, document or description of anybody. */
export interface WatchedDispute {
  /** `Account.watchId`: one for each wallet account and owner. */
  readonly accountId: string;
  readonly infractionId: string;
  readonly txid: string;
  readonly amount: Cents;
  readonly frozen: Cents;
  readonly status: Dispute["status"];
  readonly analysisStatus: Dispute["analysisStatus"];
  readonly dueAt: Temporal.Instant;
  /** Counts the changes: whoever would change it as it no longer is does nothing. */
  readonly version: number;
  readonly firstSeenAt: Temporal.Instant;
  /** Steps that were enqueued or that others made needless: none of them is owed again. */
  readonly doneSteps: readonly AlertStep[];
  /** The owner said that it is answered in the gateway's panel; undone when the service says otherwise 6 h before. */
  readonly answeredByOwnerAt: Temporal.Instant | undefined;
  /** Until then its owner put reminders off, or until six hours before the deadline if that comes first. */
  readonly snoozedUntil: Temporal.Instant | undefined;
  /** The last reading of which anything was kept: one that changes nothing leaves it. */
  readonly readAt: Temporal.Instant;
  /** Nothing more will be told of it. */
  readonly closedAt: Temporal.Instant | undefined;
}

/** Steps whose alert names the deadline: told of another deadline it is another alert. */
const DATED: ReadonlySet<AlertStep> = new Set(["new", "72h", "48h", "24h", "6h", "1h", "overdue"]);

/** What the key of a marked repeat has over the key of what it repeats. */
export const REPEAT_SUFFIX = "|again";

/** Under this key an alert is owed: once for each step of a dispute, and for each deadline that the step names. */
export const alertKey = (
  { accountId, infractionId, dueAt }: Pick<WatchedDispute, "accountId" | "infractionId" | "dueAt">,
  step: AlertStep,
): string => {
  const key = `med|${accountId}|${encodeURIComponent(infractionId)}|${step}`;
  return DATED.has(step) ? `${key}|${dueAt.toString({ smallestUnit: "millisecond" })}` : key;
};

/** Key of the marked repeat of an alert of which nobody can tell whether it was posted; undefined for a repeat. */
export const repeatKeyOf = (key: string): string | undefined =>
  key.endsWith(REPEAT_SUFFIX) ? undefined : `${key}${REPEAT_SUFFIX}`;

/** The step of a dispute that one alert tells of. */
export interface AlertSubject {
  readonly accountId: string;
  readonly infractionId: string;
  readonly step: AlertStep;
  /** The deadline that it names, to the millisecond; undefined: none. */
  readonly dueAt: Temporal.Instant | undefined;
}

/** What a key of `alertKey`, or of its repeat, is about; undefined for any other key. */
export const readAlertKey = (key: string): AlertSubject | undefined => {
  const [prefix, accountId, encodedId, name, deadline] = key.split("|");
  const step = alertSteps.find((each) => each === name);
  if (prefix !== "med" || accountId === undefined || encodedId === undefined) return undefined;
  if (step === undefined) return undefined;
  const isDated = deadline !== undefined && DATED.has(step);
  const dueAt = isDated ? Temporal.Instant.from(deadline) : undefined;
  return { accountId, infractionId: decodeURIComponent(encodedId), step, dueAt };
};

/** Reminders, by how long before the deadline they are owed. */
const REMINDERS: readonly (readonly [AlertStep, number])[] = [
  ["72h", 72 * HOUR],
  ["48h", 48 * HOUR],
  ["24h", 24 * HOUR],
  ["6h", 6 * HOUR],
  ["1h", HOUR],
];

type Steps = Pick<WatchedDispute, "doneSteps" | "dueAt">;

/** Reminders whose time has come, the newest last. */
export const passedReminders = (
  dueAt: Temporal.Instant,
  now: Temporal.Instant,
): readonly AlertStep[] => {
  const leftMs = dueAt.epochMilliseconds - now.epochMilliseconds;
  return REMINDERS.flatMap(([step, beforeMs]) => (leftMs <= beforeMs ? [step] : []));
};

/** Whether it tells that a deadline comes nearer. */
export const isReminder = (step: AlertStep): boolean => REMINDERS.some(([each]) => each === step);

/** Whether nothing more is told of a dispute after it. */
export const isDecision = (step: AlertStep): boolean =>
  step === "won" || step === "lost" || step === "cancelled";

/** The done steps whose time has come: those that the deadline moved away from are owed again when it does. */
export const reachedSteps = (
  { doneSteps, dueAt }: Steps,
  now: Temporal.Instant,
): readonly AlertStep[] => {
  const passed = passedReminders(dueAt, now);
  return doneSteps.filter((step) =>
    step === "overdue"
      ? Temporal.Instant.compare(now, dueAt) >= 0
      : !isReminder(step) || passed.includes(step),
  );
};

const madeNeedless = (step: Exclude<AlertStep, "new">): readonly AlertStep[] => {
  const reminders = REMINDERS.map(([each]) => each);
  if (step === "overdue") return ["new", ...reminders];
  if (isReminder(step)) return ["new", ...reminders.slice(0, reminders.indexOf(step))];
  return ["new", "answered"];
};

/** The done steps once `step` is told: the older ones that it makes needless are among them. */
export const collapse = (
  { doneSteps, dueAt }: Steps,
  step: AlertStep,
  now: Temporal.Instant,
): readonly AlertStep[] => {
  const needless = step === "new" ? passedReminders(dueAt, now) : madeNeedless(step);
  return [...new Set([...doneSteps, ...needless, step])];
};

/** The done steps once `step`, which was owed, turned out not to be told: others may have made it needless. */
export const withoutStep = (
  doneSteps: readonly AlertStep[],
  step: AlertStep,
): readonly AlertStep[] => {
  const others = doneSteps.filter((each) => each !== step);
  const isNeedless = others.some(
    (each) => each !== "new" && !isReminder(each) && madeNeedless(each).includes(step),
  );
  return isNeedless ? doneSteps : others;
};

/**
 * The done steps once the owner's word has failed: the reminder of that hour is owed again, perhaps because it was kept
 * back for the word's sake. One that was posted before is not posted again.
 */
export const afterFailedAcknowledgement = (
  { doneSteps, dueAt }: Steps,
  now: Temporal.Instant,
): readonly AlertStep[] => {
  const newest = passedReminders(dueAt, now).at(-1);
  return doneSteps.filter((step) => step !== newest);
};
