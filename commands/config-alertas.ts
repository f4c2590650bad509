import { type Action, type ActionInput, type OptionReader } from "#src/discord/command.ts";
import { type AlertRoute, type AlertStep, alertSteps } from "#src/disputes/dispute-alert.ts";
import { UserError } from "#src/shared/errors.ts";
import {
  alertRouteView,
  alertSetupView,
  NIGHTS,
  quietChoices,
  type QuietHours,
  quietOf,
} from "#src/disputes/alert-route.view.ts";
import { choiceIn, outdated } from "./component-input.ts";
import {
  channelOption,
  channelPart,
  chosenChannel,
  chosenPosts,
  chosenSwitch,
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
const pingedSteps = (input: ActionInput) => {
  const isPinged = choiceIn(alertSteps, input);
  return ({ pingSteps }: AlertRoute) => ({
    pingSteps: alertSteps.filter((step) => isPinged(step, pingSteps.includes(step))),
  });
};

/** @throws UserError outdated_component */
const slowNights = ({ argument }: ActionInput): boolean =>
  argument === NIGHTS.slow || (argument === NIGHTS.alike ? false : outdated());

/** @throws UserError outdated_component */
const quietHours = ({ values: [value] }: ActionInput): QuietHours | undefined =>
  quietChoices.some((each) => each === value) ? quietOf(value) : outdated();

const alerts = channelPart<TypedAlerts, AlertRoute>({
  parse: typedAlerts,
  find: (guildId, { alertRoutes }) => alertRoutes.find(guildId),
  chosen: (typed, before, invocation) => {
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
  },
  save: (guildId, change, { alertRoutes, clock }) => alertRoutes.save(guildId, change, clock.now()),
  show: (route, saved, { locale }) => alertRouteView({ route, saved, locale }),
  setup: alertSetupView,
});

export const alertsHandler = alerts.handler;

const changed = (read: (input: ActionInput) => Partial<AlertRoute>): Action =>
  alerts.replacedBy((input) => {
    const fields = read(input);
    return () => fields;
  }, "alerts_not_configured");

export const alertsActions = {
  "alertas-canal": alerts.changedBy((input) => ({ channelId: chosenChannel(input) })),
  "alertas-cargo": alerts.changedBy((input) => ({ roleId: roleOf(input) })),
  "alertas-ativo": alerts.changedBy((input) => ({ active: chosenSwitch(input) })),
  avisos: alerts.replacedBy(pingedSteps, "alerts_not_configured"),
  silencio: changed((input) => ({ quiet: quietHours(input) })),
  noites: changed((input) => ({ slowNights: slowNights(input) })),
  "sem-cargo": changed(() => ({ roleId: undefined })),
} as const;
