import type { APIEmbedField } from "discord-api-types/v10";
import type { DisputeDetail, DisputeFilter, DisputeRef, DisputeRow } from "./dispute-list.ts";
import {
  awaitsAnswer,
  mayBeAnswered,
  type ContestedSale,
  type Dispute,
  type DisputeState,
  isOpenDispute,
} from "./dispute.ts";
import { productOf } from "./contested-sales.ts";
import { reachedSteps } from "./dispute-alert.ts";
import { activeSnoozeEnd, snoozeUntil } from "./dispute-watch.ts";
import type { Locale } from "../shared/locale.ts";
import { type DisputeTexts, disputeTexts } from "./texts.ts";
import {
  type ButtonParts,
  buttonRows,
  customIdOf,
  linkRow,
  offeredButtons,
  reply,
  type Reply,
  type Row,
} from "../ui/reply.ts";
import {
  CODE_LENGTH,
  fullAndRelative,
  knownWord,
  NAME_LENGTH,
  plainLine,
  quotedInMenu,
  safe,
  STORY_LENGTH,
  together,
  TXID_LENGTH,
} from "../ui/format.ts";
import { cut, inline, limits, line } from "../ui/embed.ts";
import { inBrasilia } from "../shared/local-time.ts";
import { isPlainId } from "../shared/ids.ts";

export interface DisputeDetailFacts extends DisputeDetail {
  /** False in direct messages without a chosen server: the list belongs to one. */
  readonly hasGuild: boolean;
  /** Page where sellers answer disputes. */
  readonly answerUrl?: string | undefined;
  readonly locale: Locale;
}

const TROUBLED = new Set(["needs_answer", "overdue", "lost", "other"]);

const buttonsOf = (
  facts: DisputeDetailFacts,
  { disputes, disputeAlerts }: DisputeTexts,
): readonly ButtonParts[] => {
  const { watchId, dispute, state, hasGuild, watched, readAt } = facts;
  const muted = state === "needs_answer" && watched?.answeredByOwnerAt !== undefined;
  const reminded = state === "needs_answer" && !muted;
  const maySnooze = reminded && snoozeUntil(dispute.dueAt, readAt) !== undefined;
  const ref = { watchId, infractionId: dispute.infractionId };
  return offeredButtons(
    [mayBeAnswered(state), disputeIds.defence(ref), disputes.prepareDefence],
    [reminded, disputeIds.answered(ref), disputeAlerts.answeredInPanel],
    [muted, disputeIds.resume(ref), disputeAlerts.resume],
    [maySnooze, disputeIds.snooze(ref), disputeAlerts.snooze],
    [state === "needs_answer", disputeIds.agenda(ref), disputes.agenda],
    [hasGuild, disputeIds.list, disputes.seeAll],
  );
};

/** The state of the reminders of a watched dispute; empty for a dispute that awaits no answer. */
const followedInWords = (
  { dispute, state, watched, readAt }: DisputeDetailFacts,
  { disputes }: DisputeTexts,
): readonly string[] => {
  if (watched === undefined || !awaitsAnswer(state)) return [];
  if (state === "overdue") return [disputes.followedOverdue];
  if (watched.answeredByOwnerAt !== undefined) return [disputes.followedMuted];
  const { doneSteps } = watched;
  if (reachedSteps({ doneSteps, dueAt: dispute.dueAt }, readAt).includes("1h"))
    return [disputes.followedLast];
  const until = activeSnoozeEnd(watched, readAt);
  return [
    until === undefined ? disputes.followed : disputes.followedSnoozed(fullAndRelative(until)),
  ];
};

/** One dispute in full, with the meaning of its state and the next step. */
export const disputeDetailView = (facts: DisputeDetailFacts): Reply => {
  const { dispute, state, readAt } = facts;
  const texts = disputeTexts(facts.locale);
  const { disputes, format } = texts;
  return reply(
    {
      tone: TROUBLED.has(state) ? "warning" : "accent",
      title: together(disputes.detailTitle(format.reais(dispute.amount)), disputes.states[state]),
      description: [disputes.explained[state], ...followedInWords(facts, texts)].join("\n\n"),
      fields: disputeFields(dispute, state, texts),
      readAt,
    },
    ...(mayBeAnswered(state) ? answerLink(facts.answerUrl, texts) : []),
    ...buttonRows(buttonsOf(facts, texts)),
  );
};

