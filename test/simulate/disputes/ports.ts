import type { AlertRoutes, DisputeWatch } from "#src/domain/dispute-stores.ts";
import type { Clock } from "#src/shared/time.ts";
import type { AccountsStore } from "#src/store/accounts.ts";
import type { OutboxStore } from "#src/store/outbox.ts";

/** What the watch and its deliveries keep, of which there are two kinds: the real stores, and a model of them that is quicker. */
export interface DisputePorts {
  readonly accounts: Pick<
    AccountsStore,
    "find" | "findById" | "ofWatch" | "apiKey" | "pause" | "save" | "setAlerts"
  >;
  readonly watch: DisputeWatch;
  readonly routes: AlertRoutes;
  readonly outbox: Pick<OutboxStore, "enqueue" | "claim" | "settle">;
  /** Sets when an account is asked next, as polls that find nothing new would have done. */
  readonly skipPolls: (accountId: string, nextPollAt: Temporal.Instant) => Promise<void>;
}

/** One place to keep things for many runs, each of which finds it empty. */
export interface DisputeStage {
  readonly ports: DisputePorts;
  readonly begin: (clock: Clock) => Promise<void>;
  readonly close: () => Promise<void>;
}
