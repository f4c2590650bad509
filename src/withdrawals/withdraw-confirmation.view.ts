import type { APIEmbedField } from "discord-api-types/v10";
import { MINIMUM_WITHDRAWAL, quoteOf, type UnderWay } from "./withdraw-limits.ts";
import type { CancelConfirmation, Confirmation, KeyQuestion } from "./withdraw-facts.ts";
import { destinationOf, maskPixKey } from "./pix-key.ts";
import { isSplit, isTurbo, wordedAs, type WithdrawOp } from "./withdraw-op.ts";
import { LONGEST_AMOUNT } from "../shared/money.ts";
import type { Locale } from "../shared/locale.ts";
import { type WithdrawalTexts, withdrawalTexts } from "./texts.ts";
import { inline, limits, line } from "../ui/embed.ts";
import {
  CODE_LENGTH,
  fullAndRelative,
  hourOnly,
  NAME_LENGTH,
  person,
  relativeTime,
  safe,
  fullTime,
  together,
} from "../ui/format.ts";
import { buttonRow, modal, type Modal, reply, type Reply, type Suggestion } from "../ui/reply.ts";
import {
  confirmationButtons,
  isAskedAgain,
  liveOf,
  redoButtons,
  singleClickButtons,
  withdrawIds,
} from "./withdraw-buttons.view.ts";

/** Length of the longest key that can be typed: the person has to see its end. */
const KEY_LENGTH = 140;
/** Characters at the end of a new key that the last click shows once more. */
const KEY_END = 5;
/** With one more whole sentence, the last warning would not fit into the field. */
const MOST_UNDER_WAY = 2;

type Words = WithdrawalTexts["withdraw"];

/** The consequences of a withdrawal before it is sent; the last confirmation tells the effect of the next click. */
export const confirmationView = (confirmation: Confirmation, locale: Locale): Reply => {
  const texts = withdrawalTexts(locale);
  const { withdraw } = texts;
  const fields = [
    ...moneyFields(confirmation, texts),
    ...keyFields(confirmation, withdraw),
    ...warningFields(confirmation, texts),
  ];
  const warns = fields.some(({ name }) => [withdraw.whyTwice, withdraw.careful].includes(name));
  const tone = warns ? "warning" : "accent";
  const shown = reply(
    {
      tone: isAskedAgain(confirmation) ? "alarm" : tone,
      title: titleOf(confirmation, withdraw),
      description: descriptionOf(confirmation, texts),
      fields,
    },
    confirmationButtons(confirmation, texts),
  );
  return { ...shown, live: liveOf(confirmation.op) };
};

const stepOf = ({ askedTwice, confirmationsLeft }: Confirmation): 1 | 2 | undefined => {
  if (confirmationsLeft > 1) return 1;
  return askedTwice.length > 0 ? 2 : undefined;
};

const titleOf = (confirmation: Confirmation, withdraw: Words): string => {
  const subject = isSplit(confirmation.op.kind) ? "split" : "own";
  const step = stepOf(confirmation);
  const { recent } = confirmation;
  const soon = recent === undefined || recent.isUnpaid === true ? "" : withdraw.tooSoon;
  if (step === undefined) return withdraw.titles[subject] + soon;
  return withdraw.step((step === 1 ? withdraw.titles : withdraw.titlesAgain)[subject], step) + soon;
};

const whatGoes = (confirmation: Confirmation, { withdraw, format }: WithdrawalTexts): string => {
  const { op, available } = confirmation;
  const when = withdraw.when[isTurbo(op.kind) ? "turbo" : "normal"];
  if (op.amount === undefined) {
    const { fee } = quoteOf(MINIMUM_WITHDRAWAL, isTurbo(op.kind));
    return withdraw.splitGoes(person(op.recipientId ?? ""), format.reais(fee), when);
  }
  const { fee, net } = quoteOf(op.amount, isTurbo(op.kind));
  const goes = op.amount === available ? withdraw.allGoes : withdraw.goes;
  return goes(format.reais(op.amount), format.reais(fee), format.reais(net), when);
};

/** The effect of the next click. */
const clickWords = (confirmation: Confirmation, withdraw: Words): string => {
  const step = stepOf(confirmation);
  if (step === undefined) return withdraw.onlyClick;
  if (step === 1) return withdraw.firstClick;
  return confirmation.pinRequired ? withdraw.secondClickWithPin : withdraw.secondClick;
};

const descriptionOf = (confirmation: Confirmation, texts: WithdrawalTexts): string => {
  const { withdraw } = texts;
  const { expiresAt, nextAllowedAt } = confirmation;
  return [
    whatGoes(confirmation, texts),
    clickWords(confirmation, withdraw),
    withdraw.nextFrom(fullTime(nextAllowedAt)),
    withdraw.validUntil(hourOnly(expiresAt), relativeTime(expiresAt)),
  ].join("\n");
};

