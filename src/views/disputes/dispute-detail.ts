import type { DisputeDetail } from "../../domain/dispute-facts.ts";
import { awaitsAnswer } from "../../domain/dispute-state.ts";
import { putOffUntil, snoozeUntil } from "../../domain/dispute-watch.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import { buttonRow, type ButtonParts } from "../components.ts";
import { answerLink } from "./answer-link.ts";
import { disputeFields } from "./dispute-facts.ts";
import { disputeIds } from "./dispute-ids.ts";
import { reply, type Reply } from "../reply.ts";
import { fullAndRelative } from "../timestamp.ts";

export interface DisputeDetailFacts extends DisputeDetail {
  /** In a direct message the list is not offered: it belongs to a server. */
  readonly inGuild: boolean;
  /** Page where sellers answer; undefined when the operator named none. */
  readonly answerUrl?: string | undefined;
  readonly locale: Locale;
}

const TROUBLED = new Set(["needs_answer", "overdue", "lost", "other"]);

const buttonsOf = (
  facts: DisputeDetailFacts,
  { disputes, disputeAlerts, dossier }: Texts,
): readonly ButtonParts[] => {
  const { accountId, dispute, state, inGuild, watched, readAt } = facts;
  const muted = state === "needs_answer" && watched?.answeredByOwnerAt !== undefined;
  const reminded = state === "needs_answer" && !muted;
  const maySnooze = reminded && snoozeUntil(dispute.dueAt, readAt) !== undefined;
  const ref = { accountId, infractionId: dispute.infractionId };
  const offered: readonly (readonly [boolean, string | undefined, string])[] = [
    [awaitsAnswer(state) || state === "other", disputeIds.defence(ref), dossier.button],
    [reminded, disputeIds.answered(ref), disputeAlerts.answeredInPanel],
    [muted, disputeIds.resume(ref), disputeAlerts.resume],
    [maySnooze, disputeIds.snooze(ref), disputeAlerts.snooze],
    [state === "needs_answer", disputeIds.agenda(ref), disputes.agenda],
    [inGuild, disputeIds.list, disputes.seeAll],
  ];
  return offered.flatMap(([is, id, label]) =>
    is && id !== undefined ? [{ id, label, style: "secondary" }] : [],
  );
};

/** What the watch does for one that it follows; nothing for one that awaits no answer. */
const followedInWords = (
  { state, watched, readAt }: DisputeDetailFacts,
  { disputes }: Texts,
): readonly string[] => {
  if (watched === undefined || !awaitsAnswer(state)) return [];
  if (state === "overdue") return [disputes.followedOverdue];
  if (watched.answeredByOwnerAt !== undefined) return [disputes.followedMuted];
  const until = putOffUntil(watched, readAt);
  return [
    until === undefined ? disputes.followed : disputes.followedSnoozed(fullAndRelative(until)),
  ];
};

/** One dispute in full, with what its state means and what to do. */
export const disputeDetailView = (facts: DisputeDetailFacts): Reply => {
  const { dispute, state, readAt } = facts;
  const texts = textsFor(facts.locale);
  const { disputes } = texts;
  const buttons = buttonsOf(facts, texts);
  return reply(
    {
      tone: TROUBLED.has(state) ? "warning" : "accent",
      title: `${disputes.detailTitle} · ${disputes.states[state]}`,
      description: [disputes.explained[state], ...followedInWords(facts, texts)].join("\n\n"),
      fields: disputeFields(dispute, state, texts),
      readAt,
    },
    ...(awaitsAnswer(state) || state === "other" ? answerLink(facts.answerUrl, texts) : []),
    ...(buttons.length === 0 ? [] : [buttonRow(...buttons)]),
  );
};
