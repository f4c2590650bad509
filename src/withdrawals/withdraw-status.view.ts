import type { APIEmbedField } from "discord-api-types/v10";
import { isFinal, type WithdrawOp, type WithdrawState } from "./withdraw-op.ts";
import type { OutcomeFacts, WithdrawStatus } from "./withdraw-facts.ts";
import type { Locale } from "../shared/locale.ts";
import { type WithdrawalTexts, withdrawalTexts } from "./texts.ts";
import { type EmbedParts, line, supportCodeFields } from "../ui/embed.ts";
import { post, reply, type Reply } from "../ui/reply.ts";
import { outcomeButtons } from "./withdraw-buttons.view.ts";
import { expiredView } from "./withdraw-confirmation.view.ts";
import {
  type StatusFacts,
  statusFields,
  statusText,
  statusTitle,
} from "./withdraw-status-fields.view.ts";
import type { DeliveryPayload } from "../delivery/delivery.ts";
import { serverLink } from "../ui/format.ts";

/** States in which the operation goes as the person wished. */
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

const toneOf = (state: WithdrawState): NonNullable<EmbedParts["tone"]> =>
  GOES_WELL.has(state) ? "accent" : "warning";

/** The present state of one operation. The reply is edited as the operation goes on. */
export const withdrawStatusView = (status: WithdrawStatus, locale: Locale): Reply => {
  const texts = withdrawalTexts(locale);
  const { op, keySavable } = status;
  if (op.state === "abandoned") return expiredView(op, locale);
  const shown = reply(
    {
      tone: toneOf(op.state),
      title: statusTitle(status, texts.withdrawOutcomes),
      description: statusText(status, texts),
      fields: [...statusFields(status, texts), ...readingFields(status, texts)],
      readAt: isFinal(op.state) ? undefined : status.readAt,
    },
    ...outcomeButtons(op, keySavable, texts.withdraw),
  );
  return { ...shown, live: op.id };
};

const readingFields = (
  { problem, supportCodes }: WithdrawStatus,
  texts: WithdrawalTexts,
): readonly APIEmbedField[] => {
  const { withdrawOutcomes: words, walletErrors } = texts;
  const unread =
    problem === undefined
      ? []
      : [line(words.unreadable, words.unreadableNow(walletErrors[problem].title))];
  return [...unread, ...supportCodeFields(supportCodes, texts)];
};

/** An accepted operation is announced by message only if the service's answer had been lost. */
const isFound = ({ state, kind }: WithdrawOp): boolean =>
  kind !== "cancel" && (state === "accepted" || state === "scheduled" || state === "processing");

/** Warns of an uncertain outcome: a person who reads only this sentence might order the withdrawal again. */
const sentenceOf = (
  title: string,
  { amount, state }: WithdrawOp,
  { withdrawOutcomes: { alone, aloneInDoubt }, format }: WithdrawalTexts,
): string => {
  const doubt = state === "unknown" || state === "manual" ? ` ${aloneInDoubt}` : "";
  return alone(title, amount && format.reais(amount)) + doubt;
};

/** To the owner, by direct message, when an operation ends, is found, is in doubt or needs a decision. */
export const outcomeNotice = ({ op, withdrawal, reference }: OutcomeFacts): DeliveryPayload => {
  const texts = withdrawalTexts(op.locale);
  const words = texts.withdrawOutcomes;
  const facts: StatusFacts = { op, withdrawal, sent: undefined, readAt: undefined };
  const found = isFound(op);
  const title = found ? words.found.title : statusTitle(facts, words);
  const despite = op.errorCode !== undefined && Object.hasOwn(words.rejected, op.errorCode);
  const foundText = despite ? words.foundDespiteRefusal : words.found.text;
  const text = found ? foundText : statusText(facts, texts);
  const rows = outcomeButtons(op, false, texts.withdraw);
  return post(
    {
      tone: toneOf(op.state),
      sentence: sentenceOf(title, op, texts),
      title,
      description: `${text}\n\n${serverLink(op.guildId, texts)}`,
      fields: statusFields(facts, texts),
      reference,
    },
    ...rows,
  );
};
