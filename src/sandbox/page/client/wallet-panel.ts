import type { PageLocale, PageMed, PageView, PageWallet, PageWithdrawal } from "../page-view.ts";
import { createPaymentPanel } from "./payment-panel.ts";
import {
  byId,
  createKeyedChildren,
  element,
  resultLine,
  rowsOrNone,
  smallButton,
} from "./element.ts";
import { type PageStore, post } from "./page-store.ts";
import { messageTime } from "./times.ts";
import { type MedTexts, walletTextsIn } from "./wallet-texts.ts";
import { demoTextsIn } from "./demo-texts.ts";

const DASHBOARD_KEY = "painel@lojaaurora.example";
const SWITCHES = [
  ["wallet-lose-answer", "lose_answer", "loseAnswer"],
  ["wallet-lose-request", "lose_request", "loseRequest"],
  ["wallet-fail", "fail", "fail"],
  ["wallet-refuse-refund", "refuse_refund", "refuseRefund"],
  ["wallet-late-refund", "late_refund", "lateRefund"],
] as const;

/** Shows the sellers' accounts in the wallet service, with switches that make the service fail. */
export const createWalletPanel = (store: PageStore): { readonly draw: () => void } => {
  const owner = byId("wallet-owner") as HTMLSelectElement;
  const showResult = resultLine("dashboard-result");
  const meds = createMedPanel(store, () => owner.value);
  const payments = createPaymentPanel(
    store,
    () => owner.value,
    (reais) => currency(reais, locale()),
  );

  const { locale } = store;
  const chosen = (view: PageView | undefined): PageWallet | undefined =>
    view?.wallets.find(({ personId }) => personId === owner.value);

  const drawWallet = (): void => {
    const view = store.view();
    const wallet = view === undefined ? undefined : chosen(view);
    if (wallet === undefined) return;
    byId("wallet-available").textContent = currency(wallet.available, locale());
    for (const [id, , name] of SWITCHES) {
      (byId(id) as HTMLInputElement).checked = wallet.trouble[name];
    }
    const rows = wallet.withdrawals.map((each) => withdrawalRow(each, store));
    const none = element("li", { class: "none" }, walletTextsIn(locale()).none);
    byId("wallet-withdrawals").replaceChildren(...(rows.length === 0 ? [none] : rows));
    payments.draw();
    meds.draw();
  };

  for (const [id, kind] of SWITCHES) {
    const box = byId(id) as HTMLInputElement;
    box.addEventListener("change", () => {
      const body = {
        kind,
        on: box.checked,
        ...(kind.startsWith("lose") ? {} : { owner: owner.value }),
      };
      post("/wallet", body).catch(drawWallet);
    });
  }
  owner.addEventListener("change", () => {
    showResult("", false);
    byId("webhook-result").textContent = "";
    drawWebhook(chosen(store.view()));
    payments.clear();
    meds.clear();
    drawWallet();
  });
  byId("dashboard-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void withdraw(owner.value, locale(), showResult);
  });

  createWebhookForm(() => owner.value, locale);

  let drawnFor = "";
  return {
    draw: () => {
      const view = store.view();
      if (view === undefined) return;
      if (drawnFor !== view.me.id) {
        drawnFor = view.me.id;
        fillSellers(owner, view.wallets, view.me.id);
        drawWebhook(chosen(view));
      }
      drawWallet();
    },
  };
};

/** In the menu of sellers, the person who looks at the page is chosen first. */
const fillSellers = (
  menu: HTMLSelectElement,
  sellers: readonly { readonly personId: string; readonly name: string }[],
  me: string,
): void => {
  menu.replaceChildren(
    ...sellers.map(({ personId, name }) => element("option", { value: personId }, name)),
  );
  const mine = sellers.find(({ personId }) => personId === me) ?? sellers[0];
  menu.value = mine?.personId ?? "";
};

const drawWebhook = (wallet: PageWallet | undefined): void => {
  (byId("webhook-address") as HTMLInputElement).value = wallet?.webhook ?? "";
};

/** Registers the address that the service calls for the owner's account. */
const createWebhookForm = (owner: () => string, locale: PageStore["locale"]): void => {
  const address = byId("webhook-address") as HTMLInputElement;
  const result = byId("webhook-result");
  const save = async (): Promise<void> => {
    const texts = walletTextsIn(locale());
    const body = { kind: "webhook", owner: owner(), address: address.value };
    const { refused } = await post<{ readonly refused: string | null }>("/wallet", body);
    const done = address.value.trim() === "" ? texts.webhookOff : texts.webhookOn;
    result.classList.toggle("problem", refused !== null);
    result.textContent = refused === null ? done : texts.webhookWrong;
  };
  byId("webhook-form").addEventListener("submit", (event) => {
    event.preventDefault();
    save().catch(() => (result.textContent = walletTextsIn(locale()).webhookWrong));
  });
};

const withdraw = async (
  owner: string,
  locale: PageLocale,
  showResult: (text: string, problem: boolean) => void,
): Promise<void> => {
  const amount = byId("dashboard-amount") as HTMLInputElement;
  const speed = byId("dashboard-speed") as HTMLSelectElement;
  const texts = walletTextsIn(locale);
  try {
    const { refused } = await post<{ readonly refused: string | null }>("/wallet", {
      kind: "dashboard",
      owner,
      reais: typedReais(amount.value),
      pixKey: DASHBOARD_KEY,
      turbo: speed.value === "turbo",
    });
    showResult(refused === null ? texts.done : texts.refused(refused), refused !== null);
  } catch {
    showResult(texts.wrong, true);
  }
};

