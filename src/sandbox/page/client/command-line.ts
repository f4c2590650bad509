import type { PageCommand, PageOption } from "../page-view.ts";

/** A command with the texts of its options, as typed. */
export interface TypedCommand {
  readonly command: PageCommand;
  readonly texts: ReadonlyMap<string, string>;
}

/** `/conta conectar` */
export const commandLabel = ({ name, subcommand }: PageCommand): string =>
  subcommand === null ? `/${name}` : `/${name} ${subcommand}`;

/** Commands that the beginning of a line may mean, best first. */
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
 * Reads a whole line such as `/config relatorio canal:#vendas horario:21:05`. Undefined until a command's full name
 * and a space, or more, are there. A value reaches to the next option's name.
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
  const names = command.options.map(({ name }) => name).join("|");
  const texts = new Map<string, string>();
  if (names === "") return { command, texts };
  const marks = [...rest.matchAll(new RegExp(`(?<=\\s)(${names}):`, "g"))];
  for (const [place, mark] of marks.entries()) {
    const end = marks[place + 1]?.index ?? rest.length;
    texts.set(mark[1] ?? "", rest.slice(mark.index + mark[0].length, end).trim());
  }
  return { command, texts };
};

/** Options whose name begins with what was typed. */
export const matchOptions = (
  options: readonly PageOption[],
  typed: string,
): readonly PageOption[] =>
  options.filter(({ name }) => plain(name).startsWith(plain(typed.trim())));

/** For comparing what people type: no case, no accents. */
export const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
