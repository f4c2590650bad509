import { feeShare, salesCount } from "../reports/sales.ts";
import type { SalesFigures } from "../reports/sales-days.ts";
import { periodName } from "../reports/sales-period.view.ts";
import { reportTexts } from "../reports/texts.ts";
import { inBrasilia } from "../shared/local-time.ts";
import type { Locale } from "../shared/locale.ts";
import type { Cents } from "../shared/money.ts";
import { brasiliaWindow } from "../shared/report-day.ts";
import { codesOf, keyCell, knownReais, notesOf, paidAs } from "./accounting-book.view.ts";
import {
  type AccountingFacts,
  type AccountingWithdrawal,
  daysIn,
  isComplete,
  namedPeriod,
  paidSums,
  salesSum,
  type WithdrawalFigures,
  withdrawalSums,
} from "./accounting.ts";
import type { Page, PageTable } from "../print/draw-page.ts";
import { together } from "../ui/format.ts";
import { type AccountingTexts, accountingTexts } from "./texts.ts";

/** Rows of both tables together that a page holds; a month of days leaves room for fifteen withdrawals. */
const MOST_ROWS = 46;

/** Without the sign of the currency, which stands in the column's head. */
const plainMoney = (amount: Cents | undefined, texts: AccountingTexts): string =>
  knownReais(amount, texts).replace(/R\$\s/, "");

const shareOf = (basisPoints: number | undefined, { format }: AccountingTexts): string =>
  basisPoints === undefined ? "—" : format.percent(basisPoints);

const figuresOf = (sum: SalesFigures | undefined, texts: AccountingTexts): readonly string[] => {
  if (sum === undefined) return [texts.accounting.unread, ...Array<string>(5).fill("—")];
  return [
    plainMoney(sum.sales, texts),
    plainMoney(sum.fees, texts),
    plainMoney(sum.net, texts),
    texts.format.count(sum.api.count),
    texts.format.count(sum.esales.count),
    shareOf(feeShare(sum), texts),
  ];
};

const daysTable = (facts: AccountingFacts, texts: AccountingTexts): PageTable => {
  const { accounting, format } = texts;
  return {
    title: accounting.daysSheet,
    columns: [
      { title: accounting.day, width: 86 },
      { title: accounting.pagePeriod, width: 127 },
      { title: accounting.sales, width: 68, right: true },
      { title: accounting.fees, width: 58, right: true },
      { title: accounting.net, width: 68, right: true },
      { title: accounting.api, width: 30, right: true },
      { title: accounting.esales, width: 46, right: true },
      { title: "%", width: 40, right: true },
    ],
    rows: daysIn(facts).map(({ day, figures }) => {
      const { from, to } = brasiliaWindow(day);
      return [format.date(day), accounting.windowOf(from, to), ...figuresOf(figures, texts)];
    }),
    total: [
      isComplete(facts) ? accounting.total : accounting.partialTotal,
      "",
      ...figuresOf(salesSum(facts), texts),
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
      { title: accounting.date, width: 74 },
      { title: accounting.amount, width: 68, right: true },
      { title: accounting.fees, width: 45, right: true },
      { title: accounting.received, width: 68, right: true },
      { title: accounting.key, width: 100 },
      { title: accounting.state, width: 86 },
      // Fits the service's txids of 21 characters.
      { title: accounting.code, width: 82 },
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
  const paid = paidSums(facts);
  const marked = (words: string, isWhole: boolean): string =>
    together(words, isWhole ? undefined : accounting.partialTotal.toLowerCase());
  return {
    language: locale,
    madeAtMs: reading.readAt.epochMilliseconds,
    title: accounting.pageTitle(
      periodName(namedPeriod(facts), reading.readAt, reportTexts(locale)),
    ),
    subtitle: marked(
      accounting.salesOf(salesCount(sum), shareOf(feeShare(sum), texts)),
      isComplete(facts),
    ),
    figures: [
      { label: figures.net, value: format.reais(sum.net) },
      { label: figures.sales, value: format.reais(sum.sales) },
      { label: figures.fees, value: format.reais(sum.fees) },
      { label: marked(figures.withdrawn, paid.isWhole), value: knownReais(paid.amount, texts) },
    ],
    tables: [table, withdrawalsTable(facts, room, locale, texts)],
    notes: notesOf(facts, texts),
    replaced: texts.common.replaced,
    footer: accounting.footer,
  };
};
