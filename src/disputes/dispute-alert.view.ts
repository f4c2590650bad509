import type {
  ChosenChannelFacts,
  DeliveryPayload,
  LostChannelFacts,
} from "../delivery/delivery.ts";
import {
  type AlertStep,
  isAwaiting,
  isUndecided,
  leftMs,
  type ReminderOutcome,
  type WatchedDispute,
} from "./dispute-alert.ts";
import { inBrasilia } from "../shared/local-time.ts";
import { activeSnoozeEnd, snoozeUntil } from "./dispute-watch.ts";
import { DAY, HOUR } from "../shared/time.ts";
import type { Locale } from "../shared/locale.ts";
import { type DisputeTexts, disputeTexts } from "./texts.ts";
import {
  type ButtonParts,
  buttonRows,
  markedFooter,
  offeredButtons,
  post,
  replacedPost,
  reply,
  type Reply,
} from "../ui/reply.ts";
import { answerLink, disputeIds } from "./dispute-detail.view.ts";
import { inline, line } from "../ui/embed.ts";
import { chosenChannelPost, lostChannelPost } from "../ui/settings.ts";
import { CODE_LENGTH, fullAndRelative, keyEnd, ofKey, safe } from "../ui/format.ts";

const CALM: ReadonlySet<AlertStep> = new Set(["answered", "won", "cancelled"]);

export interface AlertFacts {
  readonly step: AlertStep;
  readonly dispute: Pick<
    WatchedDispute,
    "watchId" | "infractionId" | "status" | "amount" | "frozen" | "dueAt"
  >;
  /** Mentions; undefined in direct messages. */
  readonly pings: DeliveryPayload["pings"] | undefined;
  /** End of the key, for its owner alone: an owner of several accounts gets the alerts of all by direct message. */
  readonly directKey?: string | undefined;
  /** Whether that owner has other wallet accounts, whose alerts have sentences like this one's. */
  readonly hasOthers?: boolean | undefined;
  /** Earliest time of the post; the time left to answer is counted from it. */
  readonly at: Temporal.Instant;
  readonly locale: Locale;
  /** Page where sellers answer disputes. */
  readonly answerUrl?: string | undefined;
  /** Mark by which the message is found again. */
  readonly reference: string;
  /** Whether the service could not be read right before, so that the last reading speaks. */
  readonly isUnread?: boolean;
}

const alertButtons = (
  { step, dispute, at }: Pick<AlertFacts, "step" | "dispute" | "at">,
  { disputes, disputeAlerts }: DisputeTexts,
): readonly ButtonParts[] => {
  const awaits = isAwaiting(step);
  return offeredButtons(
    [true, disputeIds.see(dispute), disputeAlerts.see, "primary"],
    [awaits, disputeIds.answered(dispute), disputeAlerts.answeredInPanel],
    [
      awaits && snoozeUntil(dispute.dueAt, at) !== undefined,
      disputeIds.snooze(dispute),
      disputeAlerts.snooze,
    ],
    [isUndecided(step), disputeIds.defence(dispute), disputes.prepareDefence],
    [awaits, disputeIds.agenda(dispute), disputes.agenda],
  );
};

const keyFields = (directKey: AlertFacts["directKey"], { common }: DisputeTexts) =>
  directKey === undefined ? [] : [inline(common.key, keyEnd(directKey))];

/**
 * One alert of a dispute. Shows only its id, amounts and deadline, because the channel has other readers than the
 * owner, who agreed to appear there by name.
 */
