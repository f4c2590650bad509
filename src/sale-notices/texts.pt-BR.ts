import { format } from "../ui/format.pt-BR.ts";

const sales = (count: number): string =>
  count === 1 ? "1 venda" : `${format.count(count)} vendas`;
const refunds = (count: number): string =>
  count === 1 ? "1 estorno" : `${format.count(count)} estornos`;

/** Notices of sales, and `/config vendas`. */
export const saleNotices = {
  counted: { sale: sales, refund: refunds },
  named: { sale: "Venda", refund: "Estorno" },
  noProduct: "sem descrição",
  net: (amount: string): string => `(líquido\u00a0${amount})`,
  /** `at`: when it was made. */
  late: (named: string, at: string): string => `${named} de ${at}`,
  inOneMinute: "em 1 minuto",
  within: (at: string): string => `de ${at}`,
  between: (from: string, until: string): string => `de ${from} a ${until}`,
  byReport: "pelo relatório do dia, sem detalhes",
  doubtful: "talvez eu já tenha avisado: os dados do Balcão foram restaurados de um backup",
  doubtfulAlone: (told: string): string => `Talvez eu já tenha avisado: ${told}`,
  gap: (from: string, until: string): string =>
    `Pode faltar aviso de vendas de ${from} a ${until}: não consegui ler todas. O total do dia está em \`/vendas\`.`,
  gapAlone: "Pode faltar aviso de algumas vendas.",
  /** `time`: when it was made, where that is long ago. */
  alone: (named: string, amount: string, time: string): string => `${named} de ${amount}${time}.`,
  groupAlone: (counted: string, total: string | undefined, time: string): string =>
    `${counted}${total === undefined ? "" : `, ${total}`}${time}.`,
  lateAlone: (at: string): string => `, ${at} (horário de Brasília)`,
  lateGroupAlone: (from: string, until: string): string =>
    `, de ${from} a ${until} (horário de Brasília)`,

  routeTitle: "Avisos de venda",
  routeSaved: "Avisos de venda salvos",
  whoSees:
    "No canal saem o produto, o valor, o líquido e quem vendeu, sem mencionar ninguém, e nunca quem pagou. Cada vendedor escolhe com `/conta ver` se as vendas dele saem aqui, vão por mensagem direta ou não são anunciadas.",
  minimum: "Valor mínimo",
  noMinimum: "nenhum: toda venda sai",
  minimumOf: (amount: string): string =>
    `${amount}: as menores não saem aqui. Enquanto o serviço não mostra a lista de vendas, só anuncio aqui quando entra uma única venda e ela chega ao mínimo.`,
  minimumPlaceholder: "A partir de que valor",
  everySale: "Toda venda sai",
  salesFrom: (amount: string): string => `Só vendas a partir de ${amount}`,
  setup:
    "Escolha o canal dos avisos. Cada venda que a lista do serviço mostra sai uma vez, assim que é aprovada. As do eSales podem não estar nela.",
  on: "Ligados",
  off: "Desligados. Para ligar de novo: **Ligar**, na resposta de `/config vendas`",
  suspended: (since: string): string =>
    `Parados desde ${since}: não consigo postar no canal. Escolha outro canal ou o mesmo de novo com \`/config vendas\``,
  noChannel: "Ainda sem canal. Para escolher um: `/config vendas`",
  postedIn: (channel: string, minimum: string | undefined): string =>
    `Saem em ${channel}${minimum === undefined ? "" : `, a partir de ${minimum}`}.\nPara ver ou mudar: \`/config vendas\``,

  /** To a seller who chose the channel, when notices begin in one or its minimum gets lower. */
  move: {
    title: "Onde saem os avisos de venda",
    alone: "Veja em qual canal e a partir de que valor os avisos das suas vendas saem agora.",
    text: (server: string, channel: string, minimum: string | undefined): string =>
      `Os avisos de venda do servidor ${server} agora saem em ${channel}` +
      `${minimum === undefined ? ": toda venda sai" : `, a partir de ${minimum}`}. Quem vê o canal vê as suas vendas. ` +
      "Para mudar ou desligar, use `/conta ver` no servidor.",
  },

  channelLost: "Os avisos de venda pararam",
  channelLostAlone: "Os avisos de venda pararam: não consigo mais postar no canal deles.",
  channelLostText: (channel: string): string =>
    `Não consigo mais postar em ${channel}: o canal não existe mais ou não me deixa postar. ` +
    "Quem gerencia o servidor resolve com `/config vendas`. Até lá as vendas de quem escolheu o canal não são anunciadas.",
};
