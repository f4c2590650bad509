import type { ContestedSale, Dispute } from "../../domain/dispute.ts";
import { type DisputeState, isOpenDispute } from "../../domain/dispute-state.ts";
import type { Texts } from "../../texts/texts.ts";
import type { DossierFact } from "./dossier.ts";
import { dossierMoment } from "./dossier-moment.ts";
import { plainLine } from "../plain-line.ts";

const CODE_LENGTH = 100;
const NAME_LENGTH = 80;
const STORY_LENGTH = 600;
const WORD_LENGTH = 60;

/** A word of ours for a value of the service, or the value as it came. */
export const dossierWord = (words: Readonly<Record<string, string>>, value: string): string =>
  (Object.hasOwn(words, value) ? words[value] : undefined) ?? plainLine(value, WORD_LENGTH);

const said = (name: string, value: string | undefined, length: number): readonly DossierFact[] =>
  value === undefined ? [] : [[name, plainLine(value, length)]];

const at = (
  name: string,
  instant: Temporal.Instant | undefined,
  texts: Texts,
): readonly DossierFact[] => (instant === undefined ? [] : [[name, dossierMoment(instant, texts)]]);

const payerInWords = ({ payerName, payerTaxId }: Dispute, { disputes }: Texts): string => {
  if (payerName === undefined && payerTaxId === undefined) return disputes.notSaid;
  const text = (value: string | undefined): string =>
    value === undefined ? disputes.notSaid : plainLine(value, NAME_LENGTH);
  return disputes.payerText(text(payerName), text(payerTaxId));
};

/** What the service says of the dispute itself. */
export const disputeFactsOf = (
  dispute: Dispute,
  state: DisputeState,
  texts: Texts,
): readonly DossierFact[] => {
  const { disputes, format } = texts;
  return [
    [disputes.infraction, plainLine(dispute.infractionId, CODE_LENGTH)],
    [disputes.txid, plainLine(dispute.txid, CODE_LENGTH)],
    [disputes.amount, format.reais(dispute.amount)],
    [isOpenDispute(state) ? disputes.frozen : disputes.net, format.reais(dispute.frozen)],
    [disputes.situation, dossierWord(disputes.situations, dispute.situation)],
    [disputes.description, plainLine(dispute.description, STORY_LENGTH)],
    [disputes.payer, payerInWords(dispute, texts)],
    ...said(disputes.answer, dispute.answer, STORY_LENGTH),
    ...at(disputes.contestedAt, dispute.contestedAt, texts),
    ...at(disputes.createdAt, dispute.createdAt, texts),
    ...at(disputes.answeredAt, dispute.answeredAt, texts),
    ...at(disputes.resolvedAt, dispute.resolvedAt, texts),
  ];
};

/** What the service says of the sale, in both of its forms. */
export const saleFactsOf = (sale: ContestedSale, texts: Texts): readonly DossierFact[] => {
  const { disputes, dossier, format } = texts;
  const status = sale.status && dossierWord(disputes.saleStatuses, sale.status);
  return [
    [dossier.saleOrigin, dossierWord(disputes.saleOrigins, sale.origin)],
    ["Txid", plainLine(sale.txid, CODE_LENGTH)],
    [
      dossier.money,
      disputes
        .saleMoney(format.reais(sale.amount), format.reais(sale.fee), format.reais(sale.net))
        .replaceAll("**", ""),
    ],
    ...said(dossier.saleStatus, status, WORD_LENGTH),
    ...said(dossier.saleDescription, sale.description, STORY_LENGTH),
    ...said(dossier.product, sale.productName, STORY_LENGTH),
    ...said(dossier.buyer, sale.buyer, NAME_LENGTH),
    ...at(dossier.soldAt, sale.createdAt, texts),
  ];
};
