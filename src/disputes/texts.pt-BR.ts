import type { DisputeFilter } from "./dispute-list.ts";
import type { DisputeState } from "./dispute.ts";
import { atHour, format, fromHour } from "../ui/format.pt-BR.ts";
import type { AlertStep } from "./dispute-alert.ts";

/** Meaning of a state, in a few words. */
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

/** A state in a menu, where product and code need the room. */
const shortStates: Readonly<Record<DisputeState, string>> = {
  needs_answer: "precisa de resposta",
  overdue: "prazo vencido",
  defended: "com o banco",
  conceded: "você concordou",
  lost: "perdido",
  won: "ganho",
  cancelled: "cancelado",
  other: "situação que não conheço",
};

/** Meaning of a state, with the next step. */
const explained: Readonly<Record<DisputeState, string>> = {
  needs_answer:
    "O pagador contestou este pagamento, e o valor líquido está retido. **Responda no painel do serviço antes do prazo**: eu não consigo responder por aqui.",
  overdue:
    "O prazo passou sem resposta sua, e o serviço pode aceitar a contestação sozinho. Veja no painel do serviço se ainda dá para responder.",
  defended: "Você se defendeu. Agora o banco decide, e o valor líquido segue retido até lá.",
  conceded: "Você concordou com a contestação. O valor volta ao pagador.",
  lost: "O banco aceitou a contestação: o valor foi devolvido ao pagador.",
  won: "O banco recusou a contestação: o valor foi liberado para você.",
  cancelled: "A contestação foi cancelada.",
  other: "O serviço usou uma palavra que não conheço. Mostro como veio: confira no painel dele.",
};

const filters: Readonly<Record<DisputeFilter, string>> = {
  all: "Todos",
  answer: "Sem resposta, no prazo ou fora dele",
  bank: "Com o banco",
  won: "Ganhos",
  lost: "Perdidos",
  cancelled: "Cancelados",
};

const waiting = (needed: number, overdue: number): string => {
  const late = "com o prazo vencido";
  if (needed === 0) return `${overdue} ${overdue === 1 ? "MED" : "MEDs"} ${late}, sem resposta`;
  const others = overdue === 1 ? "outro está" : `outros ${overdue} estão`;
  const asked = needed === 1 ? "1 MED precisa" : `${needed} MEDs precisam`;
  return `${asked} de resposta${overdue === 0 ? "" : ` e ${others} ${late}`}`;
};

const opened = (count: number): string =>
  count === 1 ? "1 MED aberto" : `${format.count(count)} MEDs abertos`;

const approved = (count: number): string =>
  count === 1 ? "1 venda aprovada" : `${format.count(count)} vendas aprovadas`;

