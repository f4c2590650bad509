import type { APIEmbedField } from "discord-api-types/v10";
import type { DisputeSummary } from "../../domain/dispute.ts";
import type { Texts } from "../../texts/texts.ts";
import { inline } from "../embed.ts";

/**
 * Counts by the seller's answer and by the bank's decision, which are two axes, and both amounts. Of those without an
 * answer some may be decided already: they are told apart, because nothing is left to be answered there.
 */
export const disputeSummaryFields = (
  { byStatus, byAnalysis, frozen, lost }: DisputeSummary,
  decidedUnanswered: number,
  { disputes, format }: Texts,
): readonly APIEmbedField[] => [
  inline(
    disputes.bySeller,
    disputes.bySellerText({
      pending: format.count(byStatus.pending),
      decided: decidedUnanswered,
      agreed: format.count(byStatus.agreed),
      disagreed: format.count(byStatus.disagreed),
      canceled: format.count(byStatus.canceled),
      total: format.count(byStatus.total),
    }),
  ),
  inline(
    disputes.byBank,
    disputes.byBankText({
      pending: format.count(byAnalysis.pending),
      accepted: format.count(byAnalysis.accepted),
      rejected: format.count(byAnalysis.rejected),
    }),
  ),
  inline(disputes.money, disputes.moneyText(format.reais(frozen), format.reais(lost))),
];
