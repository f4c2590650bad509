import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  type APIApplicationCommandOptionChoice,
  ApplicationCommandOptionType,
  ApplicationCommandType,
} from "discord-api-types/v10";
import type { PageChoice, PageCommand, PageLocale, PageOption } from "./page-view.ts";

const OPTION_TYPES: Readonly<Partial<Record<ApplicationCommandOptionType, PageOption["type"]>>> = {
  [ApplicationCommandOptionType.String]: "string",
  [ApplicationCommandOptionType.Integer]: "integer",
  [ApplicationCommandOptionType.Boolean]: "boolean",
  [ApplicationCommandOptionType.User]: "user",
  [ApplicationCommandOptionType.Channel]: "channel",
  [ApplicationCommandOptionType.Role]: "role",
  [ApplicationCommandOptionType.Number]: "number",
};

/** Entries of the command picker: a subcommand is an entry of its own. Descriptions are in the person's language. */
export const pageCommands = (
  commands: readonly APIApplicationCommand[],
  place: PageCommand["place"],
  locale: PageLocale,
): readonly PageCommand[] =>
  commands.flatMap((command) => {
    if (command.type !== ApplicationCommandType.ChatInput) return [];
    const options = command.options ?? [];
    const subcommands = options.filter(
      (option) => option.type === ApplicationCommandOptionType.Subcommand,
    );
    if (subcommands.length === 0) {
      return [entry({ place, name: command.name, subcommand: null }, command, options, locale)];
    }
    return subcommands.map((subcommand) =>
      entry(
        { place, name: command.name, subcommand: subcommand.name },
        subcommand,
        subcommand.options ?? [],
        locale,
      ),
    );
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

const entry = (
  named: Pick<PageCommand, "place" | "name" | "subcommand">,
  described: Described,
  options: readonly APIApplicationCommandOption[],
  locale: PageLocale,
): PageCommand => ({
  ...named,
  description: descriptionIn(described, locale),
  options: options.flatMap((option) => pageOption(option, locale)),
});

const pageOption = (option: APIApplicationCommandOption, locale: PageLocale): PageOption[] => {
  const type = OPTION_TYPES[option.type];
  if (type === undefined) return [];
  return [
    {
      name: option.name,
      label: labelIn(option, locale),
      description: descriptionIn(option, locale),
      type,
      required: option.required === true,
      autocomplete: "autocomplete" in option && (option.autocomplete ?? false),
      choices: choicesOf(option as APIApplicationCommandBasicOption, locale),
    },
  ];
};

const choicesOf = (
  option: APIApplicationCommandBasicOption,
  locale: PageLocale,
): readonly PageChoice[] => {
  const choices: readonly APIApplicationCommandOptionChoice[] =
    "choices" in option ? (option.choices ?? []) : [];
  return choices.map((choice) => ({
    name: labelIn(choice, locale),
    value: choice.value,
  }));
};

const descriptionIn = (described: Described, locale: PageLocale): string =>
  described.description_localizations?.[locale] ?? described.description;
