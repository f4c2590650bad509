import type { APIEmbedField } from "discord-api-types/v10";
import { isListedSince, unreadListCodes, withdrawalSums } from "../accounting-files/accounting.ts";
import {
  knownReais,
  withdrawalCaveats,
  withdrawalsLeft,
} from "../accounting-files/accounting-book.view.ts";
import { type AccountingTexts, accountingTexts } from "../accounting-files/texts.ts";
import type { DeliveryPayload, PostChart } from "../delivery/delivery.ts";
import type { SalesDay } from "../reports/sales-days.ts";
import { daysOf } from "../reports/sales-period.ts";
import { changeWords, dayName, shortName, soldLine } from "../reports/sales-period.view.ts";
import { dayChart } from "../reports/period-chart.view.ts";
import { feeShare, isEmpty, salesCount } from "../reports/sales.ts";
import { windowOf } from "../reports/sales-report.view.ts";
import { type ReportTexts, reportTexts } from "../reports/texts.ts";
import type { Locale } from "../shared/locale.ts";
import { type EmbedParts, firstLines, inline, line, supportCodeFields } from "../ui/embed.ts";
import {
  channel,
  fullTime,
  keyEnd,
  oldestRead,
  person,
  serverLink,
  together,
  ofKey,
} from "../ui/format.ts";
import { buttonRow, customIdOf, post, type Reply, reply, type Row } from "../ui/reply.ts";
import {
  type CloseActivity,
  type CloseFigures,
  type CloseKind,
  type ClosePeriod,
  type OwnClose,
  periodBefore,
  textOfPeriod,
} from "./close.ts";
import { type FeeDifference, type FeePaid, wrongChargeFees, wrongWithdrawalFees } from "./fees.ts";
import { type CloseTexts, closeTexts } from "./texts.ts";

type Texts = ReportTexts & CloseTexts & AccountingTexts;

const textsOf = (locale: Locale): Texts => ({
  ...reportTexts(locale),
  ...closeTexts(locale),
  ...accountingTexts(locale),
});

const changeOf = ({ change, period }: CloseFigures, texts: Texts): string => {
  const than = texts.closes.than(period.kind);
  if (change === undefined || change.kind === "unknown") return texts.closes.unknown(than);
  return changeWords(change, than, texts);
};

/** Days and sellers that the sums leave out; undefined when they have all. */
const withoutOf = (
  { missing, period }: CloseFigures,
  isOwn: boolean,
  texts: Texts,
): string | undefined => {
  if (missing.length === 0) return undefined;
  const days = missing.reduce((sum, each) => sum + each.days.length, 0);
  if (isOwn) return texts.closes.withoutDays(days);
  return days === missing.length * daysOf(period).length
    ? texts.reports.without(missing.length)
    : texts.closes.without(days, missing.length);
};

const sentenceOf = (figures: CloseFigures, isOwn: boolean, texts: Texts): string => {
  const { period, total, change, readings } = figures;
  const { closes, sales, format } = texts;
  const name = shortName(period, texts);
  if (readings === undefined) return closes.alone(period.kind, name, closes.aloneUnread, undefined);
  const sold = isEmpty(total)
    ? closes.aloneNothing
    : closes.aloneSold(format.reais(total.sales), sales.salesOf(salesCount(total)));
  const changed = change?.kind === "change" ? changeOf(figures, texts) : undefined;
  // In a phone's preview the sum would pass for that of all sellers.
  const told = withoutOf(figures, isOwn, texts) ?? changed;
  return closes.alone(period.kind, name, sold, told);
};

const bestAndWorst = ({ best, worst }: CloseFigures, texts: Texts): string => {
  const { closes, format } = texts;
  if (best === undefined || worst === undefined) return "";
  const of = ({ day, sales }: SalesDay) => [dayName(day, texts), format.reais(sales)] as const;
  return together(closes.best(...of(best)), closes.worst(...of(worst)));
};

/** The sum and its change: without sellers of whom no day is known. Where single days are missing there is no change. */
const soldLines = (figures: CloseFigures, isOwn: boolean, texts: Texts): readonly string[] => {
  const { total, readings, change } = figures;
  const { closes } = texts;
  if (readings === undefined) return [closes.unread];
  const without = withoutOf(figures, isOwn, texts);
  return [
    soldLine(total, texts),
    ...(without === undefined ? [] : [closes.partial(without)]),
    ...(without === undefined || change?.kind !== "unknown" ? [changeOf(figures, texts)] : []),
  ];
};

const description = (figures: CloseFigures, isOwn: boolean, texts: Texts): string =>
  [
    ...soldLines(figures, isOwn, texts),
    bestAndWorst(figures, texts),
    `-# ${together(windowOf(figures.period, texts), figures.readings && oldestRead(figures.readings, texts))}`,
  ]
    .filter((each) => each !== "")
    .join("\n");

