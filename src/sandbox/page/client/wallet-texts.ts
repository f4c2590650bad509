import type { PagePayment, PageLocale, PageMed, PageWithdrawal } from "../page-view.ts";

const PORTUGUESE = {
  status: {
    scheduled: "agendado",
    processing: "processando",
    completed: "pago",
    failed: "falhou",
    cancelled: "cancelado",
  } satisfies Record<PageWithdrawal["status"], string>,
  source: {
    api: "pelo bot",
    split: "saldo split",
    dashboard: "pelo painel do serviço",
  } satisfies Record<PageWithdrawal["source"], string>,
  splitOf: (name: string): string => `saldo split de ${name}`,
  none: "Nenhum saque desde que a demonstração começou.",
  asked: (when: string): string => `pedido: ${when}`,
  scheduled: (when: string): string => `previsto: ${when}`,
  done: "Feito. O bot não sabe deste saque. Ele olha a conta a cada 10 minutos do relógio e avisa do que apareceu desde a última olhada.",
  refused: (message: string): string => `O serviço recusou: ${message}`,
  wrong: "Use um valor de 10,00 para cima.",
  webhookOn: "Cadastrado: o serviço chama o bot a cada venda, MED ou saque.",
  webhookOff: "O serviço não chama mais o bot.",
  webhookWrong: "Cole o endereço inteiro de /conta webhook: só vale um desta máquina.",
  payments: {
    state: {
      pending: "não paga",
      approved: "paga",
      refunded: "estornada",
      expired: "expirada",
    } satisfies Record<PagePayment["state"], string>,
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
  },
  meds: {
    state: {
      pending: "sem resposta",
      overdue: "prazo vencido",
      agreed: "vendedor concordou",
      disagreed: "vendedor discordou",
      canceled: "cancelado",
      accepted: "perdido",
      rejected: "ganho",
    } satisfies Record<PageMed["state"], string>,
    none: "Nenhum MED nesta conta.",
    due: (when: string): string => `prazo ${when}`,
    wasDue: (when: string): string => `o prazo era ${when}`,
    disagree: "Discordar",
    agree: "Concordar",
    accept: "Banco aceita",
    reject: "Banco recusa",
    cancel: "Cancelar",
    opened: "Aberto. Veja em /meds, ou avance 10 minutos e espere o alerta.",
    refused: "Não dá mais: este MED mudou.",
    wrong: "Use um valor de 0,01 a 100000,00.",
  },
};

type WalletTexts = typeof PORTUGUESE;
export type PaymentTexts = WalletTexts["payments"];
export type MedTexts = WalletTexts["meds"];

const ENGLISH: WalletTexts = {
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
  payments: {
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
  },
  meds: {
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
  },
};

export const walletTextsIn = (locale: PageLocale): WalletTexts =>
  locale === "pt-BR" ? PORTUGUESE : ENGLISH;
