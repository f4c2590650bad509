import type { Command, MessageCommand } from "./command-kit.ts";
import { sameCommands } from "./command-definitions.ts";
import type { DiscordApi } from "./discord-api.ts";

/**
 * Makes Discord hold exactly these commands, and writes only when it does not: Discord allows 200 creations a day.
 * @throws DiscordApiError, NoAnswerError
 */
export const registerCommands = async (parts: {
  readonly api: Pick<DiscordApi, "json">;
  readonly applicationId: string;
  readonly definitions: readonly (Command | MessageCommand)["definition"][];
}): Promise<"unchanged" | "published"> => {
  const { api, applicationId, definitions } = parts;
  const path = `/applications/${applicationId}/commands`;
  const held = await api.json("GET", `${path}?with_localizations=true`);
  if (sameCommands(held, definitions)) return "unchanged";
  await api.json("PUT", path, definitions);
  return "published";
};
