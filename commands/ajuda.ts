import { action, type Command, defineCommand, handler } from "#src/discord/command.ts";
import { DIRECT_MESSAGE } from "#src/discord/interaction.ts";
import { managesServer } from "#src/shared/permissions.ts";
import { directContext, inGuildsAndDirect, optionType } from "#src/shared/discord-enums.ts";
import type { Locale } from "#src/shared/locale.ts";
import {
  allCommandsView,
  helpView,
  type ListedCommand,
  operationsView,
} from "#src/help/help.view.ts";
import { command } from "./definition.ts";

type Definition = Command["definition"];
interface Worded {
  readonly name: string;
  readonly description: string;
  readonly description_localizations?: Definition["description_localizations"];
}

const listed = (prefix: string, worded: Worded, locale: Locale): ListedCommand => ({
  name: `${prefix}${worded.name}`,
  description: worded.description_localizations?.[locale] ?? worded.description,
});

/** Lists commands with a required permission only for managers of the server, like Discord itself. */
const offeredTo = (manager: boolean, definitions: readonly Definition[]): readonly Definition[] =>
  definitions.filter((definition) => manager || !definition.default_member_permissions);

/** Each command and subcommand as people type it, made from the definitions, so that the list stays complete. */
export const listCommands = (definitions: readonly Definition[], locale: Locale): ListedCommand[] =>
  definitions.flatMap((definition) => {
    const subcommands = (definition.options ?? []).filter(
      ({ type }) => type === optionType.subcommand,
    );
    return subcommands.length === 0
      ? [listed("", definition, locale)]
      : subcommands.map((subcommand) => listed(`${definition.name} `, subcommand, locale));
  });

/** `/ajuda`, which lists itself and `others`. */
export const createAjuda = (others: readonly Command[]): Command => {
  const definition = { ...command("ajuda", ({ ajuda }) => ajuda.self, []), ...inGuildsAndDirect };
  const definitions = [...others.map((other) => other.definition), definition];
  return defineCommand({
    inDirectMessages: true,
    definition,
    handlers: handler({
      kind: "read",
      parse: () => undefined,
      run: async (_, { guildId, userId, memberPermissions, locale }, { accounts, withdrawals }) => {
        const inGuild = guildId !== DIRECT_MESSAGE;
        const owned = inGuild ? [] : await accounts.accountsOf(userId);
        const account = inGuild
          ? await accounts.find(guildId, userId)
          : (owned.find(({ pausedAt }) => pausedAt === undefined) ?? owned[0]);
        return helpView({
          account,
          manager: managesServer(memberPermissions),
          inGuild,
          withdrawEnabled: withdrawals.withdrawEnabled,
          locale,
        });
      },
    }),
    actions: {
      comandos: action({
        kind: "read",
        answers: "new",
        parse: () => undefined,
        run: (_, { guildId, memberPermissions, locale }) => {
          const offered = offeredTo(managesServer(memberPermissions), definitions).filter(
            ({ contexts }) => guildId !== DIRECT_MESSAGE || contexts?.includes(directContext),
          );
          return allCommandsView(listCommands(offered, locale), locale);
        },
      }),
      operacoes: action({
        kind: "read",
        answers: "update",
        parse: () => undefined,
        run: (_, { locale }) => operationsView(locale),
      }),
    },
  });
};
