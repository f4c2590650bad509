import { type Account, alertLocale, alertTarget } from "../../domain/account.ts";
import {
  type DeliveryPayload,
  type DeliveryTarget,
  type NewDelivery,
  referenceOf,
} from "../../domain/delivery.ts";
import {
  alertKey,
  type AlertRoute,
  type AlertStep,
  type WatchedDispute,
} from "../../domain/dispute-alert.ts";
import { notBeforeOf } from "../../domain/dispute-watch.ts";
import { disputeAlert, unlistedAlert } from "../../views/disputes/dispute-alert.ts";

/** The owner chose the channel, and so to be named in it beside the role. */
const pingsOf = (
  { ownerId }: Account,
  target: DeliveryTarget,
  roleId: string | undefined,
): DeliveryPayload["pings"] =>
  target.kind === "channel"
    ? { userId: ownerId, ...(roleId !== undefined && { roleId }) }
    : undefined;

/** The post of one step, to where the owner wants alerts now. */
export const alertDelivery = (
  account: Account,
  route: AlertRoute | undefined,
  step: AlertStep,
  dispute: Omit<WatchedDispute, "version">,
  answerUrl: string | undefined,
  now: Temporal.Instant,
): NewDelivery => {
  const dedupeKey = alertKey(dispute, step);
  const target = alertTarget(account, route);
  const roleId = route?.pingSteps.includes(step) === true ? route.roleId : undefined;
  const notBefore = notBeforeOf(step, dispute.dueAt, route, now);
  return {
    dedupeKey,
    kind: "dispute_alert",
    target,
    guildId: account.guildId,
    accountId: account.id,
    payload: disputeAlert({
      step,
      dispute,
      answerUrl,
      pings: pingsOf(account, target, roleId),
      at: notBefore,
      locale: alertLocale(target.kind, account, route),
      reference: referenceOf(dedupeKey),
    }),
    notBefore,
  };
};

/** That the service counts more pending disputes than it shows, to where the owner wants alerts now. */
export const unlistedDelivery = (
  account: Account,
  route: AlertRoute | undefined,
  facts: { readonly pending: number; readonly count: number },
  answerUrl: string | undefined,
  now: Temporal.Instant,
): NewDelivery => {
  const dedupeKey = `med_unlisted|${account.watchId}|${facts.count}|${now.toString()}`;
  const target = alertTarget(account, route);
  return {
    dedupeKey,
    kind: "dispute_alert",
    target,
    guildId: account.guildId,
    accountId: account.id,
    payload: unlistedAlert({
      pending: facts.pending,
      unlisted: facts.count,
      pings: pingsOf(account, target, undefined),
      answerUrl,
      locale: alertLocale(target.kind, account, route),
      reference: referenceOf(dedupeKey),
    }),
    notBefore: now,
  };
};
