import type { APIEmbedField } from "discord-api-types/v10";
import type { WithdrawalDetail } from "./withdraw-facts.ts";
import { isPlainId } from "../shared/ids.ts";
import {
  isOpen,
  isSplit,
  isUncertain,
  isWithdrawal,
  takenAmount,
  wordedAs,
  type WithdrawOp,
} from "./withdraw-op.ts";
import type { Withdrawal } from "./withdrawal.ts";
import type { Locale } from "../shared/locale.ts";
import { type WithdrawalTexts, withdrawalTexts } from "./texts.ts";
import {
  type ButtonParts,
  buttonRows,
  modal,
  type Modal,
  offeredButtons,
  reply,
  type Reply,
} from "../ui/reply.ts";
import { inline, line, supportCodeFields } from "../ui/embed.ts";
import { CODE_LENGTH, fullAndRelative, knownWord, person, safe } from "../ui/format.ts";
import { refundSentence } from "./refunds/refund.view.ts";
import { heldBackSentence, returnedOf } from "./withdraw-status.view.ts";
import { decisionLabels, withdrawalIds, withdrawIds } from "./withdraw-buttons.view.ts";
import {
  amountInWords,
  isScheduled,
  journalInWords,
  keyInWords,
  modalityInWords,
  serviceFields,
  serviceStateInWords,
  stateInWords,
  whyUnread,
  withoutKeySentence,
  otherAmountLines,
} from "./withdrawal-fields.view.ts";

export interface WithdrawalDetailFacts extends WithdrawalDetail {
  /** False in direct messages without a chosen server: the list and the cancellation belong to one. */
  readonly hasGuild: boolean;
  readonly locale: Locale;
}

type Origin = Pick<WithdrawalDetailFacts, "op" | "byAnother" | "mayBeOpId">;

export const titleOf = (
  { op, byAnother, mayBeOpId }: Origin,
  { withdrawals, refundOutcomes }: WithdrawalTexts,
): string => {
  if (byAnother === true) return withdrawals.titleByAnother;
  if (mayBeOpId !== undefined) return withdrawals.titleMayBe(mayBeOpId);
  if (op === undefined) return withdrawals.titleElsewhere;
  const { title: own, titleCancel: cancel } = withdrawals;
  return { own, cancel, refund: refundOutcomes.detailTitle }[wordedAs(op)](op.id);
};

/** The meaning of the state, in a sentence. */
export const meaningOf = (
  {
    op,
    target,
    withdrawal,
    withoutKey,
    byAnother,
    mayBeOpId,
  }: Origin & Pick<WithdrawalDetailFacts, "target" | "withdrawal" | "withoutKey">,
  texts: WithdrawalTexts,
): string => {
  const { withdrawals } = texts;
  if (op === undefined) {
    const { failed, cancelled } = withdrawals.explained;
    const ended = knownWord({ failed, cancelled }, withdrawal?.status ?? "");
    const elsewhere = byAnother === true ? withdrawals.byAnotherText : withdrawals.elsewhereText;
    const origin = mayBeOpId === undefined ? elsewhere : withdrawals.mayBeText(mayBeOpId);
    return [origin, ...(ended === undefined ? [] : [ended])].join(" ");
  }
  const heldBack = heldBackSentence(op, texts);
  if (heldBack !== undefined) return heldBack;
  // The words for a decision on a withdrawal promise no check.
  const unread =
    op.state !== "manual" || op.kind === "refund"
      ? withoutKeySentence({ op, withoutKey }, texts)
      : undefined;
  if (op.kind === "refund") return unread ?? refundSentence(op, texts);
  if (op.state === "manual" && op.kind !== "cancel" && op.txid !== undefined)
    return withdrawals.manualWithTxid;
  const cancelling = op.kind === "cancel" ? withdrawals.cancelExplained[op.state] : undefined;
  const explained = unread ?? cancelling ?? withdrawals.explained[op.state];
  const { splitReturn } = texts.withdrawOutcomes;
  const returned = returnedOf({ op, target });
  const unsaid = returned !== undefined && isSplit(returned.kind) ? [splitReturn] : [];
  return [[explained, ...unsaid].join(" "), ...otherAmountLines(op, texts)].join("\n");
};

