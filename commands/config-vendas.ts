import { type ActionInput, type OptionReader } from "#src/discord/command.ts";
import type { SaleRoute } from "#src/sale-notices/sale-notice.ts";
import { saleRouteView, saleSetupView } from "#src/sale-notices/sale-route.view.ts";
import { type Cents, cents, LONGEST_AMOUNT, typedCents } from "#src/shared/money.ts";
import { outdated } from "./component-input.ts";
import {
  channelOption,
  channelPart,
  chosenChannel,
  chosenPosts,
  chosenSwitch,
  typedChannel,
  type TypedPosts,
} from "./config-channel.ts";
import { option, subcommand } from "./definition.ts";

interface TypedSales extends TypedPosts {
  readonly minimum?: Cents | undefined;
}

export const salesSubcommand = subcommand("vendas", ({ config }) => config.vendas, [
  channelOption(({ config }) => config.canalVendas),
  { ...option("string", "minimo", ({ config }) => config.minimo), max_length: LONGEST_AMOUNT },
  option("boolean", "ativo", ({ config }) => config.ativoVendas),
]);

/** @throws UserError missing_channel_permissions, minimum_unreadable, amount_too_fine, amount_too_large */
const typedSales = (options: OptionReader): TypedSales => {
  const channelId = typedChannel(options);
  const given = options.string("minimo");
  return {
    channelId,
    minimum: given === undefined ? undefined : typedCents(given, "minimum_unreadable"),
    active: options.boolean("ativo"),
  };
};

const CENTAVOS = /^\d{1,14}$/;

/** @throws UserError outdated_component */
const minimumOf = ({ values: [value = ""] }: ActionInput): Cents =>
  CENTAVOS.test(value) ? cents(Number(value)) : outdated();

const sales = channelPart<TypedSales, SaleRoute>({
  parse: typedSales,
  find: (guildId, { saleNotices }) => saleNotices.route(guildId),
  chosen: (typed, before, invocation) => ({
    ...chosenPosts(typed, before, invocation, "sales_not_configured"),
    minimum: typed.minimum ?? before?.minimum ?? cents(0),
  }),
  save: (guildId, change, { saleNotices }) => saleNotices.saveRoute(guildId, change),
  show: (route, saved, { locale }) => saleRouteView(route, saved, locale),
  setup: saleSetupView,
});

export const salesHandler = sales.handler;

export const salesActions = {
  "vendas-canal": sales.changedBy((input) => ({ channelId: chosenChannel(input) })),
  "vendas-minimo": sales.changedBy((input) => ({ minimum: minimumOf(input) })),
  "vendas-ativo": sales.changedBy((input) => ({ active: chosenSwitch(input) })),
} as const;
