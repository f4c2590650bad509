import { handler, type Invocation, type OptionReader } from "#src/discord/command.ts";
import type { ChosenSaleRoute, SaleRoute } from "#src/sale-notices/sale-notice.ts";
import { saleRouteView } from "#src/sale-notices/sale-route.view.ts";
import { channelType } from "#src/shared/discord-enums.ts";
import { UserError } from "#src/shared/errors.ts";
import { type Cents, cents, LONGEST_AMOUNT, typedCents } from "#src/shared/money.ts";
import { requireManager, requirePermissions } from "./config-relatorio.ts";
import { option, subcommand } from "./definition.ts";

/** Options that an admin typed; an undefined one keeps its present value. */
interface TypedSales {
  readonly channelId: string | undefined;
  readonly minimum: Cents | undefined;
  readonly active: boolean | undefined;
}

export const salesSubcommand = subcommand("vendas", ({ config }) => config.vendas, [
  {
    ...option("channel", "canal", ({ config }) => config.canalVendas),
    channel_types: [channelType.text, channelType.announcement],
  },
  { ...option("string", "minimo", ({ config }) => config.minimo), max_length: LONGEST_AMOUNT },
  option("boolean", "ativo", ({ config }) => config.ativoVendas),
]);

/** @throws UserError manage_server_required, missing_channel_permissions, minimum_unreadable, amount_too_fine */
const typedSales = (options: OptionReader, invocation: Invocation): TypedSales => {
  requireManager(options, invocation);
  const channel = options.channel("canal");
  if (channel !== undefined) requirePermissions(channel);
  const given = options.string("minimo");
  return {
    channelId: channel?.id,
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

/** `/config vendas` saves the typed options; without options it shows the present route. */
export const salesHandler = handler({
  kind: "write",
  parse: typedSales,
  run: async (typed, invocation, { saleNotices }) => {
    const { guildId, locale } = invocation;
    const before = await saleNotices.route(guildId);
    if (before !== undefined && Object.values(typed).every((value) => value === undefined))
      return saleRouteView(before, false, locale);
    const saved = await saleNotices.saveRoute(chosenSales(typed, before, invocation));
    return saleRouteView(saved, true, locale);
  },
});
