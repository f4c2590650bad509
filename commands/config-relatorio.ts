import { type ActionInput, type Invocation, type OptionReader } from "#src/discord/command.ts";
import { type CloseChoices, closeKinds } from "#src/closes/close.ts";
import { DEFAULT_HOUR } from "#src/reports/report-schedule.ts";
import type { ReportRoute } from "#src/reports/report-route.ts";
import { parseTimeOfDay, parseTimeZone } from "#src/shared/local-time.ts";
import type { Services } from "#src/services.ts";
import type { Reply } from "#src/ui/reply.ts";
import {
  emptyChoices,
  noReportView,
  reportSetupView,
  reportRouteView,
  type SettingsBeside,
  testOutcomeView,
} from "#src/reports/report-route.view.ts";
import { saleSummary } from "#src/sale-notices/sale-route.view.ts";
import { choiceIn, chosenOf, outdated } from "./component-input.ts";
import {
  channelPart,
  chosenChannel,
  chosenPosts,
  chosenSwitch,
  required,
  setting,
  typedChannel,
  type TypedPosts,
} from "./config-channel.ts";

interface TypedRoute extends TypedPosts {
  readonly time?: Temporal.PlainTime | undefined;
  readonly timeZone?: string | undefined;
}

/** @throws UserError missing_channel_permissions, invalid_time, invalid_time_zone */
const typedRoute = (options: OptionReader): TypedRoute => {
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

const TIME = /^\d\d:\d\d$/;

/** @throws UserError outdated_component */
export const chosenTime = ({ values: [value = ""] }: ActionInput): Temporal.PlainTime =>
  TIME.test(value) ? parseTimeOfDay(value) : outdated();

/** The kinds that the menu switched; the others keep their present state. @throws UserError outdated_component */
export const chosenCloses = (input: ActionInput): Partial<CloseChoices> => {
  const isChosen = choiceIn(closeKinds, input);
  const switched = closeKinds.filter((kind) => isChosen(kind, true) === isChosen(kind, false));
  return Object.fromEntries(switched.map((kind) => [kind, isChosen(kind, true)]));
};

const routeReply = async (
  route: ReportRoute,
  saved: boolean,
  { guildId, locale }: Invocation,
  { reportRoutes, closes, clock }: Services,
  beside?: SettingsBeside,
): Promise<Reply> =>
  reportRouteView({
    route,
    saved,
    locale,
    audience: await reportRoutes.audience(guildId),
    now: clock.now(),
    closes: await closes.choices(guildId),
    beside,
  });

export const settingsReply = async (
  invocation: Invocation,
  services: Services,
  membersPage = 0,
): Promise<Reply> => {
  const { guildId, locale } = invocation;
  const beside = {
    members: {
      ...(await services.accounts.members(guildId, membersPage)),
      offers: await services.keyOffers.ofGuild(guildId),
    },
    alerts: await services.alertRoutes.find(guildId),
    more: [saleSummary(await services.saleNotices.route(guildId), locale)],
  };
  const route = await services.reportRoutes.find(guildId);
  return route === undefined
    ? noReportView(beside, locale)
    : await routeReply(route, false, invocation, services, beside);
};

const report = channelPart<TypedRoute, ReportRoute>({
  parse: typedRoute,
  find: (guildId, { reportRoutes }) => reportRoutes.find(guildId),
  chosen: (typed, before, invocation) => ({
    ...chosenPosts(typed, before, invocation, "channel_required"),
    time: typed.time ?? before?.time ?? DEFAULT_HOUR.time,
    timeZone: typed.timeZone ?? before?.timeZone ?? DEFAULT_HOUR.timeZone,
    emptyChoice: before?.emptyChoice ?? "line",
  }),
  save: (guildId, change, { reportRoutes }) => reportRoutes.save(guildId, change),
  show: (route, saved, invocation, services) => routeReply(route, saved, invocation, services),
  setup: reportSetupView,
});

export const reportHandler = report.handler;

export const testReport = async (
  _: unknown,
  invocation: Invocation,
  { reportRoutes }: Services,
): Promise<Reply> => {
  const test = await reportRoutes.test(invocation);
  return testOutcomeView(test.result, test.channelId, invocation.locale);
};

export const reportActions = {
  "relatorio-canal": report.changedBy((input) => ({ channelId: chosenChannel(input) })),
  "relatorio-hora": report.changedBy((input) => ({ time: chosenTime(input) })),
  "relatorio-ativo": report.changedBy((input) => ({ active: chosenSwitch(input) })),
  "relatorio-fechamentos": setting(chosenCloses, async (choices, invocation, services) => {
    const { guildId, userId } = invocation;
    const route = required(await services.reportRoutes.find(guildId), "report_not_configured");
    await services.closes.choose(guildId, choices, userId);
    return await routeReply(route, true, invocation, services);
  }),
  testar: { ...setting(() => undefined, testReport), answers: "new" },
  /** Menu that chooses the post for a day without sales. */
  vazio: report.replacedBy((input) => {
    const emptyChoice = chosenOf(emptyChoices)(input);
    return () => ({ emptyChoice });
  }, "report_not_configured"),
} as const;
