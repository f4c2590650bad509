import type { Account } from "../accounts/account.ts";
import type { Cents } from "../shared/money.ts";
import type { NewDelivery } from "../delivery/delivery.ts";
import { SECOND } from "../shared/time.ts";
import type { NewWithdrawOp, WithdrawKind, WithdrawOp, WithdrawState } from "./withdraw-op.ts";

/**
 * Fields that a transition or a check may set. Missing and undefined fields stay, so known facts are never lost. Only
 * `nextCheckAt` and `firstAbsentAt` are cleared by an explicit undefined.
 */
export type WithdrawChange = Partial<
  Pick<
    WithdrawOp,
    | "kind"
    | "amount"
    | "fee"
    | "net"
    | "confirmationsLeft"
    | "confirmExpiresAt"
    | "confirmedAt"
    | "sentAt"
    | "preTxids"
    | "preBalance"
    | "skewMs"
    | "httpStatus"
    | "errorCode"
    | "requestId"
    | "txid"
    | "scheduledFor"
    | "absences"
    | "firstAbsentAt"
    | "checks"
    | "setBackAt"
    | "nextCheckAt"
    | "resolvedBy"
    | "resolution"
  >
> & { readonly confirmTokenHash?: string };

/** Lease of each step before the answer: longer than all deadlines of the request together. */
export const LEASE_MS = 90 * SECOND;

export interface Transition {
  readonly to: WithdrawState;
  readonly change?: WithdrawChange;
  /** Only for `confirmed` and `sending`: how long this process holds the operation, by the clock of leases. */
  readonly lease?: { readonly owner: string; readonly ms: number };
  /**
   * The step is taken only while its owner has the wallet account connected in this server; in any server for a
   * cancellation. A removal at the same time waits, and then finds the step taken.
   */
  readonly whileConnected?: true;
  /** Notices enqueued in the same transaction. */
  readonly notices?: readonly NewDelivery[];
  /** Short code of the cause, stored in the event; contains no text of a person or of the service. */
  readonly reason: string;
}

/**
 * Result of a step.
 * - `lost`: another process moved the operation first; this call changed no row.
 * - `account_busy`: another operation of the wallet account has an unknown outcome; for a cancellation, another one of
 *   the same withdrawal is open; for a refund, another one of the same payment is open or was made, by any key.
 * - `not_connected`: the connection that the step needs was removed, or has a key of another wallet account now.
 * - `txid_taken`: another operation has claimed the withdrawal.
 */
export type MoveResult =
  | { readonly kind: "moved"; readonly op: WithdrawOp }
  | { readonly kind: "lost" | "account_busy" | "not_connected" | "txid_taken" };

export interface WithdrawEvent {
  readonly seq: number;
  readonly at: Temporal.Instant;
  readonly from: WithdrawState | undefined;
  readonly to: WithdrawState;
  readonly reason: string;
}

