import type { NewDelivery } from "#src/delivery/delivery.ts";
import { readPixKey } from "#src/withdrawals/pix-key.ts";
import { isLocking, type WithdrawOp, type WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { isLegalStep } from "../../support/legal-steps.ts";
import type { VirtualTime } from "../virtual-time.ts";
import type { TrueWithdrawal, Truth } from "./truth.ts";

/** The harness's view of one operation, independent of the processes. */
export interface Known {
  op: WithdrawOp;
  readonly pixKey: string;
  /** The true wallet account, independent of the operation's own field. */
  readonly account: string;
  leaseUntilMs: number | undefined;
  /** True time of its request, and how far the bot's clock was ahead then. */
  sentMs: number | undefined;
  aheadMs: number;
  posts: number;
  /** Withdrawals cancelled by it, if it is a cancellation. */
  cancelled: number;
  /** The service executed it and refused it. */
  falselyRefused: boolean;
  /** It is matched with a dashboard withdrawal that is indistinguishable from its own. */
  adopted: boolean;
}

/** Covers half-hourly readings, an absent process and hourly retries of a key. */
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

/** Whether a dashboard withdrawal equals the operation's own in every documented field. */
const isTwin = (
  row: TrueWithdrawal,
  { op, pixKey, sentMs }: Known,
  shownKey: (pixKey: string) => string,
): boolean => {
  const split = op.kind === "split_normal" || op.kind === "split_turbo";
  const turbo = op.kind === "turbo" || op.kind === "split_turbo";
  const key = readPixKey(row.pixKey);
  const sameKey =
    shownKey(row.pixKey) === shownKey(pixKey) || (key.kind === "key" && key.key.value === pixKey);
  const apartMs = Math.abs(row.requestedMs - (sentMs ?? 0));
  return (
    sameKey &&
    row.turbo === turbo &&
    (split || row.amount === op.amount) &&
    apartMs <= UNTOLD_APART_MS
  );
};

/** Whether the message of its owner's withdrawal, which ended before, tells that the cancellation worked. */
const isToldByTarget = (
  { kind, state, ownerId, targetTxid }: WithdrawOp,
  others: Iterable<Known>,
): boolean =>
  kind === "cancel" &&
  state === "completed" &&
  [...others].some(
    ({ op }) => op.txid === targetTxid && op.ownerId === ownerId && op.state === "cancelled",
  );

/** Beyond this skew a bot without a measurement of the service's clock cannot match its withdrawal by time. */
const clocksAgree = (skewMs: number): boolean => Math.abs(skewMs) <= 5 * MINUTE;

export interface Judge {
  readonly onChange: (known: Known) => void;
  readonly onStep: (
    known: Known,
    from: WithdrawState,
    notices: readonly NewDelivery[],
    others: Iterable<Known>,
  ) => void;
  readonly onPost: (account: string, known: Known | undefined, owner: string) => void;
  readonly onExecuted: (known: Known) => void;
  readonly onLastLook: (account: string) => void;
  /** The owner's lock was committed; `untilMs` once the unlock was requested. Undefined: unlocked. */
  readonly onLock: (ownerId: string, lock: { readonly untilMs: number } | undefined) => void;
  readonly onShown: (row: TrueWithdrawal) => void;
  /** Whether the bot has just read that a refused operation was executed after all. */
  readonly couldTell: (txid: string) => boolean;
}

/** The invariants of decisions 5, checked at each event. */
export const createJudge = (
  truth: Truth,
  { nowMs, clock }: Pick<VirtualTime, "nowMs" | "clock">,
  violate: (rule: string, known: Known | undefined, why: string) => void,
  knownOf: (opId: string | undefined) => Known | undefined,
): Judge => {
  const posts = new Map<string, readonly number[]>();
  const lastLooks = new Map<string, number>();
  const locks = new Map<string, { readonly fromMs: number; readonly untilMs: number }>();
  /** Last read of each withdrawal whose operation the service refused. */
  const shown = new Map<string, number>();

  /** Violations at the last check: the owner's lock preceded it, or a refusal was already disproved. */
  const lookedBefore = (account: string, known: Known): void => {
    if (known.op.kind === "cancel") return;
    const lookMs = lastLooks.get(account) ?? 0;
    const lock = locks.get(known.op.ownerId);
    if (
      lock !== undefined &&
      lock.fromMs <= lookMs &&
      lock.untilMs > clock.now().epochMilliseconds
    ) {
      violate("L2", known, "was sent although its owner had locked");
    }
    for (const [txid, shownMs] of shown) {
      // An older read, as for a cancellation, cannot have stopped this order.
      if (nowMs() - shownMs > MINUTE) continue;
      const row = truth.rows.get(txid);
      if (row?.account !== account || row.opId === known.op.id) continue;
      if (knownOf(row.opId)?.op.state !== "rejected") continue;
      violate(
        "M8",
        known,
        `was sent, and ${row.opId ?? ""}, which was refused, had been seen made`,
      );
    }
  };

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
      if (row.opId !== undefined || !isTwin(row, known, truth.terms.bounds.shownKey)) {
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
    // The refusal is the service's word until its list contradicts it; M8 covers the consequences.
    if (known.op.state === "rejected" && known.falselyRefused) return;
    const done =
      known.op.kind === "cancel" ? known.cancelled : truth.executedFor(known.op.id).length;
    if (done > 0) violate("M3", known, `${known.op.state}, and it happened`);
  };

  const resolvedInTime = (known: Known): void => {
    const sentMs = known.sentMs ?? known.op.updatedAt.epochMilliseconds;
    // Without its key an operation waits a day by the bot's clock.
    if (nowMs() - sentMs > DAY + known.aheadMs + SLACK_MS)
      violate("M5", known, "unknown for more than a day");
  };

  /** At most one operation of an account has an unknown outcome. */
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
      if (!isLegalStep(from, op.state)) violate("M6", known, `went from ${from} to ${op.state}`);
      if (from === "unknown") resolvedInTime(known);
      if (IS_CLAIM.has(op.state)) claim(known);
      if (IS_DENIAL.has(op.state)) denial(known);
      alone(known, others);
      // A failed withdrawal is reported by the step that ends it, not by the step that finds it.
      const owed = `withdrawal|${op.id}|${op.state}`;
      if (
        IS_TOLD.has(op.state) &&
        !isToldByTarget(op, others) &&
        !notices.some(({ dedupeKey }) => dedupeKey.startsWith(owed))
      ) {
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
      lookedBefore(account, known);
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
    onLastLook: (account) => void lastLooks.set(account, nowMs()),
    onLock: (ownerId, lock) => {
      if (lock === undefined) locks.delete(ownerId);
      else locks.set(ownerId, { fromMs: locks.get(ownerId)?.fromMs ?? nowMs(), ...lock });
    },
    couldTell: (txid) => nowMs() - (shown.get(txid) ?? -Infinity) < MINUTE,
    onShown: (row) => {
      const known = knownOf(row.opId);
      const { bounds } = truth.terms;
      const plain = known !== undefined && bounds.shownKey(known.pixKey) === known.pixKey;
      if (known?.falselyRefused === true && plain && clocksAgree(bounds.skewMs - known.aheadMs))
        shown.set(row.txid, nowMs());
    },
  };
};
