import type { PageOption, PageOptionValue, PageView } from "../page-view.ts";
import { plain } from "./command-line.ts";
import type { ClientTexts } from "./texts.ts";

export interface OptionChoice {
  /** What the field shows once it is picked. */
  readonly text: string;
  readonly detail: string;
  readonly value: PageOptionValue;
}

/** What the client itself knows to offer for an option; the bot's own suggestions are not among them. */
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

/** Of these choices, those that what was typed may mean. */
export const matchChoices = (
  choices: readonly OptionChoice[],
  typed: string,
): readonly OptionChoice[] =>
  choices.filter(({ text }) => plain(text).includes(plain(typed.trim())));

/** The value to send for a typed text; undefined when the option cannot hold it. */
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
