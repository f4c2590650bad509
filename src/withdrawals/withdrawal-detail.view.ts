import type { APIEmbedField } from "discord-api-types/v10";
import type { WithdrawalDetail } from "./withdraw-facts.ts";
import { isWithdrawal, wordedAs, type WithdrawOp } from "./withdraw-op.ts";
import type { Withdrawal } from "./withdrawal.ts";
import type { Locale } from "../shared/locale.ts";
import { type WithdrawalTexts, withdrawalTexts } from "./texts.ts";
import { type ButtonParts, buttonRows, modal, type Modal, reply, type Reply } from "../ui/reply.ts";
import { type EmbedParts, inline, line } from "../ui/embed.ts";
import { CODE_LENGTH, fullAndRelative, knownWord, safe } from "../ui/format.ts";
import { type StatusFacts, statusParts } from "./withdraw-status.view.ts";
import {
  decisionLabels,
  detailsButton,
  withdrawalButtons,
  withdrawalIds,
} from "./withdraw-buttons.view.ts";
import {
  madeElsewhereFields,
  journalInWords,
  modalityInWords,
  serviceFields,
  serviceStateInWords,
  stateInWords,
} from "./withdrawal-fields.view.ts";

export interface WithdrawalDetailFacts extends WithdrawalDetail {
  /** False in direct messages without a chosen server: the list and the cancellation belong to one. */
  readonly hasGuild: boolean;
  readonly locale: Locale;
}

type OwnFacts = WithdrawalDetailFacts & { readonly op: WithdrawOp };

/** The service's word where it tells more than ours. A cancellation's state is never that of its withdrawal. */
const serviceStateFields = (
  { op, withdrawal }: OwnFacts,
  texts: WithdrawalTexts,
): readonly APIEmbedField[] => {
  if (withdrawal === undefined) return [];
  const service = serviceStateInWords(withdrawal.status, texts);
  const isSame = isWithdrawal(op.kind) && service === stateInWords(op, texts);
  return isSame ? [] : [inline(texts.withdrawals.serviceState, service)];
};

const ownParts = (facts: OwnFacts & Pick<StatusFacts, "requestedAt">, texts: WithdrawalTexts) => {
  const { fields, ...parts } = statusParts(facts, texts);
  return { ...parts, fields: [...fields, ...serviceStateFields(facts, texts)] };
};

/** A withdrawal made elsewhere: whose it is, how it ended, and what the service says of it. */
const elsewhereParts = (
  { withdrawal, byAnother, mayBeOpId }: WithdrawalDetailFacts,
  texts: WithdrawalTexts,
) => {
  const { withdrawals, withdrawOutcomes } = texts;
  const { failed, cancelled } = withdrawOutcomes.own;
  const ends = { failed: failed.text, cancelled: cancelled.text };
  const ended = knownWord(ends, withdrawal?.status ?? "");
  const [title, origin] =
    byAnother === true
      ? [withdrawals.titleByAnother, withdrawals.byAnotherText]
      : mayBeOpId === undefined
        ? [withdrawals.titleElsewhere, withdrawals.elsewhereText]
        : [withdrawals.titleMayBe(mayBeOpId), withdrawals.mayBeText(mayBeOpId)];
  return {
    tone: withdrawal?.status === "failed" ? "warning" : "accent",
    title,
    description: [origin, ...(ended === undefined ? [] : [ended])].join(" "),
    fields: withdrawal === undefined ? [] : madeElsewhereFields(withdrawal, texts),
  } satisfies EmbedParts;
};

const speedField = (
  { kind }: WithdrawOp,
  withdrawal: Withdrawal | undefined,
  texts: WithdrawalTexts,
): APIEmbedField =>
  inline(
    texts.withdrawals.modality,
    withdrawal === undefined
      ? texts.withdrawals.kinds[kind]
      : modalityInWords(withdrawal.modality, texts),
  );

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
      : [line(texts.errorLabels.supportCode, safe(op.requestId, CODE_LENGTH))]),
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
export const withdrawalSummaryView = (facts: OwnFacts): Reply => {
  const texts = withdrawalTexts(facts.locale);
  const buttons = buttonsOf(facts, texts, detailsButton(facts.op.id, texts));
  const requestedAt = facts.op.createdAt;
  return reply(ownParts({ ...facts, requestedAt }, texts), ...buttonRows(buttons));
};

/** One withdrawal in full: the service's data and the journal's. */
export const withdrawalDetailView = (facts: WithdrawalDetailFacts): Reply => {
  const { op, withdrawal, readAt } = facts;
  const texts = withdrawalTexts(facts.locale);
  const { fields, ...parts } =
    op === undefined ? elsewhereParts(facts, texts) : ownParts({ ...facts, op }, texts);
  return reply(
    {
      ...parts,
      fields: [
        ...fields,
        ...(op === undefined ? [] : [speedField(op, withdrawal, texts)]),
        ...(withdrawal === undefined ? [] : serviceFields(withdrawal, texts)),
        ...txidFields(facts, texts),
        ...journalFields(facts, texts),
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
  const texts = withdrawalTexts(locale);
  const { withdrawals } = texts;
  const submit = happened ? withdrawalIds.decidedHappened : withdrawalIds.decidedDidNotHappen;
  const subject = wordedAs(op);
  const isFound = subject === "own" && op.txid !== undefined;
  const hints = withdrawals.decisionHints[isFound ? "found" : subject];
  const answer = happened ? "happened" : "didNotHappen";
  return modal({
    customId: submit(op.id),
    title: withdrawals.decisionTitle(decisionLabels(op, texts)[answer]),
    fields: [
      {
        id: CODE_FIELD,
        label: withdrawals.typeCode(op.id),
        placeholder: hints[answer],
        maxLength: LONGEST_CODE,
        required: true,
      },
    ],
  });
};
