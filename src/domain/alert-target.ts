import type { Account } from "./account.ts";
import type { DeliveryTarget } from "./delivery.ts";
import type { AlertRoute } from "./dispute-alert.ts";

/** Language in which an alert is read: the channel's, or the owner's as far as it is known. */
export const alertLocale = (
  kind: DeliveryTarget["kind"],
  account: Pick<Account, "locale"> | undefined,
  route: Pick<AlertRoute, "locale"> | undefined,
): AlertRoute["locale"] =>
  (kind === "person" ? account?.locale : undefined) ?? route?.locale ?? "pt-BR";

/** Where the owner wants alerts now, when any at all; a channel that cannot be posted to is none. */
export const alertTarget = (
  { alerts, ownerId }: Pick<Account, "alerts" | "ownerId">,
  route: AlertRoute | undefined,
): DeliveryTarget =>
  alerts === "channel" && route?.active === true && route.suspendedAt === undefined
    ? { kind: "channel", channelId: route.channelId }
    : { kind: "person", userId: ownerId };