const feesFields = (
  { total, readings }: CloseFigures,
  { closes, format }: Texts,
): readonly APIEmbedField[] => {
  if (readings === undefined) return [];
  const share = feeShare(total);
  const told = share === undefined ? share : format.percent(share);
  return [inline(closes.fees, closes.feesPaid(format.reais(total.fees), told))];
};

const movementFields = (
  { withdrawals, refunds, disputes, isWatched }: CloseActivity,
  { from }: ClosePeriod,
  texts: Texts,
): readonly APIEmbedField[] => {
  const { closes, format } = texts;
  const { count: paid, amount: withdrawn, some } = withdrawalSums(withdrawals.withdrawals);
  const nonePaid = isListedSince(withdrawals, from) ? closes.nonePaid : closes.noneRead;
  const sum =
    paid === 0 ? nonePaid : closes.withdrawn(knownReais(withdrawn, texts), paid, some.amount);
  const caveats = [
    ...withdrawalCaveats(withdrawals, from, texts),
    ...withdrawalsLeft(withdrawals, texts),
  ];
  const counted = (["opened", "won", "lost"] as const).flatMap((kind) => {
    const { count, amount } = disputes[kind];
    return count === 0 ? [] : [closes[kind](count, format.reais(amount))];
  });
  const told = [...counted, ...(isWatched ? [] : [closes.unwatched])];
  return [
    ...(paid === 0 && caveats.length === 0
      ? []
      : [inline(closes.withdrawals, [sum, ...caveats].join("\n"))]),
    ...(refunds.count === 0
      ? []
      : [inline(closes.refunds, closes.refunded(format.reais(refunds.amount), refunds.count))]),
    ...(told.length === 0 ? [] : [inline(closes.disputes, told.join(", "))]),
  ];
};

const MOST_TOLD = 3;

const someOf = (told: readonly string[], { closes }: Texts): string =>
  firstLines(told, closes.more, MOST_TOLD, ", ");

const someDays = (days: readonly Temporal.PlainDate[], texts: Texts): string =>
  someOf(days.map(texts.format.shortDate), texts);

/** The difference in plain figures: why the fee was another is the service's to say. */
const feeFields = (
  fees: readonly FeeDifference[],
  own: CloseActivity | undefined,
  texts: Texts,
): readonly APIEmbedField[] => {
  const { closes, format } = texts;
  const told = (paid: readonly FeePaid[], words: (count: number, some: string) => string) => {
    const each = paid.map(({ day, came, expected }) =>
      closes.instead(dayName(day, texts), format.reais(came), format.reais(expected)),
    );
    return each.length === 0 ? [] : [words(each.length, someOf(each, texts))];
  };
  const lines = [
    ...told(fees, closes.feeDays),
    ...(fees.some(({ hasEsales }) => hasEsales) ? [closes.esalesToo] : []),
    ...told(wrongChargeFees(own?.charges ?? []), closes.feeCharges),
    ...told(wrongWithdrawalFees(own?.withdrawals.withdrawals ?? []), closes.feeWithdrawals),
  ];
  return lines.length === 0 ? [] : [line(closes.feesSeen, lines.join("\n"))];
};

const MOST_SELLERS = 5;

const missingFields = (
  missing: CloseFigures["missing"],
  texts: Texts,
): readonly APIEmbedField[] => {
  const { closes } = texts;
  if (missing.length === 0) return [];
  const sellers = missing.map(({ ownerId, isRefused, days }) =>
    closes.missingOf(person(ownerId), isRefused, days.length, someDays(days, texts)),
  );
  const told = firstLines(sellers, closes.missingSellers, MOST_SELLERS);
  return [line(closes.missing, [told, closes.missingWhy].join("\n"))];
};

/** Missing days in the close of one seller, posted or asked for. */
const ownMissingFields = (
  missing: CloseFigures["missing"],
  own: OwnClose | undefined,
  texts: Texts,
): readonly APIEmbedField[] => {
  const { closes } = texts;
  const { asked = missing.flatMap((seller) => seller.days), tooOld = [] } = own ?? {};
  const whyAsked = own?.isKeyRefused === true ? closes.keyRefused : closes.asked;
  const why = own === undefined ? closes.missingWhy : whyAsked;
  const lines = [
    ...(asked.length > 0 ? [closes.unreadDays(asked.length, someDays(asked, texts), why)] : []),
    ...(tooOld.length > 0 ? [closes.tooOld(tooOld.length, someDays(tooOld, texts))] : []),
  ];
  return lines.length === 0 ? [] : [line(closes.missing, lines.join("\n"))];
};

