import { sql } from "kysely";
import type { GuardChange } from "../money-guards/money-guards.store.ts";
import { storedInstant } from "./columns.ts";
import { deleteInSlices } from "./queries.ts";
import type { Database } from "../schema.ts";

type AuditAction =
  | "account_connected"
  | "account_removed"
  | "key_offered"
  | "key_offer_accepted"
  | "key_offer_refused"
  | "report_consent_given"
  | "report_consent_withdrawn"
  | "direct_report_chosen"
  | "report_route_saved"
  | "closes_chosen"
  | "pix_key_saved"
  | "alerts_chosen"
  | "alert_route_saved"
  | "sale_notices_chosen"
  | "sale_route_saved"
  | "goal_saved"
  | "goal_removed"
  /** The owner says that a dispute is answered, which ends its reminders. */
  | "dispute_silenced"
  | "proof_kept"
  | "proof_removed"
  /** The owner decides an operation that checks could not resolve. */
  | "withdrawal_decided"
  /** The owner has checked an account after a restore. */
  | "restore_acknowledged"
  | "webhook_made"
  | "webhook_removed"
  | GuardChange;

interface AuditEvent {
  readonly at: Temporal.Instant;
  readonly actor: string;
  readonly action: AuditAction;
  /** Ids of the changed thing; never names or secrets. */
  readonly subject: string;
}

/** Records a change. Call it in the transaction of the change. */
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

export const purgeAudit =
  (db: Database) =>
  async (before: Temporal.Instant, stopping?: AbortSignal): Promise<void> => {
    const isOld = sql<boolean>`at < ${storedInstant(before)}`;
    await deleteInSlices(db, "audit_event", ["at"], isOld, stopping);
  };
