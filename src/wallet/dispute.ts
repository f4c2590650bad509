import * as z from "zod";

import { isWireId } from "../domain/wire-id.ts";
import type { ContestedSale, Dispute, DisputeSummary } from "../domain/dispute.ts";
import { wireRefund } from "./dispute-refund.ts";
import type { Send } from "./operation.ts";
import { resourcePath } from "./path.ts";
import { adornment, orNull, readerOf, wireEnum, wireId, wireInstant, wireMoney } from "./wire.ts";

const DISPUTE_ROUTE = "/v1/meds/{infractionId}";
const SUMMARY_ROUTE = "/v1/meds/summary";

const text = adornment(z.string());

const LONGEST_SITUATION = 256;
/** It is shown, and decides nothing: a long one is cut, so that the deadline beside it is read. */
const situation = z
  .string()
  .transform((said): Dispute["situation"] => Array.from(said).slice(0, LONGEST_SITUATION).join(""));

const wireSale = z
  .object({
    type: wireEnum<"api" | "esales">(),
    txid: wireId,
    amount: wireMoney,
    fee: wireMoney,
    netAmount: wireMoney,
    status: text,
    description: text,
    productName: text,
    buyer: text,
    createdAt: wireInstant,
  })
  .transform(({ type, netAmount, ...same }): ContestedSale => ({
    ...same,
    origin: type,
    net: netAmount,
  }));

const wireDispute = z.object({
  // By this id it is followed, reminded of and asked for again.
  infractionId: z.string().refine(isWireId),
  txid: wireId,
  amount: wireMoney,
  frozenAmount: wireMoney,
  status: wireEnum<"pending" | "agreed" | "disagreed" | "canceled">(),
  analysisStatus: wireEnum<"pending" | "accepted" | "rejected">(),
  situationType: situation,
  infractionDate: wireInstant,
  description: z.string(),
  dueDate: wireInstant,
  analysisDate: orNull(wireInstant),
  analysisDescription: text,
  payer: adornment(z.object({ name: text, taxId: text })),
  refund: wireRefund,
  createdAt: wireInstant,
  resolvedAt: orNull(wireInstant),
});

/** The sale beside the dispute only adorns: the deadline has to reach the seller without it too. */
const wireAnswer = z
  .object({ med: wireDispute, originalTransaction: adornment(wireSale) })
  .transform(({ med, originalTransaction }): Dispute => ({
    infractionId: med.infractionId,
    txid: med.txid,
    amount: med.amount,
    frozen: med.frozenAmount,
    status: med.status,
    analysisStatus: med.analysisStatus,
    situation: med.situationType,
    description: med.description,
    contestedAt: med.infractionDate,
    dueAt: med.dueDate,
    answeredAt: med.analysisDate,
    answer: med.analysisDescription,
    payerName: med.payer?.name,
    payerTaxId: med.payer?.taxId,
    refund: med.refund,
    createdAt: med.createdAt,
    resolvedAt: med.resolvedAt,
    sale: originalTransaction,
  }));

const count = z.int().nonnegative();

const wireSummary = z
  .object({
    summary: z.object({
      byStatus: z.object({
        pending: count,
        agreed: count,
        disagreed: count,
        canceled: count,
        total: count,
      }),
      byAnalysis: z.object({ pending: count, accepted: count, rejected: count }),
      amounts: z.object({ currentlyFrozen: wireMoney, totalLost: wireMoney }),
    }),
  })
  .transform(({ summary }): DisputeSummary => ({
    byStatus: summary.byStatus,
    byAnalysis: summary.byAnalysis,
    frozen: summary.amounts.currentlyFrozen,
    lost: summary.amounts.totalLost,
  }));

const readDispute = readerOf(wireAnswer);
const readSummary = readerOf(wireSummary);

/**
 * One dispute, with the sale it contests where the service knows it. Another account's looks like a missing one.
 * Source: service.md 2.5, 4.4.
 * @throws WalletError; `not_found`, and `invalid_request` for what cannot be an id
 */
export const getDispute = async (send: Send, infractionId: string): Promise<Dispute> =>
  send({
    method: "GET",
    route: DISPUTE_ROUTE,
    path: resourcePath(DISPUTE_ROUTE, infractionId),
    read: readDispute,
    refusal: "not_found",
  });

/**
 * Counts and amounts over all disputes; all zero without any. Source: service.md 2.6, 4.5.
 * @throws WalletError
 */
export const getDisputeSummary = (send: Send): Promise<DisputeSummary> =>
  send({
    method: "GET",
    route: SUMMARY_ROUTE,
    path: SUMMARY_ROUTE,
    read: readSummary,
    refusal: "refused",
  });
