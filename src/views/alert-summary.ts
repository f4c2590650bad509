import type { APIEmbedField } from "discord-api-types/v10";
import type { AlertRoute } from "../domain/dispute-alert.ts";
import type { Texts } from "../texts/texts.ts";
import { line } from "./embed.ts";
import { channel, role } from "./mention.ts";
import { fullTime } from "./timestamp.ts";

const inWords = (route: AlertRoute | undefined, { disputeAlerts }: Texts): string => {
  if (route === undefined) return disputeAlerts.noChannel;
  if (!route.active) return disputeAlerts.off;
  if (route.suspendedAt !== undefined) return disputeAlerts.suspended(fullTime(route.suspendedAt));
  const pinged =
    route.roleId === undefined || route.pingSteps.length === 0 ? "" : role(route.roleId);
  return disputeAlerts.postedIn(channel(route.channelId), pinged);
};

/** Where a guild's alerts of disputes go, in one line beside other settings; undefined: no channel was chosen. */
export const alertSummary = (route: AlertRoute | undefined, texts: Texts): APIEmbedField =>
  line(texts.disputeAlerts.routeTitle, inWords(route, texts));
