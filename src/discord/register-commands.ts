import { optionType } from "../shared/discord-enums.ts";
import type { CommandIds } from "../views/command-mentions.ts";
import type { Command, MessageCommand } from "./command-kit.ts";
import { sameCommands } from "./command-definitions.ts";
import type { DiscordApi } from "./discord-api.ts";
import { fieldsOf, itemsOf, textOf } from "./wire.ts";

/**
 * Makes Discord hold exactly these commands, and writes only when it does not: Discord allows 200 creations a day. Either
 * answer of Discord tells the ids by which messages mention them.
 * @throws DiscordApiError, NoAnswerError
 */
export const registerCommands = async (parts: {
  readonly api: Pick<DiscordApi, "json">;
  readonly applicationId: string;
  readonly definitions: readonly (Command | MessageCommand)["definition"][];
}): Promise<{ readonly published: boolean; readonly ids: CommandIds }> => {
  const { api, applicationId, definitions } = parts;
  const path = `/applications/${applicationId}/commands`;
  const held = await api.json("GET", `${path}?with_localizations=true`);
  if (sameCommands(held, definitions)) return { published: false, ids: idsIn(held) };
  return { published: true, ids: idsIn(await api.json("PUT", path, definitions)) };
};

const SLASH_COMMAND = 1;

/** A subcommand is mentioned by the id of its command. */
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
