import type { Locale } from "../shared/locale.ts";
import type { Balance, UnclaimedWithdrawal, Withdrawal, WithdrawAnswer } from "./withdrawal.ts";
import type { PixKey } from "./pix-key.ts";
import type { HoldQuestion } from "./restore/restore-hold.ts";
import type { WithdrawEvent } from "./withdraw-journal.ts";
import type { RecentWithdrawal, UnderWay } from "./withdraw-limits.ts";
import type { WithdrawOp, WithdrawState } from "./withdraw-op.ts";
import type { WalletErrorKind } from "../shared/errors.ts";
import type { Cents } from "../shared/money.ts";
import type { SalesDay } from "../reports/sales-days.ts";
import type { Secret } from "../shared/secret.ts";
import type { Transaction } from "../transactions/transaction.ts";

/** The owner's withdrawal that a cancellation is about; undefined if it was made elsewhere or by another person. */
type CancelTarget = Pick<WithdrawOp, "id" | "kind"> | undefined;

/** Contents of a confirmation, shown before money moves. */
export interface Confirmation {
  readonly kind: "confirmation";
  readonly op: WithdrawOp;
  /** Random single-use token in the buttons' custom ids. */
  readonly token: string;
  readonly expiresAt: Temporal.Instant;
  /** 1: this click sends the withdrawal. 2: another confirmation follows. */
  readonly confirmationsLeft: number;
  /** Reasons for a second confirmation. */
  readonly askedTwice: readonly ("new_key" | "unreadable_list" | "split" | "suspect_key")[];
  readonly pinRequired: boolean;
  readonly pixKey: {
    /** The whole key, for its owner to check. */
    readonly value: Secret;
    readonly type: PixKey["type"];
  };
  /** Holder's name; undefined when the service does not give it. */
  readonly holderName: string | undefined;
  readonly bankName: string | undefined;
  /** As read when it was first asked; undefined where another withdrawal was sent since. */
  readonly available: Cents | undefined;
  /** True when another withdrawal of the account was sent since this confirmation was shown, so the bot asks again. */
  readonly sentMeanwhile: boolean;
  /** Withdrawals already at the service, which may refuse this one because of them. */
  readonly underWay: readonly UnderWay[];
  /** Last withdrawal if less than 24 hours ago: the service may refuse this one. */
  readonly recent: RecentWithdrawal | undefined;
  /** Presumed earliest time of the next withdrawal if this one is sent now. */
  readonly nextAllowedAt: Temporal.Instant;
  /** Whether the service's lower night limits may apply; see `isNight`. */
  readonly night: boolean;
  /** Last known split balance of this recipient, and its time. */
  readonly lastSplitBalance: { readonly balance: Cents; readonly at: Temporal.Instant } | undefined;
  /** Whether the owner saved the key. */
  readonly keySaved: boolean;
}

/** A question that a single click answers. */
type SingleQuestion = Pick<Confirmation, "op" | "token" | "expiresAt" | "pinRequired">;

/** Contents of the confirmation of a cancellation. */
export interface CancelConfirmation extends SingleQuestion {
  readonly kind: "cancel";
  readonly target: CancelTarget;
  /** Of the service's withdrawal, with its clear key, which is shown masked. */
  readonly withdrawal: Pick<
    Withdrawal,
    "txid" | "amount" | "pixKey" | "pixKeyType" | "scheduledFor"
  >;
}

/** Contents of the confirmation of a refund. The service does not say whether its fee comes back. */
export interface RefundConfirmation extends SingleQuestion {
  readonly kind: "refund";
  readonly payment: Pick<Transaction, "amount" | "fee" | "description" | "payer" | "createdAt">;
  /** Disputes that the service counts and does not list; undefined when it did not say. */
  readonly unlistedDisputes: number | undefined;
}

/** Asks whether eleven digits are a CPF or a phone. The buttons carry the token, the journal keeps the rest. */
export interface KeyQuestion extends Pick<Confirmation, "op" | "token" | "expiresAt"> {
  readonly kind: "key_question";
}

/** Facts from the answer to the single POST, for the first message; the journal keeps the rest. */
export interface SentFacts {
  readonly rejected:
    | Pick<
        Extract<WithdrawAnswer, { state: "rejected" }>,
        "reason" | "message" | "retryAfterMs" | "shortfall"
      >
    | undefined;
  /** Wait for its turn, for a request that our own pacing held back. */
  readonly pacedForMs?: number | undefined;
  readonly pixKeyOwner: string | undefined;
  readonly previousSplitBalance: Cents | undefined;
  readonly newSplitBalance: Cents | undefined;
}

/** The service's state of a withdrawal, as far as it was read. */
export interface ReadFacts {
  /** The service's detail; undefined without a txid or when unreadable. */
  readonly withdrawal?: Withdrawal | undefined;
  /** Why a reading failed. */
  readonly problem?: WalletErrorKind | undefined;
  /** Whether no request was made, as its reader has no key of the wallet account. */
  readonly withoutKey?: boolean | undefined;
  /** `X-Request-ID` of each failed reading, or the reference of our log, for the support. */
  readonly supportCodes?: readonly string[] | undefined;
}

/** An operation with the service's current view of it. */
export interface WithdrawStatus extends ReadFacts {
  readonly kind: "status";
  readonly op: WithdrawOp;
  readonly readAt: Temporal.Instant;
  /** Whether a person has just asked for the reading. */
  readonly isChecked?: boolean;
  /** Whether it is shown in a server whose connection is not of its wallet account: another withdrawal would be of another. */
  readonly isElsewhere?: boolean;
  readonly sent?: SentFacts | undefined;
  readonly target?: CancelTarget;
  /** Whether the key can still be saved. */
  readonly keySavable: boolean;
  /** Else only splits are withdrawn here, without cancelling. */
  readonly withdrawEnabled: boolean;
}

