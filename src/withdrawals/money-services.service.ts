import type { ContestedTxids } from "../disputes/contested-sales.ts";
import type { DisputeWatch } from "../disputes/dispute-watch.store.ts";
import type { Vault } from "../database/vault.ts";
import type { Account } from "../accounts/account.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import type {
  ExternalWithdrawalFacts,
  GuardFacts,
  OutcomeFacts,
  RestoredFacts,
  WithdrawStatus,
} from "./withdraw-facts.ts";
import type { Cents } from "../shared/money.ts";
import type { Asker } from "../accounts/asker.service.ts";
import type { Stores } from "../stores.ts";
import type { WalletClient } from "../wallet/client.ts";
import type { SalesDays } from "../reports/sales-days.store.ts";
import type { DeliveryPayload, NewDelivery } from "../delivery/delivery.ts";
import type { WalletError } from "../shared/errors.ts";
import type { Clock } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import type { Random } from "../shared/random.ts";

/** A person and a place; a confirmation is bound to guild, channel and person. */
export interface Actor extends Asker {
  readonly channelId: string;
}

export interface WithdrawOrder {
  readonly actor: Actor;
  readonly what:
    | { readonly kind: "own"; readonly amount: Cents | "all" }
    | { readonly kind: "split"; readonly recipientId: string };
  /** As typed, or the value of a saved key's suggestion. */
  readonly pixKey: string;
  readonly turbo: boolean;
  /** The wallet account of an order that is prepared again; a key of another one must not carry it out. */
  readonly accountFp?: string;
}

/** A person's decision on the outcome of a `manual` operation. */
export interface ManualDecision {
  readonly actor: Actor;
  readonly opId: string;
  /** Must be the operation's code. */
  readonly typedCode: string;
  readonly happened: boolean;
}

/** The wallet service as money needs it. Reads throw WalletError; the four calls that move money never reject. */
export type MoneyWallet = Pick<
  WalletClient,
  | "balance"
  | "withdrawals"
  | "withdrawal"
  | "transaction"
  | "disputeSummary"
  | "disputes"
  | "dispute"
  | "checkPixKey"
  | "withdraw"
  | "splitWithdraw"
  | "cancelWithdrawal"
  | "refund"
  | "refundTurn"
>;

export interface MoneyNeeds
  extends
    Pick<
      Stores,
      | "journal"
      | "pixKeys"
      | "guards"
      | "splitBalances"
      | "externalWithdrawals"
      | "openListings"
      | "holds"
    >,
    Pick<
      AccountsStore,
      "connectionsOf" | "findByFingerprint" | "findWithKey" | "ofOwner" | "ofWatch" | "resume"
    >,
    Pick<Vault, "hashPixKey" | "hashToken"> {
  readonly clock: Clock;
  /** Milliseconds that ignore steps of the system clock, for the process's own lease. */
  readonly monotonicMs: () => number;
  readonly random: Random;
  readonly log: Logger;
  /** Allows the undocumented calls: `POST /v1/withdraw` and its cancellation. */
  readonly withdrawEnabled: boolean;
  /** Allows the undocumented `POST /v1/refund`. */
  readonly refundEnabled: boolean;
  /** Disputes that the bot has seen, for a refund: the service's list may leave some out. */
  readonly disputeWatch: Pick<DisputeWatch, "awaiting" | "of" | "keep" | "step">;
  /** Payments of disputes that were read for refunds. */
  readonly contestedTxids: ContestedTxids;
  readonly wallet: MoneyWallet;
  readonly salesDays: Pick<SalesDays, "between" | "readAgain">;
  readonly notices: WithdrawNotices;
  /** Edits the private reply of an operation. False when the edit is impossible, or may have failed. */
  readonly show: (status: WithdrawStatus) => Promise<boolean>;
  /** How long a question must be on screen before a click on it sends money. */
  readonly readingMs: number;
  /** Rounds of scrypt for a PIN; 2^15 by default. */
  readonly pinRounds?: number | undefined;
  /** Enqueues a message that belongs to no step of an operation. A second call with the same key changes nothing. */
  readonly enqueue: (delivery: NewDelivery, at: Temporal.Instant) => Promise<unknown>;
  /** Cancels a delivery that was not attempted yet. True when the message certainly never reached its reader. */
  readonly retract: (dedupeKey: string, at: Temporal.Instant) => Promise<boolean>;
  /** Number of these messages that Discord refused since then. */
  readonly refusedOf: Stores["outbox"]["refusedOf"];
  /** Pauses a key that a job found refused (401), and tells its owner: jobs read with another key from then on. */
  readonly pauseRefusedKey: (account: Account, error?: WalletError) => Promise<void>;
  /** Starts sending enqueued deliveries and checking due operations, without waiting for either. */
  readonly wake: () => void;
}

/** Messages about operations; each is a pure function of a view. */
interface WithdrawNotices {
  /** To the owner, when an operation ends, is found, or needs a decision. */
  readonly outcome: (facts: OutcomeFacts) => DeliveryPayload;
  /** About a withdrawal that the bot did not start; has a button that locks money. */
  readonly external: (facts: ExternalWithdrawalFacts) => DeliveryPayload;
  /** About a change of the guards, or a new key that begins its wait: it lets the owner notice a stranger. */
  readonly guard: (facts: GuardFacts) => DeliveryPayload;
  /** About a database that may be an older copy: the owner checks the listed withdrawals before money moves again. */
  readonly restored: (facts: RestoredFacts) => DeliveryPayload;
}
