import {
  isConflict,
  isDecidedByAnother,
  isFinal,
  isSplit,
  isTurbo,
  isUncertain,
  isUnderWay,
  isWithdrawal,
  otherAmount,
  subjectOf,
  takenAmount,
  wordedAs,
  wasTaken,
  type WithdrawOp,
  type WithdrawState,
} from "./withdraw-op.ts";
import type { OutcomeFacts, WithdrawStatus } from "./withdraw-facts.ts";
import type { Locale } from "../shared/locale.ts";
import { type WithdrawalTexts, withdrawalTexts } from "./texts.ts";
import type { EmbedParts } from "../ui/embed.ts";
import { buttonRow, reply, type Reply } from "../ui/reply.ts";
import { detailsButton, liveOf, withdrawalButtons } from "./withdraw-buttons.view.ts";
import { expiredView } from "./withdraw-confirmation.view.ts";
import {
  datedLines,
  iconOf,
  otherAmountLines,
  readingFields,
  withIcon,
} from "./withdrawal-fields.view.ts";
import {
  CODE_LENGTH,
  fullAndRelative,
  knownWord,
  NAME_LENGTH,
  person,
  plainLine,
  safe,
  together,
} from "../ui/format.ts";
import { PACED } from "../shared/errors.ts";
import { BALANCE_FELL } from "./reconcile.ts";
import { isReturned, type RejectReason } from "./withdrawal.ts";
import { isSlow, nextManualCheck } from "./check-schedule.ts";
import { recentWithdrawal } from "./withdraw-limits.ts";

/** States in which the operation goes as the person wished. */
const GOES_WELL: ReadonlySet<WithdrawState> = new Set([
  "confirmed",
  "sending",
  "accepted",
  "scheduled",
  "processing",
  "completed",
  "cancelled",
  "abandoned",
  "resolved_manual",
]);

export const toneOf = (op: WithdrawOp): NonNullable<EmbedParts["tone"]> =>
  GOES_WELL.has(op.state) && otherAmount(op) === undefined ? "accent" : "warning";

/**
 * The present state of one operation in about six lines. The reply is edited as the operation goes on. `hasGuild`: false
 * in direct messages without a chosen server, where no withdrawal can be asked for or cancelled.
 */
export const withdrawStatusView = (
  status: WithdrawStatus,
  locale: Locale,
  hasGuild = true,
): Reply => {
  const texts = withdrawalTexts(locale);
  const { op, withdrawEnabled, isElsewhere } = status;
  const live = liveOf(op, isElsewhere);
  if (op.state === "abandoned") return { ...expiredView(op, locale), live };
  const offers = { ...status, canAsk: hasGuild && withdrawEnabled };
  const buttons = [...withdrawalButtons(status, offers, texts), detailsButton(op.id, texts)];
  return { ...reply(statusParts(status, texts), buttonRow(...buttons)), live };
};

/** The parts of a status that do not depend on the place where it is shown. */
export const statusParts = (
  status: StatusFacts & Pick<WithdrawStatus, "problem" | "supportCodes" | "isChecked">,
  texts: WithdrawalTexts,
) =>
  ({
    tone: toneOf(status.op),
    title: outcomeTitle(statusTitle(status, texts), status),
    description: withFacts(statusText(status, texts), status, texts),
    fields: readingFields(status, texts),
    readAt: isFinal(status.op.state) ? undefined : status.readAt,
  }) satisfies EmbedParts;

/**
 * The answer to a person who decides in place of an owner who is gone: of the owner's facts it holds the code alone, which
 * the reader typed. It is no live reply, which would show the others later.
 */
export const decidedForAnotherView = (op: WithdrawOp, locale: Locale): Reply => {
  const texts = withdrawalTexts(locale);
  const { own, resolved, notBlocking } = texts.withdrawOutcomes;
  const title = withIcon(iconOf(op, undefined), own[op.state].title);
  const text = op.resolution === undefined ? notBlocking : resolved[op.resolution];
  return reply({ tone: toneOf(op), title, description: `${text}\n-# ${op.id}` });
};

/** A withdrawal is cancelled by request, and so goes well. */
export const outcomeTitle = (
  title: string,
  { op, withdrawal }: Omit<OutcomeFacts, "reference">,
): string => withIcon(op.state === "cancelled" ? "✅" : iconOf(op, withdrawal), title);

export const withFacts = (text: string, facts: StatusFacts, texts: WithdrawalTexts): string =>
  [text, ...otherAmountLines(facts.op, texts), ...factLines(facts, texts)]
    .filter((each) => each !== "")
    .join("\n");

