import type { APIEmbedField } from "discord-api-types/v10";
import type { DeliveryPayload, PostChart } from "../delivery/delivery.ts";
import { typedDay } from "../shared/report-day.ts";
import { firstLines, fitTogether, inline, limits, line } from "../ui/embed.ts";
import { fullTime, keyEnd, ofKey, person, plainServerName, together } from "../ui/format.ts";
import { buttonRow, customIdOf, post, type Reply, type Row } from "../ui/reply.ts";
import { DEFAULT_HOUR, isLate } from "./report-schedule.ts";
import { averageOf, salesCount } from "./sales.ts";
import type { SalesFigures } from "./sales-days.ts";
import type { SalesChange } from "./sales-period.ts";
import { dayChart } from "./period-chart.view.ts";
import { changeWords, dayName, originsLine } from "./sales-period.view.ts";
import { windowInWords, windowOf } from "./sales-report.view.ts";
import {
  daysCarried,
  soldNothing,
  type MissingSeller,
  MOST_CORRECTIONS,
  ranked,
  sellersChange,
  salesByDay,
  type DailyReport,
  type SellerFigures,
  sumOfSellers,
} from "./daily-report.ts";
import { type ReportTexts, reportTexts } from "./texts.ts";

const MOST_RANKED = 10;
const MOST_NAMED = 5;
/** More corrections than these are told in short. */
const MOST_SENTENCES = 3;
const WEEK = 7;

const mineOf = customIdOf("vendas", "meu");
const weekOf = customIdOf("vendas", "semana");

const dayOf = ({ day }: Pick<DailyReport, "day">): Temporal.PlainDate =>
  Temporal.PlainDate.from(day);

/** The report of one seller has the seller's name. */
const whoOf = (
  { sellers, missing, guildName, directKey }: DailyReport,
  { reports }: ReportTexts,
): string => {
  if (directKey !== undefined) return reports.you;
  const [only, ...others] = sellers;
  if (only !== undefined && others.length === 0 && missing.length === 0)
    return person(only.ownerId);
  return plainServerName(guildName) ?? reports.store;
};

const dayInWords = (
  report: DailyReport,
  now: Temporal.Instant,
  { reports, format }: ReportTexts,
): string => {
  const { timeZone = DEFAULT_HOUR.timeZone } = report;
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
  const day = dayOf(report);
  if (day.equals(today)) return reports.today;
  return day.equals(today.subtract({ days: 1 }))
    ? reports.yesterday
    : reports.onDay(format.shortDate(day));
};

const arrow = (change: SalesChange, { periods }: ReportTexts): string => {
  if (change.kind !== "change") return "—";
  const { percent } = change;
  if (percent === 0) return "=\u00a00%";
  return `${percent > 0 ? "▲" : "▼"}\u00a0${periods.percent(Math.abs(percent))}`;
};

/** The day before, as the reader of a post of that evening calls it. */
const thanBefore = (report: DailyReport, now: Temporal.Instant, texts: ReportTexts): string =>
  dayInWords(report, now, texts) === texts.reports.today
    ? texts.reports.yesterday
    : texts.reports.thanDayBefore;

const changes = (report: DailyReport, now: Temporal.Instant, texts: ReportTexts): string => {
  const { sellers } = report;
  const words = (daysAgo: 1 | 7, than: string): string =>
    changeWords(sellersChange(sellers, daysAgo), than, texts);
  const weekday = texts.periods.thanWeekday(dayOf(report).dayOfWeek);
  return together(words(1, thanBefore(report, now, texts)), words(WEEK, weekday));
};

const soldOf = (sum: Pick<SalesFigures, "api" | "esales">, { sales }: ReportTexts): string => {
  const count = salesCount(sum);
  return count === 0 ? sales.noSales : sales.salesOf(count);
};

const totalFields = (sum: SalesFigures, texts: ReportTexts): readonly APIEmbedField[] => {
  const { sales, format } = texts;
  const count = salesCount(sum);
  const ticket = averageOf(sum.sales, count);
  return [
    inline(sales.net, `**${format.reais(sum.net)}**`),
    inline(sales.count, format.count(count)),
    inline(sales.averageTicket, ticket === undefined ? "—" : format.reais(ticket)),
  ];
};

const rankedLine = (
  seller: SellerFigures,
  place: number,
  isCounted: boolean,
  texts: ReportTexts,
): string =>
  together(
    `${place}. ${seller.name ?? person(seller.ownerId)} **${texts.format.reais(seller.figures.sales)}**`,
    soldOf(seller.figures, texts),
    arrow(sellersChange([seller], 1), texts),
    isCounted ? texts.reports.sameAccount : undefined,
  );

