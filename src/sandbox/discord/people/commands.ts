import {
  type APIApplicationCommand,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionType,
} from "discord-api-types/v10";
import {
  sendInteraction,
  asActionResult,
  failed,
  type Place,
  resolveIds,
} from "./interaction-create.ts";
import type { Discord } from "../rest/call.ts";
import type { CommandInput } from "./person.ts";
import { type Outcome } from "../interactions.ts";
import { mayUse, worksInDirectMessages } from "./person-view.ts";
import {
  type ActionResult,
  type Choice,
  type DiscordState,
  isIn,
  type PersonState,
} from "../state.ts";
import { type OptionLike } from "../limits/commands.ts";
import { lengthOf } from "../limits/checks.ts";
import { isSnowflake } from "../snowflake.ts";
import { messageSeenBy } from "../messages.ts";
import { renderMessage } from "../api-objects.ts";

const send = async (
  discord: Discord,
  actor: PersonState,
  input: CommandInput,
  focused: string | undefined,
): Promise<Outcome> => {
  const { state } = discord;
  const channel = state.channels.get(input.channelId);
  const command = [...state.commands.values()].find(
    ({ name, type }) => name === input.name && type === ApplicationCommandType.ChatInput,
  );
  if (command === undefined) return failed("unknown_command", `/${input.name} is not registered`);
  if (channel === undefined) return failed("unknown_command", "there is no such channel");
  if (channel.recipientId === undefined) {
    if (!isIn(channel, actor)) return failed("unknown_command", "the person is not in the guild");
    if (!mayUse(command, actor)) return failed("not_permitted");
  } else if (channel.recipientId !== actor.person.id || !worksInDirectMessages(command)) {
    return failed("unknown_command", `/${input.name} is not offered there`);
  }
  const built = commandData(state, {
    command,
    subcommand: input.subcommand,
    options: input.options ?? {},
    focused,
    place: { personId: actor.person.id, guildId: channel.guildId },
  });
  if ("refused" in built) return failed("invalid_input", built.refused);
  return await sendInteraction(discord, {
    actor,
    channel,
    data: built.data,
    interaction: {
      kind:
        focused === undefined
          ? InteractionType.ApplicationCommand
          : InteractionType.ApplicationCommandAutocomplete,
      commandName: built.title,
    },
  });
};

export const actCommand =
  (discord: Discord, actor: PersonState) =>
  async (input: CommandInput): Promise<ActionResult> =>
    asActionResult(await send(discord, actor, input, undefined));

/** Suggestions for the focused option; empty if the bot does not answer. */
export const actAutocomplete =
  (discord: Discord, actor: PersonState) =>
  async (input: CommandInput & { readonly focused: string }): Promise<readonly Choice[]> => {
    const outcome = await send(discord, actor, input, input.focused);
    return outcome.kind === "choices" ? outcome.choices : [];
  };

/** A slash command as the person typed it. */
interface TypedCommand {
  readonly command: APIApplicationCommand;
  readonly subcommand: string | undefined;
  readonly options: Readonly<Record<string, OptionValue>>;
  /** The option for which suggestions are requested. */
  readonly focused: string | undefined;
  readonly place: Place;
}

/** `data` of an interaction, or the reason why Discord's client would not send it. */
type CommandData = { readonly data: object; readonly title: string } | { readonly refused: string };

interface SentOption {
  readonly name: string;
  readonly type: ApplicationCommandOptionType;
  readonly value?: OptionValue;
  readonly focused?: true;
  readonly options?: readonly SentOption[];
}

const optionsOf = (holder: { readonly options?: unknown }): readonly OptionLike[] =>
  (holder.options ?? []) as readonly OptionLike[];

/** The options of the typed subcommand, or of a command without subcommands. */
const typable = (
  typed: TypedCommand,
): { readonly options: readonly OptionLike[] } | { readonly refused: string } => {
  const options = optionsOf(typed.command);
  const hasSubcommands = options.some(
    ({ type }) => type === ApplicationCommandOptionType.Subcommand,
  );
  if (!hasSubcommands) {
    return typed.subcommand === undefined
      ? { options }
      : { refused: `/${typed.command.name} has no subcommands` };
  }
  const chosen = options.find(({ name }) => name === typed.subcommand);
  return chosen === undefined
    ? { refused: `/${typed.command.name} has no subcommand ${typed.subcommand ?? "(none given)"}` }
    : { options: optionsOf(chosen) };
};

