import type { APIEmbedField } from "discord-api-types/v10";
import { isOpenRoute, type SaleRoute } from "./sale-notice.ts";
import type { Locale } from "../shared/locale.ts";
import { type SaleTexts, saleTexts } from "./texts.ts";
import { reply, type Reply } from "../ui/reply.ts";
import { inline, line } from "../ui/embed.ts";
import { channel, fullTime } from "../ui/format.ts";

const stateInWords = ({ active, suspendedAt }: SaleRoute, { saleNotices }: SaleTexts): string => {
  if (!active) return saleNotices.off;
  return suspendedAt === undefined ? saleNotices.on : saleNotices.suspended(fullTime(suspendedAt));
};

/** A server's channel for notices of sales; `saved`: whether it was changed just now. */
export const saleRouteView = (route: SaleRoute, saved: boolean, locale: Locale): Reply => {
  const texts = saleTexts(locale);
  const { saleNotices, format } = texts;
  const minimum =
    route.minimum === 0
      ? saleNotices.noMinimum
      : saleNotices.minimumOf(format.reais(route.minimum));
  return reply({
    tone: route.suspendedAt === undefined ? "accent" : "warning",
    title: saved ? saleNotices.routeSaved : saleNotices.routeTitle,
    description: saleNotices.whoSees,
    fields: [
      inline(saleNotices.channel, channel(route.channelId)),
      line(saleNotices.minimum, minimum),
      line(saleNotices.state, stateInWords(route, texts)),
    ],
  });
};

/** The same in one line, beside other settings; `route` is undefined when no channel was chosen. */
export const saleSummary = (route: SaleRoute | undefined, locale: Locale): APIEmbedField => {
  const texts = saleTexts(locale);
  const { saleNotices, format } = texts;
  const words = (): string => {
    if (route === undefined) return saleNotices.noChannel;
    if (!isOpenRoute(route)) return stateInWords(route, texts);
    const minimum = route.minimum === 0 ? undefined : format.reais(route.minimum);
    return saleNotices.postedIn(channel(route.channelId), minimum);
  };
  return line(saleNotices.routeTitle, words());
};
