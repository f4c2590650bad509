import { GUILD, type PersonLocale } from "../../world.ts";
import {
  type ActionResult,
  type Choice,
  closeModal,
  directChannelOf,
  type DiscordState,
  type PersonState,
  type ShownModal,
  type StoredMessage,
} from "../state.ts";
import type { Discord } from "../rest/call.ts";
import { actAutocomplete, actCommand, actMessageCommand } from "./commands.ts";
import { actClick, actForgedClick, actModal, actSelect } from "./components.ts";
import { createMessage } from "../messages.ts";

export interface CommandInput {
  readonly channelId: string;
  readonly name: string;
  readonly subcommand?: string;
  /** Option values by name; ids for users, channels and roles. */
  readonly options?: Readonly<Record<string, string | boolean | number>>;
}

/**
 * A person at Discord's client. Actions resolve with the final result (never a deferred answer), or with a failure
 * after 3 seconds without an answer.
 */
export interface Person {
  readonly id: string;
  readonly command: (input: CommandInput) => Promise<ActionResult>;
  /** Suggestions for the option `focused`; empty if the bot does not answer. */
  readonly autocomplete: (
    input: CommandInput & { readonly focused: string },
  ) => Promise<readonly Choice[]>;
  /** Runs a message command by its name. */
  readonly messageCommand: (messageId: string, name: string) => Promise<ActionResult>;
  /** Writes a public message. @throws RangeError for an unknown channel. */
  readonly write: (
    channelId: string,
    content: string,
    files?: readonly PersonFile[],
  ) => StoredMessage;
  readonly click: (messageId: string, customId: string) => Promise<ActionResult>;
  /** Like `click`, without the checks of Discord's client: takes any message and any id. */
  readonly forgeClick: (messageId: string, customId: string) => Promise<ActionResult>;
  readonly select: (
    messageId: string,
    customId: string,
    values: readonly string[],
  ) => Promise<ActionResult>;
  /** `fields`: text by field id. */
  readonly submitModal: (
    modal: ShownModal,
    fields: Readonly<Record<string, string>>,
  ) => Promise<ActionResult>;
  /** Closes a form without sending it. */
  readonly dismissModal: (modal: ShownModal) => void;
  /** Changes the language of this person's client; pt-BR at first. */
  readonly setLocale: (locale: PersonLocale) => void;
  /** Opens the direct messages with the bot and returns the channel's id. */
  readonly openDirectMessages: () => string;
  /** Joins or leaves a guild (default: the main guild). The direct messages so far remain. */
  readonly setInGuild: (inGuild: boolean, guildId?: string) => void;
  /** Whether the bot may write to this person directly; true at first. */
  readonly setAcceptsDirectMessages: (accepts: boolean) => void;
}

interface PersonFile {
  readonly name: string;
  readonly type: string;
  readonly data: Buffer;
}

export const createPerson = (discord: Discord, actor: PersonState): Person => {
  const { state } = discord;
  return {
    id: actor.person.id,
    command: actCommand(discord, actor),
    autocomplete: actAutocomplete(discord, actor),
    messageCommand: actMessageCommand(discord, actor),
    write: writeMessage(state, actor),
    click: actClick(discord, actor),
    forgeClick: actForgedClick(discord, actor),
    select: actSelect(discord, actor),
    submitModal: actModal(discord, actor),
    dismissModal: (modal) => closeModal(state, actor.person.id, modal.id),
    setLocale: (locale) => {
      actor.locale = locale;
      state.changed();
    },
    openDirectMessages: () => directChannelOf(state, actor).id,
    setInGuild: (inGuild, guildId = GUILD.id) => {
      if (inGuild) actor.guildIds.add(guildId);
      else actor.guildIds.delete(guildId);
      state.changed();
    },
    setAcceptsDirectMessages: (accepts) => {
      actor.acceptsDirectMessages = accepts;
    },
  };
};

const writeMessage =
  (state: DiscordState, { person }: PersonState): Person["write"] =>
  (channelId, content, files = []) => {
    const channel = state.channels.get(channelId);
    if (channel === undefined) throw new RangeError(`No channel has the id ${channelId}`);
    const uploaded = files.map((file, index) => ({ ...file, field: `files[${index}]`, index }));
    // Mentions by people stay without effect here.
    const body = { content, allowed_mentions: { parse: [] } };
    return createMessage(state, { channelId, authorId: person.id, body, files: uploaded });
  };
