import type { Locale } from "../shared/locale.ts";
import type { Kysely } from "kysely";
import type { DeliveryKind, DeliveryState } from "../domain/delivery.ts";
import type { AlertChoice } from "../domain/dispute-alert.ts";
import type { EmptyReportChoice } from "../domain/report-route.ts";
import type { StoredDay, StoredFlag, StoredInstant, StoredTime } from "./columns.ts";
import type {
  AlertRouteTable,
  DisputePollTable,
  DisputeUnlistedTable,
  DisputeWatchTable,
  ProofTable,
} from "./dispute-tables.ts";
import type {
  ExternalBaselineTable,
  ExternalSeenTable,
  MoneyGuardTable,
  PixKeyTable,
  SplitBalanceTable,
  WithdrawEventTable,
  WithdrawOpTable,
} from "./money-tables.ts";
import type { HoldReason, RestoreCause } from "../domain/restore-hold.ts";

/** Facts about the database itself: what its secrets are sealed with, and the probe of its health. */
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
  /** Keyed hash of the service's user id; `key_fingerprint` while that is not known. */
  account_fp: string;
  /** Of `dispute_poll` and `dispute_watch`: one for each wallet account and owner. */
  watch_id: string;
  owner_verified: StoredFlag;
  report_consent: StoredFlag;
  report_consent_at: StoredInstant | null;
  alerts: AlertChoice;
  /** The owner's; null while it is not known. */
  locale: Locale | null;
  paused_at: StoredInstant | null;
  connected_at: StoredInstant;
}

/** A key that an admin typed for a member who has one already, until the member answers. */
export interface PendingKeyTable {
  id: string;
  guild_id: string;
  owner_id: string;
  asked_by: string;
  /** Sealed by the vault, bound to `id` and `owner_id` as a key that waits. */
  api_key: string;
  /** Key of the ring that `api_key` is sealed with. */
  api_key_kid: string;
  key_last4: string;
  /** The admin's. */
  locale: Locale;
  asked_at: StoredInstant;
}

/** What Discord said last of whether an owner is in the guild. */
interface PresenceTable {
  guild_id: string;
  owner_id: string;
  asked_on: StoredDay;
  left_at: StoredInstant | null;
}

/** Which wallet account a key was seen to be of. Kept after its connections: operations outlive them. */
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
}

interface ReportProgressTable {
  account_id: string;
  /** Newest UTC day that was handed to the outbox, or skipped because it was empty. */
  last_day: StoredDay;
}

export interface OutboxTable {
  dedupe_key: string;
  kind: DeliveryKind;
  target_kind: "channel" | "person";
  target_id: string;
  /** Deliveries of one line go out one after the other, in order. */
  line: string;
  guild_id: string | null;
  account_id: string | null;
  /** JSON. */
  payload: string;
  nonce: string;
  state: DeliveryState;
  /** Place in the line: when it was first to go out. Never changes. */
  line_at: StoredInstant;
  /** When the next attempt may be made. */
  not_before: StoredInstant;
  created_at: StoredInstant;
  attempts: number;
  /** First attempt that may have posted, and its fencing number. */
  first_attempt_at: StoredInstant | null;
  first_attempt_token: number | null;
  owner: string | null;
  token: number;
  lease_until: StoredInstant | null;
  was_blocked: StoredFlag;
  message_id: string | null;
  last_error: string | null;
  /** Set in the states that end it: sent, unknown, obsolete, dead. */
  settled_at: StoredInstant | null;
}

interface InteractionSeenTable {
  id: string;
  at: StoredInstant;
}

/** Starts of gateway sessions, which Discord counts per day. */
interface IdentifyStartTable {
  shard: number;
  at: StoredInstant;
}

interface AuditEventTable {
  at: StoredInstant;
  /** Discord user. */
  actor: string;
  action: string;
  /** What was acted on, by ids. */
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
  storage_state: StorageStateTable;
  database_restore: DatabaseRestoreTable;
  restore_check: RestoreCheckTable;
}

/** The database, or a transaction of it: inside a transaction only the transaction's own may be used. */
export type Database = Kysely<Schema>;

/** One row: by it a start tells whether the database is an older copy of itself. */
export interface StorageStateTable {
  only_row: 1;
  id: string;
  /** Rises with each start. */
  generation: number;
  /** Rises with each request that moves money, in the transaction that permits it. */
  money_sequence: number;
  /** Written each minute. */
  alive_at: StoredInstant;
  /** Where PostgreSQL keeps the database: a restore changes it. Null for SQLite. */
  place: string | null;
}

/** Starts whose database may be an older copy. */
export interface DatabaseRestoreTable {
  number: number;
  cause: RestoreCause;
  noticed_at: StoredInstant;
  /** Newest event of the journal in the copy; null when it has none. */
  last_event_at: StoredInstant | null;
  /** When a process last lived on the copy; null when it does not say. */
  alive_at: StoredInstant | null;
}

/** Wallet accounts that were compared with the service since. */
export interface RestoreCheckTable {
  account_fp: string;
  /** Number of the newest restore that the account was compared after; 0: none. */
  cleared: number;
  /** Why the account still waits for its owner; null once it does not. */
  why: HoldReason | null;
  /** JSON array of the txids that the owner was asked about. */
  shown: string | null;
  /** Names the question; null once it was answered. */
  answer_id: string | null;
  at: StoredInstant;
}
