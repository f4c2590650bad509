import type {
  APIApplicationCommandBasicOption,
  APIApplicationCommandSubcommandOption,
} from "discord-api-types/v10";
import type { Command, MessageCommand } from "#src/discord/command.ts";
import { commandType, inGuilds, optionType } from "#src/shared/discord-enums.ts";
import { described, named, type Words } from "#src/texts/texts.ts";

type Definition = Command["definition"];

/** Of a dispute or a withdrawal, with room for the spaces of a pasted one. */
export const LONGEST_TYPED_ID = 100;

/** A command of servers, described in both languages. */
export const command = (
  name: string,
  words: Words,
  options: NonNullable<Definition["options"]>,
): Definition => ({ ...inGuilds, name, ...described(words), options });

/** A command in the menu of messages. Nobody types or mentions its name, so that each language can have its own. */
export const messageCommand = (words: Words): MessageCommand["definition"] => ({
  ...inGuilds,
  type: commandType.message,
  ...named(({ commands }) => words(commands)),
});

export const subcommand = (
  name: string,
  words: Words,
  options: APIApplicationCommandBasicOption[] = [],
): APIApplicationCommandSubcommandOption => ({
  type: optionType.subcommand,
  name,
  ...described(words),
  options,
});

/** An option that may be left out. */
export const option = <Type extends keyof typeof optionType>(
  type: Type,
  name: string,
  words: Words,
) => ({ type: optionType[type], name, ...described(words) });
