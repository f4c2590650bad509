import type { DisputeWatch } from "#src/disputes/dispute-watch.store.ts";
import type { AlertRoutes } from "#src/disputes/alert-routes.store.ts";
import type { AccountsStore } from "#src/accounts/accounts.store.ts";
import { storedInstant } from "#src/database/columns.ts";
import type { OutboxStore } from "#src/delivery/outbox.store.ts";
import { openStoresStage, type StoresStage } from "../stores-stage.ts";

/** The storage of the watch and its deliveries. */
export interface DisputePorts {
  readonly accounts: Pick<
    AccountsStore,
    | "apiKey"
    | "connectionsOf"
    | "find"
    | "findById"
    | "findWithKey"
    | "ofOwner"
    | "ofWatch"
    | "pause"
    | "resume"
    | "stayedIn"
    | "save"
    | "setAlerts"
  >;
  readonly watch: DisputeWatch;
  readonly routes: AlertRoutes;
  readonly outbox: Pick<OutboxStore, "enqueue" | "claim" | "settle">;
  /** Sets an account's next poll, as uneventful polls would have done. */
  readonly skipPolls: (accountId: string, nextPollAt: Temporal.Instant) => Promise<void>;
}

export interface DisputeStage extends Pick<StoresStage, "begin" | "close"> {
  readonly ports: DisputePorts;
}

export const openDisputeStage = async (): Promise<DisputeStage> => {
  const { stores, db, begin, close } = await openStoresStage();
  const ports: DisputePorts = {
    accounts: stores.accounts,
    watch: stores.disputeWatch,
    routes: stores.alertRoutes,
    outbox: stores.outbox,
    skipPolls: async (accountId, nextPollAt) => {
      await db
        .updateTable("dispute_poll")
        .set({ next_poll_at: storedInstant(nextPollAt) })
        .where("account_id", "=", accountId)
        .execute();
    },
  };
  return { ports, begin, close };
};
