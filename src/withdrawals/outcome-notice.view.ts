import type { DeliveryPayload } from "../delivery/delivery.ts";
import { serverLink } from "../ui/format.ts";
import { buttonRow, post, replacedPost } from "../ui/reply.ts";
import { type WithdrawalTexts, withdrawalTexts } from "./texts.ts";
import { detailsButton, withdrawalButtons } from "./withdraw-buttons.view.ts";
import type { OutcomeFacts } from "./withdraw-facts.ts";
import {
  isDespiteRefusal,
  isUncertain,
  isUnderWay,
  isWithdrawal,
  otherAmount,
  takenAmount,
  wordedAs,
  type WithdrawOp,
} from "./withdraw-op.ts";
import {
  statusText,
  statusTitle,
  outcomeTitle,
  toneOf,
  withFacts,
} from "./withdraw-status.view.ts";

/** An accepted operation is announced by message only if the service's answer had been lost. */
const isFound = ({ state, kind }: WithdrawOp): boolean => isWithdrawal(kind) && isUnderWay(state);

/** Warns of an uncertain outcome and of another amount: a person who reads only this sentence might order the withdrawal again. */
const sentenceOf = (
  title: string,
  op: WithdrawOp,
  { withdrawOutcomes: words, format }: WithdrawalTexts,
): string => {
  const amount = takenAmount(op);
  const other = otherAmount(op) === undefined ? "" : ` ${words.aloneOtherAmount}`;
  const doubt = isUncertain(op.state) ? ` ${words.aloneInDoubt}` : "";
  return words.alone(title, amount && format.reais(amount)) + other + doubt;
};

/** To the owner, by direct message, when an operation ends, is found, is in doubt or needs a decision. */
export const outcomeNotice = ({ reference, ...facts }: OutcomeFacts): DeliveryPayload => {
  const { op } = facts;
  const texts = withdrawalTexts(op.locale);
  const words = texts.withdrawOutcomes;
  const found = isFound(op);
  const title = found ? words.found.title : statusTitle(facts, texts);
  const foundText = isDespiteRefusal(op) ? words.foundDespiteRefusal : words.found.text;
  const text = found ? foundText : statusText(facts, texts);
  const buttons = withdrawalButtons(facts, { canAsk: false }, texts);
  return post(
    {
      tone: toneOf(op),
      sentence: sentenceOf(title, op, texts),
      title: outcomeTitle(title, facts),
      description: `${withFacts(text, facts, texts)}\n\n${serverLink(op.guildId, texts)}`,
      reference,
    },
    buttonRow(...buttons, detailsButton(op.id, texts)),
  );
};

/** A message that a newer one of the same operation replaces: it says so in place of its text, and has no buttons. */
export const replacedNotice = (
  payload: DeliveryPayload,
  op: Pick<WithdrawOp, "kind" | "locale">,
): DeliveryPayload => {
  const { withdrawOutcomes, refundOutcomes } = withdrawalTexts(op.locale);
  const words = { ...withdrawOutcomes.replaced, refund: refundOutcomes.replaced };
  return replacedPost(payload, words[wordedAs(op)]);
};
