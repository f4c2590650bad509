import { action, defineCommand, handler, type Invocation } from "#src/discord/command.ts";
import { isDiscordId } from "#src/shared/ids.ts";
import { memberRemovedView, removeMemberQuestion } from "#src/accounts/connections.view.ts";
import type { Reply } from "#src/ui/reply.ts";
import type { Services } from "#src/services.ts";
import { searchTimeZones } from "#src/shared/local-time.ts";
import { timeZoneName } from "#src/reports/report-route.view.ts";
import { reportActions, reportHandler, settingsReply, testReport } from "./config-relatorio.ts";
import { channelOption, requireManager } from "./config-channel.ts";
import { alertsActions, alertsHandler, alertsSubcommand } from "./config-alertas.ts";
import { salesActions, salesHandler, salesSubcommand } from "./config-vendas.ts";
import { limits } from "#src/ui/embed.ts";
import { MANAGE_SERVER } from "#src/shared/permissions.ts";
import { after, answeredQuestion, outdated } from "./component-input.ts";
import { questionHere } from "./conta.ts";
import { command, option, subcommand } from "./definition.ts";

const PAGE = /^\d{1,4}$/;

/** Asks whether to delete a member's key. @throws UserError member_not_connected */
const memberQuestion = async (
  ownerId: string,
  { guildId, locale }: Invocation,
  { accounts }: Services,
  isAnew = false,
): Promise<Reply> => {
  const questionId = await accounts.memberQuestion(guildId, ownerId);
  return removeMemberQuestion(ownerId, questionId, isAnew, locale);
};

/** @throws UserError manage_server_required, outdated_component */
const memberAnswer = after(requireManager, answeredQuestion);

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
    parse: after(requireManager, ({ values: [ownerId = ""] }) =>
      isDiscordId(ownerId) ? ownerId : outdated(),
    ),
    // An admin learns of a member neither withdrawals nor proofs, and of an own key all that goes with it.
    run: async (ownerId: string, invocation, services) =>
      ownerId === invocation.userId
        ? await questionHere(invocation, services)
        : await memberQuestion(ownerId, invocation, services),
  }),
  desligar: action({
    kind: "write",
    answers: "update",
    parse: memberAnswer,
    run: async ({ about: ownerId, questionId }, invocation, services) => {
      const { guildId, userId: adminId, guildLocale, locale } = invocation;
      const asked = { guildId, ownerId, adminId, questionId, guildLocale };
      return (await services.accounts.removeMember(asked))
        ? memberRemovedView(ownerId, locale)
        : await memberQuestion(ownerId, invocation, services, true);
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
