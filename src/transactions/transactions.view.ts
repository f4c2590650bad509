import type { APIEmbedField } from "discord-api-types/v10";
import { disputeIds } from "../disputes/dispute-detail.view.ts";
import { concernsRequestAlone } from "../shared/errors.ts";
import { isPlainId } from "../shared/ids.ts";
import { inBrasilia } from "../shared/local-time.ts";
import type { Locale } from "../shared/locale.ts";
import {
  buttonRow,
  buttonRows,
  customIdOf,
  offeredButtons,
  pageButtons,
  reply,
  type Reply,
  selectRow,
  type Suggestion,
} from "../ui/reply.ts";
import { cut, inline, limits, line, supportCodeFields } from "../ui/embed.ts";
import {
  CODE_LENGTH,
  fullAndRelative,
  knownWord,
  NAME_LENGTH,
  plainLine,
  quotedInMenu,
  safe,
  fullTime,
  STORY_LENGTH,
  together,
  TXID_LENGTH,
} from "../ui/format.ts";
import { maskPixKey, readPixKey } from "../withdrawals/pix-key.ts";
import { withdrawalIds } from "../withdrawals/withdraw-buttons.view.ts";
import { periodText } from "../reports/typed-period.ts";
import { type TransactionTexts, transactionTexts } from "./texts.ts";
import type { ListedTransaction, Payer, Transaction } from "./transaction.ts";
import {
  isSale,
  type TransactionDetail,
  type TransactionList,
  transactionFilters,
  type WantedTransactions,
} from "./transaction-list.ts";

const ROW_TEXT_LENGTH = 100;
const VALUE_LENGTH = 60;

type Stated = Pick<ListedTransaction, "status" | "type">;

/** Icon and word of a state; a value of the service that we do not know, as `show` writes it. */
const stateInWords = (
  { status, type }: Stated,
  { transactions }: TransactionTexts,
  show: (text: string, max: number) => string,
): string => {
  if (status === undefined) return transactions.noStatus;
  if (type === "withdrawal" && status === "approved") return transactions.withdrawn;
  return (
    knownWord(transactions.statuses, status) ??
    transactions.unknownStatus(show(status, VALUE_LENGTH))
  );
};

/** Statuses behind which a withdrawal may have failed, which never appears here. Source: service.md 2.3. */
const HIDES_FAILURE = new Set(["scheduled", "processing"]);

const hidesFailure = ({ status, type }: Stated): boolean =>
  type === "withdrawal" && status !== undefined && HIDES_FAILURE.has(status);

const kindInWords = (type: string | undefined, { transactions }: TransactionTexts): string =>
  (type === undefined ? undefined : knownWord(transactions.kinds, type)) ?? transactions.otherKind;

const amountOf = (
  { amount }: Pick<ListedTransaction, "amount">,
  { format, transactions }: TransactionTexts,
): string => (amount === undefined ? transactions.noAmount : format.reais(amount));

const createdInWords = (
  type: string | undefined,
  at: string,
  { transactions }: TransactionTexts,
): string =>
  (type === "withdrawal" ? transactions.withdrawalCreatedAt : transactions.createdAt)(at);

/** Field names render no code, so a row's name holds our own words only. */
const rowField = (row: ListedTransaction, texts: TransactionTexts): APIEmbedField => {
  const { transactions } = texts;
  const isKnown = row.status === undefined || knownWord(transactions.statuses, row.status);
  const isHidden = hidesFailure(row);
  const state = isKnown && !isHidden ? stateInWords(row, texts, safe) : undefined;
  const name = together(amountOf(row, texts), state, kindInWords(row.type, texts));
  const { description, createdAt, txid } = row;
  const isBare = description === undefined;
  // A withdrawal never has a description.
  const unnamed = row.type === "withdrawal" ? undefined : transactions.noDescription;
  const what = isBare ? unnamed : safe(description, ROW_TEXT_LENGTH);
  const when =
    createdAt === undefined
      ? transactions.noTime
      : createdInWords(row.type, fullTime(createdAt), texts);
  const unknown = isKnown ? undefined : stateInWords(row, texts, safe);
  const end = isHidden ? transactions.endElsewhere : undefined;
  return line(
    name,
    together(what, end, unknown, when, isBare ? safe(txid, TXID_LENGTH) : undefined),
  );
};

