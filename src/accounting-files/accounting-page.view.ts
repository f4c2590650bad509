import { feeShare, salesCount } from "../reports/sales.ts";
import { sumOf } from "../reports/sales-days.ts";
import { periodName } from "../reports/sales-period.view.ts";
import { reportTexts } from "../reports/texts.ts";
import { inBrasilia } from "../shared/local-time.ts";
import type { Locale } from "../shared/locale.ts";
import type { Cents } from "../shared/money.ts";
import { brasiliaWindow } from "../shared/report-day.ts";
import { codesOf, keyCell, knownReais, notesOf, paidAs } from "./accounting-book.view.ts";
import {
  type AccountingDay,
  type AccountingFacts,
  type AccountingWithdrawal,
  daysIn,
  isComplete,
  paidSums,
  salesSum,
  type WithdrawalFigures,
  withdrawalSums,
} from "./accounting.ts";
import type { Page, PageTable } from "../print/draw-page.ts";
import { type AccountingTexts, accountingTexts } from "./texts.ts";

/** Rows of both tables together that a page holds; a month of days leaves room for fifteen withdrawals. */
const MOST_ROWS = 46;
/** A longer period has a row a week, then one a month. */
const MOST_DAY_ROWS = 31;

interface DayGroup {
  readonly name: string;
  readonly days: readonly AccountingDay[];
}

const grouped = (
  days: readonly AccountingDay[],
  nameOf: (day: Temporal.PlainDate) => string,
): readonly DayGroup[] =>
  [...Map.groupBy(days, ({ day }) => nameOf(day))].map(([name, ofGroup]) => ({
    name,
    days: ofGroup,
  }));

const groupsOf = (
  days: readonly AccountingDay[],
  { accounting, format }: AccountingTexts,
): { readonly title: string; readonly groups: readonly DayGroup[] } => {
  const byDay = grouped(days, format.date);
  if (byDay.length <= MOST_DAY_ROWS) return { title: accounting.day, groups: byDay };
  const byWeek = grouped(days, (day) => {
    const monday = day.subtract({ days: day.dayOfWeek - 1 });
    return `${format.shortDate(monday)} ${accounting.between} ${format.date(monday.add({ days: 6 }))}`;
  });
  if (byWeek.length <= MOST_DAY_ROWS) return { title: accounting.week, groups: byWeek };
  const byMonth = grouped(days, ({ month, year }) => accounting.monthOf(month, year));
  return { title: accounting.month, groups: byMonth };
};

/** Without the sign of the currency, which stands in the column's head. */
const plainMoney = (amount: Cents | undefined, texts: AccountingTexts): string =>
  knownReais(amount, texts).replace(/R\$\s/, "");

const shareOf = (basisPoints: number | undefined, { format }: AccountingTexts): string =>
  basisPoints === undefined ? "—" : format.percent(basisPoints);

const figuresOf = (days: readonly AccountingDay[], texts: AccountingTexts): readonly string[] => {
  const known = days.flatMap(({ figures }) => figures ?? []);
  if (known.length === 0 && days.length > 0)
    return [texts.accounting.unread, ...Array<string>(5).fill("—")];
  const sum = sumOf(known);
  return [
    plainMoney(sum.sales, texts),
    plainMoney(sum.fees, texts),
    plainMoney(sum.net, texts),
    texts.format.count(sum.api.count),
    texts.format.count(sum.esales.count),
    shareOf(feeShare(sum), texts),
  ];
};

const windowOf = (days: readonly AccountingDay[], { accounting }: AccountingTexts): string => {
  const [first, last] = [days.at(0), days.at(-1)];
  if (first === undefined || last === undefined) return "";
  const missing = days.filter(({ state }) => state === "missing").length;
  const window = accounting.windowOf(brasiliaWindow(first.day).from, brasiliaWindow(last.day).to);
  return missing === 0 || days.length === 1
    ? window
    : `${window} ${accounting.unreadDays(missing)}`;
};

