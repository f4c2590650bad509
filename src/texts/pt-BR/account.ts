/** What everybody who sees the channel sees. */
export const reportShows =
  "Vão o seu nome, quantas vendas, o total vendido, as taxas e o líquido, e quem vê o canal vê isso. ";

export const account = {
  connectMine: "Conectar minha chave",
  modalTitle: "Conectar a chave da API",
  modalLabel: "Chave da API do serviço de pagamentos",
  modalPlaceholder: "Cole a chave inteira",

  connected: "Chave conectada",
  refused: "Chave recusada pelo serviço",
  key: "Chave",
  since: "Conectada em",
  by: (person: string): string => `por ${person}`,
  owner: "Titular",
  ownerVerified: "Confirmado: é a sua conta",
  ownerUnverified: "Não confirmado: o serviço não mostra um usuário do Discord",
  state: "Situação",
  working: "Funcionando",
  pausedSince: (at: string): string =>
    `Parada desde ${at}. Se você trocou a chave, conecte a nova com \`/conta conectar\`. ` +
    "Se esta ainda vale, use `/vendas`: quando o serviço responder, ela volta sozinha.",
  report: "Relatório diário",
  consentGiven: "Você aceitou.",
  consentMissing: "Você ainda não aceitou.",
  goesTo: (channel: string, time: string, zone: string): string =>
    `Sai em ${channel}, às ${time} (${zone}).`,
  wouldGoTo: (channel: string, time: string, zone: string): string =>
    `Sairia em ${channel}, às ${time} (${zone}).`,
  channelLost: (channel: string): string =>
    `Parado: não consigo postar em ${channel}. Quem gerencia o servidor resolve com \`/config relatorio\`.`,
  switchedOff: "Está desligado neste servidor.",
  noChannel: "Este servidor ainda não escolheu um canal.",
  willAsk: "Quando escolher, pergunto se posso postar lá o seu total.",
  firstSteps: "`/vendas` já mostra as suas vendas de hoje.",

  consentQuestion:
    "**Posso postar o seu total de cada dia no canal do relatório?**\n" +
    reportShows +
    "Você muda isso quando quiser, com `/conta ver`.",
  accept: "Pode postar",
  decline: "Agora não",
  stop: "Parar de postar",

  connectedForTitle: "Chave conectada",
  connectedFor: (owner: string): string =>
    `A chave de ${owner} está conectada, e só essa pessoa pode usá-la. ` +
    "Ela recebe um aviso por mensagem direta e decide, com `/conta ver`, se o total diário dela sai no canal.",

  disconnectTitle: "Desconectar esta chave?",
  disconnectText:
    "Apago deste servidor a chave, o seu aceite do relatório e os relatórios que ainda não saíram. " +
    "As suas vendas continuam no serviço de pagamentos, e a chave continua valendo lá até você revogá-la.",
  losesToo: "Também se perde",
  loses: {
    proofs: (count: number): string =>
      count === 1
        ? "**1 prova** guardada: baixe antes, porque não há volta"
        : `**${count} provas** guardadas: baixe antes, porque não há volta`,
    pixKeys: (count: number): string =>
      count === 1
        ? "**1 chave PIX** guardada, que volta a contar como nova"
        : `**${count} chaves PIX** guardadas, que voltam a contar como novas`,
    /** `dueAt`: of the soonest. */
    disputes: (count: number, dueAt: string): string =>
      count === 1
        ? `os avisos de **1 MED** sem resposta, que vence ${dueAt}`
        : `os avisos de **${count} MEDs** sem resposta; o primeiro vence ${dueAt}`,
    alertChoice: "a sua escolha de onde saem os alertas de MED",
  },
  replace: "Só trocar a chave",
  replaceText:
    "Só quer trocar a chave? Conecte a nova, da mesma conta, e tudo isto fica como está.",
  disconnectUnfinished: (opId: string | undefined): string =>
    `**${opId === undefined ? "Um saque desta conta" : `O saque \`${opId}\``} ainda não terminou, e esta é a última chave da conta que eu tenho.** ` +
    "Sem ela não consigo mais acompanhá-lo: apagar a chave não cancela o saque, e o resultado você confere no serviço de pagamentos. " +
    "Se conectar de novo uma chave da mesma conta, volto a acompanhar, e até lá nenhum outro saque dela sai por aqui.",
  disconnect: "Apagar a chave",
  disconnectAnyway: "Apagar mesmo assim",
  keep: "Manter",
  disconnected: "Chave apagada",
  disconnectedText:
    "Não guardo mais a sua chave neste servidor, e o seu relatório não sai mais. " +
    "Para voltar: `/conta conectar`.",
};
