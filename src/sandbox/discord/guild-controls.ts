import { GatewayIntentBits } from "discord-api-types/v10";
import { GUILD } from "../world.ts";
import type { Discord } from "./rest/call.ts";
import { deleteMessage } from "./messages.ts";
import { BOT_INVITED } from "./permissions.ts";
import { renderChannel } from "./api-objects.ts";
import { type ChannelState, newChannel } from "./state.ts";

/** Changes that administrators or Discord make to a guild without the bot. */
export const createGuildControls = ({ state, gateway }: Discord) => {
  const dispatchToGuild = (guildId: string, type: string, data: unknown): void => {
    gateway.dispatch(guildId, GatewayIntentBits.Guilds, type, data);
    state.changed();
  };
  const change = (
    channelId: string,
    changes: Partial<Pick<ChannelState, "botPermissions" | "deniedToEveryone">>,
  ): void => {
    const channel = state.channels.get(channelId);
    if (channel === undefined) throw new RangeError(`No channel ${channelId}`);
    Object.assign(channel, changes);
    dispatchToGuild(channel.guildId, "CHANNEL_UPDATE", renderChannel(state, channel));
  };

  return {
    /** Adds a text channel to a guild that the bot is in (default: the main guild) and returns its id. */
    addChannel: (name: string, guildId: string = GUILD.id): string => {
      const channel = newChannel(state.newId(), name, "", BOT_INVITED, undefined, guildId);
      state.channels.set(channel.id, channel);
      dispatchToGuild(guildId, "CHANNEL_CREATE", renderChannel(state, channel));
      return channel.id;
    },
    deleteChannel: (channelId: string): void => {
      const channel = state.channels.get(channelId);
      if (channel === undefined) return;
      const rendered = renderChannel(state, channel);
      state.channels.delete(channelId);
      dispatchToGuild(channel.guildId, "CHANNEL_DELETE", rendered);
    },
    deleteMessage: (messageId: string): void => {
      for (const { messages } of state.channels.values()) {
        const message = messages.get(messageId);
        if (message !== undefined) deleteMessage(state, message);
      }
      for (const { privateMessages } of state.people.values()) {
        const message = privateMessages.get(messageId);
        if (message !== undefined) deleteMessage(state, message);
      }
    },
    /** Replaces the bot's permissions in this channel. */
    setBotPermissions: (channelId: string, botPermissions: bigint): void =>
      change(channelId, { botPermissions }),
    /** Takes permissions in this channel from all people; the bot keeps its own. */
    denyEveryone: (channelId: string, deniedToEveryone: bigint): void =>
      change(channelId, { deniedToEveryone }),
  };
};
