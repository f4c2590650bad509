import {
  disputeFilters,
  type DisputeOverview,
  type DisputeRate,
  type DisputeRow,
} from "./dispute-list.ts";
import { isOpenDispute } from "./dispute.ts";
import type { Locale } from "../shared/locale.ts";
import { type DisputeTexts, disputeTexts } from "./texts.ts";
import {
  buttonRow,
  pageButtons,
  reply,
  type Reply,
  type Row,
  selectRow,
  type Suggestion,
} from "../ui/reply.ts";
import {
  answerLink,
  disputeChoice,
  disputeFacts,
  disputeIds,
  disputeStateInWords,
  disputeWord,
} from "./dispute-detail.view.ts";
import { cut, limits, supportCodeFields } from "../ui/embed.ts";
import { fullAndRelative, plainLine, safe, together } from "../ui/format.ts";
import { isPlainId } from "../shared/ids.ts";

/** Code points of a product in a row. */
const PRODUCT_LENGTH = 60;

export interface DisputeListFacts extends DisputeOverview {
  readonly answerUrl?: string | undefined;
  readonly locale: Locale;
}

/** The service's own states, for a dispute outside our states. */
const asItCame = (
  { state, status, analysisStatus }: DisputeRow,
  { disputes }: DisputeTexts,
): string => {
  if (state !== "other" || status === undefined || analysisStatus === undefined) return "";
  const answer = disputeWord(disputes.statuses, status);
  return `\n${disputes.status}: ${answer} · ${disputes.analysis}: ${disputeWord(disputes.analyses, analysisStatus)}`;
};

/** Enough of a code to tell one from another; the menu and the detail have all of it. */
const SHORT_CODE = 12;

/**
 * One dispute in one line, by amount and product: its code only where the product is unknown. The clock decides between
 * "due" and "was due": an answered dispute may still be before its deadline.
 */
const rowLine = (row: DisputeRow, facts: DisputeListFacts, texts: DisputeTexts): string => {
  const { disputes, format } = texts;
  const { amount, dueAt, state, infractionId, product } = row;
  const isToCome = dueAt !== undefined && Temporal.Instant.compare(facts.readAt, dueAt) < 0;
  const isExpected = facts.filter === "answer" && state === "needs_answer";
  const named =
    product === undefined ? safe(infractionId, SHORT_CODE) : safe(product, PRODUCT_LENGTH);
  const line = together(
    amount === undefined ? undefined : `**${format.reais(amount)}**`,
    named,
    isExpected ? undefined : disputeStateInWords(state, texts),
    dueAt && (isToCome ? disputes.due : disputes.wasDue)(fullAndRelative(dueAt)),
  );
  return line + asItCame(row, texts);
};

/** Only a complete reading may say that no answer is needed. */
const isReadWhole = (facts: DisputeOverview): boolean => {
  const { listProblem, problems, mayAwait, unlisted, unlistedPending } = facts;
  const isRead = listProblem === undefined && problems.length === 0 && mayAwait === 0;
  return isRead && !unlisted && !unlistedPending;
};

const awaitingWords = (facts: DisputeOverview, { disputes }: DisputeTexts): string | undefined => {
  const { awaiting, counts } = facts;
  if (awaiting === 0) return undefined;
  const count = isReadWhole(facts) ? disputes.awaiting : disputes.awaitingAtLeast;
  return count(awaiting - counts.overdue, counts.overdue);
};

/** The list's headline, for another answer that leads to the list; undefined where none awaits an answer. */
export const awaitingLine = (facts: DisputeOverview, locale: Locale): string | undefined => {
  const words = awaitingWords(facts, disputeTexts(locale));
  return words === undefined ? undefined : `${words}: \`/meds\``;
};

const headline = (facts: DisputeListFacts, texts: DisputeTexts): string => {
  const { summary, filter } = facts;
  const { disputes } = texts;
  const awaiting = awaitingWords(facts, texts);
  if (awaiting !== undefined) return awaiting;
  if (filter !== "answer" && filter !== "all") return disputes.title;
  if (!isReadWhole(facts)) return disputes.title;
  return summary?.byStatus.total === 0 ? disputes.none : disputes.noneAwaiting;
};

/** Disputes that need no answer, and the amounts, in one line. */
const others = (
  { counts: { bank, ended, won }, summary, listProblem, filter }: DisputeListFacts,
  { disputes, format }: DisputeTexts,
): string => {
  const isListed = listProblem === undefined;
  const sums = summary?.byStatus.total === 0 ? undefined : summary;
  return together(
    isListed && bank > 0 ? disputes.withBank(bank) : undefined,
    isListed && ended > 0 ? disputes.ended(ended, won) : undefined,
    sums && disputes.onHold(format.reais(sums.frozen)),
    sums && filter === "all" ? disputes.lostSoFar(format.reais(sums.lost)) : undefined,
  );
};

const troubles = (facts: DisputeListFacts, texts: DisputeTexts): readonly string[] => {
  const { disputes, disputeAlerts, walletErrors } = texts;
  const { summary, listProblem, unlisted, unlistedPending = 0, problems, rows } = facts;
  const pending = summary?.byStatus.pending ?? 0;
  const hidden =
    unlistedPending === 0
      ? []
      : [
          `${disputeAlerts.unlistedText(pending, pending - unlistedPending)} ${disputeAlerts.unlistedNext}`,
        ];
  const why = (kind: DisputeOverview["listProblem"]): string =>
    kind === undefined ? "" : ` ${walletErrors[kind].title}.`;
  if (listProblem !== undefined) {
    const kept = rows.length > 0 ? [disputes.listUnreadKept] : [];
    return [...hidden, [disputes.listUnread(why(listProblem)), ...kept].join(" ")];
  }
  return [
    ...(summary === undefined ? [disputes.summaryUnread(why(problems[0]))] : []),
    ...hidden,
    ...(hidden.length > 0 || unlisted === undefined || unlisted === 0
      ? []
      : [disputes.unlisted(unlisted)]),
  ];
};

