import { action, type Command, defineCommand, handler } from "#src/discord/command-kit.ts";
import { managesServer } from "#src/domain/channel-permissions.ts";
import { optionType } from "#src/shared/discord-enums.ts";
import type { Locale } from "#src/texts/locale.ts";
import { allCommandsView, helpView, type ListedCommand } from "#src/views/help.ts";
import { command } from "./parts/definition.ts";

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

/** Discord shows a command that asks for a permission only to who holds it, here to who manages the server. */
const offeredTo = (manager: boolean, definitions: readonly Definition[]): readonly Definition[] =>
  definitions.filter((definition) => manager || !definition.default_member_permissions);

/** Each command and subcommand as it is typed, made from the definitions, so that the list cannot fall behind. */
export const listCommands = (definitions: readonly Definition[], locale: Locale): ListedCommand[] =>
  definitions.flatMap((definition) => {
    const subcommands = (definition.options ?? []).filter(
      ({ type }) => type === optionType.subcommand,
    );
    return subcommands.length === 0
      ? [listed("", definition, locale)]
      : subcommands.map((subcommand) => listed(`${definition.name} `, subcommand, locale));
  });

/** `others` are listed with it. */
export const createAjuda = (others: readonly Command[]): Command => {
  const definition = command("ajuda", ({ ajuda }) => ajuda.self, []);
  const definitions = [...others.map((other) => other.definition), definition];
  return defineCommand({
    definition,
    handlers: handler({
      kind: "read",
      parse: () => undefined,
      run: async (_, { guildId, userId, memberPermissions, locale }, { accounts }) => {
        const account = await accounts.find(guildId, userId);
        return helpView({
          account,
          manager: managesServer(memberPermissions),
          inGuild: true,
          locale,
        });
      },
    }),
    actions: {
      comandos: action({
        kind: "read",
        answers: "new",
        parse: () => undefined,
        run: (_, { memberPermissions, locale }) => {
          const offered = offeredTo(managesServer(memberPermissions), definitions);
          return allCommandsView(listCommands(offered, locale), locale);
        },
      }),
    },
  });
};
