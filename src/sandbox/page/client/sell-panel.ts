import { demoTextsIn } from "./demo-texts.ts";
import { byId, element } from "./element.ts";
import type { PageStore } from "./page-store.ts";
import { post } from "./server.ts";
import { typedReais } from "./typed-reais.ts";

const MESSAGE_SHOWN_MS = 4_000;

/** A sale in the local wallet service, so that /vendas has something new to show. */
export const createSellPanel = (store: PageStore): { readonly draw: () => void } => {
  const owner = byId("sell-owner") as HTMLSelectElement;
  const origin = byId("sell-origin") as HTMLSelectElement;
  const amount = byId("sell-amount") as HTMLInputElement;
  const result = byId("sell-result");

  const sell = async (): Promise<void> => {
    const reais = typedReais(amount.value);
    const seller = owner.selectedOptions[0]?.textContent ?? "";
    const texts = demoTextsIn(store.view()?.me.locale ?? "pt-BR");
    result.classList.remove("problem");
    try {
      await post("/sell", { owner: owner.value, origin: origin.value, reais });
      const shown = reais.toLocaleString("pt-BR", { style: "currency", currency: "BRL" });
      result.textContent = texts.sold(seller, shown);
      setTimeout(() => (result.textContent = ""), MESSAGE_SHOWN_MS);
    } catch {
      result.classList.add("problem");
      result.textContent = texts.wrongAmount;
    }
  };
  byId("sell-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void sell();
  });

  let drawnFor = "";
  return {
    draw: () => {
      const view = store.view();
      if (view === undefined || drawnFor === view.me.id) return;
      drawnFor = view.me.id;
      const { sellers } = view.guide;
      owner.replaceChildren(
        ...sellers.map(({ personId, name }) => element("option", { value: personId }, name)),
      );
      const mine = sellers.find(({ personId }) => personId === view.me.id) ?? sellers[0];
      owner.value = mine?.personId ?? "";
    },
  };
};
