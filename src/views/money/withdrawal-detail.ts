import type { APIEmbedField } from "discord-api-types/v10";
import type { WithdrawalDetail } from "../../domain/withdraw-facts.ts";
import { isPlainId } from "../../domain/wire-id.ts";
import { isOpen, type WithdrawOp } from "../../domain/withdraw-op.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import { buttonRow, type ButtonParts } from "../components.ts";
import { inline, line } from "../embed.ts";
import { person } from "../mention.ts";
import { reply, type Reply } from "../reply.ts";
import { safe } from "../safe.ts";
import { supportCodeFields } from "../support-code.ts";
import { fullAndRelative } from "../timestamp.ts";
import { withdrawIds } from "./withdraw-ids.ts";
import { serviceFields } from "./withdrawal-facts.ts";
import { withdrawalIds } from "./withdrawal-ids.ts";
import { journalInWords } from "./withdrawal-journal.ts";
import { keyInWords } from "./withdrawal-key.ts";
import {
  amountInWords,
  isScheduled,
  serviceStateInWords,
  modalityInWords,
  stateInWords,
  whyUnread,
} from "./withdrawal-words.ts";

const CODE_LENGTH = 100;

export interface WithdrawalDetailFacts extends WithdrawalDetail {
  /** In a direct message neither the list nor a cancellation is offered: both belong to a server. */
  readonly inGuild: boolean;
  readonly locale: Locale;
}

const titleOf = (op: WithdrawOp | undefined, { withdrawals }: Texts): string => {
  if (op === undefined) return withdrawals.titleElsewhere;
  return (op.kind === "cancel" ? withdrawals.titleCancel : withdrawals.title)(op.id);
};

const meaningOf = (op: WithdrawOp | undefined, { withdrawals }: Texts): string => {
  if (op === undefined) return withdrawals.elsewhereText;
  if (op.state === "manual" && op.kind !== "cancel" && op.txid !== undefined)
    return withdrawals.manualWithTxid;
  const cancelling = op.kind === "cancel" ? withdrawals.cancelExplained[op.state] : undefined;
  return cancelling ?? withdrawals.explained[op.state];
};

const moneyFields = ({ op, withdrawal }: WithdrawalDetailFacts, texts: Texts): APIEmbedField[] => {
  const { withdrawals } = texts;
  if (op?.kind === "cancel" && withdrawal === undefined) return [];
  const { amount, fee, net } = withdrawal ?? op ?? {};
  return [
    inline(withdrawals.amount, `**${amountInWords(amount, texts)}**`),
    inline(withdrawals.fee, amountInWords(fee, texts)),
    inline(withdrawals.net, `**${amountInWords(net, texts)}**`),
  ];
};

const stateFields = ({ op, withdrawal }: WithdrawalDetailFacts, texts: Texts): APIEmbedField[] => {
  const { withdrawals } = texts;
  const service =
    withdrawal === undefined ? undefined : serviceStateInWords(withdrawal.status, texts);
  const modality = [
    op === undefined ? undefined : withdrawals.kinds[op.kind],
    withdrawal === undefined ? undefined : modalityInWords(withdrawal.modality, texts),
  ].findLast((words) => words !== undefined);
  const own = op === undefined ? undefined : stateInWords(op, texts);
  return [
    inline(withdrawals.state, own ?? service ?? withdrawals.notKnown),
    ...(own === undefined || service === undefined || own === service
      ? []
      : [inline(withdrawals.serviceState, service)]),
    ...(modality === undefined ? [] : [inline(withdrawals.modality, modality)]),
  ];
};

const placeFields = ({ op, withdrawal }: WithdrawalDetailFacts, texts: Texts): APIEmbedField[] => {
  const { withdrawals } = texts;
  const own = op === undefined || op.kind !== "cancel";
  return [
    ...(own ? [inline(withdrawals.key, keyInWords(op, withdrawal, texts))] : []),
    ...(op?.recipientId === undefined
      ? []
      : [inline(withdrawals.recipient, person(op.recipientId))]),
    ...(op?.targetTxid === undefined
      ? []
      : [inline(withdrawals.target, safe(op.targetTxid, CODE_LENGTH))]),
  ];
};

const txidFields = ({ op, withdrawal }: WithdrawalDetailFacts, texts: Texts): APIEmbedField[] => {
  const txid = withdrawal?.txid ?? op?.txid;
  return txid === undefined || txid === op?.targetTxid
    ? []
    : [line(texts.withdrawals.txid, safe(txid, CODE_LENGTH))];
};

const journalFields = (facts: WithdrawalDetailFacts, texts: Texts): APIEmbedField[] => {
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

const buttonsOf = (
  facts: WithdrawalDetailFacts,
  { withdrawals, withdraw }: Texts,
): ButtonParts[] => {
  const { op, withdrawal, inGuild } = facts;
  const txid = withdrawal?.txid ?? op?.txid;
  const cancelTxid = txid !== undefined && isPlainId(txid) ? txid : undefined;
  const decisions = withdraw.decisions[op?.kind === "cancel" ? "cancel" : "own"];
  const receiptOf = op?.id ?? cancelTxid;
  const offered: readonly (readonly [unknown, ButtonParts["id"], string, ButtonParts["style"]])[] =
    [
      [op && isOpen(op.state), withdrawIds.check(op?.id ?? ""), withdraw.check, "primary"],
      [op?.state === "manual", withdrawIds.happened(op?.id ?? ""), decisions.happened, "secondary"],
      [
        op?.state === "manual",
        withdrawIds.didNotHappen(op?.id ?? ""),
        decisions.didNotHappen,
        "danger",
      ],
      [
        withdrawal !== undefined && receiptOf !== undefined && op?.kind !== "cancel",
        withdrawalIds.receipt(receiptOf ?? ""),
        withdrawals.receipt,
        "secondary",
      ],
      [
        inGuild && cancelTxid !== undefined && op?.kind !== "cancel" && isScheduled(op, withdrawal),
        withdrawalIds.cancel(cancelTxid ?? ""),
        withdrawals.cancel,
        "danger",
      ],
      [inGuild, withdrawalIds.list, withdrawals.seeAll, "secondary"],
    ];
  return offered.flatMap(([is, id, label, style]) => (is ? [{ id, label, style }] : []));
};

/** One withdrawal in full: what the service says of it, and what the journal knows. */
export const withdrawalDetailView = (facts: WithdrawalDetailFacts): Reply => {
  const { op, withdrawal, problem, readAt } = facts;
  const texts = textsFor(facts.locale);
  const { withdrawals } = texts;
  const unread = problem === undefined ? [] : [withdrawals.unread(whyUnread(problem, texts))];
  const buttons = buttonsOf(facts, texts);
  const troubled = op?.state === "unknown" || op?.state === "manual" || op?.state === "failed";
  return reply(
    {
      tone: troubled || withdrawal?.status === "failed" ? "warning" : "accent",
      title: titleOf(op, texts),
      description: [meaningOf(op, texts), ...unread].join("\n\n"),
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
    ...(buttons.length === 0 ? [] : [buttonRow(...buttons)]),
  );
};
