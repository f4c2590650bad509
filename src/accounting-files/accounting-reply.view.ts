import { periodName, soldLine } from "../reports/sales-period.view.ts";
import { reportTexts } from "../reports/texts.ts";
import { isReadForAsker } from "../reports/sales-days.ts";
import { MOST_AT_ONCE, periodReadings, type SalesPeriod } from "../reports/sales-period.ts";
import type { Locale } from "../shared/locale.ts";
import { supportCodeFields } from "../ui/embed.ts";
import { inFileName } from "../ui/format.ts";
import { reply, type Reply, type ReplyFile } from "../ui/reply.ts";
import {
  type AccountingBook,
  caveatsOf,
  knownReais,
  withdrawalsLeft,
} from "./accounting-book.view.ts";
import { accountingCsv } from "./accounting-csv.view.ts";
import {
  type AccountingFacts,
  daysIn,
  isComplete,
  namedPeriod,
  paidSums,
  salesSum,
  unreadListCodes,
} from "./accounting.ts";
import { type AccountingTexts, accountingTexts } from "./texts.ts";

const spanName = ({ kind, from, to }: SalesPeriod, { accounting }: AccountingTexts): string =>
  kind === "month"
    ? from.toPlainYearMonth().toString()
    : [...new Set([from.toString(), to.toString()])].join(`-${accounting.between}-`);

/** Names the account too: its owner may have several. */
const nameOf = (facts: AccountingFacts, texts: AccountingTexts): string => {
  const end = inFileName(facts.keyLast4, facts.keyLast4.length);
  return [texts.accounting.fileName, spanName(namedPeriod(facts), texts), end].join("-");
};

const withdrawalsLine = (facts: AccountingFacts, texts: AccountingTexts): string => {
  const { accounting } = texts;
  const { count, amount, net, some, isWhole } = paidSums(facts);
  if (count === 0) return isWhole ? accounting.noWithdrawals : accounting.noneRead;
  return accounting.withdrawalsLine(knownReais(amount, texts), knownReais(net, texts), count, some);
};

/** Whether the background reads all of the missing days. */
const isReadByItself = (facts: AccountingFacts): boolean =>
  daysIn(facts).every(
    ({ day, state }) => state !== "missing" || isReadForAsker(day, facts.reading.readAt),
  );

/** The answer with the files that could be made: the sums, the sales that they leave out, and the same in three formats. */
export const accountingReply = (
  facts: AccountingFacts,
  book: AccountingBook,
  { workbook, page }: Readonly<Record<"workbook" | "page", Uint8Array | undefined>>,
  locale: Locale,
): Reply => {
  const texts = accountingTexts(locale);
  const { accounting } = texts;
  const { period, readAt } = facts.reading;
  const isWhole = isComplete(facts);
  const name = nameOf(facts, texts);
  const file = (ending: string, contentType: string, data: Uint8Array | undefined) =>
    data === undefined ? [] : [{ name: `${name}.${ending}`, contentType, data }];
  const files: readonly ReplyFile[] = [
    ...file("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", workbook),
    ...file("csv", "text/csv; charset=utf-8", accountingCsv(book, locale)),
    ...file("pdf", "application/pdf", page),
  ];
  const failed = [
    ...(workbook === undefined ? ["XLSX"] : []),
    ...(page === undefined ? ["PDF"] : []),
  ];
  const lines = [
    soldLine(salesSum(facts), reportTexts(locale)),
    withdrawalsLine(facts, texts),
    ...caveatsOf(facts, texts),
    ...(isWhole
      ? []
      : [isReadByItself(facts) ? accounting.again : accounting.readsMore(MOST_AT_ONCE)]),
    ...withdrawalsLeft(facts, texts),
    failed.length === 0 ? accounting.inFiles : accounting.notPrinted(failed.join(accounting.or)),
  ];
  return {
    ...reply({
      ...((!isWhole || failed.length > 0) && { tone: "warning" }),
      title: accounting.title(periodName(period, readAt, reportTexts(locale))),
      description: lines.join("\n"),
      fields: supportCodeFields(
        [...(isWhole ? [] : (facts.reading.supportCodes ?? [])), ...unreadListCodes(facts)],
        texts,
      ),
      readAt: periodReadings(facts.reading).readAt,
    }),
    files,
  };
};
