import type { TransactionFilter } from "./transaction-list.ts";

const filters: Readonly<Record<TransactionFilter, string>> = {
  all: "Todas",
  approved: "Vendas aprovadas",
  pending: "Vendas pendentes",
  refunded: "Vendas estornadas",
  withdrawals: "Saques",
  other: "Vendas em outra situação",
};

/** `/transacoes`: the list, one transaction in full, and its choices in menus. */
export const transactions = {
  filters,
  title: "Transações",
  none: "O serviço não mostra nenhuma transação nesta conta. Para cobrar a primeira, use `/cobrar` no servidor.",
  noneHere: "Nenhuma transação com esse filtro.",
  noneSoFar: "Nenhuma transação com esse filtro entre as que o serviço me deu até agora.",
  found: (count: string, isOne: boolean): string =>
    isOne ? "**1 transação.**" : `**${count} transações.**`,
  foundAtLeast: (count: string, isOne: boolean): string =>
    isOne ? "**1 transação ou mais.**" : `**${count} transações ou mais.**`,
  period: (from: string, to: string): string =>
    from === to
      ? `Só as criadas em ${from}, em Brasília.`
      : `Só as criadas de ${from} a ${to}, dias de Brasília.`,
  page: (page: number, pages: number): string => `Página ${page} de ${pages}.`,
  pageOfMore: (page: number): string => `Página ${page}.`,
  listUnread: (why: string): string =>
    `**Não consegui ler a lista de transações do serviço.**${why}`,
  tryDetail:
    "Se você tem o txid de uma, tente `/transacoes txid:`. O detalhe pode abrir mesmo sem a lista.",
  listCut: (why: string): string => `Não consegui ler a lista até o fim.${why}`,
  moreThere:
    "O serviço pode ter mais do que isto. Se você tem o txid de outra, abra com `/transacoes txid:`.",
  moreHere: "Ainda não li a lista até o fim: **Ler mais** continua de onde parei.",
  onwards: "**Ler mais** continua de onde parei.",
  unnamed: (count: number): string =>
    count === 1
      ? "1 linha do serviço veio sem txid, e não aparece aqui."
      : `${count} linhas do serviço vieram sem txid, e não aparecem aqui.`,
  undated: (count: number): string =>
    count === 1
      ? "1 veio sem data, e fica fora do período."
      : `${count} vieram sem data, e ficam fora do período.`,
  noDescription: "Sem descrição",
  noAmount: "valor não informado",
  noTime: "sem data",
  filterPlaceholder: "Mostrar só…",
  openPlaceholder: "Abrir uma transação (horários de Brasília)",
  previous: "◀ Mais novas",
  next: "Mais antigas ▶",
  readOn: "Ler mais",

  kinds: { payment: "Venda", withdrawal: "Saque" },
  otherKind: "Transação",
  statuses: {
    pending: "⏳ Pendente",
    approved: "✅ Aprovada",
    refunded: "↩️ Estornada",
    expired: "⌛ Expirada",
    scheduled: "🗓️ Agendado",
    processing: "🔄 Em processamento",
  },
  endElsewhere: "❔ Veja o fim em `/saques`",
  /** A finished withdrawal is `approved` here. */
  withdrawn: "✅ Concluído",
  unknownStatus: (status: string): string => `❔ ${status}`,
  noStatus: "❔ Situação não informada",
  modalities: { link: "Link de pagamento", normal: "Saque normal", turbo: "Saque turbo" },
  explained: {
    pending: "Ainda não foi paga, e não entra no seu saldo.",
    approved: "Foi paga. O líquido é o que entra no seu saldo.",
    refunded: "O valor voltou ao pagador, e ela não conta mais nas suas vendas.",
    expired: "Ninguém pagou a tempo.",
  },
  explainedWithdrawn: "O detalhe está em **Ver o saque**.",
  explainedWithdrawals:
    "Se falhou ou foi cancelado, só o detalhe do saque diz: **Ver o saque** ou `/saques txid:`.",
  unknownExplained: "O serviço usou uma palavra que não conheço. Mostro como veio.",

  amount: "Valor",
  fee: "Taxa",
  net: "Líquido",
  state: "Situação",
  modality: "Modalidade",
  product: "Produto ou descrição",
  payer: "Pagador",
  noPayer: "o serviço não informa",
  payerText: (name: string, document: string): string => `${name} · documento ${document}`,
  bank: (name: string, code: string): string => `Banco: ${name} (código ${code})`,
  accountType: (type: string): string => `Conta: ${type}`,
  accountTypes: { checking: "corrente", savings: "poupança", payment: "de pagamento" },
  notSaid: "não informado",
  pixKey: "Chave PIX de destino",
  scheduledFor: "Previsto para",
  dates: "Datas",
  createdAt: (at: string): string => `Criada em ${at}`,
  withdrawalCreatedAt: (at: string): string => `Criado em ${at}`,
  updatedAt: (at: string): string => `Mudou em ${at}`,
  codes: "Códigos",
  txid: (code: string): string => `txid ${code}`,
  transferId: (code: string): string => `transferência ${code}`,
  providerId: (code: string): string => `processador ${code}`,
  redirectUrl: (url: string): string => `volta para ${url}`,

  keepProof: "Guardar prova",
  seeDispute: "Ver MED",
  refund: "Estornar",
  seeWithdrawal: "Ver o saque",
  seeAll: "Ver todas",
  chosenTitle: "Venda escolhida para a prova",
  chosenText:
    "Agora abra o menu da mensagem que prova a entrega ou o aceite e escolha **Guardar como prova**, em **Apps**: esta venda já vem marcada no formulário, por 15 minutos.",
  sale: "Venda",
};
