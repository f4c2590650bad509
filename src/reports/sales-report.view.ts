import type { APIEmbedField } from "discord-api-types/v10";
import { brasiliaWindow, closeOf, typedDay } from "../shared/report-day.ts";
import {
  averageTicket,
  effectiveFee,
  isEmpty,
  type OriginSales,
  salesCount,
  type SalesReport,
} from "./sales.ts";
import type { Locale } from "../shared/locale.ts";
import { cents } from "../shared/money.ts";
import { brasiliaButtons, periodIds } from "./sales-period.view.ts";
import { type ReportTexts, reportTexts } from "./texts.ts";
import { buttonRow, post, reply, type Reply, type Row } from "../ui/reply.ts";
import { inline, line } from "../ui/embed.ts";
import { hourOnly, relativeTime } from "../ui/format.ts";
import type { DeliveryPayload } from "../delivery/delivery.ts";
import type { ReportRoute } from "./report-route.ts";

/** The window of a report day in words, in Brasília's time. */
export const windowInWords = (day: Temporal.PlainDate, { sales }: ReportTexts): string => {
  const { from, to } = brasiliaWindow(day);
  return sales.window(from, to);
};

const totalFields = (
  report: SalesReport,
  { sales, format }: ReportTexts,
): readonly APIEmbedField[] => {
  const { total } = report;
  return [
    inline(sales.totalSales, `**${format.reais(total.sales)}**`),
    inline(sales.fees, format.reais(total.fees)),
    inline(sales.net, `**${format.reais(total.net)}**`),
  ];
};

const rateFields = (
  report: SalesReport,
  { sales, format }: ReportTexts,
): readonly APIEmbedField[] => {
  const ticket = averageTicket(report);
  const fee = effectiveFee(report);
  return [
    inline(sales.count, format.count(salesCount(report.byOrigin))),
    inline(sales.averageTicket, ticket === undefined ? sales.notApplicable : format.reais(ticket)),
    inline(sales.effectiveFee, fee === undefined ? sales.notApplicable : format.percent(fee)),
  ];
};

const originInWords = (origin: OriginSales, { sales, format }: ReportTexts): string => {
  if (origin.count === 0 && origin.sales === 0) return sales.noSales;
  return [
    `${sales.salesOf(origin.count)}: ${format.reais(origin.sales)}`,
    sales.feesOf(format.reais(origin.fees)),
    sales.netOf(format.reais(origin.net)),
  ].join("\n");
};

interface SalesReportFacts {
  readonly report: SalesReport;
  readonly readAt: Temporal.Instant;
  /** The day that closed today, shown with the open day, because a seller calls both "today". */
  readonly closed?: SalesReport | undefined;
  /** Other days, each with a button. */
  readonly days?: readonly Temporal.PlainDate[];
  readonly locale: Locale;
}

/** Buttons that replace the shown day by another, or by a period; `commands/vendas.ts` handles them. */
const dayButtons = (
  { report, closed, days = [], readAt }: SalesReportFacts,
  texts: ReportTexts,
): Row => {
  const { sales, periods } = texts;
  return buttonRow(
    ...days.map((day) => ({
      id: `vendas:dia:${typedDay(day)}`,
      label: sales.day(day),
      style: "secondary" as const,
    })),
    { id: periodIds.week, label: periods.weekButton, style: "secondary" },
    { id: periodIds.month, label: periods.monthButton, style: "secondary" },
    ...brasiliaButtons((closed ?? report).day, readAt, texts),
  );
};

const closedInWords = (closed: SalesReport, { sales, format }: ReportTexts): string => {
  const count = salesCount(closed.byOrigin);
  const sold = isEmpty(closed)
    ? sales.withoutSales
    : sales.withSales(format.reais(closed.total.sales), sales.salesOf(count));
  return sales.closedWith(closed.day, brasiliaWindow(closed.day).to, sold);
};

/** The day's sales for the person who asked. */
export const salesReportView = (facts: SalesReportFacts): Reply => {
  const { report, readAt, closed, locale } = facts;
  const texts = reportTexts(locale);
  const { sales } = texts;
  const window = windowInWords(report.day, texts);
  const close = closeOf(report.day);
  const open = close.epochMilliseconds > readAt.epochMilliseconds;
  const buttons = dayButtons(facts, texts);
  const title =
    closed === undefined
      ? sales.title(report.day)
      : sales.titleSince(brasiliaWindow(report.day).from);
  const before = closed === undefined ? "" : `${closedInWords(closed, texts)}\n\n`;
  if (isEmpty(report)) {
    const nothing = open ? sales.nothingYet(window) : sales.nothing(window);
    return reply({ title, description: before + nothing, readAt }, buttons);
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
    buttons,
  );
};

interface TestPostFacts {
  readonly route: Pick<ReportRoute, "active" | "time" | "timeZone" | "locale">;
  readonly reference: string;
}

/** Figures of no seller, so that admins see a report as it will come. */
const SAMPLE = { sales: cents(168_420), fees: cents(10_105), net: cents(158_315), count: 17 };

const sampleInWords = ({ sales, reports, format }: ReportTexts): string =>
  [
    `**${format.reais(SAMPLE.sales)}** · ${sales.salesOf(SAMPLE.count)} · ${reports.sampleSellers}`,
    `${sales.netOf(`**${format.reais(SAMPLE.net)}**`)} · ${sales.feesOf(format.reais(SAMPLE.fees))}`,
  ].join("\n");

/** A post that proves that the route works and cannot be mistaken for a report. */
export const testPost = ({ route, reference }: TestPostFacts): DeliveryPayload => {
  const { reports, format } = reportTexts(route.locale);
  const description = route.active
    ? reports.testText(format.hour(route.time), format.zone(route.timeZone))
    : reports.testTextOff;
  return post({
    sentence: reports.testAlone,
    title: reports.testTitle,
    description,
    fields: [line(reports.sample, sampleInWords(reportTexts(route.locale)))],
    reference,
  });
};
