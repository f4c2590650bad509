import { brasiliaWindow } from "../shared/report-day.ts";
import { cents } from "../shared/money.ts";
import { type ReportTexts, reportTexts } from "./texts.ts";
import { post } from "../ui/reply.ts";
import { line } from "../ui/embed.ts";
import type { DeliveryPayload } from "../delivery/delivery.ts";
import type { ReportRoute } from "./report-route.ts";

/** The window of a report day in words, in Brasília's time. */
export const windowInWords = (day: Temporal.PlainDate, { sales }: ReportTexts): string => {
  const { from, to } = brasiliaWindow(day);
  return sales.window(from, to);
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
