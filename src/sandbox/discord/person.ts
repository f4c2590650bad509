import type { PersonLocale } from "../world.ts";
import type { PersonFile } from "./person-message.ts";
import type { Choice, Shown, ShownModal, StoredMessage } from "./shown.ts";

export interface CommandInput {
  readonly channelId: string;
  readonly name: string;
  readonly subcommand?: string;
  /** Option values by name; ids for users, channels and roles. */
  readonly options?: Readonly<Record<string, string | boolean | number>>;
}

/**
 * Somebody at Discord's client. What a person asks for resolves with what they finally see (never with "thinking"), or
 * with a failure after 3 seconds without an answer.
 */
export interface Person {
  readonly id: string;
  readonly command: (input: CommandInput) => Promise<Shown>;
  /** What is offered while `focused` is being typed; empty when nothing came. */
  readonly autocomplete: (
    input: CommandInput & { readonly focused: string },
  ) => Promise<readonly Choice[]>;
  /** Chooses a command in the menu of a message, by the command's own name. */
  readonly messageCommand: (messageId: string, name: string) => Promise<Shown>;
  /** Writes a message that everybody in the channel sees. @throws RangeError when there is no such channel. */
  readonly write: (
    channelId: string,
    content: string,
    files?: readonly PersonFile[],
  ) => StoredMessage;
  readonly click: (messageId: string, customId: string) => Promise<Shown>;
  /** Like `click`, without what Discord's own client holds a person to: any message, any id. */
  readonly forgeClick: (messageId: string, customId: string) => Promise<Shown>;
  readonly select: (
    messageId: string,
    customId: string,
    values: readonly string[],
  ) => Promise<Shown>;
  /** Text by field id. */
  readonly submitModal: (
    modal: ShownModal,
    fields: Readonly<Record<string, string>>,
  ) => Promise<Shown>;
  /** Closes a form without sending it. */
  readonly dismissModal: (modal: ShownModal) => void;
  /** Language of this person's client from now on; pt-BR at first. */
  readonly setLocale: (locale: PersonLocale) => void;
  /** Opens the direct messages with the bot and gives the channel's id. */
  readonly openDirectMessages: () => string;
  /** Leaves the guild, or joins it again. Direct messages stay. */
  readonly setInGuild: (inGuild: boolean) => void;
  /** Whether the bot may write to this person directly; true at first. */
  readonly setAcceptsDirectMessages: (accepts: boolean) => void;
}
