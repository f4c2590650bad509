import { isoTime, ok, reais, type Answer } from "./answer.ts";
import { frozenCents, medAt, type Med } from "./med-book.ts";
import type { Merchant } from "./merchant.ts";
import type { ResourceRequest } from "./resource.ts";
import type { WalletSettings } from "./wallet-settings.ts";

/** The account's MEDs as they stand at `now`, newest first. */
export const medsAt = (
  { meds }: Merchant,
  { medAcceptedAfterDays }: Readonly<WalletSettings>,
  now: Temporal.Instant,
): readonly Med[] =>
  meds
    .toReversed()
    .toSorted((a, b) => Temporal.Instant.compare(b.openedAt, a.openedAt))
    .map((med) => medAt(med, medAcceptedAfterDays, now));

/**
 * `GET /v1/meds`: one page, newest first. Neither shape nor paging nor fields are documented (service.md 4.7). In this
 * sandbox's reading a row has those of the documented detail (2.5) that a list would carry, and the settings choose what
 * is around the rows.
 */
export const medList = ({ merchant, settings, now }: ResourceRequest): Answer => {
  const rows = medsAt(merchant, settings, now).slice(0, settings.medPageSize).map(row);
  const shape = settings.medListShape;
  if (shape === "root") return { status: 200, body: rows };
  if (shape === "unreadable") return ok({ page: { content: rows } });
  return ok({ [shape]: rows });
};

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
