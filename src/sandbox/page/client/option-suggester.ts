import type { PageCommand } from "../page-view.ts";
import type { OptionPill } from "./option-pill.ts";
import { knownChoices, matchChoices } from "./option-values.ts";
import type { OptionChoice } from "./option-values.ts";
import type { PageStore } from "./page-store.ts";
import type { SuggestionList } from "./suggestion-list.ts";
import { textsIn } from "./texts.ts";

/** So long, in milliseconds, the typing rests before the bot is asked for suggestions. */
const TYPING_PAUSE_MS = 150;

export interface OptionSuggester {
  /** Shows what the pill's option may hold. `typing`: narrowed to what is typed, the best one marked. */
  readonly offer: (pill: OptionPill, typing: boolean) => void;
  readonly stop: () => void;
}

/** Suggestions for one option: those that the client knows, or the bot's own. */
export const createOptionSuggester = (parts: {
  readonly store: PageStore;
  readonly list: SuggestionList;
  readonly command: PageCommand;
  /** Values of the other options so far, by name. */
  readonly filled: () => Readonly<Record<string, unknown>>;
  readonly onPick: (pill: OptionPill, choice: OptionChoice) => void;
}): OptionSuggester => {
  const { store, list, command } = parts;
  let pause = 0;
  let asked = 0;

  const show = (pill: OptionPill, choices: readonly OptionChoice[], first: boolean): void =>
    list.show(
      pill.input,
      `${pill.option.name}: ${pill.option.description}`,
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
    // Nothing is marked: what the person typed counts until they choose otherwise.
    show(
      pill,
      choices.map(({ name, value }) => ({ text: name, detail: "", value })),
      false,
    );
  };

  return {
    offer: (pill, typing) => {
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
    stop: () => {
      clearTimeout(pause);
      asked++;
    },
  };
};
