import type { APIEmbedField } from "discord-api-types/v10";
import type { Withdrawal } from "./withdrawal.ts";
import type { WithdrawalTexts } from "./texts.ts";
import { inline, limits, line } from "../ui/embed.ts";
import {
  CODE_LENGTH,
  ELLIPSIS,
  fullAndRelative,
  NAME_LENGTH,
  safe,
  toTheSecond,
} from "../ui/format.ts";
import type { WithdrawEvent } from "./withdraw-journal.ts";
import type { WithdrawOp } from "./withdraw-op.ts";
import { stateInWords } from "./withdrawal-words.view.ts";

const REASON_LENGTH = 200;

const processorInWords = (
  { name, status, lastStatus }: NonNullable<Withdrawal["processor"]>,
  { withdrawals }: WithdrawalTexts,
): string => {
  const words = [
    ...[name, status].flatMap((text) => (text === undefined ? [] : [safe(text, NAME_LENGTH)])),
    ...(lastStatus === undefined
      ? []
      : [withdrawals.processorBefore(safe(lastStatus, NAME_LENGTH))]),
  ];
  return words.length === 0
    ? withdrawals.notSaid
    : `${words.join(" · ")}\n(${withdrawals.processorNote})`;
};

const holderFields = (
  withdrawal: Withdrawal,
  { withdrawals }: WithdrawalTexts,
): APIEmbedField[] => {
  const { bankName, accountHolder, transferId, isTurbo } = withdrawal;
  const named = (text: string | undefined): string =>
    text === undefined ? withdrawals.notSaid : safe(text, NAME_LENGTH);
  const noTransfer = isTurbo ? withdrawals.notSaid : withdrawals.notForNormal;
  return [
    inline(withdrawals.bank, named(bankName)),
    inline(withdrawals.holder, named(accountHolder)),
    inline(
      withdrawals.transferId,
      transferId === undefined ? noTransfer : safe(transferId, CODE_LENGTH),
    ),
  ];
};

/**
 * The service keeps the mark after it returns the amount, so a failed or cancelled withdrawal is worded in the past.
 */
const deductedInWords = (
  { balanceDeducted, status }: Withdrawal,
  withdrawals: WithdrawalTexts["withdrawals"],
): string | undefined => {
  if (balanceDeducted === undefined) return undefined;
  const ended = status === "failed" || status === "cancelled";
  return ended && balanceDeducted
    ? withdrawals.deductedThen
    : withdrawals.deducted(balanceDeducted);
};

/** The service's metadata of a withdrawal; each part is optional. */
const metadataField = (
  withdrawal: Withdrawal,
  { withdrawals, format }: WithdrawalTexts,
): APIEmbedField[] => {
  const { providerTransferId, providerBatchId, frozenBalance } = withdrawal;
  // The same id under two names is shown once.
  const otherId = providerTransferId === withdrawal.transferId ? undefined : providerTransferId;
  const words = [
    deductedInWords(withdrawal, withdrawals),
    frozenBalance === undefined ? undefined : withdrawals.frozenThen(format.reais(frozenBalance)),
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

const timeFields = (withdrawal: Withdrawal, { withdrawals }: WithdrawalTexts): APIEmbedField[] => {
  const times: readonly (readonly [string, Temporal.Instant | undefined])[] = [
    [withdrawals.requestedAt, withdrawal.requestedAt],
    [withdrawals.scheduledFor, withdrawal.scheduledFor],
    [withdrawals.completedAt, withdrawal.completedAt],
    [withdrawals.failedAt, withdrawal.failedAt],
    [withdrawals.createdAt, withdrawal.createdAt],
    [withdrawals.updatedAt, withdrawal.updatedAt],
  ];
  const lines = times.flatMap(([name, at]) =>
    at === undefined ? [] : [`${name} ${fullAndRelative(at)}`],
  );
  return [line(withdrawals.dates, lines.join("\n"))];
};

/**
 * The service's data of a withdrawal except money, state and key. A missing value is named as missing; a missing time
 * is left out. Source: service.md 2.4.
 */
export const serviceFields = (
  withdrawal: Withdrawal,
  texts: WithdrawalTexts,
): readonly APIEmbedField[] => [
  ...failureFields(withdrawal, texts),
  ...holderFields(withdrawal, texts),
  ...(withdrawal.processor === undefined
    ? []
    : [line(texts.withdrawals.processor, processorInWords(withdrawal.processor, texts))]),
  ...metadataField(withdrawal, texts),
  ...timeFields(withdrawal, texts),
];

const stepInWords = (
  { from, to }: WithdrawEvent,
  op: WithdrawOp,
  texts: WithdrawalTexts,
): string => {
  const { withdrawals } = texts;
  if (to === "accepted" && from !== "sending") return withdrawals.foundStep;
  if (to === "resolved_manual") return stateInWords(op, texts);
  const cancelling = op.kind === "cancel" && to === "completed";
  return withdrawals.steps[cancelling ? "cancelled" : to];
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
