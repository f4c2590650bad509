import type { RejectReason } from "#src/withdrawals/withdrawal.ts";
import { MINIMUM_WITHDRAWAL } from "#src/withdrawals/withdraw-limits.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { cents, type Cents } from "#src/shared/money.ts";
import type { Bounds } from "./bounds.ts";
import type { Dice } from "../dice.ts";
import type { VirtualTime } from "../virtual-time.ts";

export interface Terms {
  readonly bounds: Bounds;
  /** The documented limits; the document leaves exceptions open. */
  readonly oneInADay: boolean;
  readonly oneAtATime: boolean;
  readonly failing: number;
  readonly salesAnHour: number;
  readonly longestPlanMs: number;
}

export interface Asked {
  readonly account: string;
  readonly pixKey: string;
  readonly turbo: boolean;
  /** Undefined: the whole split balance of a recipient. */
  readonly amount: Cents | undefined;
  /** The bot's operation; undefined: a person at the dashboard. */
  readonly opId: string | undefined;
}

/** An executed withdrawal, in real time. */
export interface TrueWithdrawal extends Omit<Asked, "amount"> {
  readonly txid: string;
  readonly amount: Cents;
  readonly requestedMs: number;
  readonly plannedMs: number | undefined;
  status: "scheduled" | "processing" | "completed" | "failed" | "cancelled";
  changedMs: number;
  /** The cancelling operation; "dashboard" for a person there. */
  cancelledBy: string | undefined;
}

type Refusal = Extract<RejectReason, "invalid" | "insufficient_split_balance" | "refused">;

/** The service's ledger, hidden from the rest of the run. */
export interface Truth {
  readonly terms: Terms;
  readonly rows: ReadonlyMap<string, TrueWithdrawal>;
  readonly executedFor: (opId: string) => readonly TrueWithdrawal[];
  readonly ofAccount: (account: string) => readonly TrueWithdrawal[];
  readonly available: (account: string) => Cents;
  readonly place: (asked: Asked) => TrueWithdrawal | Refusal;
  readonly cancel: (account: string, txid: string, by: string) => boolean;
}

const OPENING_BALANCE = 5_000_00;
const FAR_FROM_FAILING_MS = 50 * MINUTE;

const isPending = ({ status }: TrueWithdrawal): boolean =>
  status === "scheduled" || status === "processing";

export const createTruth = (terms: Terms, time: VirtualTime, dice: Dice): Truth => {
  const rows = new Map<string, TrueWithdrawal>();
  const beganMs = time.nowMs();
  const ofAccount = (account: string): readonly TrueWithdrawal[] =>
    [...rows.values()].filter((row) => row.account === account).toReversed();

  const become = (row: TrueWithdrawal, status: TrueWithdrawal["status"]): void => {
    row.status = status;
    row.changedMs = time.nowMs();
  };
  const process = (row: TrueWithdrawal): void => {
    if (!isPending(row)) return;
    become(row, "processing");
    const takesMs = dice.spread(2 * SECOND, FAR_FROM_FAILING_MS);
    time.after(takesMs, () => {
      become(row, dice.chance(terms.failing) ? "failed" : "completed");
    });
  };

  const available = (account: string): Cents => {
    const gone = ofAccount(account)
      .filter(({ status }) => status !== "failed" && status !== "cancelled")
      .reduce((sum, { amount }) => sum + amount, 0);
    const sold = Math.floor(((time.nowMs() - beganMs) / HOUR) * terms.salesAnHour);
    return cents(Math.max(OPENING_BALANCE - (gone % OPENING_BALANCE), 0) + sold);
  };

  const refusalOf = (asked: Asked, amount: number): Refusal | undefined => {
    const earlier = ofAccount(asked.account);
    if (terms.oneAtATime && earlier.some(isPending)) return "refused";
    const since = time.nowMs() - DAY;
    const counted = earlier.filter(({ status }) => status !== "failed" && status !== "cancelled");
    if (terms.oneInADay && counted.some(({ requestedMs }) => requestedMs > since)) return "refused";
    if (amount < MINIMUM_WITHDRAWAL) {
      return asked.amount === undefined ? "insufficient_split_balance" : "invalid";
    }
    return amount > available(asked.account) && asked.amount !== undefined ? "invalid" : undefined;
  };

  return {
    terms,
    rows,
    ofAccount,
    available,
    executedFor: (opId) => [...rows.values()].filter((row) => row.opId === opId),
    place: (asked) => {
      const amount = asked.amount ?? cents(dice.chance(0.2) ? 900 : dice.between(1_000, 9_000));
      const refusal = refusalOf(asked, amount);
      if (refusal !== undefined) return refusal;
      const nowMs = time.nowMs();
      const waitMs = asked.turbo ? 0 : dice.spread(MINUTE, Math.max(terms.longestPlanMs, HOUR));
      const row: TrueWithdrawal = {
        ...asked,
        amount,
        txid: `${asked.amount === undefined ? "SW" : "W"}${rows.size + 1}x${dice.between(0, 999_999)}`,
        requestedMs: nowMs,
        plannedMs: asked.turbo ? undefined : nowMs + waitMs,
        status: asked.turbo ? "processing" : "scheduled",
        changedMs: nowMs,
        cancelledBy: undefined,
      };
      rows.set(row.txid, row);
      time.after(waitMs, () => {
        process(row);
      });
      return row;
    },
    cancel: (account, txid, by) => {
      const row = rows.get(txid);
      if (row?.account !== account || row.status !== "scheduled") return false;
      become(row, "cancelled");
      row.cancelledBy = by;
      return true;
    },
  };
};