/** The facts of a sale share one field, and its limit counts rarer characters twice. */
const SHORT_LENGTH = 75;
const FACT_NAME_LENGTH = 40;
const FACT_VALUE_LENGTH = 60;

/** The payer's name and document. `show` is `safe` for messages and `plainLine` for files. */
export const payerInWords = (
  { payerName, payerTaxId }: Dispute,
  { disputes }: DisputeTexts,
  show: (text: string, max: number) => string,
): string => {
  const said = (text: string | undefined): string =>
    text === undefined ? disputes.notSaid : show(text, NAME_LENGTH);
  return payerName === undefined && payerTaxId === undefined
    ? disputes.notSaid
    : disputes.payerText(said(payerName), said(payerTaxId));
};

const refundInWords = ({ refund }: Dispute, { disputes }: DisputeTexts): string => {
  if (refund === undefined) return disputes.noRefund;
  if (refund.length === 0) return disputes.refundUntold;
  const facts = refund.map(({ name, value }) => {
    const shown = safe(value, FACT_VALUE_LENGTH);
    return name === "" ? shown : `${safe(name, FACT_NAME_LENGTH)} ${shown}`;
  });
  return facts.join("\n");
};

const datesInWords = (dispute: Dispute, { disputes }: DisputeTexts): string => {
  const times: readonly (readonly [string, Temporal.Instant | undefined])[] = [
    [disputes.contestedAt, dispute.contestedAt],
    [disputes.createdAt, dispute.createdAt],
    [disputes.answeredAt, dispute.answeredAt],
    [disputes.resolvedAt, dispute.resolvedAt],
  ];
  return times
    .flatMap(([name, at]) => (at === undefined ? [] : [`${name} ${fullAndRelative(at)}`]))
    .join("\n");
};

const saleInWords = (
  sale: ContestedSale,
  contested: string,
  { disputes, format }: DisputeTexts,
): string => {
  const { status, description, productName, buyer, txid } = sale;
  const said = (words: (text: string) => string, text: string | undefined): readonly string[] =>
    text === undefined ? [] : [words(safe(text, SHORT_LENGTH))];
  return [
    `**${disputeWord(disputes.saleOrigins, sale.origin)}**`,
    disputes.saleMoney(format.reais(sale.amount), format.reais(sale.fee), format.reais(sale.net)),
    ...(status === undefined
      ? []
      : [disputes.saleStatus(disputeWord(disputes.saleStatuses, status))]),
    ...said(disputes.saleDescription, description),
    ...said(disputes.saleProduct, productName),
    ...said(disputes.saleBuyer, buyer),
    ...(txid === contested ? [] : [disputes.saleTxid(safe(txid, TXID_LENGTH))]),
    disputes.saleCreatedAt(fullAndRelative(sale.createdAt)),
  ].join("\n");
};

/** The answer's text; undefined where it was not sent, or the service does not tell whether. */
const answerInWords = (
  { status, answer }: Dispute,
  state: DisputeState,
  { disputes }: DisputeTexts,
): string | undefined => {
  if (answer !== undefined) return safe(answer, STORY_LENGTH);
  if (status === "agreed" || status === "disagreed") return disputes.answerUntold;
  return status === "pending" && isOpenDispute(state) ? disputes.notAnswered : undefined;
};

