import type { APIApplicationCommand } from "discord-api-types/v10";
import type { PersonLocale, SandboxPerson } from "../world.ts";
import type { ShownModal, StoredMessage } from "./shown.ts";

export interface ChannelView {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  /** Public ones and this person's private ones, oldest first. */
  readonly messages: readonly StoredMessage[];
}

/** All that one person's screen can show at this moment. */
export interface PersonView {
  readonly person: SandboxPerson;
  readonly locale: PersonLocale;
  /** Whether a bot is connected: the dot beside its name. */
  readonly botOnline: boolean;
  readonly channels: readonly ChannelView[];
  /** Undefined until the bot opens it. */
  readonly directMessages: ChannelView | undefined;
  /** Those that Discord offers to this person. */
  readonly commands: readonly APIApplicationCommand[];
  /** Those that Discord offers in direct messages with the bot. */
  readonly directCommands: readonly APIApplicationCommand[];
  /** Open forms, oldest first. */
  readonly modals: readonly ShownModal[];
}