/** The service's word where it tells more than ours. A cancellation's state is never that of its withdrawal. */
export const statedOtherwise = (
  op: WithdrawOp,
  withdrawal: Withdrawal | undefined,
  texts: WithdrawalTexts,
): string | undefined => {
  if (withdrawal === undefined) return undefined;
  const service = serviceStateInWords(withdrawal.status, texts);
  const isSame = isWithdrawal(op.kind) && service === stateInWords(op, texts);
  return isSame ? undefined : service;
};

/** Gross amount, fee and net, by the service, or else by the journal. */
export const amountsOf = (op: WithdrawOp | undefined, withdrawal: Withdrawal | undefined) => {
  const { fee, net } = withdrawal ?? op ?? {};
  return { amount: withdrawal?.amount ?? (op && takenAmount(op)), fee, net };
};

/** The tone of a view of one withdrawal. */
export const toneOfDetail = (
  op: WithdrawOp | undefined,
  withdrawal: Withdrawal | undefined,
): "accent" | "warning" => {
  const isTroubled = isUncertain(op?.state) || op?.state === "failed";
  return isTroubled || withdrawal?.status === "failed" ? "warning" : "accent";
};

const moneyFields = (
  { op, withdrawal }: WithdrawalDetailFacts,
  texts: WithdrawalTexts,
): APIEmbedField[] => {
  const { withdrawals } = texts;
  if (op?.kind === "cancel" && withdrawal === undefined) return [];
  if (op?.kind === "refund")
    return [inline(texts.refund.amount, `**${amountInWords(op.amount, texts)}**`)];
  const { amount, fee, net } = amountsOf(op, withdrawal);
  return [
    inline(withdrawals.amount, `**${amountInWords(amount, texts)}**`),
    inline(withdrawals.fee, amountInWords(fee, texts)),
    inline(withdrawals.net, `**${amountInWords(net, texts)}**`),
  ];
};

const stateFields = (
  { op, withdrawal }: WithdrawalDetailFacts,
  texts: WithdrawalTexts,
): APIEmbedField[] => {
  const { withdrawals } = texts;
  const service =
    withdrawal === undefined ? undefined : serviceStateInWords(withdrawal.status, texts);
  const modality = [
    op === undefined ? undefined : withdrawals.kinds[op.kind],
    withdrawal === undefined ? undefined : modalityInWords(withdrawal.modality, texts),
  ].findLast((words) => words !== undefined);
  const own = op && stateInWords(op, texts);
  const otherwise = op && statedOtherwise(op, withdrawal, texts);
  return [
    inline(withdrawals.state, own ?? service ?? withdrawals.notKnown),
    ...(otherwise === undefined ? [] : [inline(withdrawals.serviceState, otherwise)]),
    ...(modality === undefined ? [] : [inline(withdrawals.modality, modality)]),
  ];
};

const placeFields = (
  { op, withdrawal }: WithdrawalDetailFacts,
  texts: WithdrawalTexts,
): APIEmbedField[] => {
  const { withdrawals } = texts;
  const own = op === undefined || isWithdrawal(op.kind);
  const target = op?.kind === "refund" ? texts.refund.txid : withdrawals.target;
  return [
    ...(own ? [inline(texts.withdraw.key, keyInWords(op, withdrawal, texts))] : []),
    ...(op?.recipientId === undefined
      ? []
      : [inline(withdrawals.recipient, person(op.recipientId))]),
    ...(op?.targetTxid === undefined ? [] : [inline(target, safe(op.targetTxid, CODE_LENGTH))]),
  ];
};

const txidFields = (
  { op, withdrawal }: WithdrawalDetailFacts,
  texts: WithdrawalTexts,
): APIEmbedField[] => {
  const txid = withdrawal?.txid ?? op?.txid;
  return txid === undefined || txid === op?.targetTxid
    ? []
    : [line(texts.withdrawals.txid, safe(txid, CODE_LENGTH))];
};

const journalFields = (facts: WithdrawalDetailFacts, texts: WithdrawalTexts): APIEmbedField[] => {
  const { op, events, withdrawal } = facts;
  const { withdrawals } = texts;
  if (op === undefined) return [];
  const planned = withdrawal === undefined ? op.scheduledFor : undefined;
  return [
    ...(planned === undefined ? [] : [line(withdrawals.scheduledFor, fullAndRelative(planned))]),
    ...(events.length === 0 ? [] : [line(withdrawals.journal, journalInWords(events, op, texts))]),
    ...(op.requestId === undefined
      ? []
      : [line(withdrawals.supportCode, safe(op.requestId, CODE_LENGTH))]),
  ];
};

