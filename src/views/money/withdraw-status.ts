import type { APIEmbedField } from "discord-api-types/v10";
import type { WithdrawState } from "../../domain/withdraw-op.ts";
import { isFinal } from "../../domain/withdraw-op.ts";
import type { WithdrawStatus } from "../../domain/withdraw-facts.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import { line, type EmbedParts } from "../embed.ts";
import { reply, type Reply } from "../reply.ts";
import { supportCodeFields } from "../support-code.ts";
import { outcomeButtons } from "./withdraw-buttons.ts";
import { expiredView } from "./withdraw-forms.ts";
import { storyFields } from "./withdraw-fields.ts";
import { storyText, storyTitle } from "./withdraw-story.ts";

/** States that are as the person wished. */
const GOES_WELL: ReadonlySet<WithdrawState> = new Set([
  "confirmed",
  "sending",
  "accepted",
  "scheduled",
  "processing",
  "completed",
  "cancelled",
  "abandoned",
  "resolved_manual",
]);

export const toneOf = (state: WithdrawState): NonNullable<EmbedParts["tone"]> =>
  GOES_WELL.has(state) ? "accent" : "warning";

/** One operation as it stands: its receipt, its failure or its doubt. The reply is edited as it goes on. */
export const withdrawStatusView = (status: WithdrawStatus, locale: Locale): Reply => {
  const texts = textsFor(locale);
  const { op, keySavable } = status;
  if (op.state === "abandoned") return expiredView(op, locale);
  const shown = reply(
    {
      tone: toneOf(op.state),
      title: storyTitle(status, texts.withdrawOutcomes),
      description: storyText(status, texts),
      fields: [...storyFields(status, texts), ...readingFields(status, texts)],
      readAt: isFinal(op.state) ? undefined : status.readAt,
    },
    ...outcomeButtons(op, keySavable, texts.withdraw),
  );
  return { ...shown, live: op.id };
};

/** That the service did not answer. */
const readingFields = (
  { problem, supportCodes }: WithdrawStatus,
  texts: Texts,
): readonly APIEmbedField[] => {
  const { withdrawOutcomes: words, walletErrors } = texts;
  const unread =
    problem === undefined
      ? []
      : [line(words.unreadable, words.unreadableNow(walletErrors[problem].title))];
  return [...unread, ...supportCodeFields(supportCodes, texts)];
};
