import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  type APIApplicationCommandOptionChoice,
  ApplicationCommandOptionType,
  ApplicationCommandType,
} from "discord-api-types/v10";
import type { PageLocale } from "./page-view.ts";

type OptionType = "string" | "integer" | "number" | "boolean" | "user" | "channel" | "role";

const OPTION_TYPES: Readonly<Partial<Record<ApplicationCommandOptionType, OptionType>>> = {
  [ApplicationCommandOptionType.String]: "string",
  [ApplicationCommandOptionType.Integer]: "integer",
  [ApplicationCommandOptionType.Boolean]: "boolean",
  [ApplicationCommandOptionType.User]: "user",
  [ApplicationCommandOptionType.Channel]: "channel",
  [ApplicationCommandOptionType.Role]: "role",
  [ApplicationCommandOptionType.Number]: "number",
};

/** Where a command is offered. One for guild and direct channels is listed twice. */
type CommandPlace = "guild" | "direct";

/** Entries of the command picker: a subcommand is an entry of its own. Texts are in the person's language. */
export const pageCommands = (
  commands: readonly APIApplicationCommand[],
  place: CommandPlace,
  locale: PageLocale,
) =>
  commands
    .filter(({ type }) => type === ApplicationCommandType.ChatInput)
    .flatMap((command) => {
      const options = command.options ?? [];
      const subcommands = options.filter(
        (option) => option.type === ApplicationCommandOptionType.Subcommand,
      );
      const { name } = command;
      return subcommands.length === 0
        ? [
            {
              place,
              name,
              subcommand: null as string | null,
              ...described(command, options, locale),
            },
          ]
        : subcommands.map((each) => ({
            place,
            name,
            subcommand: each.name as string | null,
            ...described(each, each.options ?? [], locale),
          }));
    });

/** Commands in a message's menu. */
export const pageMenuCommands = (commands: readonly APIApplicationCommand[], locale: PageLocale) =>
  commands.flatMap((command) =>
    command.type === ApplicationCommandType.Message
      ? [{ name: command.name, label: labelIn(command, locale) }]
      : [],
  );

interface Labelled {
  readonly name: string;
  readonly name_localizations?: Readonly<Partial<Record<string, string | null>>> | null;
}

const labelIn = ({ name, name_localizations: names }: Labelled, locale: PageLocale): string =>
  names?.[locale] ?? name;

interface Described {
  readonly description: string;
  readonly description_localizations?: Readonly<Partial<Record<string, string | null>>> | null;
}

const described = (
  words: Described,
  options: readonly APIApplicationCommandOption[],
  locale: PageLocale,
) => ({
  description: descriptionIn(words, locale),
  options: options.flatMap((option) => pageOption(option, locale)),
});

const pageOption = (option: APIApplicationCommandOption, locale: PageLocale) => {
  const type = OPTION_TYPES[option.type];
  if (type === undefined) return [];
  return [
    {
      name: option.name,
      /** Name in the person's language, as it is shown and typed. */
      label: labelIn(option, locale),
      description: descriptionIn(option, locale),
      type,
      required: option.required === true,
      autocomplete: "autocomplete" in option && (option.autocomplete ?? false),
      choices: choicesOf(option as APIApplicationCommandBasicOption, locale),
    },
  ];
};

const choicesOf = (option: APIApplicationCommandBasicOption, locale: PageLocale) => {
  const choices: readonly APIApplicationCommandOptionChoice[] =
    "choices" in option ? (option.choices ?? []) : [];
  return choices.map((choice) => ({ name: labelIn(choice, locale), value: choice.value }));
};

const descriptionIn = (described: Described, locale: PageLocale): string =>
  described.description_localizations?.[locale] ?? described.description;
