import type { DisputeFilter } from "../../domain/dispute-list.ts";
import type { DisputeState } from "../../domain/dispute.ts";
import { format } from "./format.ts";

/** What a dispute means now, in a few words. */
const states: Readonly<Record<DisputeState, string>> = {
  needs_answer: "Precisa da sua resposta",
  overdue: "Prazo vencido: pode ser aceito automaticamente",
  defended: "Defendido: aguardando o banco",
  conceded: "Você concordou: aguardando devolução",
  lost: "Perdido: devolvido ao pagador",
  won: "Ganho: valor liberado",
  cancelled: "Cancelado",
  other: "Situação que não conheço",
};

/** The same, with what comes next. */
const explained: Readonly<Record<DisputeState, string>> = {
  needs_answer:
    "O pagador contestou este pagamento, e o valor líquido está bloqueado. **Responda no painel do serviço antes do prazo**: eu não consigo responder por aqui.",
  overdue:
    "O prazo passou sem resposta sua, e o serviço pode aceitar a contestação sozinho. Veja no painel do serviço se ainda dá para responder.",
  defended: "Você se defendeu. Agora o banco decide, e o valor líquido segue bloqueado até lá.",
  conceded: "Você concordou com a contestação. O valor volta ao pagador.",
  lost: "O banco aceitou a contestação: o valor foi devolvido ao pagador.",
  won: "O banco recusou a contestação: o valor foi liberado para você.",
  cancelled: "A contestação foi cancelada.",
  other: "O serviço usou uma palavra que não conheço. Mostro como veio: confira no painel dele.",
};

const filters: Readonly<Record<DisputeFilter, string>> = {
  all: "Todos",
  answer: "Precisam de resposta ou venceram",
  bank: "Com o banco",
  won: "Ganhos",
  lost: "Perdidos",
  cancelled: "Cancelados",
};

const opened = (count: number): string =>
  count === 1 ? "1 MED aberto" : `${format.count(count)} MEDs abertos`;

const approved = (count: number): string =>
  count === 1 ? "1 venda aprovada" : `${format.count(count)} vendas aprovadas`;

const decidedOf = (count: number): string => {
  if (count === 0) return "";
  return count === 1 ? " (1 já decidido pelo banco)" : ` (${count} já decididos pelo banco)`;
};

