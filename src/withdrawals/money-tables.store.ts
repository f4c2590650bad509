import type { Locale } from "../shared/locale.ts";
import type { Selectable } from "kysely";
import type { PixKey } from "./pix-key.ts";
import type { WithdrawKind, WithdrawOp, WithdrawState } from "./withdraw-op.ts";
import {
  instantOf,
  optionalCentsOf,
  optionalInstantOf,
  type StoredFlag,
  type StoredInstant,
  storedInstant,
} from "../database/columns.ts";
import type { DraftChange } from "./withdraw-journal.ts";

export interface WithdrawOpTable {
  id: string;
  account_fp: string;
  account_id: string;
  guild_id: string;
  channel_id: string;
  owner_id: string;
  locale: Locale;
  kind: WithdrawKind;
  amount_cents: number | null;
  fee_cents: number | null;
  net_cents: number | null;
  /** Sealed by the vault, bound to `id` and `owner_id`. Null for a cancellation, and after it was erased. */
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
  /** Set for drafts only. */
  confirm_token_hash: string | null;
  confirm_expires_at: StoredInstant | null;
  confirmed_at: StoredInstant | null;
  sent_at: StoredInstant | null;
  /** Place among the account's withdrawals, in the order in which they were sent. */
  turn: number | null;
  /** The account's last turn when the confirmation was shown. */
  shown_turn: number | null;
  /** Set while the operation is confirmed or sending. */
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
  set_back_at: StoredInstant | null;
  next_check_at: StoredInstant | null;
  resolved_by: string | null;
  resolution: NonNullable<WithdrawOp["resolution"]> | null;
  created_at: StoredInstant;
  updated_at: StoredInstant;
}

/** Rows are never updated. */
export interface WithdrawEventTable {
  op_id: string;
  /** The operation's version after the step. */
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
  /** Sealed by the vault, bound to `id` and `owner_id`. Null unless the owner saved the key. */
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
  /** Consecutive locks since the last correct PIN. */
  pin_locks: number;
  pin_ends_at: StoredInstant | null;
  daily_cap_cents: number | null;
  /** Null although `pending_cap_from` is set: the cap ends then. */
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

/** Accounts whose list of withdrawals was read before. */
export interface ExternalBaselineTable {
  account_fp: string;
  at: StoredInstant;
}

export interface ExternalSeenTable {
  account_fp: string;
  txid: string;
  at: StoredInstant;
}

export type WithdrawOpRow = Selectable<WithdrawOpTable>;

export const withdrawOpOf = (row: WithdrawOpRow): WithdrawOp => ({
  id: row.id,
  accountFp: row.account_fp,
  accountId: row.account_id,
  guildId: row.guild_id,
  channelId: row.channel_id,
  ownerId: row.owner_id,
  locale: row.locale,
  kind: row.kind,
  amount: optionalCentsOf(row.amount_cents),
  fee: optionalCentsOf(row.fee_cents),
  net: optionalCentsOf(row.net_cents),
  pixKeyMasked: row.pix_key_masked,
  pixKeyHash: row.pix_key_hash,
  recipientId: row.recipient_id ?? undefined,
  targetTxid: row.target_txid ?? undefined,
  state: row.state,
  version: row.version,
  confirmationsLeft: row.confirmations_left,
  confirmExpiresAt: optionalInstantOf(row.confirm_expires_at),
  confirmedAt: optionalInstantOf(row.confirmed_at),
  sentAt: optionalInstantOf(row.sent_at),
  preTxids: row.pre_txids === null ? undefined : (JSON.parse(row.pre_txids) as readonly string[]),
  preBalance: optionalCentsOf(row.pre_balance_cents),
  skewMs: row.skew_ms ?? undefined,
  httpStatus: row.http_status ?? undefined,
  errorCode: row.error_code ?? undefined,
  requestId: row.request_id ?? undefined,
  txid: row.txid ?? undefined,
  scheduledFor: optionalInstantOf(row.scheduled_for),
  absences: row.absences,
  firstAbsentAt: optionalInstantOf(row.first_absent_at),
  checks: row.checks,
  setBackAt: optionalInstantOf(row.set_back_at),
  nextCheckAt: optionalInstantOf(row.next_check_at),
  resolvedBy: row.resolved_by ?? undefined,
  resolution: row.resolution ?? undefined,
  createdAt: instantOf(row.created_at),
  updatedAt: instantOf(row.updated_at),
});

const CODE = /^[\w.:-]{1,64}$/;

/** Replaces text that is not a short code: it could hold personal data. */
export const storedCode = (code: string): string => (CODE.test(code) ? code : "unnamed");

type Columns = { -readonly [Name in keyof WithdrawOpRow]?: WithdrawOpRow[Name] };

type Facts = {
  readonly [Name in keyof DraftChange]-?: NonNullable<DraftChange[Name]>;
};

/** Columns of each fact that may change. */
const KEPT: { readonly [Name in keyof Facts]: (value: Facts[Name]) => Columns } = {
  kind: (value) => ({ kind: value }),
  amount: (value) => ({ amount_cents: value }),
  fee: (value) => ({ fee_cents: value }),
  net: (value) => ({ net_cents: value }),
  confirmationsLeft: (value) => ({ confirmations_left: value }),
  confirmTokenHash: (value) => ({ confirm_token_hash: value }),
  confirmExpiresAt: (value) => ({ confirm_expires_at: storedInstant(value) }),
  sentAt: (value) => ({ sent_at: storedInstant(value) }),
  preTxids: (value) => ({ pre_txids: JSON.stringify(value) }),
  preBalance: (value) => ({ pre_balance_cents: value }),
  // The service's clock is read no finer than that.
  skewMs: (value) => ({ skew_ms: Math.round(value) }),
  httpStatus: (value) => ({ http_status: value }),
  errorCode: (value) => ({ error_code: storedCode(value) }),
  requestId: (value) => ({ request_id: value }),
  txid: (value) => ({ txid: value }),
  scheduledFor: (value) => ({ scheduled_for: storedInstant(value) }),
  absences: (value) => ({ absences: value }),
  firstAbsentAt: (value) => ({ first_absent_at: storedInstant(value) }),
  checks: (value) => ({ checks: value }),
  setBackAt: (value) => ({ set_back_at: storedInstant(value) }),
  nextCheckAt: (value) => ({ next_check_at: storedInstant(value) }),
  resolvedBy: (value) => ({ resolved_by: value }),
  resolution: (value) => ({ resolution: value }),
};

const columnsOfFact = <Name extends keyof Facts>(
  name: Name,
  value: Facts[Name] | undefined,
): Columns => (value === undefined ? {} : KEPT[name](value));

/**
 * Columns that a change sets. Undefined leaves a column unchanged; an explicit undefined clears the next check and the
 * first absence.
 */
export const columnsOf = (change: DraftChange): Columns => {
  const columns: Columns = {};
  for (const name of Object.keys(KEPT) as (keyof Facts)[]) {
    Object.assign(columns, columnsOfFact(name, change[name]));
  }
  if ("nextCheckAt" in change && change.nextCheckAt === undefined) columns.next_check_at = null;
  if ("firstAbsentAt" in change && change.firstAbsentAt === undefined)
    columns.first_absent_at = null;
  return columns;
};
