import type { Balance, Withdrawal } from "../domain/withdrawal.ts";
import type { MoneyGuards } from "../domain/money-guards.ts";
import type { PixKey } from "../domain/pix-key.ts";
import type { RejectReason } from "../domain/withdraw-answer.ts";
import type { WithdrawEvent } from "../domain/withdraw-journal.ts";
import type { WithdrawOp, WithdrawState } from "../domain/withdraw-op.ts";
import type { WithdrawQuote } from "../domain/withdraw-quote.ts";
import type { ListedWithdrawal } from "../domain/withdrawal.ts";
import type { WalletErrorKind } from "../shared/errors.ts";
import type { Cents } from "../shared/money.ts";
import type { Secret } from "../shared/secret.ts";
import type { Locale } from "../texts/locale.ts";

/** Who acts, and where; a confirmation is bound to all three ids. */
export interface Actor {
  readonly guildId: string;
  readonly channelId: string;
  readonly userId: string;
  readonly interactionId: string;
  readonly locale: Locale;
}

/** All that the person reads before money moves. */
export interface Confirmation {
  readonly kind: "confirmation";
  readonly op: WithdrawOp;
  /** Random, single use; goes into the buttons. */
  readonly token: string;
  readonly expiresAt: Temporal.Instant;
  /** 1: this click sends it. 2: another confirmation follows. */
  readonly confirmationsLeft: number;
  /** Why there are two of them. */
  readonly askedTwice: readonly ("new_key" | "unreadable_list" | "split" | "suspect_key")[];
  readonly pinRequired: boolean;
  readonly pixKey: {
    readonly masked: string;
    readonly type: PixKey["type"];
    readonly suspect: boolean;
  };
  /** Holder as the service names it; undefined when it does not say. */
  readonly holderName: string | undefined;
  readonly bankName: string | undefined;
  /** Of `/saque`: the chosen speed, and the other one for comparison. Undefined for a split withdrawal. */
  readonly quotes: { readonly chosen: WithdrawQuote; readonly other: WithdrawQuote } | undefined;
  readonly available: Cents | undefined;
  /** The 24-hour rule holds now: the service may refuse before then. */
  readonly allowedFrom: Temporal.Instant | undefined;
  /** When the next one will be allowed, if this one goes out now. */
  readonly nextAllowedAt: Temporal.Instant;
  /** 20:00 to 06:00 in Brasília: reduced limits. */
  readonly night: boolean;
  /** Split balance that was last seen of this recipient, and when. */
  readonly lastSplitBalance: { readonly balance: Cents; readonly at: Temporal.Instant } | undefined;
  /** Whether the key is among the saved ones. */
  readonly keySaved: boolean;
}

/** Eleven digits that are both: the buttons carry the token, the service keeps the rest. */
export interface KeyQuestion {
  readonly kind: "key_question";
  readonly token: string;
  readonly expiresAt: Temporal.Instant;
}

export interface WithdrawOrder {
  readonly actor: Actor;
  readonly what:
    | { readonly kind: "own"; readonly amount: Cents | "all" }
    | { readonly kind: "split"; readonly recipientId: string };
  /** As typed, or the value of a suggestion of saved keys. */
  readonly pixKey: string;
  readonly turbo: boolean;
}

/** What the answer to the one POST said, for the message that is shown at once; the journal keeps the rest. */
export interface SentFacts {
  readonly rejected:
    | {
        readonly reason: RejectReason;
        readonly message: string | undefined;
        readonly retryAfterMs: number | undefined;
        readonly shortfall: { readonly available: Cents; readonly minimum: Cents } | undefined;
      }
    | undefined;
  readonly pixKeyOwner: string | undefined;
  readonly previousSplitBalance: Cents | undefined;
  readonly newSplitBalance: Cents | undefined;
}

/** One operation as it stands, with what the service says of it now. */
export interface WithdrawStatus {
  readonly kind: "status";
  readonly op: WithdrawOp;
  /** The service's own detail; undefined when there is no txid yet or it cannot be read. */
  readonly withdrawal: Withdrawal | undefined;
  /** Why it could not be read, when it was tried. */
  readonly problem: WalletErrorKind | undefined;
  readonly readAt: Temporal.Instant;
  readonly sent: SentFacts | undefined;
  /** The key may still be saved. */
  readonly keySavable: boolean;
}

export interface WithdrawalList {
  readonly ops: readonly WithdrawOp[];
  /** The service's list without what operations have claimed; undefined when it could not be read. */
  readonly elsewhere: readonly ListedWithdrawal[] | undefined;
  readonly problem: WalletErrorKind | undefined;
  readonly readAt: Temporal.Instant;
}

export interface WithdrawalDetail {
  /** Undefined for a withdrawal that the bot did not start. */
  readonly op: WithdrawOp | undefined;
  readonly events: readonly WithdrawEvent[];
  readonly withdrawal: Withdrawal | undefined;
  readonly problem: WalletErrorKind | undefined;
  readonly readAt: Temporal.Instant;
}

/** Tells the outcome that a person decided for a `manual` operation. */
export interface ManualDecision {
  readonly actor: Actor;
  readonly opId: string;
  /** What the person typed: must be the operation's code. */
  readonly typedCode: string;
  readonly happened: boolean;
}

