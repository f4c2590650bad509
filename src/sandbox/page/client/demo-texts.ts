import type { PageLocale, PageOutages } from "../page-view.ts";

const PORTUGUESE = {
  roles: { seller: "vende", admin: "administra" },
  be: (name: string): string => `Ser ${name}`,
  hasNews: "há mensagem nova",
  title: "Balcão, demonstração",
  unread: "não lidas",
  online: "conectado",
  offline: "desconectado",
  sold: (name: string, amount: string): string => `${name} vendeu ${amount}. Veja em /vendas.`,
  wrongAmount: "Use um valor de 0,01 a 100000,00.",
  clockOutcomes: {
    moved: "",
    past: "O relógio só anda para a frente.",
    too_far: "De uma vez, o relógio anda até 30 dias, para nada chegar atrasado.",
  },
  clockStuck: "Não deu para mover o relógio: confira a data.",
  todayAt: (time: string): string => `Hoje ${time}`,
  tomorrowAt: (time: string): string => `Amanhã ${time}`,
  copy: "Copiar",
  copied: "Copiado",
  use: "Usar",
  pasteKey: (name: string): string => `Colar a chave de ${name}`,
  place: (step: number, steps: number): string => `passo ${step} de ${steps}`,
  allDone: "tudo feito",
  stepConnect: (name: string): string =>
    `Seja ${name} e conecte a chave dela, que o formulário cola para você.`,
  otherKey: (name: string): string => `Quer vender como ${name} também? A chave dele é esta:`,
  stepSales: "Peça as vendas de hoje.",
  stepChannel: (name: string): string => `Seja ${name} e escolha o canal do relatório.`,
  stepReport: (name: string): string =>
    `Seja ${name} e aceite o relatório na mensagem direta que chegou. Avance o relógio até as 21:05: ele chega em #vendas.`,
  advance: "Avançar até as 21:05",
  stepWithdraw: "Saque R$ 50, de mentira, para uma chave PIX. Nada sai antes de você confirmar.",
  stepTrouble:
    "Avance um dia, marque em Carteira que a próxima resposta se perde e saque de novo: o bot descobre o que houve, sem repetir.",
  stepCrash:
    "Confirme mais um saque, derrube o bot na coluna dos canais e religue: ele continua de onde parou, e o saque sai uma vez só.",
  openWallet: "Abrir a Carteira",
  stepCharge: (name: string): string =>
    `Seja ${name} e cobre R$ 79,90. Publique o cartão, pague como cliente em Carteira e avance 1 minuto: ele vira Pago sozinho.`,
  stepSale: "Abra a venda em /transacoes e toque em Estornar: nada sai antes de você confirmar.",
  stepNotices: (admin: string, seller: string): string =>
    `Seja ${admin} e escolha o canal dos avisos de venda. Depois, como ${seller}, aceite em /conta ver, venda 12 em Vender e avance 1 minuto: vem uma linha só.`,
  stepWebhook: (name: string): string =>
    `Seja ${name}, copie o endereço da resposta e cadastre-o em Carteira: o serviço passa a chamar o bot, e a próxima venda é anunciada na hora.`,
  oneMinute: "Avançar 1 minuto",
  stepAlerts: (name: string): string =>
    `Seja ${name} e escolha o canal dos alertas de MED e o cargo que eles mencionam.`,
  stepConsent: (name: string): string =>
    `Seja ${name} e escolha, no segundo menu da resposta, que os alertas dela saiam nesse canal.`,
  stepDispute:
    "Em Carteira, abra um MED contra ela e avance 10 minutos: o alerta chega em #avisos. Avance as horas: cada lembrete vem uma vez.",
  tenMinutes: "Avançar 10 minutos",
  stepDefence:
    "Sob o alerta, veja os detalhes, prepare a defesa ou diga que já respondeu. Qualquer mensagem vira prova pelo menu dela: a venda do MED vem primeiro no formulário.",
  stepDecision:
    "Em Carteira, responda o MED e decida por ele como o banco: o bot conta cada passo, com os valores.",
  outages: {
    names: { bot: "o bot", wallet: "a carteira", discord: "o Discord" } satisfies Record<
      keyof PageOutages,
      string
    >,
    states: { on: "no ar", starting: "ligando…", off: "fora do ar" },
    down: "Derrubar",
    up: "Religar",
    notUp: "O bot não ligou. Com o Discord fora do ar ele não consegue: religue-o antes.",
  },
};

/** Texts of the page outside the imitated Discord client: people, clock, sales and the guide. */
export type DemoTexts = typeof PORTUGUESE;

