import type { AlertRoute, WatchedDispute } from "../domain/dispute-alert.ts";
import type { StoredFlag, StoredInstant, StoredTime } from "./columns.ts";

export interface AlertRouteTable {
  guild_id: string;
  channel_id: string;
  role_id: string | null;
  /** JSON array. */
  ping_steps: string;
  /** Both or none. */
  quiet_from: StoredTime | null;
  quiet_to: StoredTime | null;
  time_zone: string;
  slow_nights: StoredFlag;
  active: StoredFlag;
  locale: AlertRoute["locale"];
  active_since: StoredInstant;
  suspended_at: StoredInstant | null;
  updated_by: string;
}

export interface DisputeWatchTable {
  /** The `watch_id` of accounts. */
  account_id: string;
  infraction_id: string;
  txid: string;
  amount_cents: number;
  frozen_cents: number;
  status: WatchedDispute["status"];
  analysis_status: WatchedDispute["analysisStatus"];
  due_at: StoredInstant;
  version: number;
  first_seen_at: StoredInstant;
  /** JSON array. */
  done_steps: string;
  answered_by_owner_at: StoredInstant | null;
  snoozed_until: StoredInstant | null;
  read_at: StoredInstant;
  closed_at: StoredInstant | null;
}

/** One row for each wallet account and owner, as long as it is connected. */
export interface DisputePollTable {
  /** The `watch_id` of accounts. */
  account_id: string;
  next_poll_at: StoredInstant;
  /** JSON. */
  counts: string | null;
  list_read_at: StoredInstant | null;
  baseline_at: StoredInstant | null;
}

/** Pending disputes that the service counts and does not list. */
export interface DisputeUnlistedTable {
  account_id: string;
  pending_count: number;
  told_count: number;
}

export interface ProofTable {
  id: string;
  owner_id: string;
  guild_id: string;
  /** Null until its owner says which sale it is of. */
  txid: string | null;
  /** Sealed by the vault, bound to `id` and `owner_id`. */
  content: string;
  /** Key of the ring that `content` is sealed with. */
  content_kid: string;
  kept_at: StoredInstant;
}
