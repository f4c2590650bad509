import { isDeepStrictEqual } from "node:util";
import { ApplicationCommandType, type APIApplicationCommand } from "discord-api-types/v10";
import { DAY } from "../../shared/time.ts";
import { APPLICATION } from "../world.ts";
import { tooManyCommandCreates } from "./api-errors.ts";
import type { OptionLike } from "./limits/commands.ts";
import type { DiscordState } from "./state.ts";

const CREATES_A_DAY = 200;

/** A checked command definition, as the bot sent it. */
export interface CommandDefinition {
  readonly type?: ApplicationCommandType;
  readonly name: string;
  readonly name_localizations?: Readonly<Record<string, string>> | null;
  /** Absent for message commands. */
  readonly description?: string;
  readonly description_localizations?: Readonly<Record<string, string>> | null;
  readonly options?: readonly OptionLike[] | null;
  readonly default_member_permissions?: string | null;
  readonly dm_permission?: boolean | null;
  readonly contexts?: readonly number[] | null;
  readonly integration_types?: readonly number[] | null;
  readonly nsfw?: boolean | null;
}

/** Replaces the application's commands. */
export type ReplaceCommands = (
  definitions: readonly CommandDefinition[],
) => readonly APIApplicationCommand[];

/** Discord omits false and empty fields of an option, at every level. */
const storedOption = (option: OptionLike): OptionLike => {
  const { required, autocomplete, options, choices, ...rest } = option;
  return {
    ...rest,
    ...(required === true ? { required } : {}),
    ...(autocomplete === true ? { autocomplete } : {}),
    ...(choices?.length ? { choices } : {}),
    ...(options?.length ? { options: options.map(storedOption) } : {}),
  };
};

const stored = (definition: CommandDefinition, id: string, version: string) => {
  const command = {
    id,
    application_id: APPLICATION.id,
    version,
    type: definition.type ?? ApplicationCommandType.ChatInput,
    name: definition.name,
    name_localizations: definition.name_localizations ?? null,
    description: definition.description ?? "",
    description_localizations: definition.description_localizations ?? null,
    default_member_permissions: definition.default_member_permissions ?? null,
    dm_permission: definition.contexts?.includes(1) ?? definition.dm_permission ?? true,
    contexts: definition.contexts ?? null,
    integration_types: definition.integration_types ?? [0],
    nsfw: definition.nsfw ?? false,
    ...(definition.options?.length ? { options: definition.options.map(storedOption) } : {}),
  };
  return command as unknown as APIApplicationCommand;
};

/** A new command counts against Discord's 200 a day; a replacement does not. */
export const createReplaceCommands = (state: DiscordState): ReplaceCommands => {
  let creates: number[] = [];

  const countCreate = (): void => {
    const nowMs = state.clock.now().epochMilliseconds;
    creates = creates.filter((atMs) => nowMs - atMs < DAY);
    if (creates.length >= CREATES_A_DAY) throw tooManyCommandCreates();
    creates.push(nowMs);
  };

  const build = (definition: CommandDefinition): APIApplicationCommand => {
    const wanted = definition.type ?? ApplicationCommandType.ChatInput;
    const existing = [...state.commands.values()].find(
      ({ name, type }) => name === definition.name && type === wanted,
    );
    if (existing === undefined) {
      countCreate();
      return stored(definition, state.newId(), state.newId());
    }
    const same = stored(definition, existing.id, existing.version);
    if (isDeepStrictEqual(same, existing)) return existing;
    return stored(definition, existing.id, state.newId());
  };

  return (definitions) => {
    const commands = definitions.map(build);
    state.commands.clear();
    for (const command of commands) state.commands.set(command.id, command);
    state.changed();
    return commands;
  };
};

const withoutLocalizations = (value: object): object => {
  const kept = Object.entries(value).filter(([key]) => !key.endsWith("_localizations"));
  return Object.fromEntries(
    kept.map(([key, given]) => [
      key,
      key === "options" || key === "choices"
        ? (given as object[]).map(withoutLocalizations)
        : given,
    ]),
  );
};

/** A command as Discord lists it; `localized` includes its localizations. */
export const renderCommand = (command: APIApplicationCommand, localized: boolean): object =>
  localized ? command : withoutLocalizations(command);