/** The withdrawal as its owner knows it, before the code that the service has for it. */
const targetInWords = (
  { op, target, withdrawal }: CancelConfirmation,
  { withdrawals }: WithdrawalTexts,
): string => {
  const { scheduledFor } = withdrawal;
  const known = together(
    target && `**${target.id}**`,
    safe(maskPixKey(destinationOf(withdrawal)), CODE_LENGTH),
    scheduledFor && withdrawals.planned(fullAndRelative(scheduledFor)),
  );
  return `${known}\n-# ${safe(op.targetTxid ?? "", CODE_LENGTH)}`;
};

/** The question before a scheduled withdrawal is cancelled. The next click sends it. */
export const cancelConfirmationView = (asked: CancelConfirmation, locale: Locale): Reply => {
  const texts = withdrawalTexts(locale);
  const { withdraw, withdrawOutcomes, format } = texts;
  const { op, target, expiresAt, withdrawal } = asked;
  const ofSplit = target !== undefined && isSplit(target.kind);
  const shown = reply(
    {
      title: withdraw.titles.cancel,
      description: [
        ofSplit ? `${withdraw.cancelText} ${withdrawOutcomes.splitReturn}` : withdraw.cancelText,
        withdraw.onlyClick,
        withdraw.validUntil(hourOnly(expiresAt), relativeTime(expiresAt)),
      ].join("\n"),
      fields: [
        inline(withdraw.amount, format.reais(withdrawal.amount)),
        line(withdraw.target, targetInWords(asked, texts)),
      ],
    },
    singleClickButtons(
      asked,
      { send: withdraw.confirmCancel, giveUp: withdraw.keepWithdrawal },
      withdraw,
    ),
  );
  return { ...shown, live: liveOf(op) };
};

const moneyFields = (
  { op, lastSplitBalance }: Confirmation,
  { withdraw, format }: WithdrawalTexts,
): readonly APIEmbedField[] => {
  if (op.amount !== undefined) return [];
  const known =
    lastSplitBalance === undefined
      ? withdraw.noLastBalance
      : withdraw.lastBalanceAt(
          format.reais(lastSplitBalance.balance),
          fullAndRelative(lastSplitBalance.at),
        );
  return [line(withdraw.lastBalance, known)];
};

const keyFields = (
  { pixKey, keySaved, holderName, bankName }: Confirmation,
  withdraw: Words,
): readonly APIEmbedField[] => {
  const about = [safe(pixKey.value.reveal(), KEY_LENGTH), withdraw.keyTypes[pixKey.type]];
  const named = [holderName, bankName].filter((name) => name !== undefined);
  const holder =
    holderName === undefined
      ? withdraw.holderUnknown
      : named.map((name) => safe(name, NAME_LENGTH)).join(" · ");
  const key = [...about, ...(keySaved ? [withdraw.keySaved] : [])].join(" · ");
  return [line(withdraw.key, `${key}\n${holder}`)];
};

const bullets = (name: string, items: readonly string[]): readonly APIEmbedField[] =>
  items.length === 0 ? [] : [line(name, items.map((item) => `• ${item}`).join("\n"))];

const oneUnderWay = (
  { phase, amount, plannedFor }: UnderWay,
  { withdraw, format }: WithdrawalTexts,
): string => {
  const shown = amount === undefined ? undefined : format.reais(amount);
  if (phase === "unread") return withdraw.oneUnread;
  const words = phase === "processing" ? withdraw.oneInProcessing : withdraw.oneScheduled;
  const planned = phase === "scheduled" && plannedFor !== undefined;
  return [words(shown), ...(planned ? [withdraw.until(fullAndRelative(plannedFor))] : [])].join(
    " ",
  );
};

const underWayLines = (all: readonly UnderWay[], texts: WithdrawalTexts): readonly string[] => {
  const shown = all.length > MOST_UNDER_WAY ? all.slice(0, MOST_UNDER_WAY - 1) : all;
  const left = all.length - shown.length;
  return [
    ...shown.map((each) => oneUnderWay(each, texts)),
    ...(left === 0 ? [] : [texts.withdraw.othersUnderWay(left)]),
  ];
};

/** Known reasons for which the service may refuse. The service decides. */
const serviceMayRefuse = (
  { underWay, recent, night }: Confirmation,
  texts: WithdrawalTexts,
): readonly string[] => {
  const { nextFromIfCounted, lastWasRecent } = texts.withdraw;
  const told = recent?.isUnpaid === true ? nextFromIfCounted : lastWasRecent;
  return [
    ...underWayLines(underWay, texts),
    ...(recent === undefined
      ? []
      : [told(fullAndRelative(recent.at), fullAndRelative(recent.allowedFrom))]),
    ...(night ? [texts.withdraw.night] : []),
  ];
};