const ENGLISH: DemoTexts = {
  roles: { seller: "sells", admin: "administers" },
  be: (name) => `Be ${name}`,
  hasNews: "there is a new message",
  title: "Balcão, demo",
  unread: "unread",
  online: "online",
  offline: "offline",
  sold: (name, amount) => `${name} sold ${amount}. See it with /vendas.`,
  wrongAmount: "Use an amount from 0.01 to 100000.00.",
  clockOutcomes: {
    moved: "",
    past: "The clock only goes forward.",
    too_far: "The clock moves up to 30 days at a time, so that nothing comes late.",
  },
  clockStuck: "The clock did not move: check the date.",
  todayAt: (time) => `Today ${time}`,
  tomorrowAt: (time) => `Tomorrow ${time}`,
  copy: "Copy",
  copied: "Copied",
  use: "Use",
  pasteKey: (name) => `Paste ${name}'s key`,
  place: (step, steps) => `step ${step} of ${steps}`,
  allDone: "all done",
  stepConnect: (name) => `Be ${name} and connect her key, which the form pastes for you.`,
  otherKey: (name) => `Want to sell as ${name} too? His key is this one:`,
  stepSales: "Ask for today's sales.",
  stepChannel: (name) => `Be ${name} and choose the report's channel.`,
  stepReport: (name) =>
    `Be ${name} and agree to the report in the direct message that came. Move the clock to 21:05: it arrives in #vendas.`,
  advance: "Move to 21:05",
  stepWithdraw: "Withdraw R$ 50 of play money to a PIX key. Nothing leaves before you confirm.",
  stepTrouble:
    "Move on a day, tick in Wallet that the next answer is lost and withdraw again: the bot finds out what happened, without repeating.",
  stepCrash:
    "Confirm one more withdrawal, kill the bot below the channels and restore it: it goes on where it was, and the withdrawal is made once.",
  openWallet: "Open the Wallet",
  stepCharge: (name) =>
    `Be ${name} and charge R$ 79.90. Post the card, pay as a customer in Wallet and move on 1 minute: it becomes Paid by itself.`,
  stepSale: "Open the sale in /transacoes and press Refund: nothing is sent before you confirm.",
  stepNotices: (admin, seller) =>
    `Be ${admin} and choose the channel of sale notices. Then, as ${seller}, agree in /conta ver, make 12 sales in Sell and move on 1 minute: one line comes.`,
  stepWebhook: (name) =>
    `Be ${name}, copy the address in the answer and register it in Wallet: the service now calls the bot, and the next sale is told at once.`,
  oneMinute: "Move on 1 minute",
  stepAlerts: (name) => `Be ${name} and choose the channel of MED alerts and the role they ping.`,
  stepConsent: (name) =>
    `Be ${name} and choose, in the second menu of the answer, that her alerts go to that channel.`,
  stepDispute:
    "In Wallet, open a MED against her and move on 10 minutes: the alert arrives in #avisos. Move on by hours: each reminder comes once.",
  tenMinutes: "Move on 10 minutes",
  stepDefence:
    "Under the alert, see the details, prepare the defence or say that you have answered. Any message becomes evidence from its menu: the MED's sale comes first in the form.",
  stepDecision:
    "In Wallet, answer the MED and decide it as the bank would: the bot tells each step, with the amounts.",
  outages: {
    names: { bot: "the bot", wallet: "the wallet", discord: "Discord" },
    states: { on: "up", starting: "starting…", off: "down" },
    down: "Kill",
    up: "Restore",
    notUp: "The bot did not start. It cannot while Discord is down: restore that first.",
  },
};

export const demoTextsIn = (locale: PageLocale): DemoTexts =>
  locale === "pt-BR" ? PORTUGUESE : ENGLISH;

/** English for the Portuguese words of index.html, keyed by `data-text` and `data-label`. */
export const ENGLISH_FRAME: Readonly<Record<string, string>> = {
  people: "Who you are",
  language: "Language of this person's Discord",
  sell: "Sell",
  sellAbout: "Makes an approved sale in the demo's wallet, in play money.",
  sellOwner: "Seller",
  sellOrigin: "Origin",
  sellAmount: "Amount in reais",
  sellCount: "How many sales",
  clock: "The demo's clock",
  moveClock: "Move the clock",
  moveTo: "Go to (Brasília time)",
  move: "Go",
  day: "+1 day",
  channels: "Channels",
  directMessages: "Direct messages",
  local: "A local demo: nothing leaves this machine, and the money is play money.",
  connectionLost: "The demo is out of reach. Trying again…",
  messages: "Messages",
  newMessages: "New messages",
  suggestions: "Suggestions",
  send: "Send",
  guide: "Try it",
  again: "Start over",
  againAbout: "Erases all that you did and goes back to step 1.",
  wallet: "Wallet",
  walletAbout: "What the wallet service itself knows, and what can go wrong in it.",
  walletOwner: "Account",
  walletAvailable: "Available, in play money",
  walletList: "Withdrawals at the service",
  walletTrouble: "Make something go wrong",
  loseAnswer: "The answer to the next withdrawal or refund is lost",
  loseRequest: "The next withdrawal or refund is lost before it is made",
  failNext: "The next withdrawal fails",
  refuseRefund: "The next refund is refused",
  lateRefund: "The next refund takes 10 minutes",
  dashboardAbout: "A withdrawal that the bot did not make",
  dashboardAmount: "Amount in reais",
  dashboardSpeed: "Speed",
  dashboard: "Withdraw from the service's dashboard",
  webhookAbout: "Call the bot at each event",
  webhookAddress: "Address from /conta webhook; empty: none",
  webhookSave: "Register at the service",
  paymentList: "Sales and charges at the service",
  medList: "MEDs at the service",
  medAmount: "Amount in reais",
  medHours: "Time to answer",
  medHours1: "1 hour",
  medHours5: "5 hours",
  medHours20: "20 hours",
  medHours60: "60 hours",
  medHours168: "7 days",
  medOpen: "Open a MED against the account",
  outages: "Pull the plug",
  outagesAbout: "The bot comes back with its data.",
};
