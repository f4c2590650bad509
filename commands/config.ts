import { action, defineCommand, handler } from "#src/discord/command-kit.ts";
import { channelType, inGuilds, optionType } from "#src/shared/discord-enums.ts";
import { searchTimeZones } from "#src/domain/time-zone.ts";
import { UserError } from "#src/shared/errors.ts";
import { described } from "#src/texts/described.ts";
import { testOutcomeView } from "#src/views/test-outcome.ts";
import { chosenRoute, emptyChoiceOf, managed, routeReply, typedRoute } from "./parts/config.ts";

const MANAGE_SERVER = "32";
const MOST_SUGGESTIONS = 25;

export const config = defineCommand({
  definition: {
    ...inGuilds,
    name: "config",
    ...described(({ config }) => config.self),
    default_member_permissions: MANAGE_SERVER,
    options: [
      {
        type: optionType.subcommand,
        name: "relatorio",
        ...described(({ config }) => config.relatorio),
        options: [
          {
            type: optionType.channel,
            name: "canal",
            ...described(({ config }) => config.canal),
            channel_types: [channelType.text, channelType.announcement],
          },
          {
            type: optionType.string,
            name: "horario",
            ...described(({ config }) => config.horario),
          },
          {
            type: optionType.string,
            name: "fuso",
            ...described(({ config }) => config.fuso),
            autocomplete: true,
          },
          { type: optionType.boolean, name: "ativo", ...described(({ config }) => config.ativo) },
        ],
      },
      { type: optionType.subcommand, name: "ver", ...described(({ config }) => config.ver) },
      { type: optionType.subcommand, name: "testar", ...described(({ config }) => config.testar) },
    ],
  },
  handlers: {
    relatorio: handler({
      kind: "write",
      parse: (options, invocation) => managed(invocation, typedRoute(options)),
      run: async (typed, invocation, services) => {
        const before = await services.reportRoutes.find(invocation.guildId);
        const saved = await services.reportRoutes.save(chosenRoute(typed, before, invocation));
        return await routeReply(saved, true, invocation, services);
      },
    }),
    ver: handler({
      kind: "read",
      parse: (_, invocation) => managed(invocation, undefined),
      run: async (_, invocation, services) => {
        const route = await services.reportRoutes.find(invocation.guildId);
        if (route === undefined) throw new UserError({ kind: "report_not_configured" });
        return await routeReply(route, false, invocation, services);
      },
    }),
    testar: handler({
      kind: "write",
      parse: (_, invocation) => managed(invocation, undefined),
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
      parse: ({ values }, invocation) => managed(invocation, emptyChoiceOf(values)),
      run: async (emptyChoice, invocation, services) => {
        const route = await services.reportRoutes.find(invocation.guildId);
        if (route === undefined) throw new UserError({ kind: "report_not_configured" });
        const { userId: updatedBy } = invocation;
        const saved = await services.reportRoutes.save({ ...route, emptyChoice, updatedBy });
        return await routeReply(saved, true, invocation, services);
      },
    }),
  },
  autocomplete: async ({ text }) =>
    searchTimeZones(text, MOST_SUGGESTIONS).map(({ zone, places }) => ({
      name: places === undefined ? zone : `${zone} · ${places}`,
      value: zone,
    })),
});
