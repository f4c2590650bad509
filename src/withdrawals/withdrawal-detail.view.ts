import type { APIEmbedField } from "discord-api-types/v10";
import type { WithdrawalDetail } from "./withdraw-facts.ts";
import { isWithdrawal, takenAmount, wordedAs, type WithdrawOp } from "./withdraw-op.ts";
import type { Withdrawal } from "./withdrawal.ts";
import type { Locale } from "../shared/locale.ts";
import { type WithdrawalTexts, withdrawalTexts } from "./texts.ts";
import {
  buttonRow,
  type ButtonParts,
  buttonRows,
  modal,
  type Modal,
  reply,
  type Reply,
} from "../ui/reply.ts";
import { inline, line } from "../ui/embed.ts";
import { CODE_LENGTH, fullAndRelative, knownWord, person, safe } from "../ui/format.ts";
import { statusParts, statusText, toneOf } from "./withdraw-status.view.ts";
import { detailsButton, withdrawalButtons, withdrawalIds } from "./withdraw-buttons.view.ts";
import {
  amountInWords,
  journalInWords,
  keyInWords,
  modalityInWords,
  serviceFields,
  serviceStateInWords,
  stateInWords,
  otherAmountLines,
  readingFields,
} from "./withdrawal-fields.view.ts";

export interface WithdrawalDetailFacts extends WithdrawalDetail {
  /** False in direct messages without a chosen server: the list and the cancellation belong to one. */
  readonly hasGuild: boolean;
  readonly locale: Locale;
}

const titleOf = (
  { op, byAnother, mayBeOpId }: WithdrawalDetailFacts,
  { withdrawals, refundOutcomes }: WithdrawalTexts,
): string => {
  if (byAnother === true) return withdrawals.titleByAnother;
  if (mayBeOpId !== undefined) return withdrawals.titleMayBe(mayBeOpId);
  if (op === undefined) return withdrawals.titleElsewhere;
  const { title: own, titleCancel: cancel } = withdrawals;
  return { own, cancel, refund: refundOutcomes.detailTitle }[wordedAs(op)](op.id);
};

/** The meaning of the state, in the words of its status; of one made elsewhere, whose it is and how it ended. */
const meaningOf = (facts: WithdrawalDetailFacts, texts: WithdrawalTexts): string => {
  const { op, withdrawal, byAnother, mayBeOpId } = facts;
  if (op !== undefined)
    return [statusText({ ...facts, op }, texts), ...otherAmountLines(op, texts)].join("\n");
  const { withdrawals, withdrawOutcomes } = texts;
  const { failed, cancelled } = withdrawOutcomes.own;
  const ended = knownWord(
    { failed: failed.text, cancelled: cancelled.text },
    withdrawal?.status ?? "",
  );
  const elsewhere = byAnother === true ? withdrawals.byAnotherText : withdrawals.elsewhereText;
  const origin = mayBeOpId === undefined ? elsewhere : withdrawals.mayBeText(mayBeOpId);
  return [origin, ...(ended === undefined ? [] : [ended])].join(" ");
};

/** The service's word where it tells more than ours. A cancellation's state is never that of its withdrawal. */
const serviceStateFields = (
  op: WithdrawOp,
  withdrawal: Withdrawal | undefined,
  texts: WithdrawalTexts,
): readonly APIEmbedField[] => {
  if (withdrawal === undefined) return [];
  const service = serviceStateInWords(withdrawal.status, texts);
  const isSame = isWithdrawal(op.kind) && service === stateInWords(op, texts);
  return isSame ? [] : [inline(texts.withdrawals.serviceState, service)];
};

const toneOfDetail = ({ op, withdrawal }: WithdrawalDetailFacts) => {
  if (op !== undefined) return toneOf(op);
  return withdrawal?.status === "failed" ? "warning" : "accent";
};

const moneyFields = (
  { op, withdrawal }: WithdrawalDetailFacts,
  texts: WithdrawalTexts,
): APIEmbedField[] => {
  const { withdrawals } = texts;
  if (op?.kind === "cancel" && withdrawal === undefined) return [];
  if (op?.kind === "refund")
    return [inline(texts.refund.amount, `**${amountInWords(op.amount, texts)}**`)];
  const { amount = op && takenAmount(op), fee = op?.fee, net = op?.net } = withdrawal ?? {};
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
  return [
    inline(withdrawals.state, own ?? service ?? withdrawals.notKnown),
    ...(op === undefined ? [] : serviceStateFields(op, withdrawal, texts)),
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

/** What can be done with a withdrawal, then `further`; in a server the way to the list is last. */
const buttonsOf = (
  facts: WithdrawalDetailFacts,
  texts: WithdrawalTexts,
  ...further: readonly ButtonParts[]
): readonly ButtonParts[] => {
  const { hasGuild, withdrawEnabled } = facts;
  const list = {
    id: withdrawalIds.list,
    label: texts.withdrawals.seeAll,
    style: "secondary",
  } as const;
  const offers = { canAsk: hasGuild && withdrawEnabled, isElsewhere: true };
  return [...withdrawalButtons(facts, offers, texts), ...further, ...(hasGuild ? [list] : [])];
};

/** One of the person's own withdrawals in about six lines; a button opens it in full. */
export const withdrawalSummaryView = (
  facts: WithdrawalDetailFacts & { readonly op: WithdrawOp },
): Reply => {
  const { op, withdrawal } = facts;
  const texts = withdrawalTexts(facts.locale);
  const buttons = buttonsOf(facts, texts, detailsButton(op.id, texts));
  const { fields, ...parts } = statusParts(facts, texts);
  return reply(
    { ...parts, fields: [...fields, ...serviceStateFields(op, withdrawal, texts)] },
    buttonRow(...buttons),
  );
};

/** One withdrawal in full: the service's data and the journal's. */
export const withdrawalDetailView = (facts: WithdrawalDetailFacts): Reply => {
  const { withdrawal, readAt } = facts;
  const texts = withdrawalTexts(facts.locale);
  return reply(
    {
      tone: toneOfDetail(facts),
      title: titleOf(facts, texts),
      description: meaningOf(facts, texts),
      fields: [
        ...moneyFields(facts, texts),
        ...stateFields(facts, texts),
        ...placeFields(facts, texts),
        ...(withdrawal === undefined ? [] : serviceFields(withdrawal, texts)),
        ...txidFields(facts, texts),
        ...journalFields(facts, texts),
        ...readingFields(facts, texts),
      ],
      readAt,
    },
    ...buttonRows(buttonsOf(facts, texts)),
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
