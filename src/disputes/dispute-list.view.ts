import type { APIEmbedField } from "discord-api-types/v10";
import {
  disputeFilters,
  type DisputeOverview,
  type DisputeRate,
  type DisputeRow,
} from "./dispute-list.ts";
import { awaitsAnswer, type DisputeSummary, isOpenDispute } from "./dispute.ts";
import type { Locale } from "../shared/locale.ts";
import { type DisputeTexts, disputeTexts } from "./texts.ts";
import { buttonRow, pageButtons, reply, type Reply, selectRow } from "../ui/reply.ts";
import {
  disputeChoice,
  disputeIds,
  disputeStateInWords,
  disputeWord,
} from "./dispute-detail.view.ts";
import { cut, inline, limits, line, supportCodeFields } from "../ui/embed.ts";
import { fullAndRelative, safe, TXID_LENGTH } from "../ui/format.ts";
import { isPlainId } from "../shared/ids.ts";

export interface DisputeListFacts extends DisputeOverview {
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

/** The clock decides between "due" and "was due": an answered dispute may still be before its deadline. */
const rowField = (
  row: DisputeRow,
  readAt: Temporal.Instant,
  texts: DisputeTexts,
): APIEmbedField => {
  const { disputes, format } = texts;
  const { amount, dueAt, state, infractionId } = row;
  const money = amount === undefined ? [] : [format.reais(amount)];
  const isToCome = dueAt !== undefined && Temporal.Instant.compare(readAt, dueAt) < 0;
  const when = dueAt && (isToCome ? disputes.due : disputes.wasDue)(fullAndRelative(dueAt));
  const facts = [safe(infractionId, TXID_LENGTH), ...(when === undefined ? [] : [when])].join("\n");
  return line(
    [...money, disputeStateInWords(state, texts)].join(" · "),
    facts + asItCame(row, texts),
  );
};

const headline = (facts: DisputeListFacts, { disputes }: DisputeTexts): string => {
  const { summary, rows, filter, listProblem, found, awaiting, unlisted } = facts;
  const empty = filter !== "all" && found === 0 ? [disputes.emptyFilter] : [];
  // Only a complete reading may say that no answer is needed.
  const readAll =
    listProblem === undefined && facts.problems.length === 0 && !unlisted && !facts.unlistedPending;
  const first = rows.find(({ state }) => state === "needs_answer");
  if (awaiting > 0) {
    const soonest = facts.page === 0 ? first?.dueAt : undefined;
    const next = soonest === undefined ? "" : ` ${disputes.nextDue(fullAndRelative(soonest))}`;
    const count = readAll ? disputes.awaiting : disputes.awaitingAtLeast;
    return [count(awaiting) + next, ...empty].join("\n\n");
  }
  if (filter !== "all") return empty.join("");
  if (!readAll || rows.some(({ state }) => state === undefined || state === "other")) return "";
  return summary?.byStatus.total === 0 ? disputes.none : disputes.noneAwaiting;
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
  return undelivered === 0
    ? []
    : [`${common.undelivered(undelivered)} ${disputeAlerts.undeliveredHere}`];
};

/** All disputes of an account: counts, amounts and one page of the list, most urgent first. */
export const disputeListView = (facts: DisputeListFacts): Reply => {
  const { summary, rows, filter, page, pages, found, readAt } = facts;
  const texts = disputeTexts(facts.locale);
  const { disputes } = texts;
  const reach = reachInWords(facts, texts);
  const notes = [...troubles(facts, texts), ...reach];
  const options = disputeChoices(rows, facts.locale).map(({ name, value }) => ({
    value,
    label: name,
    chosen: false,
  }));
  const waits = rows.some(({ state }) => state === undefined || awaitsAnswer(state));
  const paged = pages > 1 ? [disputes.page(page + 1, pages, found)] : [];
  return reply(
    {
      tone: waits || notes.length > 0 ? "warning" : "accent",
      title: disputes.title,
      description: [headline(facts, texts), ...notes, ...paged]
        .filter((part) => part !== "")
        .join("\n\n"),
      fields: [
        ...(summary === undefined
          ? []
          : disputeSummaryFields(summary, facts.decidedUnanswered, texts)),
        ...rows.map((row) => rowField(row, readAt, texts)),
        ...supportCodeFields(facts.supportCodes, texts),
      ],
      readAt,
    },
    selectRow({
      id: disputeIds.filter,
      placeholder: disputes.filterPlaceholder,
      options: disputeFilters.map((value) => ({
        value,
        label: disputes.filters[value],
        chosen: value === filter,
      })),
    }),
    ...(options.length === 0
      ? []
      : [selectRow({ id: disputeIds.choose, placeholder: disputes.openPlaceholder, options })]),
    buttonRow(...pageButtons(page, pages, (to) => disputeIds.page(filter, to), disputes), {
      id: disputeIds.rate,
      label: disputes.rateButton,
      style: "secondary",
    }),
  );
};

/**
 * Counts by the seller's answer and, independently, by the bank's decision, and both amounts. Decided disputes without
 * an answer are counted apart: they need no answer.
 */
const disputeSummaryFields = (
  { byStatus, byAnalysis, frozen, lost }: DisputeSummary,
  decidedUnanswered: number,
  { disputes, format }: DisputeTexts,
): readonly APIEmbedField[] => [
  inline(
    disputes.bySeller,
    disputes.bySellerText({
      pending: format.count(byStatus.pending),
      decided: decidedUnanswered,
      agreed: format.count(byStatus.agreed),
      disagreed: format.count(byStatus.disagreed),
      canceled: format.count(byStatus.canceled),
      total: format.count(byStatus.total),
    }),
  ),
  inline(
    disputes.byBank,
    disputes.byBankText({
      pending: format.count(byAnalysis.pending),
      accepted: format.count(byAnalysis.accepted),
      rejected: format.count(byAnalysis.rejected),
    }),
  ),
  inline(disputes.money, disputes.moneyText(format.reais(frozen), format.reais(lost))),
];

/** Disputes as suggestions while an option is being typed. */
export const disputeChoices = (
  rows: readonly DisputeRow[],
  locale: Locale,
): readonly { readonly name: string; readonly value: string }[] =>
  rows
    .filter(({ infractionId }) => isPlainId(infractionId))
    .slice(0, limits.selectOptions)
    .map((row) => ({ name: disputeChoice(row, disputeTexts(locale)), value: row.infractionId }));

/** Open disputes by the sales that they contest, in the form that asks for a sale. */
export const disputedSaleChoices = (
  rows: readonly DisputeRow[],
  locale: Locale,
): readonly { readonly name: string; readonly value: string }[] =>
  rows.flatMap((row) => {
    const { txid, state } = row;
    const isOpen = state === undefined || state === "other" || isOpenDispute(state);
    if (txid === undefined || !isPlainId(txid) || !isOpen) return [];
    const texts = disputeTexts(locale);
    const name = cut(`MED · ${disputeChoice(row, texts)}`, limits.choiceName);
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
