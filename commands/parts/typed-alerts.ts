import type { ActionInput, Invocation, OptionReader } from "#src/discord/command.ts";
import { type AlertRoute, type AlertStep, alertSteps } from "#src/domain/dispute-alert.ts";
import type { ChosenAlertRoute } from "#src/domain/dispute-stores.ts";
import { channelType } from "#src/shared/discord-enums.ts";
import { UserError } from "#src/shared/errors.ts";
import { type QuietHours, quietChoices, quietOf } from "#src/views/alert-route.ts";
import { requireManager } from "./config.ts";
import { option, subcommand } from "./definition.ts";
import { DEFAULT_ZONE, requirePermissions } from "./typed-route.ts";

const DEFAULT_PINGS: readonly AlertStep[] = ["new", "24h", "6h", "1h", "overdue"];

/** What an admin typed; what is left out stays as it was. */
export interface TypedAlerts {
  readonly channelId: string | undefined;
  readonly roleId: string | undefined;
  readonly active: boolean | undefined;
}

export const alertsSubcommand = subcommand("alertas", ({ config }) => config.alertas, [
  {
    ...option("channel", "canal", ({ config }) => config.canalAlertas),
    channel_types: [channelType.text, channelType.announcement],
  },
  option("role", "cargo", ({ config }) => config.cargo),
  option("boolean", "ativo", ({ config }) => config.ativoAlertas),
]);

/** @throws UserError manage_server_required, missing_channel_permissions, role_is_everyone */
export const typedAlerts = (options: OptionReader, invocation: Invocation): TypedAlerts => {
  requireManager(options, invocation);
  const channel = options.channel("canal");
  if (channel !== undefined) requirePermissions(channel);
  const roleId = options.role("cargo");
  // The role of everybody has the guild's own id.
  if (roleId === invocation.guildId) throw new UserError({ kind: "role_is_everyone" });
  return { channelId: channel?.id, roleId, active: options.boolean("ativo") };
};

/** @throws UserError outdated_component */
export const pingedSteps = ({ values }: ActionInput): readonly AlertStep[] => {
  const steps = alertSteps.filter((step) => values.includes(step));
  if (steps.length < values.length) throw new UserError({ kind: "outdated_component" });
  return steps;
};

/** @throws UserError outdated_component */
export const slowNights = ({ argument }: ActionInput): boolean => {
  if (argument !== "lentas" && argument !== "iguais") {
    throw new UserError({ kind: "outdated_component" });
  }
  return argument === "lentas";
};

/** @throws UserError outdated_component */
export const quietHours = ({ values: [value] }: ActionInput): QuietHours | undefined => {
  if (!quietChoices.some((each) => each === value)) {
    throw new UserError({ kind: "outdated_component" });
  }
  return quietOf(value);
};

/** The route after what was typed; one that is new is switched on. @throws UserError alerts_not_configured */
export const chosenAlerts = (
  typed: TypedAlerts,
  before: AlertRoute | undefined,
  { guildId, userId, guildLocale }: Invocation,
): ChosenAlertRoute => {
  const channelId = typed.channelId ?? before?.channelId;
  if (channelId === undefined) throw new UserError({ kind: "alerts_not_configured" });
  return {
    guildId,
    channelId,
    roleId: typed.roleId ?? before?.roleId,
    pingSteps: before?.pingSteps ?? DEFAULT_PINGS,
    quiet: before?.quiet,
    timeZone: before?.timeZone ?? DEFAULT_ZONE,
    slowNights: before?.slowNights ?? false,
    active: typed.active ?? before?.active ?? true,
    locale: guildLocale,
    updatedBy: userId,
  };
};
