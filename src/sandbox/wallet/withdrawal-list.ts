import { isoTime, ok, reais, type Answer } from "./answer.ts";
import type { ResourceRequest } from "./resource.ts";
import { withdrawalFeeCents, withdrawalStatus, type Withdrawal } from "./withdrawal-book.ts";

/**
 * `GET /v1/withdrawals`: one page, newest first. Neither shape nor paging is documented, so the settings choose them.
 * Source: service.md 4.7.
 */
export const withdrawalList = ({ merchant, now, settings }: ResourceRequest): Answer => {
  const rows = merchant.withdrawals
    .toReversed()
    .toSorted((a, b) => Temporal.Instant.compare(b.requestedAt, a.requestedAt))
    .slice(0, settings.withdrawalPageSize)
    .map((each) => row(each, now));
  const shape = settings.withdrawalListShape;
  if (shape === "root") return { status: 200, body: rows };
  if (shape === "unreadable") return ok({ page: { content: rows } });
  return ok({ [shape]: rows });
};

const row = (withdrawal: Withdrawal, now: Temporal.Instant) => {
  const feeCents = withdrawalFeeCents(withdrawal.turbo);
  return {
    txid: withdrawal.txid,
    amount: reais(withdrawal.amountCents),
    netAmount: reais(withdrawal.amountCents - feeCents),
    fee: reais(feeCents),
    status: withdrawalStatus(withdrawal, now),
    paymentType: withdrawal.turbo ? "turbo" : "normal",
    requestedAt: isoTime(withdrawal.requestedAt),
  };
};
