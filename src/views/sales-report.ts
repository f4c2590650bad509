import type { APIEmbedField } from "discord-api-types/v10";
import { brasiliaWindow, closeOf, typedDay } from "../domain/report-day.ts";
import { averageTicket, effectiveFee, isEmpty, salesCount } from "../domain/sales-figures.ts";
import type { OriginSales, SalesReport } from "../domain/sales.ts";
import type { Locale } from "../texts/locale.ts";
import { textsFor, type Texts } from "../texts/texts.ts";
import { buttonRow, type Row } from "./components.ts";
import { inline } from "./embed.ts";
import { reply, type Reply } from "./reply.ts";
import { hourOnly, relativeTime } from "./timestamp.ts";

/** The window of a report day in words, in Brasília's time. */
export const windowInWords = (day: Temporal.PlainDate, { sales }: Texts): string => {
  const { from, to } = brasiliaWindow(day);
  return sales.window(from, to);
};

/** What was sold, what it cost and what is left. */
export const totalFields = (
  report: SalesReport,
  { sales, format }: Texts,
): readonly APIEmbedField[] => {
  const { total } = report;
  return [
    inline(sales.totalSales, `**${format.reais(total.sales)}**`),
    inline(sales.fees, format.reais(total.fees)),
    inline(sales.net, `**${format.reais(total.net)}**`),
  ];
};

const rateFields = (report: SalesReport, { sales, format }: Texts): readonly APIEmbedField[] => {
  const ticket = averageTicket(report);
  const fee = effectiveFee(report);
  return [
    inline(sales.count, format.count(salesCount(report))),
    inline(sales.averageTicket, ticket === undefined ? sales.notApplicable : format.reais(ticket)),
    inline(sales.effectiveFee, fee === undefined ? sales.notApplicable : format.percent(fee)),
  ];
};

const originInWords = (origin: OriginSales, { sales, format }: Texts): string => {
  if (origin.count === 0 && origin.sales === 0) return sales.noSales;
  return [
    `${sales.salesOf(origin.count)}: ${format.reais(origin.sales)}`,
    sales.feesOf(format.reais(origin.fees)),
    sales.netOf(format.reais(origin.net)),
  ].join("\n");
};

export interface SalesReportFacts {
  readonly report: SalesReport;
  readonly readAt: Temporal.Instant;
  /** The day that has just closed, beside the open one: both are "today" for now. */
  readonly closed?: SalesReport | undefined;
  /** Days to look at by a button. */
  readonly days?: readonly Temporal.PlainDate[];
  readonly locale: Locale;
}

/** Shows a day in the place of the one that is shown; `commands/vendas.ts` serves it. */
const dayButtons = (days: readonly Temporal.PlainDate[], { sales }: Texts): readonly Row[] =>
  days.length === 0
    ? []
    : [
        buttonRow(
          ...days.map((day) => ({
            id: `vendas:dia:${typedDay(day)}`,
            label: sales.day(day),
            style: "secondary" as const,
          })),
        ),
      ];

const closedInWords = (closed: SalesReport, { sales, format }: Texts): string => {
  const count = salesCount(closed);
  const sold = isEmpty(closed)
    ? sales.withoutSales
    : sales.withSales(format.reais(closed.total.sales), sales.salesOf(count));
  return sales.closedWith(closed.day, brasiliaWindow(closed.day).to, sold);
};

/** The day's sales for the person who asked. */
export const salesReportView = (facts: SalesReportFacts): Reply => {
  const { report, readAt, closed, days = [], locale } = facts;
  const texts = textsFor(locale);
  const { sales } = texts;
  const window = windowInWords(report.day, texts);
  const close = closeOf(report.day);
  const open = close.epochMilliseconds > readAt.epochMilliseconds;
  const rows = dayButtons(days, texts);
  const title =
    closed === undefined
      ? sales.title(report.day)
      : sales.titleSince(brasiliaWindow(report.day).from);
  const before = closed === undefined ? "" : `${closedInWords(closed, texts)}\n\n`;
  if (isEmpty(report)) {
    const nothing = open ? sales.nothingYet(window) : sales.nothing(window);
    return reply({ title, description: before + nothing, readAt }, ...rows);
  }
  const may = open ? sales.stillOpen(hourOnly(close), relativeTime(close)) : sales.mayFall;
  return reply(
    {
      title,
      description: `${before}${sales.windowLine(window)}\n${may}`,
      readAt,
      fields: [
        ...totalFields(report, texts),
        ...rateFields(report, texts),
        inline(sales.fromApi, originInWords(report.byOrigin.api, texts)),
        inline(sales.fromEsales, originInWords(report.byOrigin.esales, texts)),
      ],
    },
    ...rows,
  );
};
