import type { PageOption } from "../page-view.ts";
import { element } from "./element.ts";

const NARROWEST = 4;
const WIDEST = 40;

export interface OptionPill {
  readonly option: PageOption;
  readonly node: HTMLElement;
  readonly input: HTMLInputElement;
  readonly setText: (text: string) => void;
  readonly setWrong: (wrong: boolean) => void;
}

/** One option of the command being typed: its name and a field as wide as its text. */
export const createOptionPill = (
  option: PageOption,
  text: string,
  on: {
    readonly input: (pill: OptionPill) => void;
    readonly focus: (pill: OptionPill) => void;
    readonly key: (pill: OptionPill, event: KeyboardEvent) => void;
  },
): OptionPill => {
  const fit = (): void => {
    input.size = Math.min(Math.max(input.value.length + 1, NARROWEST), WIDEST);
  };
  const input = element("input", {
    type: "text",
    role: "combobox",
    "aria-label": `${option.name}: ${option.description}`,
    "aria-controls": "suggestions",
    "aria-expanded": "false",
    autocomplete: "off",
    spellcheck: "false",
    oninput: () => {
      fit();
      setWrong(false);
      on.input(pill);
    },
    onfocus: () => on.focus(pill),
    onkeydown: (event: KeyboardEvent) => on.key(pill, event),
  });
  const node = element("label", { class: "pill" }, element("span", {}, option.name), input);
  const setWrong = (wrong: boolean): void => {
    node.classList.toggle("wrong", wrong);
    input.setAttribute("aria-invalid", String(wrong));
  };
  const setText = (next: string): void => {
    input.value = next;
    fit();
    setWrong(false);
  };
  const pill: OptionPill = { option, node, input, setText, setWrong };
  setText(text);
  return pill;
};
