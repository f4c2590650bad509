import type { DeliveryPayload } from "../domain/delivery.ts";
import type { EmptyReportChoice, ReportRoute } from "../domain/report-route.ts";
import { isEmpty, salesCount } from "../domain/sales-figures.ts";
import type { SalesReport } from "../domain/sales.ts";
import type { Locale } from "../texts/locale.ts";
import { textsFor } from "../texts/texts.ts";
import { line } from "./embed.ts";
import { person } from "./mention.ts";
import { post } from "./post.ts";
import { totalFields, windowInWords } from "./sales-report.ts";
import { fullTime } from "./timestamp.ts";

export interface DailyReportFacts {
  readonly report: SalesReport;
  readonly readAt: Temporal.Instant;
  readonly ownerId: string;
  /** Whether it comes well after `dueAt`; the reader is told then. */
  readonly late: boolean;
  readonly dueAt: Temporal.Instant;
  /** Language of the channel. */
  readonly locale: Locale;
  /** Mark by which the post is found again in the channel's history. */
  readonly reference: string;
  readonly emptyChoice: EmptyReportChoice;
}

/** One seller's day in the guild's channel: totals only. Undefined when the guild wants nothing for an empty day. */
export const dailyReportPost = (facts: DailyReportFacts): DeliveryPayload | undefined => {
  const { report, readAt, ownerId, late, dueAt, locale, reference, emptyChoice } = facts;
  const texts = textsFor(locale);
  const { sales, reports, format } = texts;
  const window = windowInWords(report.day, texts);
  const lateFields = late ? [line(reports.late, reports.lateReason(fullTime(dueAt)))] : [];
  const nothing = isEmpty(report);
  if (nothing && emptyChoice === "skip") return undefined;
  if (nothing && emptyChoice === "line") {
    const description = reports.emptyLine(person(ownerId), report.day, window);
    const sentence = reports.emptyAlone(person(ownerId), report.day);
    return post({ sentence, description, fields: lateFields, reference });
  }
  const who = `${person(ownerId)} · ${nothing ? sales.noSales : sales.salesOf(salesCount(report))}`;
  return post({
    sentence: nothing
      ? reports.emptyAlone(person(ownerId), report.day)
      : reports.alone(
          person(ownerId),
          report.day,
          format.reais(report.total.sales),
          sales.salesOf(salesCount(report)),
        ),
    title: sales.title(report.day),
    description: `${who}\n${sales.windowLine(window)}\n${sales.mayFall}`,
    fields: [...totalFields(report, texts), ...lateFields],
    readAt,
    reference,
  });
};

export interface TestPostFacts {
  readonly route: Pick<ReportRoute, "active" | "time" | "timeZone" | "locale">;
  readonly reference: string;
}

/** A post that shows the route works and cannot be taken for a report. */
export const testPost = ({ route, reference }: TestPostFacts): DeliveryPayload => {
  const { reports, format } = textsFor(route.locale);
  const description = route.active
    ? reports.testText(format.hour(route.time), format.zone(route.timeZone))
    : reports.testTextOff;
  return post({ sentence: reports.testAlone, title: reports.testTitle, description, reference });
};
