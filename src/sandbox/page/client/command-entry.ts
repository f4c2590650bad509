import type { PageOption, PageOptionValue } from "../page-view.ts";
import { commandLabel, matchOptions } from "./command-line.ts";
import type { TypedCommand } from "./command-line.ts";
import { element } from "./element.ts";
import { createOptionPill } from "./option-pill.ts";
import type { OptionPill } from "./option-pill.ts";
import { createOptionSuggester } from "./option-suggester.ts";
import { valueOf } from "./option-values.ts";
import type { OptionChoice } from "./option-values.ts";
import type { PageStore } from "./page-store.ts";
import type { SuggestionList } from "./suggestion-list.ts";
import { textsIn } from "./texts.ts";

export interface CommandEntry {
  readonly node: HTMLElement;
  readonly focus: () => void;
  /** Sends when every option holds something that Discord would take. */
  readonly submit: () => void;
  readonly stop: () => void;
}

/** A command being typed: its name, a pill for each option in use, and a field that offers the rest. */
export const createCommandEntry = (
  { command, texts: typedTexts }: TypedCommand,
  parts: {
    readonly store: PageStore;
    readonly list: SuggestionList;
    /** Why it was not sent; empty when nothing is wrong any more. */
    readonly onProblem: (problem: string) => void;
    readonly onSend: (options: Readonly<Record<string, PageOptionValue>>) => void;
    /** Back to plain text, which begins with this. */
    readonly onLeave: (text: string) => void;
  },
): CommandEntry => {
  const { store, list } = parts;
  const texts = () => textsIn(store.view()?.me.locale ?? "pt-BR");
  let pills: readonly OptionPill[] = [];
  const picked = new Map<OptionPill, OptionChoice>();

  const valueIn = (pill: OptionPill): PageOptionValue | undefined => {
    const view = store.view();
    const choice = picked.get(pill);
    if (view === undefined) return undefined;
    if (choice?.text === pill.input.value) return choice.value;
    return valueOf(pill.option, pill.input.value, view, texts());
  };
  const filled = (): Record<string, PageOptionValue> => {
    const entries = pills
      .filter((pill) => pill.input.value.trim() !== "")
      .map((pill) => [pill.option.name, valueIn(pill)] as const);
    return Object.fromEntries(entries.filter((entry) => entry[1] !== undefined)) as Record<
      string,
      PageOptionValue
    >;
  };
  const suggester = createOptionSuggester({
    store,
    list,
    command,
    filled,
    onPick: (pill, choice) => {
      picked.set(pill, choice);
      pill.setText(choice.text);
      goOn();
    },
  });

  const more = element("input", {
    type: "text",
    class: "more",
    role: "combobox",
    "aria-label": texts().options,
    "aria-controls": "suggestions",
    "aria-expanded": "false",
    autocomplete: "off",
    spellcheck: "false",
    onfocus: () => offerOptions(),
    oninput: () => takeOption() || offerOptions(),
    onkeydown: (event: KeyboardEvent) => moreKey(event),
  });
  const node = element(
    "div",
    { class: "entry" },
    element("span", { class: "command-chip" }, commandLabel(command)),
    more,
  );

  const unused = (): readonly PageOption[] =>
    command.options.filter(({ name }) => pills.every((pill) => pill.option.name !== name));

  const add = (option: PageOption, text: string): OptionPill => {
    const pill = createOptionPill(option, text, {
      input: (changed) => {
        parts.onProblem("");
        suggester.offer(changed, changed.input.value !== "");
      },
      focus: (focused) => suggester.offer(focused, false),
      key: pillKey,
    });
    pills = [...pills, pill];
    more.before(pill.node);
    showHint();
    return pill;
  };
  const remove = (pill: OptionPill): void => {
    pills = pills.filter((other) => other !== pill);
    pill.node.remove();
    showHint();
    more.focus();
  };
  const showHint = (): void => {
    const count = unused().length;
    more.placeholder = count === 0 ? "" : texts().moreOptions(count);
  };
  const goOn = (): void => {
    const next = pills.find(({ option, input }) => option.required && input.value.trim() === "");
    (next?.input ?? more).focus();
  };
  const leave = (text: string): void => {
    suggester.stop();
    parts.onLeave(text);
  };

  const pillKey = (pill: OptionPill, event: KeyboardEvent): void => {
    if (list.handleKey(event)) return;
    if (event.key === "Escape") leave("");
    if (event.key === "Enter") {
      event.preventDefault();
      submit();
    }
    if (event.key === "Backspace" && pill.input.value === "" && !pill.option.required) {
      event.preventDefault();
      remove(pill);
    }
  };
  const moreKey = (event: KeyboardEvent): void => {
    if (list.handleKey(event)) return;
    if (event.key === "Escape") leave("");
    if (event.key === "Enter") {
      event.preventDefault();
      submit();
    }
    if (event.key === "Backspace" && more.value === "") {
      event.preventDefault();
      const last = pills.at(-1);
      if (last === undefined) leave(commandLabel(command));
      else last.input.focus();
    }
  };
  const offerOptions = (): void => {
    const options = matchOptions(unused(), more.value);
    if (options.length === 0) return list.hide();
    list.show(
      more,
      texts().options,
      options.map((option) => ({
        label: option.name,
        detail: option.description,
        pick: () => use(option, ""),
      })),
      more.value !== "",
    );
  };
  const use = (option: PageOption, text: string): void => {
    more.value = "";
    add(option, text).input.focus();
  };
  /** `data:` typed by hand picks that option. */
  const takeOption = (): boolean => {
    const [, name, text] = /^\s*([^:\s]+):(.*)$/.exec(more.value) ?? [];
    const option = unused().find((candidate) => candidate.name === name);
    if (option === undefined) return false;
    use(option, text ?? "");
    return true;
  };

  const submit = (): void => {
    const { required, pickOne } = texts();
    const problemOf = (pill: OptionPill): string => {
      if (pill.input.value.trim() === "") return pill.option.required ? required : "";
      return valueIn(pill) === undefined ? pickOne : "";
    };
    for (const pill of pills) pill.setWrong(problemOf(pill) !== "");
    const wrong = pills.find((pill) => problemOf(pill) !== "");
    if (wrong !== undefined) {
      wrong.input.focus();
      return parts.onProblem(`${wrong.option.name}: ${problemOf(wrong)}`);
    }
    suggester.stop();
    parts.onSend(filled());
  };

  for (const option of command.options) {
    const text = typedTexts.get(option.name);
    if (option.required || text !== undefined) add(option, text ?? "");
  }
  showHint();
  return { node, focus: goOn, submit, stop: suggester.stop };
};
