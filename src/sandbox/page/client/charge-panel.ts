import type { PageCharge } from "../page-view.ts";
import { byId, createKeyedChildren, element } from "./element.ts";
import { type PageStore, post } from "./page-store.ts";
import { type ChargeTexts, chargeTextsIn } from "./wallet-texts.ts";

type ActOnCharge = (kind: "pay" | "expire", txid: string) => Promise<void>;

/** The charges of `owner`'s account: a payer pays an open one, or its time is over. */
export const createChargePanel = (
  store: PageStore,
  owner: () => string,
  currency: (reais: number) => string,
): { readonly draw: () => void; readonly clear: () => void } => {
  const result = byId("charge-result");
  const show = createKeyedChildren(byId("wallet-charges"));
  const locale = () => store.view()?.me.locale ?? "pt-BR";
  const showResult = (text: string, problem: boolean): void => {
    result.classList.toggle("problem", problem);
    result.textContent = text;
  };

  const act: ActOnCharge = async (kind, txid) => {
    const texts = chargeTextsIn(locale());
    try {
      const { outcome } = await post<{ readonly outcome: "done" | "refused" }>("/charge", {
        kind,
        owner: owner(),
        txid,
      });
      const words = kind === "pay" ? texts.paid : texts.expired;
      showResult(outcome === "done" ? words : texts.refused, outcome !== "done");
    } catch {
      showResult(texts.refused, true);
    }
  };

  return {
    clear: () => showResult("", false),
    draw: () => {
      const wallet = store.view()?.wallets.find(({ personId }) => personId === owner());
      if (wallet === undefined) return;
      const texts = chargeTextsIn(locale());
      const rows = wallet.charges.map((charge) => ({
        key: charge.txid,
        signature: JSON.stringify([charge, locale()]),
        render: () => chargeRow(charge, currency(charge.amount), texts, act),
      }));
      const none = {
        key: "none",
        signature: locale(),
        render: () => element("li", { class: "none" }, texts.none),
      };
      show(rows.length === 0 ? [none] : rows);
    },
  };
};

const chargeRow = (
  { txid, description, state }: PageCharge,
  amount: string,
  texts: ChargeTexts,
  act: ActOnCharge,
): HTMLElement => {
  const button = (label: string, kind: "pay" | "expire"): HTMLElement =>
    element(
      "button",
      {
        class: "button small secondary",
        type: "button",
        onclick: () => void act(kind, txid),
      },
      label,
    );
  const acts = [button(texts.pay, "pay"), button(texts.expire, "expire")];
  return element(
    "li",
    { "data-state": state },
    element(
      "span",
      { class: "state" },
      element("strong", {}, amount),
      element("span", {}, texts.state[state]),
    ),
    element("span", {}, description),
    element("code", {}, txid),
    state === "pending" ? element("span", { class: "acts" }, ...acts) : null,
  );
};
