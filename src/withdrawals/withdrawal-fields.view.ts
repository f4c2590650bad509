import type { APIEmbedField } from "discord-api-types/v10";
import {
  isEndStatus,
  isOpenStatus,
  isReturned,
  type ListedWithdrawal,
  type UnclaimedWithdrawal,
  type Withdrawal,
} from "./withdrawal.ts";
import type { WithdrawalTexts } from "./texts.ts";
import { cut, inline, limits, line, supportCodeFields } from "../ui/embed.ts";
import {
  CODE_LENGTH,
  ELLIPSIS,
  fullAndRelative,
  knownWord,
  NAME_LENGTH,
  safe,
  together,
  toTheSecond,
  TXID_LENGTH,
} from "../ui/format.ts";
import type { WithdrawEvent } from "./withdraw-journal.ts";
import type { ReadFacts, WithdrawStatus } from "./withdraw-facts.ts";
import {
  isUncertain,
  type WithdrawOp,
  type WithdrawState,
  otherAmount,
  takenAmount,
} from "./withdraw-op.ts";
import { inBrasilia } from "../shared/local-time.ts";
import type { WalletErrorKind } from "../shared/errors.ts";
import { destinationOf, maskPixKey } from "./pix-key.ts";

const REASON_LENGTH = 200;

const processorInWords = (
  { name, status, lastStatus }: NonNullable<Withdrawal["processor"]>,
  { withdrawals }: WithdrawalTexts,
): string => {
  const words = together(
    name && safe(name, NAME_LENGTH),
    status && safe(status, NAME_LENGTH),
    lastStatus && withdrawals.processorBefore(safe(lastStatus, NAME_LENGTH)),
  );
  return words === "" ? withdrawals.notSaid : `${words}\n(${withdrawals.processorNote})`;
};

const holderFields = (
  withdrawal: Withdrawal,
  { withdrawals }: WithdrawalTexts,
): APIEmbedField[] => {
  const { bankName, accountHolder, transferId, isTurbo } = withdrawal;
  const shown = (text: string | undefined, max: number): string | undefined =>
    text === undefined ? undefined : safe(text, max);
  const noTransfer = isTurbo ? withdrawals.notSaid : withdrawals.notForNormal;
  return [
    inline(withdrawals.bank, shown(bankName, NAME_LENGTH) ?? withdrawals.notSaid),
    inline(withdrawals.holder, shown(accountHolder, NAME_LENGTH) ?? withdrawals.notSaid),
    inline(withdrawals.transferId, shown(transferId, CODE_LENGTH) ?? noTransfer),
  ];
};

/** The service's metadata of a withdrawal; each part is optional. */
const metadataField = (
  withdrawal: Withdrawal,
  { withdrawals, format }: WithdrawalTexts,
): APIEmbedField[] => {
  const { providerTransferId, providerBatchId, frozenBalance, balanceDeducted } = withdrawal;
  // The same id under two names is shown once.
  const otherId = providerTransferId === withdrawal.transferId ? undefined : providerTransferId;
  const words = [
    // The service keeps the mark after it returns the amount.
    balanceDeducted === undefined || isReturned(withdrawal.status)
      ? undefined
      : withdrawals.deducted(balanceDeducted),
    frozenBalance === undefined ? undefined : withdrawals.frozenNoted(format.reais(frozenBalance)),
    otherId === undefined ? undefined : withdrawals.otherTransferId(safe(otherId, CODE_LENGTH)),
    providerBatchId === undefined
      ? undefined
      : withdrawals.batch(safe(providerBatchId, CODE_LENGTH)),
  ].filter((part) => part !== undefined);
  return words.length === 0 ? [] : [line(withdrawals.beside, words.join("\n"))];
};

const failureFields = (
  withdrawal: Withdrawal,
  { withdrawals }: WithdrawalTexts,
): APIEmbedField[] => {
  const { status, failReason, errorCode } = withdrawal;
  const reason =
    failReason === undefined ? withdrawals.failReasonUnknown : safe(failReason, REASON_LENGTH);
  return [
    ...(status === "failed" || failReason !== undefined
      ? [line(withdrawals.failReason, reason)]
      : []),
    ...(errorCode === undefined ? [] : [line(withdrawals.errorCode, safe(errorCode, CODE_LENGTH))]),
  ];
};

/** A line for each time that is known. */
export const datedLines = (
  ...times: readonly (readonly [name: string, at: Temporal.Instant | undefined])[]
): readonly string[] =>
  times.flatMap(([name, at]) => (at === undefined ? [] : [`${name} ${fullAndRelative(at)}`]));

/**
 * The service's data of a withdrawal except money, state and key. A missing value is named as missing; a missing time
 * is left out. Source: service.md 2.4.
 */