const withdrawalRow = (withdrawal: PageWithdrawal, store: PageStore): HTMLElement => {
  const locale = store.locale();
  const texts = walletTextsIn(locale);
  const { recipient, scheduledFor } = withdrawal;
  const at = (iso: string): string => messageTime(Date.parse(iso), locale, store.now());
  const speed = withdrawal.turbo ? "turbo" : "normal";
  const source = recipient === null ? texts.source[withdrawal.source] : texts.splitOf(recipient);
  const planned =
    scheduledFor !== null && withdrawal.status === "scheduled"
      ? ` · ${texts.scheduled(at(scheduledFor))}`
      : "";
  return element(
    "li",
    { "data-status": withdrawal.status },
    element(
      "span",
      { class: "state" },
      element("strong", {}, currency(withdrawal.amount, locale)),
      element("span", {}, texts.status[withdrawal.status]),
    ),
    element("span", {}, `${speed} · ${source}`),
    element("span", {}, `${texts.asked(at(withdrawal.requestedAt))}${planned}`),
    element("code", {}, withdrawal.pixKey),
  );
};

/** As the bot writes it: `R$ 1.234,56`, and `R$ 1,234.56` in English. */
export const currency = (reais: number, locale: PageLocale): string =>
  `R$\u00a0${reais.toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

type ActOnMed = (body: Readonly<Record<string, unknown>>) => Promise<void>;

/** The MEDs of `owner`'s account, with the actions that payers, the seller and the bank take outside the bot. */
const createMedPanel = (
  store: PageStore,
  owner: () => string,
): { readonly draw: () => void; readonly clear: () => void } => {
  const amount = byId("med-amount") as HTMLInputElement;
  const hours = byId("med-hours") as HTMLSelectElement;
  const showResult = resultLine("med-result");
  const show = createKeyedChildren(byId("wallet-meds"));
  const { locale } = store;
  const perform = async (
    body: Readonly<Record<string, unknown>>,
    words: (texts: MedTexts) => string,
  ): Promise<void> => {
    const texts = walletTextsIn(locale()).meds;
    try {
      const { outcome } = await post<{ readonly outcome: "done" | "refused" }>("/med", {
        owner: owner(),
        ...body,
      });
      showResult(outcome === "done" ? words(texts) : texts.refused, outcome !== "done");
    } catch {
      showResult(texts.wrong, true);
    }
  };

  byId("med-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const reais = typedReais(amount.value);
    const body = { kind: "open", reais, situation: "FRAUDE", hours: Number(hours.value) };
    void perform(body, ({ opened }) => opened);
  });

  return {
    clear: () => showResult("", false),
    draw: () => {
      const wallet = store.view()?.wallets.find(({ personId }) => personId === owner());
      if (wallet === undefined) return;
      const texts = walletTextsIn(locale()).meds;
      const time = (iso: string): string => messageTime(Date.parse(iso), locale(), store.now());
      const rows = wallet.meds.map((med) => {
        const passed = Date.parse(med.dueAt) <= store.now();
        const due = (passed ? texts.wasDue : texts.due)(time(med.dueAt));
        return {
          key: med.infractionId,
          signature: JSON.stringify([med, locale(), due]),
          render: () =>
            medRow(med, [currency(med.amount, locale()), due], texts, (body) =>
              perform(body, () => ""),
            ),
        };
      });
      show(rowsOrNone(rows, texts.none));
    },
  };
};

const medRow = (
  med: PageMed,
  [amount, due]: readonly [amount: string, due: string],
  texts: MedTexts,
  act: ActOnMed,
): HTMLElement => {
  const { infractionId } = med;
  const button = (label: string, body: Readonly<Record<string, unknown>>): HTMLElement =>
    smallButton(label, () => void act({ infractionId, ...body }));
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
      element("strong", {}, amount),
      element("span", {}, texts.state[med.state]),
    ),
    element("span", {}, due),
    element("code", {}, infractionId),
    med.canAnswer ? element("span", { class: "acts" }, ...answers) : null,
    med.canDecide ? element("span", { class: "acts" }, ...decisions) : null,
  );
};

const MESSAGE_SHOWN_MS = 4_000;

/** Creates a sale in the local wallet service, so that /vendas has new data. */
export const createSellPanel = (store: PageStore): { readonly draw: () => void } => {
  const owner = byId("sell-owner") as HTMLSelectElement;
  const origin = byId("sell-origin") as HTMLSelectElement;
  const amount = byId("sell-amount") as HTMLInputElement;
  const many = byId("sell-count") as HTMLSelectElement;
  const result = byId("sell-result");

  const sell = async (): Promise<void> => {
    const reais = typedReais(amount.value);
    const seller = owner.selectedOptions[0]?.textContent ?? "";
    const locale = store.locale();
    const texts = demoTextsIn(locale);
    result.classList.remove("problem");
    try {
      const count = Number(many.value);
      await post("/sell", { owner: owner.value, origin: origin.value, reais, count });
      result.textContent = texts.sold(
        seller,
        `${count > 1 ? `${count} × ` : ""}${currency(reais, locale)}`,
      );
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
      fillSellers(owner, view.guide.sellers, view.me.id);
    },
  };
};

/** Parses an amount in Brazilian notation: `1.234,56`, `1.500`, `49,90`, and also `49.90`. NaN if invalid. */
export const typedReais = (text: string): number => {
  const typed = text.trim();
  const pointsAreThousands = typed.includes(",") || /^\d{1,3}(\.\d{3})+$/.test(typed);
  if (pointsAreThousands && !/^(\d+|\d{1,3}(\.\d{3})+)(,\d*)?$/.test(typed)) return NaN;
  return Number(pointsAreThousands ? typed.replaceAll(".", "").replace(",", ".") : typed);
};
