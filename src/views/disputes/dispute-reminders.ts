import type { WatchedDispute } from "../../domain/dispute-alert.ts";
import { snoozeUntil } from "../../domain/dispute-watch.ts";
import { HOUR } from "../../shared/duration.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import { inline } from "../embed.ts";
import { reply, type Reply } from "../reply.ts";
import { fullAndRelative } from "../timestamp.ts";

/** What became of a wish about reminders. */
export type ReminderAnswer =
  | {
      readonly kind: "muted" | "already_muted" | "too_late" | "nothing";
      readonly watched: Pick<WatchedDispute, "dueAt" | "doneSteps">;
    }
  | {
      readonly kind: "snoozed";
      readonly watched: Pick<WatchedDispute, "dueAt">;
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
  { dueAt, doneSteps }: Pick<WatchedDispute, "dueAt" | "doneSteps">,
  now: Temporal.Instant,
  { disputeAlerts }: Texts,
): string => {
  if (snoozeUntil(dueAt, now) !== undefined) return disputeAlerts.alreadyMutedText;
  return doneSteps.includes("1h")
    ? disputeAlerts.mutedLastText
    : disputeAlerts.alreadyMutedLateText;
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
    too_late: [disputeAlerts.tooLateToSnooze, disputeAlerts.tooLateToSnoozeText],
    nothing: [disputeAlerts.nothingToSilence, disputeAlerts.nothingToSilenceText],
    snoozed: [
      disputeAlerts.snoozed,
      answer.kind === "snoozed" ? disputeAlerts.snoozedText(fullAndRelative(answer.until)) : "",
    ],
  } as const;
  const [title, description] = words[answer.kind];
  return reply({
    tone: answer.kind === "too_late" ? "warning" : "accent",
    title,
    description,
    fields: [inline(disputeAlerts.deadline, fullAndRelative(answer.watched.dueAt))],
  });
};
