import type { NewDelivery } from "../delivery/delivery.ts";
import { SECOND } from "../shared/time.ts";
import type { WithdrawOp, WithdrawState } from "./withdraw-op.ts";

/**
 * Fields that a transition or a check may set. Missing and undefined fields stay, so known facts are never lost. Only
 * `nextCheckAt` and `firstAbsentAt` are cleared by an explicit undefined.
 */
export type WithdrawChange = Partial<
  Pick<
    WithdrawOp,
    | "amount"
    | "fee"
    | "net"
    | "confirmationsLeft"
    | "confirmExpiresAt"
    | "sentAt"
    | "preTxids"
    | "preBalance"
    | "skewMs"
    | "httpStatus"
    | "errorCode"
    | "requestId"
    | "txid"
    | "scheduledFor"
    | "absences"
    | "firstAbsentAt"
    | "checks"
    | "setBackAt"
    | "nextCheckAt"
    | "resolvedBy"
    | "resolution"
  >
>;

/** The speed and the token are a draft's alone. */
export type DraftChange = WithdrawChange &
  Partial<Pick<WithdrawOp, "kind">> & { readonly confirmTokenHash?: string };

/** Lease of each step before the answer, by the clock of leases: longer than all deadlines of the request together. */
export const LEASE_MS = 90 * SECOND;

export interface Transition {
  readonly to: WithdrawState;
  readonly change?: WithdrawChange;
  /**
   * The step is taken only while its owner has the wallet account connected in this server; in any server for a
   * cancellation. A removal at the same time waits, and then finds the step taken.
   */
  readonly whileConnected?: true;
  /** Notices enqueued in the same transaction. */
  readonly notices?: readonly NewDelivery[];
  /** Short code of the cause, stored in the event; contains no text of a person or of the service. */
  readonly reason: string;
}

/**
 * Result of a step.
 * - `lost`: another process moved the operation first; this call changed no row.
 * - `account_busy`: another operation of the wallet account has an unknown outcome; for a cancellation, another one of
 *   the same withdrawal is open; for a refund, another one of the same payment is open or was made, by any key.
 * - `not_connected`: the connection that the step needs was removed, or has a key of another wallet account now.
 * - `txid_taken`: another operation has claimed the withdrawal.
 */
export type MoveResult =
  | { readonly kind: "moved"; readonly op: WithdrawOp }
  | { readonly kind: "lost" | "account_busy" | "not_connected" | "txid_taken" };

export interface WithdrawEvent {
  readonly at: Temporal.Instant;
  readonly from: WithdrawState | undefined;
  readonly to: WithdrawState;
  readonly reason: string;
}
