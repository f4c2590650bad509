import { ApplicationCommandOptionType, ApplicationCommandType } from "discord-api-types/v10";
import {
  among,
  type BodyPath,
  type Check,
  decimal,
  flag,
  integer,
  isRecord,
  lengthOf,
  list,
  type Problems,
  shape,
  text,
  uniqueList,
} from "./checks.ts";

/** The fields of an option that the checks read. */
export interface OptionLike {
  readonly type: ApplicationCommandOptionType;
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly autocomplete?: boolean;
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[];
  readonly options?: readonly OptionLike[];
  readonly min_value?: number;
  readonly max_value?: number;
  readonly min_length?: number;
  readonly max_length?: number;
}

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

const commandName: Check = (value, path, problems) => {
  text(1, 32)(value, path, problems);
  if (typeof value !== "string" || (NAME.test(value) && value === value.toLowerCase())) return;
  const message = "Command name is invalid";
  problems.add(path, "APPLICATION_COMMAND_INVALID_NAME", message);
};

/** An object of entries keyed by Discord's locale. */
const localized =
  (entry: Check): Check =>
  (value, path, problems) => {
    if (!isRecord(value)) {
      problems.add(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType");
      return;
    }
    for (const [locale, given] of Object.entries(value)) {
      if (given !== null) entry(given, [...path, locale], problems);
    }
  };

const description = text(1, 100);

const choiceValue: Check = (value, path, problems) => {
  if (typeof value === "string") text(0, 100)(value, path, problems);
  else decimal()(value, path, problems);
};

const choice = shape(
  { name: text(1, 100), name_localizations: localized(text(1, 100)), value: choiceValue },
  ["name", "value"],
);

/** Names and descriptions of a command or an option. */
const named = {
  name: commandName,
  name_localizations: localized(commandName),
  description,
  description_localizations: localized(description),
};

const fields = {
  type: among(
    Object.values(ApplicationCommandOptionType).filter((type) => typeof type === "number"),
  ),
  ...named,
  required: flag,
  autocomplete: flag,
  choices: list(choice, 0, 25),
  channel_types: list(integer(0, 30), 0, 20),
  min_value: decimal(),
  max_value: decimal(),
  min_length: integer(0, 6_000),
  max_length: integer(1, 6_000),
};

const required = ["type", "name", "description"];
const option: Check = (value, path, problems) =>
  shape({ ...fields, options: optionList }, required)(value, path, problems);

/** Checks each option of a command or a subcommand on its own. */
const optionList: Check = list(option, 0, 25);

const duplicates = (values: readonly unknown[]): boolean => new Set(values).size !== values.length;

const COMPLETABLE: readonly ApplicationCommandOptionType[] = [
  ApplicationCommandOptionType.String,
  ApplicationCommandOptionType.Integer,
  ApplicationCommandOptionType.Number,
];

const checkOne = (option: OptionLike, path: BodyPath, problems: Problems): void => {
  const refuse = (code: string, message: string): void => problems.add(path, code, message);
  const choices = option.choices ?? [];
  if (duplicates(choices.map(({ name }) => name)) || duplicates(choices.map(({ value }) => value)))
    refuse("APPLICATION_COMMAND_OPTIONS_CHOICES_DUPLICATE", "Choices must be unique");
  if (
    choices.some(
      ({ value }) =>
        (typeof value === "string") !== (option.type === ApplicationCommandOptionType.String),
    )
  )
    refuse("APPLICATION_COMMAND_OPTIONS_CHOICES_TYPE", "Choices are of the option's type");
  if (option.autocomplete === true && choices.length > 0)
    refuse("APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES", "Autocomplete excludes choices");
  if (option.autocomplete === true && !COMPLETABLE.includes(option.type))
    refuse("APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Autocomplete is for text and numbers");
  const { min_value: low, max_value: high, min_length: short, max_length: long } = option;
  if ((low ?? -Infinity) > (high ?? Infinity) || (short ?? 0) > (long ?? Infinity))
    refuse("APPLICATION_COMMAND_OPTIONS_RANGE_INVALID", "The least is over the most");
};

/** Checks order, names and nesting of the options of a level. Requires well-formed options. */
const checkTogether = (
  options: readonly OptionLike[],
  depth: number,
  path: BodyPath,
  problems: Problems,
): void => {
  const nested = options.filter(
    ({ type }) => type <= ApplicationCommandOptionType.SubcommandGroup,
  ).length;
  if (nested > 0 && nested < options.length) {
    const message = "Sub-command and sub-command group option types are mutually exclusive";
    problems.add(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message);
  }
  const names = new Set<string>();
  let optional = false;
  for (const [index, entry] of options.entries()) {
    const at = [...path, index];
    checkOne(entry, at, problems);
    if (names.has(entry.name)) {
      const message = "Option names must be unique";
      problems.add([...at, "name"], "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATE", message);
    }
    names.add(entry.name);
    const misplaced =
      (entry.type === ApplicationCommandOptionType.SubcommandGroup && depth > 0) ||
      (entry.type === ApplicationCommandOptionType.Subcommand && depth > 1);
    if (misplaced) {
      const message = "Nested too deep";
      problems.add([...at, "type"], "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message);
    }
    if (
      entry.type > ApplicationCommandOptionType.SubcommandGroup &&
      entry.required === true &&
      optional
    ) {
      const message = "Required options must be placed before non-required options";
      problems.add(at, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message);
    }
    optional ||=
      entry.type > ApplicationCommandOptionType.SubcommandGroup && entry.required !== true;
    checkTogether(entry.options ?? [], depth + 1, [...at, "options"], problems);
  }
};

/** Characters of names, descriptions and values, which share a limit. */
const charactersOf = (entry: Omit<OptionLike, "type">): number => {
  let sum = lengthOf(entry.name) + lengthOf(entry.description ?? "");
  for (const { name, value } of entry.choices ?? [])
    sum += lengthOf(name) + lengthOf(String(value));
  for (const inner of entry.options ?? []) sum += charactersOf(inner);
  return sum;
};

const MOST_COMMANDS = 100;
const MOST_CHARACTERS = 8_000;

const permissionSet: Check = (value, path, problems) => {
  if (/^\d{1,20}$/.test(String(value))) return;
  problems.add(path, "NUMBER_TYPE_COERCE", `Value "${String(value)}" is not int.`);
};

const shared = {
  default_member_permissions: permissionSet,
  dm_permission: flag,
  nsfw: flag,
  contexts: uniqueList(among([0, 1, 2]), 1, 3),
  integration_types: uniqueList(among([0, 1]), 1, 2),
};

const slashCommand = shape(
  {
    ...shared,
    type: among([ApplicationCommandType.ChatInput]),
    ...named,
    options: optionList,
  },
  ["name", "description"],
);

/** Message commands have a name of any characters, without description and options. */
const menuName = text(1, 32);
const messageCommand = shape(
  {
    ...shared,
    type: among([ApplicationCommandType.Message]),
    name: menuName,
    name_localizations: localized(menuName),
    description: text(0, 0),
    options: list(() => {}, 0, 0),
  },
  ["type", "name"],
);

const typeOf = (value: unknown): unknown =>
  isRecord(value) ? (value["type"] ?? ApplicationCommandType.ChatInput) : undefined;

/** Checks the definition of a command. The sandbox does not support user commands. */
const checkCommand = (value: unknown, path: BodyPath, problems: Problems): void => {
  const before = problems.count();
  const isMessageCommand = typeOf(value) === ApplicationCommandType.Message;
  (isMessageCommand ? messageCommand : slashCommand)(value, path, problems);
  if (problems.count() > before || isMessageCommand) return;
  const definition = value as Omit<OptionLike, "type">;
  checkTogether(definition.options ?? [], 0, [...path, "options"], problems);
  if (charactersOf(definition) > MOST_CHARACTERS) {
    const message = `Command exceeds maximum size (${MOST_CHARACTERS})`;
    problems.add(path, "APPLICATION_COMMAND_TOO_LARGE", message);
  }
};

/** Checks the list that replaces all commands. */
export const checkCommands = (value: unknown, problems: Problems): void => {
  list(() => {}, 0, MOST_COMMANDS)(value, [], problems);
  if (!Array.isArray(value)) return;
  const names = new Set<unknown>();
  for (const [index, entry] of value.entries()) {
    checkCommand(entry, [index], problems);
    const name = isRecord(entry) ? `${String(typeOf(entry))} ${String(entry["name"])}` : undefined;
    if (names.has(name)) {
      const message = "Application command names must be unique";
      problems.add([index, "name"], "APPLICATION_COMMANDS_DUPLICATE_NAME", message);
    }
    names.add(name);
  }
};
