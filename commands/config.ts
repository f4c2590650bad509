import { action, defineCommand, handler } from "#src/discord/command-kit.ts";
import { searchTimeZones } from "#src/domain/time-zone.ts";
import { channelType } from "#src/shared/discord-enums.ts";
import { testOutcomeView } from "#src/views/test-outcome.ts";
import { timeZoneName } from "#src/views/time-zone-name.ts";
import { currentRoute, emptyChoiceOf, requireManager, routeReply } from "./parts/config.ts";
import { command, option, subcommand } from "./parts/definition.ts";
import { chosenRoute, typedRoute } from "./parts/typed-route.ts";

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
      subcommand("ver", ({ config }) => config.ver),
      subcommand("testar", ({ config }) => config.testar),
    ]),
    default_member_permissions: MANAGE_SERVER,
  },
  handlers: {
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
      run: async (_, invocation, services) =>
        await routeReply(await currentRoute(invocation, services), false, invocation, services),
    }),
    testar: handler({
      kind: "write",
      parse: requireManager,
      run: async (_, { guildId, interactionId, locale }, { reportRoutes }) => {
        const { result, channelId } = await reportRoutes.test(guildId, interactionId);
        return testOutcomeView(result, channelId, locale);
      },
    }),
  },
  actions: {
    vazio: action({
      kind: "write",
      answers: "update",
      parse: (input, invocation) => {
        requireManager(input, invocation);
        return emptyChoiceOf(input);
      },
      run: async (emptyChoice, invocation, services) => {
        const route = await currentRoute(invocation, services);
        const { userId: updatedBy } = invocation;
        const saved = await services.reportRoutes.save({ ...route, emptyChoice, updatedBy });
        return await routeReply(saved, true, invocation, services);
      },
    }),
  },
  autocomplete: async ({ text }) =>
    searchTimeZones(text, MOST_SUGGESTIONS).map((choice) => ({
      name: timeZoneName(choice),
      value: choice.zone,
    })),
});