export interface StatusFacts
  extends Omit<OutcomeFacts, "reference">, Pick<WithdrawStatus, "sent" | "target"> {
  /** Undefined in a message that is read later. */
  readonly readAt?: Temporal.Instant | undefined;
  /** Told where no other time is; undefined in a message of the operation's own time. */
  readonly requestedAt?: Temporal.Instant | undefined;
}

type Words = WithdrawalTexts["withdrawOutcomes"];

const wordsOf = (
  { op }: StatusFacts,
  { withdrawOutcomes: { own, cancel }, refundOutcomes }: WithdrawalTexts,
) => ({ own, cancel, refund: refundOutcomes.states })[wordedAs(op)][op.state];

const IN_TITLE = 120;
/** Words, figures and punctuation only: markup, an address, a mention or an emoji could pass for ours. */
const PLAIN = /^(?=.*\p{L})[\p{L}\p{N} .,;!?%$()'’–-]+$/u;
const ADDRESS = /[\p{L}\p{N}]\.\p{L}/u;

/** The service's message if it is plain enough for a title; other messages are quoted in a field. */
const refusalInTitle = ({ op, sent }: StatusFacts): string | undefined => {
  const message = op.state === "rejected" ? sent?.rejected?.message : undefined;
  if (message === undefined) return undefined;
  const text = plainLine(message, IN_TITLE);
  return PLAIN.test(text) && !ADDRESS.test(text) ? text : undefined;
};

export const statusTitle = (facts: StatusFacts, texts: WithdrawalTexts): string => {
  const refusal = refusalInTitle(facts);
  return refusal === undefined
    ? wordsOf(facts, texts).title
    : texts.withdrawOutcomes.refusedSaying(refusal);
};

/** The outcome, whether money moved, and the next step. */
export const statusText = (facts: StatusFacts, texts: WithdrawalTexts): string => {
  const unread = facts.withoutKey === true ? [texts.withdrawOutcomes.cannotCheck] : [];
  return [firstSentence(facts, texts), ...unread, ...nextSentences(facts, texts)].join("\n");
};

/** Why the last check before the request held it back; undefined without such a reason. */
const heldBackSentence = (
  { state, errorCode }: WithdrawOp,
  { withdrawOutcomes, refundOutcomes }: WithdrawalTexts,
): string | undefined => {
  const words = { ...withdrawOutcomes.refused, ...refundOutcomes.refused };
  return state === "refused_local" ? knownWord(words, errorCode ?? "") : undefined;
};

const firstSentence = (facts: StatusFacts, texts: WithdrawalTexts): string => {
  const { withdrawOutcomes: words, refundOutcomes, format } = texts;
  const { op, withdrawal, withoutKey = false } = facts;
  const net = withdrawal?.net ?? op.net;
  if (isPaced(op)) return { ...words.paced, refund: refundOutcomes.paced }[wordedAs(op)];
  const heldBack = heldBackSentence(op, texts);
  if (heldBack !== undefined) return heldBack;
  const { text, promise } = wordsOf(facts, texts);
  if (isWithdrawal(op.kind) && op.state === "completed" && net !== undefined)
    return words.completedWith(format.reais(net));
  if (isWithdrawal(op.kind) && op.state === "manual" && op.txid !== undefined)
    return words.manualWithTxid;
  // The bot follows no operation without a key.
  if (withoutKey || promise === undefined || isLeft(facts)) return text;
  if (isConflict(op) && op.kind !== "cancel")
    return op.kind === "refund" ? refundOutcomes.conflict : words.conflict;
  if (isLate(facts)) return op.state === "scheduled" ? words.overdue : words.slow;
  return `${text} ${promise}`;
};

/** Whether it waits for its owner for so long that it is no longer read by itself. */
const isLeft = ({ op, readAt }: StatusFacts): boolean =>
  op.state === "manual" && readAt !== undefined && nextManualCheck(op, readAt) === undefined;

const isPaced = ({ state, errorCode }: WithdrawOp): boolean =>
  state === "not_sent" && errorCode === PACED;

/** Whether it takes longer than an analysis should. A normal withdrawal without a plan may rest for a day. */
const isLate = ({ op, readAt }: StatusFacts): boolean => {
  if (readAt === undefined || !isSlow(op, readAt)) return false;
  const turbo = isTurbo(op.kind);
  return (
    op.state === "processing" ||
    (op.state === "scheduled" && op.scheduledFor !== undefined) ||
    (op.state === "accepted" && turbo)
  );
};

const nextSentences = (facts: StatusFacts, texts: WithdrawalTexts): readonly string[] => {
  const { op } = facts;
  const words = texts.withdrawOutcomes;
  if (op.state === "accepted" && op.scheduledFor === undefined && isNormal(op))
    return [words.normalTakes];
  if (isPaced(op)) return [waitSentence(facts.sent?.pacedForMs, texts)];
  // A withdrawal that was found later keeps its error code.
  const isUnfound = op.state === "manual" && op.txid === undefined;
  if (isUnfound && op.errorCode === BALANCE_FELL) return [words.balanceFell];
  if (op.state === "rejected") return rejectedSentences(facts, texts);
  if (op.state === "resolved_manual" && op.resolution !== undefined)
    return [
      resolvedWords(op, texts)[op.resolution],
      ...(isDecidedByAnother(op) ? [words.resolvedByAnother] : []),
    ];
  // The documentation does not say whether the fee, or a split's balance, comes back (service.md 3.1).
  const returned = returnedOf(facts);
  if (returned === undefined) return [];
  return isSplit(returned.kind) ? [words.splitReturn, words.feeReturn] : [words.feeReturn];
};

/** The withdrawal that was returned, as far as it was made here. */
const returnedOf = ({
  op,
  target,
}: Pick<StatusFacts, "op" | "target">): Pick<WithdrawOp, "kind"> | undefined => {
  if (op.kind === "cancel") return op.state === "completed" ? target : undefined;
  return isReturned(op.state) && isWithdrawal(op.kind) ? op : undefined;
};

const resolvedWords = (op: WithdrawOp, { withdrawOutcomes, refundOutcomes }: WithdrawalTexts) => {
  const { resolved: own, resolvedCancel: cancel } = withdrawOutcomes;
  return { own, cancel, refund: refundOutcomes.resolved }[wordedAs(op)];
};

const waitSentence = (
  waitMs: number | undefined,
  { withdrawOutcomes, format }: WithdrawalTexts,
): string =>
  waitMs === undefined
    ? withdrawOutcomes.rejected.rate_limited
    : withdrawOutcomes.waitFor(format.wait(waitMs));

const isNormal = ({ kind }: WithdrawOp): boolean => isWithdrawal(kind) && !isTurbo(kind);

/**
 * Falls back to the journal's short code when the status is read later. A split has no amount to check, and the document
 * ties its refusals, such as of a pending withdrawal, to no status: a general one, such as 400, tells no reason.
 * Source: service.md 4.1, 7.3.
 */
const reasonOf = ({ op, sent }: StatusFacts, words: Words): RejectReason | undefined => {
  const kept = (Object.keys(words.rejected) as RejectReason[]).find(
    (each) => each === op.errorCode,
  );
  const reason = sent?.rejected?.reason ?? kept;
  const isGeneral = reason === "invalid" || reason === "not_found";
  return isGeneral && isSplit(op.kind) ? "refused" : reason;
};

const rejectedSentences = (facts: StatusFacts, texts: WithdrawalTexts) => {
  const { withdrawOutcomes } = texts;
  const reason = reasonOf(facts, withdrawOutcomes);
  const wait = facts.sent?.rejected?.retryAfterMs;
  if (reason === "rate_limited" && wait !== undefined) return [waitSentence(wait, texts)];
  const message = facts.sent?.rejected?.message;
  const vague = reason === undefined || reason === "refused";
  if (vague && message === undefined) return [];
  if (facts.op.kind === "cancel") {
    const known = reason === "unauthorized" || reason === "rate_limited";
    return [known ? withdrawOutcomes.rejected[reason] : withdrawOutcomes.rejectedCancel];
  }
  if (reason === undefined) return [];
  const ofRefund = facts.op.kind === "refund" ? texts.refundOutcomes.rejected : {};
  const words = { ...withdrawOutcomes.rejected, ...ofRefund };
  // The service's own words are better than guesses.
  const isSaid = plainLine(message ?? "", QUOTE_LENGTH) !== "";
  return isSaid && (vague || reason === "forbidden")
    ? [withdrawOutcomes.refusedForThat]
    : [words[reason]];
};

const QUOTE_LENGTH = 200;

/** States in which a person may have to ask the service's support. */
const NEEDS_SUPPORT: ReadonlySet<WithdrawState> = new Set([
  "rejected",
  "unknown",
  "manual",
  "failed",
]);

/** The known facts of an operation, one line each; texts of the service are quoted, codes come last. */
const factLines = (facts: StatusFacts, texts: WithdrawalTexts): readonly string[] => [
  ...reasonLines(facts, texts),
  moneyLine(facts, texts),
  ...splitLines(facts, texts),
  placeLine(facts, texts),
  ...timeLines(facts, texts),
  codeLine(facts, texts),
];

const moneyLine = (
  { op, withdrawal }: StatusFacts,
  { withdraw, withdrawals, withdrawOutcomes: words, refund, format }: WithdrawalTexts,
): string => {
  const { amount: gross = takenAmount(op), fee = op.fee, net = op.net } = withdrawal ?? {};
  const named = op.kind === "refund" ? refund.amount : withdraw.amount;
  const amount = gross === undefined ? undefined : `${named} ${format.reais(gross)}`;
  if (!isWithdrawal(op.kind) || fee === undefined || net === undefined) return amount ?? "";
  // The sentence of a completed one says what arrived.
  const arrives = isUnderWay(op.state) ? `${words.arrives} **${format.reais(net)}**` : undefined;
  return together(arrives, amount, `${withdrawals.fee} ${format.reais(fee)}`);
};

const splitLines = (
  { op, sent }: StatusFacts,
  { withdraw, withdrawOutcomes: words, errorLabels, format }: WithdrawalTexts,
): readonly string[] => {
  if (op.recipientId === undefined) return [];
  const { previousSplitBalance: before, newSplitBalance: after } = sent ?? {};
  const shortfall = sent?.rejected?.shortfall;
  const of = (name: string, value: string): string => `${name}: ${value}`;
  return [
    of(withdraw.recipient, person(op.recipientId)),
    ...(before === undefined || after === undefined
      ? []
      : [of(words.splitBalance, words.beforeAndAfter(format.reais(before), format.reais(after)))]),
    ...(shortfall === undefined
      ? []
      : [
          together(
            of(words.splitBalance, format.reais(shortfall.available)),
            of(errorLabels.minimum, format.reais(shortfall.minimum)),
          ),
        ]),
  ];
};

const placeLine = ({ op, withdrawal, sent }: StatusFacts, texts: WithdrawalTexts): string => {
  if (!isWithdrawal(op.kind)) return "";
  const names = [withdrawal?.accountHolder ?? sent?.pixKeyOwner, withdrawal?.bankName];
  return together(
    `${texts.withdraw.key}: ${safe(op.pixKeyMasked, CODE_LENGTH)}`,
    ...names.map((name) => name && safe(name, NAME_LENGTH)),
  );
};

const reasonLines = (
  facts: StatusFacts,
  { withdrawOutcomes: words }: WithdrawalTexts,
): readonly string[] => {
  const { op, withdrawal, sent } = facts;
  const message = sent?.rejected?.message;
  if (op.state === "rejected" && message !== undefined)
    return refusalInTitle(facts) !== undefined || plainLine(message, QUOTE_LENGTH) === ""
      ? []
      : [`${words.serviceSaid}: ${safe(message, QUOTE_LENGTH)}`];
  if (op.state !== "failed" || !isWithdrawal(op.kind)) return [];
  if (withdrawal === undefined) return [words.failedNext];
  const quoted = [withdrawal.failReason, withdrawal.errorCode]
    .filter((text) => text !== undefined)
    .map((text) => safe(text, QUOTE_LENGTH));
  const reason = quoted.length === 0 ? words.noReason : `${words.reason}: ${quoted.join(" · ")}`;
  return [reason, words.failedNext];
};

const timeLines = (
  { op, withdrawal, readAt, requestedAt }: StatusFacts,
  { withdrawals, withdrawOutcomes: words }: WithdrawalTexts,
): readonly string[] => {
  const requested = datedLines([withdrawals.requestedAt, requestedAt]);
  if (op.kind === "cancel") return requested;
  const planned = isUnderWay(op.state) ? (op.scheduledFor ?? withdrawal?.scheduledFor) : undefined;
  const next =
    readAt !== undefined && wasTaken(op.state) && subjectOf(op) === "own"
      ? recentWithdrawal(op.sentAt, undefined, readAt)?.allowedFrom
      : undefined;
  const known = datedLines(
    [withdrawals.scheduledFor, planned],
    [words.sentAt, isUncertain(op.state) ? op.sentAt : undefined],
    [withdrawals.completedAt, op.state === "completed" ? withdrawal?.completedAt : undefined],
    [withdrawals.failedAt, op.state === "failed" ? withdrawal?.failedAt : undefined],
  );
  return [
    ...(known.length === 0 ? requested : known),
    ...(next === undefined ? [] : [words.nextFrom(fullAndRelative(next))]),
  ];
};

/** The service's codes only where its support may ask for them; the details have them always. */
const codeLine = (facts: StatusFacts, { withdrawals, errorLabels }: WithdrawalTexts): string => {
  const { op } = facts;
  const txid = op.txid ?? op.targetTxid;
  const isAsked = NEEDS_SUPPORT.has(op.state) || isLate(facts) || !isWithdrawal(op.kind);
  const codes: readonly (readonly [string, string | undefined])[] = [
    [withdrawals.txid, isAsked ? txid : undefined],
    [errorLabels.supportCode, NEEDS_SUPPORT.has(op.state) ? op.requestId : undefined],
  ];
  const shown = codes.flatMap(([name, code]) =>
    code === undefined ? [] : [`${name}: ${safe(code, CODE_LENGTH)}`],
  );
  return `-# ${together(facts.target?.id, op.id, ...shown)}`;
};
