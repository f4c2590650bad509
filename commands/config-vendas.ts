import {
  type ActionInput,
  customId,
  handler,
  type Invocation,
  type OptionReader,
} from "#src/discord/command.ts";
import type { ChosenSaleRoute, SaleRoute } from "#src/sale-notices/sale-notice.ts";
import { saleRouteView, saleSetupView } from "#src/sale-notices/sale-route.view.ts";
import { UserError } from "#src/shared/errors.ts";
import { type Cents, cents, LONGEST_AMOUNT, typedCents } from "#src/shared/money.ts";
import type { Services } from "#src/services.ts";
import type { Reply } from "#src/ui/reply.ts";
import { outdated } from "./component-input.ts";
import {
  channelOption,
  chosenChannel,
  chosenSwitch,
  isUntouched,
  requireManager,
  setting,
  SWITCHES,
  typedChannel,
} from "./config-channel.ts";
import { option, subcommand } from "./definition.ts";

/** Options that an admin typed; an undefined one keeps its present value. */
interface TypedSales {
  readonly channelId: string | undefined;
  readonly minimum: Cents | undefined;
  readonly active: boolean | undefined;
}

export const salesSubcommand = subcommand("vendas", ({ config }) => config.vendas, [
  channelOption(({ config }) => config.canalVendas),
  { ...option("string", "minimo", ({ config }) => config.minimo), max_length: LONGEST_AMOUNT },
  option("boolean", "ativo", ({ config }) => config.ativoVendas),
]);

/** @throws UserError manage_server_required, missing_channel_permissions, minimum_unreadable, amount_too_fine */
const typedSales = (options: OptionReader, invocation: Invocation): TypedSales => {
  requireManager(options, invocation);
  const channelId = typedChannel(options);
  const given = options.string("minimo");
  return {
    channelId,
    minimum: given === undefined ? undefined : typedCents(given, "minimum_unreadable"),
    active: options.boolean("ativo"),
  };
};

/** The route with the typed changes; a new route starts switched on. @throws UserError sales_not_configured */
const chosenSales = (
  typed: TypedSales,
  before: SaleRoute | undefined,
  { guildId, userId, guildLocale }: Invocation,
): ChosenSaleRoute => {
  const channelId = typed.channelId ?? before?.channelId;
  if (channelId === undefined) throw new UserError({ kind: "sales_not_configured" });
  return {
    guildId,
    channelId,
    minimum: typed.minimum ?? before?.minimum ?? cents(0),
    active: typed.active ?? before?.active ?? true,
    locale: guildLocale,
    updatedBy: userId,
  };
};

const CHANNEL_MENU = customId("config", "vendas-canal");

const routeReply = (route: SaleRoute, saved: boolean, { locale }: Invocation): Reply =>
  saleRouteView(
    route,
    saved,
    {
      channel: CHANNEL_MENU,
      minimum: customId("config", "vendas-minimo"),
      on: customId("config", "vendas-ativo", SWITCHES.on),
      off: customId("config", "vendas-ativo", SWITCHES.off),
    },
    locale,
  );

const UNTYPED: TypedSales = { channelId: undefined, minimum: undefined, active: undefined };

const saveSales = async (
  typed: TypedSales,
  invocation: Invocation,
  { saleNotices }: Services,
): Promise<Reply> => {
  const before = await saleNotices.route(invocation.guildId);
  const saved = await saleNotices.saveRoute(chosenSales(typed, before, invocation));
  return routeReply(saved, true, invocation);
};

const CENTAVOS = /^\d{1,14}$/;

/** @throws UserError outdated_component */
const minimumOf = ({ values: [value = ""] }: ActionInput): Cents =>
  CENTAVOS.test(value) ? cents(Number(value)) : outdated();

/** `/config vendas` saves the typed options; without options it shows the present route, or a menu of channels. */
export const salesHandler = handler({
  kind: "write",
  parse: typedSales,
  run: async (typed, invocation, services) => {
    if (!isUntouched(typed)) return await saveSales(typed, invocation, services);
    const route = await services.saleNotices.route(invocation.guildId);
    return route === undefined
      ? saleSetupView(CHANNEL_MENU, invocation.locale)
      : routeReply(route, false, invocation);
  },
});

export const salesActions = {
  "vendas-canal": setting(
    (input): TypedSales => ({ ...UNTYPED, channelId: chosenChannel(input) }),
    saveSales,
  ),
  "vendas-minimo": setting(
    (input): TypedSales => ({ ...UNTYPED, minimum: minimumOf(input) }),
    saveSales,
  ),
  "vendas-ativo": setting(
    (input): TypedSales => ({ ...UNTYPED, active: chosenSwitch(input) }),
    saveSales,
  ),
} as const;
