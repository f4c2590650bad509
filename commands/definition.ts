import type {
  APIApplicationCommandBasicOption,
  APIApplicationCommandSubcommandOption,
} from "discord-api-types/v10";
import type { Command, MessageCommand } from "#src/discord/command.ts";
import { commandType, inGuilds, optionType } from "#src/shared/discord-enums.ts";
import { described, inEnglish, named, type Words } from "#src/texts.ts";

type Definition = Command["definition"];

/** Longest option for a dispute's or withdrawal's id, with room for pasted spaces. */
export const LONGEST_TYPED_ID = 100;

export const command = (
  name: string,
  words: Words,
  options: NonNullable<Definition["options"]>,
): Definition => ({ ...inGuilds, name, ...described(words), options });

/** A command in the menu of messages. Its name is localized, because people never type or mention it. */
export const messageCommand = (words: Words): MessageCommand["definition"] => ({
  ...inGuilds,
  type: commandType.message,
  ...named(({ commands }) => words(commands)),
});

export const subcommand = (
  name: string,
  words: Words,
  options: APIApplicationCommandBasicOption[] = [],
): APIApplicationCommandSubcommandOption => ({
  type: optionType.subcommand,
  name,
  ...described(words),
  options,
});

/** Names of options as clients that are answered in English show them. */
const englishNames = {
  ativo: "active",
  canal: "channel",
  cargo: "role",
  chave: "key",
  data: "date",
  descricao: "description",
  estado: "state",
  fuso: "zone",
  horario: "time",
  infracao: "dispute",
  membro: "member",
  minimo: "minimum",
  modalidade: "speed",
  mostrar: "show",
  periodo: "period",
  recebedor: "recipient",
  txid: "txid",
  valor: "amount",
} as const;

export const option = <Type extends keyof typeof optionType>(
  type: Type,
  name: keyof typeof englishNames,
  words: Words,
) => ({
  type: optionType[type],
  name,
  name_localizations: inEnglish(englishNames[name]),
  ...described(words),
});

/** A typed option for which the command suggests values. */
export const suggested = (name: keyof typeof englishNames, words: Words, maxLength: number) =>
  ({ ...option("string", name, words), autocomplete: true, max_length: maxLength }) as const;
