import type { DestinationChoice, UnfinishedOperations } from "./account.ts";
import type { WithdrawKind } from "../withdrawals/withdraw-op.ts";
import { atHour, format, fromHour } from "../ui/format.pt-BR.ts";

/** The part of a report that everybody in the channel sees. */
export const reportShows: string =
  "Aparecem o seu nome, o número de vendas, o total vendido, as taxas, o líquido e um gráfico das duas últimas semanas, inclusive de dias anteriores ao seu aceite. Quem vê o canal vê isso. Na segunda e no dia 1º sai também a soma da semana ou do mês de quem aceitou, com taxas, líquido, melhor e pior dia e um gráfico de cada dia do período e do anterior. ";

/** Through another connection of the owner and wallet account. */
const stoppedOnceLeft =
  "Se você já saiu de lá, use `/conta desconectar` na nossa conversa direta e toque em **Só parar o relatório**.";
const directGoesOn = `O relatório por mensagem direta continua, porque você escolheu isso em outro servidor com esta conta. Para parar, use \`/conta ver\` lá. ${stoppedOnceLeft}`;
/** The end of a sentence that names a server whose key is deleted. */
const reportEnds = (goesOn: boolean): string =>
  goesOn
    ? `e o seu relatório não sai mais no canal. ${directGoesOn}`
    : "e o seu relatório não sai mais.";
