import type { Selectable } from "kysely";
import type { Account } from "../domain/account.ts";
import type { Secret } from "../shared/secret.ts";
import { flagOf, instantOf, optionalInstantOf } from "./columns.ts";
import type { AccountTable } from "./schema.ts";
import type { Vault } from "./vault.ts";

export type AccountRow = Selectable<AccountTable>;

export interface AccountWithKey {
  readonly account: Account;
  readonly apiKey: Secret;
}

export const accountOf = (row: AccountRow): Account => ({
  id: row.id,
  guildId: row.guild_id,
  ownerId: row.owner_id,
  connectedBy: row.connected_by,
  keyLast4: row.key_last4,
  keyFingerprint: row.key_fingerprint,
  accountFp: row.account_fp,
  watchId: row.watch_id,
  ownerVerified: flagOf(row.owner_verified),
  reportConsent: flagOf(row.report_consent),
  reportConsentAt: optionalInstantOf(row.report_consent_at),
  alerts: row.alerts,
  locale: row.locale ?? undefined,
  pausedAt: optionalInstantOf(row.paused_at),
  connectedAt: instantOf(row.connected_at),
});

/** @throws StoreError unreadable_secret */
export const keyOf = (row: AccountRow, vault: Vault): Secret =>
  vault.open({ rowId: row.id, ownerId: row.owner_id }, row.api_key);

/** @throws StoreError unreadable_secret */
export const accountWithKey = (row: AccountRow, vault: Vault): AccountWithKey => ({
  account: accountOf(row),
  apiKey: keyOf(row, vault),
});
