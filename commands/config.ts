import { defineCommand, handler } from "#src/discord/command.ts";
import { searchTimeZones } from "#src/domain/local-time.ts";
import { channelType } from "#src/shared/discord-enums.ts";
import { testOutcomeView, timeZoneName } from "#src/views/report-route.ts";
import { changeEmptyChoice, requireManager, routeReply, settingsReply } from "./parts/config.ts";
import { alertsActions, alertsHandler } from "./parts/config-alerts.ts";
import { memberActions } from "./parts/config-members.ts";
import { command, option, subcommand } from "./parts/definition.ts";
import { chosenRoute, typedRoute } from "./parts/typed-route.ts";
import { alertsSubcommand } from "./parts/typed-alerts.ts";

const MANAGE_SERVER = "32";
const MOST_SUGGESTIONS = 25;

export const config = defineCommand({
  definition: {
    ...command("config", ({ config }) => config.self, [
      subcommand("relatorio", ({ config }) => config.relatorio, [
        {
          ...option("channel", "canal", ({ config }) => config.canal),
          channel_types: [channelType.text, channelType.announcement],
        },
        option("string", "horario", ({ config }) => config.horario),
        { ...option("string", "fuso", ({ config }) => config.fuso), autocomplete: true },
        option("boolean", "ativo", ({ config }) => config.ativo),
      ]),
      alertsSubcommand,
      subcommand("ver", ({ config }) => config.ver),
      subcommand("testar", ({ config }) => config.testar),
    ]),
    default_member_permissions: MANAGE_SERVER,
  },
  handlers: {
    alertas: alertsHandler,
    relatorio: handler({
      kind: "write",
      parse: (options, invocation) => {
        requireManager(options, invocation);
        return typedRoute(options);
      },
      run: async (typed, invocation, services) => {
        const before = await services.reportRoutes.find(invocation.guildId);
        const saved = await services.reportRoutes.save(chosenRoute(typed, before, invocation));
        return await routeReply(saved, true, invocation, services);
      },
    }),
    ver: handler({
      kind: "read",
      parse: requireManager,
      run: async (_, invocation, services) => await settingsReply(invocation, services),
    }),
    testar: handler({
      kind: "write",
      parse: requireManager,
      run: async (_, { guildId, interactionId, locale }, { reportRoutes }) => {
        const test = await reportRoutes.test(guildId, interactionId);
        return testOutcomeView(test.result, test.channelId, locale);
      },
    }),
  },
  actions: {
    ...alertsActions,
    ...memberActions,
    vazio: changeEmptyChoice,
  },
  autocomplete: async ({ text }) =>
    searchTimeZones(text, MOST_SUGGESTIONS).map((choice) => ({
      name: timeZoneName(choice),
      value: choice.zone,
    })),
});
