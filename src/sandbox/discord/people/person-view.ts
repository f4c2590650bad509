import {
  type APIApplicationCommand,
  InteractionContextType,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import { GUILD } from "../../world.ts";
import type { ChannelState, DiscordState, PersonState } from "../state.ts";
import { compareIds } from "../snowflake.ts";
import { allows, personPermissions } from "../permissions.ts";

const channelView = (channel: ChannelState, actor: PersonState) => {
  const own = [...actor.privateMessages.values()].filter(
    ({ channelId }) => channelId === channel.id,
  );
  const messages = [...channel.messages.values(), ...own];
  return {
    id: channel.id,
    name: channel.name,
    topic: channel.topic,
    /** Public messages and this person's private messages, oldest first. */
    messages: own.length === 0 ? messages : messages.sort((a, b) => compareIds(a.id, b.id)),
  };
};

export type PersonView = ReturnType<typeof viewOf>;

/** The current contents of a person's Discord client. `botOnline`: shown by the dot beside the bot's name. */
export const viewOf = (state: DiscordState, actor: PersonState, botOnline: boolean) => {
  const commands = [...state.commands.values()];
  const inGuild = actor.guildIds.has(GUILD.id);
  const ofGuild = [...state.channels.values()].filter(
    ({ recipientId, guildId }) => recipientId === undefined && guildId === GUILD.id && inGuild,
  );
  const direct = state.channels.get(actor.directChannelId ?? "");
  return {
    person: actor.person,
    locale: actor.locale,
    botOnline,
    channels: ofGuild.map((channel) => channelView(channel, actor)),
    /** Undefined until the bot or the person opens it. */
    directMessages: direct === undefined ? undefined : channelView(direct, actor),
    commands: inGuild ? commands.filter((command) => mayUse(command, actor)) : [],
    directCommands: commands.filter(worksInDirectMessages),
    /** Open forms, oldest first. */
    modals: [...actor.modals.values()],
  };
};

/** Whether Discord offers this command in direct messages with the bot. Guild permissions do not apply there. */
export const worksInDirectMessages = ({
  contexts,
  dm_permission: allowed,
}: Pick<APIApplicationCommand, "contexts" | "dm_permission">): boolean =>
  contexts?.includes(InteractionContextType.BotDM) ?? allowed ?? true;

/** Whether Discord offers this command to this person in the guild; "0" means administrators only. */
export const mayUse = (command: APIApplicationCommand, { person }: PersonState): boolean => {
  const needed = command.default_member_permissions;
  if (needed === null || needed === undefined) return true;
  const bits = BigInt(needed);
  return allows(personPermissions(person), bits === 0n ? PermissionFlagsBits.Administrator : bits);
};