/** A kind that is not here withdraws. */
const kinds: Readonly<Partial<Record<WithdrawKind, string>>> = {
  cancel: "cancelamento",
  refund: "estorno",
};
const notEnded = ({ opId, kind, others }: UnfinishedOperations): string =>
  `**${opId === undefined ? "Um" : "O"} ${kinds[kind] ?? "saque"} ${opId === undefined ? "desta conta" : `\`${opId}\``} ${others === 0 ? "ainda não terminou" : `e mais ${others} ainda não terminaram`}, e não tenho outra chave da conta que funcione.**`;

export const account = {
  connectMine: "Conectar minha chave",
  modalTitle: "Conectar a chave da API",
  modalLabel: "Chave da API do serviço de pagamentos",
  modalPlaceholder: "Cole a chave inteira",

  connected: "Chave conectada",
  refused: "Chave recusada pelo serviço",
  since: "Conta conectada em",
  by: (person: string): string => `por ${person}`,
  owner: "Titular",
  ownerVerified: "Confirmado: é a sua conta",
  ownerUnverified: "Não confirmado: o serviço não mostra um usuário do Discord",
  onHold: "**Parado até a chave voltar.**",
  onHoldMany: "**Parados até a chave voltar.**",
  pausedSince: (at: string): string =>
    `Parada desde ${at}. Se você trocou a chave, conecte a nova com \`/conta conectar\`. ` +
    "Se esta ainda vale, ela volta sozinha: tento de novo por 30 dias, e na hora se você usar `/vendas`.",
  elsewhere: "Outros servidores",
  refusedElsewhere: (count: number): string =>
    `Em ${count === 1 ? "outro servidor" : `outros ${count} servidores`}, a chave desta conta foi recusada: ` +
    "lá o relatório e os avisos de venda podem estar parados. Use `/conta conectar` lá também.",
  report: "Relatório diário",
  consentGiven: "Você aceitou.",
  consentMissing: "Você ainda não aceitou.",
  goesTo: (channel: string, time: string, zone: string): string =>
    `Sai em ${channel}, ${atHour(time)} (${zone}).`,
  wouldGoTo: (channel: string, time: string, zone: string): string =>
    `Sairia em ${channel}, ${atHour(time)} (${zone}).`,
  channelLost: (channel: string): string =>
    `Parado: não consigo postar em ${channel}. Quem gerencia o servidor resolve com \`/config relatorio\`.`,
  switchedOff: "Está desligado neste servidor.",
  noChannel: "Este servidor ainda não escolheu um canal.",
  goesDirect: (time: string, zone: string): string =>
    `Vai só para você, por mensagem direta, ${atHour(time)} (${zone}); no canal não sai nada seu. ` +
    "Deixe abertas as mensagens diretas deste servidor.",
  directElsewhere: (time: string, zone: string): string =>
    `Ele vai por mensagem direta, ${atHour(time)} (${zone}), porque você escolheu isso em outro servidor com esta conta. Para parar: \`/conta ver\` lá. ${stoppedOnceLeft}`,
  directSettings: "Ajustes do relatório",
  orDirect: "Se quiser, ele pode ir só para você, por mensagem direta: escolha abaixo.",
  willAsk:
    "Quando escolher, pergunto se posso postar lá o seu total. Só para você ele já pode ir, por mensagem direta: `/conta ver`.",
  firstSteps: "`/vendas` já mostra as suas vendas de hoje.",

  consentQuestion:
    "**Posso postar o seu total de cada dia no canal do relatório?**\n" +
    reportShows +
    "Você muda isso quando quiser, com `/conta ver`; lá você também pode escolher o relatório só para você, por mensagem direta.",
  accept: "Pode postar",
  decline: "Agora não",
  reportPlaceholder: "Para onde vai o seu relatório diário",
  reportChoices: {
    channel: "O relatório do canal mostra o meu total",
    direct: "O meu relatório por mensagem direta",
    off: "Nenhum relatório com o meu total",
  } satisfies Readonly<Record<DestinationChoice, string>>,

  connectedFor: (owner: string): string =>
    `A chave de ${owner} está conectada, e só essa pessoa pode usá-la. ` +
    "Ela recebe um aviso por mensagem direta e decide, com `/conta ver`, se o total diário dela sai no canal.",

  disconnectTitle: "Desconectar esta chave?",
  disconnectText:
    "Apago deste servidor a chave, o seu aceite do relatório e os relatórios que ainda não saíram.",
  keyStays:
    "As suas vendas continuam no serviço de pagamentos, e a chave continua valendo lá até você revogá-la.",
  /** The service refuses the key. */
  salesStay: "As suas vendas continuam no serviço de pagamentos.",
  directGoesOn,
  losesToo: "Também se perde",
  loses: {
    proofs: (count: number): string =>
      count === 1
        ? "**1 prova** guardada: baixe antes, porque não há volta"
        : `**${count} provas** guardadas: baixe antes, porque não há volta`,
    pixKeys: (count: number): string =>
      count === 1
        ? "**1 chave PIX** que você guardou ou usou, que volta a contar como nova"
        : `**${count} chaves PIX** que você guardou ou usou, que voltam a contar como novas`,
    /** `dueAt`: the soonest deadline. */
    disputes: (count: number, dueAt: string): string =>
      count === 1
        ? `os alertas de **1 MED** sem resposta, com prazo até ${dueAt}`
        : `os alertas de **${count} MEDs** sem resposta; o primeiro tem prazo até ${dueAt}`,
    charges: (count: number): string =>
      count === 1
        ? "**1 cobrança em aberto**: o código continua valendo, mas não aviso mais se for pago"
        : `**${count} cobranças em aberto**: os códigos continuam valendo, mas não aviso mais se forem pagos`,
    webhook:
      "o seu **endereço de aviso**: se conectar de novo, peça outro com `/conta webhook` e cadastre no serviço",
    goal: (amount: string): string => `a sua **meta do mês**, de ${amount}`,
    alertsEnd:
      "os **alertas de MED** desta conta: nos seus outros servidores eles estão desligados ou a chave foi recusada; para continuar, use `/conta ver` lá",
    alertChoice: "a sua escolha de onde saem os alertas de MED",
    saleNotices:
      "os **avisos de venda** que você ligou: com uma chave conectada, ligue de novo em `/conta ver`",
    report: "o seu **relatório diário** e os **fechamentos**: escolha de novo em `/conta ver`",
  },
  /** After a key of another wallet account took the place of one. */
  ofOtherWallet:
    "**Esta chave é de outra conta do serviço de pagamentos**, e a conta de antes não está mais conectada neste servidor. Se foi engano, conecte de novo a chave dela: `/conta conectar`.",
  replace: "Só trocar a chave",
  replaceText:
    "Só quer trocar a chave? Conecte a nova, da mesma conta, e tudo isto fica como está.",
  disconnectAnew:
    "**As suas chaves conectadas ou os saques e estornos desta mudaram depois dessa pergunta, e não apaguei nada.** Confira e responda de novo.",
  disconnectUnfinished: (unfinished: UnfinishedOperations): string =>
    `${notEnded(unfinished)} Sem esta não consigo mais acompanhá-${unfinished.others === 0 ? "lo: apagar a chave não o cancela" : "los: apagar a chave não cancela nenhum"}, e o resultado você confere no serviço de pagamentos. ` +
    "Se conectar de novo uma chave da mesma conta, volto a acompanhar, e até lá nenhum outro saque dela sai por aqui.",
  disconnect: "Apagar a chave",
  disconnectAnyway: "Apagar mesmo assim",
  keep: "Manter",
  downloadProofs: "Baixar minhas provas",
  disconnected: "Chave apagada",
  disconnectedText: (goesOn: boolean): string =>
    `Não guardo mais a sua chave neste servidor, ${reportEnds(goesOn)} ` +
    "Para voltar: `/conta conectar`.",
};