const CHOICE_TEXT_LENGTH = 48;

/** A transaction in a menu or a suggestion, where Discord renders no markdown and no timestamps. */
const choiceOf = (row: ListedTransaction, texts: TransactionTexts, end?: string): string => {
  const { createdAt, description, txid, type } = row;
  const tail = description === undefined ? plainLine(txid, TXID_LENGTH) : end;
  const words = together(
    type === "withdrawal" ? texts.transactions.kinds.withdrawal : undefined,
    quotedInMenu(description, CHOICE_TEXT_LENGTH) ??
      (type === "withdrawal" ? undefined : texts.transactions.sale),
    amountOf(row, texts),
    createdAt === undefined ? undefined : texts.format.dayAndHour(inBrasilia(createdAt)),
  );
  // The code tells equal sales apart: the rest is cut.
  const room = limits.choiceName - (tail === undefined ? 0 : ` · ${tail}`.length);
  return together(cut(words, room), tail);
};

/** Enough of a code to tell equal sales apart. */
const CODE_END = 6;

/** The end of a code that the name does not have in full. */
const codeEnd = ({ txid, description }: ListedTransaction): string | undefined => {
  if (description === undefined) return undefined;
  return txid.length > CODE_END ? `…${txid.slice(-CODE_END)}` : txid;
};

/** Rows with ids that a menu can carry. */
const choosable = (rows: readonly ListedTransaction[]): readonly ListedTransaction[] =>
  rows.filter(({ txid }) => isPlainId(txid)).slice(0, limits.selectOptions);

/** Transactions as options of a menu, with their codes' ends beneath their names. */
export const transactionOptions = (rows: readonly ListedTransaction[], locale: Locale) => {
  const texts = transactionTexts(locale);
  return choosable(rows).map((row) => {
    const end = codeEnd(row);
    const description = end && texts.transactions.txid(end);
    return { name: choiceOf(row, texts), value: row.txid, description };
  });
};

/** Transactions as suggestions, which have one line: equal names end with their codes' ends. */
export const transactionChoices = (
  rows: readonly ListedTransaction[],
  locale: Locale,
): readonly Suggestion[] => {
  const texts = transactionTexts(locale);
  const named = choosable(rows).map((row) => ({ row, name: choiceOf(row, texts) }));
  return named.map(({ row, name }) => {
    const isAlone = named.filter((each) => each.name === name).length === 1;
    return { name: isAlone ? name : choiceOf(row, texts, codeEnd(row)), value: row.txid };
  });
};

const notesOf = (list: TransactionList, texts: TransactionTexts): readonly string[] => {
  const { transactions, walletErrors, format } = texts;
  const { problem, found, rows, filter, period, more, page, pages, undated, unnamed } = list;
  const here = problem === undefined ? transactions.moreHere : transactions.onwards;
  const whereMore = list.furtherPage === undefined ? transactions.moreThere : here;
  const why = problem === undefined ? "" : ` ${walletErrors[problem].title}.`;
  const when =
    period === undefined
      ? []
      : [transactions.period(format.date(period.from), format.date(period.to))];
  if (problem !== undefined && rows.length === 0) {
    // While the service does not answer the list, its detail fails as well.
    const next = concernsRequestAlone({ kind: problem })
      ? transactions.tryDetail
      : walletErrors[problem].next;
    return [...when, `${transactions.listUnread(why)} ${next}`];
  }
  const isPart = more || problem !== undefined;
  const everything = filter === "all" && period === undefined;
  const nothing = everything ? transactions.none : transactions.noneHere;
  const count = format.count(found);
  const counted = (isPart ? transactions.foundAtLeast : transactions.found)(count, found === 1);
  const empty = isPart ? transactions.noneSoFar : nothing;
  return [
    found === 0 ? empty : counted,
    ...when,
    ...(problem === undefined ? [] : [transactions.listCut(why)]),
    ...(pages > 1 || (isPart && page > 0)
      ? [isPart ? transactions.pageOfMore(page + 1) : transactions.page(page + 1, pages)]
      : []),
    ...(more && page + 1 >= pages ? [whereMore] : []),
    ...(unnamed > 0 ? [transactions.unnamed(unnamed)] : []),
    ...(undated > 0 ? [transactions.undated(undated)] : []),
  ];
};

