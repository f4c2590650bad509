import type {
  RESTPostAPIChatInputApplicationCommandsJSONBody,
  RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from "discord-api-types/v10";
import type { Services } from "../services.ts";
import { inGuildsAndDirect } from "../shared/discord-enums.ts";
import type { Locale } from "../shared/locale.ts";
import type { Modal, Reply, Suggestion } from "../ui/reply.ts";

/** Person, place and time of an interaction: handlers see no more of it. */
export interface Invocation {
  readonly interactionId: string;
  /** Empty in a direct message; only handlers with `inDirectMessages: true` get such invocations. */
  readonly guildId: string;
  /** Server that the person chose in a direct message; undefined before a choice. */
  readonly chosenGuildId?: string;
  /** Set in a direct message whose `guildId` is the server of the person's connection. */
  readonly fromDirectMessage?: true;
  readonly channelId: string;
  /** Set where the channel is a thread, in which writing is a permission of its own. */
  readonly inThread?: true;
  /** Set in a locked thread, in which only those write who manage threads. */
  readonly isLocked?: true;
  readonly userId: string;
  /** Those of the person in this channel, with its overwrites. */
  readonly memberPermissions: bigint;
  /** The bot's own permissions there; undefined when Discord did not say. */
  readonly appPermissions?: bigint | undefined;
  readonly locale: Locale;
  /** Language of posts that all read; the person's where the server has not chosen one. */
  readonly guildLocale: Locale;
  readonly createdAt: Temporal.Instant;
}

export interface ChosenChannel {
  readonly id: string;
  readonly type: number;
  /** The bot's own permissions there; undefined when Discord did not say. */
  readonly appPermissions: bigint | undefined;
}

export interface ChosenUser {
  readonly id: string;
  readonly bot: boolean;
  /** Whether the user is in the server of the command: Discord also takes the id of another user. */
  readonly isMember: boolean;
}

/** Options of a slash command, read by name. A value of another type reads as undefined. */
export interface OptionReader {
  readonly string: (name: string) => string | undefined;
  readonly boolean: (name: string) => boolean | undefined;
  readonly user: (name: string) => ChosenUser | undefined;
  readonly channel: (name: string) => ChosenChannel | undefined;
  readonly role: (name: string) => string | undefined;
}

/** The message on which a person chose a command, as Discord showed it then. All of it is untrusted. */
export interface TargetMessage {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  /** Display name, or else the account's name. */
  readonly authorName: string;
  /** Its text, then that of its embeds, its components and of forwarded messages. */
  readonly content: string;
  readonly writtenAt: Temporal.Instant;
  readonly editedAt: Temporal.Instant | undefined;
  /** Names of the files. */
  readonly attachments: readonly string[];
  /** Whether the author forwarded a message, whose own author Discord does not name. */
  readonly forwarded: boolean;
}

export interface ActionInput {
  /** Rest of the custom id after the action's name; untrusted. */
  readonly argument: string;
  readonly values: readonly string[];
  readonly fields: ReadonlyMap<string, string>;
  /** The choice in a menu of channels. */
  readonly channel?: ChosenChannel | undefined;
}

/**
 * - `read`: changes nothing, so a repeat is harmless. Answered directly when ready in about a second.
 * - `write`: changes our data; claimed once in the database by interaction id.
 * - `modal`: opens a form; must answer at once from local data.
 * - `money`: may move money. Claimed like a write, then deferred; runs only after Discord confirmed the deferral, so
 *   that the person sees the result. Later failures, except mistakes of the person, are shown as `money_uncertain`.
 */
export type HandlerKind = "read" | "write" | "modal" | "money";

export type Answer = Reply | Modal;

/**
 * Use in direct messages with the bot, where people have no permissions.
 * - `true`: runs without a guild.
 * - `as_owner`: runs in the guild of the person's connection. People without a connection get an error; people with
 *   several accounts choose one.
 * - `in_server`: the same about data that each server has of its own. People in several servers choose one.
 */
type InDirectMessages = true | "as_owner" | "in_server";

export interface Handler<Source> {
  readonly kind: HandlerKind;
  readonly inDirectMessages?: InDirectMessages;
  /** Keeps money from leaving: exempt from the guild's limit, and counted apart from the person's other commands. */
  readonly stopsMoney?: true;
  /** Opens the form that sends money, from local data: exempt from the guild's limit, as the form's own action is. */
  readonly confirmsMoney?: true;
  /** @throws UserError, WalletError */
  readonly run: (source: Source, invocation: Invocation, services: Services) => Promise<Answer>;
}

export interface HandlerParts<Source, Input> extends Omit<Handler<Source>, "run"> {
  /** Makes valid input of the typed text. @throws UserError */
  readonly parse: (source: Source, invocation: Invocation) => Input;
  readonly run: (
    input: Input,
    invocation: Invocation,
    services: Services,
  ) => Promise<Answer> | Answer;
}

/** Joins `parse` and `run`, so that the type of their input stays hidden in lists of handlers. */
const bind = <Source, Input>({
  parse,
  run,
  ...facts
}: HandlerParts<Source, Input>): Handler<Source> => ({
  ...facts,
  run: async (source, invocation, services) =>
    await run(parse(source, invocation), invocation, services),
});

export const messageHandler = <Input>(
  parts: HandlerParts<TargetMessage, Input>,
): Handler<TargetMessage> => bind(parts);

export const handler = <Input>(parts: HandlerParts<OptionReader, Input>): Handler<OptionReader> =>
  bind(parts);

export interface Action extends Handler<ActionInput> {
  /** `update` edits the message that held the component; `new` answers with a private message of its own. */
  readonly answers: "update" | "new";
}

export const action = <Input>(
  parts: HandlerParts<ActionInput, Input> & Pick<Action, "answers">,
): Action => ({ ...bind(parts), answers: parts.answers });

export type Autocomplete = (
  typed: { readonly option: string; readonly text: string },
  invocation: Invocation,
  services: Services,
) => Promise<readonly Suggestion[]>;

export interface Command {
  /** Default for all handlers and actions; Discord then also offers the command in direct messages. */
  readonly inDirectMessages?: InDirectMessages;
  readonly definition: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /** One handler, or one for each subcommand by name. */
  readonly handlers: Handler<OptionReader> | Readonly<Record<string, Handler<OptionReader>>>;
  readonly actions?: Readonly<Record<string, Action>>;
  readonly autocomplete?: Autocomplete;
}

/** Buttons of posts that no command opens. Their custom ids begin with `name`. */
export interface ButtonSet {
  readonly name: string;
  readonly actions: Readonly<Record<string, Action>>;
}

/** A command in the menu of messages (Discord's type 3). Its forms and buttons belong to a slash command. */
export interface MessageCommand {
  readonly definition: RESTPostAPIContextMenuApplicationCommandsJSONBody;
  readonly onMessage: Handler<TargetMessage>;
}

export const defineCommand = (command: Command): Command =>
  command.inDirectMessages === undefined
    ? command
    : { ...command, definition: { ...command.definition, ...inGuildsAndDirect } };

export const isSlashCommand = (command: Command | MessageCommand): command is Command =>
  "handlers" in command;

const SEPARATOR = ":";
const LONGEST_CUSTOM_ID = 100;

export const fitsCustomId = (id: string): boolean => id.length <= LONGEST_CUSTOM_ID;

interface ActionAddress {
  readonly command: string;
  readonly action: string;
  readonly argument: string;
}

/** The parts of an id that `customIdOf` made; undefined when it has another form. */
export const parseCustomId = (id: string): ActionAddress | undefined => {
  const [command, action, ...argument] = id.split(SEPARATOR);
  if (!command || !action) return undefined;
  return { command, action, argument: argument.join(SEPARATOR) };
};
