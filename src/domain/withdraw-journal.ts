import type { Cents } from "../shared/money.ts";
import type { NewDelivery } from "./delivery.ts";
import type { NewWithdrawOp, WithdrawKind, WithdrawOp, WithdrawState } from "./withdraw-op.ts";

/**
 * Facts that a transition or a check may set; what is left out, or undefined, stays as it was: nothing that was learnt
 * is forgotten. Only `nextCheckAt` and `firstAbsentAt` are taken back by an explicit undefined.
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
    | "nextCheckAt"
    | "resolvedBy"
    | "resolution"
  >
> & { readonly confirmTokenHash?: string };

export interface Transition {
  readonly to: WithdrawState;
  readonly change?: WithdrawChange;
  /** With `confirmed` and `sending`, and only there: for how long this process holds it, by the clock of leases. */
  readonly lease?: { readonly owner: string; readonly ms: number };
  /** Owed because of it: enqueued in the same transaction. */
  readonly notices?: readonly NewDelivery[];
  /** Short code of why, for the event; never text of a person or of the service. */
  readonly reason: string;
}

/**
 * - `lost`: somebody else moved it first; nothing changed.
 * - `account_busy`: the outcome of another operation of the wallet account is not known; or, of a cancellation, another
 *   one of the same withdrawal is open.
 * - `txid_taken`: another operation has claimed that withdrawal.
 */
export type MoveResult =
  | { readonly kind: "moved"; readonly op: WithdrawOp }
  | { readonly kind: "lost" | "account_busy" | "txid_taken" };

export interface WithdrawEvent {
  readonly seq: number;
  readonly at: Temporal.Instant;
  readonly from: WithdrawState | undefined;
  readonly to: WithdrawState;
  readonly reason: string;
}

/** The journal of withdrawals: the truth, of which every message is a view. Source: decisions 1.1. */
export interface WithdrawJournal {
  /** Keeps a draft under a new id. */
  readonly draft: (op: NewWithdrawOp, at: Temporal.Instant) => Promise<WithdrawOp>;
  readonly find: (id: string) => Promise<WithdrawOp | undefined>;
  /** By the hash of the token that it waits for now. */
  readonly findByToken: (tokenHash: string) => Promise<WithdrawOp | undefined>;
  /** The withdrawals (never a `cancel`) of the account that are not over, newest first: at most one of them locks it. */
  readonly openOf: (accountFp: string) => Promise<readonly WithdrawOp[]>;
  /** The withdrawal whose outcome is not known, which locks the account. */
  readonly lockOf: (accountFp: string) => Promise<WithdrawOp | undefined>;
  /**
   * One step, only if the operation still is as given (state and version), with its event, in one transaction.
   * `confirmed` and `sending` set `confirmedAt` and `sentAt` to `at` unless the change says otherwise; a state that is
   * followed by reading is due for a check at once unless the operation has a time for it.
   * When it throws, the outcome is not known: read again before acting.
   * @throws RangeError for a step that is not legal.
   */
  readonly move: (op: WithdrawOp, step: Transition, at: Temporal.Instant) => Promise<MoveResult>;
  /**
   * Sets facts without a step; the kind and the token only of a draft. Undefined: somebody else changed it first, or
   * claimed that txid.
   */
  readonly amend: (
    op: WithdrawOp,
    change: WithdrawChange,
    at: Temporal.Instant,
  ) => Promise<WithdrawOp | undefined>;
  /**
   * What a dead process left: `sending` becomes `unknown` and is due for a check now, `confirmed` becomes
   * `refused_local`, or `unknown` when the database may be an older copy of itself. Only where the lease has ended, or all of them when `everything` (no other process can be alive).
   */
  readonly sweep: (
    everything: boolean,
    at: Temporal.Instant,
    noticesFor: (op: WithdrawOp) => readonly NewDelivery[],
  ) => Promise<readonly WithdrawOp[]>;
  /** Drafts whose confirmation expired become `abandoned`, which keeps their token: a late click finds them by it. */
  readonly abandonExpired: (at: Temporal.Instant) => Promise<readonly WithdrawOp[]>;
  /**
   * Takes operations whose check is due (`accepted`, `scheduled`, `processing`, `unknown`, `manual`), oldest first:
   * their next check is put `holdMs` off, so that no other process takes them meanwhile.
   */
  readonly claimDue: (
    at: Temporal.Instant,
    limit: number,
    holdMs: number,
  ) => Promise<readonly WithdrawOp[]>;
  /** When the next check is due, of all open operations. */
  readonly nextDueAt: () => Promise<Temporal.Instant | undefined>;
  /** Newest first; drafts and abandoned ones are left out. */
  readonly list: (query: {
    readonly ownerId: string;
    readonly states?: readonly WithdrawState[];
    readonly limit: number;
  }) => Promise<readonly WithdrawOp[]>;
  readonly findByTxid: (accountFp: string, txid: string) => Promise<WithdrawOp | undefined>;
  /** Withdrawals of the account that operations (of these kinds) have claimed. */
  readonly claimedTxids: (
    accountFp: string,
    kinds?: readonly WithdrawKind[],
  ) => Promise<readonly string[]>;
  /** Gross of what the owner had sent, or may have had sent, since then; a split without a known amount counts 0. */
  readonly spentSince: (ownerId: string, since: Temporal.Instant) => Promise<Cents>;
  /** Newest withdrawal of the account that the service accepted or may have accepted. */
  readonly lastSentAt: (accountFp: string) => Promise<Temporal.Instant | undefined>;
  /** The PIX key in clear text; undefined once it was erased. */
  readonly pixKeyOf: (id: string) => Promise<string | undefined>;
  /** Erases clear keys of operations that ended before then, and drafts abandoned before then. */
  readonly forgetEnded: (before: Temporal.Instant) => Promise<void>;
  readonly events: (id: string) => Promise<readonly WithdrawEvent[]>;
  /** How many operations are in each open state, and since when the oldest `unknown` one is. */
  readonly counts: () => Promise<{
    readonly byState: Readonly<Partial<Record<WithdrawState, number>>>;
    readonly oldestUnknownSince: Temporal.Instant | undefined;
  }>;
}
