import { ApplicationCommandType } from "discord-api-types/v10";
import type { Check } from "./checks.ts";
import { among, flag, isRecord, list, shape, text, uniqueList } from "./checks.ts";
import type { OptionLike } from "./command-options.ts";
import {
  charactersOf,
  checkTogether,
  commandName,
  description,
  localized,
  optionList,
} from "./command-options.ts";
import type { BodyPath, Problems } from "./problems.ts";

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
    name: commandName,
    name_localizations: localized(commandName),
    description,
    description_localizations: localized(description),
    options: optionList,
  },
  ["name", "description"],
);

/** In a message's menu: a name of any characters, and neither description nor options. */
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

/** All that Discord refuses in the definition of one command; the sandbox knows no commands of a person's menu. */
export const checkCommand = (value: unknown, path: BodyPath, problems: Problems): void => {
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

/** All that Discord refuses in the list that replaces every command. */
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
