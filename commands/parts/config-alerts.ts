import {
  type Action,
  action,
  type ActionInput,
  handler,
  type Invocation,
} from "#src/discord/command.ts";
import { customId } from "#src/discord/custom-id.ts";
import type { AlertRoute } from "#src/domain/dispute-alert.ts";
import type { Services } from "#src/services/services.ts";
import { UserError } from "#src/shared/errors.ts";
import { alertRouteView } from "#src/views/alert-route.ts";
import type { Reply } from "#src/views/reply.ts";
import { requireManager } from "./config.ts";
import { chosenAlerts, pingedSteps, quietHours, slowNights, typedAlerts } from "./typed-alerts.ts";

const routeReply = (route: AlertRoute, saved: boolean, { locale }: Invocation): Reply =>
  alertRouteView({
    route,
    saved,
    locale,
    ids: {
      pings: customId("config", "avisos"),
      quiet: customId("config", "silencio"),
      nights: customId("config", "noites", route.slowNights ? "iguais" : "lentas"),
      noRole: customId("config", "sem-cargo"),
      noQuiet: customId("config", "sem-silencio"),
    },
  });

/** @throws UserError alerts_not_configured */
const currentRoute = async (
  { guildId }: Invocation,
  { alertRoutes }: Services,
): Promise<AlertRoute> => {
  const route = await alertRoutes.find(guildId);
  if (route === undefined) throw new UserError({ kind: "alerts_not_configured" });
  return route;
};

const changed = (
  parse: (
    input: ActionInput,
  ) => Partial<Pick<AlertRoute, "roleId" | "pingSteps" | "quiet" | "slowNights">>,
): Action =>
  action({
    kind: "write",
    answers: "update",
    parse: (input, invocation) => {
      requireManager(input, invocation);
      return parse(input);
    },
    run: async (change, invocation, services) => {
      const route = await currentRoute(invocation, services);
      const { userId: updatedBy } = invocation;
      const saved = await services.alertRoutes.save({ ...route, ...change, updatedBy });
      return routeReply(saved, true, invocation);
    },
  });

/** `/config alertas`: what is left out stays; without anything typed it shows what is set. */
export const alertsHandler = handler({
  kind: "write",
  parse: typedAlerts,
  run: async (typed, invocation, services) => {
    const before = await services.alertRoutes.find(invocation.guildId);
    if (before !== undefined && Object.values(typed).every((value) => value === undefined)) {
      return routeReply(before, false, invocation);
    }
    const saved = await services.alertRoutes.save(chosenAlerts(typed, before, invocation));
    return routeReply(saved, true, invocation);
  },
});

export const alertsActions = {
  avisos: changed((input) => ({ pingSteps: pingedSteps(input) })),
  silencio: changed((input) => ({ quiet: quietHours(input) })),
  noites: changed((input) => ({ slowNights: slowNights(input) })),
  "sem-cargo": changed(() => ({ roleId: undefined })),
  "sem-silencio": changed(() => ({ quiet: undefined })),
} as const;
