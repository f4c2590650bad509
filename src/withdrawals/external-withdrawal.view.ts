import type { APIEmbedField } from "discord-api-types/v10";
import type { DeliveryPayload } from "../delivery/delivery.ts";
import type { ExternalWithdrawalFacts } from "./withdraw-facts.ts";
import { type GuardTexts, guardTexts } from "../money-guards/texts.ts";
import { type WithdrawalTexts, withdrawalTexts } from "./texts.ts";
import { buttonRow, post } from "../ui/reply.ts";
import { inline, line } from "../ui/embed.ts";
import { lockNowButton } from "../money-guards/money-guards.view.ts";
import { fullAndRelative, keyEnd, safe, toServer, TXID_LENGTH } from "../ui/format.ts";
import { madeElsewhereFields } from "./withdrawal-fields.view.ts";

const knownFields = (
  { withdrawal }: ExternalWithdrawalFacts,
  texts: GuardTexts & WithdrawalTexts,
): readonly APIEmbedField[] => {
  const { withdraw, withdrawals, guards } = texts;
  if (withdrawal === undefined)
    return [
      inline(withdrawals.amount, guards.ghostUnknown),
      inline(withdraw.key, guards.ghostUnknown),
    ];
  return [
    ...madeElsewhereFields(withdrawal, texts),
    inline(withdrawals.requestedAt, fullAndRelative(withdrawal.requestedAt)),
  ];
};

/** A stranger's, or one that was declared as not made. */
const wordsOf = (
  { withdrawal, declaredOpId: code }: ExternalWithdrawalFacts,
  texts: GuardTexts,
) => {
  const { guards, format } = texts;
  if (code === undefined) {
    const sentence = guards.ghostAlone(withdrawal && format.reais(withdrawal.amount));
    return { sentence, title: guards.ghost, text: guards.ghostText };
  }
  const { alone, title, text, next } = guards.declared;
  return { sentence: alone(code), title, text: [text(code), next].join("\n\n") };
};

/** To the owner of an account: a withdrawal that was not ordered through the bot. Sent once, in the alarm colour. */
export const externalWithdrawalNotice = (facts: ExternalWithdrawalFacts): DeliveryPayload => {
  const { ownerId, guildId, txid, keyLast4, noticedAt, reference, withdrawal } = facts;
  const texts = { ...guardTexts(facts.locale), ...withdrawalTexts(facts.locale) };
  const { guards, withdrawals } = texts;
  const { sentence, title, text } = wordsOf(facts, texts);
  const cancelling = facts.withdrawEnabled ? guards.ghostScheduled : guards.ghostScheduledElsewhere;
  const still = withdrawal?.status === "scheduled" ? [cancelling] : [];
  return post(
    {
      tone: "alarm",
      sentence,
      title,
      description: [text, ...still, ...toServer(guildId, texts)].join("\n\n"),
      fields: [
        ...knownFields(facts, texts),
        line(withdrawals.txid, safe(txid, TXID_LENGTH)),
        ...(keyLast4 === undefined
          ? []
          : [line(guards.ghostAccount, guards.ghostAccountOf(keyEnd(keyLast4)))]),
      ],
      readAt: noticedAt,
      reference,
    },
    buttonRow(lockNowButton(ownerId, texts)),
  );
};
