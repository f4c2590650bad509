import type { Cents } from "../shared/money.ts";
import type { NewDelivery } from "../delivery/delivery.ts";
import type { MoneyGuards } from "../money-guards/money-guards.ts";
import type { PixKey } from "./pix-key.ts";
import type { AskedQuestion, DatabaseRestore, RestoreCause, RestoreHold } from "./restore-hold.ts";
import type { WithdrawJournal } from "./withdraw-journal.ts";
import type { WithdrawKind } from "./withdraw-op.ts";

/** Every store of withdrawals and of their protection. */
export interface MoneyStores {
  readonly journal: WithdrawJournal;
  readonly pixKeys: PixKeyBook;
  readonly guards: GuardsStore;
  readonly splitBalances: SplitBalances;
  readonly externalWithdrawals: ExternalWithdrawals;
  readonly openListings: OpenListings;
  readonly holds: RestoreHolds;
}

export interface SeenPixKey {
  readonly firstSeenAt: Temporal.Instant;
  /** Undefined until a withdrawal to the key was accepted. */
  readonly lastUsedAt: Temporal.Instant | undefined;
  readonly saved: boolean;
}

/** PIX keys of each owner: hashes of the seen keys, and encrypted copies of the saved ones. */
export interface PixKeyBook {
  /** Records a typed key unless the owner has it. */
  readonly noteSeen: (
    ownerId: string,
    key: { readonly hash: string; readonly type: PixKey["type"]; readonly masked: string },
    at: Temporal.Instant,
  ) => Promise<SeenPixKey>;
  /** Whether the owner saved the key; records no sighting. */
  readonly isSaved: (ownerId: string, hash: string) => Promise<boolean>;
  readonly markUsed: (ownerId: string, hash: string, at: Temporal.Instant) => Promise<void>;
  readonly save: (
    ownerId: string,
    key: {
      readonly hash: string;
      readonly value: string;
      readonly type: PixKey["type"];
      readonly masked: string;
    },
    at: Temporal.Instant,
  ) => Promise<void>;
  /** Last used first. `handle` is opaque: the key cannot be derived from it. */
  readonly saved: (
    ownerId: string,
  ) => Promise<
    readonly { readonly handle: string; readonly masked: string; readonly type: PixKey["type"] }[]
  >;
  /** The saved key in plain text. */
  readonly reveal: (ownerId: string, handle: string) => Promise<string | undefined>;
  readonly forget: (ownerId: string, handle: string) => Promise<boolean>;
}

export type GuardChange =
  | "money_locked"
  | "money_unlock_asked"
  | "pin_set"
  | "pin_removed"
  | "daily_cap_set"
  | "new_key_wait_set";

/** Lock-out rule for wrong PINs. */
export interface PinRule {
  /** Number of tries before a lock. */
  readonly tries: number;
  /** Length of the first, second, … lock in a row; further locks use the last value. */
  readonly waitsMs: readonly number[];
}

/** Result of reserving a try. `look` with `lockedUntil`: the last try, which locks unless the PIN is right. */
export type PinTry =
  | { readonly kind: "no_pin" }
  | { readonly kind: "locked"; readonly lockedUntil: Temporal.Instant }
  | {
      readonly kind: "look";
      readonly triesLeft: number;
      readonly lockedUntil: Temporal.Instant | undefined;
    };

export interface GuardsStore {
  readonly find: (ownerId: string) => Promise<MoneyGuards | undefined>;
  /**
   * Replaces the guards and adds the audit event and the notices in one transaction. False: the guards changed since
   * `find` returned `before`, so read again. Tries of an unchanged PIN stay out of comparison and update.
   */
  readonly save: (
    before: MoneyGuards | undefined,
    after: MoneyGuards,
    change: GuardChange,
    at: Temporal.Instant,
    notices: readonly NewDelivery[],
  ) => Promise<boolean>;
  /**
   * Counts a try before the PIN is checked, so that parallel clicks cannot exceed the rule. The last try locks and
   * enqueues `noticeOf` in the same transaction.
   */
  readonly reservePinTry: (
    ownerId: string,
    rule: PinRule,
    at: Temporal.Instant,
    noticeOf: (lockedUntil: Temporal.Instant) => NewDelivery,
  ) => Promise<PinTry>;
  /** After a right PIN: resets the tries and the number of locks in a row. */
  readonly clearPinTries: (ownerId: string) => Promise<void>;
}

/** Last known split balance of each recipient. The service reports it only in answers to split withdrawals. */
export interface SplitBalances {
  readonly note: (
    accountFp: string,
    recipientId: string,
    balance: Cents,
    at: Temporal.Instant,
  ) => Promise<void>;
  readonly last: (
    accountFp: string,
    recipientId: string,
  ) => Promise<{ readonly balance: Cents; readonly at: Temporal.Instant } | undefined>;
}

/**
 * Whether an account's list shows withdrawals of a kind that are under way. Known once the list contained a withdrawal
 * of ours while its detail said `scheduled` or `processing`.
 */
export interface OpenListings {
  readonly note: (accountFp: string, kind: WithdrawKind) => Promise<void>;
  readonly isKnown: (accountFp: string, kind: WithdrawKind) => Promise<boolean>;
}

/** Withdrawals of an account seen at the service, so that a withdrawal made outside the bot is reported once. */
export interface ExternalWithdrawals {
  /** The given withdrawals that were never stored. Undefined before the baseline: new ones cannot be told apart yet. */
  readonly unseen: (
    accountFp: string,
    txids: readonly string[],
  ) => Promise<readonly string[] | undefined>;
  /**
   * Stores the listed withdrawals; the first reading of an account is its baseline. Skips accounts with an operation of
   * unknown outcome. Returns new withdrawals that belong to no operation and enqueues `noticesFor` them in the same
   * transaction.
   */
  readonly observe: (
    accountFp: string,
    txids: readonly string[],
    at: Temporal.Instant,
    noticesFor: (external: readonly string[]) => readonly NewDelivery[],
  ) => Promise<readonly string[]>;
}

/** Wallet accounts with withdrawals on hold, because the database may be an older copy. */
export interface RestoreHolds {
  /**
   * Undefined when the account was compared since the restore. `connectedAt` decides whether a restore concerns an
   * account that was never compared; without it every restore does.
   */
  readonly find: (
    accountFp: string,
    connectedAt?: Temporal.Instant,
  ) => Promise<RestoreHold | undefined>;
  /** The newest noticed restore, of the cause if given. */
  readonly latest: (cause?: RestoreCause) => Promise<DatabaseRestore | undefined>;
  /** The hold with this open question. */
  readonly findAsked: (answerId: string) => Promise<RestoreHold | undefined>;
  /**
   * Ends the hold: the journal knows all listed withdrawals. False, and the hold stays, when another question was
   * stored since the hold was read.
   */
  readonly clear: (hold: RestoreHold, at: Temporal.Instant) => Promise<boolean>;
  /** Stores the owner's question and enqueues its notices; repeated calls do not send them twice. */
  readonly ask: (
    hold: RestoreHold,
    question: AskedQuestion,
    at: Temporal.Instant,
    notices: readonly NewDelivery[],
  ) => Promise<void>;
  /** Records, with an audit event, that the owner checked `hold.asked`; sends no message. */
  readonly acknowledge: (hold: RestoreHold, actor: string, at: Temporal.Instant) => Promise<void>;
}
