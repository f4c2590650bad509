import type { Account } from "../../domain/account.ts";
import type { Lane, WalletKey } from "../../domain/wallet-key.ts";
import type {
  GhostWatch,
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
import type { NewDelivery } from "../../domain/delivery.ts";
import type { Clock } from "../../shared/time.ts";
import type { Logger } from "../../shared/log.ts";
import type { Random } from "../../shared/random.ts";
import type { Secret } from "../../shared/secret.ts";
import type { WithdrawStatus } from "./money-services.ts";
import type { WithdrawNotices } from "./withdraw-notices.ts";

/** The wallet service as money needs it. Reads throw WalletError; the three that move money never reject. */
export interface MoneyWallet {
  readonly balance: (key: WalletKey, lane: Lane) => Promise<Balance>;
  readonly withdrawals: (key: WalletKey, lane: Lane) => Promise<WithdrawalPage>;
  readonly withdrawal: (key: WalletKey, txid: string, lane: Lane) => Promise<Withdrawal>;
  readonly transaction: (key: WalletKey, txid: string, lane: Lane) => Promise<Transaction>;
  readonly disputeSummary: (key: WalletKey, lane: Lane) => Promise<DisputeSummary>;
  readonly checkPixKey: (key: WalletKey, pixKey: string, lane: Lane) => Promise<PixKeyCheck>;
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
  readonly ghosts: GhostWatch;
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