export interface WithdrawalList extends Omit<ReadFacts, "withdrawal"> {
  /** The owner's, of all wallet accounts. */
  readonly ops: readonly WithdrawOp[];
  /** The wallet account of this server's connection; undefined without one. */
  readonly accountFp?: string | undefined;
  /** Rows of the service's list that belong to no operation of the owner; undefined when unreadable. */
  readonly elsewhere: readonly UnclaimedWithdrawal[] | undefined;
  /** Direct messages of the last seven days about these withdrawals that Discord refused. */
  readonly undelivered: number;
  /** Withdrawals that the owner must check before money moves again. */
  readonly question?: HoldQuestion | undefined;
  readonly readAt: Temporal.Instant;
}

export interface WithdrawalDetail extends ReadFacts {
  /** Undefined for a withdrawal made outside the bot, or by another person. */
  readonly op: WithdrawOp | undefined;
  readonly target?: CancelTarget;
  /** Whether another person of the account began it here. */
  readonly byAnother?: boolean;
  /** Code of the reader's withdrawal of unknown outcome that it may be. */
  readonly mayBeOpId?: string | undefined;
  readonly events: readonly WithdrawEvent[];
  /** Else it cannot be cancelled here. */
  readonly withdrawEnabled: boolean;
  readonly readAt: Temporal.Instant;
}

/** Contents of `/saldo`. Undefined fields: the service did not say, or could not be read. */
export interface BalanceView extends Pick<ReadFacts, "supportCodes"> {
  readonly balance: Balance | undefined;
  readonly frozen: Cents | undefined;
  /** Followed disputes that await an answer; empty while alerts are off. */
  readonly disputes: {
    readonly count: number;
    /** Of them. */
    readonly overdue: number;
    /** The first deadline that is still to come. */
    readonly firstDueAt: Temporal.Instant | undefined;
  };
  /**
   * Kept figures of the report's open day, which begins at 21:00 in Brasília, without a refund since they were read; `/saldo`
   * asks for no new ones.
   */
  readonly today?: SalesDay | undefined;
  /** The person's own open withdrawals, newest first. */
  readonly open: readonly WithdrawOp[];
  /** Listed withdrawals under way that began outside the bot; undefined when unreadable. */
  readonly elsewhereOpen: readonly UnclaimedWithdrawal[] | undefined;
  /** State of the operation of unknown outcome that locks the account, of any person. */
  readonly lock: WithdrawState | undefined;
  /** Whether that operation is another person's, which the reader cannot see. */
  readonly lockByAnother?: boolean;
  /** Withdrawals under way, of any person and origin: the service may refuse another one until they end. */
  readonly underWay: readonly UnderWay[];
  readonly recent: RecentWithdrawal | undefined;
  /** The person's daily cap; `freesAt` is set when less than the minimum withdrawal is left. */
  readonly cap:
    | { readonly cap: Cents; readonly left: Cents; readonly freesAt: Temporal.Instant | undefined }
    | undefined;
  readonly locked: boolean;
  /** Else the balance can only be withdrawn at the service. */
  readonly withdrawEnabled: boolean;
  /** Withdrawals that the owner must check before money moves again. */
  readonly question?: HoldQuestion | undefined;
  readonly problems: readonly WalletErrorKind[];
  readonly readAt: Temporal.Instant;
}

/** Facts of an outcome message; `withdraw-status.view.ts` writes the text. */
export interface OutcomeFacts extends Pick<ReadFacts, "withdrawal" | "withoutKey"> {
  readonly op: WithdrawOp;
  readonly reference: string;
}

interface WatchFacts {
  /** Reader of the notice; only this person may use its lock button. */
  readonly ownerId: string;
  /** Empty when it happened in a direct message. */
  readonly guildId: string;
  readonly locale: Locale;
  readonly reference: string;
  readonly noticedAt: Temporal.Instant;
}

export interface ExternalWithdrawalFacts extends WatchFacts {
  readonly txid: string;
  readonly withdrawal: Withdrawal | undefined;
  /** End of the reader's key, for an owner of several accounts; undefined without the connection at hand. */
  readonly keyLast4?: string | undefined;
  /** Code of an operation that it fits, and which was declared as not made, by the reader or in the reader's stead. */
  readonly declaredOpId?: string | undefined;
  /** Else it cannot be cancelled here. */
  readonly withdrawEnabled: boolean;
}

export interface RestoredFacts extends WatchFacts {
  readonly question: HoldQuestion;
}

export interface GuardFacts extends WatchFacts {
  readonly change:
    | "locked"
    | "unlock_asked"
    /** Also one that replaces the PIN before it. */
    | "pin_set"
    /** At once, by who typed it. */
    | "pin_removed"
    | "pin_removal_asked"
    | "cap_raise_asked"
    | "cap_end_asked"
    | "wait_end_asked"
    | "new_key"
    /** Too many wrong PINs; `from` is the time of the next possible try. */
    | "pin_locked"
    /** The database is an older copy, so that the guards may be as they were in it. */
    | "restored";
  /** When the change takes effect. */
  readonly from: Temporal.Instant | undefined;
  /** The new key, masked: by it the owner knows whether it is their own. */
  readonly pixKeyMasked?: string;
  /** Of the withdrawal to the new key, or of the new daily cap. */
  readonly amount?: Cents | undefined;
}

/** The facts of a guard's notice. */
export type GuardNews = Pick<GuardFacts, "change" | "from" | "pixKeyMasked" | "amount">;
