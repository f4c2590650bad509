import { format } from "./format.ts";

export const sales = {
  title: (day: Temporal.PlainDate): string => `Vendas de ${format.date(day)}`,
  /** Of the day that opened at `from`, while people still call the one before it today. */
  titleSince: (from: Temporal.PlainDateTime): string => `Vendas desde as ${format.hour(from)}`,
  closedWith: (day: Temporal.PlainDate, at: Temporal.PlainDateTime, sold: string): string =>
    `O dia ${format.shortDate(day)} fechou às ${format.hour(at)} ${sold}.`,
  withSales: (amount: string, sales: string): string => `com **${amount}** em ${sales}`,
  withoutSales: "sem vendas",
  day: (day: Temporal.PlainDate): string => `Dia ${format.shortDate(day)}`,
  window: (from: Temporal.PlainDateTime, to: Temporal.PlainDateTime): string =>
    `das ${format.moment(from)} às ${format.moment(to)}, horário de Brasília`,
  windowLine: (window: string): string => `Período: ${window}.`,
  /** `time` and `relative` are timestamps that Discord writes in the reader's own hour. */
  stillOpen: (time: string, relative: string): string =>
    `**Dia ainda aberto:** fecha às ${time} (${relative}), e os números podem mudar até lá.`,
  nothing: (window: string): string => `Nenhuma venda aprovada ${window}.`,
  nothingYet: (window: string): string =>
    `Dia ainda aberto: nenhuma venda aprovada até agora, no período ${window}.`,
  totalSales: "Total vendido",
  fees: "Taxas",
  net: "Líquido",
  count: "Vendas",
  averageTicket: "Ticket médio",
  effectiveFee: "Taxa efetiva",
  fromApi: "Pela API",
  fromEsales: "Pelo eSales",
  salesOf: (count: number): string => (count === 1 ? "1 venda" : `${format.count(count)} vendas`),
  noSales: "nenhuma venda",
  feesOf: (amount: string): string => `taxas ${amount}`,
  netOf: (amount: string): string => `líquido ${amount}`,
  notApplicable: "não se aplica",
  mayFall: "Um estorno feito depois diminui estes números.",
};