const warningFields = (
  confirmation: Confirmation,
  texts: WithdrawalTexts,
): readonly APIEmbedField[] => {
  const { withdraw } = texts;
  const { askedTwice, pixKey, sentMeanwhile } = confirmation;
  const why = askedTwice.map((reason) => {
    if (reason === "suspect_key") return withdraw.suspect[pixKey.type];
    return reason === "new_key" && isAskedAgain(confirmation)
      ? withdraw.newKeyEndsSo(safe(pixKey.value.reveal().slice(-KEY_END), KEY_END))
      : withdraw.askedTwice[reason];
  });
  const doubtful = pixKey.type === "unknown" && !askedTwice.includes("suspect_key");
  const careful = [
    ...(sentMeanwhile ? [withdraw.sentMeanwhile] : []),
    ...(doubtful ? [withdraw.suspect[pixKey.type]] : []),
    ...serviceMayRefuse(confirmation, texts),
  ];
  return [...bullets(withdraw.whyTwice, why), ...bullets(withdraw.careful, careful)];
};

const LONGEST_PIN = 12;
/** Longest PIX key with room for blanks. */
const LONGEST_KEY = 100;

/** Asks whether eleven digits are a CPF or a phone number, rather than guess where money goes. */
export const keyQuestionView = ({ op, token, expiresAt }: KeyQuestion, locale: Locale): Reply => {
  const { withdraw } = withdrawalTexts(locale);
  const until = withdraw.validUntil(hourOnly(expiresAt), relativeTime(expiresAt));
  const shown = reply(
    { title: withdraw.questionTitle, description: `${withdraw.questionText}\n${until}` },
    buttonRow(
      { id: withdrawIds.cpf(token), label: withdraw.isCpf, style: "primary" },
      { id: withdrawIds.phone(token), label: withdraw.isPhone, style: "primary" },
      { id: withdrawIds.abandon(token), label: withdraw.giveUp, style: "secondary" },
    ),
  );
  return { ...shown, live: liveOf(op) };
};

/** The form for the PIN; submitting it confirms. `field` is the field id that the handler reads. */
export const pinModal = (token: string, field: string, locale: Locale): Modal => {
  const { withdraw } = withdrawalTexts(locale);
  return modal({
    customId: withdrawIds.confirm(token),
    title: withdraw.pinTitle,
    fields: [
      {
        id: field,
        label: withdraw.pinLabel,
        placeholder: withdraw.pinPlaceholder,
        maxLength: LONGEST_PIN,
        required: true,
      },
    ],
  });
};

/** Fields of the form, fixed by the outside contract. */
export const WITHDRAW_FIELDS = {
  amount: "valor",
  savedKey: "guardada",
  key: "chave",
  speed: "modalidade",
} as const;

/** The form that asks for a withdrawal. What it asks passes through the same checks and questions as `/saque`. */
export const withdrawForm = (savedKeys: readonly Suggestion[], locale: Locale): Modal => {
  const { withdraw } = withdrawalTexts(locale);
  const { form } = withdraw;
  const hasSaved = savedKeys.length > 0;
  return modal({
    customId: withdrawIds.asked,
    title: form.title,
    fields: [
      {
        id: WITHDRAW_FIELDS.amount,
        label: form.amount,
        placeholder: form.amountHint,
        maxLength: LONGEST_AMOUNT,
        required: true,
      },
      ...(hasSaved
        ? [
            {
              id: WITHDRAW_FIELDS.savedKey,
              label: form.savedKey,
              required: false,
              options: savedKeys
                .slice(0, limits.selectOptions)
                .map(({ name, value }) => ({ label: name, value, chosen: false })),
            },
          ]
        : []),
      {
        id: WITHDRAW_FIELDS.key,
        label: hasSaved ? form.otherKey : withdraw.key,
        placeholder: form.keyHint,
        maxLength: LONGEST_KEY,
        required: !hasSaved,
      },
      {
        id: WITHDRAW_FIELDS.speed,
        label: form.speed,
        required: true,
        options: (["normal", "turbo"] as const).map((value) => ({
          value,
          label: form.speeds[value],
          chosen: value === "normal",
        })),
      },
    ],
  });
};

export const abandonedView = (op: WithdrawOp, locale: Locale): Reply => {
  const { withdraw, refund } = withdrawalTexts(locale);
  const [title, description] = {
    own: [withdraw.abandoned, withdraw.abandonedText] as const,
    cancel: [withdraw.cancelAbandoned, withdraw.cancelAbandonedText] as const,
    refund: [refund.abandoned, withdraw.abandonedText] as const,
  }[wordedAs(op)];
  return reply({ title, description }, redoButtons(op, withdraw));
};

/** Replaces an expired question. */
export const expiredView = (op: WithdrawOp, locale: Locale): Reply => {
  const { withdraw, refundOutcomes } = withdrawalTexts(locale);
  const description = {
    own: withdraw.expiredText,
    cancel: withdraw.cancelExpiredText,
    refund: refundOutcomes.expiredText,
  }[wordedAs(op)];
  return reply({ title: withdraw.expired, description }, redoButtons(op, withdraw));
};

export const keyKeptView = (masked: string, locale: Locale): Reply => {
  const { withdraw } = withdrawalTexts(locale);
  return reply({
    title: withdraw.keyKept,
    description: withdraw.keyKeptText,
    fields: [line(withdraw.key, safe(masked, CODE_LENGTH))],
  });
};
