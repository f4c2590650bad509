import type { WatchedDispute } from "../../domain/dispute-alert.ts";
import { putOffUntil, snoozeUntil } from "../../domain/dispute-watch.ts";
import { HOUR } from "../../shared/duration.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import { buttonRow, type ButtonParts } from "../components.ts";
import { inline } from "../embed.ts";
import { disputeIds } from "./dispute-ids.ts";
import { reply, type Reply } from "../reply.ts";
import { fullAndRelative } from "../timestamp.ts";

type Reminded = Pick<
  WatchedDispute,
  "accountId" | "infractionId" | "dueAt" | "doneSteps" | "snoozedUntil"
>;

/** What became of a wish about reminders. */
export type ReminderAnswer =
  | {
      readonly kind: "muted" | "already_muted" | "resumed" | "too_late" | "nothing";
      readonly watched: Reminded;
    }
  | {
      readonly kind: "snoozed";
      readonly watched: Reminded;
      readonly until: Temporal.Instant;
    };

/** In the last hours there is no "six hours before" to come, and in the last one no reminder at all. */
const mutedInWords = (
  dueAt: Temporal.Instant,
  now: Temporal.Instant,
  { disputeAlerts }: Texts,
): string => {
  if (snoozeUntil(dueAt, now) !== undefined) return disputeAlerts.mutedText;
  return dueAt.epochMilliseconds - now.epochMilliseconds > HOUR
    ? disputeAlerts.mutedLateText
    : disputeAlerts.mutedLastText;
};

/** The same for who said so before: until the last reminder was made, it may come at any moment. */
const alreadyMutedInWords = (
  { dueAt, doneSteps }: Reminded,
  now: Temporal.Instant,
  { disputeAlerts }: Texts,
): string => {
  if (snoozeUntil(dueAt, now) !== undefined) return disputeAlerts.alreadyMutedText;
  return doneSteps.includes("1h")
    ? disputeAlerts.mutedLastText
    : disputeAlerts.alreadyMutedLateText;
};

/** The last reminder may have been made before, and reminders that were put off still wait. */
const resumedInWords = (
  watched: Reminded,
  now: Temporal.Instant,
  { disputes, disputeAlerts }: Texts,
): string => {
  if (watched.doneSteps.includes("1h")) return disputeAlerts.resumedLastText;
  const until = putOffUntil(watched, now);
  return until === undefined
    ? disputeAlerts.resumedText
    : disputes.followedSnoozed(fullAndRelative(until));
};

/** The way back from reminders that are stopped, while there is one to come. */
const buttonsOf = (
  { kind, watched }: ReminderAnswer,
  { disputeAlerts }: Texts,
): readonly ButtonParts[] => {
  const id = disputeIds.resume(watched);
  const isStopped = kind === "muted" || kind === "already_muted";
  return isStopped && !watched.doneSteps.includes("1h") && id !== undefined
    ? [{ id, label: disputeAlerts.resume, style: "secondary" }]
    : [];
};

/** What was noted about the reminders of a dispute, for its owner. */
export const reminderView = (
  answer: ReminderAnswer,
  now: Temporal.Instant,
  locale: Locale,
): Reply => {
  const texts = textsFor(locale);
  const { disputeAlerts } = texts;
  const already =
    answer.kind === "already_muted" ? alreadyMutedInWords(answer.watched, now, texts) : "";
  const words = {
    already_muted: [disputeAlerts.alreadyMuted, already],
    muted: [disputeAlerts.muted, mutedInWords(answer.watched.dueAt, now, texts)],
    resumed: [disputeAlerts.resumed, resumedInWords(answer.watched, now, texts)],
    too_late: [disputeAlerts.tooLateToSnooze, disputeAlerts.tooLateToSnoozeText],
    nothing: [disputeAlerts.nothingToSilence, disputeAlerts.nothingToSilenceText],
    snoozed: [
      disputeAlerts.snoozed,
      answer.kind === "snoozed" ? disputeAlerts.snoozedText(fullAndRelative(answer.until)) : "",
    ],
  } as const;
  const [title, description] = words[answer.kind];
  const buttons = buttonsOf(answer, texts);
  return reply(
    {
      tone: answer.kind === "too_late" ? "warning" : "accent",
      title,
      description,
      fields: [inline(disputeAlerts.deadline, fullAndRelative(answer.watched.dueAt))],
    },
    ...(buttons.length === 0 ? [] : [buttonRow(...buttons)]),
  );
};
