import type { PixKey } from "../domain/pix-key.ts";
import type { WithdrawKind, WithdrawOp, WithdrawState } from "../domain/withdraw-op.ts";
import type { StoredFlag, StoredInstant } from "./columns.ts";

export interface WithdrawOpTable {
  id: string;
  account_fp: string;
  account_id: string;
  guild_id: string;
  channel_id: string;
  owner_id: string;
  interaction_id: string;
  locale: WithdrawOp["locale"];
  kind: WithdrawKind;
  amount_cents: number | null;
  fee_cents: number | null;
  net_cents: number | null;
  /** Sealed by the vault, bound to `id` and `owner_id`; null for a cancellation and once it was erased. */
  pix_key_enc: string | null;
  /** Key of the ring that `pix_key_enc` is sealed with. */
  pix_key_kid: string | null;
  pix_key_masked: string;
  pix_key_hash: string;
  recipient_id: string | null;
  target_txid: string | null;
  state: WithdrawState;
  version: number;
  confirmations_left: number;
  /** Only of drafts. */
  confirm_token_hash: string | null;
  confirm_expires_at: StoredInstant | null;
  confirmed_at: StoredInstant | null;
  sent_at: StoredInstant | null;
  /** Only while confirmed or sending. */
  lease_owner: string | null;
  lease_until: StoredInstant | null;
  /** JSON array. */
  pre_txids: string | null;
  pre_balance_cents: number | null;
  skew_ms: number | null;
  http_status: number | null;
  error_code: string | null;
  request_id: string | null;
  txid: string | null;
  scheduled_for: StoredInstant | null;
  absences: number;
  first_absent_at: StoredInstant | null;
  checks: number;
  next_check_at: StoredInstant | null;
  resolved_by: string | null;
  resolution: NonNullable<WithdrawOp["resolution"]> | null;
  created_at: StoredInstant;
  updated_at: StoredInstant;
}

/** Only ever added to. */
export interface WithdrawEventTable {
  op_id: string;
  /** The operation's version that the step made. */
  seq: number;
  at: StoredInstant;
  from_state: WithdrawState | null;
  to_state: WithdrawState;
  reason: string;
}

export interface PixKeyTable {
  id: string;
  owner_id: string;
  hash: string;
  type: PixKey["type"];
  masked: string;
  /** Sealed by the vault, bound to `id` and `owner_id`; null unless the owner asked to keep it. */
  key_enc: string | null;
  /** Key of the ring that `key_enc` is sealed with. */
  key_kid: string | null;
  first_seen_at: StoredInstant;
  last_used_at: StoredInstant | null;
}

export interface MoneyGuardTable {
  owner_id: string;
  locked_at: StoredInstant | null;
  unlock_at: StoredInstant | null;
  pin_hash: string | null;
  pin_salt: string | null;
  pin_wrong_tries: number;
  pin_locked_until: StoredInstant | null;
  /** Locks in a row since the right PIN was given last. */
  pin_locks: number;
  pin_ends_at: StoredInstant | null;
  daily_cap_cents: number | null;
  /** Null with `pending_cap_from`: the end of the cap waits. */
  pending_cap_cents: number | null;
  pending_cap_from: StoredInstant | null;
  new_key_wait: StoredFlag;
  new_key_wait_ends_at: StoredInstant | null;
}

export interface SplitBalanceTable {
  account_fp: string;
  recipient_id: string;
  balance_cents: number;
  at: StoredInstant;
}

/** Accounts whose list was read once. */
export interface GhostBaselineTable {
  account_fp: string;
  at: StoredInstant;
}

export interface GhostSeenTable {
  account_fp: string;
  txid: string;
  at: StoredInstant;
}
