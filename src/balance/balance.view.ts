import type { BalanceView } from "../withdrawals/withdraw-facts.ts";
import { MINIMUM_WITHDRAWAL, quoteOf, type UnderWay } from "../withdrawals/withdraw-limits.ts";
import { isUncertain, type WithdrawOp, takenAmount } from "../withdrawals/withdraw-op.ts";
import { type Cents, cents } from "../shared/money.ts";
import { justClosedDay } from "../shared/report-day.ts";
import type { Locale } from "../shared/locale.ts";
import { type BalanceTexts, balanceTexts } from "./texts.ts";
import { type WithdrawalTexts, withdrawalTexts } from "../withdrawals/texts.ts";
import { type ButtonParts, buttonRow, buttonRows, reply, type Reply } from "../ui/reply.ts";
import { line, supportCodeFields } from "../ui/embed.ts";
import { fullAndRelative, relativeTime, together } from "../ui/format.ts";
import { salesCount } from "../reports/sales.ts";
import { questionBeside } from "../withdrawals/restore/restore-question.view.ts";
import { withdrawalIds, withdrawIds } from "../withdrawals/withdraw-buttons.view.ts";
import { listedFacts, stateInWords } from "../withdrawals/withdrawal-fields.view.ts";

const MOST_OWN = 3;
const MOST_ELSEWHERE = 3;

export interface BalanceFacts extends BalanceView {
  /** False in direct messages, where no withdrawal is possible. */
  readonly inGuild: boolean;
  /** Whether the answer has the day's sales above the balance, with their buttons in place of its own. */
  readonly besideSales?: boolean;
  readonly locale: Locale;
}

type Texts = BalanceTexts & WithdrawalTexts;

const openLine = (op: WithdrawOp, texts: Texts): string => {
  const { withdrawals, format } = texts;
  const taken = takenAmount(op);
  const amount = taken === undefined ? undefined : format.reais(taken);
  const planned =
    op.state === "scheduled" && op.scheduledFor !== undefined
      ? withdrawals.planned(fullAndRelative(op.scheduledFor))
      : undefined;
  return together(`**${op.id}**`, amount, stateInWords(op, texts), planned);
};

/** Withdrawals under way, one a line. */
const onTheWay = ({ open, elsewhereOpen }: BalanceFacts, texts: Texts): string => {
  const { balance } = texts;
  const own = open.slice(0, MOST_OWN).map((op) => openLine(op, texts));
  if (elsewhereOpen === undefined) {
    const more = open.length > own.length ? [balance.elsewhereMore(open.length - own.length)] : [];
    return [...own, ...more, balance.elsewhereUnread].join("\n");
  }
  const shown = elsewhereOpen
    .slice(0, MOST_ELSEWHERE)
    .map((each) =>
      together(
        listedFacts(each, texts),
        texts.withdrawals.origin(each) ?? texts.withdrawals.outside,
      ),
    );
  const left = open.length - own.length + elsewhereOpen.length - shown.length;
  const lines = [...own, ...shown, ...(left === 0 ? [] : [balance.elsewhereMore(left)])];
  return lines.join("\n");
};

/** The sum of the withdrawals under way in the first phase of them: they may delay the next withdrawal. */
const besideOthers = (
  underWay: readonly UnderWay[],
  { balance, format }: BalanceTexts,
): readonly string[] => {
  const words = {
    processing: balance.nextAfterProcessing,
    scheduled: balance.nextBesideScheduled,
    unread: (_: string | undefined, count: number) => balance.nextBesideUnread(count),
  };
  const phase = underWay.at(0)?.phase;
  if (phase === undefined) return [];
  const amounts = underWay.filter((one) => one.phase === phase).map(({ amount }) => amount);
  const sum = amounts.reduce<number | undefined>(
    (total, amount) => (total === undefined || amount === undefined ? undefined : total + amount),
    0,
  );
  return [words[phase](sum === undefined ? undefined : format.reais(cents(sum)), amounts.length)];
};

const capLine = (
  { cap, balance: read }: BalanceFacts,
  { balance, format }: BalanceTexts,
): readonly string[] => {
  if (cap === undefined) return [];
  if (cap.left < MINIMUM_WITHDRAWAL) {
    const freesAt = cap.freesAt && fullAndRelative(cap.freesAt);
    return [balance.nextCapReached(format.reais(cap.cap), freesAt)];
  }
  const covers = read !== undefined && cap.left >= read.available;
  return covers ? [] : [balance.nextUpTo(format.reais(cap.left))];
};

const isTooLow = ({ balance: read }: BalanceFacts): boolean =>
  read !== undefined && read.available < MINIMUM_WITHDRAWAL;

/** Words that lead to an order, which direct messages do not take. */
const orderedThere = (
  words: string,
  inGuild: boolean,
  { direct }: BalanceTexts["balance"],
): string => (inGuild ? words : `${words} ${direct}`);

/** The payment by each speed out of all that the daily cap leaves. */
const nowLine = (
  available: Cents,
  { cap, inGuild }: BalanceFacts,
  { balance, format }: BalanceTexts,
): string => {
  const amount = cents(Math.min(available, cap?.left ?? available));
  const netOf = (turbo: boolean): string => format.reais(quoteOf(amount, turbo).net);
  return orderedThere(balance.nowFor(netOf(false), netOf(true)), inGuild, balance);
};

