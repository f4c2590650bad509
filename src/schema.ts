import type { ProofTable } from "./defence/proofs.store.ts";
import type { Locale } from "./shared/locale.ts";
import type { Generated, Kysely } from "kysely";
import type { DeliveryState } from "./delivery/delivery.ts";
import type { DeliveryKind } from "./delivery/delivery-policies.ts";
import type { DestinationChoice } from "./accounts/account.ts";
import type { ChargeTable } from "./charges/charge-tables.store.ts";
import type { GoalTable } from "./goals/goals.store.ts";
import type { AlertStep } from "./disputes/dispute-alert.ts";
import type { EmptyReportChoice } from "./reports/report-route.ts";
import type { StoredDay, StoredFlag, StoredInstant, StoredTime } from "./database/columns.ts";
import type {
  AlertRouteTable,
  DisputePollTable,
  DisputeUnlistedTable,
  DisputeWatchTable,
} from "./disputes/dispute-tables.store.ts";
import type {
  SaleChoiceTable,
  SaleRouteTable,
  SaleSeenTable,
  SaleWatchTable,
} from "./sale-notices/sale-tables.store.ts";
import type { SalesCorrectionTable, SalesDayTable } from "./reports/sales-days.store.ts";
import type { SalesHistoryTable } from "./reports/sales-history.store.ts";
import type {
  ExternalBaselineTable,
  ExternalSeenTable,
  MoneyGuardTable,
  PixKeyTable,
  SplitBalanceTable,
  WithdrawEventTable,
  WithdrawOpTable,
} from "./withdrawals/money-tables.store.ts";
import type { CloseKind } from "./closes/close.ts";
import type { CloseProgressTable } from "./closes/close-progress.store.ts";
import type { WebhookTrustTable, WebhookTable } from "./webhooks/webhooks.store.ts";
import type { HoldReason, RestoreCause } from "./withdrawals/restore/restore-hold.ts";

/** Facts about the database itself: its wallet service, its sealed canary, and the row that the health check writes. */
interface MetaTable {
  name: string;
  value: string;
}

export interface AccountTable {
  id: string;
  guild_id: string;
  owner_id: string;
  connected_by: string;
  /** Sealed by the vault, bound to `id` and `owner_id`. */
  api_key: string;
  /** Key of the ring that `api_key` is sealed with. */
  api_key_kid: string;
  key_last4: string;
  key_fingerprint: string;
  /** Keyed hash of the service's user id. */
  account_fp: string;
  /** Key of `dispute_poll` and `dispute_watch`: one for each wallet account and owner. */
  watch_id: string;
  owner_verified: StoredFlag;
  report_consent: StoredFlag;
  /** Never set together with `report_consent`. */
  report_direct: Generated<StoredFlag>;
  /** Hour of the direct report; null: that of the server. */
  report_time: StoredTime | null;
  /** Of the consent, of the choice of direct messages, or of a refusal before either. */
  report_consent_at: StoredInstant | null;
  alerts: DestinationChoice;
  /** The owner's; null while unknown. */
  locale: Locale | null;
  paused_at: StoredInstant | null;
  connected_at: StoredInstant;
}

/** A key that an admin offered to a member who has one. Deleted when the member answers or the offer expires. */
export interface PendingKeyTable {
  id: string;
  guild_id: string;
  owner_id: string;
  asked_by: string;
  /** Sealed by the vault, bound to `id` and `owner_id` with the context of a pending key. */
  api_key: string;
  /** Key of the ring that `api_key` is sealed with. */
  api_key_kid: string;
  key_last4: string;
  /** The admin's. */
  locale: Locale;
  asked_at: StoredInstant;
}

/** Discord's last answer to whether an owner is in the guild. */
interface PresenceTable {
  guild_id: string;
  owner_id: string;
  asked_on: StoredDay;
  left_at: StoredInstant | null;
}

/** The wallet account of each key. Stays after its connections are removed, because operations outlive them. */
interface WalletKeyTable {
  key_fingerprint: string;
  account_fp: string;
}

export interface ReportRouteTable {
  guild_id: string;
  channel_id: string;
  time: StoredTime;
  time_zone: string;
  active: StoredFlag;
  empty_choice: EmptyReportChoice;
  locale: Locale;
  active_since: StoredInstant;
  suspended_at: StoredInstant | null;
  updated_by: string;
  /** Newest UTC day whose report was enqueued for the whole server, or skipped as empty. */
  posted_day: StoredDay | null;
}

interface ReportProgressTable {
  account_id: string;
  /** Oldest UTC day whose report was enqueued since the seller agreed; null for rows of before. */
  first_day: StoredDay | null;
  /** Newest UTC day whose report was enqueued, or skipped as empty. */
  last_day: StoredDay;
  /** The newest correction of sales that a report told; null before the first. */
  corrections_told: StoredInstant | null;
}

