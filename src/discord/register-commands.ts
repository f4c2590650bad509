import { optionType } from "../shared/discord-enums.ts";
import type { CommandIds } from "../ui/command-mentions.ts";
import type { Command, MessageCommand } from "./command.ts";
import type { Logger } from "../shared/log.ts";
import { type DiscordApi, DiscordApiError, isPassing } from "./discord-api.ts";
import { NoAnswerError } from "./discord-http.ts";
import { askAgainDelayMs, type Wait } from "./identify-limiter.ts";
import { fieldsOf, itemsOf, textOf } from "./json.ts";

interface Registration {
  readonly api: Pick<DiscordApi, "json">;
  readonly applicationId: string;
  readonly definitions: readonly (Command | MessageCommand)["definition"][];
}

/**
 * Publishes these commands unless Discord already holds exactly them: it allows 200 creations a day. `ids` are for
 * mentions in messages.
 * @throws DiscordApiError, NoAnswerError
 */
export const registerCommands = async (
  parts: Registration,
): Promise<{ readonly published: boolean; readonly ids: CommandIds }> => {
  const { api, applicationId, definitions } = parts;
  const path = `/applications/${applicationId}/commands`;
  const held = await api.json("GET", `${path}?with_localizations=true`);
  if (sameCommands(held, definitions)) return { published: false, ids: idsIn(held) };
  const written = await api.json("PUT", path, definitions);
  // A page of a proxy in Discord's place.
  if (!Array.isArray(written)) throw new NoAnswerError(false, new Error("No list of commands"));
  return { published: true, ids: idsIn(written) };
};

/**
 * The same for a bot that serves. Resolves once Discord holds the commands, or cannot say so now: then tries go on in the
 * background.
 * @throws DiscordApiError when the first try is refused; a later refusal is logged
 */
export const keepRegistered = async (
  parts: Registration & {
    readonly onIds: (ids: CommandIds) => void;
    readonly log: Logger;
    readonly wait: Wait;
    readonly signal: AbortSignal;
  },
  failures = 1,
): Promise<void> => {
  const { onIds, log, wait, signal } = parts;
  try {
    onIds((await registerCommands(parts)).ids);
  } catch (error) {
    const failure = error instanceof DiscordApiError ? error : {};
    const delayMs = isPassing(error) ? askAgainDelayMs(failure, failures) : undefined;
    if (delayMs === undefined) throw error;
    log.warn({ err: error, delayMs }, "the commands cannot be published now");
    wait(delayMs, signal)
      .then(() => keepRegistered(parts, failures + 1))
      .catch((refusal: unknown) => {
        if (!signal.aborted) log.error({ err: refusal }, "the commands cannot be published");
      });
  }
};

const SLASH_COMMAND = 1;

/** A mention of a subcommand uses the id of its command. */
const idsIn = (held: unknown): CommandIds => {
  const ids = new Map<string, string>();
  for (const command of itemsOf(held).map(fieldsOf)) {
    const { id, name, type, options } = { ...command };
    if (typeof id !== "string" || typeof name !== "string" || type !== SLASH_COMMAND) continue;
    const subcommands = itemsOf(options)
      .map(fieldsOf)
      .filter((option) => option["type"] === optionType.subcommand);
    if (subcommands.length === 0) ids.set(name, id);
    for (const subcommand of subcommands) ids.set(`${name} ${textOf(subcommand["name"])}`, id);
  }
  return ids;
};

/** Fields of commands and options that a bot may set, without those that Discord adds (ids, versions). */
const OURS = new Set([
  "type",
  "name",
  "name_localizations",
  "description",
  "description_localizations",
  "options",
  "choices",
  "value",
  "required",
  "autocomplete",
  "channel_types",
  "min_value",
  "max_value",
  "min_length",
  "max_length",
  "default_member_permissions",
  "nsfw",
  "contexts",
  "integration_types",
]);
/** Lists without a meaningful order. */
const UNORDERED = new Set(["channel_types", "contexts", "integration_types"]);
const LOCALIZATIONS = new Set(["name_localizations", "description_localizations"]);

/**
 * Whether Discord holds exactly these commands. Ignores explicit defaults, and the order of commands, localizations and
 * sets. The order of options counts, because people see it.
 */
export const sameCommands = (held: unknown, wanted: readonly unknown[]): boolean =>
  Array.isArray(held) && canonicalList(itemsOf(held)) === canonicalList(wanted);

const canonicalList = (commands: readonly unknown[]): string =>
  JSON.stringify(commands.map((command) => JSON.stringify(canonical(command, true))).sort());

const canonical = (value: unknown, isCommand: boolean): Record<string, unknown> => {
  const result: Record<string, unknown> = isCommand ? { type: 1 } : {};
  for (const [key, field] of Object.entries(fieldsOf(value))) {
    if (!OURS.has(key) || isDefault(field)) continue;
    result[key] = canonicalField(key, field);
  }
  return sortedByKey(result);
};

const canonicalField = (key: string, field: unknown): unknown => {
  if (LOCALIZATIONS.has(key)) return sortedByKey({ ...fieldsOf(field) });
  if (UNORDERED.has(key)) return itemsOf(field).map(String).sort();
  if (key === "options" || key === "choices")
    return itemsOf(field).map((item) => canonical(item, false));
  return field;
};

/** Whether Discord treats the field like a missing one. */
const isDefault = (field: unknown): boolean =>
  field === undefined ||
  field === null ||
  // Menu commands have no description; Discord stores an empty one.
  field === "" ||
  field === false ||
  (typeof field === "object" && Object.keys(field).length === 0);

const sortedByKey = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
