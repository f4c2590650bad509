import type { PageView } from "../page-view.ts";
import { byId, element } from "./element.ts";
import type { PageStore } from "./page-store.ts";

const COPIED_MS = 1_500;
const CLOSED_KEY = "balcao.guide.closed";
/** Narrower, in pixels, the panel would hide the conversation. */
const NARROW = 900;

/** The newcomer's steps, each with what it needs at hand. */
export const createGuide = (
  store: PageStore,
  type: (line: string) => void,
): { readonly draw: () => void } => {
  const panel = byId("guide") as HTMLDetailsElement;
  const steps = byId("guide-steps");
  panel.open = sessionStorage.getItem(CLOSED_KEY) === null && window.innerWidth > NARROW;
  panel.addEventListener("toggle", () => {
    if (panel.open) sessionStorage.removeItem(CLOSED_KEY);
    else sessionStorage.setItem(CLOSED_KEY, "yes");
  });

  const be = (personId: string, name: string): HTMLElement =>
    button(`Ser ${name}`, () => store.choosePerson(personId));
  const use = (line: string): HTMLElement =>
    button("Usar", () => {
      if (window.innerWidth <= NARROW) panel.open = false;
      type(`${line} `);
    });
  const snippet = (text: string, ...actions: HTMLElement[]): HTMLElement =>
    element("div", { class: "snippet" }, element("code", {}, text), copyButton(text), ...actions);

  const step = (...children: readonly (HTMLElement | string)[]): HTMLElement =>
    element("li", {}, ...children);

  const render = ({ guide }: PageView): readonly HTMLElement[] => {
    const seller = guide.sellers[0];
    if (seller === undefined) return [];
    return [
      step(
        `Seja ${seller.name}, conecte a chave dela e aceite o relatório diário.`,
        actions(be(seller.personId, seller.name)),
        snippet("/conta conectar", use("/conta conectar")),
        snippet(seller.apiKey),
      ),
      step("Peça as vendas de hoje.", snippet("/vendas", use("/vendas"))),
      step(
        `Seja ${guide.adminName} e escolha o canal do relatório.`,
        actions(be(guide.adminId, guide.adminName)),
        snippet("/config relatorio canal:#vendas", use("/config relatorio canal:#vendas")),
      ),
      step(
        "Avance o relógio até as 21:05: o relatório chega em #vendas.",
        actions(button("Avançar até as 21:05", () => byId("clock-report").click())),
      ),
    ];
  };

  let drawn = false;
  return {
    draw: () => {
      const view = store.view();
      if (view === undefined || drawn) return;
      drawn = true;
      steps.replaceChildren(...render(view));
    },
  };
};

const button = (label: string, act: () => void): HTMLElement =>
  element("button", { type: "button", class: "button small secondary", onclick: act }, label);

const actions = (...buttons: readonly HTMLElement[]): HTMLElement =>
  element("div", { class: "actions" }, ...buttons);

const copyButton = (text: string): HTMLElement => {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    made.textContent = "Copiado";
    setTimeout(() => (made.textContent = "Copiar"), COPIED_MS);
  };
  const made = button("Copiar", () => void copy());
  made.setAttribute("aria-label", `Copiar ${text}`);
  return made;
};
