import { atHour, format, fromHour } from "../ui/format.pt-BR.ts";

/** In the order of ISO weekdays. */
const WEEKDAYS = ["segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo"] as const;
const SHORT_WEEKDAY = 3;
const weekday = (iso: number): string => WEEKDAYS[iso - 1] ?? "";
const on = (iso: number): string => (iso >= 6 ? "no" : "na");

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export const sales = {
  window: (from: Temporal.PlainDateTime, to: Temporal.PlainDateTime): string =>
    `${fromHour(format.moment(from))} ${atHour(format.moment(to))}, horário de Brasília`,
  net: "Líquido",
  count: "Vendas",
  averageTicket: "Ticket médio",
  salesOf: (count: number): string => (count === 1 ? "1 venda" : `${format.count(count)} vendas`),
  noSales: "nenhuma venda",
};

/** Periods of several days, and days that are compared. */
export const periods = {
  title: (name: string): string => `Vendas de ${name}`,
  weekday,
  shortWeekday: (iso: number): string => weekday(iso).slice(0, SHORT_WEEKDAY),
  day: (iso: number, date: string): string => `${weekday(iso)}, ${date}`,
  range: (from: string, to: string): string => `${from} a ${to}`,
  month: (day: Temporal.PlainDate): string =>
    `${day.toLocaleString("pt-BR", { month: "long" })} de ${day.year}`,
  nothing: "Nenhuma venda aprovada.",
  in: (sales: string): string => `em ${sales}`,
  net: (amount: string): string => `líquido ${amount}`,
  /** Only a fall that is almost a hundred has a fraction. */
  percent: (percent: number): string =>
    Number.isInteger(percent) ? `${format.count(percent)}%` : `mais de ${Math.floor(percent)}%`,
  change: (sign: "▲" | "▼", percent: string, than: string): string =>
    `${sign}\u00a0${percent} que ${than}`,
  same: (than: string): string => `=\u00a0praticamente o mesmo que ${than}`,
  noBase: (than: string): string => `— (sem vendas ${than})`,
  changeUnknown: (than: string): string => `— (vendas ${than}: ainda não li)`,
  /** The day before the shown one. */
  thanDay: (date: string): string => `no dia ${date}`,
  /** Seven days before the shown day, which may be long past. */
  thanWeekday: (iso: number): string => `${on(iso)} ${weekday(iso)} anterior`,
  /** An open day is left out on both sides. */
  thanDays: (days: number, isOver: boolean): string =>
    isOver ? `nos ${days} dias antes` : "nos mesmos dias do período anterior",
  thanWeekdays: (weeks: number): string =>
    weeks === 1 ? "nos mesmos dias da semana anterior" : "nos mesmos dias de duas semanas antes",
  thanMonth: (isOver: boolean): string =>
    isOver ? "no mês anterior" : "nos mesmos dias do mês anterior",
  ticket: (amount: string): string => `Ticket médio ${amount}`,
  fees: (amount: string, share: string): string => `taxas ${amount} (${share})`,
  origin: {
    api: (amount: string, sold: string): string => `API ${amount} (${sold})`,
    esales: (amount: string, sold: string): string => `eSales ${amount} (${sold})`,
  },
  best: (day: string, amount: string): string => `Melhor dia: ${day}, ${amount}`,
  since: (hour: string, amount: string, sales: string): string =>
    `Desde as ${hour}: **${amount}** em ${sales}`,
  sinceNothing: (hour: string): string => `Desde as ${hour}: nenhuma venda.`,
  sinceUnknown: (hour: string): string => `Desde as ${hour}: ainda não li.`,
  /** Discord timestamps of the close. */
  open: (date: string, time: string, relative: string, isAlone: boolean): string =>
    isAlone
      ? `O dia ${date} está aberto até ${time} (${relative}); comparo quando fechar.`
      : `O dia ${date} está aberto até ${time} (${relative}) e não entra na comparação.`,
  dateLeftOut: "Usei o `periodo`; a `data` ficou de fora.",
  kept: "**O serviço de pagamentos não responde agora:** mostro o que li antes.",
  missing: (missing: number, days: number): string =>
    `**Parcial:** ${missing === 1 ? "falta 1 dia" : `faltam ${missing} dias`} de ${days}. Cada toque em **Atualizar** lê mais.`,
  window: (from: string, to: string): string =>
    `${fromHour(from)} ${atHour(to)} (Brasília) · estornos posteriores descontam`,
  brasilia: (name: string): string => `Vendas de ${name}, dia de Brasília`,
  /** `close`: the hour in Brasília at which the report's day ends. */
  brasiliaWindow: (isOpen: boolean, close: string): string =>
    `das 00:00 ${isOpen ? "até agora" : "às 24:00"} (Brasília), pela lista de transações; o relatório fecha ${atHour(close)} · vendas estornadas não contam`,
  apiAlone: "**Só as vendas pela API:** a lista de transações não traz as do eSales.",
  brasiliaButton: "Dia de Brasília",
  reportButton: "Dia do relatório",
  weekButton: "7 dias",
  monthButton: "Mês",
  refresh: "Atualizar",
  fileButton: "Arquivo",
  picture: (name: string, days: string): string => `Vendas por dia, ${name}. ${days}`,
  /** In place of a day's amount in a picture's words. */
  unread: "não lido",
  daysBefore: "período anterior",
  weeksBefore: (weeks: number): string => (weeks === 1 ? "semana anterior" : "duas semanas antes"),
  lastMonth: "mês anterior",
  /** Words that people type too. */
  words: {
    today: "hoje",
    yesterday: "ontem",
    week: "7 dias",
    days: "30 dias",
    thisMonth: "este mês",
    lastMonth: "mês passado",
  },
};

