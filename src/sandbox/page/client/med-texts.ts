import type { PageLocale, PageMed } from "../page-view.ts";

/** The words around the list of MEDs in the wallet's panel, by the names in its `data-text` and `data-label`. */
export const MED_FRAME_PT = {
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

const PORTUGUESE: MedTexts = {
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

const ENGLISH: MedTexts = {
  state: {
    pending: "not answered",
    overdue: "deadline passed",
    agreed: "seller agreed",
    disagreed: "seller disagreed",
    canceled: "cancelled",
    accepted: "lost",
    rejected: "won",
  },
  none: "No MED in this account.",
  due: (when) => `due ${when}`,
  wasDue: (when) => `was due ${when}`,
  disagree: "Disagree",
  agree: "Agree",
  accept: "Bank accepts",
  reject: "Bank rejects",
  cancel: "Cancel",
  opened: "Opened. See it in /meds, or move on 10 minutes and wait for the alert.",
  refused: "Too late: this MED has changed.",
  wrong: "Use an amount from 0.01 to 100000.00.",
};

export const medTextsIn = (locale: PageLocale): MedTexts =>
  locale === "pt-BR" ? PORTUGUESE : ENGLISH;