/** `/meds`: summary and list, one dispute in full, its calendar entry, and the rate. */
export const disputes = {
  states,
  shortStates,
  explained,
  filters,
  unread: "Não consegui ler este agora",

  title: "MEDs",
  none: "✅ Nenhum MED nesta conta",
  noneAwaiting: "✅ Nenhum MED espera a sua resposta",
  awaiting: (needed: number, overdue: number): string => `⏰ ${waiting(needed, overdue)}`,
  /** Used when the list is incomplete. */
  awaitingAtLeast: (needed: number, overdue: number): string =>
    `⏰ Pelo menos ${waiting(needed, overdue)}`,
  emptyFilter: "Nenhum MED nessa situação. No menu você escolhe outra.",
  page: (page: number, pages: number, found: number): string =>
    `Página ${page} de ${pages}, ${found} MEDs.`,
  withBank: (count: number): string => `${count} com o banco`,
  ended: (count: number, won: number): string =>
    `${count === 1 ? "1 encerrado" : `${count} encerrados`} (${won === 1 ? "1 ganho" : `${won} ganhos`})`,
  onHold: (amount: string): string => `retido ${amount}`,
  lostSoFar: (amount: string): string => `perdido até hoje ${amount}`,
  all: "Todos",
  summaryUnread: (why: string): string => `Não consegui ler o resumo do serviço agora.${why}`,
  listUnread: (why: string): string =>
    `**Não consegui ler a lista de MEDs do serviço agora.**${why} Pode haver MEDs que não aparecem aqui. Se você tem o código de um, abra com \`/meds infracao:\`, e eu passo a acompanhar o prazo dele.`,
  listUnreadKept: "Abaixo estão os que eu já acompanhava.",
  unlisted: (count: number): string =>
    count === 1
      ? "O resumo conta 1 MED que não aparece na lista do serviço. Pegue o código dele no painel do serviço e abra com `/meds infracao:`."
      : `O resumo conta ${count} MEDs que não aparecem na lista do serviço. Pegue o código de cada um no painel do serviço e abra com \`/meds infracao:\`.`,
  due: (at: string): string => `prazo ${at}`,
  wasDue: (at: string): string => `o prazo era ${at}`,
  filterPlaceholder: "Mostrar só…",
  openPlaceholder: "Abrir um MED (horários de Brasília)",
  previous: "Anteriores",
  next: "Próximos",
  rateButton: "Índice de 30 dias (leva um momento)",
  seeAll: "Ver todos",
  prepareDefence: "Preparar defesa",
  agenda: "Agenda",

  detailTitle: (amount: string): string => `MED de ${amount}`,
  infraction: "Infração",
  txid: "Txid contestado",
  amount: "Valor",
  product: "Produto",
  frozen: "Retido (o líquido)",
  /** Used once the dispute is decided. */
  net: "Líquido da venda",
  deadline: "Prazo da resposta",
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
  answerUntold: "o serviço não mostra o texto",
  unanswered: "Você não respondeu",
  refund: "Devolução",
  noRefund: "nenhuma",
  refundUntold: "O serviço mostra uma devolução, sem dizer em que pé está",
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
  saleStatuses: { pending: "pendente", approved: "aprovada", refunded: "estornada" },
  saleDescription: (text: string): string => `Descrição: ${text}`,
  saleProduct: (text: string): string => `Produto: ${text}`,
  saleBuyer: (text: string): string => `Comprador: ${text}`,
  saleCreatedAt: (at: string): string => `Feita em ${at}`,
  followed: "Acompanho este MED e aviso antes do prazo, se os seus alertas estiverem ligados.",
  followedLast: "Não há mais lembretes antes do prazo: responda agora no painel do serviço.",
  followedOverdue:
    "Acompanho este MED e aviso quando algo mudar, se os seus alertas estiverem ligados.",
  followedMuted:
    "Você disse que já respondeu, e o serviço ainda não mostra a resposta. Os lembretes deste prazo estão parados.",
  followedSnoozed: (until: string): string => `Os lembretes deste MED estão pausados até ${until}.`,
  notSaid: "não informado",

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
    "Os dias são os do serviço (UTC), todos já fechados. MEDs cancelados não contam, e vendas estornadas também não.",
  rateUnknown: "Não consigo calcular o índice",
  rateWhy: {
    list: "Não consegui ler a lista inteira de MEDs, e uma conta com parte dela mostraria um índice menor do que o verdadeiro.",
    dates: "O serviço não diz quando todos os MEDs foram abertos.",
    sales: "Não consegui ler as vendas de todos os 30 dias. Tente de novo em alguns minutos.",
    no_sales: "Não houve venda aprovada nos últimos 30 dias.",
  },

  /** `alarms`: future ones, in hours before the deadline. */
  calendarReply: (alarms: readonly number[], awaits: boolean): string => {
    const file = "O prazo está no arquivo: abra-o para pôr na sua agenda";
    const why = awaits ? "a hora deles já passou" : "o MED não espera resposta";
    if (alarms.length === 0) return `${file}. Ele vai sem avisos: ${why}.`;
    const hours = format.list(alarms.map(String));
    return `${file}, com ${alarms.length === 1 ? "aviso" : "avisos"} ${hours} horas antes.`;
  },
  calendarSummary: (amount: string): string => `Prazo do MED de ${amount}`,
  calendarState: (state: string): string => `Situação quando este arquivo foi feito: ${state}`,
  calendarHow: "A resposta é dada no painel do serviço de pagamentos.",
  calendarAlarm: (hours: number): string => `Faltam ${hours} horas para o prazo do MED`,
};

const PANEL = "Responda no painel do serviço: eu não consigo responder por aqui.";

/** `pending` by the service's own count; `seen` of them are in the list. */
const unlisted = (pending: number, seen: number): string =>
  `O serviço conta ${pending} ${pending === 1 ? "MED pendente" : "MEDs pendentes"} e eu ${seen === 0 ? "não consigo ler nenhum" : `só consigo ler ${seen}`}.`;

