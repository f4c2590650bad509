import { actAutocomplete, actCommand } from "./act-command.ts";
import { actClick, actForgedClick, actSelect } from "./act-component.ts";
import { actMessageCommand } from "./act-message-command.ts";
import { actModal } from "./act-modal.ts";
import type { Discord } from "./call.ts";
import { directChannelOf } from "./channels.ts";
import { closeModal } from "./modals.ts";
import { writeMessage } from "./person-message.ts";
import type { Person } from "./person.ts";
import type { PersonState } from "./state.ts";

/** Somebody to act as. */
export const createPerson = (discord: Discord, actor: PersonState): Person => ({
  id: actor.person.id,
  command: (input) => actCommand(discord, actor, input),
  autocomplete: (input) => actAutocomplete(discord, actor, input),
  messageCommand: (messageId, name) => actMessageCommand(discord, actor, messageId, name),
  write: (channelId, content, files) =>
    writeMessage(discord.state, actor, channelId, content, files),
  click: (messageId, customId) => actClick(discord, actor, messageId, customId),
  forgeClick: (messageId, customId) => actForgedClick(discord, actor, messageId, customId),
  select: (messageId, customId, values) => actSelect(discord, actor, messageId, customId, values),
  submitModal: (modal, fields) => actModal(discord, actor, modal, fields),
  dismissModal: (modal) => closeModal(discord.state, actor.person.id, modal.id),
  setLocale: (locale) => {
    actor.locale = locale;
    discord.state.changed();
  },
  openDirectMessages: () => directChannelOf(discord.state, actor).id,
  setInGuild: (inGuild) => {
    actor.inGuild = inGuild;
    discord.state.changed();
  },
  setAcceptsDirectMessages: (accepts) => {
    actor.acceptsDirectMessages = accepts;
  },
});