const problemOf = (options: readonly OptionLike[], typed: TypedCommand): string | undefined => {
  const unknown = Object.keys(typed.options).find((name) => !options.some((o) => o.name === name));
  if (unknown !== undefined) return `no option ${unknown}`;
  if (typed.focused !== undefined) {
    const focused = options.find(({ name }) => name === typed.focused);
    return focused?.autocomplete === true ? undefined : `${typed.focused} suggests nothing`;
  }
  for (const option of options) {
    const value = typed.options[option.name];
    if (value === undefined && option.required === true) return `option ${option.name} is required`;
    if (value !== undefined && !fitsOption(option, value))
      return `${option.name} takes no such value`;
  }
  return undefined;
};

const sentOption = (option: OptionLike, typed: TypedCommand): readonly SentOption[] => {
  const { name, type } = option;
  const isFocused = typed.focused === name;
  const value = typed.options[name];
  if (isFocused) return [{ name, type, value: String(value ?? ""), focused: true }];
  return value === undefined ? [] : [{ name, type, value }];
};

/** Converts a typed command to interaction data, as Discord's client does. */
const commandData = (state: DiscordState, typed: TypedCommand): CommandData => {
  const { command, subcommand } = typed;
  const found = typable(typed);
  if ("refused" in found) return found;
  const problem = problemOf(found.options, typed);
  if (problem !== undefined) return { refused: problem };
  const sent = found.options.flatMap((option) => sentOption(option, typed));
  const resolved = resolveIds(state, sent, typed.place);
  if ("refused" in resolved) return resolved;
  const options =
    subcommand === undefined
      ? sent
      : [{ name: subcommand, type: ApplicationCommandOptionType.Subcommand, options: sent }];
  return {
    title: subcommand === undefined ? command.name : `${command.name} ${subcommand}`,
    data: {
      id: command.id,
      name: command.name,
      type: ApplicationCommandType.ChatInput,
      ...(options.length === 0 ? {} : { options }),
      ...resolved,
    },
  };
};

type OptionValue = string | boolean | number;

const isBetween = (value: number, low: number | undefined, high: number | undefined): boolean =>
  value >= (low ?? -Infinity) && value <= (high ?? Infinity);

const fitsText = (option: OptionLike, value: OptionValue): boolean =>
  typeof value === "string" &&
  isBetween(lengthOf(value), option.min_length, option.max_length ?? 6_000);

const fitsNumber = (option: OptionLike, value: OptionValue): boolean =>
  typeof value === "number" &&
  Number.isFinite(value) &&
  (option.type === ApplicationCommandOptionType.Number || Number.isSafeInteger(value)) &&
  isBetween(value, option.min_value, option.max_value);

/** Whether Discord's client would send this value for this option. */
const fitsOption = (option: OptionLike, value: OptionValue): boolean => {
  if (option.choices?.length) return option.choices.some((choice) => choice.value === value);
  const { String: Text, Integer, Number: Decimal, Boolean: Flag } = ApplicationCommandOptionType;
  if (option.type === Text) return fitsText(option, value);
  if (option.type === Integer || option.type === Decimal) return fitsNumber(option, value);
  return option.type === Flag ? typeof value === "boolean" : isSnowflake(value);
};

/** Runs a message command on a message that this person sees in a guild channel. */
export const actMessageCommand =
  (discord: Discord, actor: PersonState) =>
  async (messageId: string, name: string): Promise<ActionResult> => {
    const { state } = discord;
    const message = messageSeenBy(state, actor.person.id, messageId);
    const channel = state.channels.get(message?.channelId ?? "");
    const command = [...state.commands.values()].find(
      (each) => each.name === name && each.type === ApplicationCommandType.Message,
    );
    if (message === undefined || channel === undefined || message.thinking)
      return failed("unknown_component", `no message ${messageId}`);
    if (command === undefined || channel.recipientId !== undefined)
      return failed("unknown_command", `${name} is not offered there`);
    if (!mayUse(command, actor)) return failed("not_permitted");
    const outcome = await sendInteraction(discord, {
      actor,
      channel,
      data: {
        id: command.id,
        name: command.name,
        type: ApplicationCommandType.Message,
        target_id: message.id,
        resolved: { messages: { [message.id]: renderMessage(state, message) } },
      },
      interaction: { kind: InteractionType.ApplicationCommand, commandName: command.name },
    });
    return asActionResult(outcome);
  };
