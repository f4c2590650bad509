import {
  type APIApplicationCommand,
  type APIAttachment,
  type APIEmbed,
  type APIMessageTopLevelComponent,
  type APIModalInteractionResponseCallbackComponent,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import type { VirtualClock } from "../clock.ts";
import { CHANNELS, GUILD, PEOPLE, type PersonLocale, type SandboxPerson } from "../world.ts";
import { BOT_INVITED } from "./permissions.ts";
import { createSnowflakes } from "./snowflake.ts";

export interface ChannelState {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  /** The person at the other end of a direct channel; undefined in a guild channel. */
  readonly recipientId: string | undefined;
  /** The guild of a guild channel; direct channels ignore it. */
  readonly guildId: string;
  botPermissions: bigint;
  /** What the channel denies to @everyone, the bot excepted. */
  deniedToEveryone: bigint;
  /** Public messages by id, oldest first. */
  readonly messages: Map<string, StoredMessage>;
}

export interface PersonState {
  readonly person: SandboxPerson;
  locale: PersonLocale;
  acceptsDirectMessages: boolean;
  /** The guilds that this person is a member of. */
  readonly guildIds: Set<string>;
  directChannelId: string | undefined;
  /** Messages that only this person sees, by id, oldest first. */
  readonly privateMessages: Map<string, StoredMessage>;
  readonly modals: Map<string, ShownModal>;
}

interface StoredFile {
  readonly type: string;
  readonly data: Buffer;
}

/** The state of the local Discord, except connections and open interactions. */
export interface DiscordState {
  readonly clock: VirtualClock;
  readonly newId: () => string;
  /** `http://127.0.0.1:PORT` once the server listens; empty before. */
  origin: string;
  readonly channels: Map<string, ChannelState>;
  readonly people: Map<string, PersonState>;
  readonly commands: Map<string, APIApplicationCommand>;
  readonly files: Map<string, StoredFile>;
  readonly changed: () => void;
  readonly onChange: (listener: () => void) => () => void;
}

export const newChannel = (
  id: string,
  name: string,
  topic: string,
  botPermissions: bigint,
  recipientId?: string,
  guildId: string = GUILD.id,
): ChannelState => ({
  id,
  name,
  topic,
  guildId,
  botPermissions,
  deniedToEveryone: 0n,
  recipientId,
  messages: new Map(),
});

export const newPerson = (person: SandboxPerson): PersonState => ({
  person,
  locale: "pt-BR",
  acceptsDirectMessages: true,
  guildIds: new Set([GUILD.id]),
  directChannelId: undefined,
  privateMessages: new Map(),
  modals: new Map(),
});

/** The initial world: channels and people without messages. */
export const createState = (clock: VirtualClock): DiscordState => {
  const listeners = new Set<() => void>();
  const channels = new Map<string, ChannelState>();
  for (const { id, name, topic, botMayPost } of Object.values(CHANNELS)) {
    const permissions = botMayPost ? BOT_INVITED : BOT_INVITED & ~PermissionFlagsBits.SendMessages;
    channels.set(id, newChannel(id, name, topic, permissions));
  }
  return {
    clock,
    newId: createSnowflakes(clock),
    origin: "",
    channels,
    people: new Map(PEOPLE.map((person) => [person.id, newPerson(person)])),
    commands: new Map(),
    files: new Map(),
    changed: () => {
      for (const listener of listeners) listener();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const gatewayUrl = ({ origin }: DiscordState): string =>
  `${origin.replace("http", "ws")}/gateway`;

/** The direct channel between the bot and a person, created on first use. */
export const directChannelOf = (state: DiscordState, actor: PersonState): ChannelState => {
  actor.directChannelId ??= state.newId();
  const channel =
    state.channels.get(actor.directChannelId) ??
    newChannel(actor.directChannelId, "Balcão", "", BOT_INVITED, actor.person.id);
  state.channels.set(channel.id, channel);
  return channel;
};

/** Whether the person is in the guild of the channel, or at the other end of a direct channel. */
export const isIn = (
  { recipientId, guildId }: Pick<ChannelState, "guildId" | "recipientId">,
  { person, guildIds }: PersonState,
): boolean => (recipientId === undefined ? guildIds.has(guildId) : recipientId === person.id);

export const closeModal = (state: DiscordState, personId: string, modalId: string): void => {
  if (state.people.get(personId)?.modals.delete(modalId) === true) state.changed();
};

/** The interaction that a message answers. */
export interface AnsweredInteraction {
  readonly interactionId: string;
  readonly userId: string;
  /** `vendas` or `conta conectar`; undefined for a component or a modal. */
  readonly commandName: string | undefined;
}

/** A stored message: public in its channel, or private to one person. */
export interface StoredMessage {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly content: string;
  readonly embeds: readonly APIEmbed[];
  readonly components: readonly APIMessageTopLevelComponent[];
  readonly attachments: readonly APIAttachment[];
  readonly flags: number;
  readonly nonce: string | undefined;
  readonly createdAt: Temporal.Instant;
  readonly editedAt: Temporal.Instant | undefined;
  /** The only person who sees it; undefined for a public message. */
  readonly privateTo: string | undefined;
  /** A deferred answer: the person sees "está pensando…" until the bot edits it. */
  readonly thinking: boolean;
  readonly answers: AnsweredInteraction | undefined;
  /** Users that the content notified, after `allowed_mentions`. */
  readonly mentionedUserIds: readonly string[];
  readonly mentionedRoleIds: readonly string[];
  readonly mentionsEveryone: boolean;
}

export interface ShownField {
  readonly customId: string;
  readonly label: string;
  readonly placeholder: string | undefined;
  readonly value: string | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly required: boolean;
  /** Of a menu: at most one may be chosen. Undefined for a text input. */
  readonly options:
    | readonly {
        readonly value: string;
        readonly label: string;
        readonly description?: string | undefined;
      }[]
    | undefined;
}

export interface ShownModal {
  readonly id: string;
  readonly customId: string;
  readonly title: string;
  readonly channelId: string;
  /** The message with the button that opened the form. */
  readonly messageId: string | undefined;
  readonly fields: readonly ShownField[];
  /** As the bot sent them. */
  readonly components: readonly APIModalInteractionResponseCallbackComponent[];
}

/** Why an action failed: the bot did not answer, or Discord's client would not send the action. */
export type ActionFailure =
  /** No answer within 3 seconds. */
  | "no_answer"
  /** A deferred answer that the bot never completed while its token was valid. */
  | "unfinished"
  /** A deferred update of a message that was deleted. */
  | "deleted"
  | "offline"
  | "unknown_command"
  | "not_permitted"
  /** An option, value or field that Discord's client would not send. */
  | "invalid_input"
  /** The message, component or modal was removed, is disabled, or belongs to another person. */
  | "unknown_component";

/** The result of a person's action, as their screen shows it. */
export type ActionResult =
  | { readonly kind: "message"; readonly message: StoredMessage; readonly private: boolean }
  | { readonly kind: "modal"; readonly modal: ShownModal }
  /** `detail` explains the failure in test output. */
  | { readonly kind: "failed"; readonly reason: ActionFailure; readonly detail?: string };

export interface Choice {
  readonly name: string;
  readonly value: string | number;
}
