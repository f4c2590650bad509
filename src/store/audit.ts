import type { GuardChange } from "../domain/money-stores.ts";
import { storedInstant } from "./columns.ts";
import type { Database } from "./schema.ts";

type AuditAction =
  | "account_connected"
  | "account_removed"
  | "key_offered"
  | "key_offer_accepted"
  | "key_offer_refused"
  | "report_consent_given"
  | "report_consent_withdrawn"
  | "report_route_saved"
  | "pix_key_saved"
  | "alerts_chosen"
  | "alert_route_saved"
  /** The owner's word that a dispute is answered, which ends its reminders. */
  | "dispute_silenced"
  | "proof_kept"
  | "proof_removed"
  /** The owner's word on an operation that reading could not resolve. */
  | "withdrawal_decided"
  /** The owner looked at what a restored database may not know. */
  | "restore_acknowledged"
  | GuardChange;

export interface AuditEvent {
  readonly at: Temporal.Instant;
  /** Discord user who did it. */
  readonly actor: string;
  readonly action: AuditAction;
  /** What was acted on, by ids only. */
  readonly subject: string;
}

/** Adds to the record of who changed what. Call it in the transaction of the change. */
export const recordAudit = async (db: Database, event: AuditEvent): Promise<void> => {
  await db
    .insertInto("audit_event")
    .values({
      at: storedInstant(event.at),
      actor: event.actor,
      action: event.action,
      subject: event.subject,
    })
    .execute();
};

/** Forgets what was done before that instant. */
export const purgeAudit =
  (db: Database) =>
  async (before: Temporal.Instant): Promise<void> => {
    await db.deleteFrom("audit_event").where("at", "<", storedInstant(before)).execute();
  };
