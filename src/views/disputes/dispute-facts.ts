import type { APIEmbedField } from "discord-api-types/v10";
import type { ContestedSale, Dispute } from "../../domain/dispute.ts";
import { type DisputeState, isOpenDispute } from "../../domain/dispute-state.ts";
import type { Texts } from "../../texts/texts.ts";
import { disputeWord } from "./dispute-words.ts";
import { inline, line } from "../embed.ts";
import { safe } from "../safe.ts";
import { fullAndRelative } from "../timestamp.ts";

const NAME_LENGTH = 80;
const CODE_LENGTH = 100;
const STORY_LENGTH = 600;
/** All that is said of a sale shares one field, whose limit counts two for each of the rarer characters. */
const SHORT_LENGTH = 75;
const SALE_CODE_LENGTH = 64;
const FACT_NAME_LENGTH = 40;
const FACT_VALUE_LENGTH = 60;

const payerInWords = ({ payerName, payerTaxId }: Dispute, { disputes }: Texts): string => {
  const said = (text: string | undefined): string =>
    text === undefined ? disputes.notSaid : safe(text, NAME_LENGTH);
  return payerName === undefined && payerTaxId === undefined
    ? disputes.notSaid
    : disputes.payerText(said(payerName), said(payerTaxId));
};

const refundInWords = ({ refund }: Dispute, { disputes }: Texts): string => {
  if (refund === undefined) return disputes.noRefund;
  if (refund.length === 0) return disputes.refundUntold;
  const facts = refund.map(({ name, value }) => {
    const shown = safe(value, FACT_VALUE_LENGTH);
    return name === "" ? shown : `${safe(name, FACT_NAME_LENGTH)} ${shown}`;
  });
  return facts.join("\n");
};

const datesInWords = (dispute: Dispute, { disputes }: Texts): string => {
  const times: readonly (readonly [string, Temporal.Instant | undefined])[] = [
    [disputes.contestedAt, dispute.contestedAt],
    [disputes.createdAt, dispute.createdAt],
    [disputes.answeredAt, dispute.answeredAt],
    [disputes.resolvedAt, dispute.resolvedAt],
  ];
  return times
    .flatMap(([name, at]) => (at === undefined ? [] : [`${name} ${fullAndRelative(at)}`]))
    .join("\n");
};

const saleInWords = (sale: ContestedSale, { disputes, format }: Texts): string => {
  const { status, description, productName, buyer } = sale;
  const said = (words: (text: string) => string, text: string | undefined): readonly string[] =>
    text === undefined ? [] : [words(safe(text, SHORT_LENGTH))];
  return [
    `**${disputeWord(disputes.saleOrigins, sale.origin)}**`,
    disputes.saleMoney(format.reais(sale.amount), format.reais(sale.fee), format.reais(sale.net)),
    ...(status === undefined
      ? []
      : [disputes.saleStatus(disputeWord(disputes.saleStatuses, status))]),
    ...said(disputes.saleDescription, description),
    ...said(disputes.saleProduct, productName),
    ...said(disputes.saleBuyer, buyer),
    disputes.saleTxid(safe(sale.txid, SALE_CODE_LENGTH)),
    disputes.saleCreatedAt(fullAndRelative(sale.createdAt)),
  ].join("\n");
};

/** All that the service says of a dispute; values that nobody knew are shown as they came. Source: service.md 2.5. */
export const disputeFields = (
  dispute: Dispute,
  state: DisputeState,
  texts: Texts,
): readonly APIEmbedField[] => {
  const { disputes, format } = texts;
  const { status, answer } = dispute;
  const isSilent = answer === undefined && status === "pending" && !isOpenDispute(state);
  return [
    inline(disputes.amount, `**${format.reais(dispute.amount)}**`),
    inline(isOpenDispute(state) ? disputes.frozen : disputes.net, format.reais(dispute.frozen)),
    line(disputes.deadline, `**${fullAndRelative(dispute.dueAt)}**`),
    inline(
      disputes.status,
      isSilent ? disputes.unanswered : disputeWord(disputes.statuses, status),
    ),
    inline(disputes.analysis, disputeWord(disputes.analyses, dispute.analysisStatus)),
    inline(disputes.situation, disputeWord(disputes.situations, dispute.situation)),
    line(disputes.description, safe(dispute.description, STORY_LENGTH)),
    line(disputes.payer, payerInWords(dispute, texts)),
    ...(isSilent
      ? []
      : [
          line(
            disputes.answer,
            answer === undefined ? disputes.notAnswered : safe(answer, STORY_LENGTH),
          ),
        ]),
    line(disputes.refund, refundInWords(dispute, texts)),
    line(
      disputes.sale,
      dispute.sale === undefined ? disputes.saleMissing : saleInWords(dispute.sale, texts),
    ),
    line(disputes.dates, datesInWords(dispute, texts)),
    line(disputes.infraction, safe(dispute.infractionId, CODE_LENGTH)),
    line(disputes.txid, safe(dispute.txid, CODE_LENGTH)),
  ];
};
