import type { PageView, PageWallet, PageWithdrawal } from "../page-view.ts";
import { byId, element } from "./element.ts";
import { createMedPanel } from "./med-panel.ts";
import type { PageStore } from "./page-store.ts";
import { post } from "./server.ts";
import { messageTime } from "./times.ts";
import { typedReais } from "./typed-reais.ts";
import { walletTextsIn } from "./wallet-texts.ts";

const DASHBOARD_KEY = "painel@lojaaurora.example";
const SWITCHES = [
  ["wallet-lose-answer", "lose_answer", "loseAnswer"],
  ["wallet-lose-request", "lose_request", "loseRequest"],
  ["wallet-fail", "fail", "fail"],
] as const;

/** What the wallet service knows of the sellers' money, and the switches that make it fail. */
export const createWalletPanel = (store: PageStore): { readonly draw: () => void } => {
  const owner = byId("wallet-owner") as HTMLSelectElement;
  const result = byId("dashboard-result");
  const meds = createMedPanel(store, () => owner.value);

  const locale = () => store.view()?.me.locale ?? "pt-BR";
  const tell = (text: string, problem: boolean): void => {
    result.classList.toggle("problem", problem);
    result.textContent = text;
  };
  const chosen = (view: PageView): PageWallet | undefined =>
    view.wallets.find(({ personId }) => personId === owner.value);

  const drawWallet = (): void => {
    const view = store.view();
    const wallet = view === undefined ? undefined : chosen(view);
    if (wallet === undefined) return;
    byId("wallet-available").textContent = currency(wallet.available);
    for (const [id, , name] of SWITCHES) {
      (byId(id) as HTMLInputElement).checked = wallet.trouble[name];
    }
    const rows = wallet.withdrawals.map((each) => row(each, store));
    const none = element("li", { class: "none" }, walletTextsIn(locale()).none);
    byId("wallet-withdrawals").replaceChildren(...(rows.length === 0 ? [none] : rows));
    meds.draw();
  };

  for (const [id, kind] of SWITCHES) {
    const box = byId(id) as HTMLInputElement;
    box.addEventListener("change", () => {
      const body = { kind, on: box.checked, ...(kind === "fail" ? { owner: owner.value } : {}) };
      post("/wallet", body).catch(drawWallet);
    });
  }
  owner.addEventListener("change", () => {
    tell("", false);
    meds.clear();
    drawWallet();
  });
  byId("dashboard-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void withdraw(owner.value, locale(), tell);
  });

  let drawnFor = "";
  return {
    draw: () => {
      const view = store.view();
      if (view === undefined) return;
      if (drawnFor !== view.me.id) {
        drawnFor = view.me.id;
        owner.replaceChildren(
          ...view.wallets.map(({ personId, name }) => element("option", { value: personId }, name)),
        );
        const mine = view.wallets.find(({ personId }) => personId === view.me.id);
        owner.value = (mine ?? view.wallets[0])?.personId ?? "";
      }
      drawWallet();
    },
  };
};

const withdraw = async (
  owner: string,
  locale: "pt-BR" | "en-US",
  tell: (text: string, problem: boolean) => void,
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
    tell(refused === null ? texts.done : texts.refused(refused), refused !== null);
  } catch {
    tell(texts.wrong, true);
  }
};

const row = (withdrawal: PageWithdrawal, store: PageStore): HTMLElement => {
  const locale = store.view()?.me.locale ?? "pt-BR";
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
      element("strong", {}, currency(withdrawal.amount)),
      element("span", {}, texts.status[withdrawal.status]),
    ),
    element("span", {}, `${speed} · ${source}`),
    element("span", {}, `${texts.asked(at(withdrawal.requestedAt))}${planned}`),
    element("code", {}, withdrawal.pixKey),
  );
};

const currency = (reais: number): string =>
  reais.toLocaleString("pt-BR", { style: "currency", currency: "BRL" });
