import type { PagePayment } from "../page-view.ts";
import {
  byId,
  createKeyedChildren,
  element,
  resultLine,
  rowsOrNone,
  smallButton,
} from "./element.ts";
import { type PageStore, post } from "./page-store.ts";
import { type PaymentTexts, walletTextsIn } from "./wallet-texts.ts";

type Act = "pay" | "expire" | "refund";
type ActOnPayment = (kind: Act, txid: string) => Promise<void>;

/** Sales of `owner`'s account: a payer pays an open charge, its time is over, or a paid one is refunded. */
export const createPaymentPanel = (
  store: PageStore,
  owner: () => string,
  currency: (reais: number) => string,
): { readonly draw: () => void; readonly clear: () => void } => {
  const showResult = resultLine("payment-result");
  const show = createKeyedChildren(byId("wallet-payments"));
  const { locale } = store;

  const act: ActOnPayment = async (kind, txid) => {
    const texts = walletTextsIn(locale()).payments;
    try {
      const { outcome } = await post<{ readonly outcome: "done" | "refused" }>("/charge", {
        kind,
        owner: owner(),
        txid,
      });
      showResult(outcome === "done" ? texts.done[kind] : texts.refused, outcome !== "done");
    } catch {
      showResult(texts.refused, true);
    }
  };

  return {
    clear: () => showResult("", false),
    draw: () => {
      const wallet = store.view()?.wallets.find(({ personId }) => personId === owner());
      if (wallet === undefined) return;
      const texts = walletTextsIn(locale()).payments;
      const rows = wallet.payments.map((payment) => ({
        key: payment.txid,
        signature: JSON.stringify([payment, locale()]),
        render: () => paymentRow(payment, currency(payment.amount), texts, act),
      }));
      show(rowsOrNone(rows, texts.none));
    },
  };
};

const paymentRow = (
  { txid, description, state, canPay }: PagePayment,
  amount: string,
  texts: PaymentTexts,
  act: ActOnPayment,
): HTMLElement => {
  const button = (label: string, kind: Act): HTMLElement =>
    smallButton(label, () => void act(kind, txid));
  const open = [button(texts.pay, "pay"), button(texts.expire, "expire")];
  const acts = canPay ? open : state === "approved" ? [button(texts.refund, "refund")] : [];
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
    acts.length > 0 ? element("span", { class: "acts" }, ...acts) : null,
  );
};
