import { action, type ActionInput, defineCommand, handler } from "#src/discord/command.ts";
import { isDiscordId } from "#src/shared/ids.ts";
import { memberRemovedView, removeMemberQuestion } from "#src/accounts/connections.view.ts";
import { searchTimeZones } from "#src/shared/local-time.ts";
import { timeZoneName } from "#src/reports/report-route.view.ts";
import { reportActions, reportHandler, settingsReply, testReport } from "./config-relatorio.ts";
import { channelOption, requireManager } from "./config-channel.ts";
import { alertsActions, alertsHandler, alertsSubcommand } from "./config-alertas.ts";
import { salesActions, salesHandler, salesSubcommand } from "./config-vendas.ts";
import { limits } from "#src/ui/embed.ts";
import { MANAGE_SERVER } from "#src/shared/permissions.ts";
import { after, outdated } from "./component-input.ts";
import { command, option, subcommand } from "./definition.ts";

const PAGE = /^\d{1,4}$/;

/** @throws UserError manage_server_required, outdated_component */
const memberOf = after(requireManager, ({ values, argument }: ActionInput): string => {
  const ownerId = values[0] ?? argument;
  return isDiscordId(ownerId) ? ownerId : outdated();
});

const memberActions = {
  membros: action({
    kind: "read",
    answers: "update",
    parse: after(requireManager, ({ argument }) =>
      PAGE.test(argument) ? Number(argument) : outdated(),
    ),
    run: (page: number, invocation, services) => settingsReply(invocation, services, page),
  }),
  remover: action({
    kind: "read",
    answers: "update",
    parse: memberOf,
    run: (ownerId, { locale }) => removeMemberQuestion(ownerId, locale),
  }),
  desligar: action({
    kind: "write",
    answers: "update",
    parse: memberOf,
    run: async (ownerId, { guildId, userId: adminId, guildLocale, locale }, { accounts }) => {
      await accounts.removeMember({ guildId, ownerId, adminId, guildLocale });
      return memberRemovedView(ownerId, locale);
    },
  }),
} as const;

export const config = defineCommand({
  definition: {
    ...command("config", ({ config }) => config.self, [
      subcommand("relatorio", ({ config }) => config.relatorio, [
        channelOption(({ config }) => config.canal),
        option("string", "horario", ({ config }) => config.horario),
        { ...option("string", "fuso", ({ config }) => config.fuso), autocomplete: true },
        option("boolean", "ativo", ({ config }) => config.ativo),
      ]),
      alertsSubcommand,
      salesSubcommand,
      subcommand("ver", ({ config }) => config.ver),
      subcommand("testar", ({ config }) => config.testar),
    ]),
    default_member_permissions: String(MANAGE_SERVER),
  },
  handlers: {
    alertas: alertsHandler,
    vendas: salesHandler,
    relatorio: reportHandler,
    ver: handler({
      kind: "read",
      parse: requireManager,
      run: async (_, invocation, services) => await settingsReply(invocation, services),
    }),
    testar: handler({
      kind: "write",
      parse: requireManager,
      run: testReport,
    }),
  },
  actions: {
    ...alertsActions,
    ...memberActions,
    ...reportActions,
    ...salesActions,
  },
  autocomplete: async ({ text }) =>
    searchTimeZones(text, limits.selectOptions).map((choice) => ({
      name: timeZoneName(choice),
      value: choice.zone,
    })),
});
