import type {
  RESTPostAPIChatInputApplicationCommandsJSONBody,
  RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from "discord-api-types/v10";
import type { Services } from "../services/services.ts";
import { inGuildsAndDirect } from "../shared/discord-enums.ts";
import type { Locale } from "../texts/locale.ts";
import type { Modal, Reply } from "../views/reply.ts";

/** Who typed or clicked, where and when: all that a handler may know of the interaction. */
export interface Invocation {
  readonly interactionId: string;
  /** Empty in a direct message, which only what has `inDirectMessages: true` ever sees. */
  readonly guildId: string;
  /** Server that the person chose in a direct message, whose connection is meant; undefined where nothing was chosen. */
  readonly chosenGuildId?: string;
  readonly channelId: string;
  readonly userId: string;
  readonly memberPermissions: bigint;
  /** Language of the person. */
  readonly locale: Locale;
  /** Language of the guild, for what its channels read. */
  readonly guildLocale: Locale;
  readonly createdAt: Temporal.Instant;
}

export interface ChosenChannel {
  readonly id: string;
  /** Discord's channel type. */
  readonly type: number;
  /** The bot's own permissions there; undefined when Discord did not say. */
  readonly appPermissions: bigint | undefined;
}

export interface ChosenUser {
  readonly id: string;
  readonly bot: boolean;
}

/** Options of a slash command, read by name. A value of another type reads as undefined. */
export interface OptionReader {
  readonly string: (name: string) => string | undefined;
  readonly boolean: (name: string) => boolean | undefined;
  readonly user: (name: string) => ChosenUser | undefined;
  readonly channel: (name: string) => ChosenChannel | undefined;
  /** Its id. */
  readonly role: (name: string) => string | undefined;
}

/** The message on whose menu a command was chosen, as Discord showed it then. All of it is untrusted. */
export interface TargetMessage {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  /** The name that is shown, or the account's. */
  readonly authorName: string;
  readonly content: string;
  readonly writtenAt: Temporal.Instant;
  readonly editedAt: Temporal.Instant | undefined;
  /** Addresses of what is attached, in order. */
  readonly attachments: readonly string[];
}

/** What came with a click, a choice or a submitted modal. */
export interface ActionInput {
  /** What the component carried after its action's name; untrusted. */
  readonly argument: string;
  /** Selected values of a select. */
  readonly values: readonly string[];
  /** Typed text of a modal, by field id. */
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * - `read`: asks and changes nothing; a repeat is harmless. Answered directly when ready in about a second.
 * - `write`: changes something of ours; claimed once in the database by interaction id.
 * - `modal`: opens a form; must answer at once from what is already at hand.
 * - `money`: may move money. Claimed like a write, then deferred at once; run only when Discord surely took the deferral,
 *   so that nothing moves unseen. Whatever breaks in it is told as `money_uncertain`.
 */
export type HandlerKind = "read" | "write" | "modal" | "money";

export type Answer = Reply | Modal;

/**
 * What works in direct messages with the bot too, where nobody has permissions.
 * - `true`: there is no guild.
 * - `as_owner`: the guild is that of the person's connection; whoever has none is told, and who has several wallet
 *   accounts is asked.
 */
export type InDirectMessages = true | "as_owner";

export interface Handler<Source> {
  readonly kind: HandlerKind;
  readonly inDirectMessages?: InDirectMessages;
  /** Keeps money from leaving: no limit of commands of the guild, and no other command of the person, holds it back. */
  readonly stopsMoney?: true;
  /** @throws UserError, WalletError */
  readonly run: (source: Source, invocation: Invocation, services: Services) => Promise<Answer>;
}

export interface HandlerParts<Source, Input> {
  readonly kind: HandlerKind;
  readonly inDirectMessages?: InDirectMessages;
  readonly stopsMoney?: true;
  /** What was typed, made into valid input. @throws UserError */
  readonly parse: (source: Source, invocation: Invocation) => Input;
  readonly run: (
    input: Input,
    invocation: Invocation,
    services: Services,
  ) => Promise<Answer> | Answer;
}

/** Joins `parse` and `run`, so that a list of commands needs no type of each one's input. */
const bind = <Source, Input>(parts: HandlerParts<Source, Input>): Handler<Source> => ({
  kind: parts.kind,
  ...(parts.inDirectMessages && { inDirectMessages: parts.inDirectMessages }),
  ...(parts.stopsMoney === true && { stopsMoney: true }),
  run: async (source, invocation, services) =>
    await parts.run(parts.parse(source, invocation), invocation, services),
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

/** Discord shows no more suggestions than this at once. */
export const MOST_SUGGESTIONS = 25;

export interface Suggestion {
  /** What the person sees, at most 100 characters. */
  readonly name: string;
  readonly value: string;
}

export type Autocomplete = (
  typed: { readonly option: string; readonly text: string },
  invocation: Invocation,
  services: Services,
) => Promise<readonly Suggestion[]>;

export interface Command {
  /** For all of it that does not say otherwise; Discord then offers the command there. */
  readonly inDirectMessages?: InDirectMessages;
  readonly definition: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /** One handler, or one for each subcommand by name. */
  readonly handlers: Handler<OptionReader> | Readonly<Record<string, Handler<OptionReader>>>;
  /** Buttons, selects and modals of this command, by action name. */
  readonly actions?: Readonly<Record<string, Action>>;
  readonly autocomplete?: Autocomplete;
}

/** A command in the menu of a message, by Discord's type 3. Its forms and buttons belong to a slash command. */
export interface MessageCommand {
  readonly definition: RESTPostAPIContextMenuApplicationCommandsJSONBody;
  readonly onMessage: Handler<TargetMessage>;
}

export const defineCommand = (command: Command): Command =>
  command.inDirectMessages === undefined
    ? command
    : { ...command, definition: { ...command.definition, ...inGuildsAndDirect } };

export const defineMessageCommand = (command: MessageCommand): MessageCommand => command;

export const isSlashCommand = (command: Command | MessageCommand): command is Command =>
  "handlers" in command;