export const serviceFields = (
  withdrawal: Withdrawal,
  texts: WithdrawalTexts,
): readonly APIEmbedField[] => {
  const { withdrawals } = texts;
  const dates = datedLines(
    [withdrawals.requestedAt, withdrawal.requestedAt],
    [withdrawals.scheduledFor, withdrawal.scheduledFor],
    [withdrawals.completedAt, withdrawal.completedAt],
    [withdrawals.failedAt, withdrawal.failedAt],
    [withdrawals.createdAt, withdrawal.createdAt],
    [withdrawals.updatedAt, withdrawal.updatedAt],
  );
  return [
    ...failureFields(withdrawal, texts),
    ...holderFields(withdrawal, texts),
    ...(withdrawal.processor === undefined
      ? []
      : [line(withdrawals.processor, processorInWords(withdrawal.processor, texts))]),
    ...metadataField(withdrawal, texts),
    line(withdrawals.dates, dates.join("\n")),
  ];
};

/** The state that a step led to, or that it was found at the service after its answer was lost, or its owner had denied it. */
const stepInWords = (
  { from, to }: WithdrawEvent,
  op: WithdrawOp,
  texts: WithdrawalTexts,
): string => {
  const isFound = from === to || (to === "accepted" && from !== "sending");
  return isFound ? texts.withdrawals.foundStep : stateInWords({ ...op, state: to }, texts);
};

/** The steps of an operation, oldest first. A long history keeps its end, within one field. */
export const journalInWords = (
  events: readonly WithdrawEvent[],
  op: WithdrawOp,
  texts: WithdrawalTexts,
): string => {
  const kept: string[] = [];
  let left = limits.fieldValue - ELLIPSIS.length;
  for (const event of events.toReversed()) {
    const step = `${toTheSecond(event.at)} ${stepInWords(event, op, texts)}`;
    left -= step.length + 1;
    if (left < 0) return [ELLIPSIS, ...kept].join("\n");
    kept.unshift(step);
  }
  return kept.join("\n");
};

const STATUS_LENGTH = 40;

export const stateInWords = (
  { state, resolution }: Pick<WithdrawOp, "state" | "resolution">,
  { withdrawals }: WithdrawalTexts,
): string =>
  state === "resolved_manual" && resolution !== undefined
    ? withdrawals.decided[resolution]
    : withdrawals.states[state];

const ICONS: Readonly<Partial<Record<WithdrawState, string>>> = {
  confirmed: "🕐",
  sending: "🕐",
  accepted: "🕐",
  scheduled: "🕐",
  processing: "🕐",
  completed: "✅",
  unknown: "❔",
  manual: "❔",
  failed: "❌",
  rejected: "❌",
  cancelled: "❌",
  not_sent: "❌",
  not_executed: "❌",
  refused_local: "❌",
};

/** An icon beside the word of a state, so that colour is never alone. */
export const iconOf = (
  op: WithdrawOp | undefined,
  withdrawal: Pick<Withdrawal, "status"> | undefined,
): string => {
  if (op?.state === "resolved_manual") return op.resolution === "happened" ? "✅" : "❌";
  // A cancellation that is completed stopped its withdrawal: it is done.
  if (op !== undefined) return ICONS[op.state] ?? "";
  return knownWord(ICONS, withdrawal?.status ?? "") ?? "❔";
};

export const withIcon = (icon: string, words: string): string => `${icon} ${words}`.trim();

/** Icon and word of an operation's state. */
export const stateWithIcon = (op: WithdrawOp, texts: WithdrawalTexts): string =>
  withIcon(iconOf(op, undefined), stateInWords(op, texts));

/** Our word for the service's state, as for the journal's of the same name; undefined for an unknown state. */
const knownServiceState = (
  status: string | undefined,
  { withdrawals }: WithdrawalTexts,
): string | undefined =>
  isOpenStatus(status) || isEndStatus(status) ? withdrawals.states[status] : undefined;

/** The same; an unknown state is quoted. */
export const serviceStateInWords = (status: string, texts: WithdrawalTexts): string =>
  knownServiceState(status, texts) ?? safe(status, STATUS_LENGTH);

/** Amount, state and txid of one row of the service's list. */
export const listedFacts = (
  { txid, amount, status }: Pick<ListedWithdrawal, "txid" | "amount" | "status">,
  texts: WithdrawalTexts,
  icon = "",
): string =>
  together(
    amount === undefined ? undefined : `**${texts.format.reais(amount)}**`,
    status === undefined ? undefined : withIcon(icon, serviceStateInWords(status, texts)),
    safe(txid, TXID_LENGTH),
  );

/** One row of the service's list, with its time on a second line. */
export const listedLine = (
  listed: ListedWithdrawal,
  texts: WithdrawalTexts,
  origin?: string,
): string => {
  const { requestedAt, status = "" } = listed;
  const facts = together(listedFacts(listed, texts, iconOf(undefined, { status })), origin);
  return requestedAt === undefined ? facts : `${facts}\n${fullAndRelative(requestedAt)}`;
};

/** Our word for the service's speed; an unknown speed is quoted. */
export const modalityInWords = (modality: string, { withdrawals }: WithdrawalTexts): string => {
  if (modality === "turbo") return withdrawals.turbo;
  return modality === "normal" ? withdrawals.normal : safe(modality, STATUS_LENGTH);
};