/** Tells owners in the list that alerts are off or were not delivered. */
const reachInWords = (
  { alerts, undelivered }: DisputeListFacts,
  { common, disputeAlerts }: DisputeTexts,
): readonly string[] => {
  if (alerts === "off") return [disputeAlerts.offHere];
  return undelivered === 0 ? [] : [`${common.undelivered(undelivered)} ${common.undeliveredNext}`];
};

const mayWait = ({ awaiting, mayAwait }: DisputeListFacts): boolean => awaiting + mayAwait > 0;

const listRows = (facts: DisputeListFacts, texts: DisputeTexts): readonly Row[] => {
  const { disputes } = texts;
  const { rows, filter, page, pages, locale, summary } = facts;
  // An account without any dispute has no list to open.
  if (filter === "answer" && isReadWhole(facts) && summary?.byStatus.total === 0) return [];
  const options = disputeChoices(rows, locale).map(({ name, value }) => ({
    value,
    label: name,
    chosen: false,
  }));
  const choose = selectRow({
    id: disputeIds.choose,
    placeholder: disputes.openPlaceholder,
    options,
  });
  const turning = pageButtons(page, pages, (to) => disputeIds.page(filter, to), disputes);
  const all = { id: disputeIds.list, label: disputes.all, style: "secondary" } as const;
  const rate = { id: disputeIds.rate, label: disputes.rateButton, style: "secondary" } as const;
  const filters = selectRow({
    id: disputeIds.filter,
    placeholder: disputes.filterPlaceholder,
    options: disputeFilters.map((value) => ({
      value,
      label: disputes.filters[value],
      chosen: value === filter,
    })),
  });
  return [
    ...(filter === "answer" ? [] : [filters]),
    ...(options.length === 0 ? [] : [choose]),
    ...(mayWait(facts) ? answerLink(facts.answerUrl, texts) : []),
    buttonRow(...turning, filter === "answer" ? all : rate),
  ];
};

/** The disputes under a filter, most urgent first, and all others in one line. */
export const disputeListView = (facts: DisputeListFacts): Reply => {
  const { rows, filter, page, pages, found, readAt } = facts;
  const texts = disputeTexts(facts.locale);
  const { disputes } = texts;
  const unread = troubles(facts, texts);
  // The words of a list that could not be read say that its rows are below.
  const [above, below] = facts.listProblem === undefined ? [[], unread] : [unread, []];
  const notes = [...below, ...reachInWords(facts, texts)];
  const isBare = found === 0 && filter !== "all" && filter !== "answer";
  return reply(
    {
      tone: mayWait(facts) || unread.length + notes.length > 0 ? "warning" : "accent",
      title: headline(facts, texts),
      description: [
        ...above,
        isBare ? disputes.emptyFilter : "",
        rows.map((row) => rowLine(row, facts, texts)).join("\n"),
        others(facts, texts),
        ...notes,
        pages > 1 ? disputes.page(page + 1, pages, found) : "",
      ]
        .filter((part) => part !== "")
        .join("\n\n"),
      fields: supportCodeFields(facts.supportCodes, texts),
      readAt,
    },
    ...listRows(facts, texts),
  );
};

/** Disputes as suggestions while an option is being typed. */
export const disputeChoices = (
  rows: readonly DisputeRow[],
  locale: Locale,
): readonly Suggestion[] =>
  rows
    .filter(({ infractionId }) => isPlainId(infractionId))
    .slice(0, limits.selectOptions)
    .map((row) => ({ name: disputeChoice(row, disputeTexts(locale)), value: row.infractionId }));

/** Open disputes by the sales that they contest, in the form that asks for a sale. */
export const disputedSaleChoices = (
  rows: readonly DisputeRow[],
  locale: Locale,
): readonly Suggestion[] =>
  rows.flatMap((row) => {
    const { txid, state, infractionId } = row;
    const isOpen = state === undefined || isOpenDispute(state);
    if (txid === undefined || !isPlainId(txid) || !isOpen) return [];
    const texts = disputeTexts(locale);
    const code = `${texts.disputes.infraction} ${plainLine(infractionId, SHORT_CODE)}`;
    const name = cut(together("MED", disputeFacts(row, texts), code), limits.choiceName);
    return [{ name, value: txid }];
  });

/** The dispute rate with its components, or the reason why it is unknown. */
export const disputeRateView = (rate: DisputeRate, locale: Locale): Reply => {
  const { disputes, format } = disputeTexts(locale);
  if (!rate.known) {
    const description = disputes.rateWhy[rate.why];
    return reply({ tone: "warning", title: disputes.rateUnknown, description });
  }
  const text = disputes.rateText({
    rate: format.percent(rate.basisPoints),
    disputes: rate.disputes,
    sales: rate.sales,
    from: format.date(rate.from),
    to: format.date(rate.to),
  });
  return reply({ title: disputes.rateTitle, description: `${text}\n\n${disputes.rateHow}` });
};