const daysTable = (facts: AccountingFacts, texts: AccountingTexts): PageTable => {
  const { accounting } = texts;
  const days = daysIn(facts);
  const { title, groups } = groupsOf(days, texts);
  return {
    title: accounting.daysSheet,
    columns: [
      { title, width: 86 },
      { title: accounting.pagePeriod, width: 127 },
      { title: accounting.sales, width: 68, right: true },
      { title: accounting.fees, width: 58, right: true },
      { title: accounting.net, width: 68, right: true },
      { title: accounting.api, width: 30, right: true },
      { title: accounting.esales, width: 46, right: true },
      { title: "%", width: 40, right: true },
    ],
    rows: groups.map(({ name, days: ofGroup }) => [
      name,
      windowOf(ofGroup, texts),
      ...figuresOf(ofGroup, texts),
    ]),
    total: [
      isComplete(facts) ? accounting.total : accounting.partialTotal,
      "",
      ...figuresOf(days, texts),
    ],
  };
};

const withdrawalCells = (
  { amount, fee, net }: WithdrawalFigures,
  texts: AccountingTexts,
): readonly string[] => [amount, fee, net].map((each) => plainMoney(each, texts));

const withdrawalRow = (
  withdrawal: AccountingWithdrawal,
  locale: Locale,
  texts: AccountingTexts,
): readonly string[] => [
  texts.format.dateTime(inBrasilia(withdrawal.at)),
  ...withdrawalCells(withdrawal, texts),
  keyCell(withdrawal, locale, texts),
  paidAs(withdrawal, texts),
  codesOf(withdrawal)[0] ?? "",
];

const withdrawalsTable = (
  facts: AccountingFacts,
  room: number,
  locale: Locale,
  texts: AccountingTexts,
): PageTable => {
  const { accounting } = texts;
  const { withdrawals } = facts;
  const shown = withdrawals.length <= room ? withdrawals : withdrawals.slice(0, room - 1);
  const rest = withdrawals.slice(shown.length);
  const sums = paidSums(facts);
  const total = sums.isWhole ? accounting.total : accounting.partialTotal;
  const cellsOf = (figures: WithdrawalFigures) => [...withdrawalCells(figures, texts), "", "", ""];
  return {
    title: accounting.withdrawalsSheet,
    columns: [
      { title: accounting.date, width: 86 },
      { title: accounting.amount, width: 68, right: true },
      { title: accounting.fees, width: 50, right: true },
      { title: accounting.received, width: 68, right: true },
      { title: accounting.key, width: 100 },
      { title: accounting.state, width: 92 },
      { title: accounting.code, width: 59 },
    ],
    rows: [
      ...shown.map((each) => withdrawalRow(each, locale, texts)),
      ...(rest.length === 0
        ? []
        : [[accounting.otherWithdrawals(rest.length), ...cellsOf(withdrawalSums(rest))]]),
    ],
    total: [total, ...cellsOf(sums)],
  };
};

export const accountingPage = (facts: AccountingFacts, locale: Locale): Page => {
  const texts = accountingTexts(locale);
  const { accounting, format } = texts;
  const { reading } = facts;
  const sum = salesSum(facts);
  const table = daysTable(facts, texts);
  const room = MOST_ROWS - table.rows.length;
  const { figures } = accounting;
  return {
    language: locale,
    madeAtMs: reading.readAt.epochMilliseconds,
    title: accounting.pageTitle(periodName(reading.period, reading.readAt, reportTexts(locale))),
    subtitle: accounting.salesOf(salesCount(sum), shareOf(feeShare(sum), texts)),
    figures: [
      { label: figures.net, value: format.reais(sum.net) },
      { label: figures.sales, value: format.reais(sum.sales) },
      { label: figures.fees, value: format.reais(sum.fees) },
      { label: figures.withdrawn, value: knownReais(paidSums(facts).amount, texts) },
    ],
    tables: [table, withdrawalsTable(facts, room, locale, texts)],
    notes: notesOf(facts, texts),
    replaced: texts.common.replaced,
    footer: accounting.footer,
  };
};
