import type { PageButton, PageMessage, PageSelect } from "../page-view.ts";
import { element, smallButton } from "./element.ts";
import type { MessageContext } from "./page-store.ts";
import { textsIn } from "./texts.ts";

/**
 * Buttons and selects of a message, as native elements: selects of the message components fire twice for each click and
 * do not show the chosen value.
 */
export const renderControls = (message: PageMessage, context: MessageContext): HTMLElement[] =>
  message.controls.map((row) =>
    element(
      "div",
      { slot: "components", class: "controls" },
      ...row.map((control) =>
        control.kind === "button"
          ? renderButton(control, message, context)
          : renderSelect(control, message, context),
      ),
    ),
  );

const renderButton = (
  { customId, url, label, style, disabled }: PageButton,
  message: PageMessage,
  context: MessageContext,
): HTMLElement => {
  if (url !== null) {
    const href = url.startsWith("https://") ? url : undefined;
    const link = { class: "button secondary", target: "_blank", rel: "noreferrer noopener" };
    return element("a", { ...link, href }, label);
  }
  const waiting = context.attempt?.state === "waiting";
  return element(
    "button",
    {
      type: "button",
      class: `button ${style}`,
      disabled,
      // `disabled` would remove the focus while the answer is pending.
      "aria-disabled": waiting ? "true" : undefined,
      "data-waiting": waiting && context.attempt?.label === customId,
      onclick: () => {
        if (waiting) return;
        void context.perform(
          { kind: "click", messageId: message.id, customId },
          { label: customId, messageId: message.id },
        );
      },
    },
    label,
  );
};

const renderSelect = (
  select: PageSelect,
  message: PageMessage,
  context: MessageContext,
): HTMLElement => {
  const { customId, placeholder, several, choices, chosen } = select;
  const texts = textsIn(context.view.me.locale);
  const prompt = placeholder ?? texts.choose;
  const waiting = context.attempt?.state === "waiting";
  const send = (values: readonly string[]): void => {
    if (waiting) return;
    void context.perform(
      { kind: "select", messageId: message.id, customId, values },
      { label: customId, messageId: message.id },
    );
  };
  if (several) return renderSeveral(select, waiting, prompt, texts.send, send);
  const box = element(
    "select",
    {
      "aria-label": prompt,
      disabled: select.disabled,
      // `disabled` would remove the focus while the answer is pending.
      "aria-disabled": waiting ? "true" : undefined,
      onkeydown: openByKey,
    },
    element("option", { value: "", disabled: true }, prompt),
    ...choices.map(({ name, value }) => element("option", { value }, name)),
  );
  for (const option of box.options) option.selected = chosen.includes(option.value);
  if (chosen.length === 0) box.selectedIndex = 0;
  box.addEventListener("change", () => send([box.value]));
  return box;
};

/** Keys that choose in a closed menu. */
const CHOOSING_KEY = /^(?:Arrow|Home|End|Page|[^ ]$)/;

/** Opens the menu, as Discord does: a key that chose in a closed one would send the choice at once. */
const openByKey = (event: KeyboardEvent): void => {
  if (event.ctrlKey || event.metaKey || !CHOOSING_KEY.test(event.key)) return;
  (event.currentTarget as HTMLSelectElement).showPicker();
  event.preventDefault();
};

/**
 * Checkboxes instead of a native multiple select, where a plain click clears the earlier choices. Discord shows a menu's
 * prompt only while nothing is chosen in it.
 */
const renderSeveral = (
  { choices, chosen, disabled }: PageSelect,
  waiting: boolean,
  prompt: string,
  sendLabel: string,
  send: (values: readonly string[]) => void,
): HTMLElement => {
  const boxes = choices.map(({ value }) =>
    element("input", {
      type: "checkbox",
      value,
      disabled: disabled || waiting,
      checked: chosen.includes(`${value}`),
    }),
  );
  const sendChosen = (): void =>
    send(boxes.filter(({ checked }) => checked).map(({ value }) => value));
  const sendButton = smallButton(sendLabel, sendChosen);
  sendButton.disabled = disabled;
  if (waiting) sendButton.ariaDisabled = "true";
  return element(
    "fieldset",
    { class: "several", "aria-label": prompt },
    chosen.length === 0 ? element("legend", {}, prompt) : null,
    ...choices.map(({ name }, index) => element("label", {}, boxes[index] ?? null, name)),
    sendButton,
  );
};

/** The message's menu of commands; only for public messages in the guild. */
export const renderMenu = (message: PageMessage, context: MessageContext): HTMLElement | null => {
  const { menuCommands, me } = context.view;
  if (message.private || !context.inGuild || menuCommands.length === 0) return null;
  const menu: HTMLDetailsElement = element(
    "details",
    { slot: "components", class: "message-menu" },
    element("summary", { "aria-label": textsIn(me.locale).messageMenu }, "⋯"),
    ...menuCommands.map(({ name, label }) =>
      smallButton(label, () => {
        menu.open = false;
        void context.perform(
          { kind: "menu", messageId: message.id, name },
          { label: name, messageId: message.id },
        );
      }),
    ),
  );
  return menu;
};
