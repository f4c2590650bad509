import { ApplicationCommandOptionType, ApplicationCommandType } from "discord-api-types/v10";
import { z } from "zod";
import { areUnique, flag, text } from "./checks.ts";

/** The fields of an option that the local Discord reads. */
export interface OptionLike {
  readonly type: ApplicationCommandOptionType;
  readonly name: string;
  readonly required?: boolean;
  readonly autocomplete?: boolean;
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[];
  readonly options?: readonly OptionLike[];
  readonly min_value?: number;
  readonly max_value?: number;
  readonly min_length?: number;
  readonly max_length?: number;
}

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

const commandName = z
  .string()
  .refine((name) => NAME.test(name) && name === name.toLowerCase(), "Command name is invalid");

/** An object of entries keyed by Discord's locale. */
const localized = (entry: z.ZodType) => z.record(z.string(), entry.nullable()).nullish();

const description = text(1, 100);

/** Names and descriptions of a command or an option. */
const named = {
  name: commandName,
  name_localizations: localized(commandName),
  description,
  description_localizations: localized(description),
};

const choice = z.object({
  name: text(1, 100),
  name_localizations: localized(text(1, 100)),
  value: z.union([text(0, 100), z.number()]),
});

const choices = z
  .array(choice)
  .max(25)
  .refine(
    (given) => areUnique(given.map(({ name }) => name)) && areUnique(given.map((c) => c.value)),
    "Choices must be unique",
  );

const {
  Subcommand,
  String: Text,
  Integer,
  Boolean: Flag,
  User,
  Channel,
  Role,
  Mentionable,
  Number: Decimal,
  Attachment,
} = ApplicationCommandOptionType;

const COMPLETABLE: readonly ApplicationCommandOptionType[] = [Text, Integer, Decimal];

const option = z
  .object({
    type: z.literal([Text, Integer, Flag, User, Channel, Role, Mentionable, Decimal, Attachment]),
    ...named,
    required: flag,
    autocomplete: flag,
    choices: choices.nullish(),
    channel_types: z.array(z.int()).nullish(),
    min_value: z.number().nullish(),
    max_value: z.number().nullish(),
    min_length: z.int().min(0).max(6_000).nullish(),
    max_length: z.int().min(1).max(6_000).nullish(),
  })
  .refine(
    ({ type, choices }) =>
      (choices ?? []).every(({ value }) => (typeof value === "string") === (type === Text)),
    "Choices are of the option's type",
  )
  .refine(
    ({ type, autocomplete, choices }) =>
      autocomplete !== true || (!choices?.length && COMPLETABLE.includes(type)),
    "Autocomplete is for text and numbers without choices",
  );

const areNamedOnce = (given: readonly { readonly name: string }[]): boolean =>
  areUnique(given.map(({ name }) => name));

const options = z
  .array(option)
  .max(25)
  .refine(areNamedOnce, "Option names must be unique")
  .refine(
    (given) =>
      given.every(({ required }, at) => !required || (given[at - 1]?.required ?? at === 0)),
    "Required options must be placed before non-required options",
  );

const subcommands = z
  .array(z.object({ type: z.literal(Subcommand), ...named, options: options.nullish() }))
  .max(25)
  .refine(areNamedOnce, "Option names must be unique");

const shared = {
  default_member_permissions: z
    .string()
    .regex(/^\d{1,20}$/)
    .nullish(),
  dm_permission: flag,
  nsfw: flag,
  contexts: z.array(z.literal([0, 1, 2])).nullish(),
  integration_types: z.array(z.literal([0, 1])).nullish(),
};

const slashCommand = z.object({
  ...shared,
  type: z.literal(ApplicationCommandType.ChatInput).nullish(),
  ...named,
  options: z.union([options, subcommands]).nullish(),
});

/** Message commands have a name of any characters, without description and options. */
const messageCommand = z.object({
  ...shared,
  type: z.literal(ApplicationCommandType.Message),
  name: text(1, 32),
  name_localizations: localized(text(1, 32)),
  description: z.literal("").nullish(),
  options: z.array(z.never()).nullish(),
});

/** The list that replaces all commands. The sandbox supports neither user commands nor subcommand groups. */
export const commandList = z
  .array(z.discriminatedUnion("type", [slashCommand, messageCommand]))
  .max(100)
  .refine(
    (commands) => areUnique(commands.map(({ type, name }) => `${type ?? 1} ${name}`)),
    "Application command names must be unique",
  );