/** `isOwn`: the close is told to its one seller. */
const parts = (
  figures: CloseFigures,
  { own, isOwn }: { readonly own?: OwnClose; readonly isOwn: boolean },
  texts: Texts,
): EmbedParts => ({
  ...(figures.missing.length > 0 && { tone: "warning" }),
  description: description(figures, isOwn, texts),
  fields: [
    ...feesFields(figures, texts),
    ...(own ? movementFields(own.activity, figures.period, texts) : []),
    ...feeFields(figures.fees, own?.activity, texts),
    ...(isOwn
      ? ownMissingFields(figures.missing, own, texts)
      : missingFields(figures.missing, texts)),
    ...(own ? supportCodeFields(unreadListCodes(own.activity.withdrawals), texts) : []),
  ],
});

/** Bars of the days with those of the period before behind them; undefined without sales. */
export const closeChart = (figures: CloseFigures, locale: Locale): PostChart | undefined => {
  const texts = textsOf(locale);
  const { periods, reports, format } = texts;
  const { period, known, total } = figures;
  const shown = daysOf(period);
  const compared = { shown, closed: shown, before: daysOf(periodBefore(period)) };
  const name = shortName(period, texts);
  const behind = period.kind === "month" ? periods.lastMonth : reports.weekBehind;
  const inWords = (told: string) => periods.picture(name, told);
  return dayChart(compared, known, format.reais(total.sales), [name, behind], inWords, texts);
};

/** `commands/fechamento.ts` handles them. */
const closeButtons = (period: ClosePeriod, isOwn: boolean, { closes, reports }: Texts): Row => {
  const argument = textOfPeriod(period);
  const label = isOwn ? closes.mineToo : reports.mine;
  return buttonRow(
    { id: customIdOf("fechamento", "planilha")(argument), label: closes.sheet, style: "secondary" },
    { id: customIdOf("fechamento", "meu")(argument), label, style: "secondary" },
  );
};

interface ClosePostFacts {
  readonly figures: CloseFigures;
  readonly dueAt: Temporal.Instant;
  /** Whether the post comes well after `dueAt`, and has to say so. */
  readonly late: boolean;
  readonly locale: Locale;
  readonly reference: string;
  /** End of the key, in the close of one seller to that seller alone. */
  readonly directKey?: string | undefined;
  /** Whether that seller has other wallet accounts too. */
  readonly hasOthers?: boolean | undefined;
}

/** The close of a server: the sums of its sellers' sales. By direct message that of one seller. */
export const closePost = (facts: ClosePostFacts): DeliveryPayload => {
  const { figures, dueAt, late, locale, reference, directKey } = facts;
  const texts = textsOf(locale);
  const { closes, common, reports } = texts;
  const { period } = figures;
  const chart = closeChart(figures, locale);
  const isOwn = directKey !== undefined;
  const shown = parts(figures, { isOwn }, texts);
  const notes = [
    ...(late ? [line(reports.late, fullTime(dueAt))] : []),
    ...(isOwn ? [line(common.key, keyEnd(directKey))] : []),
  ];
  return {
    ...post(
      {
        ...shown,
        sentence: ofKey(sentenceOf(figures, isOwn, texts), facts, texts),
        title: closes.title(period.kind, shortName(period, texts)),
        fields: [...(shown.fields ?? []), ...notes],
        readAt: figures.readings?.readAt,
        reference,
      },
      closeButtons(period, isOwn, texts),
    ),
    ...(chart !== undefined && { chart }),
  };
};

/** The same for the one seller who asked, with the withdrawals, refunds and MEDs. */
export const ownCloseView = (own: OwnClose, locale: Locale): Reply => {
  const texts = textsOf(locale);
  const { figures } = own;
  const { period, readings } = figures;
  const title = texts.closes.yours(period.kind, shortName(period, texts));
  return reply({ ...parts(figures, { own, isOwn: true }, texts), title, readAt: readings?.readAt });
};

/** To an owner of the reports' route: a close may or may not have been posted. */
export const uncertainCloseNotice = (facts: {
  readonly guildId: string;
  readonly channelId: string;
  readonly kind: CloseKind;
  /** Last day of its period: a week and a month may end on the same one. */
  readonly day: Temporal.PlainDate;
  readonly locale: Locale;
  readonly reference: string;
}): DeliveryPayload => {
  const texts = textsOf(facts.locale);
  const { closes } = texts;
  const told = `${closes.uncertainText(channel(facts.channelId))} ${closes.sameFigures}`;
  return post({
    tone: "warning",
    sentence: closes.uncertainAlone(facts.kind, facts.day),
    title: closes.uncertain,
    description: `${told}\n\n${serverLink(facts.guildId, texts)}`,
    reference: facts.reference,
  });
};
