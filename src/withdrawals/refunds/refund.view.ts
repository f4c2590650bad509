import type { APIEmbedField } from "discord-api-types/v10";
import type { Locale } from "../../shared/locale.ts";
import { inline, line } from "../../ui/embed.ts";
import {
  CODE_LENGTH,
  fullAndRelative,
  hourOnly,
  NAME_LENGTH,
  relativeTime,
  safe,
} from "../../ui/format.ts";
import { reply, type Reply } from "../../ui/reply.ts";
import { type WithdrawalTexts, withdrawalTexts } from "../texts.ts";
import { liveOf, singleClickButtons } from "../withdraw-buttons.view.ts";
import type { RefundConfirmation } from "../withdraw-facts.ts";

const PRODUCT_LENGTH = 120;

const paymentFields = (
  { op, payment }: RefundConfirmation,
  { refund, format }: WithdrawalTexts,
): readonly APIEmbedField[] => {
  const { amount, fee, payer, description, createdAt } = payment;
  return [
    inline(refund.amount, `**${format.reais(amount)}**`),
    inline(refund.fee, format.reais(fee)),
    line(
      refund.payer,
      payer?.name === undefined ? refund.payerUnknown : safe(payer.name, NAME_LENGTH),
    ),
    ...(description === undefined ? [] : [line(refund.product, safe(description, PRODUCT_LENGTH))]),
    line(refund.paidAt, fullAndRelative(createdAt)),
    line(refund.txid, safe(op.targetTxid ?? "", CODE_LENGTH)),
  ];
};

const carefulFields = (
  { unlistedDisputes }: RefundConfirmation,
  { refund, withdraw }: WithdrawalTexts,
): readonly APIEmbedField[] => {
  if (unlistedDisputes === 0) return [];
  const words =
    unlistedDisputes === undefined ? refund.notCompared : refund.unseen(unlistedDisputes);
  return [line(withdraw.careful, words)];
};

/** The question before a refund: amount, payer and disputes. The next click sends it. */
export const refundConfirmationView = (confirmation: RefundConfirmation, locale: Locale): Reply => {
  const texts = withdrawalTexts(locale);
  const { withdraw, refund, format } = texts;
  const { op, expiresAt, payment } = confirmation;
  const amount = format.reais(payment.amount);
  const labels = { send: refund.confirm(amount), giveUp: refund.giveUp };
  const shown = reply(
    {
      tone: "warning",
      title: refund.title(amount),
      description: [
        refund.text,
        withdraw.validUntil(hourOnly(expiresAt), relativeTime(expiresAt)),
      ].join("\n"),
      fields: [...paymentFields(confirmation, texts), ...carefulFields(confirmation, texts)],
    },
    singleClickButtons(confirmation, labels, withdraw),
  );
  return { ...shown, live: liveOf(op) };
};
