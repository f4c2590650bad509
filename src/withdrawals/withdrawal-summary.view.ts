import { buttonRows, reply, type Reply, type Row } from "../ui/reply.ts";
import { limits, supportCodeFields } from "../ui/embed.ts";
import { NAME_LENGTH, person, safe, together, TXID_LENGTH } from "../ui/format.ts";
import { isPlainId } from "../shared/ids.ts";
import { type WithdrawalTexts, withdrawalTexts } from "./texts.ts";
import { isWithdrawal } from "./withdraw-op.ts";
import { isReturned } from "./withdrawal.ts";
import { withdrawalIds } from "./withdraw-buttons.view.ts";
import {
  amountsOf,
  detailButtons,
  meaningOf,
  statedOtherwise,
  titleOf,
  toneOfDetail,
  unreadLines,
  type WithdrawalDetailFacts,
} from "./withdrawal-detail.view.ts";
import {
  amountAndKind,
  datedLines,
  iconOf,
  isScheduled,
  keyInWords,
  knownServiceState,
  serviceStateInWords,
  stateInWords,
  stateWithIcon,
  withIcon,
} from "./withdrawal-fields.view.ts";

/** Our words alone: an unknown state of the service is quoted in the text. */
const headline = ({ op, withdrawal }: WithdrawalDetailFacts, texts: WithdrawalTexts): string => {
  const { withdrawals, format } = texts;
  // The state of a cancellation beside a mere amount would pass for its withdrawal's.
  if (op !== undefined && !isWithdrawal(op.kind))
    return together(stateWithIcon(op, texts), ...amountAndKind(op, texts));
  const { amount: gross, net = gross } = amountsOf(op, withdrawal);
  const isBack = isReturned(withdrawal?.status ?? op?.state);
  const amount = isBack ? gross : net;
  const state =
    op === undefined
      ? (knownServiceState(withdrawal?.status, texts) ?? withdrawals.notKnown)
      : stateInWords(op, texts);
  const words = together(state, amount === undefined ? undefined : format.reais(amount));
  return withIcon(iconOf(op, withdrawal), words);
};

const moneyLine = (
  { op, withdrawal }: WithdrawalDetailFacts,
  { withdrawals, refund, format }: WithdrawalTexts,
): string => {
  const { amount, fee, net } = amountsOf(op, withdrawal);
  const named = (name: string, value: typeof amount): string | undefined =>
    value === undefined ? undefined : `${name} ${format.reais(value)}`;
  if (op?.kind === "refund") return named(refund.amount, op.amount) ?? "";
  return together(
    named(withdrawals.net, net),
    named(withdrawals.amount, amount),
    named(withdrawals.fee, fee),
  );
};

const placeLine = ({ op, withdrawal }: WithdrawalDetailFacts, texts: WithdrawalTexts): string => {
  const { bankName, accountHolder } = withdrawal ?? {};
  const isOwn = op === undefined || isWithdrawal(op.kind);
  return together(
    isOwn ? keyInWords(op, withdrawal, texts) : undefined,
    op?.recipientId === undefined ? undefined : person(op.recipientId),
    op?.targetTxid === undefined ? undefined : safe(op.targetTxid, TXID_LENGTH),
    accountHolder === undefined ? undefined : safe(accountHolder, NAME_LENGTH),
    bankName === undefined ? undefined : safe(bankName, NAME_LENGTH),
  );
};

const timeLine = (
  { op, withdrawal }: WithdrawalDetailFacts,
  { withdrawals }: WithdrawalTexts,
): string => {
  const planned = isScheduled(op, withdrawal)
    ? (withdrawal?.scheduledFor ?? op?.scheduledFor)
    : undefined;
  const [known = ""] = datedLines(
    [withdrawals.completedAt, withdrawal?.completedAt],
    [withdrawals.failedAt, withdrawal?.failedAt],
    [withdrawals.scheduledFor, planned],
    [withdrawals.requestedAt, withdrawal?.requestedAt ?? op?.createdAt],
  );
  return known;
};

const REASON_LENGTH = 200;

/** The meaning of the state, with the service's word where that differs. */
const meaningLine = (facts: WithdrawalDetailFacts, texts: WithdrawalTexts): string => {
  const { op, withdrawal } = facts;
  const { withdrawals } = texts;
  const { status } = withdrawal ?? {};
  const isUnknown = status !== undefined && knownServiceState(status, texts) === undefined;
  const unknown = isUnknown ? serviceStateInWords(status, texts) : undefined;
  const service = op === undefined ? unknown : statedOtherwise(op, withdrawal, texts);
  const reason = withdrawal?.failReason?.replace(/[.\s]+$/, "");
  return [
    meaningOf(facts, texts),
    ...(service === undefined ? [] : [`${withdrawals.serviceState}: ${service}.`]),
    ...(reason === undefined ? [] : [`${withdrawals.failReason}: ${safe(reason, REASON_LENGTH)}.`]),
  ].join(" ");
};

const rowsOf = (facts: WithdrawalDetailFacts, texts: WithdrawalTexts): readonly Row[] => {
  const { op, withdrawal } = facts;
  const txid = withdrawal?.txid ?? "";
  const id = op?.id ?? (isPlainId(txid) ? txid : undefined);
  const label = texts.withdrawals.details;
  const details =
    id === undefined ? [] : [{ id: withdrawalIds.details(id), label, style: "secondary" } as const];
  const others = detailButtons(facts, texts);
  const place = facts.hasGuild ? others.length - 1 : others.length;
  const rows =
    others.length < limits.buttonsPerRow
      ? [others.toSpliced(place, 0, ...details)]
      : [others, details];
  return rows.flatMap(buttonRows);
};

/** One withdrawal in at most six lines; a button opens it in full. */
export const withdrawalSummaryView = (facts: WithdrawalDetailFacts): Reply => {
  const { op, withdrawal, readAt, locale } = facts;
  const texts = withdrawalTexts(locale);
  const code = op === undefined ? safe(withdrawal?.txid ?? "", TXID_LENGTH) : titleOf(facts, texts);
  return reply(
    {
      tone: toneOfDetail(op, withdrawal),
      title: headline(facts, texts),
      description: [
        meaningLine(facts, texts),
        ...unreadLines(facts, texts),
        moneyLine(facts, texts),
        placeLine(facts, texts),
        timeLine(facts, texts),
        `-# ${code}`,
      ]
        .filter((line) => line !== "")
        .join("\n"),
      fields: supportCodeFields(facts.supportCodes, texts),
      readAt,
    },
    ...rowsOf(facts, texts),
  );
};
