import { GUILD, type PersonLocale } from "../../world.ts";
import {
  closeModal,
  directChannelOf,
  type PersonState,
  type ShownModal,
  type StoredMessage,
} from "../state.ts";
import type { Discord } from "../rest/call.ts";
import { actAutocomplete, actCommand, actMessageCommand } from "./commands.ts";
import { actClick, actForgedClick, actModal, actSelect } from "./components.ts";
import type { UploadedFile } from "../message-body.ts";
import { createMessage } from "../messages.ts";

export interface CommandInput {
  readonly channelId: string;
  readonly name: string;
  readonly subcommand?: string;
  /** Option values by name; ids for users, channels and roles. */
  readonly options?: Readonly<Record<string, string | boolean | number>>;
}

export type Person = ReturnType<typeof createPerson>;

/**
 * A person at Discord's client. Actions resolve with the final result (never a deferred answer), or with a failure
 * after 3 seconds without an answer.
 */
export const createPerson = (discord: Discord, actor: PersonState) => {
  const { state } = discord;
  return {
    id: actor.person.id,
    command: actCommand(discord, actor),
    autocomplete: actAutocomplete(discord, actor),
    messageCommand: actMessageCommand(discord, actor),
    /** Writes a public message. @throws RangeError for an unknown channel. */
    write: (
      channelId: string,
      content: string,
      files: readonly Pick<UploadedFile, "name" | "type" | "data">[] = [],
    ): StoredMessage => {
      if (!state.channels.has(channelId))
        throw new RangeError(`No channel has the id ${channelId}`);
      const uploaded = files.map((file, index) => ({ ...file, field: `files[${index}]`, index }));
      // Mentions by people stay without effect here.
      const body = { content, allowed_mentions: { parse: [] } };
      const authorId = actor.person.id;
      return createMessage(state, { channelId, authorId, body, files: uploaded });
    },
    click: actClick(discord, actor),
    forgeClick: actForgedClick(discord, actor),
    select: actSelect(discord, actor),
    submitModal: actModal(discord, actor),
    /** Closes a form without sending it. */
    dismissModal: (modal: ShownModal): void => closeModal(state, actor.person.id, modal.id),
    /** Changes the language of this person's client; pt-BR at first. */
    setLocale: (locale: PersonLocale): void => {
      actor.locale = locale;
      state.changed();
    },
    /** Opens the direct messages with the bot and returns the channel's id. */
    openDirectMessages: (): string => directChannelOf(state, actor).id,
    /** Joins or leaves a guild (default: the main guild). The direct messages so far remain. */
    setInGuild: (inGuild: boolean, guildId: string = GUILD.id): void => {
      if (inGuild) actor.guildIds.add(guildId);
      else actor.guildIds.delete(guildId);
      state.changed();
    },
    /** Whether the bot may write to this person directly; true at first. */
    setAcceptsDirectMessages: (accepts: boolean): void => {
      actor.acceptsDirectMessages = accepts;
    },
  };
};
