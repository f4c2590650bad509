import { paymentFeeCents } from "./sale-ledger.ts";
import {
  amounts,
  type Answer,
  failure,
  isoTime,
  ok,
  reais,
  type ResourceRequest,
  sum,
} from "./resource.ts";
import type { Merchant } from "./merchant.ts";

export const MED_STATUSES = ["pending", "agreed", "disagreed", "canceled"] as const;
const ANALYSIS_STATUSES = ["pending", "accepted", "rejected"] as const;

/** A dispute about a payment. `status` is the seller's answer, `analysisStatus` the bank's decision. */
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

const HOURS_SINCE_PAYMENT = 48;

export const openedMed = (
  parts: Pick<
    Med,
    "infractionId" | "txid" | "amountCents" | "situationType" | "openedAt" | "dueAt" | "original"
  >,
): Med => ({
  ...parts,
  status: "pending",
  analysisStatus: "pending",
  description:
    parts.situationType === "FRAUDE"
      ? "Pagador informa que não reconhece o pagamento."
      : "Pagador alega pagamento em duplicidade.",
  answer: undefined,
  resolvedAt: undefined,
  paidAt: parts.openedAt.subtract({ hours: HOURS_SINCE_PAYMENT }),
});

/** The frozen amount: the net of the payment. Source: service.md 2.5. */
const frozenCents = ({ amountCents }: Med): number => amountCents - paymentFeeCents(amountCents);

/** The amount that MEDs keep from the balance: frozen, or returned to the payer. Source: service.md 3.3. */
export const heldCents = (meds: readonly Med[]): number =>
  sum(
    meds
      .filter(
        ({ status, analysisStatus }) => status !== "canceled" && analysisStatus !== "rejected",
      )
      .map(frozenCents),
  );

/** Whether the bank may still decide it. */
export const isUndecided = ({ status, analysisStatus }: Med): boolean =>
  status !== "canceled" && analysisStatus === "pending";

/** Whether the seller can still answer it. */
export const isUnanswered = (med: Med): boolean => med.status === "pending" && isUndecided(med);

/** The account's MEDs, newest first. One that is not answered waits for its bank: this sandbox's assumption. */
export const medsOf = ({ meds }: Pick<Merchant, "meds">): readonly Med[] =>
  meds.toReversed().toSorted((a, b) => Temporal.Instant.compare(b.openedAt, a.openedAt));

const PAGE_SIZE = 20;

/**
 * `GET /v1/meds`: one page, newest first. Shape, paging and fields are not documented (service.md 4.7): here a row
 * has the main fields of the documented detail (2.5).
 */
export const medList = ({ merchant }: ResourceRequest): Answer =>
  ok({ meds: medsOf(merchant).slice(0, PAGE_SIZE).map(row) });

const row = (med: Med) => ({
  infractionId: med.infractionId,
  txid: med.txid,
  amount: reais(med.amountCents),
  frozenAmount: reais(frozenCents(med)),
  status: med.status,
  analysisStatus: med.analysisStatus,
  dueDate: isoTime(med.dueAt),
  createdAt: isoTime(med.openedAt),
});

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
  const total = (some: readonly Med[]) => reais(sum(some.map(frozenCents)));
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
  ...row(med),
  situationType: med.situationType,
  infractionDate: isoTime(med.openedAt),
  description: med.description,
  analysisDate: med.answer === undefined ? null : isoTime(med.answer.at),
  analysisDescription: med.answer?.text ?? null,
  payer: { name: "Pagador do sandbox", taxId: "***.157.640-**" },
  refund: med.analysisStatus === "accepted" ? {} : null,
  resolvedAt: med.resolvedAt === undefined ? null : isoTime(med.resolvedAt),
});

const original = (med: Med, { type, product }: NonNullable<Med["original"]>) => {
  const feeCents = paymentFeeCents(med.amountCents);
  const shared = {
    type,
    txid: med.txid,
    ...amounts(med.amountCents, feeCents),
    createdAt: isoTime(med.paidAt),
  };
  return type === "api"
    ? { ...shared, status: "approved", description: product }
    : { ...shared, productName: product, buyer: "Comprador do sandbox" };
};
