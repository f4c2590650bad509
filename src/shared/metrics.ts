import type { WalletErrorKind } from "./errors.ts";

export type InteractionOutcome =
  | "answered"
  | "deferred"
  | "suggested"
  | "stale"
  | "repeated"
  | "unknown"
  | "failed";

/** How a call to the wallet service ended; the last three belong to calls that move money. */
type WalletOutcome = "ok" | WalletErrorKind | "rejected" | "not_sent" | "unknown";

/**
 * A call to a webhook: `right`, `wrong`, or `limited` (dropped, or one with others in their five seconds). `look`: a
 * look that calls woke.
 */
export type WebhookEvent = "right" | "wrong" | "limited" | "look";

/** Counters of the running bot; no-ops with `HTTP_PORT` unset. */
export interface Metrics {
  /** `ackMs` is the time from the event's arrival to Discord's answer to our first response. */
  readonly interaction: (command: string, outcome: InteractionOutcome, ackMs?: number) => void;
  readonly walletCall: (route: string, outcome: WalletOutcome, durationMs: number) => void;
  readonly delivery: (kind: string, outcome: string) => void;
  readonly webhook: (event: WebhookEvent) => void;
}

export const noMetrics: Metrics = {
  interaction: () => {},
  walletCall: () => {},
  delivery: () => {},
  webhook: () => {},
};
