import type { WatchedDispute } from "../domain/dispute-alert.ts";
import type { Locale } from "../texts/locale.ts";
import { textsFor } from "../texts/texts.ts";
import { inline } from "./embed.ts";
import { reply, type Reply } from "./reply.ts";
import { fullAndRelative } from "./timestamp.ts";

/** What became of a wish about reminders. */
export type ReminderAnswer =
  | {
      readonly kind: "muted" | "too_late" | "nothing";
      readonly watched: Pick<WatchedDispute, "dueAt">;
    }
  | {
      readonly kind: "snoozed";
      readonly watched: Pick<WatchedDispute, "dueAt">;
      readonly until: Temporal.Instant;
    };

/** What was noted about the reminders of a dispute, for its owner. */
export const reminderView = (answer: ReminderAnswer, locale: Locale): Reply => {
  const { disputeAlerts } = textsFor(locale);
  const words = {
    muted: [disputeAlerts.muted, disputeAlerts.mutedText],
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