/** The journal of withdrawals. It is authoritative; messages only show it. Source: decisions 1.1. */
export interface WithdrawJournal {
  /** `reason`: of its first event, `asked` by default. */
  readonly draft: (op: NewWithdrawOp, at: Temporal.Instant, reason?: string) => Promise<WithdrawOp>;
  readonly find: (id: string) => Promise<WithdrawOp | undefined>;
  /** Finds an operation by the hash of its current token. */
  readonly findByToken: (tokenHash: string) => Promise<WithdrawOp | undefined>;
  /** The account's open withdrawals, without cancellations and refunds, newest first: at most one of them locks it. */
  readonly openOf: (accountFp: string) => Promise<readonly WithdrawOp[]>;
  /** Operations that this connection's key alone can check, oldest first; empty when the account has another key that does as well. */
  readonly leftUnfinished: (
    connection: Pick<Account, "id" | "accountFp" | "pausedAt">,
  ) => Promise<readonly Pick<WithdrawOp, "id" | "ownerId" | "state">[]>;
  /** The withdrawal of unknown outcome that locks the account. */
  readonly lockOf: (accountFp: string) => Promise<WithdrawOp | undefined>;
  /** The confirmed refunds of a payment, of all people and keys, newest first: at most one of them is open or was made. */
  readonly refundsOf: (paymentTxid: string) => Promise<readonly WithdrawOp[]>;
  /** Gross sum of the account's refunds that were carried out, or may have been, since then. */
  readonly refundedSince: (accountFp: string, since: Temporal.Instant) => Promise<Cents>;
  /**
   * Makes one step and adds its event in one transaction, if state and version are unchanged. `confirmed` and `sending`
   * set `confirmedAt` and `sentAt` to `at` unless the change gives another value. A state that is checked by reading is
   * due at once unless the operation has a check time. After an exception the outcome is unknown: read again before
   * acting.
   * @throws RangeError for an illegal step
   */
  readonly move: (op: WithdrawOp, step: Transition, at: Temporal.Instant) => Promise<MoveResult>;
  /**
   * Sets facts without a step; kind and token only for a draft. Undefined: another process changed the operation first,
   * or claimed the txid.
   */
  readonly amend: (
    op: WithdrawOp,
    change: WithdrawChange,
    at: Temporal.Instant,
  ) => Promise<WithdrawOp | undefined>;
  /**
   * Settles operations of dead processes: `sending` becomes `unknown` and is due for a check now; `confirmed` becomes
   * `refused_local`, or `unknown` when the database may be an older copy. Covers ended leases only, with those that
   * were taken before the clock was set back, or all operations with `everything` (when no other process can be alive).
   */
  readonly sweep: (
    everything: boolean,
    at: Temporal.Instant,
    noticesFor: (op: WithdrawOp) => readonly NewDelivery[],
  ) => Promise<readonly WithdrawOp[]>;
  /** Moves drafts with an expired confirmation to `abandoned`. They keep their token for late clicks. */
  readonly abandonExpired: (at: Temporal.Instant) => Promise<readonly WithdrawOp[]>;
  /**
   * Claims operations with a due check (`accepted`, `scheduled`, `processing`, `unknown`, `manual`), oldest first, and those
   * that a clock that was set back put off. Each claim moves the next check by `holdMs`, so that other processes skip the
   * operation.
   */
  readonly claimDue: (
    at: Temporal.Instant,
    limit: number,
    holdMs: number,
  ) => Promise<readonly WithdrawOp[]>;
  /** Makes the checks of a wallet account's operations due. */
  readonly makeDue: (accountFp: string, at: Temporal.Instant) => Promise<void>;
  /** Next due check of all open operations. */
  readonly nextDueAt: () => Promise<Temporal.Instant | undefined>;
  /** Newest first, without drafts and abandoned operations. */
  readonly list: (query: {
    readonly ownerId: string;
    readonly states?: readonly WithdrawState[];
    readonly limit: number;
  }) => Promise<readonly WithdrawOp[]>;
  /**
   * The account's withdrawals without a txid that the owners sent after `since`, or decided, newest first, at most 200.
   * Those that were declared as not made are left out.
   */
  readonly withoutTxid: (query: {
    readonly accountFp: string;
    readonly ownerIds: readonly string[];
    readonly states: readonly WithdrawState[];
    readonly since: Temporal.Instant;
  }) => Promise<readonly WithdrawOp[]>;
  /** The account's withdrawals that their owners declared as not made, newest first, at most 200. */
  readonly declaredNotMade: (accountFp: string) => Promise<readonly WithdrawOp[]>;
  /**
   * The account's withdrawals that were paid in that time, oldest first: completed ones by when the journal learnt of it,
   * and those that their owner confirmed by hand by when they were sent.
   */
  readonly completedBetween: (
    accountFp: string,
    from: Temporal.Instant,
    to: Temporal.Instant,
  ) => Promise<readonly { readonly op: WithdrawOp; readonly at: Temporal.Instant }[]>;
  readonly findByTxid: (accountFp: string, txid: string) => Promise<WithdrawOp | undefined>;
  /** Withdrawals of the account that operations stand for: one declared as not made is left out. */
  readonly claimedTxids: (accountFp: string) => Promise<readonly string[]>;
  /** Withdrawals of the account that no other operation may claim: of all operations, of `kinds` if given. */
  readonly heldTxids: (
    accountFp: string,
    kinds?: readonly WithdrawKind[],
  ) => Promise<readonly string[]>;
  /** Gross sum that the owner sent or may have sent since then, refunds too. A split of unknown amount counts as 0. */
  readonly spentSince: (ownerId: string, since: Temporal.Instant) => Promise<Cents>;
  /**
   * Time of the newest withdrawal of the account that the service accepted or may have accepted; by default also of one
   * that failed or was cancelled.
   */
  readonly lastSentAt: (
    accountFp: string,
    states?: readonly WithdrawState[],
  ) => Promise<Temporal.Instant | undefined>;
  /**
   * Whether another withdrawal of the account was sent, or may have been, after this one's confirmation was last shown, or
   * found made after a denial: by the order of the steps, which a change of the clock does not alter.
   */
  readonly wasSentSinceShown: (op: Pick<WithdrawOp, "accountFp" | "id">) => Promise<boolean>;
  /** The PIX key in plain text; undefined once erased. */
  readonly pixKeyOf: (id: string) => Promise<string | undefined>;
  /** Erases clear keys of operations that ended before then, and drafts abandoned before then. */
  readonly purgeEnded: (before: Temporal.Instant) => Promise<void>;
  readonly events: (id: string) => Promise<readonly WithdrawEvent[]>;
  /** Number of operations in each open state, and the start of the oldest `unknown` one. */
  readonly counts: () => Promise<{
    readonly byState: Readonly<Partial<Record<WithdrawState, number>>>;
    readonly oldestUnknownSince: Temporal.Instant | undefined;
  }>;
}
