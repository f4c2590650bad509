import type { Check } from "./checks.ts";
import { among, flag, isRecord, list, shape, uniqueList } from "./checks.ts";
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

const CHAT_INPUT = 1;
const MOST_COMMANDS = 100;
const MOST_CHARACTERS = 8_000;

const permissionSet: Check = (value, path, problems) => {
  if (/^\d{1,20}$/.test(String(value))) return;
  problems.add(path, "NUMBER_TYPE_COERCE", `Value "${String(value)}" is not int.`);
};

const command = shape(
  {
    type: among([CHAT_INPUT]),
    name: commandName,
    name_localizations: localized(commandName),
    description,
    description_localizations: localized(description),
    options: optionList,
    default_member_permissions: permissionSet,
    dm_permission: flag,
    nsfw: flag,
    contexts: uniqueList(among([0, 1, 2]), 1, 3),
    integration_types: uniqueList(among([0, 1]), 1, 2),
  },
  ["name", "description"],
);

/** All that Discord refuses in the definition of one slash command; the sandbox knows no other kind. */
export const checkCommand = (value: unknown, path: BodyPath, problems: Problems): void => {
  const before = problems.count();
  command(value, path, problems);
  if (problems.count() > before) return;
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
    const name = isRecord(entry) ? entry["name"] : undefined;
    if (names.has(name)) {
      const message = "Application command names must be unique";
      problems.add([index, "name"], "APPLICATION_COMMANDS_DUPLICATE_NAME", message);
    }
    names.add(name);
  }
};