/** Our word for the service's key type; an unknown type is quoted. */
export const keyTypeInWords = (type: string, { withdrawals }: WithdrawalTexts): string =>
  knownWord(withdrawals.keyTypes, type) ?? safe(type, STATUS_LENGTH);

/** The reason of a failed read as a sentence. */
export const whyUnread = (problem: WalletErrorKind, { walletErrors }: WithdrawalTexts): string =>
  ` ${walletErrors[problem].title}.`;

/**
 * How the reading that a person asked for went, where the state does not tell. Absence from a list is not told: an owner who
 * believes it may order the withdrawal again.
 */
export const readingFields = (
  {
    op,
    withdrawal,
    problem,
    supportCodes,
    isChecked = false,
  }: ReadFacts & Pick<WithdrawStatus, "op" | "isChecked">,
  texts: WithdrawalTexts,
): readonly APIEmbedField[] => {
  const { withdrawOutcomes: words, withdrawals, walletErrors } = texts;
  const isUnclear = isChecked && isUncertain(op.state) && withdrawal === undefined;
  const found = isUnclear ? [line(words.checkedNow, words.stillUnclear)] : [];
  const unread =
    problem === undefined
      ? found
      : [line(withdrawals.serviceState, words.unreadableNow(walletErrors[problem].title))];
  return [...unread, ...supportCodeFields(supportCodes, texts)];
};

const moment = (at: Temporal.Instant, { format }: WithdrawalTexts): string =>
  format.dayAndHour(inBrasilia(at));

/** A warning, where the service took another amount than the one confirmed; otherwise empty. */
export const otherAmountLines = (
  op: WithdrawOp,
  { withdrawOutcomes, format }: WithdrawalTexts,
): readonly string[] => {
  const taken = otherAmount(op);
  if (taken === undefined || op.amount === undefined) return [];
  return [withdrawOutcomes.otherAmount(format.reais(op.amount), format.reais(taken))];
};

/** Amount and kind. The amount of a cancellation or a refund is worded apart: it is no withdrawal as well. */
export const amountAndKind = (
  op: WithdrawOp,
  { withdrawals, refundOutcomes, format }: WithdrawalTexts,
): readonly string[] => {
  const kind = withdrawals.kinds[op.kind];
  const taken = takenAmount(op);
  if (taken === undefined) return [kind];
  const amount = format.reais(taken);
  if (op.kind === "refund") return [refundOutcomes.name(amount)];
  return op.kind === "cancel" ? [withdrawals.cancelOf(amount)] : [amount, kind];
};

/** An operation in a menu or a suggestion, where Discord renders no markdown and no timestamps. */
export const opChoice = (op: WithdrawOp, texts: WithdrawalTexts, account?: string): string => {
  const words = together(
    ...amountAndKind(op, texts),
    account,
    stateWithIcon(op, texts),
    moment(op.createdAt, texts),
  );
  // The code tells equal operations apart: the rest is cut.
  return together(cut(words, limits.choiceName - ` · ${op.id}`.length), op.id);
};

/** A withdrawal of the service's list in a menu; an unknown state is left out. */
export const listedChoice = (listed: UnclaimedWithdrawal, texts: WithdrawalTexts): string => {
  const { txid, amount, status = "", requestedAt } = listed;
  const known = knownServiceState(status, texts);
  const words = together(
    amount === undefined ? undefined : texts.format.reais(amount),
    known && withIcon(iconOf(undefined, { status }), known),
    requestedAt === undefined ? undefined : moment(requestedAt, texts),
    texts.withdrawals.origin(listed),
    txid,
  );
  return cut(words, limits.choiceName);
};

const KEY_LENGTH = 80;

/** The masked destination, never the key itself; undefined when unknown. */
export const maskedKeyOf = (
  op: WithdrawOp | undefined,
  withdrawal: Withdrawal | undefined,
): string | undefined => {
  if (op !== undefined && op.pixKeyMasked !== "") return op.pixKeyMasked;
  return withdrawal === undefined ? undefined : maskPixKey(destinationOf(withdrawal));
};

/** A withdrawal that was made elsewhere, as the service tells it; its key is masked. */
export const madeElsewhereFields = (
  withdrawal: Withdrawal,
  texts: WithdrawalTexts,
): readonly APIEmbedField[] => {
  const { amount, fee, net, pixKeyType, status, modality } = withdrawal;
  const { withdraw, withdrawals, format } = texts;
  const masked = safe(maskPixKey(destinationOf(withdrawal)), KEY_LENGTH);
  return [
    inline(withdrawals.amount, `**${format.reais(amount)}**`),
    inline(withdrawals.fee, format.reais(fee)),
    inline(withdrawals.net, `**${format.reais(net)}**`),
    inline(withdraw.key, `${masked} (${keyTypeInWords(pixKeyType, texts)})`),
    inline(withdrawals.state, serviceStateInWords(status, texts)),
    inline(withdrawals.modality, modalityInWords(modality, texts)),
  ];
};
