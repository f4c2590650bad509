import { GatewayIntentBits } from "discord-api-types/v10";
import { GUILD } from "../world.ts";
import type { Discord } from "./rest/call.ts";
import { mainGuild } from "./guilds.ts";
import { deleteMessage } from "./messages.ts";
import { BOT_INVITED } from "./permissions.ts";
import { renderChannel } from "./api-objects.ts";
import { newChannel } from "./state.ts";

/** What administrators and Discord itself do to a guild behind the bot's back. */
export interface GuildControls {
  /** A further text channel, of the first guild unless another one that the bot is in is named; gives its id. */
  readonly addChannel: (name: string, guildId?: string) => string;
  readonly deleteChannel: (channelId: string) => void;
  readonly deleteMessage: (messageId: string) => void;
  /** All that the bot may do in this channel, as a permission bit set. */
  readonly setBotPermissions: (channelId: string, permissions: bigint) => void;
  /** Takes the bot out of the guild, or back into it. */
  readonly setBotInGuild: (inGuild: boolean) => void;
  /** Another bot token from now on; connections with the old one are closed with 4004. */
  readonly resetToken: (token: string) => void;
}

export const createGuildControls = ({ state, gateway }: Discord): GuildControls => {
  const dispatchToGuild = (type: string, data: unknown): void => {
    gateway.dispatch(GUILD.id, GatewayIntentBits.Guilds, type, data);
    state.changed();
  };

  return {
    addChannel: (name, guildId = GUILD.id) => {
      const channel = newChannel(state.newId(), name, "", BOT_INVITED, undefined, guildId);
      state.channels.set(channel.id, channel);
      gateway.dispatch(
        guildId,
        GatewayIntentBits.Guilds,
        "CHANNEL_CREATE",
        renderChannel(state, channel),
      );
      state.changed();
      return channel.id;
    },
    deleteChannel: (channelId) => {
      const channel = state.channels.get(channelId);
      if (channel === undefined) return;
      const rendered = renderChannel(state, channel);
      state.channels.delete(channelId);
      dispatchToGuild("CHANNEL_DELETE", rendered);
    },
    deleteMessage: (messageId) => {
      for (const { messages } of state.channels.values()) {
        const message = messages.get(messageId);
        if (message !== undefined) deleteMessage(state, message);
      }
      for (const { privateMessages } of state.people.values()) {
        const message = privateMessages.get(messageId);
        if (message !== undefined) deleteMessage(state, message);
      }
    },
    setBotPermissions: (channelId, permissions) => {
      const channel = state.channels.get(channelId);
      if (channel === undefined) throw new RangeError(`No channel ${channelId}`);
      channel.botPermissions = permissions;
      dispatchToGuild("CHANNEL_UPDATE", renderChannel(state, channel));
    },
    setBotInGuild: (inGuild) => {
      if (state.botInGuild === inGuild) return;
      state.botInGuild = inGuild;
      if (inGuild) dispatchToGuild("GUILD_CREATE", mainGuild(state));
      else dispatchToGuild("GUILD_DELETE", { id: GUILD.id });
    },
    resetToken: (token) => {
      state.token = token;
      gateway.control.drop(4004);
    },
  };
};
