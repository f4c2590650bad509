import type { PageButton, PageMessage, PageSelect } from "../page-view.ts";
import { element } from "./element.ts";
import type { MessageContext } from "./message-context.ts";
import { textsIn } from "./texts.ts";

/**
 * Buttons and selects of a message. They are the browser's own: a select of the message components acts twice on a click
 * and does not show what was chosen.
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
      // Not `disabled`: that would take the focus away while the answer is on its way.
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
  { customId, placeholder, several, disabled, choices, chosen }: PageSelect,
  message: PageMessage,
  context: MessageContext,
): HTMLElement => {
  const texts = textsIn(context.view.me.locale);
  const prompt = placeholder ?? texts.choose;
  const send = (values: readonly string[]): void => {
    void context.perform(
      { kind: "select", messageId: message.id, customId, values },
      { label: customId, messageId: message.id },
    );
  };
  const box = element(
    "select",
    {
      "aria-label": prompt,
      multiple: several,
      disabled: disabled || context.attempt?.state === "waiting",
    },
    several ? null : element("option", { value: "", disabled: true }, prompt),
    ...choices.map(({ name, value }) => element("option", { value }, name)),
  );
  for (const option of box.options) option.selected = chosen.includes(option.value);
  if (!several) {
    if (chosen.length === 0) box.selectedIndex = 0;
    box.addEventListener("change", () => send([box.value]));
    return box;
  }
  const sendChosen = () => send([...box.selectedOptions].map(({ value }) => value));
  return element(
    "span",
    { class: "several" },
    box,
    element(
      "button",
      { type: "button", class: "button secondary", onclick: sendChosen },
      texts.send,
    ),
  );
};
