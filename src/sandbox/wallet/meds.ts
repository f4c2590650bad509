import { failure, isoTime, ok, reais, type Answer } from "./answer.ts";
import type { ResourceRequest } from "./resource.ts";
import { paymentFeeCents } from "./transactions.ts";

export const MED_STATUSES = ["pending", "agreed", "disagreed", "canceled"] as const;
export const ANALYSIS_STATUSES = ["pending", "accepted", "rejected"] as const;

/** A contest of one payment. The seller's answer and the bank's decision are two separate axes. */
export interface Med {
  readonly infractionId: string;
  readonly txid: string;
  readonly amountCents: number;
  readonly status: (typeof MED_STATUSES)[number];
  readonly analysisStatus: (typeof ANALYSIS_STATUSES)[number];
  readonly situationType: "FRAUDE" | "ERRO";
  readonly description: string;
  readonly openedAt: Temporal.Instant;
  readonly dueAt: Temporal.Instant;
  readonly answer: { readonly at: Temporal.Instant; readonly text: string } | undefined;
  readonly resolvedAt: Temporal.Instant | undefined;
  /** Undefined when the service does not find the contested payment. */
  readonly original: { readonly type: "api" | "esales"; readonly product: string } | undefined;
  readonly paidAt: Temporal.Instant;
}

const netCents = (med: Med): number => med.amountCents - paymentFeeCents(med.amountCents);

/** `GET /v1/meds/{infractionId}`. Source: service.md 2.5 and 4.4. */
export const medDetail = ({ merchant, id }: ResourceRequest): Answer => {
  const med = merchant.meds.find(({ infractionId }) => infractionId === id);
  if (med === undefined) return failure(404, "MED não encontrado.");
  return ok({
    med: detail(med),
    ...(med.original === undefined ? {} : { originalTransaction: original(med, med.original) }),
  });
};

/** `GET /v1/meds/summary`. Source: service.md 2.6 and 4.5. */
export const medSummary = ({ merchant: { meds } }: ResourceRequest): Answer => {
  const withStatus = (status: Med["status"]) => meds.filter((med) => med.status === status).length;
  const decided = (status: Med["analysisStatus"]) =>
    meds.filter((med) => med.analysisStatus === status);
  const total = (some: readonly Med[]) => reais(some.reduce((sum, med) => sum + netCents(med), 0));
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
  frozenAmount: reais(netCents(med)),
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
