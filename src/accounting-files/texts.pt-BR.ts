import { format } from "../ui/format.pt-BR.ts";
import type { DayState } from "./accounting.ts";

const days = (count: number): string => (count === 1 ? "1 dia" : `${count} dias`);
const withdrawals = (count: number): string => (count === 1 ? "1 saque" : `${count} saques`);

const states: Readonly<Record<DayState, string>> = {
  whole: "fechado",
  partial: "parcial: ainda não tinha fechado",
  missing: "não lido: fora da soma",
};

export const accounting = {
  title: (name: string): string => `Arquivo de ${name}`,
  fileName: "vendas",
  between: "a",
  /** `some`: of how many a sum is, where the figures of others are not known. */
  withdrawalsLine: (
    amount: string,
    net: string,
    count: number,
    some: Readonly<Record<"amount" | "net", number | undefined>>,
  ): string => {
    const summed = some.amount === undefined ? count : `${some.amount} de ${count}`;
    const received = some.net === undefined ? net : `${net} em ${some.net} de ${count}`;
    return `Saques: **${amount}** em ${summed} · recebido ${received}`;
  },
  noWithdrawals: "Saques: nenhum concluído.",
  noneRead: "Saques: nenhum concluído no que consegui ler.",
  inFiles:
    "XLSX e CSV têm uma linha por dia e uma por saque; o PDF, tudo em uma página. Só você vê.",
  notPrinted: (kinds: string): string =>
    `Não consegui fazer o ${kinds} agora. O CSV tem os mesmos números; para tentar de novo, toque no mesmo botão.`,
  or: " e o ",
  again: "Já estou lendo o que falta: daqui a pouco, toque no mesmo botão de novo.",
  readsMore: (days: number): string =>
    `Cada toque no mesmo botão lê mais ${format.count(days)} dias.`,
  detailsLeft: (count: number, each: number): string =>
    `Ainda não li os detalhes de ${withdrawals(count)}: cada toque no mesmo botão lê mais ${each}.`,

  /** Sheets and their columns. */
  daysSheet: "Vendas por dia",
  withdrawalsSheet: "Saques",
  notesSheet: "Notas",
  ofKey: (end: string): string => `Conta da chave de API final ${end}.`,
  kind: "Tipo",
  kinds: { day: "dia", withdrawal: "saque", note: "nota" },
  day: "Dia",
  date: "Data",
  from: "De (Brasília)",
  to: "Até (Brasília)",
  sales: "Vendas (R$)",
  amount: "Valor (R$)",
  fees: "Taxas (R$)",
  net: "Líquido (R$)",
  received: "Recebido (R$)",
  api: "Nº API",
  esales: "Nº eSales",
  share: "Taxa efetiva",
  state: "Situação",
  key: "Chave PIX",
  code: "Código",
  otherKey: "outra chave",
  total: "Soma",
  partialTotal: "Soma do que foi lido",

  states,
  paid: "concluído",
  paidByWord: "concluído, segundo você",
  paidElsewhere: "concluído fora do bot",
  ofSplit: (paid: string): string => `${paid} (split)`,

  /** Notes in the files and the answer. */
  salesReadAt: (moment: string): string => `Vendas lidas em ${moment} (Brasília)`,
  withdrawalsReadAt: (moment: string): string => `saques em ${moment}`,
  window: (hours: readonly string[]): string =>
    `Cada dia vai ${hours.map((hour) => `das ${hour} às ${hour}`).join(", no horário de verão ")} (Brasília). Estornos posteriores descontam.`,
  missing: (count: number, dates: string): string =>
    count === 1
      ? `Falta 1 dia que não consegui ler: ${dates}. Não está na soma.`
      : `Faltam ${days(count)} que não consegui ler: ${dates}. Não estão na soma.`,
  more: (count: number): string => `e mais ${count}`,
  partial: (dates: string): string => `Parcial, lido antes de fechar: ${dates}.`,
  underWay: (count: number): string =>
    `${withdrawals(count)} ainda sem fim conhecido: fora da soma.`,
  incomplete: (count: number): string =>
    `${withdrawals(count)} sem valor, taxa ou recebido conhecido: o que falta não está na soma.`,
  elsewhereUnread:
    "Não consegui ler a lista de saques do serviço: os que foram feitos fora do bot podem faltar.",
  elsewhereUnordered:
    "A lista de saques do serviço pode estar incompleta: os que foram feitos fora do bot podem faltar.",
  elsewhereSince: (date: string): string =>
    `A lista de saques do serviço começa em ${date}: os feitos antes, fora do bot, podem faltar.`,
  elsewhereUnclear: (count: number): string =>
    `${withdrawals(count)} da lista do serviço que não consegui conferir: fora da soma.`,
  fromSplits: (amount: string, count: number): string =>
    `${amount} da soma são de ${withdrawals(count)} de split: saíram do saldo do recebedor, não do seu.`,

  /** The page of the PDF. */
  pageTitle: (name: string): string => `Vendas e saques de ${name}`,
  figures: { net: "Líquido", sales: "Vendas", fees: "Taxas", withdrawn: "Sacado" },
  salesOf: (count: number, share: string): string =>
    `${count === 1 ? "1 venda" : `${format.count(count)} vendas`} · taxa efetiva ${share}`,
  pagePeriod: "Período",
  windowOf: (from: Temporal.PlainDateTime, to: Temporal.PlainDateTime): string =>
    `${format.moment(from)} a ${format.moment(to)}`,
  unread: "não lido",
  otherWithdrawals: (count: number): string => `e mais ${withdrawals(count)}`,
  footer: "Balcão · não é documento fiscal",
};
