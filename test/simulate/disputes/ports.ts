import type { AlertRoutes, DisputeWatch } from "#src/domain/dispute-stores.ts";
import type { Clock } from "#src/shared/time.ts";
import type { AccountsStore } from "#src/store/accounts.ts";
import type { OutboxStore } from "#src/store/outbox.ts";

/** The storage of the watch and its deliveries, with two implementations: the real stores, and a faster model. */
export interface DisputePorts {
  readonly accounts: Pick<
    AccountsStore,
    "find" | "findById" | "ofWatch" | "apiKey" | "pause" | "save" | "setAlerts"
  >;
  readonly watch: DisputeWatch;
  readonly routes: AlertRoutes;
  readonly outbox: Pick<OutboxStore, "enqueue" | "claim" | "settle">;
  /** Sets an account's next poll, as uneventful polls would have done. */
  readonly skipPolls: (accountId: string, nextPollAt: Temporal.Instant) => Promise<void>;
}

/** Storage for many runs; each run finds it empty. */
export interface DisputeStage {
  readonly ports: DisputePorts;
  readonly begin: (clock: Clock) => Promise<void>;
  readonly close: () => Promise<void>;
}
