import type { APIApplicationCommand } from "discord-api-types/v10";
import type { OptionLike } from "./limits/command-options.ts";
import { OPTION } from "./limits/command-options.ts";
import { fitsOption } from "./option-values.ts";
import type { OptionValue } from "./option-values.ts";
import { resolveIds } from "./resolved.ts";
import type { DiscordState } from "./state.ts";

/** What was typed after the slash. */
export interface TypedCommand {
  readonly command: APIApplicationCommand;
  readonly subcommand: string | undefined;
  readonly options: Readonly<Record<string, OptionValue>>;
  /** The option that is being typed, when suggestions are asked for. */
  readonly focused: string | undefined;
  readonly personId: string;
}

/** `data` of an interaction, or why Discord's client would not send it. */
export type CommandData =
  | { readonly data: object; readonly title: string }
  | { readonly refused: string };

interface SentOption {
  readonly name: string;
  readonly type: number;
  readonly value?: OptionValue;
  readonly focused?: true;
  readonly options?: readonly SentOption[];
}

const optionsOf = (holder: { readonly options?: unknown }): readonly OptionLike[] =>
  (holder.options ?? []) as readonly OptionLike[];

/** The options that may be typed: those of the subcommand when the command has any. */
const typable = (
  typed: TypedCommand,
): { readonly options: readonly OptionLike[] } | { readonly refused: string } => {
  const options = optionsOf(typed.command);
  const hasSubcommands = options.some(({ type }) => type === OPTION.SUBCOMMAND);
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

/** Makes what was typed into what the bot is sent, as Discord's client would. */
export const commandData = (state: DiscordState, typed: TypedCommand): CommandData => {
  const { command, subcommand } = typed;
  const found = typable(typed);
  if ("refused" in found) return found;
  const problem = problemOf(found.options, typed);
  if (problem !== undefined) return { refused: problem };
  const sent = found.options.flatMap((option) => sentOption(option, typed));
  const resolved = resolveIds(state, sent, typed.personId);
  if ("refused" in resolved) return resolved;
  const options =
    subcommand === undefined
      ? sent
      : [{ name: subcommand, type: OPTION.SUBCOMMAND, options: sent }];
  return {
    title: subcommand === undefined ? command.name : `${command.name} ${subcommand}`,
    data: {
      id: command.id,
      name: command.name,
      type: 1,
      ...(options.length === 0 ? {} : { options }),
      ...(Object.keys(resolved.resolved).length === 0 ? {} : { resolved: resolved.resolved }),
    },
  };
};
