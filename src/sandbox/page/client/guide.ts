import type { PageMessage, PageView } from "../page-view.ts";
import { type DemoTexts, demoTextsIn } from "./demo-texts.ts";
import { byId, element, smallButton } from "./element.ts";
import { type PageStore, post } from "./page-store.ts";

const COPIED_MS = 1_500;
const WITHDRAWAL = "/saque valor:50 chave:ana@lojaaurora.example modalidade:turbo";
const CHARGE = "/cobrar valor:79,90 descricao:Plano VIP mensal";
const REPORT = "/config relatorio canal:#vendas";
const NOTICES = "/config vendas canal:#vendas";
const ALERTS = "/config alertas canal:#avisos cargo:@Equipe";
const CLOSED_KEY = "balcao.guide.closed";
const DONE_KEY = "balcao.guide.done";
const SEEN_KEY = "balcao.guide.seen";
/** Window width, in pixels, up to which the panel would hide the conversation. */
const NARROW = 900;

/** The guide for newcomers: steps with their commands, keys and buttons. */
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

  const done = keptSteps(DONE_KEY);
  /** Steps that were ticked once because the view shows them: what the person unticks then stays so. */
  const seen = keptSteps(SEEN_KEY);
  let current = 0;
  const drawTicks = (): void => {
    sessionStorage.setItem(DONE_KEY, [...done].join(" "));
    sessionStorage.setItem(SEEN_KEY, [...seen].join(" "));
    const items = [...steps.querySelectorAll<HTMLLIElement>("li")];
    for (const item of items) {
      const isDone = done.has(item.dataset["step"] ?? "");
      const box = item.querySelector<HTMLInputElement>("input[type=checkbox]");
      if (box !== null) box.checked = isDone;
      item.classList.toggle("done", isDone);
      item.removeAttribute("aria-current");
    }
    const at = items.findIndex((item) => !item.classList.contains("done"));
    items[at]?.setAttribute("aria-current", "step");
    const texts = demoTextsIn(store.locale());
    byId("guide-place").textContent = at < 0 ? texts.allDone : texts.place(at + 1, items.length);
    if (at !== current) items[at]?.scrollIntoView({ block: "nearest" });
    current = at;
  };
  // The page loads anew once the next demo answers.
  byId("guide-again").addEventListener("click", () => void post("/start-over", {}).catch(() => {}));

  const step = (id: StepId, text: string, ...children: readonly HTMLElement[]): HTMLElement => {
    const box = element("input", {
      type: "checkbox",
      onchange: () => {
        if (box.checked) done.add(id);
        else done.delete(id);
        drawTicks();
      },
    });
    return element(
      "li",
      { "data-step": id },
      element("label", { class: "tick" }, box, element("span", {}, text)),
      ...children,
    );
  };

  const render = ({ guide, me }: PageView): readonly HTMLElement[] => {
    const texts = demoTextsIn(me.locale);
    const [seller, other] = guide.sellers;
    if (seller === undefined || other === undefined) return [];
    const be = (personId: string, name: string): HTMLElement =>
      smallButton(texts.be(name), () => store.choosePerson(personId));
    const beSeller = (): HTMLElement => be(seller.personId, seller.name);
    const beAdmin = (): HTMLElement => be(guide.adminId, guide.adminName);
    const use = (line: string): HTMLElement =>
      commandSnippet(line, texts, (typed) => {
        if (window.innerWidth <= NARROW) panel.open = false;
        type(typed);
      });
    const wallet = (): HTMLElement => smallButton(texts.openWallet, openWallet);
    const clock = (label: string, id: string): HTMLElement =>
      smallButton(label, () => byId(id).click());
    return [
      step(
        "connect",
        texts.stepConnect(seller.name),
        actions(beSeller()),
        snippet(seller.apiKey, copyButton(seller.apiKey, texts)),
        use("/conta conectar"),
        element("p", { class: "aside" }, texts.otherKey(other.name)),
        snippet(other.apiKey, copyButton(other.apiKey, texts)),
      ),
      step("sales", texts.stepSales, use("/vendas")),
      step("channel", texts.stepChannel(guide.adminName), actions(beAdmin()), use(REPORT)),
      step(
        "report",
        texts.stepReport(seller.name),
        actions(beSeller()),
        actions(clock(texts.advance, "clock-report")),
      ),
      step("withdraw", texts.stepWithdraw, actions(beSeller()), use(WITHDRAWAL)),
      step("trouble", texts.stepTrouble, actions(wallet())),
      step("crash", texts.stepCrash),
      step(
        "charge",
        texts.stepCharge(seller.name),
        actions(beSeller()),
        use(CHARGE),
        actions(wallet(), clock(texts.oneMinute, "clock-minute")),
      ),
      step("sale", texts.stepSale, use("/transacoes")),
      step(
        "notices",
        texts.stepNotices(guide.adminName, seller.name),
        actions(beAdmin(), beSeller()),
        use(NOTICES),
        use("/conta ver"),
        actions(clock(texts.oneMinute, "clock-minute")),
      ),
      step("webhook", texts.stepWebhook(seller.name), use("/conta webhook"), actions(wallet())),
      step("alerts", texts.stepAlerts(guide.adminName), actions(beAdmin()), use(ALERTS)),
      step("consent", texts.stepConsent(seller.name), actions(beSeller()), use("/conta ver")),
      step(
        "dispute",
        texts.stepDispute,
        actions(wallet(), clock(texts.tenMinutes, "clock-minutes")),
      ),
      step("defence", texts.stepDefence),
      step("decision", texts.stepDecision, actions(wallet())),
    ];
  };

  let drawnLocale = "";
  return {
    draw: () => {
      const view = store.view();
      if (view === undefined) return;
      if (view.me.locale !== drawnLocale) steps.replaceChildren(...render(view));
      drawnLocale = view.me.locale;
      for (const id of stepsSeen(view)) {
        if (!seen.has(id)) done.add(id);
        seen.add(id);
      }
      drawTicks();
    },
  };
};

