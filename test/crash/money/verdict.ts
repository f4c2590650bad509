import { isOpen, type WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import type { ChargeVerdict, NoticeVerdict } from "./sales-verdict.ts";
import type { ExecutedWithdrawal } from "#src/sandbox/wallet/wallet-controls.ts";
import { isLegalStep } from "../../support/legal-steps.ts";

/** The columns of a journal row that the verdict needs. */
export interface JournalRow {
  readonly id: string;
  /** The payment, for a refund. */
  readonly refundOf: string | undefined;
  readonly state: WithdrawState;
  readonly amountCents: number;
  readonly txid: string | undefined;
  /** The states in order. */
  readonly path: readonly WithdrawState[];
}

interface OperationVerdict {
  readonly operations: number;
  readonly executed: number;
  /** Payments that were refunded. */
  readonly refunded: number;
  /** Refunds that a dispute stopped after their confirmation. */
  readonly stopped: number;
  /** Operations with a temporarily unknown outcome. */
  readonly unknown: number;
  readonly double: number;
  readonly wrong: number;
  readonly endless: number;
  /** Operations that their owner decided. */
  readonly manual: number;
  readonly findings: readonly string[];
}

/** Operations and charges together; notices are complete only after settling. */
export type MoneyVerdict = OperationVerdict & ChargeVerdict & NoticeVerdict;

const HAPPENED: readonly WithdrawState[] = ["completed", "failed", "cancelled"];
const NEVER_SENT: readonly WithdrawState[] = ["draft", "abandoned"];

/** Transitions that the state machine lacks. */
const illegalSteps = ({ path }: JournalRow): readonly string[] =>
  path.flatMap((to, index) => {
    const from = path[index - 1];
    if (from === undefined) return to === "draft" ? [] : [`begins as ${to}`];
    return isLegalStep(from, to) ? [] : [`${from} to ${to}`];
  });

/** What the service knows of the refund of one payment. */
export interface RefundBook {
  readonly txid: string;
  /** Requests that reached it. */
  readonly times: number;
  readonly isRefunded: boolean;
  /** Whether a dispute was open before the person confirmed. */
  readonly isDisputed: boolean;
}

/** Compares the journal with the service's books; the amount identifies each withdrawal there. */
export const judge = (
  journal: readonly JournalRow[],
  books: readonly ExecutedWithdrawal[],
  refundBooks: readonly RefundBook[] = [],
): OperationVerdict => {
  const byAmount = Map.groupBy(
    books.filter(({ source }) => source === "api"),
    ({ amountCents }) => amountCents,
  );
  const byPayment = new Map<string | undefined, RefundBook>(
    refundBooks.map((book) => [book.txid, book]),
  );
  const findings: string[] = [];
  const counts = { double: 0, wrong: 0, endless: 0, manual: 0 };
  const find = (kind: keyof typeof counts, row: JournalRow, what: string): void => {
    counts[kind]++;
    findings.push(`${row.id} ${row.path.join(" > ")}: ${what}`);
  };

  const judgeWithdrawal = (row: JournalRow, made: readonly ExecutedWithdrawal[]): void => {
    if (HAPPENED.includes(row.state) && made[0]?.txid !== row.txid)
      find("wrong", row, `${row.txid} is taken for it, ${made[0]?.txid ?? "nothing"} was executed`);
    else if (!HAPPENED.includes(row.state) && made.length > 0)
      find("wrong", row, "executed after all");
  };
  const judgeRefund = (row: JournalRow): void => {
    const isRefunded = byPayment.get(row.refundOf)?.isRefunded === true;
    if (row.state === "completed" && !isRefunded) find("wrong", row, "the payment is not refunded");
    if (row.state !== "completed" && isRefunded) find("wrong", row, "refunded after all");
  };

  for (const row of journal) {
    const isRefund = row.refundOf !== undefined;
    const made = isRefund ? [] : (byAmount.get(row.amountCents) ?? []);
    const refund = byPayment.get(row.refundOf);
    const times = isRefund ? (refund?.times ?? 0) : made.length;
    if (times > 1) find("double", row, `executed ${times} times`);
    if (times > 0 && refund?.isDisputed === true) find("wrong", row, "sent under an open dispute");
    for (const step of illegalSteps(row)) find("wrong", row, `illegal step: ${step}`);
    if (row.path.at(-1) !== row.state) find("wrong", row, `its last event is not ${row.state}`);
    if (row.state === "manual" || row.state === "resolved_manual") counts.manual++;
    else if (isOpen(row.state) || row.state === "draft") find("endless", row, "no end");
    else if (isRefund) judgeRefund(row);
    else judgeWithdrawal(row, made);
  }
  const withdrawals = journal.filter(({ refundOf }) => refundOf === undefined);
  const known = new Set(withdrawals.map(({ amountCents }) => amountCents));
  for (const amount of byAmount.keys()) {
    if (known.has(amount)) continue;
    counts.wrong++;
    findings.push(`${amount} was executed and is in no journal`);
  }
  return {
    ...counts,
    operations: journal.filter(({ state }) => !NEVER_SENT.includes(state)).length,
    executed: [...byAmount.values()].flat().length,
    refunded: refundBooks.filter(({ isRefunded }) => isRefunded).length,
    stopped: journal.filter(
      ({ refundOf, state }) =>
        state === "refused_local" && byPayment.get(refundOf)?.isDisputed === true,
    ).length,
    unknown: journal.filter(({ path }) => path.includes("unknown")).length,
    findings,
  };
};