export interface OutboxTable {
  dedupe_key: string;
  kind: DeliveryKind;
  target_kind: "channel" | "person";
  target_id: string;
  /** Deliveries of one line are posted one at a time, in order. */
  line: string;
  guild_id: string | null;
  account_id: string | null;
  /** JSON. */
  payload: string;
  /** UTC day of a report; of a close its last. */
  day: StoredDay | null;
  close_kind: CloseKind | null;
  /** Dispute and step of an alert; `due_at` is the deadline that it names. */
  watch_id: string | null;
  infraction_id: string | null;
  step: AlertStep | null;
  due_at: StoredInstant | null;
  /** Key of the delivery that this one repeats. */
  repeat_of: string | null;
  /** Key offer that this message asks about. */
  offer_id: string | null;
  /** Operation that this message is about. */
  op_id: string | null;
  /** Key of the newest post of the same dispute or operation, once both are posted. */
  replaced_by: string | null;
  /** When to edit the replaced message next; null when no edit is due. */
  replace_at: StoredInstant | null;
  replace_tries: Generated<number>;
  nonce: string;
  state: DeliveryState;
  /** Place in the line: the time of its first planned attempt. Never changes. */
  line_at: StoredInstant;
  /** Earliest time of the next attempt. */
  not_before: StoredInstant;
  created_at: StoredInstant;
  attempts: number;
  /** First attempt that may have posted, and its fencing token. */
  first_attempt_at: StoredInstant | null;
  first_attempt_token: number | null;
  owner: string | null;
  token: number;
  lease_until: StoredInstant | null;
  was_blocked: StoredFlag;
  /** Set once the delivery is sent, unless its message was deleted by then. */
  message_id: string | null;
  last_error: string | null;
  /** Set in the final states: sent, unknown, obsolete, dead. */
  settled_at: StoredInstant | null;
}

interface InteractionSeenTable {
  id: string;
  at: StoredInstant;
}

/** Starts of gateway sessions: Discord limits them per day. */
interface IdentifyStartTable {
  shard: number;
  at: StoredInstant;
}

interface AuditEventTable {
  at: StoredInstant;
  actor: string;
  action: string;
  /** Ids of the changed thing. */
  subject: string;
}

export interface Schema {
  meta: MetaTable;
  account: AccountTable;
  pending_key: PendingKeyTable;
  presence: PresenceTable;
  wallet_key: WalletKeyTable;
  report_route: ReportRouteTable;
  report_progress: ReportProgressTable;
  sales_day: SalesDayTable;
  sales_correction: SalesCorrectionTable;
  sales_history: SalesHistoryTable;
  close_progress: CloseProgressTable;
  outbox: OutboxTable;
  interaction_seen: InteractionSeenTable;
  identify_start: IdentifyStartTable;
  audit_event: AuditEventTable;
  withdraw_op: WithdrawOpTable;
  withdraw_event: WithdrawEventTable;
  pix_key: PixKeyTable;
  money_guard: MoneyGuardTable;
  split_balance: SplitBalanceTable;
  ghost_baseline: ExternalBaselineTable;
  ghost_seen: ExternalSeenTable;
  alert_route: AlertRouteTable;
  dispute_watch: DisputeWatchTable;
  dispute_poll: DisputePollTable;
  dispute_unlisted: DisputeUnlistedTable;
  proof: ProofTable;
  charge: ChargeTable;
  goal: GoalTable;
  sale_route: SaleRouteTable;
  sale_choice: SaleChoiceTable;
  sale_watch: SaleWatchTable;
  sale_seen: SaleSeenTable;
  storage_state: StorageStateTable;
  database_restore: DatabaseRestoreTable;
  restore_check: RestoreCheckTable;
  webhook: WebhookTable;
  webhook_trust: WebhookTrustTable;
}

/** The database or a transaction. Inside a transaction use only the transaction. */
export type Database = Kysely<Schema>;

/** One row, by which a start detects an older copy of the database. */
export interface StorageStateTable {
  only_row: 1;
  id: string;
  /** Incremented at each start. */
  generation: number;
  /** Incremented with each request that moves money, in the transaction that permits it. */
  money_sequence: number;
  /** Updated each minute. */
  alive_at: StoredInstant;
  /** Where PostgreSQL keeps the database, which a restore changes. Null for SQLite. */
  place: string | null;
}

/** Starts on a database that may be an older copy. */
export interface DatabaseRestoreTable {
  number: number;
  cause: RestoreCause;
  noticed_at: StoredInstant;
  /** Newest event of the copy's journal; null for an empty journal. */
  last_event_at: StoredInstant | null;
  /** Last `alive_at` of the copy; null when unknown. */
  alive_at: StoredInstant | null;
}

/** Comparisons of wallet accounts with the service after a restore. */
export interface RestoreCheckTable {
  account_fp: string;
  /** Number of the newest restore after which the account was compared; 0 before the first comparison. */
  cleared: number;
  /** Why the account waits for its owner; null once the owner has answered. */
  why: HoldReason | null;
  /** JSON array of the txids in the question to the owner. */
  shown: string | null;
  /** Id of the open question; null once it is answered. */
  answer_id: string | null;
  /**
   * JSON array of the keys of its notices, and of messages about single withdrawals that were sent beside it or that it
   * made needless; null before the first, and once it is answered.
   */
  told: string | null;
  at: StoredInstant;
}