/** One page of the account's transactions, newest first, with menus to filter and open them. */
export const transactionListView = (list: TransactionList, locale: Locale): Reply => {
  const texts = transactionTexts(locale);
  const { transactions } = texts;
  const { rows, filter, period, page, pages, furtherPage, problem, supportCodes, readAt } = list;
  const options = transactionOptions(rows, locale).map(({ name, ...option }) => ({
    ...option,
    label: name,
    chosen: false,
  }));
  const open = { id: transactionIds.open, placeholder: transactions.openPlaceholder, options };
  const pageId = (to: number) => transactionIds.page({ filter, period, page: to });
  const further = furtherPage === undefined ? undefined : pageId(furtherPage);
  const turns = [
    ...pageButtons(page, pages, pageId, transactions),
    ...offeredButtons([page + 1 >= pages, further, transactions.readOn]),
  ];
  return reply(
    {
      tone: problem === undefined ? "accent" : "warning",
      title: transactions.title,
      description: notesOf(list, texts).join("\n"),
      fields: [
        ...rows.map((row) => rowField(row, texts)),
        ...supportCodeFields(supportCodes, texts),
      ],
      readAt,
    },
    selectRow({
      id: transactionIds.filter(period),
      placeholder: transactions.filterPlaceholder,
      options: transactionFilters.map((value) => ({
        value,
        label: transactions.filters[value],
        chosen: value === filter,
      })),
    }),
    ...(options.length === 0 ? [] : [selectRow(open)]),
    ...buttonRows(turns),
  );
};

const payerInWords = (payer: Payer | undefined, { transactions }: TransactionTexts): string => {
  if (payer === undefined) return transactions.noPayer;
  const said = (text: string | undefined): string =>
    text === undefined ? transactions.notSaid : safe(text, NAME_LENGTH);
  const { name, document, bankName, bankCode, accountType } = payer;
  const hasBank = bankName !== undefined || bankCode !== undefined;
  return [
    transactions.payerText(said(name), said(document)),
    ...(hasBank ? [transactions.bank(said(bankName), said(bankCode))] : []),
    ...(accountType === undefined
      ? []
      : [
          transactions.accountType(
            knownWord(transactions.accountTypes, accountType) ?? safe(accountType, VALUE_LENGTH),
          ),
        ]),
  ].join("\n");
};

const meaningOf = (
  { txid, type, status }: Transaction,
  { transactions }: TransactionTexts,
): string | undefined => {
  if (type === "withdrawal" && status === "approved")
    return isPlainId(txid) ? transactions.explainedWithdrawn : undefined;
  if (type === "withdrawal") return transactions.explainedWithdrawals;
  return knownWord(transactions.explained, status) ?? transactions.unknownExplained;
};

/** Enough of a PIX key for its owner to recognise it. */
const maskedKey = (pixKey: string): string => {
  const reading = readPixKey(pixKey);
  return maskPixKey(
    reading.kind === "key" ? reading.key : { type: "unknown", value: pixKey, suspect: true },
  );
};

