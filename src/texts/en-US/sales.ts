import type { sales as portuguese } from "../pt-BR/sales.ts";
import { format } from "./format.ts";

export const sales: typeof portuguese = {
  title: (day) => `Sales of ${format.date(day)}`,
  titleSince: (from) => `Sales since ${format.hour(from)}`,
  closedWith: (day, at, sold) => `${format.shortDate(day)} closed at ${format.hour(at)} ${sold}.`,
  withSales: (amount, sales) => `with **${amount}** in ${sales}`,
  withoutSales: "without sales",
  day: (day) => format.shortDate(day),
  window: (from, to) => `from ${format.moment(from)} to ${format.moment(to)}, Brasília time`,
  windowLine: (window) => `Period: ${window}.`,
  stillOpen: (time, relative) =>
    `**Still open:** it closes at ${time} (${relative}), and the figures may change until then.`,
  nothing: (window) => `No approved sales ${window}.`,
  nothingYet: (window) => `Still open: no approved sales so far, in the period ${window}.`,
  totalSales: "Total sold",
  fees: "Fees",
  net: "Net",
  count: "Sales",
  averageTicket: "Average sale",
  effectiveFee: "Effective fee",
  fromApi: "Through the API",
  fromEsales: "Through eSales",
  salesOf: (count) => (count === 1 ? "1 sale" : `${format.count(count)} sales`),
  noSales: "no sales",
  feesOf: (amount) => `fees ${amount}`,
  netOf: (amount) => `net ${amount}`,
  notApplicable: "not applicable",
  mayFall: "A later refund lowers these figures.",
};
