import { inBrasilia } from "../../domain/brasilia.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import type { Withdrawal } from "../../domain/withdrawal.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import type { Reply } from "../reply.ts";
import { safe } from "../safe.ts";
import { keyTypeInWords, modalityInWords, serviceStateInWords } from "./withdrawal-words.ts";
import { maskedKeyOf } from "./withdrawal-key.ts";

const LINE_LENGTH = 80;
const NO_BREAK_SPACE = /\u00a0/g;
const TICK = /`/g;

export interface ReceiptFacts {
  readonly op: WithdrawOp | undefined;
  readonly withdrawal: Withdrawal;
  readonly readAt: Temporal.Instant;
  readonly locale: Locale;
}

/** Text in a block of code, where a back-tick would end it. */
const bare = (text: string): string => safe(text, LINE_LENGTH).replace(TICK, "");

const moment = (at: Temporal.Instant, { format, withdrawals }: Texts): string =>
  `${format.dateTime(inBrasilia(at))} (${withdrawals.receiptZone})`;

const linesOf = ({ op, withdrawal, readAt }: ReceiptFacts, texts: Texts): readonly string[] => {
  const { withdrawals, format } = texts;
  const masked = bare(maskedKeyOf(op, withdrawal) ?? "");
  const type = keyTypeInWords(withdrawal.pixKeyType, texts).replace(TICK, "");
  const optional = (label: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`${label}: ${bare(text)}`];
  const dated = (label: string, at: Temporal.Instant | undefined): string[] =>
    at === undefined ? [] : [`${label}: ${moment(at, texts)}`];
  return [
    withdrawals.receiptTitle,
    ...optional(withdrawals.receiptCode, op?.id),
    ...optional(withdrawals.txid, withdrawal.txid),
    `${withdrawals.state}: ${serviceStateInWords(withdrawal.status, texts).replace(TICK, "")}`,
    `${withdrawals.amount}: ${format.reais(withdrawal.amount)}`,
    `${withdrawals.fee}: ${format.reais(withdrawal.fee)}`,
    `${withdrawals.net}: ${format.reais(withdrawal.net)}`,
    `${withdrawals.modality}: ${modalityInWords(withdrawal.modality, texts).replace(TICK, "")}`,
    `${withdrawals.key}: ${masked} (${type})`,
    ...optional(withdrawals.bank, withdrawal.bankName),
    ...optional(withdrawals.holder, withdrawal.accountHolder),
    ...optional(withdrawals.transferId, withdrawal.transferId),
    ...dated(withdrawals.requestedAt, withdrawal.requestedAt),
    ...dated(withdrawals.scheduledFor, withdrawal.scheduledFor),
    ...dated(withdrawals.completedAt, withdrawal.completedAt),
    ...dated(withdrawals.failedAt, withdrawal.failedAt),
    ...dated(withdrawals.readAt, readAt),
    ...(withdrawal.status === "completed" ? [] : [withdrawals.receiptNotPaid]),
  ];
};

/** What the service says of a withdrawal as text to be copied: a block of code and nothing else. */
export const receiptView = (facts: ReceiptFacts): Reply => {
  const lines = linesOf(facts, textsFor(facts.locale));
  const text = lines.join("\n").replace(NO_BREAK_SPACE, " ");
  return { kind: "reply", content: `\`\`\`\n${text}\n\`\`\``, components: [] };
};
