import type { Cents } from "../shared/money.ts";
import type { Dispute } from "./dispute.ts";

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
  readonly locale: "pt-BR" | "en-US";
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
