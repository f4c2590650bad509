import { type APIApplicationCommand, InteractionContextType } from "discord-api-types/v10";
import { allows, PERMISSION, personPermissions } from "./permissions.ts";
import type { DiscordState, PersonState } from "./state.ts";

/** Whether Discord offers this command in direct messages with the bot, where no permission of a guild counts. */
export const worksInDirectMessages = ({
  contexts,
  dm_permission: allowed,
}: Pick<APIApplicationCommand, "contexts" | "dm_permission">): boolean =>
  contexts?.includes(InteractionContextType.BotDM) ?? allowed ?? true;

/** Whether Discord offers this command to this person in the guild; "0" leaves it to administrators. */
export const mayUse = (command: APIApplicationCommand, { person }: PersonState): boolean => {
  const needed = command.default_member_permissions;
  if (needed === null || needed === undefined) return true;
  const bits = BigInt(needed);
  return allows(personPermissions(person), bits === 0n ? PERMISSION.ADMINISTRATOR : bits);
};

/** The commands that this person's client lists in the guild. */
export const offeredCommands = (
  state: DiscordState,
  actor: PersonState,
): readonly APIApplicationCommand[] =>
  state.botInGuild && actor.inGuild
    ? [...state.commands.values()].filter((command) => mayUse(command, actor))
    : [];

/** The commands that a person's client lists in direct messages with the bot. */
export const offeredDirectly = (state: DiscordState): readonly APIApplicationCommand[] =>
  [...state.commands.values()].filter(worksInDirectMessages);
