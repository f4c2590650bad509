import {
  type Action,
  action,
  type ActionInput,
  customId,
  type Invocation,
  type OptionReader,
} from "#src/discord/command.ts";
import type { EmptyReportChoice, ReportRoute } from "#src/reports/report-route.ts";
import { parseTimeOfDay, parseTimeZone } from "#src/shared/local-time.ts";
import type { Services } from "#src/services.ts";
import { UserError } from "#src/shared/errors.ts";
import type { MembersFacts } from "#src/accounts/connections.view.ts";
import type { Reply } from "#src/ui/reply.ts";
import {
  emptyChoices,
  noReportView,
  type ReportRouteFacts,
  reportRouteView,
} from "#src/reports/report-route.view.ts";
import { saleSummary } from "#src/sale-notices/sale-route.view.ts";
import { outdated } from "./component-input.ts";
import { DEFAULT_ZONE, requireManager, typedChannel } from "./config-channel.ts";

const DEFAULT_TIME = Temporal.PlainTime.from("21:05");

/** Options that an admin typed; an undefined one keeps its present value. */
interface TypedRoute {
  readonly channelId: string | undefined;
  readonly time: Temporal.PlainTime | undefined;
  readonly timeZone: string | undefined;
  readonly active: boolean | undefined;
}

/** @throws UserError missing_channel_permissions, invalid_time, invalid_time_zone */
export const typedRoute = (options: OptionReader): TypedRoute => {
  const channelId = typedChannel(options);
  const time = options.string("horario");
  const timeZone = options.string("fuso");
  return {
    channelId,
    time: time === undefined ? undefined : parseTimeOfDay(time),
    timeZone: timeZone === undefined ? undefined : parseTimeZone(timeZone),
    active: options.boolean("ativo"),
  };
};

/** The route with the typed changes; a new route starts switched on. @throws UserError channel_required */
export const chosenRoute = (
  typed: TypedRoute,
  before: ReportRoute | undefined,
  { guildId, userId, guildLocale }: Invocation,
): Parameters<Services["reportRoutes"]["save"]>[0] => {
  const channelId = typed.channelId ?? before?.channelId;
  if (channelId === undefined) throw new UserError({ kind: "channel_required" });
  return {
    guildId,
    channelId,
    time: typed.time ?? before?.time ?? DEFAULT_TIME,
    timeZone: typed.timeZone ?? before?.timeZone ?? DEFAULT_ZONE,
    active: typed.active ?? before?.active ?? true,
    emptyChoice: before?.emptyChoice ?? "line",
    locale: guildLocale,
    updatedBy: userId,
  };
};

/** @throws UserError outdated_component */
const emptyChoiceOf = ({ values: [value] }: ActionInput): EmptyReportChoice =>
  emptyChoices.find((each) => each === value) ?? outdated();

export const routeReply = async (
  route: ReportRoute,
  saved: boolean,
  { guildId, locale }: Invocation,
  { reportRoutes, clock }: Services,
  beside?: Pick<ReportRouteFacts, "alerts" | "members" | "more">,
): Promise<Reply> =>
  reportRouteView({
    route,
    saved,
    locale,
    audience: await reportRoutes.audience(guildId),
    now: clock.now(),
    ...beside,
    emptyChoiceId: customId("config", "vazio"),
  });

/** One page of the guild's members who connected a key. */
const membersFacts = async (
  page: number,
  { guildId }: Invocation,
  { accounts, keyOffers }: Services,
): Promise<MembersFacts> => ({
  ...(await accounts.members(guildId, page)),
  offers: await keyOffers.ofGuild(guildId),
  ids: {
    choose: customId("config", "remover"),
    page: (wanted) => customId("config", "membros", String(wanted)),
  },
});

export const settingsReply = async (
  invocation: Invocation,
  services: Services,
  membersPage = 0,
): Promise<Reply> => {
  const { guildId, locale } = invocation;
  const members = await membersFacts(membersPage, invocation, services);
  const alerts = await services.alertRoutes.find(guildId);
  const route = await services.reportRoutes.find(guildId);
  const more = [saleSummary(await services.saleNotices.route(guildId), locale)];
  if (route === undefined) return noReportView(alerts, members, locale, more);
  return await routeReply(route, false, invocation, services, {
    alerts: alerts ?? "none",
    members,
    more,
  });
};

/** Menu that chooses the post for a day without sales. */
export const changeEmptyChoice: Action = action({
  kind: "write",
  answers: "update",
  parse: (input, invocation) => {
    requireManager(input, invocation);
    return emptyChoiceOf(input);
  },
  run: async (emptyChoice, invocation, services) => {
    const { guildId, userId: updatedBy } = invocation;
    const route = await services.reportRoutes.find(guildId);
    if (route === undefined) throw new UserError({ kind: "report_not_configured" });
    const saved = await services.reportRoutes.save({ ...route, emptyChoice, updatedBy });
    return await routeReply(saved, true, invocation, services);
  },
});
