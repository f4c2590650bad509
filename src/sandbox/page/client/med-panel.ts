import type { PageMed } from "../page-view.ts";
import { byId, element } from "./element.ts";
import { createKeyedChildren } from "./keyed-children.ts";
import { medTextsIn, type MedTexts } from "./med-texts.ts";
import type { PageStore } from "./page-store.ts";
import { post } from "./server.ts";
import { messageTime } from "./times.ts";
import { typedReais } from "./typed-reais.ts";

type ActOnMed = (body: Readonly<Record<string, unknown>>) => Promise<void>;

/** The MEDs of the account that `owner` names: what payers, the seller and the bank do about them outside the bot. */
export const createMedPanel = (
  store: PageStore,
  owner: () => string,
): { readonly draw: () => void; readonly clear: () => void } => {
  const amount = byId("med-amount") as HTMLInputElement;
  const hours = byId("med-hours") as HTMLSelectElement;
  const result = byId("med-result");
  const show = createKeyedChildren(byId("wallet-meds"));

  const locale = () => store.view()?.me.locale ?? "pt-BR";
  const tell = (text: string, problem: boolean): void => {
    result.classList.toggle("problem", problem);
    result.textContent = text;
  };
  const perform = async (
    body: Readonly<Record<string, unknown>>,
    words: (texts: MedTexts) => string,
  ): Promise<void> => {
    const texts = medTextsIn(locale());
    try {
      const { outcome } = await post<{ readonly outcome: "done" | "refused" }>("/med", {
        owner: owner(),
        ...body,
      });
      tell(outcome === "done" ? words(texts) : texts.refused, outcome !== "done");
    } catch {
      tell(texts.wrong, true);
    }
  };

  byId("med-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const reais = typedReais(amount.value);
    const body = { kind: "open", reais, situation: "FRAUDE", hours: Number(hours.value) };
    void perform(body, ({ opened }) => opened);
  });

  return {
    clear: () => tell("", false),
    draw: () => {
      const wallet = store.view()?.wallets.find(({ personId }) => personId === owner());
      if (wallet === undefined) return;
      const texts = medTextsIn(locale());
      const time = (iso: string): string => messageTime(Date.parse(iso), locale(), store.now());
      const rows = wallet.meds.map((med) => {
        const passed = Date.parse(med.dueAt) <= store.now();
        const due = (passed ? texts.wasDue : texts.due)(time(med.dueAt));
        return {
          key: med.infractionId,
          signature: JSON.stringify([med, locale(), due]),
          render: () => row(med, texts, due, (body) => perform(body, () => "")),
        };
      });
      const none = {
        key: "none",
        signature: locale(),
        render: () => element("li", { class: "none" }, texts.none),
      };
      show(rows.length === 0 ? [none] : rows);
    },
  };
};

const row = (med: PageMed, texts: MedTexts, due: string, act: ActOnMed): HTMLElement => {
  const { infractionId } = med;
  const button = (label: string, body: Readonly<Record<string, unknown>>): HTMLElement =>
    element(
      "button",
      {
        class: "button small secondary",
        type: "button",
        onclick: () => void act({ infractionId, ...body }),
      },
      label,
    );
  const answers = [
    button(texts.disagree, { kind: "answer", answer: "disagreed" }),
    button(texts.agree, { kind: "answer", answer: "agreed" }),
  ];
  const decisions = [
    button(texts.reject, { kind: "decide", decision: "rejected" }),
    button(texts.accept, { kind: "decide", decision: "accepted" }),
    button(texts.cancel, { kind: "cancel" }),
  ];
  return element(
    "li",
    { "data-state": med.state },
    element(
      "span",
      { class: "state" },
      element("strong", {}, currency(med.amount)),
      element("span", {}, texts.state[med.state]),
    ),
    element("span", {}, due),
    element("code", {}, infractionId),
    med.canAnswer ? element("span", { class: "acts" }, ...answers) : null,
    med.canDecide ? element("span", { class: "acts" }, ...decisions) : null,
  );
};

const currency = (reais: number): string =>
  reais.toLocaleString("pt-BR", { style: "currency", currency: "BRL" });
