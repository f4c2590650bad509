import { isOpen, mayBecome, type WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import type { ExecutedWithdrawal } from "#src/sandbox/wallet/wallet-controls.ts";

/** The columns of a journal row that the verdict needs. */
export interface JournalRow {
  readonly id: string;
  readonly state: WithdrawState;
  readonly amountCents: number;
  readonly txid: string | undefined;
  /** The states in order. */
  readonly path: readonly WithdrawState[];
}

export interface MoneyVerdict {
  readonly operations: number;
  readonly executed: number;
  /** Operations with a temporarily unknown outcome. */
  readonly unknown: number;
  readonly double: number;
  readonly wrong: number;
  readonly endless: number;
  /** Operations that their owner decided. */
  readonly manual: number;
  readonly findings: readonly string[];
}

const HAPPENED: readonly WithdrawState[] = ["completed", "failed", "cancelled"];
const NEVER_SENT: readonly WithdrawState[] = ["draft", "abandoned"];

/** Transitions that the state machine lacks. */
const illegalSteps = ({ path }: JournalRow): readonly string[] =>
  path.flatMap((to, index) => {
    const from = path[index - 1];
    if (from === undefined) return to === "draft" ? [] : [`begins as ${to}`];
    return mayBecome(from, to) ? [] : [`${from} to ${to}`];
  });

/** Compares the journal with the service's books; the amount identifies each operation there. */
export const judge = (
  journal: readonly JournalRow[],
  books: readonly ExecutedWithdrawal[],
): MoneyVerdict => {
  const byAmount = Map.groupBy(
    books.filter(({ source }) => source === "api"),
    ({ amountCents }) => amountCents,
  );
  const findings: string[] = [];
  const counts = { double: 0, wrong: 0, endless: 0, manual: 0 };
  const find = (kind: keyof typeof counts, row: JournalRow, what: string): void => {
    counts[kind]++;
    findings.push(`${row.id} ${row.path.join(" > ")}: ${what}`);
  };

  for (const row of journal) {
    const made = byAmount.get(row.amountCents) ?? [];
    if (made.length > 1) find("double", row, `executed ${made.length} times`);
    for (const step of illegalSteps(row)) find("wrong", row, `illegal step: ${step}`);
    if (row.path.at(-1) !== row.state) find("wrong", row, `its last event is not ${row.state}`);
    if (row.state === "manual" || row.state === "resolved_manual") counts.manual++;
    else if (isOpen(row.state) || row.state === "draft") find("endless", row, "no end");
    else if (HAPPENED.includes(row.state) && made[0]?.txid !== row.txid)
      find("wrong", row, `${row.txid} is taken for it, ${made[0]?.txid ?? "nothing"} was executed`);
    else if (!HAPPENED.includes(row.state) && made.length > 0)
      find("wrong", row, "executed after all");
  }
  const known = new Set(journal.map(({ amountCents }) => amountCents));
  for (const amount of byAmount.keys()) {
    if (known.has(amount)) continue;
    counts.wrong++;
    findings.push(`${amount} was executed and is in no journal`);
  }
  return {
    ...counts,
    operations: journal.filter(({ state }) => !NEVER_SENT.includes(state)).length,
    executed: [...byAmount.values()].flat().length,
    unknown: journal.filter(({ path }) => path.includes("unknown")).length,
    findings,
  };
};