/** Lines that add up to the sum, where they do not say that an owner has the wallet account of a line above. */
const ranking = ({ sellers, missing }: DailyReport, texts: ReportTexts): readonly string[] => {
  if (sellers.length + missing.length < 2) return [];
  const [best, rest] = [ranked(sellers).slice(0, MOST_RANKED), ranked(sellers).slice(MOST_RANKED)];
  const places = best.map(({ wallet }) => wallet);
  const further = rest.filter(({ wallet }) => !places.includes(wallet));
  const sum = sumOfSellers(further);
  const others = texts.reports.others(rest.length);
  return [
    ...best.map((seller, place) =>
      rankedLine(seller, place + 1, places.indexOf(seller.wallet) < place, texts),
    ),
    ...(rest.length === 0
      ? []
      : [
          further.length === 0
            ? together(others, texts.reports.sameAccount)
            : together(`${others}: **${texts.format.reais(sum.sales)}**`, soldOf(sum, texts)),
        ]),
  ];
};

const MOST_GOALS = 5;

/** Goals of the month that sellers show, best sellers first. */
const goalFields = (
  sellers: readonly SellerFigures[],
  { reports }: ReportTexts,
): readonly APIEmbedField[] => {
  const lines = ranked(sellers).flatMap(({ ownerId, goal }) => {
    if (goal === undefined) return [];
    return [sellers.length > 1 ? `${person(ownerId)}: ${goal}` : goal];
  });
  if (lines.length === 0) return [];
  return [line(reports.goals, firstLines(lines, reports.others, MOST_GOALS))];
};

const missingLines = (
  missing: readonly MissingSeller[],
  { reports, format }: ReportTexts,
): readonly string[] =>
  ([true, false] as const).flatMap((isRefused) => {
    const those = missing.filter((each) => each.isRefused === isRefused);
    if (those.length === 0) return [];
    const more = those.length - MOST_NAMED;
    const named = those.slice(0, MOST_NAMED).map(({ ownerId }) => person(ownerId));
    const who = more > 0 ? `${named.join(", ")} ${reports.others(more)}` : format.list(named);
    return [(isRefused ? reports.missingRefused : reports.missing)(who, those.length > 1)];
  });

const correctionFields = (
  sellers: readonly SellerFigures[],
  texts: ReportTexts,
): readonly APIEmbedField[] => {
  const { reports, format } = texts;
  const all = sellers.flatMap(({ wallet, ownerId, corrections }) =>
    corrections.map((each) => [`${wallet}|${each.day}`, { ...each, ownerId }] as const),
  );
  // Two sellers of one wallet account have the same corrections, unless one of them agreed later.
  const told = [...new Map(all.toReversed()).values()].toReversed();
  if (told.length === 0) return [];
  const lines = told.slice(0, MOST_CORRECTIONS).map(({ ownerId, day, before, now, isNet }) => {
    const date = dayName(Temporal.PlainDate.from(day), texts);
    const name = isNet === true ? reports.netOfDay(date) : date;
    const sentence = now < before ? reports.fell : reports.rose;
    const words = told.length > MOST_SENTENCES ? reports.changed : sentence;
    const said = words(name, format.reais(before), format.reais(now));
    return sellers.length > 1 ? `${person(ownerId)}: ${said}` : said;
  });
  const more = told.length - lines.length;
  return [...lines, ...(more > 0 ? [reports.moreCorrected(more)] : [])]
    .reduce<readonly string[]>((values, each) => {
      const joined = [...values.slice(-1), each].join("\n");
      return joined.length > limits.fieldValue
        ? [...values, each]
        : [...values.slice(0, -1), joined];
    }, [])
    .map((value) => line(reports.corrected, value));
};

/** Undefined where fewer than two days are known, or without sales. */
const chartOf = (report: DailyReport, texts: ReportTexts): PostChart | undefined => {
  const { periods, reports, format } = texts;
  const day = dayOf(report);
  const amounts = salesByDay(report.sellers);
  const days = daysCarried(day);
  const [before, shown] = [days.slice(0, WEEK), days.slice(WEEK)];
  const known = days.flatMap((day, place) => {
    const sales = amounts[place];
    return sales === undefined ? [] : [{ day, sales }];
  });
  if (known.filter(({ day }) => shown.includes(day)).length < 2) return undefined;
  const byDay = new Map(known.map((each) => [each.day.toString(), each]));
  const compared = { shown, closed: shown, before };
  const total = sumOfSellers(report.sellers);
  const headline = `${dayName(day, texts)}: ${format.reais(total.sales)}`;
  const legend = [periods.weekButton, reports.weekBehind] as const;
  return dayChart(compared, byDay, headline, legend, reports.picture, texts);
};

const buttons = ({ day, directKey }: DailyReport, { periods, reports }: ReportTexts): Row => {
  const typed = typedDay(Temporal.PlainDate.from(day));
  return buttonRow(
    {
      id: mineOf(typed),
      label: directKey === undefined ? reports.mine : reports.mineToo,
      style: "primary",
    },
    { id: weekOf(typed), label: periods.weekButton, style: "secondary" },
  );
};

