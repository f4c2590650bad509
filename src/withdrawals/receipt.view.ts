import type { Page } from "../print/draw-page.ts";
import { inBrasilia } from "../shared/local-time.ts";
import type { Locale } from "../shared/locale.ts";
import { inFileName, safe } from "../ui/format.ts";
import type { Reply } from "../ui/reply.ts";
import { destinationOf, readableMask } from "./pix-key.ts";
import { type WithdrawalTexts, withdrawalTexts } from "./texts.ts";
import type { WithdrawOp } from "./withdraw-op.ts";
import { keyTypeInWords, modalityInWords, serviceStateInWords } from "./withdrawal-fields.view.ts";
import { isReturned, type Withdrawal } from "./withdrawal.ts";

const LINE_LENGTH = 80;
const ID_IN_NAME_LENGTH = 40;
const NO_BREAK_SPACE = /\u00a0/g;
const TICK = /`/g;

export interface ReceiptFacts {
  readonly op: WithdrawOp | undefined;
  readonly withdrawal: Withdrawal;
  readonly readAt: Temporal.Instant;
  readonly locale: Locale;
}

type Labelled = readonly [label: string, value: string];

/** Text for a code block, which a back-tick would end. */
const bare = (text: string): string => safe(text, LINE_LENGTH).replace(TICK, "");

const isPaid = ({ withdrawal }: ReceiptFacts): boolean => withdrawal.status === "completed";

const linesOf = (facts: ReceiptFacts, texts: WithdrawalTexts): readonly Labelled[] => {
  const { op, withdrawal, readAt } = facts;
  const { withdrawals, format } = texts;
  const masked = bare(readableMask(destinationOf(withdrawal)));
  const type = keyTypeInWords(withdrawal.pixKeyType, texts).replace(TICK, "");
  const optional = (label: string, text: string | undefined): Labelled[] =>
    text === undefined ? [] : [[label, bare(text)]];
  const dated = (label: string, at: Temporal.Instant | undefined): Labelled[] =>
    at === undefined ? [] : [[label, format.dateTime(inBrasilia(at))]];
  const left = withdrawals.receiptWithFee(
    format.reais(withdrawal.amount),
    format.reais(withdrawal.fee),
  );
  return [
    [isPaid(facts) ? withdrawals.receiptArrived : withdrawals.net, format.reais(withdrawal.net)],
    ...optional(withdrawals.holder, withdrawal.accountHolder),
    ...optional(withdrawals.bank, withdrawal.bankName),
    [texts.withdraw.key, `${masked} (${type})`],
    [withdrawals.state, serviceStateInWords(withdrawal.status, texts).replace(TICK, "")],
    ...dated(withdrawals.completedAt, withdrawal.completedAt),
    ...dated(withdrawals.failedAt, withdrawal.failedAt),
    ...(isPaid(facts) ? [] : dated(withdrawals.scheduledFor, withdrawal.scheduledFor)),
    ...dated(withdrawals.requestedAt, withdrawal.requestedAt),
    [isReturned(withdrawal.status) ? withdrawals.receiptReturned : withdrawals.receiptLeft, left],
    ...optional(withdrawals.failReason, withdrawal.failReason),
    [withdrawals.modality, modalityInWords(withdrawal.modality, texts).replace(TICK, "")],
    ...optional(withdrawals.transferId, withdrawal.transferId),
    ...optional(withdrawals.txid, withdrawal.txid),
    ...optional(texts.errorLabels.opCode, op?.id),
    ...dated(withdrawals.readAt, readAt),
  ];
};

const notesOf = (facts: ReceiptFacts, { withdrawals }: WithdrawalTexts): readonly string[] =>
  isPaid(facts)
    ? [withdrawals.receiptProves, withdrawals.receiptPayer]
    : [withdrawals.receiptNotPaid];

/** The receipt as a page to be sent on: a PDF with the lines of the message. */
export const receiptPage = (facts: ReceiptFacts): Page => {
  const { locale, readAt } = facts;
  const texts = withdrawalTexts(locale);
  const { withdrawals } = texts;
  const [[label, value] = ["", ""], ...rows] = linesOf(facts, texts);
  return {
    language: locale,
    madeAtMs: readAt.epochMilliseconds,
    title: withdrawals.receiptTitle,
    subtitle: withdrawals.receiptZone,
    figures: [{ label, value }],
    tables: [
      {
        title: "",
        columns: [
          { title: "", width: 123 },
          { title: "", width: 400 },
        ],
        rows,
        total: [],
      },
    ],
    notes: notesOf(facts, texts),
    replaced: texts.common.replaced,
    footer: "",
  };
};

/** A receipt of the service's data: one block of code to copy, and the same as a PDF unless it could not be printed. */
export const receiptView = (facts: ReceiptFacts, page: Uint8Array | undefined): Reply => {
  const texts = withdrawalTexts(facts.locale);
  const { withdrawals } = texts;
  const text = [
    withdrawals.receiptTitle,
    ...linesOf(facts, texts).map(([label, value]) => `${label}: ${value}`),
    withdrawals.receiptZone,
    "",
    notesOf(facts, texts).join(" "),
  ]
    .join("\n")
    .replace(NO_BREAK_SPACE, " ");
  const id = facts.op?.id ?? inFileName(facts.withdrawal.txid, ID_IN_NAME_LENGTH);
  const name = `${withdrawals.receiptFile}-${id}.pdf`;
  return {
    kind: "reply",
    content: `\`\`\`\n${text}\n\`\`\``,
    components: [],
    ...(page !== undefined && {
      files: [{ name, contentType: "application/pdf", data: page, isCopy: true as const }],
    }),
  };
};
