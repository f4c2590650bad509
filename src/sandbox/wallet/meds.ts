import { failure, isoTime, ok, reais, type Answer } from "./answer.ts";
import { ANALYSIS_STATUSES, frozenCents, MED_STATUSES, medAt, type Med } from "./med-book.ts";
import { medsAt } from "./med-list.ts";
import type { ResourceRequest } from "./resource.ts";
import { paymentFeeCents } from "./transactions.ts";

/** `GET /v1/meds/{infractionId}`. Source: service.md 2.5 and 4.4. */
export const medDetail = ({ merchant, id, settings, now }: ResourceRequest): Answer => {
  const found = merchant.meds.find(({ infractionId }) => infractionId === id);
  if (found === undefined) return failure(404, "MED não encontrado.");
  const med = medAt(found, settings.medAcceptedAfterDays, now);
  return ok({
    med: detail(med),
    ...(med.original === undefined ? {} : { originalTransaction: original(med, med.original) }),
  });
};

/** `GET /v1/meds/summary`. Source: service.md 2.6 and 4.5. */
export const medSummary = ({ merchant, settings, now }: ResourceRequest): Answer => {
  const meds = medsAt(merchant, settings, now);
  const withStatus = (status: Med["status"]) => meds.filter((med) => med.status === status).length;
  const decided = (status: Med["analysisStatus"]) =>
    meds.filter((med) => med.analysisStatus === status);
  const total = (some: readonly Med[]) =>
    reais(some.reduce((sum, med) => sum + frozenCents(med), 0));
  return ok({
    summary: {
      byStatus: {
        ...Object.fromEntries(MED_STATUSES.map((status) => [status, withStatus(status)])),
        total: meds.length,
      },
      byAnalysis: Object.fromEntries(
        ANALYSIS_STATUSES.map((status) => [status, decided(status).length]),
      ),
      amounts: {
        currentlyFrozen: total(decided("pending").filter(({ status }) => status !== "canceled")),
        totalLost: total(decided("accepted")),
      },
    },
  });
};

const detail = (med: Med) => ({
  infractionId: med.infractionId,
  txid: med.txid,
  amount: reais(med.amountCents),
  frozenAmount: reais(frozenCents(med)),
  status: med.status,
  analysisStatus: med.analysisStatus,
  situationType: med.situationType,
  infractionDate: isoTime(med.openedAt),
  description: med.description,
  dueDate: isoTime(med.dueAt),
  analysisDate: med.answer === undefined ? null : isoTime(med.answer.at),
  analysisDescription: med.answer?.text ?? null,
  payer: { name: "Pagador do sandbox", taxId: "***.157.640-**" },
  refund: med.analysisStatus === "accepted" ? {} : null,
  createdAt: isoTime(med.openedAt),
  resolvedAt: med.resolvedAt === undefined ? null : isoTime(med.resolvedAt),
});

const original = (med: Med, { type, product }: NonNullable<Med["original"]>) => {
  const feeCents = paymentFeeCents(med.amountCents);
  const shared = {
    type,
    txid: med.txid,
    amount: reais(med.amountCents),
    fee: reais(feeCents),
    netAmount: reais(med.amountCents - feeCents),
    createdAt: isoTime(med.paidAt),
  };
  return type === "api"
    ? { ...shared, status: "approved", description: product }
    : { ...shared, productName: product, buyer: "Comprador do sandbox" };
};