export interface WithdrawalsService {
  /**
   * Reads balance, list and key holder, and keeps a draft with a token of 120 s. Moves nothing.
   * @throws UserError withdrawals_disabled, not_connected, money_locked, account_busy, amount_*, pix_key_*, recipient_*,
   *   daily_cap_exceeded, split_under_cap, new_key_waits
   * @throws WalletError
   */
  readonly prepare: (order: WithdrawOrder) => Promise<Confirmation | KeyQuestion>;
  /** The answer to the question; the order goes on as if the key had been typed so. @throws like `prepare` */
  readonly chooseKeyType: (
    actor: Actor,
    token: string,
    type: "cpf" | "phone",
  ) => Promise<Confirmation>;
  /**
   * One confirmation. The last one sends the one POST; whatever happens then is a status, not an error.
   * @throws UserError confirmation_gone, not_your_button, money_locked, account_busy, pin_required, pin_wrong,
   *   pin_locked, daily_cap_exceeded
   */
  readonly confirm: (
    actor: Actor,
    token: string,
    pin: Secret | undefined,
  ) => Promise<Confirmation | WithdrawStatus>;
  /** Gives a draft up. @throws UserError confirmation_gone, not_your_button */
  readonly abandon: (actor: Actor, token: string) => Promise<WithdrawOp>;
  readonly list: (
    actor: Actor,
    states: readonly WithdrawState[] | undefined,
  ) => Promise<WithdrawalList>;
  /** By the operation's code or by txid. @throws UserError withdrawal_not_found, not_connected */
  readonly detail: (actor: Actor, id: string) => Promise<WithdrawalDetail>;
  /** Reads now what became of an operation, and moves it on. @throws UserError withdrawal_not_found */
  readonly check: (actor: Actor, opId: string) => Promise<WithdrawStatus>;
  /** Draft of a cancellation, to be confirmed like a withdrawal. @throws UserError not_cancellable … */
  readonly prepareCancel: (actor: Actor, txid: string) => Promise<Confirmation>;
  /** The owner's word on a `manual` operation; audited. @throws UserError withdrawal_not_found, wrong_op_code */
  readonly decide: (decision: ManualDecision) => Promise<WithdrawStatus>;
  /** Keeps the key of an operation among the owner's saved ones. @throws UserError withdrawal_not_found, pix_key_gone */
  readonly saveKey: (actor: Actor, opId: string) => Promise<{ readonly masked: string }>;
  /** Saved keys as suggestions; `value` is an opaque handle that `prepare` understands. */
  readonly savedKeys: (
    actor: Pick<Actor, "userId">,
    typed: string,
  ) => Promise<readonly { readonly name: string; readonly value: string }[]>;
  /** Deletes a saved key by the `value` of its suggestion; false when it was not there. Its having been used stays known. */
  readonly forgetKey: (actor: Pick<Actor, "userId">, handle: string) => Promise<boolean>;
  /** Suggestions for `/saques txid:`. */
  readonly suggestWithdrawals: (
    actor: Pick<Actor, "guildId" | "userId">,
    typed: string,
  ) => Promise<readonly WithdrawOp[]>;
}

/** What `/saldo` shows. Undefined: the service did not say, or could not be asked. */
export interface BalanceView {
  readonly balance: Balance | undefined;
  readonly frozen: Cents | undefined;
  /** Withdrawals on their way: of ours, and of the service's list when it could be read. */
  readonly open: WithdrawOp | undefined;
  readonly elsewhereOpen: readonly ListedWithdrawal[] | undefined;
  /** By the 24-hour rule; undefined: now, as far as is known. */
  readonly allowedFrom: Temporal.Instant | undefined;
  /** What the whole balance would net either way; undefined below the minimum. */
  readonly quotes: { readonly normal: WithdrawQuote; readonly turbo: WithdrawQuote } | undefined;
  readonly locked: boolean;
  readonly problems: readonly WalletErrorKind[];
  readonly readAt: Temporal.Instant;
}

export interface BalanceService {
  /** @throws UserError not_connected; WalletError only when nothing at all could be read */
  readonly read: (actor: Actor) => Promise<BalanceView>;
}

export interface GuardsService {
  /** As they are in force now. */
  readonly find: (userId: string) => Promise<MoneyGuards>;
  /** Stops all money actions of the owner at once, in every guild. */
  readonly lock: (actor: Actor) => Promise<MoneyGuards>;
  /** Asks for the unlock, which comes a day later. @throws UserError money_not_locked */
  readonly askUnlock: (actor: Actor) => Promise<MoneyGuards>;
  /** Sets a PIN, or changes it with the current one. @throws UserError pin_malformed, pin_wrong, pin_locked */
  readonly setPin: (actor: Actor, pin: Secret, current: Secret | undefined) => Promise<MoneyGuards>;
  /** Removes it at once with the current one, a day later without. @throws UserError pin_wrong, pin_locked */
  readonly removePin: (actor: Actor, current: Secret | undefined) => Promise<MoneyGuards>;
  /** Lower: at once. Higher, or none: a day later. */
  readonly setDailyCap: (actor: Actor, cap: Cents | undefined) => Promise<MoneyGuards>;
  /** On: at once. Off: a day later. */
  readonly setNewKeyWait: (actor: Actor, on: boolean) => Promise<MoneyGuards>;
}