/** What can be done with a withdrawal; in a server the way to the list is last. */
export const detailButtons = (
  facts: WithdrawalDetailFacts,
  texts: WithdrawalTexts,
): readonly ButtonParts[] => {
  const { withdrawals, withdraw } = texts;
  const { op, withdrawal, hasGuild, withdrawEnabled } = facts;
  const txid = withdrawal?.txid ?? op?.txid;
  const cancelTxid = txid !== undefined && isPlainId(txid) ? txid : undefined;
  const decisions = decisionLabels(op ?? { kind: "normal" }, texts);
  const codeOrTxid = op?.id ?? cancelTxid;
  return offeredButtons(
    [
      op !== undefined && isOpen(op.state),
      withdrawIds.check(op?.id ?? ""),
      withdraw.check,
      "primary",
    ],
    [op?.state === "manual", withdrawIds.happened(op?.id ?? ""), decisions.happened],
    [
      op?.state === "manual",
      withdrawIds.didNotHappen(op?.id ?? ""),
      decisions.didNotHappen,
      "danger",
    ],
    [
      withdrawal?.status === "completed" && op?.kind !== "cancel",
      codeOrTxid && withdrawalIds.receipt(codeOrTxid),
      withdrawals.receipt,
    ],
    [
      hasGuild && withdrawEnabled && op?.kind !== "cancel" && isScheduled(op, withdrawal),
      codeOrTxid && withdrawalIds.cancel(codeOrTxid),
      withdrawals.cancel,
      "danger",
    ],
    [hasGuild, withdrawalIds.list, withdrawals.seeAll],
  );
};

/** The reason of a reading that failed or was not made. */
export const unreadLines = (
  { op, problem, withoutKey = false }: WithdrawalDetailFacts,
  texts: WithdrawalTexts,
): readonly string[] => {
  if (withoutKey) return [texts.withdrawOutcomes.cannotCheck];
  if (problem === undefined) return [];
  const { unread } = op?.kind === "refund" ? texts.refundOutcomes : texts.withdrawals;
  return [unread(whyUnread(problem, texts))];
};

/** One withdrawal in full: the service's data and the journal's. */
export const withdrawalDetailView = (facts: WithdrawalDetailFacts): Reply => {
  const { op, withdrawal, readAt } = facts;
  const texts = withdrawalTexts(facts.locale);
  const buttons = detailButtons(facts, texts);
  return reply(
    {
      tone: toneOfDetail(op, withdrawal),
      title: titleOf(facts, texts),
      description: [meaningOf(facts, texts), ...unreadLines(facts, texts)].join("\n\n"),
      fields: [
        ...moneyFields(facts, texts),
        ...stateFields(facts, texts),
        ...placeFields(facts, texts),
        ...(withdrawal === undefined ? [] : serviceFields(withdrawal, texts)),
        ...txidFields(facts, texts),
        ...journalFields(facts, texts),
        ...supportCodeFields(facts.supportCodes, texts),
      ],
      readAt,
    },
    ...buttonRows(buttons),
  );
};

/** Field id, fixed by the outside contract. */
export const CODE_FIELD = "codigo";
const LONGEST_CODE = 20;

/** Makes the person type the operation's code before their decision counts. */
export const decisionModal = (
  op: Pick<WithdrawOp, "id" | "kind"> & Partial<Pick<WithdrawOp, "txid">>,
  happened: boolean,
  locale: Locale,
): Modal => {
  const { withdrawals } = withdrawalTexts(locale);
  const submit = happened ? withdrawalIds.decidedHappened : withdrawalIds.decidedDidNotHappen;
  const subject = wordedAs(op);
  const isFound = subject === "own" && op.txid !== undefined;
  const words = withdrawals.decisionForms[isFound ? "found" : subject];
  const { title, hint } = happened ? words.happened : words.didNotHappen;
  return modal({
    customId: submit(op.id),
    title,
    fields: [
      {
        id: CODE_FIELD,
        label: withdrawals.typeCode(op.id),
        placeholder: hint,
        maxLength: LONGEST_CODE,
        required: true,
      },
    ],
  });
};