/** A seller who was missing, and the day's new sums. */
const completion = (
  report: DailyReport,
  own: SellerFigures,
  reference: string,
  texts: ReportTexts,
): DeliveryPayload => {
  const { periods, reports, format } = texts;
  const day = dayOf(report);
  const sum = sumOfSellers(report.sellers);
  const who = person(own.ownerId);
  const amount = format.reais(own.figures.sales);
  const store = plainServerName(report.guildName) ?? reports.store;
  const isWhole = report.missing.length === 0;
  const totalWords = isWhole ? reports.completesTotal : reports.completesSoFar;
  const total = soldNothing(report.sellers)
    ? reports.completesNothing(store, isWhole)
    : totalWords(store, format.reais(sum.sales), soldOf(sum, texts), format.reais(sum.net));
  const date = format.shortDate(day);
  return post(
    {
      sentence: together(
        soldNothing([own])
          ? reports.completesNothingAlone(who, date)
          : reports.completesAlone(who, amount, date),
        report.doubtful === true ? reports.doubtfulAlone : undefined,
      ),
      title: reports.completing(day.dayOfWeek, date),
      description: [
        together(
          `${who} **${amount}**`,
          soldOf(own.figures, texts),
          periods.net(format.reais(own.figures.net)),
          arrow(sellersChange([own], 1), texts),
        ),
        ...(report.sellers.length > 1 ? [total] : []),
        ...(report.doubtful === true ? [reports.doubtful] : []),
        ...missingLines(report.missing, texts),
      ].join("\n"),
      fields: [...goalFields([own], texts), ...correctionFields([own], texts)],
      footer: windowOf({ from: day, to: day }, texts),
      readAt: Temporal.Instant.from(report.readAt),
      reference,
    },
    buttons(report, texts),
  );
};

/** One post for a server and day, in the words of the instant of posting: the sums, the sellers and what changed. */
export const dailyReportPost = (
  report: DailyReport,
  now: Temporal.Instant,
  reference: string,
): DeliveryPayload => {
  const { locale, sellers, missing, readAt, emptyChoice, directKey } = report;
  const texts = reportTexts(locale);
  const { common, reports, format } = texts;
  const own = sellers.find(({ accountId }) => accountId === report.completes);
  if (own !== undefined) return completion(report, own, reference, texts);
  const day = dayOf(report);
  const sum = sumOfSellers(sellers);
  const who = whoOf(report, texts);
  const when = dayInWords(report, now, texts);
  const dueAt = Temporal.Instant.from(report.dueAt);
  const notes = [
    ...(isLate(dueAt, now) ? [line(reports.late, fullTime(dueAt))] : []),
    ...correctionFields(sellers, texts),
    // Tells apart the reports of a reader with several wallet accounts.
    ...(directKey === undefined ? [] : [line(common.key, keyEnd(directKey))]),
  ];
  // Sales of sellers who are missing are not known.
  const nothing = soldNothing(sellers) && missing.length === 0;
  const isOwn = directKey !== undefined;
  const keyed = (told: string): string => ofKey(told, report, texts);
  const sentence = isOwn ? keyed(reports.ownEmptyAlone(when)) : reports.emptyAlone(who, when);
  if (nothing && emptyChoice !== "send") {
    const window = windowInWords(day, texts);
    const date = format.date(day);
    const description = isOwn
      ? reports.ownEmptyLine(date, window)
      : reports.emptyLine(who, date, window);
    const told = { sentence, description, fields: notes, reference };
    return post(told, buttons(report, texts));
  }
  const change = sellersChange(sellers, 1);
  const changed =
    change.kind === "change"
      ? changeWords(change, thanBefore(report, now, texts), texts)
      : undefined;
  // In a phone's preview the sum would pass for the server's whole day.
  const more = missing.length === 0 ? changed : reports.without(missing.length);
  const chart = chartOf(report, texts);
  const ranks = ranking(report, texts);
  return {
    ...post(
      {
        sentence: nothing
          ? sentence
          : keyed(together(reports.alone(who, format.reais(sum.sales), when), more)),
        title: reports.closing(day.dayOfWeek, format.shortDate(day)),
        description: [
          together(`**${format.reais(sum.sales)}**`, changes(report, now, texts)),
          originsLine(sum, texts),
          ...missingLines(missing, texts),
        ]
          .filter((each) => each !== "")
          .join("\n"),
        fields: [
          ...totalFields(sum, texts),
          ...(ranks.length === 0 ? [] : [line(reports.sellers, ranks.join("\n"))]),
          ...goalFields(sellers, texts),
          ...notes,
        ],
        footer: windowOf({ from: day, to: day }, texts),
        readAt: Temporal.Instant.from(readAt),
        reference,
      },
      buttons(report, texts),
    ),
    ...(chart && { chart }),
  };
};

/** A seller's own day for the seller alone: the sales, the balance with what is on its way, and MEDs that wait. */
export const ownDayView = (
  sales: Reply,
  balance: Reply | undefined,
  awaiting: string | undefined,
): Reply => ({
  ...sales,
  ...(awaiting !== undefined && { content: awaiting }),
  embeds: fitTogether([...(sales.embeds ?? []), ...(balance?.embeds ?? [])]),
  components: [...(sales.components ?? []), ...(balance?.components ?? [])],
});
