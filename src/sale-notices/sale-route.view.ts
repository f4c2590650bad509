import type { APIEmbedField } from "discord-api-types/v10";
import { isRouteOpen } from "../delivery/delivery.ts";
import type { SaleRoute } from "./sale-notice.ts";
import type { Locale } from "../shared/locale.ts";
import { type SaleTexts, saleTexts } from "./texts.ts";
import { buttonRow, customIdOf, reply, type Reply, selectRow } from "../ui/reply.ts";
import { channelMenu, routeState, switchButton } from "../ui/settings.ts";
import { type Cents, cents } from "../shared/money.ts";
import { inline, line } from "../ui/embed.ts";
import { channel } from "../ui/format.ts";

/** In centavos; 0 for every sale. */
const OFFERED_MINIMUMS = [0, 1_000, 5_000, 10_000, 50_000];

/** Custom ids; `commands/config-vendas.ts` handles them. */
const ids = {
  channel: customIdOf("config", "vendas-canal")(""),
  minimum: customIdOf("config", "vendas-minimo")(""),
  /** By `SWITCHES`. */
  switch: customIdOf("config", "vendas-ativo"),
} as const;

const minimumMenu = (present: Cents, { saleNotices, format }: SaleTexts) =>
  selectRow({
    id: ids.minimum,
    placeholder: saleNotices.minimumPlaceholder,
    options: [...new Set<number>([...OFFERED_MINIMUMS, present])].map((value) => ({
      value: String(value),
      label:
        value === 0 ? saleNotices.everySale : saleNotices.salesFrom(format.reais(cents(value))),
      chosen: value === present,
    })),
  });

/** Asks for the channel of a server without one. */
export const saleSetupView = (locale: Locale): Reply => {
  const texts = saleTexts(locale);
  const { saleNotices } = texts;
  return reply(
    {
      title: saleNotices.routeTitle,
      description: `${saleNotices.setup}\n\n${saleNotices.whoSees}`,
    },
    channelMenu(ids.channel, texts),
  );
};

/** A server's channel for notices of sales; `saved`: whether it was changed just now. */
export const saleRouteView = (route: SaleRoute, saved: boolean, locale: Locale): Reply => {
  const texts = saleTexts(locale);
  const { common, saleNotices, format } = texts;
  const minimum =
    route.minimum === 0
      ? saleNotices.noMinimum
      : saleNotices.minimumOf(format.reais(route.minimum));
  const parts = {
    tone: route.suspendedAt === undefined ? "accent" : "warning",
    title: saved ? saleNotices.routeSaved : saleNotices.routeTitle,
    description: saleNotices.whoSees,
    fields: [
      inline(common.channel, channel(route.channelId)),
      line(saleNotices.minimum, minimum),
      line(common.state, routeState(route, saleNotices)),
    ],
  } as const;
  return reply(
    parts,
    channelMenu(ids.channel, texts, route),
    minimumMenu(route.minimum, texts),
    buttonRow(switchButton(ids.switch, route.active, texts)),
  );
};

/** The same in one line, beside other settings; `route` is undefined when no channel was chosen. */
export const saleSummary = (route: SaleRoute | undefined, locale: Locale): APIEmbedField => {
  const texts = saleTexts(locale);
  const { saleNotices, format } = texts;
  const words = (): string => {
    if (route === undefined) return saleNotices.noChannel;
    if (!isRouteOpen(route)) return routeState(route, saleNotices);
    const minimum = route.minimum === 0 ? undefined : format.reais(route.minimum);
    return saleNotices.postedIn(channel(route.channelId), minimum);
  };
  return line(saleNotices.routeTitle, words());
};