export const disputeAlert = (facts: AlertFacts): DeliveryPayload => {
  const { step, dispute, pings, directKey, at, locale, reference } = facts;
  const texts = disputeTexts(locale);
  const { disputeAlerts, disputes, format } = texts;
  const rows = [
    ...(isUndecided(step) ? answerLink(facts.answerUrl, texts) : []),
    ...buttonRows(alertButtons(facts, texts)),
  ];
  const awaits = isAwaiting(step);
  const left = leftMs(dispute.dueAt, at);
  const amount = format.reais(dispute.amount);
  // An agreement by mistake, or of somebody else, is noticed only if it is told as one.
  const isConceded = step === "answered" && dispute.status === "agreed";
  const title = isConceded
    ? disputeAlerts.conceded(amount)
    : disputeAlerts.titles[step](amount, left > 0 ? format.left(left) : undefined);
  const explained = isConceded ? disputeAlerts.concededText : disputeAlerts.explained[step];
  const mayBeStale = facts.isUnread === true && isUndecided(step) && step !== "new";
  const moment = awaits ? format.dayAndHour(inBrasilia(dispute.dueAt)) : undefined;
  return {
    ...(pings !== undefined && { pings }),
    ...post(
      {
        tone: CALM.has(step) && !isConceded ? "accent" : awaits && left < DAY ? "alarm" : "warning",
        sentence: ofKey(disputeAlerts.alone(title, moment), facts, texts),
        title,
        description: mayBeStale ? `${explained}\n\n${disputeAlerts.unread}` : explained,
        fields: [
          inline(disputes.amount, `**${amount}**`),
          ...(isUndecided(step)
            ? [line(disputes.deadline, `**${fullAndRelative(dispute.dueAt)}**`)]
            : [
                inline(
                  step === "answered" ? disputes.frozen : disputes.net,
                  format.reais(dispute.frozen),
                ),
              ]),
          line(disputes.infraction, safe(dispute.infractionId, CODE_LENGTH)),
          ...keyFields(directKey, texts),
        ],
        reference,
      },
      ...rows,
    ),
  };
};

/** The alert that the service counts more unanswered disputes than can be read; only those that were read have reminders. */
export const unlistedAlert = (
  facts: Omit<AlertFacts, "at" | "dispute" | "isUnread" | "step"> & {
    readonly pending: number;
    /** How many of them the list does not show, or could not be read in full. */
    readonly unlisted: number;
  },
): DeliveryPayload => {
  const { pending, unlisted, pings, directKey, locale, reference } = facts;
  const texts = disputeTexts(locale);
  const { disputeAlerts } = texts;
  const seen = pending - unlisted;
  return {
    ...(pings !== undefined && { pings }),
    unlisted: { pending, unlisted },
    ...post(
      {
        tone: "warning",
        sentence: ofKey(disputeAlerts.unlistedAlone(pending, seen), facts, texts),
        title: disputeAlerts.unlisted,
        description: `${disputeAlerts.unlistedText(pending, seen)} ${disputeAlerts.unlistedNext}`,
        fields: keyFields(directKey, texts),
        reference,
      },
      ...answerLink(facts.answerUrl, texts),
    ),
  };
};

/** The same alert marked as a repeat, with a reference of its own. */
export const repeatedAlert = (
  payload: DeliveryPayload,
  reference: string,
  locale: Locale,
): DeliveryPayload => {
  const { repeated, repeatedAlone } = disputeTexts(locale).disputeAlerts;
  return {
    ...payload,
    // A phone's preview of the repeat would pass for another MED of the same amount.
    ...(payload.content && { content: repeatedAlone(payload.content) }),
    embeds: (payload.embeds ?? []).map((posted) => ({
      ...posted,
      description: `${repeated}\n\n${posted.description ?? ""}`.trim(),
      footer: { text: markedFooter(reference) },
    })),
  };
};

/** A posted alert that a newer one replaces: it says so in place of its text, and has no buttons. */
export const replacedAlert = (
  payload: DeliveryPayload,
  isBelow: boolean,
  locale: Locale,
): DeliveryPayload => {
  const { disputes, disputeAlerts } = disputeTexts(locale);
  const replaced = isBelow ? disputeAlerts.replacedBelow : disputeAlerts.replacedElsewhere;
  return replacedPost(payload, replaced, ({ name }) => name === disputes.infraction);
};