/** Amounts first, then their meaning, then who and when; codes last. Source: service.md 2.3. */
const detailFields = (found: Transaction, texts: TransactionTexts): readonly APIEmbedField[] => {
  const { transactions, format } = texts;
  const { description, withdrawal, providerId, redirectUrl, createdAt, updatedAt } = found;
  const modality =
    knownWord(transactions.modalities, found.modality) ?? safe(found.modality, VALUE_LENGTH);
  const codes = [
    transactions.txid(safe(found.txid, CODE_LENGTH)),
    withdrawal?.transferId && transactions.transferId(safe(withdrawal.transferId, CODE_LENGTH)),
    providerId && transactions.providerId(safe(providerId, CODE_LENGTH)),
    redirectUrl && transactions.redirectUrl(safe(redirectUrl, CODE_LENGTH)),
  ].filter((code) => code !== undefined);
  return [
    inline(transactions.amount, `**${format.reais(found.amount)}**`),
    inline(transactions.fee, format.reais(found.fee)),
    inline(transactions.net, `**${format.reais(found.net)}**`),
    // The title has the state, unless the word is the service's own.
    knownWord(transactions.statuses, found.status) === undefined &&
      inline(transactions.state, stateInWords(found, texts, safe)),
    inline(transactions.modality, modality),
    description !== undefined && line(transactions.product, safe(description, STORY_LENGTH)),
    (isSale(found) || found.payer !== undefined) &&
      line(transactions.payer, payerInWords(found.payer, texts)),
    withdrawal !== undefined &&
      line(transactions.pixKey, safe(maskedKey(withdrawal.pixKey), CODE_LENGTH)),
    withdrawal?.scheduledFor !== undefined &&
      line(transactions.scheduledFor, fullAndRelative(withdrawal.scheduledFor)),
    line(
      transactions.dates,
      [
        createdInWords(found.type, fullAndRelative(createdAt), texts),
        transactions.updatedAt(fullAndRelative(updatedAt)),
      ].join("\n"),
    ),
    line(transactions.codes, codes.join("\n")),
  ].filter((field) => field !== false);
};

export interface TransactionDetailFacts extends TransactionDetail {
  /** Whether the operator lets refunds be sent. */
  readonly refundEnabled: boolean;
  readonly locale: Locale;
}

/** One transaction in full, for its account's owner alone: it names the payer. */
export const transactionDetailView = (facts: TransactionDetailFacts): Reply => {
  const { transaction, dispute, refundEnabled, readAt } = facts;
  const texts = transactionTexts(facts.locale);
  const { transactions } = texts;
  const { txid } = transaction;
  const hasId = isPlainId(txid);
  const refundable = refundEnabled && isSale(transaction) && transaction.status === "approved";
  const buttons = offeredButtons(
    [
      hasId && transaction.type === "withdrawal",
      withdrawalIds.details(txid),
      transactions.seeWithdrawal,
    ],
    [hasId && isSale(transaction), transactionIds.proof(txid), transactions.keepProof],
    [true, dispute && disputeIds.see(dispute), transactions.seeDispute],
    [hasId && refundable, transactionIds.refund(txid), transactions.refund],
    [true, transactionIds.list, transactions.seeAll],
  );
  return reply(
    {
      title: together(
        kindInWords(transaction.type, texts),
        knownWord(transactions.statuses, transaction.status) === undefined
          ? undefined
          : stateInWords(transaction, texts, plainLine),
      ),
      description: meaningOf(transaction, texts),
      fields: detailFields(transaction, texts),
      readAt,
    },
    buttonRow(...buttons),
  );
};

/** Says how to keep a message as evidence of the sale that was just chosen. */
export const saleChosenView = (txid: string, locale: Locale): Reply => {
  const { transactions } = transactionTexts(locale);
  return reply({
    title: transactions.chosenTitle,
    description: transactions.chosenText,
    fields: [line(transactions.codes, transactions.txid(safe(txid, CODE_LENGTH)))],
  });
};

/** In place of a period in a custom id: every day. */
export const EVERY_DAY = "sempre";

const codeOf = (period: WantedTransactions["period"]): string =>
  period === undefined ? EVERY_DAY : periodText(period);

/** Custom ids in the form of `discord/command.ts`; `commands/transacoes.ts` handles them. */
const transactionIds = {
  list: customIdOf("transacoes", "lista")(""),
  /** A menu; its argument is the period. */
  filter: (period: WantedTransactions["period"]): string =>
    customIdOf("transacoes", "filtro")(codeOf(period)),
  page: ({ filter, period, page }: WantedTransactions): string =>
    customIdOf("transacoes", "pagina")(`${filter}.${codeOf(period)}.${page}`),
  /** A menu; the values are txids. */
  open: customIdOf("transacoes", "abrir")(""),
  proof: customIdOf("transacoes", "prova"),
  refund: customIdOf("estornar", "pedir"),
} as const;
