import type { MoneyGuards } from "../../domain/money-guards.ts";
import type {
  BalanceView,
  ExternalWithdrawalFacts,
  GuardFacts,
  OutcomeFacts,
  RestoredFacts,
  WithdrawStatus,
} from "../../domain/withdraw-facts.ts";
import type { Cents } from "../../shared/money.ts";
import type { Secret } from "../../shared/secret.ts";
import type { Asker } from "../asker.ts";
import type { Account } from "../../domain/account.ts";
import type { Priority, WalletKey } from "../../domain/wallet-key.ts";
import type {
  ExternalWithdrawals,
  GuardsStore,
  OpenListings,
  PixKeyBook,
  RestoreHolds,
  SplitBalances,
} from "../../domain/money-stores.ts";
import type {
  Balance,
  CancelAnswer,
  PixKeyCheck,
  SplitWithdrawRequest,
  Transaction,
  Withdrawal,
  WithdrawalPage,
  WithdrawAnswer,
  WithdrawRequest,
} from "../../domain/withdrawal.ts";
import type { WithdrawJournal } from "../../domain/withdraw-journal.ts";
import type { DisputeSummary } from "../../domain/dispute.ts";
import type { DeliveryPayload, NewDelivery } from "../../domain/delivery.ts";
import type { Clock } from "../../shared/time.ts";
import type { Logger } from "../../shared/log.ts";
import type { Random } from "../../shared/random.ts";

/** The person who acts, and where: a confirmation is bound to the guild, the channel and the person. */
export interface Actor extends Asker {
  readonly channelId: string;
  readonly interactionId: string;
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

/** Tells the outcome that a person decided for a `manual` operation. */
export interface ManualDecision {
  readonly actor: Actor;
  readonly opId: string;
  /** What the person typed: must be the operation's code. */
  readonly typedCode: string;
  readonly happened: boolean;
}

/** The wallet service as money needs it. Reads throw WalletError; the three that move money never reject. */
export interface MoneyWallet {
  readonly balance: (key: WalletKey, priority: Priority) => Promise<Balance>;
  readonly withdrawals: (key: WalletKey, priority: Priority) => Promise<WithdrawalPage>;
  readonly withdrawal: (key: WalletKey, txid: string, priority: Priority) => Promise<Withdrawal>;
  readonly transaction: (key: WalletKey, txid: string, priority: Priority) => Promise<Transaction>;
  readonly disputeSummary: (key: WalletKey, priority: Priority) => Promise<DisputeSummary>;
  readonly checkPixKey: (
    key: WalletKey,
    pixKey: string,
    priority: Priority,
  ) => Promise<PixKeyCheck>;
  readonly withdraw: (key: WalletKey, request: WithdrawRequest) => Promise<WithdrawAnswer>;
  readonly splitWithdraw: (
    key: WalletKey,
    request: SplitWithdrawRequest,
  ) => Promise<WithdrawAnswer>;
  readonly cancelWithdrawal: (key: WalletKey, txid: string) => Promise<CancelAnswer>;
}

export interface MoneyNeeds {
  readonly clock: Clock;
  /** Milliseconds that no step of the clock changes, for the process's own lease. */
  readonly monotonicMs: () => number;
  readonly random: Random;
  readonly log: Logger;
  /** Names this process in leases. */
  readonly owner: string;
  /** Whether what the service does not document may be sent: `POST /v1/withdraw` and its cancellation. */
  readonly withdrawEnabled: boolean;
  readonly journal: WithdrawJournal;
  readonly pixKeys: PixKeyBook;
  readonly guards: GuardsStore;
  readonly splitBalances: SplitBalances;
  readonly externalWithdrawals: ExternalWithdrawals;
  readonly openListings: OpenListings;
  readonly holds: RestoreHolds;
  /** Keyed hashes, so that neither keys nor tokens can be guessed from the database. */
  readonly hashPixKey: (normalised: string) => string;
  readonly hashToken: (token: string) => string;
  readonly findWithKey: (
    guildId: string,
    ownerId: string,
  ) => Promise<{ readonly account: Account; readonly apiKey: Secret } | undefined>;
  /** Any connection of that wallet account, the owner's own first: operations outlive connections. */
  readonly findByFingerprint: (
    accountFp: string,
    ownerId: string,
  ) => Promise<{ readonly account: Account; readonly apiKey: Secret } | undefined>;
  /** Every owner who connected that wallet account. */
  readonly connectionsOf: (accountFp: string) => Promise<readonly Account[]>;
  readonly wallet: MoneyWallet;
  readonly notices: WithdrawNotices;
  /** Edits the private reply of an operation; false when it can no longer be edited, or may not have been. */
  readonly show: (status: WithdrawStatus) => Promise<boolean>;
  /** How long a question stands before a click on it sends anything. */
  readonly readingMs: number;
  /** How often scrypt mixes a PIN; 2^15 times unless told otherwise. */
  readonly pinRounds?: number | undefined;
  /** Owes a message that belongs to no step of an operation. Owing it again changes nothing. */
  readonly enqueue: (delivery: NewDelivery, at: Temporal.Instant) => Promise<unknown>;
  /**
   * Takes a delivery back that was not attempted yet: its reader saw it otherwise. True when it is sure that its reader
   * never got it as a message.
   */
  readonly retract: (dedupeKey: string, at: Temporal.Instant) => Promise<boolean>;
  /** Sends what is enqueued and looks at what is due, in its own time. */
  readonly wake: () => void;
}

/** Messages that follow from what becomes of an operation; each is a pure function of `views/`. */
export interface WithdrawNotices {
  /** To the owner when an operation ends, is found, or needs a decision. */
  readonly outcome: (facts: OutcomeFacts) => DeliveryPayload;
  /** A withdrawal that the bot did not start; with a button that locks. */
  readonly external: (facts: ExternalWithdrawalFacts) => DeliveryPayload;
  /** Something about the guards changed, or a new key begins its wait: so that a stranger's doing is seen. */
  readonly guard: (facts: GuardFacts) => DeliveryPayload;
  /** The database may be an older copy: what the owner has to look at before money moves again. */
  readonly restored: (facts: RestoredFacts) => DeliveryPayload;
}