/** Where the alerts of the owner's disputes go, in `/conta`. */
export const ownAlerts = {
  yours: "Alertas de MED",
  yoursPlaceholder: "Para onde vão os seus alertas de MED",
  choices: {
    channel: "No canal de alertas do servidor",
    direct: "Alertas de MED por mensagem direta",
    off: "Nenhum alerta de MED",
  } satisfies Readonly<Record<DestinationChoice, string>>,
  onHold:
    "**Sem MEDs novos até a chave voltar.** Os lembretes que ainda saírem seguem o que vi por último.",
  inChannel: (channel: string): string => `Saem em ${channel}, e mencionam você.`,
  noRoute: "Vão por mensagem direta: o servidor não tem um canal de alertas em uso.",
  direct: "Vão por mensagem direta.",
  elsewhere: (channel: string): string =>
    `Saem uma vez só, em ${channel}, no servidor em que você escolheu o canal para esta conta. Para mudar: \`/conta ver\` lá.`,
  quiet: (from: string, to: string, zone: string): string =>
    `Os que podem esperar não saem ${fromHour(from)} ${atHour(to)} (${zone}): são as horas de silêncio do servidor.`,
  directElsewhere:
    "Desligados neste servidor, mas vão por mensagem direta: você conectou esta conta em outro servidor também. Para parar: `/conta ver` lá. Se você já saiu de lá, apague aquela chave com `/conta desconectar`, na nossa conversa direta.",
  none: "**Desligados: não aviso nada dos seus MEDs, nem os prazos.**",
  unlistedSome: (count: number): string =>
    count === 1
      ? "**O serviço conta 1 MED pendente que eu não consigo ler**, e não aviso dele: abra o painel do serviço."
      : `**O serviço conta ${count} MEDs pendentes que eu não consigo ler**, e não aviso deles: abra o painel do serviço.`,
  undeliveredBelow: (hasChannel: boolean): string =>
    `Libere no Discord as mensagens diretas deste servidor${hasChannel ? ", ou escolha abaixo o canal de alertas" : ""}.`,
};