/** Known obstacles to the next withdrawal. The service's own rules are never worded as certain. */
const nextLines = (facts: BalanceFacts, texts: Texts): readonly string[] => {
  const { balance, format, withdraw } = texts;
  const { lock, lockByAnother = false, underWay, recent, cap, locked, withdrawEnabled } = facts;
  const nextFrom = recent?.isUnpaid === true ? withdraw.nextFromIfCounted : balance.nextFrom;
  if (locked) return [balance.nextLocked];
  const low =
    withdrawEnabled && isTooLow(facts)
      ? [balance.nextBelowMinimum(format.reais(MINIMUM_WITHDRAWAL))]
      : [];
  if (lock !== undefined) {
    const unclear = lockByAnother ? balance.nextUnclearByAnother : balance.nextUnclear;
    return [...low, isUncertain(lock) ? unclear : balance.nextSending];
  }
  const waits = [
    ...besideOthers(underWay, texts),
    ...(recent === undefined
      ? []
      : [nextFrom(fullAndRelative(recent.at), fullAndRelative(recent.allowedFrom))]),
  ];
  const isFree = low.length === 0 && waits.length === 0;
  const isCapUsed = cap !== undefined && cap.left < MINIMUM_WITHDRAWAL;
  const isUnread = facts.elsewhereOpen === undefined || facts.balance === undefined;
  if (!withdrawEnabled) {
    // A withdrawal at the service might repeat one in doubt.
    const inDoubt = underWay.some(({ phase }) => phase === "unread");
    const elsewhere = inDoubt ? [] : [balance.nextElsewhere];
    return [...elsewhere, ...waits, ...(isUnread && !isFree ? [balance.nextUnsure] : [])];
  }
  return [
    ...low,
    ...(isFree && !isCapUsed && !isUnread ? [nowLine(facts.balance.available, facts, texts)] : []),
    ...(low.length > 0 && !isCapUsed ? [] : capLine(facts, texts)),
    ...waits,
    ...(isUnread ? [isFree ? balance.nextUnread : balance.nextUnsure] : []),
  ];
};

const frozenLine = (
  { frozen, disputes: { count, overdue, firstDueAt } }: BalanceFacts,
  { balance, format }: BalanceTexts,
): readonly string[] => {
  const held = frozen === undefined ? balance.frozenUnknown : balance.frozen(format.reais(frozen));
  const until = firstDueAt && fullAndRelative(firstDueAt);
  return [
    ...(frozen === 0 ? [] : [held]),
    ...(count === 0 ? [] : [balance.unanswered(count, overdue, until)]),
  ];
};

/** The time of the reading, as the figures are kept ones. */
const todayLine = (
  { today, readAt, besideSales = false }: BalanceFacts,
  { balance, format }: BalanceTexts,
): readonly string[] => {
  if (besideSales) return [];
  const began = justClosedDay(readAt) === undefined ? "yesterday" : "today";
  const since = balance.since[began];
  if (today === undefined) return [balance.unreadToday(since)];
  const at = relativeTime(today.readAt);
  const count = salesCount(today);
  return [
    count === 0
      ? balance.nothingToday(since, at)
      : balance.today(since, format.reais(today.sales), count, at),
  ];
};

const buttonsOf = (facts: BalanceFacts, { balance }: BalanceTexts): readonly ButtonParts[] => {
  const { locked, lock, inGuild, disputes, question, withdrawEnabled } = facts;
  const isOpen = withdrawEnabled && !locked && lock === undefined && question === undefined;
  const mayAsk = inGuild && isOpen;
  const withdraw = { id: withdrawIds.form, label: balance.withdraw, style: "primary" } as const;
  return [
    ...(mayAsk && !isTooLow(facts) ? [withdraw] : []),
    { id: "vendas:hoje:", label: balance.sales, style: "secondary" },
    { id: "meds:esperam:", label: balance.disputes(disputes.count), style: "secondary" },
    { id: withdrawalIds.all, label: balance.withdrawals, style: "secondary" },
  ];
};

/**
 * The balance with its meaning: the amount that can be withdrawn now, or the reason against it. No figure is subtracted from another.
 */
export const balanceView = (facts: BalanceFacts): Reply => {
  const { balance: read, open, question, problems, readAt } = facts;
  const texts = { ...balanceTexts(facts.locale), ...withdrawalTexts(facts.locale) };
  const { balance, format, walletErrors, withdrawals } = texts;
  const beside = questionBeside(question, texts);
  const whys = [...new Set(problems)].map((kind) => `${walletErrors[kind].title}.`);
  const way = onTheWay(facts, texts);
  const opening = open.slice(0, MOST_OWN).map(({ id }) => ({
    id: withdrawIds.status(id),
    label: withdrawals.openThis(id),
    style: "secondary" as const,
  }));
  return reply(
    {
      tone: problems.length === 0 && question === undefined ? "accent" : "warning",
      title: read === undefined ? balance.unknown : balance.title(format.reais(read.available)),
      description: [
        ...(question === undefined ? nextLines(facts, texts) : []),
        ...frozenLine(facts, texts),
        ...todayLine(facts, texts),
      ].join("\n"),
      fields: [
        ...(way === "" ? [] : [line(balance.onTheWay, way)]),
        ...beside.fields,
        ...(whys.length === 0 ? [] : [line(balance.problems, whys.join("\n"))]),
        ...supportCodeFields(facts.supportCodes, texts),
      ],
      readAt,
    },
    ...(facts.besideSales === true
      ? []
      : [buttonRow(...buttonsOf(facts, texts)), ...buttonRows(opening)]),
    ...beside.rows,
  );
};
