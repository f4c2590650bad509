import type { ClaimedDelivery, Settlement } from "../domain/delivery.ts";
import type { Clock } from "../shared/clock.ts";
import type { AccountsStore } from "../store/accounts.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { ReportRoutesStore } from "../store/report-routes.ts";
import { channelLost, uncertainReport } from "./notices.ts";

/** What else follows from how a delivery ended. A crash at any point leaves nothing undone for good. */
export interface Aftermath {
  /** What must not be forgotten once the delivery is settled. Repeating it changes nothing. */
  readonly before: (claim: ClaimedDelivery, settlement: Settlement) => Promise<void>;
  /** What the next probe of the channel would do again. */
  readonly after: (claim: ClaimedDelivery, settlement: Settlement) => Promise<void>;
}

export interface AftermathNeeds {
  readonly clock: Clock;
  readonly accounts: Pick<AccountsStore, "findById">;
  readonly outbox: Pick<OutboxStore, "enqueue">;
  readonly routes: Pick<ReportRoutesStore, "find" | "suspend" | "lift" | "owners">;
}

export const createAftermath = (needs: AftermathNeeds): Aftermath => {
  const { clock, accounts, outbox, routes } = needs;

  const tellOfUncertainty = async (claim: ClaimedDelivery, channelId: string): Promise<void> => {
    if (claim.accountId === null) return;
    const account = await accounts.findById(claim.accountId);
    const route = account && (await routes.find(account.guildId));
    if (account === undefined || route === undefined) return;
    const now = clock.now();
    await outbox.enqueue(uncertainReport(claim, account, channelId, route.locale, now), now);
  };

  const suspend = async (guildId: string, channelId: string): Promise<void> => {
    const route = await routes.find(guildId);
    if (route === undefined || route.suspendedAt !== undefined) return;
    const now = clock.now();
    const owners = await routes.owners(guildId);
    const notices = owners.map((userId) => channelLost(route, userId, now));
    // Of no effect when the guild has chosen another channel since.
    await routes.suspend(guildId, channelId, now, notices);
  };

  return {
    before: async (claim, settlement) => {
      const { kind, target, guildId, wasBlocked } = claim;
      if (kind !== "sales_report" || target.kind !== "channel" || guildId === null) return;
      if (settlement.state === "unknown") await tellOfUncertainty(claim, target.channelId);
      if (settlement.state === "sent" && wasBlocked) await routes.lift(guildId, target.channelId);
    },
    after: async ({ target, guildId }, settlement) => {
      if (settlement.state !== "blocked" || target.kind !== "channel" || guildId === null) return;
      await suspend(guildId, target.channelId);
    },
  };
};
