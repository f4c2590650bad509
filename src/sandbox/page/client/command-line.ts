import type { PageCommand, PageOption, PageOptionValue, PageView } from "../page-view.ts";
import type { ClientTexts } from "./texts.ts";

/** A command with the typed texts of its options, by name. */
export interface TypedCommand {
  readonly command: PageCommand;
  readonly texts: ReadonlyMap<string, string>;
}

/** `/conta conectar` */
export const commandLabel = ({ name, subcommand }: PageCommand): string =>
  subcommand === null ? `/${name}` : `/${name} ${subcommand}`;

/** Commands that match the beginning of a line, best match first. */
export const matchCommands = (
  commands: readonly PageCommand[],
  line: string,
): readonly PageCommand[] => {
  const typed = plain(line.replace(/^\//, "").trim());
  const place = (command: PageCommand): number =>
    plain(commandLabel(command).slice(1)).indexOf(typed);
  return commands
    .filter((command) => place(command) >= 0)
    .toSorted((left, right) => Math.min(place(left), 1) - Math.min(place(right), 1));
};

/**
 * Parses a line such as `/config relatorio canal:#vendas horario:21:05`. Undefined unless the line begins with a
 * command's full name and a space. Takes the option's name in either language; a value ends at the next one.
 */
export const parseCommandLine = (
  commands: readonly PageCommand[],
  line: string,
): TypedCommand | undefined => {
  const command = commands
    .filter((candidate) => line.startsWith(`${commandLabel(candidate)} `))
    .toSorted((left, right) => commandLabel(right).length - commandLabel(left).length)[0];
  if (command === undefined) return undefined;
  const rest = line.slice(commandLabel(command).length);
  const names = new Map(
    command.options.flatMap(({ name, label }) => [[name, name] as const, [label, name] as const]),
  );
  const texts = new Map<string, string>();
  if (names.size === 0) return { command, texts };
  const marks = [...rest.matchAll(new RegExp(`(?<=\\s)(${[...names.keys()].join("|")}):`, "g"))];
  for (const [place, mark] of marks.entries()) {
    const end = marks[place + 1]?.index ?? rest.length;
    texts.set(names.get(mark[1] ?? "") ?? "", rest.slice(mark.index + mark[0].length, end).trim());
  }
  return { command, texts };
};

/** Options that are shown with a name that begins with the typed text. */
export const matchOptions = (
  options: readonly PageOption[],
  typed: string,
): readonly PageOption[] =>
  options.filter(({ label }) => plain(label).startsWith(plain(typed.trim())));

/** Normalises typed text for comparison: no case, no accents. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();

export interface OptionChoice {
  /** Text of the field after the choice was picked. */
  readonly text: string;
  readonly detail: string;
  readonly value: PageOptionValue;
}

/** Choices that the client knows without asking the bot. */
export const knownChoices = (
  option: PageOption,
  view: PageView,
  texts: ClientTexts,
): readonly OptionChoice[] => {
  if (option.choices.length > 0) {
    return option.choices.map(({ name, value }) => ({ text: name, detail: "", value }));
  }
  switch (option.type) {
    case "boolean":
      return [
        { text: texts.yes, detail: "", value: true },
        { text: texts.no, detail: "", value: false },
      ];
    case "user":
      return view.people.map(({ id, name }) => ({ text: `@${name}`, detail: "", value: id }));
    case "channel":
      return view.channels
        .filter(({ kind }) => kind === "guild")
        .map(({ id, name, topic }) => ({ text: `#${name}`, detail: topic, value: id }));
    case "role":
      return view.roles.map(({ id, name }) => ({ text: `@${name}`, detail: "", value: id }));
    case "string":
    case "integer":
    case "number":
      break;
  }
  return [];
};

/** Choices that contain the typed text. */
export const matchChoices = (
  choices: readonly OptionChoice[],
  typed: string,
): readonly OptionChoice[] =>
  choices.filter(({ text }) => plain(text).includes(plain(typed.trim())));

/** The value of a typed text; undefined if the option does not accept it. */
export const valueOf = (
  option: PageOption,
  typed: string,
  view: PageView,
  texts: ClientTexts,
): PageOptionValue | undefined => {
  const text = typed.trim();
  const choices = knownChoices(option, view, texts);
  if (choices.length > 0) {
    const name = plain(text.replace(/^[@#]/, ""));
    return choices.find(
      (choice) => plain(choice.text.replace(/^[@#]/, "")) === name || String(choice.value) === text,
    )?.value;
  }
  switch (option.type) {
    case "string":
      return text;
    case "integer":
      return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
    case "number": {
      const number = Number(text.replace(",", "."));
      return text !== "" && Number.isFinite(number) ? number : undefined;
    }
    case "boolean":
    case "user":
    case "channel":
    case "role":
      break;
  }
  return undefined;
};
