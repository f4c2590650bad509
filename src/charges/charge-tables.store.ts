import { type Selectable, sql } from "kysely";
import { type Charge, type ChargeChange, type ChargeProblem, type ChargeState } from "./charge.ts";
import type { Locale } from "../shared/locale.ts";
import { cents } from "../shared/money.ts";
import {
  instantOf,
  optionalCentsOf,
  optionalInstantOf,
  type StoredInstant,
  storedInstant,
  storedOptionalInstant,
} from "../database/columns.ts";

export interface ChargeTable {
  id: string;
  version: number;
  owner_id: string;
  account_id: string;
  guild_id: string;
  channel_id: string;
  interaction_id: string;
  locale: Locale;
  card_locale: Locale | null;
  amount_cents: number;
  description: string;
  state: ChargeState;
  txid: string | null;
  code: string | null;
  problem: ChargeProblem | null;
  fee_cents: number | null;
  net_cents: number | null;
  received_cents: number | null;
  expires_at: StoredInstant | null;
  created_at: StoredInstant;
  ended_at: StoredInstant | null;
  checks: number;
  next_check_at: StoredInstant | null;
  card_channel_id: string | null;
  card_message_id: string | null;
  /** State that the posted card shows; null before it was posted. */
  card_state: ChargeState | null;
}

export const chargeOf = (row: Selectable<ChargeTable>): Charge => ({
  id: row.id,
  version: row.version,
  ownerId: row.owner_id,
  accountId: row.account_id,
  guildId: row.guild_id,
  channelId: row.channel_id,
  locale: row.locale,
  cardLocale: row.card_locale ?? row.locale,
  amount: cents(row.amount_cents),
  description: row.description,
  state: row.state,
  txid: row.txid ?? undefined,
  code: row.code ?? undefined,
  problem: row.problem ?? undefined,
  fee: optionalCentsOf(row.fee_cents),
  net: optionalCentsOf(row.net_cents),
  received: optionalCentsOf(row.received_cents),
  expiresAt: optionalInstantOf(row.expires_at),
  createdAt: instantOf(row.created_at),
  endedAt: optionalInstantOf(row.ended_at),
  checks: row.checks,
  nextCheckAt: optionalInstantOf(row.next_check_at),
  card:
    row.card_channel_id === null || row.card_message_id === null
      ? undefined
      : { channelId: row.card_channel_id, messageId: row.card_message_id },
});

/** A key that is present with `undefined` clears its column. */
export const chargeColumns = (change: ChargeChange) => ({
  ...(change.state !== undefined && { state: change.state }),
  ...("txid" in change && { txid: change.txid ?? null }),
  ...("code" in change && { code: change.code ?? null }),
  ...("problem" in change && { problem: change.problem ?? null }),
  ...("fee" in change && { fee_cents: change.fee ?? null }),
  ...("net" in change && { net_cents: change.net ?? null }),
  ...("received" in change && { received_cents: change.received ?? null }),
  ...("expiresAt" in change && { expires_at: storedOptionalInstant(change.expiresAt) }),
  ...("endedAt" in change && { ended_at: storedOptionalInstant(change.endedAt) }),
  ...(change.checks !== undefined && { checks: change.checks }),
  ...("nextCheckAt" in change && { next_check_at: storedOptionalInstant(change.nextCheckAt) }),
});

/** The time of a look that was asked for during this one, which had `held` the charge until then, stays if it is sooner. */
export const putOff = (
  held: Temporal.Instant | undefined,
  { nextCheckAt }: Pick<ChargeChange, "nextCheckAt">,
) => {
  if (held === undefined || nextCheckAt === undefined) return {};
  const [claimed, next] = [storedInstant(held), storedInstant(nextCheckAt)];
  return {
    next_check_at: sql<StoredInstant>`case when next_check_at <> ${claimed} and next_check_at < ${next} then next_check_at else ${next} end`,
  };
};
