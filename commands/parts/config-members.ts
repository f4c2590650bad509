import { action, type ActionInput, type Invocation } from "#src/discord/command.ts";
import { customId } from "#src/discord/custom-id.ts";
import { isDiscordId } from "#src/domain/ids.ts";
import { UserError } from "#src/shared/errors.ts";
import { memberRemovedView, removeMemberQuestion } from "#src/views/connections.ts";
import { requireManager, settingsReply } from "./config.ts";

const PAGE = /^\d{1,4}$/;

/** @throws UserError manage_server_required, outdated_component */
const memberOf = (input: ActionInput, invocation: Invocation): string => {
  requireManager(input, invocation);
  const ownerId = input.values[0] ?? input.argument;
  if (!isDiscordId(ownerId)) throw new UserError({ kind: "outdated_component" });
  return ownerId;
};

/** What who manages the server does about its members' connections. */
export const memberActions = {
  membros: action({
    kind: "read",
    answers: "update",
    parse: (input, invocation) => {
      requireManager(input, invocation);
      if (!PAGE.test(input.argument)) throw new UserError({ kind: "outdated_component" });
      return Number(input.argument);
    },
    run: (page, invocation, services) => settingsReply(invocation, services, page),
  }),
  remover: action({
    kind: "read",
    answers: "update",
    parse: memberOf,
    run: (ownerId, { locale }) =>
      removeMemberQuestion(
        ownerId,
        {
          remove: customId("config", "desligar", ownerId),
          back: customId("config", "membros", "0"),
        },
        locale,
      ),
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