/** To a seller who chose the server's channel for alerts: those of the server are posted in this one from now on. */
export const alertMoveNotice = (facts: ChosenChannelFacts): DeliveryPayload => {
  const texts = disputeTexts(facts.locale);
  return chosenChannelPost(facts, texts.disputeAlerts.move, texts);
};

/** The notice that the alert channel is gone or closed to the bot. */
export const alertChannelLostNotice = (facts: LostChannelFacts): DeliveryPayload => {
  const texts = disputeTexts(facts.locale);
  return lostChannelPost(facts, texts.disputeAlerts, texts);
};

/** In the last hours no six-hour reminder is left, and in the last hour no reminder at all. */
const mutedInWords = (
  dueAt: Temporal.Instant,
  now: Temporal.Instant,
  { disputeAlerts }: DisputeTexts,
): string => {
  if (snoozeUntil(dueAt, now) !== undefined) return disputeAlerts.mutedText;
  return leftMs(dueAt, now) > HOUR ? disputeAlerts.mutedLateText : disputeAlerts.mutedLastText;
};

/** The last reminder may be over, and reminders that were put off still wait. */
const resumedInWords = (
  watched: ReminderOutcome["watched"],
  now: Temporal.Instant,
  { disputes, disputeAlerts }: DisputeTexts,
): string => {
  if (watched.doneSteps.includes("1h")) return disputeAlerts.resumedLastText;
  const until = activeSnoozeEnd(watched, now);
  return until === undefined
    ? disputeAlerts.resumedText
    : disputes.followedSnoozed(fullAndRelative(until));
};

/** A button to resume muted reminders, while a reminder is still to come. */
const reminderButtons = (
  { kind, watched }: ReminderOutcome,
  { disputeAlerts }: DisputeTexts,
): readonly ButtonParts[] => {
  const isStopped = kind === "muted" && !watched.doneSteps.includes("1h");
  return offeredButtons([isStopped, disputeIds.resume(watched), disputeAlerts.resume]);
};

/** An overdue dispute, and one in an unknown state, has no reminders, and may still be answered at the service. */
const nothingInWords = (
  answer: ReminderOutcome,
  { disputes, disputeAlerts }: DisputeTexts,
): readonly [title: string, description: string] => {
  const { nothingToSilence, nothingToSilenceText } = disputeAlerts;
  if (answer.kind !== "nothing" || (answer.state !== "overdue" && answer.state !== "other"))
    return [nothingToSilence, nothingToSilenceText];
  const { state } = answer;
  // This answer has no place for the unknown word.
  const explained = state === "other" ? disputeAlerts.unknownState : disputes.explained[state];
  return [disputes.states[state], `${explained} ${nothingToSilenceText}`];
};

/** The result of a request about a dispute's reminders, for its owner. */
export const reminderView = (
  answer: ReminderOutcome,
  now: Temporal.Instant,
  locale: Locale,
): Reply => {
  const texts = disputeTexts(locale);
  const { disputes, disputeAlerts } = texts;
  const words = {
    muted: [disputeAlerts.muted, mutedInWords(answer.watched.dueAt, now, texts)],
    resumed: [disputeAlerts.resumed, resumedInWords(answer.watched, now, texts)],
    too_late: [disputeAlerts.tooLateToSnooze, disputeAlerts.tooLateToSnoozeText],
    nothing: nothingInWords(answer, texts),
    snoozed: [
      disputeAlerts.snoozed,
      answer.kind === "snoozed" ? disputeAlerts.snoozedText(fullAndRelative(answer.until)) : "",
    ],
  } as const;
  const [title, description] = words[answer.kind];
  return reply(
    {
      tone: answer.kind === "too_late" ? "warning" : "accent",
      title,
      description: answer.areAlertsOff === true ? disputeAlerts.offHere : description,
      fields: [inline(disputes.deadline, fullAndRelative(answer.watched.dueAt))],
    },
    ...buttonRows(reminderButtons(answer, texts)),
  );
};
