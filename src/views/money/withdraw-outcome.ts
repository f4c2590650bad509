import type { DeliveryPayload } from "../../domain/delivery.ts";
import type { OutcomeFacts } from "../../domain/notice-facts.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import { post } from "../post.ts";
import { outcomeButtons } from "./withdraw-buttons.ts";
import { storyFields } from "./withdraw-fields.ts";
import { toneOf } from "./withdraw-status.ts";
import { storyText, storyTitle, type StoryFacts } from "./withdraw-story.ts";

/** An accepted operation is told by message only when its answer had been lost. */
const isFound = ({ state, kind }: WithdrawOp): boolean =>
  kind !== "cancel" && (state === "accepted" || state === "scheduled" || state === "processing");

const toServer = (guildId: string, { notices }: Texts): string =>
  `[${notices.openServer}](https://discord.com/channels/${guildId})`;

/** Whoever reads no more than this asks for it again only when that is safe. */
const sentenceOf = (
  title: string,
  { amount, state }: WithdrawOp,
  { withdrawOutcomes: { alone, aloneInDoubt }, format }: Texts,
): string => {
  const doubt = state === "unknown" || state === "manual" ? ` ${aloneInDoubt}` : "";
  return alone(title, amount && format.reais(amount)) + doubt;
};

/** To the owner, by direct message, when an operation ends, is found, is in doubt or needs a decision. */
export const outcomeNotice = ({ op, withdrawal, reference }: OutcomeFacts): DeliveryPayload => {
  const texts = textsFor(op.locale);
  const words = texts.withdrawOutcomes;
  const facts: StoryFacts = { op, withdrawal, sent: undefined, readAt: undefined };
  const found = isFound(op);
  const title = found ? words.found.title : storyTitle(facts, words);
  const despite = op.errorCode !== undefined && Object.hasOwn(words.rejected, op.errorCode);
  const foundText = despite ? words.foundDespiteRefusal : words.found.text;
  const text = found ? foundText : storyText(facts, texts);
  const rows = outcomeButtons(op, false, texts.withdraw);
  return post(
    {
      tone: toneOf(op.state),
      sentence: sentenceOf(title, op, texts),
      title,
      description: `${text}\n\n${toServer(op.guildId, texts)}`,
      fields: storyFields(facts, texts),
      reference,
    },
    ...rows,
  );
};
