import type { PagePayment, PageLocale, PageMed, PageWithdrawal } from "../page-view.ts";

/** Texts of the wallet panel in index.html, keyed by `data-text` and `data-label`. */
export const WALLET_FRAME_PT = {
  wallet: "Carteira",
  walletAbout: "O que o próprio serviço da carteira sabe, e o que pode dar errado nele.",
  walletOwner: "Conta",
  walletAvailable: "Disponível, de mentira",
  walletList: "Saques no serviço",
  walletTrouble: "Dar errado de propósito",
  loseAnswer: "A próxima resposta de saque ou estorno se perde",
  loseRequest: "O próximo pedido de saque ou estorno se perde antes de ser feito",
  failNext: "O próximo saque falha",
  refuseRefund: "O próximo estorno é recusado",
  lateRefund: "O próximo estorno demora 10 minutos",
  dashboardAbout: "Um saque que o bot não fez",
  dashboardAmount: "Valor em reais",
  dashboardSpeed: "Modalidade",
  dashboard: "Sacar pelo painel do serviço",
  webhookAbout: "Avisar o bot a cada novidade",
  webhookAddress: "Endereço de /conta webhook; vazio: nenhum",
  webhookSave: "Cadastrar no serviço",
};

export const WALLET_FRAME_EN: typeof WALLET_FRAME_PT = {
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
};

interface WalletTexts {
  readonly status: Readonly<Record<PageWithdrawal["status"], string>>;
  readonly source: Readonly<Record<PageWithdrawal["source"], string>>;
  readonly splitOf: (name: string) => string;
  readonly none: string;
  readonly asked: (when: string) => string;
  readonly scheduled: (when: string) => string;
  readonly done: string;
  readonly refused: (message: string) => string;
  readonly wrong: string;
  readonly webhookOn: string;
  readonly webhookOff: string;
  readonly webhookWrong: string;
}

const WALLET_PORTUGUESE: WalletTexts = {
  status: {
    scheduled: "agendado",
    processing: "processando",
    completed: "pago",
    failed: "falhou",
    cancelled: "cancelado",
  },
  source: { api: "pelo bot", split: "saldo split", dashboard: "pelo painel do serviço" },
  splitOf: (name) => `saldo split de ${name}`,
  none: "Nenhum saque desde que a demonstração começou.",
  asked: (when) => `pedido: ${when}`,
  scheduled: (when) => `previsto: ${when}`,
  done: "Feito. O bot não sabe deste saque. Ele olha a conta a cada 10 minutos do relógio e avisa do que apareceu desde a última olhada.",
  refused: (message) => `O serviço recusou: ${message}`,
  wrong: "Use um valor de 10,00 para cima.",
  webhookOn: "Cadastrado: o serviço chama o bot a cada venda, MED ou saque.",
  webhookOff: "O serviço não chama mais o bot.",
  webhookWrong: "Cole o endereço inteiro de /conta webhook: só vale um desta máquina.",
};

const WALLET_ENGLISH: WalletTexts = {
  status: {
    scheduled: "scheduled",
    processing: "processing",
    completed: "paid",
    failed: "failed",
    cancelled: "cancelled",
  },
  source: { api: "by the bot", split: "split balance", dashboard: "from the service's dashboard" },
  splitOf: (name) => `split balance of ${name}`,
  none: "No withdrawal since the demo started.",
  asked: (when) => `requested: ${when}`,
  scheduled: (when) => `planned: ${when}`,
  done: "Done. The bot does not know of this withdrawal. It looks at the account every 10 minutes of the clock and tells what has appeared since the last look.",
  refused: (message) => `The service refused: ${message}`,
  wrong: "Use an amount from 10.00 up.",
  webhookOn: "Registered: the service calls the bot at each sale, MED or withdrawal.",
  webhookOff: "The service no longer calls the bot.",
  webhookWrong: "Paste the whole address from /conta webhook: only one on this machine counts.",
};

export const walletTextsIn = (locale: PageLocale): WalletTexts =>
  locale === "pt-BR" ? WALLET_PORTUGUESE : WALLET_ENGLISH;

/** Texts around the list of MEDs in index.html, keyed by `data-text` and `data-label`. */
export const MED_FRAME_PT = {
  paymentList: "Vendas e cobranças no serviço",
  medList: "MEDs no serviço",
  medAmount: "Valor em reais",
  medHours: "Prazo da resposta",
  medHours1: "1 hora",
  medHours5: "5 horas",
  medHours20: "20 horas",
  medHours60: "60 horas",
  medHours168: "7 dias",
  medOpen: "Abrir um MED contra a conta",
};

