import type { APIEmbedField } from "discord-api-types/v10";
import { brasiliaWindow, closeOf } from "../domain/report-day.ts";
import { averageTicket, effectiveFee, isEmpty, salesCount } from "../domain/sales-figures.ts";
import type { OriginSales, SalesReport } from "../domain/sales.ts";
import { formatReais } from "../shared/money.ts";
import type { Locale } from "../texts/locale.ts";
import { textsFor, type Texts } from "../texts/texts.ts";
import { inline } from "./embed.ts";
import { reply, type Reply } from "./reply.ts";
import { hourOnly, relativeTime } from "./timestamp.ts";

/** The window of a report day in words, in Brasília's time. */
export const windowInWords = (day: Temporal.PlainDate, { sales }: Texts): string => {
  const { from, to } = brasiliaWindow(day);
  return sales.window(from, to);
};

/** What was sold, what it cost and what is left. */
export const totalFields = (report: SalesReport, { sales }: Texts): readonly APIEmbedField[] => {
  const { total } = report;
  return [
    inline(sales.totalSales, `**${formatReais(total.sales)}**`),
    inline(sales.fees, formatReais(total.fees)),
    inline(sales.net, `**${formatReais(total.net)}**`),
  ];
};

const rateFields = (report: SalesReport, { sales, format }: Texts): readonly APIEmbedField[] => {
  const ticket = averageTicket(report);
  const fee = effectiveFee(report);
  return [
    inline(sales.count, format.count(salesCount(report))),
    inline(sales.averageTicket, ticket === undefined ? sales.notApplicable : formatReais(ticket)),
    inline(sales.effectiveFee, fee === undefined ? sales.notApplicable : format.percent(fee)),
  ];
};

const originInWords = (origin: OriginSales, { sales }: Texts): string => {
  if (origin.count === 0 && origin.sales === 0) return sales.noSales;
  return [
    `${sales.salesOf(origin.count)}: ${formatReais(origin.sales)}`,
    sales.feesOf(formatReais(origin.fees)),
    sales.netOf(formatReais(origin.net)),
  ].join("\n");
};

export interface SalesReportFacts {
  readonly report: SalesReport;
  readonly readAt: Temporal.Instant;
  readonly locale: Locale;
}

/** The day's sales for the person who asked. */
export const salesReportView = ({ report, readAt, locale }: SalesReportFacts): Reply => {
  const texts = textsFor(locale);
  const { sales } = texts;
  const window = windowInWords(report.day, texts);
  const close = closeOf(report.day);
  const open = close.epochMilliseconds > readAt.epochMilliseconds;
  const title = sales.title(report.day);
  if (isEmpty(report)) {
    const description = open ? sales.nothingYet(window) : sales.nothing(window);
    return reply({ title, description, readAt });
  }
  const may = open ? sales.stillOpen(hourOnly(close), relativeTime(close)) : sales.mayFall;
  return reply({
    title,
    description: `${sales.windowLine(window)}\n${may}`,
    readAt,
    fields: [
      ...totalFields(report, texts),
      ...rateFields(report, texts),
      inline(sales.fromApi, originInWords(report.byOrigin.api, texts)),
      inline(sales.fromEsales, originInWords(report.byOrigin.esales, texts)),
    ],
  });
};
