import { format } from "../ui/format.pt-BR.ts";

const sum = (amount: string | undefined, count: number, one: string, many: string): string => {
  if (count === 1) return amount === undefined ? `Há um saque ${one}` : `${amount} ${one}`;
  const all = `${count} saques ${many}`;
  return amount === undefined ? `Há ${all}` : `${all}, ${amount} ao todo`;
};

/** `/saldo`: balance, incoming money, and the amount that can be withdrawn. */
export const balance = {
  title: (available: string): string => `${available} disponível`,
  unknown: "Saldo: não sei agora",
  frozen: (amount: string): string => `**${amount}** retido por MEDs, já fora do disponível.`,
  /** `until`: the first deadline; undefined when all have passed. `overdue` of the `count` are late. */
  unanswered: (count: number, overdue: number, until: string | undefined): string => {
    const needed = (those: number): string =>
      those === 1 ? "1 MED precisa de resposta" : `${those} MEDs precisam de resposta`;
    if (until === undefined)
      return `⏰ ${count} ${count === 1 ? "MED" : "MEDs"} com o prazo vencido, sem resposta.`;
    const open = count - overdue;
    const others =
      overdue === 1
        ? "outro está com o prazo vencido"
        : `outros ${overdue} estão com o prazo vencido`;
    const late = overdue === 0 ? "" : `; ${others}`;
    return `⏰ ${needed(open)}${open === 1 ? "" : ", o primeiro"} até ${until}${late}.`;
  },
  /** The service's open day, by the day in Brasília on which it began. */
  since: {
    yesterday: "Hoje, desde as 21:00 de ontem (Brasília)",
    today: "Desde as 21:00 de hoje (Brasília)",
  },
  /** `at`: when the sales were read. */
  today: (since: string, amount: string, count: number, at: string): string =>
    `${since}: **${amount}** em ${count === 1 ? "1 venda" : `${format.count(count)} vendas`} (li ${at}).`,
  unreadToday: (since: string): string =>
    `${since}: ainda não li as vendas. Toque em **Vendas** para ver.`,
  nothingToday: (since: string, at: string): string => `${since}: ainda sem vendas (li ${at}).`,
  frozenUnknown: "Quanto está retido por MEDs, não sei agora.",
  onTheWay: "Em andamento",
  elsewhereUnread: "Não li a lista do serviço: pode haver um saque feito fora daqui.",
  elsewhereMore: (count: number): string => `E mais ${count}, em \`/saques\`.`,
  nextElsewhere:
    "O `/saque` ainda não foi ligado neste bot: por enquanto, saque pelo painel do serviço.",
  nextLocked: "Você travou os saques. Para destravar: `/seguranca`.",
  nextSending: "Há um saque saindo agora: espere a resposta do serviço.",
  nextUnclear: "Novo saque só depois de saber se o último foi feito: veja `/saques`.",
  nextUnclearByAnother:
    "Novo saque só depois de saber se o último, pedido por outra pessoa desta conta, foi feito. Se ela não tem mais uma chave da conta, `/saque` no servidor pergunta a você.",
  nextBelowMinimum: (minimum: string): string =>
    `Ainda não dá para sacar: o mínimo é ${minimum}, contado antes da taxa.`,
  nextCapReached: (cap: string, at: string | undefined): string =>
    at === undefined
      ? `O seu limite de ${cap} em 24 horas já foi usado.`
      : `O seu limite de ${cap} em 24 horas já foi usado: libera em ${at}.`,
  nextUpTo: (left: string): string => `Pelo seu limite de 24 horas, ainda cabem ${left}.`,
  /** `amount`: of all `count` withdrawals together. */
  nextAfterProcessing: (amount: string | undefined, count: number): string => {
    const way = `${sum(amount, count, "a caminho", "a caminho")}; o próximo, pelo que sei,`;
    return `🕐 ${way} só depois que ${count === 1 ? "ele terminar" : "eles terminarem"}.`;
  },
  nextBesideScheduled: (amount: string | undefined, count: number): string =>
    `🕐 ${sum(amount, count, "agendado", "agendados")}; não sei se o serviço aceita outro antes de ${count === 1 ? "ele terminar" : "eles terminarem"}.`,
  nextBesideUnread: (count: number): string =>
    count === 1
      ? "Há um saque aceito que não consigo ler até o fim; o serviço pode recusar outro enquanto ele não terminar."
      : `Há ${count} saques aceitos que não consigo ler até o fim; o serviço pode recusar outro enquanto eles não terminarem.`,
  nowFor: (normal: string, turbo: string): string =>
    `✅ Você já pode sacar: recebe **${normal}** (normal, em até 24 horas) ou **${turbo}** (turbo, na hora).`,
  direct: "Para sacar, use `/saque` no servidor.",
  nextFrom: (last: string, at: string): string =>
    `O último saque foi em ${last}; pelo que sei, um novo é aceito a partir de ${at}.`,
  nextUnread: "Não sei se você já pode sacar: não consegui ler tudo agora. O serviço decide.",
  nextUnsure: "Não consegui ler tudo, então o serviço pode dizer outra coisa.",
  withdraw: "Sacar",
  sales: "Vendas",
  disputes: (count: number): string => (count === 0 ? "MEDs" : `MEDs (${count})`),
  withdrawals: "Saques",
  problems: "Não consegui ler tudo",
};
