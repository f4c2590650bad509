import { alertLocale } from "../../domain/account.ts";
import {
  type ClaimedDelivery,
  type NewDelivery,
  referenceOf,
  type Settlement,
} from "../../domain/delivery.ts";
import type { AlertRoutes } from "../../domain/dispute-stores.ts";
import type { KeyOffers } from "../../domain/wallet-key.ts";
import type { Clock } from "../../shared/time.ts";
import type { AccountsStore } from "../../store/accounts.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import type { ReportRoutesStore } from "../../store/report-routes.ts";
import { alertChannelLost, channelLost, uncertainReport, unreachedMember } from "../notices.ts";
import { repeatKeyOf } from "../../domain/dispute-alert.ts";
import type { Locale } from "../../shared/locale.ts";
import { repeatedAlert } from "../../views/disputes/dispute-alert.ts";

/** Follow-up work of a settled delivery. A crash at any point loses no work for good. */
export interface SettlementHooks {
  /** Runs before the settlement is saved, and again after a crash, so it must be idempotent. */
  readonly onSettling: (claim: ClaimedDelivery, settlement: Settlement) => Promise<void>;
  /** Runs after the settlement is saved. After a crash, the next probe of the channel repeats it. */
  readonly onSettled: (claim: ClaimedDelivery, settlement: Settlement) => Promise<void>;
}

interface AfterSettlementNeeds {
  readonly clock: Clock;
  readonly accounts: Pick<AccountsStore, "findById">;
  readonly outbox: Pick<OutboxStore, "enqueue">;
  readonly routes: Pick<ReportRoutesStore, "find" | "suspend" | "lift" | "owners">;
  readonly alertRoutes: Pick<AlertRoutes, "find" | "suspend" | "owners">;
  readonly keyOffers: Pick<KeyOffers, "find">;
}

export const createAfterSettlement = (needs: AfterSettlementNeeds): SettlementHooks => {
  const { clock, accounts, outbox, routes, alertRoutes, keyOffers } = needs;

  const notifyOfUncertainty = async (claim: ClaimedDelivery, channelId: string): Promise<void> => {
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
    // Has no effect if the guild has chosen another channel by now.
    await routes.suspend(guildId, channelId, now, notices);
  };

  /** Posts an alert again, marked as a repeat: a missed deadline costs more than an alert read twice. */
  const repeatAlert = async (claim: ClaimedDelivery): Promise<void> => {
    const now = clock.now();
    const route = claim.guildId === null ? undefined : await alertRoutes.find(claim.guildId);
    const account = claim.accountId === null ? undefined : await accounts.findById(claim.accountId);
    // The owner may have erased the account while the channel was searched.
    if (account === undefined) return;
    const repeat = alertRepeat(claim, alertLocale(claim.target.kind, account, route), now);
    if (repeat !== undefined) await outbox.enqueue(repeat, now);
  };

  /** Also runs for a channel known to be lost: the alerts that wait for it go to their owners. */
  const redirectToOwners = async (guildId: string, channelId: string): Promise<void> => {
    const now = clock.now();
    const route = await alertRoutes.find(guildId);
    const owners = await alertRoutes.owners(guildId);
    const facts = { guildId, channelId, locale: route?.locale ?? "pt-BR" };
    const notices = owners.map((userId) => alertChannelLost(facts, userId, now));
    await alertRoutes.suspend(guildId, channelId, now, notices);
  };

  return {
    onSettling: async (claim, settlement) => {
      if (claim.kind === "dispute_alert" && settlement.state === "unknown") {
        await repeatAlert(claim);
        return;
      }
      if (claim.kind === "notice" && settlement.state === "dead") {
        const now = clock.now();
        const notice = await unreachedMember(keyOffers, claim, now);
        if (notice !== undefined) await outbox.enqueue(notice, now);
        return;
      }
      const { kind, target, guildId, wasBlocked } = claim;
      if (kind !== "sales_report" || target.kind !== "channel" || guildId === null) return;
      if (settlement.state === "unknown") await notifyOfUncertainty(claim, target.channelId);
      if (settlement.state === "sent" && wasBlocked) await routes.lift(guildId, target.channelId);
    },
    onSettled: async ({ kind, target, guildId }, settlement) => {
      if (settlement.state !== "blocked" || target.kind !== "channel" || guildId === null) return;
      const settle = kind === "dispute_alert" ? redirectToOwners : suspend;
      await settle(guildId, target.channelId);
    },
  };
};

/** The marked repeat of an alert that may or may not have been posted; undefined if the alert is a repeat itself. */
const alertRepeat = (
  { dedupeKey, kind, target, guildId, accountId, payload }: ClaimedDelivery,
  locale: Locale,
  now: Temporal.Instant,
): NewDelivery | undefined => {
  const key = repeatKeyOf(dedupeKey);
  if (key === undefined) return undefined;
  const marked = repeatedAlert(payload, referenceOf(key), locale);
  return { dedupeKey: key, kind, target, guildId, accountId, payload: marked, notBefore: now };
};
