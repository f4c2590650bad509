import type { APIApplicationCommand } from "discord-api-types/v10";
import type { VirtualClock } from "../clock.ts";
import type { PersonLocale, SandboxPerson } from "../world.ts";
import { APPLICATION, CHANNELS, GUILD, PEOPLE } from "../world.ts";
import { BOT_INVITED, PERMISSION } from "./permissions.ts";
import type { ShownModal, StoredMessage } from "./shown.ts";
import { createSnowflakes } from "./snowflake.ts";

export interface ChannelState {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  /** The person at the other end of a direct channel; undefined in a channel of the guild. */
  readonly recipientId: string | undefined;
  /** Guild of a channel that is no direct one. */
  readonly guildId: string;
  botPermissions: bigint;
  /** Public ones by id, oldest first. */
  readonly messages: Map<string, StoredMessage>;
}

export interface PersonState {
  readonly person: SandboxPerson;
  locale: PersonLocale;
  acceptsDirectMessages: boolean;
  /** Whether this person is a member of the guild where things happen. */
  inGuild: boolean;
  directChannelId: string | undefined;
  /** Messages that nobody else sees, by id, oldest first. */
  readonly privateMessages: Map<string, StoredMessage>;
  readonly modals: Map<string, ShownModal>;
}

/** A file as it can be downloaded. */
interface StoredFile {
  readonly type: string;
  readonly data: Buffer;
}

/** Everything that the local Discord knows, apart from connections and interactions under way. */
export interface DiscordState {
  readonly clock: VirtualClock;
  readonly newId: () => string;
  token: string;
  botInGuild: boolean;
  /** `http://127.0.0.1:PORT`, once it listens. */
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
  recipientId,
  messages: new Map(),
});

export const newPerson = (person: SandboxPerson): PersonState => ({
  person,
  locale: "pt-BR",
  acceptsDirectMessages: true,
  inGuild: true,
  directChannelId: undefined,
  privateMessages: new Map(),
  modals: new Map(),
});

/** The sandbox's world at its beginning: channels and people, and nothing said yet. */
export const createState = (clock: VirtualClock): DiscordState => {
  const listeners = new Set<() => void>();
  const channels = new Map<string, ChannelState>();
  for (const { id, name, topic, botMayPost } of Object.values(CHANNELS)) {
    const permissions = botMayPost ? BOT_INVITED : BOT_INVITED & ~PERMISSION.SEND_MESSAGES;
    channels.set(id, newChannel(id, name, topic, permissions));
  }
  return {
    clock,
    newId: createSnowflakes(clock),
    token: APPLICATION.token,
    botInGuild: true,
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