const keptSteps = (key: string): Set<string> =>
  new Set(sessionStorage.getItem(key)?.split(" ").filter(Boolean));

const openWallet = (): void => {
  const wallet = byId("wallet-panel") as HTMLDetailsElement;
  wallet.open = true;
  wallet.querySelector("summary")?.focus();
};

const actions = (...buttons: readonly HTMLElement[]): HTMLElement =>
  element("div", { class: "actions" }, ...buttons);

const snippet = (text: string, action: HTMLElement): HTMLElement =>
  element("div", { class: "snippet" }, element("code", {}, text), action);

/** A command with a button that types it into the composer. */
export const commandSnippet = (
  line: string,
  texts: DemoTexts,
  type: (line: string) => void,
): HTMLElement => {
  const made = smallButton(texts.use, () => type(`${line} `));
  made.setAttribute("aria-label", `${texts.use} ${line}`);
  return snippet(line, made);
};

const copyButton = (text: string, texts: DemoTexts): HTMLElement => {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    made.textContent = texts.copied;
    setTimeout(() => (made.textContent = texts.copy), COPIED_MS);
  };
  const made = smallButton(texts.copy, () => void copy());
  made.setAttribute("aria-label", `${texts.copy} ${text}`);
  return made;
};

type StepId =
  | "connect"
  | "sales"
  | "channel"
  | "report"
  | "withdraw"
  | "trouble"
  | "crash"
  | "charge"
  | "sale"
  | "notices"
  | "webhook"
  | "alerts"
  | "consent"
  | "dispute"
  | "defence"
  | "decision";

/**
 * Titles that only messages have whose step is done, or for a refund asked about, in either language. A command alone
 * shows nothing: its answer may be a refusal.
 */
const BY_TITLE: readonly (readonly [RegExp, StepId])[] = [
  [/^(?:Vendas de |Sales: )/, "sales"],
  [/^(?:Relatório diário salvo|Daily report saved)$/, "channel"],
  [
    /Saque (?:aceito|agendado|em processamento|concluído)|Withdrawal (?:accepted|scheduled|being processed|completed)/,
    "withdraw",
  ],
  [/Ainda não sei se o saque foi feito|I can't confirm this withdrawal/, "trouble"],
  [/^(?:Pago|Paid): /, "charge"],
  [/^(?:Estornar|Refund) .+\?$|Estorno feito|Refund made/, "sale"],
  [/^(?:Alertas de MED salvos|MED alerts saved)$/, "alerts"],
  [/Defesa preparada|Defence prepared/, "defence"],
];
const BY_POST: readonly (readonly [channel: string, words: RegExp, StepId])[] = [
  ["vendas", /^(?:Fechamento de |Daily close: )/, "report"],
  ["vendas", /^\*\*[\d.,]+ (?:vendas|sales)\*\*/, "notices"],
  ["avisos", /MED/, "dispute"],
  ["avisos", /MED (?:de|of) .* (?:ganho|perdido|won|lost)/, "decision"],
];
/** Recognises the answer to the connect form, which has no command name. */
const CONNECTED = /^(Chave conectada|Key connected)/;
/** Begins the name of the menu that says where a seller's alerts go. */
const ALERTS_MENU = "conta:alertas:";

/** Steps that the view shows to be done. The person ticks the other steps by hand. */
export const stepsSeen = (view: PageView): readonly StepId[] => [
  ...(view.outages.bot === "starting" ? (["crash"] as const) : []),
  ...(view.wallets.some(({ webhook }) => webhook !== "") ? (["webhook"] as const) : []),
  ...view.channels.flatMap(({ name, messages }) =>
    messages.filter(({ author }) => author.bot).flatMap((message) => stepsOf(message, name)),
  ),
];

const stepsOf = (message: PageMessage, channel: string): readonly StepId[] => {
  const [embed] = message.embeds;
  const title = embed?.title ?? "";
  const isPost = message.answers === null && !message.private;
  return [
    ...(CONNECTED.test(title) && message.answers === null ? (["connect"] as const) : []),
    ...(message.controls.flat().some(isForChannel) ? (["consent"] as const) : []),
    ...BY_TITLE.flatMap(([words, step]) => (words.test(title) ? [step] : [])),
    ...BY_POST.flatMap(([place, words, step]) =>
      isPost && place === channel && words.test(embed?.title ?? embed?.description ?? "")
        ? [step]
        : [],
    ),
  ];
};

const isForChannel = (control: PageMessage["controls"][number][number]): boolean =>
  control.kind === "select" &&
  control.customId.startsWith(ALERTS_MENU) &&
  control.chosen.includes("channel");
