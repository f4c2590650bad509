import { feeShare } from "../reports/sales.ts";
import type { SalesFigures } from "../reports/sales-days.ts";
import { periodReadings } from "../reports/sales-period.ts";
import { periodName } from "../reports/sales-period.view.ts";
import { reportTexts } from "../reports/texts.ts";
import { inBrasilia } from "../shared/local-time.ts";
import type { Locale } from "../shared/locale.ts";
import type { Cents } from "../shared/money.ts";
import { brasiliaWindow } from "../shared/report-day.ts";
import { firstLines } from "../ui/embed.ts";
import { knownWord, oldestRead, plainLine, together } from "../ui/format.ts";
import { maskedType } from "../withdrawals/pix-key.ts";
import { withdrawalTexts } from "../withdrawals/texts.ts";
import { maskedKeyOf } from "../withdrawals/withdrawal-fields.view.ts";
import {
  type AccountingDay,
  type AccountingFacts,
  type AccountingWithdrawal,
  daysIn,
  isComplete,
  isOfSplit,
  listedOnlySince,
  MOST_DETAILS,
  namedPeriod,
  type PaidWithdrawals,
  paidSums,
  salesSum,
  type WithdrawalFigures,
  withdrawalSums,
} from "./accounting.ts";
import { type AccountingTexts, accountingTexts } from "./texts.ts";

/** Days and hours are Brasília's, in ISO 8601 without a zone, as a spreadsheet keeps them. */
export type Cell =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "day"; readonly day: string }
  | { readonly kind: "moment"; readonly at: string }
  | { readonly kind: "money"; readonly cents: number }
  | { readonly kind: "count"; readonly count: number }
  | { readonly kind: "share"; readonly basisPoints: number }
  /** Not known: an empty cell, never a zero. */
  | undefined;

export interface Sheet {
  readonly name: string;
  /** `width` in characters. */
  readonly columns: readonly { readonly title: string; readonly width: number }[];
  readonly rows: readonly (readonly Cell[])[];
  readonly total: readonly Cell[];
}

/** The rows of both tables as plain data, so that a thread can write them. */
export interface AccountingBook {
  readonly language: Locale;
  readonly title: string;
  readonly days: Sheet;
  readonly withdrawals: Sheet;
  readonly notesName: string;
  readonly notes: readonly string[];
}

const text = (words: string): Cell => ({ kind: "text", text: words });
const moment = (at: Temporal.PlainDateTime): Cell => ({
  kind: "moment",
  at: at.toString({ smallestUnit: "minute" }),
});
const money = (amount: Cents | undefined): Cell =>
  amount === undefined ? undefined : { kind: "money", cents: amount };
const count = (value: number | undefined): Cell =>
  value === undefined ? undefined : { kind: "count", count: value };
const share = (basisPoints: number | undefined): Cell =>
  basisPoints === undefined ? undefined : { kind: "share", basisPoints };

export const knownReais = (
  amount: Cents | undefined,
  { format }: Pick<AccountingTexts, "format">,
): string => (amount === undefined ? "—" : format.reais(amount));

/** Characters of a stranger's text in a cell. */
const LONGEST = 100;
/** A spreadsheet is made of XML: its writer drops these, some with the character that follows. */
const NOT_IN_XML = /[\u{fffd}\p{Noncharacter_Code_Point}]/gu;

/** A stranger's text for a cell or a page: one visible line. */
const cellText = (given: string): string => plainLine(given.replace(NOT_IN_XML, ""), LONGEST);

/** Figures of one day or of several, in the order of their columns. */
const salesCells = (figures: SalesFigures | undefined): readonly Cell[] => [
  money(figures?.sales),
  money(figures?.fees),
  money(figures?.net),
  count(figures?.api.count),
  count(figures?.esales.count),
  share(figures && feeShare(figures)),
];

/** The same of withdrawals. */
const withdrawalCells = ({ amount, fee, net }: WithdrawalFigures): readonly Cell[] =>
  [amount, fee, net].map(money);

