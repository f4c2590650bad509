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

const HOURS_SINCE_PAYMENT = 48;

/** One that its payer has just opened. */
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

/** What is frozen: the net of the payment. Source: service.md 2.5. */
export const frozenCents = ({ amountCents }: Med): number =>
  amountCents - paymentFeeCents(amountCents);

/** What the contests keep from the balance: frozen, or given back to the payer. Source: service.md 3.3. */
export const heldCents = (meds: readonly Med[]): number =>
  meds
    .filter(({ status, analysisStatus }) => status !== "canceled" && analysisStatus !== "rejected")
    .reduce((sum, med) => sum + frozenCents(med), 0);

/** Whether the bank may still decide it. */
export const isUndecided = ({ status, analysisStatus }: Med): boolean =>
  status !== "canceled" && analysisStatus === "pending";

/** Whether the seller has not answered it, and still may. */
export const isUnanswered = (med: Med): boolean => med.status === "pending" && isUndecided(med);

/** When an unanswered one is accepted by itself; undefined: never. */
export const acceptedByItselfAt = (
  med: Med,
  daysAfterDue: number | undefined,
): Temporal.Instant | undefined =>
  daysAfterDue === undefined || !isUnanswered(med)
    ? undefined
    : med.dueAt.add({ hours: 24 * daysAfterDue });

/** The MED as it stands at `now`: left without an answer it may have been accepted meanwhile. Source: service.md 3.3. */
export const medAt = (med: Med, daysAfterDue: number | undefined, now: Temporal.Instant): Med => {
  const at = acceptedByItselfAt(med, daysAfterDue);
  if (at === undefined || Temporal.Instant.compare(now, at) < 0) return med;
  return { ...med, analysisStatus: "accepted", resolvedAt: at };
};
