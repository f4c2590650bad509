import type { PageView } from "../page-view.ts";
import { demoTextsIn } from "./demo-texts.ts";
import type { DemoTexts } from "./demo-texts.ts";
import { byId, element } from "./element.ts";
import type { PageStore } from "./page-store.ts";

const COPIED_MS = 1_500;
const WITHDRAWAL = "/saque valor:50 chave:ana@lojaaurora.example modalidade:turbo";
const ALERTS = "/config alertas canal:#avisos cargo:@Equipe";
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

  const be = (personId: string, label: string): HTMLElement =>
    button(label, () => store.choosePerson(personId));
  const use = (line: string, texts: DemoTexts): HTMLElement => {
    const made = button(texts.use, () => {
      if (window.innerWidth <= NARROW) panel.open = false;
      type(`${line} `);
    });
    made.setAttribute("aria-label", `${texts.use} ${line}`);
    return snippet(line, made);
  };

  const step = (...children: readonly (HTMLElement | string)[]): HTMLElement =>
    element("li", {}, ...children);

  const render = ({ guide, me }: PageView): readonly HTMLElement[] => {
    const texts = demoTextsIn(me.locale);
    const [seller, other] = guide.sellers;
    if (seller === undefined || other === undefined) return [];
    return [
      step(
        texts.stepConnect(seller.name),
        actions(be(seller.personId, texts.be(seller.name))),
        snippet(seller.apiKey, copyButton(seller.apiKey, texts)),
        use("/conta conectar", texts),
        element("p", { class: "aside" }, texts.otherKey(other.name)),
        snippet(other.apiKey, copyButton(other.apiKey, texts)),
      ),
      step(texts.stepSales, use("/vendas", texts)),
      step(
        texts.stepChannel(guide.adminName),
        actions(be(guide.adminId, texts.be(guide.adminName))),
        use("/config relatorio canal:#vendas", texts),
      ),
      step(texts.stepReport, actions(button(texts.advance, () => byId("clock-report").click()))),
      step(
        texts.stepWithdraw,
        actions(be(seller.personId, texts.be(seller.name))),
        use(WITHDRAWAL, texts),
      ),
      step(texts.stepTrouble, actions(button(texts.openWallet, openWallet))),
      step(texts.stepCrash),
      step(
        texts.stepAlerts(guide.adminName),
        actions(be(guide.adminId, texts.be(guide.adminName))),
        use(ALERTS, texts),
      ),
      step(
        texts.stepConsent(seller.name),
        actions(be(seller.personId, texts.be(seller.name))),
        use("/conta ver", texts),
      ),
      step(
        texts.stepDispute,
        actions(
          button(texts.openWallet, openWallet),
          button(texts.tenMinutes, () => byId("clock-minutes").click()),
        ),
      ),
      step(texts.stepDefence),
      step(texts.stepDecision, actions(button(texts.openWallet, openWallet))),
    ];
  };

  let drawnLocale = "";
  return {
    draw: () => {
      const view = store.view();
      if (view === undefined || view.me.locale === drawnLocale) return;
      drawnLocale = view.me.locale;
      steps.replaceChildren(...render(view));
    },
  };
};

const openWallet = (): void => {
  const wallet = byId("wallet-panel") as HTMLDetailsElement;
  wallet.open = true;
  wallet.querySelector("summary")?.focus();
};

const button = (label: string, act: () => void): HTMLElement =>
  element("button", { type: "button", class: "button small secondary", onclick: act }, label);

const actions = (...buttons: readonly HTMLElement[]): HTMLElement =>
  element("div", { class: "actions" }, ...buttons);

const snippet = (text: string, action: HTMLElement): HTMLElement =>
  element("div", { class: "snippet" }, element("code", {}, text), action);

const copyButton = (text: string, texts: DemoTexts): HTMLElement => {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    made.textContent = texts.copied;
    setTimeout(() => (made.textContent = texts.copy), COPIED_MS);
  };
  const made = button(texts.copy, () => void copy());
  made.setAttribute("aria-label", `${texts.copy} ${text}`);
  return made;
};