/** All data of the service about a dispute; unknown values are quoted. Source: service.md 2.5. */
const disputeFields = (
  dispute: Dispute,
  state: DisputeState,
  texts: DisputeTexts,
): readonly APIEmbedField[] => {
  const { disputes, format } = texts;
  const { status, answer } = dispute;
  const product = productOf(dispute);
  const sent = answerInWords(dispute, state, texts);
  const isSilent = answer === undefined && status === "pending" && !isOpenDispute(state);
  return [
    inline(disputes.amount, `**${format.reais(dispute.amount)}**`),
    // A title shows the marks of code, so that a stranger's text stands beneath it.
    ...(product === undefined ? [] : [inline(disputes.product, safe(product, SHORT_LENGTH))]),
    inline(isOpenDispute(state) ? disputes.frozen : disputes.net, format.reais(dispute.frozen)),
    line(disputes.deadline, `**${fullAndRelative(dispute.dueAt)}**`),
    inline(
      disputes.status,
      isSilent ? disputes.unanswered : disputeWord(disputes.statuses, status),
    ),
    inline(disputes.analysis, disputeWord(disputes.analyses, dispute.analysisStatus)),
    inline(disputes.situation, disputeWord(disputes.situations, dispute.situation)),
    line(disputes.description, safe(dispute.description, STORY_LENGTH)),
    line(disputes.payer, payerInWords(dispute, texts, safe)),
    ...(sent === undefined ? [] : [line(disputes.answer, sent)]),
    line(disputes.refund, refundInWords(dispute, texts)),
    line(
      disputes.sale,
      dispute.sale === undefined
        ? disputes.saleMissing
        : saleInWords(dispute.sale, dispute.txid, texts),
    ),
    line(disputes.dates, datesInWords(dispute, texts)),
    line(disputes.infraction, safe(dispute.infractionId, CODE_LENGTH)),
    line(disputes.txid, safe(dispute.txid, CODE_LENGTH)),
  ];
};

const VALUE_LENGTH = 60;

/** Our word for a value of the service, or the value, quoted. */
export const disputeWord = (words: Readonly<Record<string, string>>, value: string): string =>
  knownWord(words, value) ?? safe(value, VALUE_LENGTH);

export const disputeStateInWords = (
  state: DisputeState | undefined,
  { disputes }: DisputeTexts,
): string => (state === undefined ? disputes.unread : disputes.states[state]);

/** How a dispute stands, in a menu. A deadline to come says that an answer is awaited, without the state. */
const standing = ({ state, dueAt }: DisputeRow, { disputes, format }: DisputeTexts): string => {
  const due = dueAt && disputes.due(format.dayAndHour(inBrasilia(dueAt)));
  if (state === undefined) return together(disputes.unread, due);
  if (state === "needs_answer" && due !== undefined) return due;
  const word = disputes.shortStates[state];
  return state === "other" ? together(word, due) : word;
};

/** Code points of a product in a menu, which leave room for the amount and the state. */
const PRODUCT_LENGTH = 32;

/** A dispute without its code in a menu or a suggestion, where Discord renders no markdown and no timestamps. */
export const disputeFacts = (row: DisputeRow, texts: DisputeTexts): string =>
  together(
    quotedInMenu(row.product, PRODUCT_LENGTH),
    row.amount === undefined ? undefined : texts.format.reais(row.amount),
    standing(row, texts),
  );

/** The same with its code, as much as fits. */
export const disputeChoice = (row: DisputeRow, texts: DisputeTexts): string =>
  cut(
    together(disputeFacts(row, texts), plainLine(row.infractionId, TXID_LENGTH)),
    limits.choiceName,
  );

const LONGEST = 100;

/** Undefined if the service's id is not plain, or if the custom id exceeds Discord's limit. */
const ofDispute =
  (action: string) =>
  ({ watchId, infractionId }: DisputeRef): string | undefined => {
    const id = customIdOf("meds", action)(`${watchId}.${infractionId}`);
    return isPlainId(infractionId) && id.length <= LONGEST ? id : undefined;
  };

/**
 * Custom ids in the form of `discord/command.ts`; `commands/meds.ts` handles them. They carry an account and an
 * infraction, or a filter and a page.
 */
export const disputeIds = {
  list: customIdOf("meds", "lista")(""),
  filter: customIdOf("meds", "filtro")(""),
  /** A menu; the values are infraction ids of the person's own account. */
  choose: customIdOf("meds", "abrir")(""),
  page: (filter: DisputeFilter, page: number): string =>
    customIdOf("meds", "pagina")(`${filter}.${page}`),
  rate: customIdOf("meds", "taxa")(""),
  see: ofDispute("ver"),
  agenda: ofDispute("agenda"),
  answered: ofDispute("respondi"),
  resume: ofDispute("lembrar"),
  snooze: ofDispute("adiar"),
  defence: ofDispute("defesa"),
} as const;

/** A link to the page where sellers answer disputes, if the operator has set it. */
export const answerLink = (
  answerUrl: string | undefined,
  { disputeAlerts }: DisputeTexts,
): readonly Row[] =>
  answerUrl === undefined ? [] : [linkRow({ url: answerUrl, label: disputeAlerts.answerThere })];
