import type { NewDelivery } from "#src/domain/delivery.ts";
import { readPixKey } from "#src/domain/pix-key.ts";
import {
  isLocking,
  mayBecome,
  type WithdrawOp,
  type WithdrawState,
} from "#src/domain/withdraw-op.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/duration.ts";
import type { TrueWithdrawal, Truth } from "./truth.ts";

/** What the harness knows of one operation, whatever the processes know. */
export interface Known {
  op: WithdrawOp;
  readonly pixKey: string;
  /** The wallet account in truth, whatever the operation says. */
  readonly account: string;
  leaseUntilMs: number | undefined;
  posts: number;
  /** Withdrawals that it cancelled, if it is a cancellation. */
  cancelled: number;
  /** It holds a withdrawal of the dashboard that nobody could tell from its own. */
  adopted: boolean;
}

/** Readings come every half hour, a process may be away, and a key is asked for hourly. */
const SLACK_MS = 2 * HOUR;
const MOST_A_MINUTE = 3;
const UNTOLD_APART_MS = 15 * MINUTE;

const IS_CLAIM: ReadonlySet<WithdrawState> = new Set([
  "accepted",
  "scheduled",
  "processing",
  "completed",
  "failed",
  "cancelled",
]);
const IS_DENIAL: ReadonlySet<WithdrawState> = new Set([
  "draft",
  "confirmed",
  "abandoned",
  "refused_local",
  "rejected",
  "not_sent",
  "not_executed",
]);
const IS_TOLD: ReadonlySet<WithdrawState> = new Set([
  "unknown",
  "manual",
  "not_executed",
  "completed",
  "failed",
  "cancelled",
]);

/** Whether a withdrawal at the dashboard looks in every documented field as the operation's own would. */
const isTwin = (row: TrueWithdrawal, { op, pixKey }: Known): boolean => {
  const split = op.kind === "split_normal" || op.kind === "split_turbo";
  const turbo = op.kind === "turbo" || op.kind === "split_turbo";
  const key = readPixKey(row.pixKey);
  const sameKey = row.pixKey === pixKey || (key.kind === "key" && key.key.value === pixKey);
  const apartMs = Math.abs(row.requestedMs - (op.sentAt?.epochMilliseconds ?? 0));
  return (
    sameKey &&
    row.turbo === turbo &&
    (split || row.amount === op.amount) &&
    apartMs <= UNTOLD_APART_MS
  );
};

export interface Judge {
  /** Anything about the operation was written down, a step or not. */
  readonly onChange: (known: Known) => void;
  readonly onStep: (
    known: Known,
    from: WithdrawState,
    notices: readonly NewDelivery[],
    others: Iterable<Known>,
  ) => void;
  readonly onPost: (account: string, known: Known | undefined, owner: string) => void;
  readonly onExecuted: (known: Known) => void;
}

/** The invariants of reliability notes 10.4, asked at each thing that happens. */
export const createJudge = (
  truth: Truth,
  nowMs: () => number,
  violate: (rule: string, known: Known | undefined, why: string) => void,
): Judge => {
  const posts = new Map<string, readonly number[]>();

  const claimOfCancel = (known: Known): void => {
    const { op } = known;
    const row = truth.rows.get(op.targetTxid ?? "");
    if (op.state === "completed" && row?.status !== "cancelled") {
      violate("M3", known, `said to be cancelled, and is ${row?.status ?? "nowhere"}`);
    }
  };

  const claim = (known: Known): void => {
    const { op } = known;
    if (op.kind === "cancel") return claimOfCancel(known);
    const row = truth.rows.get(op.txid ?? "");
    if (row?.account !== known.account) {
      return violate("M3", known, `${op.state} with ${op.txid ?? "no txid"}, which nobody made`);
    }
    if (row.opId !== op.id) {
      if (row.opId !== undefined || !isTwin(row, known)) {
        return violate(
          "M3",
          known,
          `${op.state} with a withdrawal of ${row.opId ?? "the dashboard"}`,
        );
      }
      known.adopted = true;
    }
    const final = op.state === "completed" || op.state === "failed" || op.state === "cancelled";
    if (final && row.status !== op.state) {
      violate("M3", known, `said to be ${op.state}, and is ${row.status}`);
    }
  };

  const denial = (known: Known): void => {
    const done =
      known.op.kind === "cancel" ? known.cancelled : truth.executedFor(known.op.id).length;
    if (done > 0) violate("M3", known, `${known.op.state}, and it happened`);
  };

  const resolvedInTime = (known: Known): void => {
    const sentMs = (known.op.sentAt ?? known.op.updatedAt).epochMilliseconds;
    if (nowMs() - sentMs > DAY + SLACK_MS) violate("M5", known, "unknown for more than a day");
  };

  /** At most one operation of an account has an outcome that is not known. */
  const alone = (known: Known, others: Iterable<Known>): void => {
    if (!isLocking(known.op)) return;
    for (const other of others) {
      const both = other !== known && other.account === known.account && isLocking(other.op);
      if (both) violate("M4", known, `locks beside ${other.op.id}, which is ${other.op.state}`);
    }
  };

  return {
    onChange: (known) => {
      if (known.op.state === "unknown") resolvedInTime(known);
    },
    onStep: (known, from, notices, others) => {
      const { op } = known;
      if (!mayBecome(from, op.state)) violate("M6", known, `went from ${from} to ${op.state}`);
      if (from === "unknown") resolvedInTime(known);
      if (IS_CLAIM.has(op.state)) claim(known);
      if (IS_DENIAL.has(op.state)) denial(known);
      alone(known, others);
      // A failed one is told by the step that ends it, not by the one that finds it.
      const owed = `withdrawal|${op.id}|${op.state}`;
      if (IS_TOLD.has(op.state) && !notices.some(({ dedupeKey }) => dedupeKey === owed)) {
        violate("M7", known, `nobody is told that it is ${op.state}`);
      }
    },
    onPost: (account, known, owner) => {
      const recent = (posts.get(account) ?? []).filter((atMs) => atMs > nowMs() - MINUTE);
      posts.set(account, [...recent, nowMs()]);
      if (recent.length >= MOST_A_MINUTE) violate("L1", known, "is the fourth within a minute");
      if (known === undefined) {
        return violate("M2", undefined, `${owner} sent a request that no operation is sending`);
      }
      known.posts++;
      if (known.posts > 1) violate("M1", known, `was sent ${known.posts} times`);
      if ((known.leaseUntilMs ?? 0) <= nowMs()) violate("M2", known, "was sent after its lease");
    },
    onExecuted: (known) => {
      const done =
        known.op.kind === "cancel" ? known.cancelled : truth.executedFor(known.op.id).length;
      if (done > 1) violate("M1", known, `happened ${done} times`);
      if (IS_DENIAL.has(known.op.state)) denial(known);
    },
  };
};