/** Where the notices of the owner's sales go, in `/conta ver`. */
export const ownSales = {
  yours: "Avisos de venda",
  yoursPlaceholder: "Para onde vão os avisos das suas vendas",
  choices: {
    channel: "No canal de vendas do servidor",
    direct: "Avisos de venda por mensagem direta",
    off: "Nenhum aviso de venda",
  } satisfies Readonly<Record<DestinationChoice, string>>,
  inChannel: (channel: string, minimum: string | undefined): string =>
    `Saem em ${channel}${minimum === undefined ? "" : `, a partir de ${minimum}`}: o produto, o valor, o líquido e o seu nome, nunca quem pagou.`,
  direct: "Vão por mensagem direta.",
  noRoute:
    "**Não saem: o servidor não tem um canal de vendas em uso.** Escolha abaixo a mensagem direta, ou peça a quem gerencia o servidor que use `/config vendas`.",
  none: "Desligados. Para ser avisado de cada venda na hora, escolha abaixo para onde.",
  byReport:
    "**O serviço não mostra agora a lista das suas vendas.** Aviso pelo relatório do dia: quantas e quanto, sem detalhes.",
  /** In a channel with a minimum. */
  someByReport:
    "**O serviço não mostra agora a lista das suas vendas.** Pelo relatório do dia, só aviso lá quando entra uma única venda e ela chega ao mínimo. Veja todas em `/vendas`.",
};

