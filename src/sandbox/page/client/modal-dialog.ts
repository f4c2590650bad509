import type { PageModal, PageModalField, PageView } from "../page-view.ts";
import { element, smallButton } from "./element.ts";
import type { PageStore } from "./page-store.ts";
import { type ClientTexts, textsIn } from "./texts.ts";
import { demoTextsIn } from "./demo-texts.ts";

interface OpenDialog {
  readonly modalId: string;
  readonly node: HTMLDialogElement;
  readonly isSending: () => boolean;
}

/** Shows the bot's form in a native dialog, with its focus trap and Escape. */
export const createModalDialog = (store: PageStore): { readonly draw: () => void } => {
  let open: OpenDialog | undefined;
  /** Forms that were sent or cancelled, which the next push may still list. */
  const over = new Set<string>();

  const close = (): void => {
    open?.node.close();
    open?.node.remove();
    open = undefined;
  };

  return {
    draw: () => {
      const view = store.view();
      if (view === undefined) return;
      const modal = view.modals.findLast(({ id }) => !over.has(id));
      if (open?.modalId === modal?.id || open?.isSending() === true) return;
      close();
      if (modal === undefined) return;
      open = openDialog(modal, store, () => {
        over.add(modal.id);
        close();
      });
    },
  };
};

const openDialog = (modal: PageModal, store: PageStore, close: () => void): OpenDialog => {
  const view = store.view();
  const texts = textsIn(store.locale());
  const problem = element("p", { class: "problem", role: "alert" });
  const submit = element("button", { type: "submit", class: "button primary" }, texts.send);
  const fields = modal.fields.map((field) => ({ field, input: fieldInput(field) }));
  let sending = false;

  const complain = (): boolean => {
    const wrong = fields.find(({ field, input }) => problemOf(field, input.value, texts) !== "");
    problem.textContent =
      wrong === undefined ? "" : problemOf(wrong.field, wrong.input.value, texts);
    wrong?.input.focus();
    return wrong !== undefined;
  };

  const send = async (): Promise<void> => {
    sending = true;
    submit.disabled = true;
    const values = Object.fromEntries(fields.map(({ field, input }) => [field.id, input.value]));
    const outcome = await store.ask({ kind: "modal", modalId: modal.id, fields: values });
    sending = false;
    submit.disabled = false;
    if (outcome.kind === "failed") problem.textContent = texts.formFailed;
    else close();
  };
  const cancel = (): void => {
    if (!sending) void store.ask({ kind: "close_modal", modalId: modal.id });
    close();
  };

  const form = element(
    "form",
    {
      novalidate: true,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        if (!sending && !complain()) void send();
      },
    },
    element("h2", { id: "modal-title" }, modal.title),
    element("p", { class: "modal-app" }, view?.botName ?? ""),
    ...fields.map(({ field, input }) =>
      labelled(field, input, view === undefined ? null : exampleKeys(field, input, view)),
    ),
    problem,
    element(
      "div",
      { class: "dialog-buttons" },
      element("button", { type: "button", class: "button plain", onclick: cancel }, texts.cancel),
      submit,
    ),
  );
  const node = element("dialog", { class: "modal", "aria-labelledby": "modal-title" }, form);
  node.addEventListener("cancel", (event) => {
    event.preventDefault();
    cancel();
  });
  document.body.append(node);
  node.showModal();
  fields[0]?.input.focus();
  return { modalId: modal.id, node, isSending: () => sending };
};

type FieldInput = HTMLInputElement | HTMLSelectElement;

const menuInput = (field: PageModalField): HTMLSelectElement => {
  const none = element("option", { value: "" }, field.placeholder);
  const options = (field.options ?? []).map(({ value, label }) =>
    element("option", { value }, label),
  );
  const menu = element(
    "select",
    { id: `field-${field.id}`, name: field.id, "aria-required": String(field.required) },
    none,
    ...options,
  );
  menu.value = field.value;
  return menu;
};

const fieldInput = (field: PageModalField): FieldInput => {
  if (field.options !== null) return menuInput(field);
  const input = element("input", {
    id: `field-${field.id}`,
    name: field.id,
    placeholder: field.placeholder,
    "aria-required": String(field.required),
    maxlength: field.maxLength,
    autocomplete: "off",
    spellcheck: "false",
    type: "text",
  });
  input.value = field.value;
  return input;
};

/** In the person's language; the browser's own messages may be in another. */
const problemOf = (field: PageModalField, value: string, texts: ClientTexts): string => {
  const { length } = value;
  if (length === 0) return field.required ? texts.fieldRequired(field.label) : "";
  return length < field.minLength ? texts.fieldTooShort(field.label, field.minLength) : "";
};

const labelled = (
  field: PageModalField,
  input: HTMLElement,
  help: HTMLElement | null,
): HTMLElement =>
  element(
    "div",
    { class: "field" },
    element(
      "label",
      { for: `field-${field.id}` },
      field.label,
      field.required ? element("span", { class: "required", "aria-hidden": "true" }, " *") : null,
    ),
    input,
    help,
  );

/** The field in which the bot asks for an API key. */
const KEY_FIELD = "api_key";

/** Buttons that paste demo keys: the seller's own key, or all sellers' keys for other people. */
const exampleKeys = (
  field: PageModalField,
  input: FieldInput,
  { guide, me }: PageView,
): HTMLElement | null => {
  if (field.id !== KEY_FIELD) return null;
  const texts = demoTextsIn(me.locale);
  const mine = guide.sellers.filter(({ personId }) => personId === me.id);
  const paste = (apiKey: string): void => {
    input.value = apiKey;
    input.focus();
  };
  return element(
    "div",
    { class: "actions" },
    ...(mine.length > 0 ? mine : guide.sellers).map(({ name, apiKey }) =>
      smallButton(texts.pasteKey(name), () => paste(apiKey)),
    ),
  );
};