export const reports = {
  /** Daily report in the channel. `day` is "hoje", "ontem" or a date. */
  store: "A loja",
  /** In a report to its seller alone. */
  you: "Você",
  mineToo: "Saldo e MEDs",
  today: "hoje",
  yesterday: "ontem",
  onDay: (date: string): string => `em ${date}`,
  thanDayBefore: "na véspera",
  closing: (iso: number, date: string): string => `Fechamento de ${weekday(iso)}, ${date}`,
  alone: (who: string, amount: string, day: string): string => `${who} vendeu ${amount} ${day}`,
  emptyAlone: (who: string, day: string): string => `${who}: nenhuma venda ${day}.`,
  emptyLine: (who: string, date: string, window: string): string =>
    `${who}: nenhuma venda aprovada em ${date} (${window}).`,
  ownEmptyAlone: (day: string): string => `Você não teve vendas ${day}.`,
  ownEmptyLine: (date: string, window: string): string =>
    `Você não teve vendas aprovadas em ${date} (${window}).`,
  sellers: "Vendedores",
  goals: "Meta do mês",
  others: (sellers: number): string => `e mais ${sellers}`,
  /** Behind a seller whose wallet account a line above has already. */
  sameAccount: "mesma conta",
  missing: (who: string, isMany: boolean): string =>
    `${isMany ? "Faltam" : "Falta"} ${who}: ainda não consegui ler as vendas. Se der em até 7 dias, posto o que falta.`,
  missingRefused: (who: string, isMany: boolean): string =>
    isMany
      ? `Faltam ${who}: as chaves foram recusadas. Se voltarem em até 7 dias, posto o que falta.`
      : `Falta ${who}: a chave foi recusada. Se ela voltar em até 7 dias, posto o que falta.`,
  without: (sellers: number): string =>
    `sem contar ${sellers === 1 ? "1 vendedor" : `${sellers} vendedores`}`,
  completing: (iso: number, date: string): string =>
    `Complemento do fechamento de ${weekday(iso)}, ${date}`,
  completesAlone: (who: string, amount: string, date: string): string =>
    `Faltava ${who}: vendeu ${amount} em ${date}`,
  completesNothingAlone: (who: string, date: string): string =>
    `Faltava ${who}: nenhuma venda em ${date}`,
  completesNothing: (store: string, isWhole: boolean): string =>
    isWhole ? `${store} fecha o dia sem vendas.` : `${store} não tem vendas até agora.`,
  completesTotal: (store: string, amount: string, sales: string, net: string): string =>
    `${store} fecha o dia com **${amount}** em ${sales}, líquido **${net}**.`,
  completesSoFar: (store: string, amount: string, sales: string, net: string): string =>
    `${store} tem até agora **${amount}** em ${sales}, líquido **${net}**.`,
  doubtful: "Talvez eu já tenha postado isto: os dados do Balcão foram restaurados de um backup.",
  doubtfulAlone: "talvez já postado",
  picture: (days: string): string => `Vendas dos últimos 7 dias. ${days}`,
  weekBehind: "semana anterior",
  mine: "Ver o meu",
  corrected: "Corrigido",
  fell: (day: string, before: string, now: string): string =>
    `${day} caiu de ${before} para ${now}.`,
  rose: (day: string, before: string, now: string): string =>
    `${day} subiu de ${before} para ${now}.`,
  netOfDay: (day: string): string => `o líquido de ${day}`,
  /** In short, where many days have changed. */
  changed: (day: string, before: string, now: string): string => `${day}: ${before} → ${now}`,
  moreCorrected: (days: number): string => (days === 1 ? "E mais 1 dia." : `E mais ${days} dias.`),
  /** True also where the hour was set after it had passed. */
  late: "Atrasado: a hora marcada era",

  /** Test post. */
  sample: "Exemplo, com números inventados",
  sampleTitle: (title: string): string => `Exemplo: ${title}`,
  /** An invented one. */
  seller: (letter: string): string => `Vendedor ${letter}`,
  testText: (time: string, zone: string): string =>
    `Isto é só um teste: nada disto foi vendido. A hora do relatório aqui é ${time} (${zone}).`,
  testTextOff: "Isto é só um teste: nada disto foi vendido. O relatório está desligado.",

  /** Present settings. */
  title: "Relatório diário",
  saved: "Relatório diário salvo",
  time: "Horário",
  zone: "Fuso",
  on: "Ligado",
  off: "Desligado. Para ligar de novo: **Ligar**, na resposta de `/config relatorio`",
  suspended: (since: string): string =>
    `Parado desde ${since}: não consigo postar no canal. Acerte as permissões ou escolha outro com \`/config relatorio\``,
  audience: "Vendedores",
  audienceOf: (consenting: number, connected: number): string => {
    if (connected === 0) return "Ninguém conectou a chave ainda";
    const many = consenting === 0 ? "Nenhum aceitou ainda" : `${consenting} aceitaram`;
    const agreed = consenting === 1 ? "1 aceitou" : many;
    return `${agreed}, de ${connected === 1 ? "1 conectado" : `${connected} conectados`}`;
  },
  nextReport: "Próximo relatório",
  next: (dueAt: string, day: Temporal.PlainDate, window: string): string =>
    `${dueAt}, com as vendas de ${format.date(day)} (${window})`,
  /** Without a seller who agreed. */
  starts: "Começa quando um vendedor aceitar em `/conta ver`.",
  /** Of every seller who agreed. */
  onHold: {
    left: "Parado: quem aceitou o relatório saiu do servidor.",
    refused: "Parado: o serviço recusa a chave de quem aceitou o relatório.",
  },
  /** After a change to an hour that is past. `ifSold`: days without sales get no report. */
  coming: (day: Temporal.PlainDate, ifSold: boolean): string =>
    `O de ${format.date(day)} sai em instantes${ifSold ? ", se o dia teve vendas" : ""}.`,
  settled: (day: Temporal.PlainDate): string =>
    `O dia ${format.date(day)} já foi fechado: não sai outro relatório dele.`,
  /** `close` and `time` in the chosen zone. */
  beforeClose: (close: string, time: string): string =>
    `**Atenção ao horário:** nesse fuso o dia do serviço fecha ${atHour(close)}. ` +
    `${capital(atHour(time))} sai o último dia completo, não o que ainda está aberto.`,
  settling: (time: string): string =>
    `O dia fecha bem nesse horário, e o serviço ainda está contando: o relatório sai ${atHour(time)}.`,
  whoSees:
    "Quem vê o canal vê os totais de cada vendedor que aceitou. Cada um decide por si, com `/conta ver`: no canal, por mensagem direta ou nenhum.",
  emptyChoices: {
    send: "Dia sem vendas: postar o relatório zerado",
    line: "Dia sem vendas: postar uma linha",
    skip: "Dia sem vendas: não postar nada",
  },
  emptyPlaceholder: "O que sai num dia sem vendas",
  setup:
    "Escolha o canal: o relatório sai todo dia às 21:05, logo depois que o dia fecha em Brasília. A hora você muda na resposta.",
  timePlaceholder: "A que horas sai",
  timeChoice: (hour: string): string => `Sai ${atHour(hour)}`,
  test: "Testar",
  closesField: "Fechamentos da semana e do mês",
  closesOn: { week: "semana (segunda)", month: "mês (dia 1º)" },
  closesOff: "desligados",
  closes: {
    week: "Fechamento da semana, na segunda",
    month: "Fechamento do mês, no dia 1º",
  },

  /** To a seller who agreed, when reports begin in a channel. */
  move: {
    title: "O canal do relatório diário",
    alone: "Veja em qual canal o relatório diário com as suas vendas sai agora.",
    text: (server: string, channel: string): string =>
      `O relatório diário do servidor ${server} agora sai em ${channel}. Quem vê o canal vê as suas vendas. ` +
      "Você muda isso quando quiser, com `/conta ver` no servidor.",
    stop: "Parar o relatório",
  },

  /** The report of one seller by direct message. */
  own: {
    title: "O seu relatório por mensagem direta",
    saved: "O seu relatório está salvo",
    /** After "em". */
    place: "suas mensagens diretas",
    closed:
      "As suas mensagens diretas estão fechadas para mim. Abra-as nas opções de privacidade deste servidor e teste de novo.",
  },

  /** Outcome of a test. `place`: a channel, or direct messages. */
  testOutcomes: {
    posted: {
      title: "Teste enviado",
      text: (place: string): string => `Veja em ${place}. O relatório segue esse mesmo caminho.`,
    },
    lost_channel: {
      title: "Não consegui enviar",
      text: (channel: string): string =>
        `${channel} não existe mais ou não me deixa postar. Acerte as permissões do canal ou escolha outro com \`/config relatorio\`.`,
    },
    waiting: {
      title: "Teste na fila",
      text: (place: string): string =>
        `O Discord ainda não confirmou o teste em ${place}. Continuo tentando por conta própria; não precisa repetir.`,
    },
    unclear: {
      title: "Não sei se o teste chegou",
      text: (place: string): string =>
        `O Discord não confirmou. Dê uma olhada em ${place} antes de testar de novo.`,
    },
  },
};