const dayRow = (
  { day, state, figures }: AccountingDay,
  { accounting }: AccountingTexts,
): readonly Cell[] => {
  const { from, to } = brasiliaWindow(day);
  return [
    { kind: "day", day: day.toString() },
    moment(from),
    moment(to),
    ...salesCells(figures),
    text(accounting.states[state]),
  ];
};

/** The kind of key first, so that a cell never begins with a character of the key. */
export const keyCell = (
  { op, detail }: AccountingWithdrawal,
  locale: Locale,
  { accounting }: AccountingTexts,
): string => {
  const { withdraw, withdrawals } = withdrawalTexts(locale);
  const masked = maskedKeyOf(op, detail);
  if (masked === undefined) return "";
  const type = maskedType(masked);
  const ours = type === "unknown" ? accounting.otherKey : withdraw.keyTypes[type];
  const kind = (detail && knownWord(withdrawals.keyTypes, detail.pixKeyType)) ?? ours;
  return `${kind} ${cellText(masked)}`;
};

export const paidAs = (
  withdrawal: AccountingWithdrawal,
  { accounting }: AccountingTexts,
): string => {
  const { op, detail } = withdrawal;
  if (op === undefined) return accounting.paidElsewhere;
  // The service's own word counts more.
  const isByWord = op.state === "resolved_manual" && detail === undefined;
  const paid = isByWord ? accounting.paidByWord : accounting.paid;
  return isOfSplit(withdrawal) ? accounting.ofSplit(paid) : paid;
};

/** The code of the reader's operation, and the service's. */
export const codesOf = ({ code, txid }: AccountingWithdrawal): readonly string[] =>
  [code, txid].flatMap((each) => (each === undefined ? [] : [cellText(each)]));

const withdrawalRow = (
  withdrawal: AccountingWithdrawal,
  locale: Locale,
  texts: AccountingTexts,
): readonly Cell[] => [
  moment(inBrasilia(withdrawal.at)),
  ...withdrawalCells(withdrawal),
  text(keyCell(withdrawal, locale, texts)),
  text(paidAs(withdrawal, texts)),
  text(codesOf(withdrawal).join(" · ")),
];

const daysSheet = (facts: AccountingFacts, texts: AccountingTexts): Sheet => {
  const { accounting } = texts;
  return {
    name: accounting.daysSheet,
    columns: [
      { title: accounting.day, width: 24 },
      { title: accounting.from, width: 17 },
      { title: accounting.to, width: 17 },
      { title: accounting.sales, width: 16 },
      { title: accounting.fees, width: 14 },
      { title: accounting.net, width: 16 },
      { title: accounting.api, width: 10 },
      { title: accounting.esales, width: 12 },
      { title: accounting.share, width: 13 },
      { title: accounting.state, width: 34 },
    ],
    rows: daysIn(facts).map((day) => dayRow(day, texts)),
    total: [
      text(isComplete(facts) ? accounting.total : accounting.partialTotal),
      undefined,
      undefined,
      ...salesCells(salesSum(facts)),
      undefined,
    ],
  };
};

const withdrawalsSheet = (
  facts: AccountingFacts,
  locale: Locale,
  texts: AccountingTexts,
): Sheet => {
  const { accounting } = texts;
  const sums = paidSums(facts);
  const total = sums.isWhole ? accounting.total : accounting.partialTotal;
  return {
    name: accounting.withdrawalsSheet,
    columns: [
      { title: accounting.date, width: 24 },
      { title: accounting.amount, width: 16 },
      { title: accounting.fees, width: 14 },
      { title: accounting.received, width: 16 },
      { title: accounting.key, width: 34 },
      { title: accounting.state, width: 30 },
      { title: accounting.code, width: 50 },
    ],
    rows: facts.withdrawals.map((each) => withdrawalRow(each, locale, texts)),
    total: [text(total), ...withdrawalCells(sums), undefined, undefined, undefined],
  };
};

const MOST_DATES = 12;

const datesOf = (
  days: readonly AccountingDay[],
  { accounting, format }: AccountingTexts,
): string => {
  const dates = days.map(({ day }) => format.shortDate(day));
  return firstLines(dates, accounting.more, MOST_DATES, ", ");
};

