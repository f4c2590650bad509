import type { DisputePoll } from "./dispute-watch.ts";
import type { Locale } from "../shared/locale.ts";
import type { Selectable } from "kysely";
import type {
  AlertStep,
  WatchedDispute,
  DisputeChange,
  NewWatchedDispute,
} from "./dispute-alert.ts";
import {
  instantOf,
  optionalInstantOf,
  type StoredFlag,
  type StoredInstant,
  storedInstant,
  storedOptionalInstant,
  type StoredTime,
} from "../database/columns.ts";
import { cents } from "../shared/money.ts";

export interface AlertRouteTable {
  guild_id: string;
  channel_id: string;
  role_id: string | null;
  /** JSON array. */
  ping_steps: string;
  /** Both are set, or both are null. */
  quiet_from: StoredTime | null;
  quiet_to: StoredTime | null;
  /** Of a server without a row in `report_route`. */
  time_zone: string;
  slow_nights: StoredFlag;
  active: StoredFlag;
  locale: Locale;
  /** Not read: the column allows no null. */
  active_since: StoredInstant;
  suspended_at: StoredInstant | null;
  updated_by: string;
}

export interface DisputeWatchTable {
  /** The `watch_id` of accounts. */
  account_id: string;
  infraction_id: string;
  txid: string;
  sale_txid: string | null;
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
  closed_at: StoredInstant | null;
}

/** One row for each connected wallet account and owner. */
export interface DisputePollTable {
  /** The `watch_id` of accounts. */
  account_id: string;
  next_poll_at: StoredInstant;
  /** JSON. */
  counts: string | null;
  list_read_at: StoredInstant | null;
  baseline_at: StoredInstant | null;
}

/** Pending disputes that the service counts but does not list. */
export interface DisputeUnlistedTable {
  account_id: string;
  pending_count: number;
  told_count: number;
}

export type WatchedDisputeRow = Selectable<DisputeWatchTable>;

const FIRST_VERSION = 1;

export const watchedDisputeOf = (row: WatchedDisputeRow): WatchedDispute => ({
  watchId: row.account_id,
  infractionId: row.infraction_id,
  txid: row.txid,
  saleTxid: row.sale_txid ?? undefined,
  amount: cents(row.amount_cents),
  frozen: cents(row.frozen_cents),
  status: row.status,
  analysisStatus: row.analysis_status,
  dueAt: instantOf(row.due_at),
  version: row.version,
  firstSeenAt: instantOf(row.first_seen_at),
  doneSteps: JSON.parse(row.done_steps) as AlertStep[],
  answeredByOwnerAt: optionalInstantOf(row.answered_by_owner_at),
  snoozedUntil: optionalInstantOf(row.snoozed_until),
  closedAt: optionalInstantOf(row.closed_at),
});

/** Columns of each fact that may change. */
const columns = {
  txid: (value) => ({ txid: value }),
  saleTxid: (value) => ({ sale_txid: value ?? null }),
  amount: (value) => ({ amount_cents: value }),
  frozen: (value) => ({ frozen_cents: value }),
  status: (value) => ({ status: value }),
  analysisStatus: (value) => ({ analysis_status: value }),
  dueAt: (value) => ({ due_at: storedInstant(value) }),
  doneSteps: (value) => ({ done_steps: JSON.stringify(value) }),
  answeredByOwnerAt: (value) => ({ answered_by_owner_at: storedOptionalInstant(value) }),
  snoozedUntil: (value) => ({ snoozed_until: storedOptionalInstant(value) }),
  closedAt: (value) => ({ closed_at: storedOptionalInstant(value) }),
} as const satisfies {
  readonly [Fact in keyof Required<DisputeChange>]: (
    value: WatchedDispute[Fact],
  ) => Partial<WatchedDisputeRow>;
};

/** Columns that a change sets; an explicit undefined sets null. */
export const changedColumns = (change: DisputeChange): Partial<WatchedDisputeRow> => {
  const facts = (Object.keys(columns) as (keyof DisputeChange)[]).filter((fact) => fact in change);
  const set = facts.map((fact) => {
    const columnOf = columns[fact] as (value: unknown) => Partial<WatchedDisputeRow>;
    return columnOf(change[fact]);
  });
  return Object.assign({}, ...set) as Partial<WatchedDisputeRow>;
};

type NewColumn = "account_id" | "infraction_id" | "version" | "first_seen_at";

export const newDisputeRow = (dispute: NewWatchedDispute): WatchedDisputeRow => ({
  account_id: dispute.watchId,
  infraction_id: dispute.infractionId,
  version: FIRST_VERSION,
  first_seen_at: storedInstant(dispute.firstSeenAt),
  ...(changedColumns(dispute) as Omit<WatchedDisputeRow, NewColumn>),
});

export const disputePollOf = (row: Selectable<DisputePollTable>): DisputePoll => ({
  watchId: row.account_id,
  nextPollAt: instantOf(row.next_poll_at),
  counts:
    row.counts === null
      ? undefined
      : (JSON.parse(row.counts) as NonNullable<DisputePoll["counts"]>),
  listReadAt: optionalInstantOf(row.list_read_at),
  baselineAt: optionalInstantOf(row.baseline_at),
});

export const pollColumns = (
  after: Omit<DisputePoll, "watchId">,
): Omit<Selectable<DisputePollTable>, "account_id"> => ({
  next_poll_at: storedInstant(after.nextPollAt),
  counts: after.counts ? JSON.stringify(after.counts) : null,
  list_read_at: storedOptionalInstant(after.listReadAt),
  baseline_at: storedOptionalInstant(after.baselineAt),
});
