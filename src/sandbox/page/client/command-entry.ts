import type { PageCommand, PageOption, PageOptionValue } from "../page-view.ts";
import {
  commandLabel,
  knownChoices,
  matchChoices,
  matchOptions,
  type OptionChoice,
  type TypedCommand,
  valueOf,
} from "./command-line.ts";
import { element } from "./element.ts";
import type { PageStore } from "./page-store.ts";
import type { SuggestionList } from "./suggestion-list.ts";
import { textsIn } from "./texts.ts";

export type CommandEntry = ReturnType<typeof createCommandEntry>;

/** A command while it is typed: its name, a pill for each used option, and a field that offers the other options. */
export const createCommandEntry = (
  { command, texts: typedTexts }: TypedCommand,
  parts: {
    readonly store: PageStore;
    readonly list: SuggestionList;
    /** The reason why the command was not sent; empty once it is fixed. */
    readonly onProblem: (problem: string) => void;
    readonly onSend: (options: Readonly<Record<string, PageOptionValue>>) => void;
    /** Returns to plain text, starting with `text`. */
    readonly onLeave: (text: string) => void;
  },
) => {
  const { store, list } = parts;
  const texts = () => textsIn(store.locale());
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

  /** `erase`: what Backspace does in an empty field, if anything. */
  const onKey = (event: KeyboardEvent, erase: (() => void) | undefined): void => {
    if (list.handleKey(event)) return;
    if (event.key === "Escape") leave("");
    const act = event.key === "Enter" ? submit : event.key === "Backspace" ? erase : undefined;
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const pillKey = (pill: OptionPill, event: KeyboardEvent): void =>
    onKey(event, pill.input.value === "" && !pill.option.required ? () => remove(pill) : undefined);
  const moreKey = (event: KeyboardEvent): void => {
    const last = pills.at(-1);
    const back = () => (last === undefined ? leave(commandLabel(command)) : last.input.focus());
    onKey(event, more.value === "" ? back : undefined);
  };
  const offerOptions = (): void => {
    const options = matchOptions(unused(), more.value);
    if (options.length === 0) return list.hide();
    list.show(
      more,
      texts().options,
      options.map((option) => ({
        label: option.label,
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
  /** Typing `data:` picks the option `data`. */
  const takeOption = (): boolean => {
    const [, typed, text] = /^\s*([^:\s]+):(.*)$/.exec(more.value) ?? [];
    const option = unused().find(({ name, label }) => typed === name || typed === label);
    if (option === undefined) return false;
    use(option, text ?? "");
    return true;
  };

  /** Sends the command if every option has a valid value. */
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
      return parts.onProblem(`${wrong.option.label}: ${problemOf(wrong)}`);
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

/** Pause in typing after which the bot is asked for suggestions. */
const TYPING_PAUSE_MS = 150;

/** Suggestions for an option, from the client's own data or from the bot. */
const createOptionSuggester = (parts: {
  readonly store: PageStore;
  readonly list: SuggestionList;
  readonly command: PageCommand;
  /** Current values of the options, by name. */
  readonly filled: () => Readonly<Record<string, unknown>>;
  readonly onPick: (pill: OptionPill, choice: OptionChoice) => void;
}) => {
  const { store, list, command } = parts;
  let pause = 0;
  let asked = 0;

  const show = (pill: OptionPill, choices: readonly OptionChoice[], first: boolean): void =>
    list.show(
      pill.input,
      `${pill.option.label}: ${pill.option.description}`,
      choices.map((choice) => ({
        label: choice.text,
        detail: choice.detail,
        pick: () => parts.onPick(pill, choice),
      })),
      first,
    );

  const askBot = async (pill: OptionPill): Promise<void> => {
    const turn = ++asked;
    const focused = pill.option.name;
    const outcome = await store.ask({
      kind: "autocomplete",
      channelId: store.channel()?.id,
      name: command.name,
      subcommand: command.subcommand,
      options: { ...parts.filled(), [focused]: pill.input.value },
      focused,
    });
    if (turn !== asked || document.activeElement !== pill.input) return;
    const choices = outcome.kind === "choices" ? outcome.choices : [];
    // No suggestion is marked, so that Enter sends the typed text.
    show(
      pill,
      choices.map(({ name, value }) => ({ text: name, detail: "", value })),
      false,
    );
  };

  return {
    /** Shows suggestions for the pill's option. `typing`: filters them by the text and marks the best match. */
    offer: (pill: OptionPill, typing: boolean): void => {
      clearTimeout(pause);
      asked++;
      const view = store.view();
      if (view === undefined) return;
      const known = knownChoices(pill.option, view, textsIn(view.me.locale));
      if (known.length > 0) {
        return show(pill, typing ? matchChoices(known, pill.input.value) : known, typing);
      }
      show(pill, [], false);
      if (pill.option.autocomplete) {
        pause = window.setTimeout(() => void askBot(pill), typing ? TYPING_PAUSE_MS : 0);
      }
    },
    stop: (): void => {
      clearTimeout(pause);
      asked++;
    },
  };
};

const NARROWEST = 4;
const WIDEST = 40;

interface OptionPill {
  readonly option: PageOption;
  readonly node: HTMLElement;
  readonly input: HTMLInputElement;
  readonly setText: (text: string) => void;
  readonly setWrong: (wrong: boolean) => void;
}

/** An option of the typed command: its name and a field as wide as its text. */
const createOptionPill = (
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
    "aria-label": `${option.label}: ${option.description}`,
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
  const node = element("label", { class: "pill" }, element("span", {}, option.label), input);
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