/** Lists of connected keys: in direct messages, for managers of a server, and when an admin offers a key. */
export const people = {
  /** `/conta` in the direct message. */
  listTitle: "Suas chaves conectadas",
  listText:
    "Aqui você desconecta qualquer uma, também a de um servidor do qual já saiu. Para o resto, use `/conta ver` no próprio servidor.",
  more: (count: number): string =>
    count === 1 ? "Há mais 1, que não coube aqui." : `Há mais ${count}, que não couberam aqui.`,
  server: (place: number): string => `${place}. Servidor`,
  key: (end: string): string => `Chave ${end}`,
  /** Above an answer in the direct message. */
  chosenKey: (end: string): string => `-# Você escolheu a chave ${end}.`,
  answeringKeys: (ends: readonly string[]): string =>
    `-# Resposta da conta com ${ends.length === 1 ? "a chave" : "as chaves"} ${format.list(ends)}.`,
  since: (at: string): string => `conta conectada em ${at}`,
  report: {
    channel: "O seu total diário pode sair no canal.",
    direct: "O seu relatório diário vai por mensagem direta.",
    off: "O seu total diário não sai no canal.",
  } satisfies Readonly<Record<DestinationChoice, string>>,
  left: "Você saiu deste servidor, e nada seu sai no canal.",
  leftAll:
    "**Se não estamos juntos em nenhum servidor, o Discord não entrega as minhas mensagens diretas**, e os alertas de MED não chegam até você: acompanhe os prazos no painel do serviço.",
  refused: "O serviço recusa esta chave.",
  choose: "Desconectar de um servidor",
  choice: (place: number, end: string): string => `${place}. servidor …${end}`,

  questionText: (server: string): string =>
    `Do servidor ${server} apago a chave, o seu aceite do relatório e os relatórios que ainda não saíram.`,
  stopOnly: "Só parar o relatório",
  disconnectedText: (server: string, goesOn: boolean): string =>
    `Não guardo mais a chave que você usava no servidor ${server}, ${reportEnds(goesOn)} ` +
    "Para voltar, use `/conta conectar` no servidor.",
  agreed: "Relatório aceito",
  stopped: "Relatório desligado",
  stoppedHere: "O seu total não sai no canal",
  reportAnswers: {
    agreed: (server: string, channel: string): string =>
      `O seu total diário sai em ${channel}, o canal do relatório do servidor ${server}. Para parar, use \`/conta ver\` no servidor.`,
    stopped: (server: string): string =>
      `O seu total diário não sai no canal do servidor ${server}, nem por mensagem direta. A chave continua conectada. ` +
      "Para mudar, use `/conta ver` no servidor.",
    stoppedHere: (server: string): string =>
      `O seu total diário não sai no canal do servidor ${server}. A chave continua conectada. ${directGoesOn}`,
    directStays: (server: string): string =>
      `O seu total diário não sai no canal do servidor ${server}. O relatório por mensagem direta continua como você o escolheu lá. ` +
      "Para parar, use `/conta ver` no servidor.",
  },

  /** `/config ver`. */
  connected: "Quem conectou a chave",
  page: (page: number, pages: number): string => `Página ${page} de ${pages}.`,
  previous: "Anteriores",
  next: "Próximos",
  remove: "Desconectar um membro",
  member: (place: number, end: string): string => `Pessoa ${place} da lista acima (id …${end})`,
  offers: "Trocas de chave à espera da resposta",
  offer: (member: string, admin: string, until: string): string =>
    `${member}, a pedido de ${admin}: vale até ${until}`,
  removeTitle: "Desconectar esta pessoa?",
  removeText: (member: string): string =>
    `Apago deste servidor a chave de ${member}, o aceite do relatório e os relatórios que ainda não saíram. ` +
    "Se ela não tiver outra chave em nenhum servidor, apago também as provas e as chaves PIX que ela guardou, e não há volta. Não mexo no dinheiro dessa pessoa, mas sem outra chave da conta que funcione não acompanho mais um saque ou estorno que ainda não terminou. Ela recebe um aviso por mensagem direta que diz quem foi, o que apaguei e, se houver um assim, qual é.",
  removeAnew:
    "**A chave dessa pessoa mudou depois dessa pergunta, e não apaguei nada.** Confira e responda de novo.",
  removeButton: "Desconectar",
  back: "Voltar",
  removed: "Pessoa desconectada",
  removedText: (member: string): string =>
    `Não guardo mais a chave de ${member} neste servidor, e o relatório dessa pessoa não sai mais. Ela vai receber um aviso.`,

  /** Told to the member. */
  removedNotice: "Desconectaram a sua chave",
  removedAlone: "Quem gerencia um servidor desconectou a sua chave de lá.",
  removedNoticeText: (admin: string, goesOn: boolean): string =>
    `${admin} gerencia o servidor e desconectou a sua chave de lá. Eu a apaguei desse servidor, ${reportEnds(goesOn)} ` +
    "Isso não mexeu no seu dinheiro. Para voltar, use `/conta conectar` no servidor.",
  removedProofs: (count: number): string =>
    `Era a sua última chave, e com ela apaguei também ${count === 1 ? "**1 prova** guardada" : `**${count} provas** guardadas`}. Não há volta.`,
  removedLost: "Com ela também se perdeu",
  removedUnfinished: (unfinished: UnfinishedOperations): string =>
    `${notEnded(unfinished)} Não consigo mais acompanhá-${unfinished.others === 0 ? "lo: a falta da chave não o cancela" : "los: a falta da chave não cancela nenhum"}, e o resultado você confere no serviço de pagamentos. ` +
    "Se conectar de novo uma chave da mesma conta, nesse servidor ou em outro, volto a acompanhar, e até lá nenhum outro saque dela sai por aqui.",

  leftNotice: "Você saiu de um servidor",
  leftAlone:
    "Você saiu de um servidor: o seu relatório parou de sair lá, e a chave continua guardada.",
  leftAloneWithoutReport: "Você saiu de um servidor, e a sua chave continua guardada.",
  leftNoticeText: (server: string): string => `Não vejo mais você no servidor ${server}.`,
  leftReportText:
    "O seu relatório diário parou de sair lá. Se você voltar, o relatório volta a sair, no máximo no dia seguinte.",
  leftSalesText:
    "Os avisos das suas vendas pararam de sair lá. Se você voltar, eles voltam no máximo no dia seguinte.",
  leftKeyText:
    "A sua chave continua guardada. Para apagar, toque no botão ou use `/conta desconectar` aqui mesmo.",

  /** An admin offers a key to a member who has one. */
  askedTitle: "Perguntei a essa pessoa",
  askedText: (member: string, until: string): string =>
    `${member} já tem uma chave neste servidor, e só essa pessoa pode trocá-la. Perguntei por mensagem direta. Se ela aceitar até ${until}, a chave nova entra no lugar da outra; sem resposta, eu a apago. Você recebe um aviso de como terminou.\n\n` +
    "Se a mensagem não chegar, peça que ela use `/conta conectar`.",
  newKey: "Chave nova",
  presentKey: "Chave de agora",
  questionTitle: "Trocar a sua chave da API?",
  questionAlone: "Querem trocar a sua chave da API: só você decide, em até 24 horas.",
  offerText: (admin: string, until: string): string =>
    `${admin} gerencia o servidor e quer trocar a sua chave por outra. Só você decide, e nada muda antes disso. ` +
    "Se aceitar, os seus comandos passam a usar a chave nova, também os saques.\n\n" +
    "Confira o final da chave no serviço de pagamentos. Se não foi você que pediu, recuse. " +
    `Sem resposta até ${until}, apago a chave nova.`,
  /** The key that the member has, which was refused or cannot be opened. */
  offerOfSame: (admin: string, until: string): string =>
    `${admin} gerencia o servidor e trouxe de novo **a mesma chave que você já tem nele**, que não estava funcionando aqui e o serviço aceitou agora. Só você decide, e nada muda antes disso. ` +
    "Se aceitar, ela volta a valer para os seus comandos, também os saques.\n\n" +
    `Se não foi você que pediu, recuse. Sem resposta até ${until}, apago o que essa pessoa trouxe.`,
  offerOfOtherWallet:
    "**A chave nova é de outra conta do serviço de pagamentos**: se aceitar, a conta de agora deixa de estar conectada nesse servidor.",
  accept: "Aceitar",
  refuse: "Recusar",
  acceptedTitle: "Chave aceita",
  acceptedText:
    "A chave que você aceitou está conectada no servidor. `/conta ver` lá mostra como ela está.",
  refusedTitle: "Troca recusada",
  refusedText: "Apaguei a chave que ofereceram. A sua continua como estava, e nada mudou.",
  ends: {
    accepted: {
      title: "A troca de chave foi aceita",
      text: (member: string): string =>
        `${member} aceitou, e a chave que você ofereceu está conectada.`,
    },
    refused: {
      title: "A troca de chave foi recusada",
      text: (member: string): string =>
        `${member} recusou. Apaguei a chave que você ofereceu, e a de antes continua como estava.`,
    },
    expired: {
      title: "A troca de chave ficou sem resposta",
      text: (member: string): string =>
        `${member} não respondeu em 24 horas. Apaguei a chave que você ofereceu, e a de antes continua como estava.`,
    },
    unreached: {
      title: "A pergunta não chegou",
      text: (member: string): string =>
        `Não consegui escrever a ${member}. Apaguei a chave que você ofereceu, e a de antes continua como estava. Peça que essa pessoa use \`/conta conectar\` no servidor e cole a chave.`,
    },
    unreadable: {
      title: "A troca de chave não pôde ser feita",
      text: (member: string): string =>
        `${member} quis aceitar, mas não consigo mais ler a chave que você ofereceu. Eu a apaguei, e a de antes continua como estava. Ofereça a chave de novo, ou peça que essa pessoa use \`/conta conectar\` no servidor.`,
    },
    own_key: {
      title: "A pessoa conectou uma chave por conta própria",
      text: (member: string): string =>
        `${member} usou \`/conta conectar\`. Apaguei a chave que você ofereceu, e vale a que essa pessoa conectou.`,
    },
    disconnected: {
      title: "A chave dessa pessoa foi desconectada",
      text: (member: string): string =>
        `A chave de ${member} foi desconectada do servidor, e não há mais o que trocar. Apaguei a que você ofereceu.`,
    },
    replaced: {
      title: "Outra chave foi oferecida no lugar",
      text: (member: string): string =>
        `Outra pessoa que gerencia o servidor ofereceu outra chave a ${member}. Apaguei a que você ofereceu, e a de antes continua como estava.`,
    },
  },
};
