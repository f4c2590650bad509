import type { DeliveryPayload } from "../delivery/delivery.ts";
import type { Locale } from "../shared/locale.ts";
import { cents } from "../shared/money.ts";
import { cut, limits } from "../ui/embed.ts";
import { asItComes, type DeliveryHour, latestClosedDay } from "./report-schedule.ts";
import type { DailyReport, SellerFigures } from "./daily-report.ts";
import { dailyReportPost } from "./daily-report.view.ts";
import { reportTexts } from "./texts.ts";

interface TestPostFacts {
  /** A test by direct message counts as switched on. */
  readonly route: DeliveryHour & { readonly active: boolean; readonly locale: Locale };
  /** End of the key, in a test for one seller alone. */
  readonly directKey?: string;
  readonly now: Temporal.Instant;
  readonly reference: string;
}

/** Two weeks of sales in hundredths of the last day, the oldest first. */
const COURSE = [58, 64, 71, 90, 97, 66, 52, 63, 60, 82, 95, 104, 89, 100];

/** `tilt` sets the days before the last one apart from the course, in hundredths. */
const SELLERS = [
  { letter: "A", sales: 81_250, fees: 4_875, api: 6, esales: 2, tilt: 0 },
  { letter: "B", sales: 56_170, fees: 3_370, api: 5, esales: 1, tilt: 18 },
  { letter: "C", sales: 31_000, fees: 1_860, api: 2, esales: 1, tilt: -9 },
];

const sellers = (locale: Locale): readonly SellerFigures[] =>
  SELLERS.map(({ letter, sales, fees, api, esales, tilt }, wallet) => {
    const throughApi = Math.round((sales * api) / (api + esales));
    return {
      accountId: letter,
      ownerId: letter,
      name: reportTexts(locale).reports.seller(letter),
      wallet,
      figures: {
        sales: cents(sales),
        fees: cents(fees),
        net: cents(sales - fees),
        api: { count: api, sales: cents(throughApi) },
        esales: { count: esales, sales: cents(sales - throughApi) },
      },
      days: COURSE.map((part, place) =>
        cents(Math.round((sales * (place < COURSE.length - 1 ? part + tilt : part)) / 100)),
      ),
      corrections: [],
    };
  });

/** Invented figures, so that people see a report as it will come. */
const sampleReport = ({ route, directKey, now }: TestPostFacts): DailyReport => ({
  day: latestClosedDay(now).toString(),
  readAt: now.toString(),
  dueAt: now.toString(),
  timeZone: route.timeZone,
  locale: route.locale,
  emptyChoice: "send",
  directKey,
  sellers: sellers(route.locale).slice(0, directKey === undefined ? undefined : 1),
  missing: [],
});

/** A report without buttons that proves that the way works, and says that its figures are made up. */
export const testPost = (facts: TestPostFacts): DeliveryPayload => {
  const { route, now, reference } = facts;
  const { reports, format } = reportTexts(route.locale);
  const { content = "", embeds = [], chart } = dailyReportPost(sampleReport(facts), now, reference);
  const text = route.active
    ? reports.testText(format.hour(asItComes(route, now).time), format.zone(route.timeZone))
    : reports.testTextOff;
  return {
    content: cut(`${reports.sample}: ${content}`, limits.sentence),
    embeds: embeds.map((shown) => ({
      ...shown,
      title: reports.sampleTitle(shown.title ?? ""),
      description: `**${reports.sample}.** ${text}\n\n${shown.description ?? ""}`,
    })),
    ...(chart && { chart }),
  };
};
