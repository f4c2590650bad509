import {
  type Action,
  type ActionInput,
  type Invocation,
  type OptionReader,
} from "#src/discord/command.ts";
import {
  type AlertRoute,
  type AlertStep,
  alertSteps,
  type ChosenAlertRoute,
} from "#src/disputes/dispute-alert.ts";
import { UserError } from "#src/shared/errors.ts";
import {
  alertRouteView,
  alertSetupView,
  NIGHTS,
  quietChoices,
  type QuietHours,
  quietOf,
} from "#src/disputes/alert-route.view.ts";
import type { Reply } from "#src/ui/reply.ts";
import { outdated } from "./component-input.ts";
import {
  channelOption,
  channelPart,
  chosenChannel,
  chosenPosts,
  chosenSwitch,
  required,
  setting,
  typedChannel,
  type TypedPosts,
} from "./config-channel.ts";
import { DEFAULT_HOUR } from "#src/reports/report-schedule.ts";
import { isDiscordId } from "#src/shared/ids.ts";
import { option, subcommand } from "./definition.ts";

const DEFAULT_PINGS: readonly AlertStep[] = ["new", "24h", "6h", "1h", "overdue"];

interface TypedAlerts extends TypedPosts {
  readonly roleId?: string | undefined;
}

export const alertsSubcommand = subcommand("alertas", ({ config }) => config.alertas, [
  channelOption(({ config }) => config.canalAlertas),
  option("role", "cargo", ({ config }) => config.cargo),
  option("boolean", "ativo", ({ config }) => config.ativoAlertas),
]);

/** @throws UserError missing_channel_permissions */
const typedAlerts = (options: OptionReader): TypedAlerts => ({
  channelId: typedChannel(options),
  roleId: options.role("cargo"),
  active: options.boolean("ativo"),
});

/** @throws UserError outdated_component */
const roleOf = ({ values: [id = ""] }: ActionInput): string => (isDiscordId(id) ? id : outdated());

/** @throws UserError outdated_component */
const pingedSteps = ({ values }: ActionInput): readonly AlertStep[] => {
  const steps = alertSteps.filter((step) => values.includes(step));
  return steps.length < values.length ? outdated() : steps;
};

/** @throws UserError outdated_component */
const slowNights = ({ argument }: ActionInput): boolean =>
  argument === NIGHTS.slow || (argument === NIGHTS.alike ? false : outdated());

/** @throws UserError outdated_component */
const quietHours = ({ values: [value] }: ActionInput): QuietHours | undefined =>
  quietChoices.some((each) => each === value) ? quietOf(value) : outdated();

/** The route with the typed changes. @throws UserError alerts_not_configured, role_is_everyone */
const chosenAlerts = (
  typed: TypedAlerts,
  before: AlertRoute | undefined,
  invocation: Invocation,
): ChosenAlertRoute => {
  // The id of the role @everyone is the guild's id.
  if (typed.roleId === invocation.guildId) throw new UserError({ kind: "role_is_everyone" });
  return {
    ...chosenPosts(typed, before, invocation, "alerts_not_configured"),
    roleId: typed.roleId ?? before?.roleId,
    pingSteps: before?.pingSteps ?? DEFAULT_PINGS,
    quiet: before?.quiet,
    timeZone: before?.timeZone ?? DEFAULT_HOUR.timeZone,
    slowNights: before?.slowNights ?? false,
  };
};

const routeReply = (route: AlertRoute, saved: boolean, { locale }: Invocation): Reply =>
  alertRouteView({ route, saved, locale });

const changed = (
  parse: (
    input: ActionInput,
  ) => Partial<Pick<AlertRoute, "roleId" | "pingSteps" | "quiet" | "slowNights">>,
): Action =>
  setting(parse, async (change, invocation, { alertRoutes, clock }) => {
    const { guildId, userId: updatedBy } = invocation;
    const route = required(await alertRoutes.find(guildId), "alerts_not_configured");
    const saved = await alertRoutes.save({ ...route, ...change, updatedBy }, clock.now());
    return routeReply(saved, true, invocation);
  });

const alerts = channelPart<TypedAlerts, AlertRoute>({
  parse: typedAlerts,
  find: (guildId, { alertRoutes }) => alertRoutes.find(guildId),
  save: (typed, before, invocation, { alertRoutes, clock }) =>
    alertRoutes.save(chosenAlerts(typed, before, invocation), clock.now()),
  show: routeReply,
  setup: alertSetupView,
});

export const alertsHandler = alerts.handler;

export const alertsActions = {
  "alertas-canal": alerts.changedBy((input) => ({ channelId: chosenChannel(input) })),
  "alertas-cargo": alerts.changedBy((input) => ({ roleId: roleOf(input) })),
  "alertas-ativo": alerts.changedBy((input) => ({ active: chosenSwitch(input) })),
  avisos: changed((input) => ({ pingSteps: pingedSteps(input) })),
  silencio: changed((input) => ({ quiet: quietHours(input) })),
  noites: changed((input) => ({ slowNights: slowNights(input) })),
  "sem-cargo": changed(() => ({ roleId: undefined })),
  "sem-silencio": changed(() => ({ quiet: undefined })),
} as const;
