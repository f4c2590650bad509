import type { PageModalField } from "../page-modal.ts";
import type { PageView } from "../page-view.ts";
import { demoTextsIn } from "./demo-texts.ts";
import { element } from "./element.ts";

/** Name of the field in which the bot asks for an API key. */
const KEY_FIELD = "api_key";

/** Buttons that paste a key of the demo: a seller's own, or each seller's for whoever connects others. */
export const exampleKeys = (
  field: PageModalField,
  input: HTMLInputElement | HTMLTextAreaElement,
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
      element(
        "button",
        { type: "button", class: "button small secondary", onclick: () => paste(apiKey) },
        texts.pasteKey(name),
      ),
    ),
  );
};
