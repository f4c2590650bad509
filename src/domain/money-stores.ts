import type { Cents } from "../shared/money.ts";
import type { NewDelivery } from "./delivery.ts";
import type { MoneyGuards } from "./money-guards.ts";
import type { PixKey } from "./pix-key.ts";
import type { AskedQuestion, DatabaseRestore, RestoreHold } from "./restore-hold.ts";
import type { WithdrawKind } from "./withdraw-op.ts";

export interface SeenPixKey {
  readonly firstSeenAt: Temporal.Instant;
  /** Undefined until a withdrawal to it was accepted. */
  readonly lastUsedAt: Temporal.Instant | undefined;
  readonly saved: boolean;
}

/** PIX keys of each owner: hashes of those seen, and, sealed, those that the owner asked to keep. */
export interface PixKeyBook {
  /** Notes a key that was typed; `isNew` when it was never seen before. */
  readonly noteSeen: (
    ownerId: string,
    key: { readonly hash: string; readonly type: PixKey["type"]; readonly masked: string },
    at: Temporal.Instant,
  ) => Promise<SeenPixKey & { readonly isNew: boolean }>;
  /** Whether the owner keeps it; nothing is noted. */
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
  /** Last used first. `handle` is opaque and says nothing of the key. */
  readonly saved: (
    ownerId: string,
  ) => Promise<
    readonly { readonly handle: string; readonly masked: string; readonly type: PixKey["type"] }[]
  >;
  /** The saved key in clear text. */
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

/** How wrong PINs are answered. */
export interface PinRule {
  /** Tries that end in a lock. */
  readonly tries: number;
  /** How long the first lock in a row lasts, the second, and so on; the last of them for all that follow. */
  readonly waitsMs: readonly number[];
}

/** Whether a PIN may be looked at. `lockedUntil` of a `look`: it was the last one, unless it turns out to be right. */
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
   * Replaces them, with the audit event and the notices, in one transaction. False: changed meanwhile, read again.
   * `before` is what `find` gave. The tries of a PIN that stays the same are neither compared nor changed.
   */
  readonly save: (
    before: MoneyGuards | undefined,
    after: MoneyGuards,
    change: GuardChange,
    at: Temporal.Instant,
    notices: readonly NewDelivery[],
  ) => Promise<boolean>;
  /**
   * Counts a try before the PIN is looked at, so that no number of clicks at once gets more tries than the rule gives.
   * The last one locks, and enqueues what `noticeOf` says of that in the same transaction.
   */
  readonly reservePinTry: (
    ownerId: string,
    rule: PinRule,
    at: Temporal.Instant,
    noticeOf: (lockedUntil: Temporal.Instant) => NewDelivery,
  ) => Promise<PinTry>;
  /** The right PIN was given: no tries, and no locks in a row. */
  readonly clearPinTries: (ownerId: string) => Promise<void>;
}

/** What the service last said of a recipient's split balance, which cannot be asked for. */
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
 * Whether an account's list is known to hold withdrawals that are not over, for each kind: once one of ours was on the
 * list while its own detail said that it was scheduled or processing.
 */
export interface OpenListings {
  readonly note: (accountFp: string, kind: WithdrawKind) => Promise<void>;
  readonly isKnown: (accountFp: string, kind: WithdrawKind) => Promise<boolean>;
}

/** Which withdrawals of an account were seen at the service, so that one that nobody here began is noticed once. */
export interface ExternalWithdrawals {
  /** Those of the listed that were never kept. Undefined before the baseline: then there is nothing to be new to. */
  readonly unseen: (
    accountFp: string,
    txids: readonly string[],
  ) => Promise<readonly string[] | undefined>;
  /**
   * Keeps the listed ones. The first reading of an account is its baseline. Nothing is judged while the outcome of an
   * operation of the account is not known. New ones that no operation has claimed are returned, and what
   * `noticesFor` says of them is enqueued in the same transaction.
   */
  readonly observe: (
    accountFp: string,
    txids: readonly string[],
    at: Temporal.Instant,
    noticesFor: (external: readonly string[]) => readonly NewDelivery[],
  ) => Promise<readonly string[]>;
}

/** Wallet accounts whose money waits because the database may be an older copy of itself. */
export interface RestoreHolds {
  /**
   * Undefined: the account was compared since. `connectedAt` of an account that was never compared tells whether a
   * restore can concern it; left out: every restore does.
   */
  readonly find: (
    accountFp: string,
    connectedAt?: Temporal.Instant,
  ) => Promise<RestoreHold | undefined>;
  /** The newest restore that was noticed. */
  readonly latest: () => Promise<DatabaseRestore | undefined>;
  /** The hold whose question stands and is named so. */
  readonly findAsked: (answerId: string) => Promise<RestoreHold | undefined>;
  /** The service's list has nothing that the journal lacks. */
  readonly clear: (hold: RestoreHold, at: Temporal.Instant) => Promise<void>;
  /** Keeps what the owner is asked about, and owes the messages, which are sent once however often they are owed. */
  readonly ask: (
    hold: RestoreHold,
    question: AskedQuestion,
    at: Temporal.Instant,
    notices: readonly NewDelivery[],
  ) => Promise<void>;
  /** The owner looked at what `hold.asked` names: audited, and told by no other message. */
  readonly acknowledge: (hold: RestoreHold, actor: string, at: Temporal.Instant) => Promise<void>;
}
