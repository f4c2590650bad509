import type { AlertChoice, AlertStep } from "../../domain/dispute-alert.ts";

const PANEL = "Responda no painel do serviço: eu não consigo responder por aqui.";

/** How many await an answer by the service's own count, and how many of them can be seen. */
const unlisted = (pending: number, seen: number): string =>
  `O serviço conta ${pending} ${pending === 1 ? "MED pendente" : "MEDs pendentes"} e eu ${seen === 0 ? "não vejo nenhum" : `só vejo ${seen}`}.`;

/** Alerts of disputes, the buttons under them, and where they go. */
export const disputeAlerts = {
  /** `left`: until the deadline of a new one; undefined when that has passed. */
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
  /** `moment`: the deadline by the clocks of Brasília. */
  alone: (title: string, moment: string | undefined): string =>
    moment === undefined ? `${title}.` : `${title} (até ${moment}, horário de Brasília).`,
  explained: {
    new: `Um pagador contestou um pagamento, e o valor líquido está bloqueado. ${PANEL}`,
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
  repeated: "(reenvio: não foi possível confirmar o envio anterior)",
  unlisted: "Pode haver MED que eu não vejo",
  unlistedAlone: unlisted,
  unlistedText: (pending: number, seen: number): string =>
    `**${unlisted(pending, seen)}** Do que não vejo não sei o prazo, e não consigo lembrar você.`,
  unlistedNext:
    "Abra o painel do serviço e responda por lá. Se quiser que eu acompanhe o prazo, copie o código da infração e use `/meds infracao:`.",
  unlistedSome: (count: number): string =>
    count === 1
      ? "**O serviço conta 1 MED pendente que eu não vejo**, e não aviso dele: abra o painel do serviço."
      : `**O serviço conta ${count} MEDs pendentes que eu não vejo**, e não aviso deles: abra o painel do serviço.`,
  amount: "Valor",
  deadline: "Prazo da resposta",
  infraction: "Infração",

  answerThere: "Responder no painel",
  see: "Ver detalhes",
  answeredInPanel: "Já respondi no painel",
  snooze: "Lembrar mais tarde",
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
    "Volto a lembrar você deste MED até o fim do prazo, se os seus avisos estiverem ligados.",
  resumedLastText: "O último lembrete deste prazo já saiu: responda no painel do serviço.",
  alreadyMuted: "Os lembretes já estão parados",
  alreadyMutedText:
    "Você disse que já respondeu, e não há o que adiar. Se 6 horas antes do prazo o serviço ainda disser que falta a resposta, volto a avisar.",
  alreadyMutedLateText:
    "Você disse que já respondeu, e não há o que adiar. Se nos próximos minutos o serviço ainda disser que falta a resposta, volto a avisar.",
  snoozed: "Lembretes adiados",
  snoozedText: (until: string): string =>
    `Nenhum lembrete deste MED até ${until}. O prazo da resposta continua o mesmo.`,
  tooLateToSnooze: "Não dá mais para adiar",
  tooLateToSnoozeText:
    "Faltam menos de 6 horas para o prazo, e daqui em diante os lembretes não esperam.",
  nothingToSilence: "Este MED não espera resposta",
  nothingToSilenceText: "Não há mais lembretes dele para parar ou adiar.",

  channelLost: "Os alertas de MED mudaram para mensagem direta",
  channelLostText: (channel: string): string =>
    `Não consigo mais postar em ${channel}: o canal não existe mais ou não me deixa postar. ` +
    "Até que quem gerencia o servidor acerte isso com `/config alertas canal:`, os alertas de cada vendedor vão para a mensagem direta dele.",

  routeTitle: "Alertas de MED",
  routeSaved: "Alertas de MED salvos",
  whoSees:
    "No canal saem só quem vendeu, que é mencionado, o código da infração, o valor e o prazo. Cada vendedor escolhe com `/conta ver` se os alertas dele vêm para cá, vão por mensagem direta ou não saem.",
  channel: "Canal",
  role: "Cargo mencionado",
  nobody: "nenhum. Para escolher: `/config alertas cargo:`",
  roleHint:
    "O Discord só menciona um cargo que qualquer pessoa pode mencionar: isso fica nas configurações do cargo.",
  pings: "Avisos que mencionam o cargo",
  noPings: "nenhum",
  quiet: "Horas de silêncio",
  noQuiet: "nenhuma",
  quietText: (from: string, to: string, zone: string): string =>
    `das ${from} às ${to} (${zone}). Saem mesmo assim os avisos de 6 horas e 1 hora antes, e um MED novo com menos de 24 horas de prazo`,
  nights: "Consulta ao serviço no silêncio",
  slowNights: "a cada 15 minutos",
  fastNights: "a cada 5 minutos",
  state: "Situação",
  noChannel: "Ainda sem canal: vão por mensagem direta. Para escolher um: `/config alertas canal:`",
  postedIn: (channel: string, role: string): string =>
    `Saem em ${channel}${role === "" ? "" : `, mencionando ${role}`}.\nPara ver ou mudar: \`/config alertas\``,
  on: "Ligados",
  off: "Desligados: os alertas vão por mensagem direta. Para ligar de novo: a opção `ativo` de `/config alertas`",
  suspended: (since: string): string =>
    `Parados desde ${since}: não consigo postar no canal, e os alertas vão por mensagem direta. Escolha outro canal ou o mesmo de novo com \`/config alertas canal:\``,
  pingPlaceholder: "Quais avisos mencionam o cargo",
  quietPlaceholder: "Horas de silêncio",
  quietNone: "Sem horas de silêncio",
  quietChoice: (from: string, to: string): string => `Silêncio das ${from} às ${to}`,
  removeRole: "Tirar o cargo",
  removeQuiet: "Sem silêncio",
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

  yours: "Alertas de MED",
  yoursPlaceholder: "Para onde vão os seus alertas de MED",
  choices: {
    channel: "No canal de alertas do servidor",
    direct: "Por mensagem direta",
    off: "Nenhum alerta de MED",
  } satisfies Readonly<Record<AlertChoice, string>>,
  inChannel: (channel: string): string => `Saem em ${channel}, e mencionam você.`,
  noRoute: "Vão por mensagem direta: o servidor não tem um canal de alertas em uso.",
  direct: "Vão por mensagem direta.",
  elsewhere: (channel: string): string =>
    `Saem uma vez só, em ${channel}, no servidor em que você escolheu o canal para esta conta. Para mudar: \`/conta ver\` lá.`,
  directElsewhere:
    "Desligados neste servidor, mas vão por mensagem direta: você conectou esta conta em outro servidor também. Para parar: `/conta ver` lá.",
  none: "**Desligados: não aviso nada dos seus MEDs, nem os prazos.**",
  offHere:
    "**Os seus alertas de MED estão desligados.** Para eu lembrar você dos prazos: `/conta ver`.",
  /** Of the last seven days. */
  undelivered: (count: number): string =>
    count === 1
      ? "**1 alerta dos últimos 7 dias não chegou até você.**"
      : `**${count} alertas dos últimos 7 dias não chegaram até você.**`,
  undeliveredHere:
    "Libere no Discord as mensagens diretas deste servidor, ou escolha o canal de alertas em `/conta ver`.",
  undeliveredBelow:
    "Libere no Discord as mensagens diretas deste servidor, ou escolha abaixo o canal de alertas.",
};