export const MED_FRAME_EN: typeof MED_FRAME_PT = {
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
};

export interface PaymentTexts {
  readonly state: Readonly<Record<PagePayment["state"], string>>;
  readonly none: string;
  readonly pay: string;
  readonly expire: string;
  readonly refund: string;
  readonly done: Readonly<Record<"pay" | "expire" | "refund", string>>;
  readonly refused: string;
}

const PAYMENT_PORTUGUESE: PaymentTexts = {
  state: { pending: "não paga", approved: "paga", refunded: "estornada", expired: "expirada" },
  none: "Nenhuma venda. Crie uma cobrança com /cobrar.",
  pay: "Pagar como cliente",
  expire: "Deixar expirar",
  refund: "Estornar pelo painel do serviço",
  done: {
    pay: "Paga. Avance 1 minuto: a resposta e o cartão mudam sozinhos.",
    expire: "Expirou. Avance 1 minuto: a resposta e o cartão mudam sozinhos.",
    refund: "Estornada sem o bot. Avance 1 minuto: o aviso de venda conta, se estiver ligado.",
  },
  refused: "Não dá mais: ela mudou.",
};

const PAYMENT_ENGLISH: PaymentTexts = {
  state: { pending: "not paid", approved: "paid", refunded: "refunded", expired: "expired" },
  none: "No sale. Create a charge with /cobrar.",
  pay: "Pay as a customer",
  expire: "Let it expire",
  refund: "Refund from the service's dashboard",
  done: {
    pay: "Paid. Move on 1 minute: the answer and the card change by themselves.",
    expire: "Expired. Move on 1 minute: the answer and the card change by themselves.",
    refund: "Refunded without the bot. Move on 1 minute: the sale notice tells it, if it is on.",
  },
  refused: "Too late: it has changed.",
};

export const paymentTextsIn = (locale: PageLocale): PaymentTexts =>
  locale === "pt-BR" ? PAYMENT_PORTUGUESE : PAYMENT_ENGLISH;

export interface MedTexts {
  readonly state: Readonly<Record<PageMed["state"], string>>;
  readonly none: string;
  readonly due: (when: string) => string;
  readonly wasDue: (when: string) => string;
  readonly disagree: string;
  readonly agree: string;
  readonly accept: string;
  readonly reject: string;
  readonly cancel: string;
  readonly opened: string;
  readonly refused: string;
  readonly wrong: string;
}

const MED_PORTUGUESE: MedTexts = {
  state: {
    pending: "sem resposta",
    overdue: "prazo vencido",
    agreed: "vendedor concordou",
    disagreed: "vendedor discordou",
    canceled: "cancelado",
    accepted: "perdido",
    rejected: "ganho",
  },
  none: "Nenhum MED nesta conta.",
  due: (when) => `prazo ${when}`,
  wasDue: (when) => `o prazo era ${when}`,
  disagree: "Discordar",
  agree: "Concordar",
  accept: "Banco aceita",
  reject: "Banco recusa",
  cancel: "Cancelar",
  opened: "Aberto. Veja em /meds, ou avance 10 minutos e espere o alerta.",
  refused: "Não dá mais: este MED mudou.",
  wrong: "Use um valor de 0,01 a 100000,00.",
};

const MED_ENGLISH: MedTexts = {
  state: {
    pending: "not answered",
    overdue: "deadline passed",
    agreed: "seller accepted the claim",
    disagreed: "seller defended the sale",
    canceled: "cancelled",
    accepted: "lost",
    rejected: "won",
  },
  none: "No MED in this account.",
  due: (when) => `due ${when}`,
  wasDue: (when) => `was due ${when}`,
  disagree: "Defend the sale",
  agree: "Accept the claim",
  accept: "Bank accepts",
  reject: "Bank rejects",
  cancel: "Cancel",
  opened: "Opened. See it in /meds, or move on 10 minutes and wait for the alert.",
  refused: "Too late: this MED has changed.",
  wrong: "Use an amount from 0.01 to 100000.00.",
};

export const medTextsIn = (locale: PageLocale): MedTexts =>
  locale === "pt-BR" ? MED_PORTUGUESE : MED_ENGLISH;