/** Withdrawals that the sums of a period leave out, and those in it that took another's balance. */
export const withdrawalCaveats = (
  paid: PaidWithdrawals,
  firstDay: Temporal.PlainDate,
  { accounting, format }: AccountingTexts,
): readonly string[] => {
  const { withdrawals, underWay, elsewhere } = paid;
  const { incomplete } = withdrawalSums(withdrawals);
  const splits = withdrawals.filter((each) => isOfSplit(each) && each.amount !== undefined);
  const since = listedOnlySince(paid, firstDay);
  return [
    incomplete > 0 && accounting.incomplete(incomplete),
    underWay > 0 && accounting.underWay(underWay),
    elsewhere.kind === "unread" && accounting.elsewhereUnread,
    elsewhere.kind === "read" && elsewhere.since === "unordered" && accounting.elsewhereUnordered,
    since !== undefined && accounting.elsewhereSince(format.dateTime(inBrasilia(since))),
    elsewhere.kind === "read" &&
      elsewhere.unclear > 0 &&
      accounting.elsewhereUnclear(elsewhere.unclear),
    splits.length > 0 &&
      accounting.fromSplits(knownReais(withdrawalSums(splits).amount, { format }), splits.length),
  ].filter((note) => note !== false);
};

/** For an answer with a button: a file has none to press again. */
export const withdrawalsLeft = (
  { elsewhere }: Pick<PaidWithdrawals, "elsewhere">,
  { accounting }: AccountingTexts,
): readonly string[] =>
  elsewhere.kind === "read" && elsewhere.left > 0
    ? [accounting.detailsLeft(elsewhere.left, MOST_DETAILS)]
    : [];

/** The hours at which the days open and close: one hour later in summer time. */
const hoursOf = (
  days: readonly AccountingDay[],
  { format }: AccountingTexts,
): readonly string[] => {
  const bounds = days.flatMap(({ day }) => Object.values(brasiliaWindow(day)));
  return [...new Set(bounds.toSorted((one, other) => one.hour - other.hour).map(format.hour))];
};

/** Figures that the sums leave out, the worst first, and the definition of a day. */
export const caveatsOf = (facts: AccountingFacts, texts: AccountingTexts): readonly string[] => {
  const { accounting } = texts;
  const days = daysIn(facts);
  const missing = days.filter(({ state }) => state === "missing");
  const partial = days.filter(({ state }) => state === "partial");
  return [
    missing.length > 0 && accounting.missing(missing.length, datesOf(missing, texts)),
    partial.length > 0 && accounting.partial(datesOf(partial, texts)),
    ...withdrawalCaveats(facts, facts.reading.period.from, texts),
    accounting.window(hoursOf(days, texts)),
  ].filter((note) => note !== false);
};

const KEY_END_LENGTH = 5;

/** The notes of a file, which also name its account and say when its figures were read: the list of withdrawals is asked for with each file. */
export const notesOf = (facts: AccountingFacts, texts: AccountingTexts): readonly string[] => {
  const { reading, elsewhere } = facts;
  const { accounting, format } = texts;
  const times = periodReadings(reading);
  const dated = (at: Temporal.Instant): string => format.dateTime(inBrasilia(at));
  const readings = together(
    accounting.salesReadAt(dated(times.readAt)),
    oldestRead(times, texts),
    elsewhere.kind === "read" ? accounting.withdrawalsReadAt(dated(reading.readAt)) : undefined,
  );
  const end = plainLine(`…${facts.keyLast4}`, KEY_END_LENGTH);
  return [accounting.ofKey(end), ...caveatsOf(facts, texts), `${readings}.`];
};

export const accountingBook = (facts: AccountingFacts, locale: Locale): AccountingBook => {
  const texts = accountingTexts(locale);
  const { accounting } = texts;
  return {
    language: locale,
    title: accounting.pageTitle(
      periodName(namedPeriod(facts), facts.reading.readAt, reportTexts(locale)),
    ),
    days: daysSheet(facts, texts),
    withdrawals: withdrawalsSheet(facts, locale, texts),
    notesName: accounting.notesSheet,
    notes: notesOf(facts, texts),
  };
};
