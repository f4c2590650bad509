import type { Selectable } from "kysely";
import type { Account } from "../domain/account.ts";
import { flagOf, instantOf, optionalInstantOf } from "./columns.ts";
import type { AccountTable } from "./schema.ts";

export type AccountRow = Selectable<AccountTable>;

export const accountOf = (row: AccountRow): Account => ({
  id: row.id,
  guildId: row.guild_id,
  ownerId: row.owner_id,
  connectedBy: row.connected_by,
  keyLast4: row.key_last4,
  keyFingerprint: row.key_fingerprint,
  ownerVerified: flagOf(row.owner_verified),
  reportConsent: flagOf(row.report_consent),
  reportConsentAt: optionalInstantOf(row.report_consent_at),
  pausedAt: optionalInstantOf(row.paused_at),
  connectedAt: instantOf(row.connected_at),
});
