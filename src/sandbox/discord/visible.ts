import type { ChannelView, PersonView } from "./person-view.ts";
import { offeredCommands, offeredDirectly } from "./offered.ts";
import { GUILD } from "../world.ts";
import { compareIds } from "./snowflake.ts";
import type { ChannelState, DiscordState, PersonState } from "./state.ts";

const channelView = (channel: ChannelState, actor: PersonState): ChannelView => {
  const own = [...actor.privateMessages.values()].filter(
    ({ channelId }) => channelId === channel.id,
  );
  const messages = [...channel.messages.values(), ...own];
  return {
    id: channel.id,
    name: channel.name,
    topic: channel.topic,
    messages: own.length === 0 ? messages : messages.sort((a, b) => compareIds(a.id, b.id)),
  };
};

/** All that this person's screen can show at this moment. */
export const viewOf = (state: DiscordState, actor: PersonState, botOnline: boolean): PersonView => {
  const ofGuild = [...state.channels.values()].filter(
    ({ recipientId, guildId }) =>
      recipientId === undefined && guildId === GUILD.id && actor.inGuild,
  );
  const direct = state.channels.get(actor.directChannelId ?? "");
  return {
    person: actor.person,
    locale: actor.locale,
    botOnline,
    channels: ofGuild.map((channel) => channelView(channel, actor)),
    directMessages: direct === undefined ? undefined : channelView(direct, actor),
    commands: offeredCommands(state, actor),
    directCommands: offeredDirectly(state),
    modals: [...actor.modals.values()],
  };
};