/** Alerts of disputes, the buttons under them, and their settings. */
export const disputeAlerts = {
  /** `left`: until the deadline of a new dispute; undefined after the deadline. */
  titles: {
    new: (amount, left) =>
      left === undefined
        ? `Novo MED de ${amount}`
        : `Novo MED de ${amount}: ${left} para responder`,
    "72h": (amount) => `MED de ${amount}: menos de 3 dias para responder`,
    "48h": (amount) => `MED de ${amount}: menos de 2 dias para responder`,
    "24h": (amount) => `MED de ${amount}: menos de 24 horas para responder`,
    "6h": (amount) => `MED de ${amount}: menos de 6 horas para responder`,
    "1h": (amount) => `MED de ${amount}: menos de 1 hora para responder`,
    overdue: (amount) => `MED de ${amount}: o prazo passou sem resposta`,
    answered: (amount) => `MED de ${amount} respondido`,
    won: (amount) => `MED de ${amount} ganho: valor liberado`,
    lost: (amount) => `MED de ${amount} perdido: devolvido ao pagador`,
    cancelled: (amount) => `MED de ${amount} cancelado`,
  } satisfies Readonly<Record<AlertStep, (amount: string, left: string | undefined) => string>>,
  /** `moment`: the deadline in Brasília's time. */
  alone: (title: string, moment: string | undefined): string =>
    moment === undefined ? `${title}.` : `${title} (até ${moment}, horário de Brasília).`,
  explained: {
    new: `Um pagador contestou um pagamento, e o valor líquido está retido. ${PANEL}`,
    "72h": `Ainda sem resposta. ${PANEL}`,
    "48h": `Ainda sem resposta. ${PANEL}`,
    "24h": `Ainda sem resposta. ${PANEL}`,
    "6h": `**Ainda sem resposta, e faltam poucas horas.** ${PANEL}`,
    "1h": `**Último aviso antes do prazo.** ${PANEL}`,
    overdue:
      "O serviço pode aceitar a contestação sozinho. Veja no painel dele se ainda dá para responder.",
    answered:
      "O serviço já tem a resposta. Paro os lembretes deste prazo e aviso quando o banco decidir.",
    won: "O banco recusou a contestação, e o valor foi liberado. Confira em `/saldo`.",
    lost: "O banco aceitou a contestação, e o valor foi devolvido ao pagador. Não devolva esta venda de novo.",
    cancelled: "A contestação foi cancelada. Você não precisa responder.",
  } satisfies Readonly<Record<AlertStep, string>>,
  /** Under a reminder, or the word of a passed deadline. */
  unread:
    "**Não consigo ler o serviço agora:** isto é o que vi por último. Se você já respondeu, confira no painel dele.",
  conceded: (amount: string): string => `MED de ${amount}: você concordou`,
  concededText:
    "O serviço registrou que você concordou: o valor volta ao pagador quando o banco decidir. Se não foi você, veja agora no painel do serviço. Paro os lembretes deste prazo.",
  repeated: "(reenvio: não foi possível confirmar o envio anterior)",
  repeatedAlone: (sentence: string): string => `Reenvio: ${sentence}`,
  replacedBelow: "Substituído: este MED continua abaixo.",
  replacedElsewhere: "Substituído: o alerta mais novo deste MED está em outro canal.",
  unlisted: "Pode haver MED que eu não consigo ler",
  unlistedAlone: unlisted,
  unlistedText: (pending: number, seen: number): string =>
    `**${unlisted(pending, seen)}** Do que não leio não sei o prazo, e não consigo lembrar você.`,
  unlistedNext:
    "Abra o painel do serviço e responda por lá. Se quiser que eu acompanhe o prazo, copie o código da infração e use `/meds infracao:`.",

  answerThere: "Responder no painel",
  see: "Ver detalhes",
  answeredInPanel: "Já respondi no painel",
  snooze: "Pausar lembretes por até 6 h",
  muted: "Anotado: você já respondeu",
  mutedText:
    "Paro os lembretes deste prazo. Se 6 horas antes dele o serviço ainda disser que falta a resposta, volto a avisar.",
  mutedLateText:
    "Paro os lembretes deste prazo. Se daqui a 15 minutos o serviço ainda disser que falta a resposta, volto a avisar.",
  mutedLastText:
    "Não há mais lembretes antes do prazo: confira no painel do serviço se a resposta foi registrada.",
  resume: "Voltar a lembrar",
  resumed: "Volto a lembrar",
  resumedText:
    "Volto a lembrar você deste MED até o fim do prazo, se os seus alertas estiverem ligados.",
  resumedLastText: "O último lembrete deste prazo já saiu: responda no painel do serviço.",
  snoozed: "Lembretes pausados",
  snoozedText: (until: string): string =>
    `Nenhum lembrete deste MED até ${until}. O prazo da resposta continua o mesmo.`,
  tooLateToSnooze: "Não dá mais para pausar",
  tooLateToSnoozeText:
    "Faltam menos de 6 horas para o prazo, e daqui em diante os lembretes não esperam.",
  nothingToSilence: "Este MED não espera resposta",
  unknownState:
    "O serviço usou uma palavra que não conheço: veja no painel dele se ainda dá para responder.",
  nothingToSilenceText: "Não há mais lembretes dele para parar ou pausar.",

  /** To a seller with alerts in the channel, when they begin in one. */
  move: {
    title: "O canal dos alertas de MED",
    alone: "Veja em qual canal os alertas de MED do servidor saem agora.",
    text: (server: string, channel: string): string =>
      `Os alertas de MED do servidor ${server} agora saem em ${channel}. ` +
      "Se você não vê esse canal, escolha mensagem direta em `/conta ver`, no servidor.",
  },

  channelLost: "Os alertas de MED não saem mais no canal",
  channelLostText: (channel: string): string =>
    `Não consigo mais postar em ${channel}: o canal não existe mais ou não me deixa postar. ` +
    "Até que quem gerencia o servidor acerte isso com `/config alertas`, os alertas de cada vendedor vão para a mensagem direta dele, ou para o canal que ele escolheu em outro servidor.",

  routeTitle: "Alertas de MED",
  routeSaved: "Alertas de MED salvos",
  whoSees:
    "No canal aparecem só o vendedor (que é mencionado), o código da infração, os valores, o prazo e a situação do MED. Cada vendedor escolhe com `/conta ver` se os alertas dele vêm para cá, vão por mensagem direta ou não saem.",
  role: "Cargo mencionado",
  nobody: "nenhum. Para escolher, use o menu abaixo.",
  roleHint:
    "O Discord só menciona um cargo que qualquer pessoa pode mencionar: isso fica nas configurações do cargo.",
  pings: "Alertas que mencionam o cargo",
  noPings: "nenhum",
  quiet: "Horas de silêncio",
  noQuiet: "nenhuma",
  quietText: (from: string, to: string, zone: string): string =>
    `${fromHour(from)} ${atHour(to)} (${zone}; o fuso é o do relatório do servidor), também para os alertas por mensagem direta. Saem mesmo assim os alertas de 6 horas e de 1 hora antes, um MED novo com menos de 24 horas de prazo e o aviso de MEDs que não consigo ler`,
  quietOff: (from: string, to: string, zone: string): string =>
    `${fromHour(from)} ${atHour(to)} (${zone}), só com o canal ligado: desligado, os alertas saem a qualquer hora`,
  nights: "Consulta ao serviço no silêncio",
  slowNights: "a cada 15 minutos",
  fastNights: "a cada 5 minutos",
  noChannel: "Ainda sem canal: vão por mensagem direta. Para escolher um: `/config alertas`",
  postedIn: (channel: string, role: string): string =>
    `Saem em ${channel}${role === "" ? "" : `, mencionando ${role}`}.\nPara ver ou mudar: \`/config alertas\``,
  on: "Ligados",
  off: "Desligados: os alertas vão por mensagem direta. Para ligar de novo: **Ligar**, na resposta de `/config alertas`",
  suspended: (since: string): string =>
    `Parados desde ${since}: não consigo postar no canal, e os alertas vão por mensagem direta. Escolha outro canal ou o mesmo de novo com \`/config alertas\``,
  setup: "Escolha o canal dos alertas. Até lá eles vão por mensagem direta.",
  pingPlaceholder: "Quais alertas mencionam o cargo",
  quietPlaceholder: "Horas de silêncio",
  quietNone: "Sem horas de silêncio",
  quietChoice: (from: string, to: string): string => `Silêncio ${fromHour(from)} ${atHour(to)}`,
  removeRole: "Tirar o cargo",
  makeSlow: "Consultar menos no silêncio",
  makeFast: "Consultar igual no silêncio",
  steps: {
    new: "MED novo",
    "72h": "72 horas antes",
    "48h": "48 horas antes",
    "24h": "24 horas antes",
    "6h": "6 horas antes",
    "1h": "1 hora antes",
    overdue: "Prazo vencido",
    answered: "Respondido",
    won: "Ganho",
    lost: "Perdido",
    cancelled: "Cancelado",
  } satisfies Readonly<Record<AlertStep, string>>,
  offHere:
    "**Os seus alertas de MED estão desligados.** Para eu lembrar você dos prazos, use `/conta ver` no servidor em que você vende.",
};