/** `/meds`: the summary with the list, one dispute in full, its calendar entry and the rate. */
export const disputes = {
  states,
  explained,
  filters,
  unread: "Não consegui ler este agora",

  title: "MEDs",
  none: "Nenhum MED nesta conta.",
  noneAwaiting: "Nenhum MED espera a sua resposta.",
  awaiting: (count: number): string =>
    count === 1 ? "**1 MED espera a sua resposta.**" : `**${count} MEDs esperam a sua resposta.**`,
  /** Where not all of them were seen. */
  awaitingAtLeast: (count: number): string =>
    count === 1
      ? "**Pelo menos 1 MED espera a sua resposta.**"
      : `**Pelo menos ${count} MEDs esperam a sua resposta.**`,
  nextDue: (at: string): string => `O primeiro prazo é ${at}.`,
  emptyFilter: "Nenhum MED nessa situação. No menu você escolhe outra.",
  page: (page: number, pages: number, found: number): string =>
    `Página ${page} de ${pages}, ${found} MEDs.`,
  bySeller: "Pela sua resposta",
  bySellerText: (counts: {
    readonly pending: string;
    /** How many of them the bank has decided. */
    readonly decided: number;
    readonly agreed: string;
    readonly disagreed: string;
    readonly canceled: string;
    readonly total: string;
  }): string =>
    `Sem resposta: **${counts.pending}**${decidedOf(counts.decided)}\nVocê se defendeu: ${counts.disagreed}\nVocê concordou: ${counts.agreed}\nCancelados: ${counts.canceled}\nTotal: ${counts.total}`,
  byBank: "Pela decisão do banco",
  byBankText: (counts: {
    readonly pending: string;
    readonly accepted: string;
    readonly rejected: string;
  }): string =>
    `Sem decisão: ${counts.pending}\nGanhos: ${counts.rejected}\nPerdidos: ${counts.accepted}`,
  money: "Valores",
  moneyText: (frozen: string, lost: string): string =>
    `Bloqueado agora: **${frozen}**\n(já fora do saldo disponível)\nPerdido até hoje: ${lost}`,
  summaryUnread: (why: string): string => `Não consegui ler o resumo do serviço agora.${why}`,
  listUnread: (why: string): string =>
    `**Não consegui ler a lista de MEDs do serviço agora.**${why} Pode haver MEDs que não aparecem aqui. Se você tem o código de um, abra com \`/meds infracao:\`, e eu passo a acompanhar o prazo dele.`,
  listUnreadKept: "Abaixo estão os que eu já acompanhava.",
  unlisted: (count: number): string =>
    count === 1
      ? "O resumo conta 1 MED que não aparece na lista do serviço. Pegue o código dele no painel do serviço e abra com `/meds infracao:`."
      : `O resumo conta ${count} MEDs que não aparecem na lista do serviço. Pegue o código de cada um no painel do serviço e abra com \`/meds infracao:\`.`,
  partly: "Não consegui ler tudo",
  due: (at: string): string => `prazo ${at}`,
  wasDue: (at: string): string => `o prazo era ${at}`,
  filterPlaceholder: "Mostrar só…",
  openPlaceholder: "Abrir um MED",
  previous: "Anteriores",
  next: "Próximos",
  rateButton: "Índice de 30 dias (leva um momento)",
  seeAll: "Ver todos",
  agenda: "Agenda",

  detailTitle: "MED",
  infraction: "Infração",
  txid: "Txid contestado",
  amount: "Valor",
  frozen: "Bloqueado (o líquido)",
  /** The same once it is decided. */
  net: "Líquido da venda",
  deadline: "Prazo da resposta",
  state: "Situação",
  status: "Sua resposta",
  statuses: {
    pending: "Ainda sem resposta",
    agreed: "Você concordou",
    disagreed: "Você se defendeu",
    canceled: "Cancelado",
  },
  analysis: "Decisão do banco",
  analyses: {
    pending: "Ainda não decidiu",
    accepted: "Aceitou a contestação",
    rejected: "Recusou a contestação",
  },
  situation: "Tipo",
  situations: { FRAUDE: "Fraude", ERRO: "Erro" },
  description: "O que o pagador alega",
  payer: "Pagador",
  payerText: (name: string, taxId: string): string => `${name} · documento ${taxId}`,
  answer: "Resposta enviada",
  notAnswered: "nenhuma ainda",
  unanswered: "Você não respondeu",
  refund: "Devolução",
  noRefund: "nenhuma",
  refundUntold: "Devolvido (sem detalhes do serviço)",
  dates: "Datas",
  contestedAt: "Contestado em",
  answeredAt: "Respondido em",
  resolvedAt: "Decidido em",
  createdAt: "Aberto no serviço em",
  sale: "Venda contestada",
  saleMissing: "O serviço não mostra a venda: não a achou, ou ela passou por um canal especial.",
  saleOrigins: { api: "Venda pela API", esales: "Venda pelo eSales" },
  saleMoney: (amount: string, fee: string, net: string): string =>
    `${amount}, taxa ${fee}, líquido **${net}**`,
  saleTxid: (txid: string): string => `Txid: ${txid}`,
  saleStatus: (status: string): string => `Situação: ${status}`,
  saleStatuses: { pending: "pendente", approved: "aprovada", refunded: "devolvida" },
  saleDescription: (text: string): string => `Descrição: ${text}`,
  saleProduct: (text: string): string => `Produto: ${text}`,
  saleBuyer: (text: string): string => `Comprador: ${text}`,
  saleCreatedAt: (at: string): string => `Feita em ${at}`,
  followed: "Acompanho este MED e aviso antes do prazo, se os seus alertas estiverem ligados.",
  followedOverdue:
    "Acompanho este MED e aviso quando algo mudar, se os seus alertas estiverem ligados.",
  followedMuted:
    "Você disse que já respondeu, e o serviço ainda não mostra a resposta. Os lembretes deste prazo estão parados.",
  followedSnoozed: (until: string): string => `Os lembretes deste MED estão adiados até ${until}.`,
  notSaid: "o serviço não informa",

  rateTitle: "Índice de MEDs",
  rateText: (parts: {
    readonly rate: string;
    readonly disputes: number;
    readonly sales: number;
    readonly from: string;
    readonly to: string;
  }): string =>
    `**${parts.rate}**: ${opened(parts.disputes)} de ${parts.from} a ${parts.to}, contra ${approved(parts.sales)} nos mesmos 30 dias.`,
  rateHow:
    "Os dias são os do serviço (UTC), todos já fechados. MEDs cancelados não contam, e vendas devolvidas também não.",
  rateUnknown: "Não consigo calcular o índice",
  rateWhy: {
    list: "Não consegui ler a lista inteira de MEDs, e uma conta com parte dela mostraria um índice menor do que o verdadeiro.",
    dates: "O serviço não diz quando todos os MEDs foram abertos.",
    sales: "Não consegui ler as vendas de todos os 30 dias. Tente de novo em alguns minutos.",
    no_sales: "Não houve venda aprovada nos últimos 30 dias.",
  },

  /** With the alarms that are still to come, in hours before the deadline. */
  calendarReply: (alarms: readonly number[]): string => {
    const file = "O prazo está no arquivo: abra-o para pôr na sua agenda";
    if (alarms.length === 0) return `${file}. Ele vai sem avisos: a hora deles já passou.`;
    const hours = format.list(alarms.map(String));
    return `${file}, com ${alarms.length === 1 ? "aviso" : "avisos"} ${hours} horas antes.`;
  },
  calendarSummary: (amount: string): string => `Prazo do MED de ${amount}`,
  calendarState: (state: string): string => `Situação quando este arquivo foi feito: ${state}`,
  calendarHow: "A resposta é dada no painel do serviço de pagamentos.",
  calendarAlarm: (hours: number): string => `Faltam ${hours} horas para o prazo do MED`,
};
