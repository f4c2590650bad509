import type { APIEmbedField } from "discord-api-types/v10";
import { MINIMUM_WITHDRAWAL, quoteOf, type WithdrawQuote } from "../../domain/withdraw-quote.ts";
import type { Confirmation } from "../../domain/withdraw-facts.ts";
import { formatReais } from "../../shared/money.ts";
import type { UnderWay } from "../../domain/withdraw-limits.ts";
import { isTurbo } from "../../domain/withdraw-op.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import { inline, line } from "../embed.ts";
import { person } from "../mention.ts";
import { reply, type Reply } from "../reply.ts";
import { safe } from "../safe.ts";
import { fullAndRelative, hourOnly, relativeTime } from "../timestamp.ts";
import { confirmationButtons } from "./withdraw-buttons.ts";
import { subjectOf } from "./withdraw-subject.ts";

const NAME_LENGTH = 80;
/** Of the longest key that may be typed: the end of it is to be seen too. */
const KEY_LENGTH = 140;
const TXID_LENGTH = 100;
/** A person reads no more than these. */
const MOST_UNDER_WAY = 3;

type Words = Texts["withdraw"];

/** All that will happen, before it happens; the last confirmation says that the next click sends. */
export const confirmationView = (confirmation: Confirmation, locale: Locale): Reply => {
  const texts = textsFor(locale);
  const { withdraw } = texts;
  const fields = [
    ...moneyFields(confirmation, withdraw),
    ...keyFields(confirmation, withdraw),
    ...speedFields(confirmation, withdraw),
    ...timeFields(confirmation, withdraw),
    ...warningFields(confirmation, withdraw),
  ];
  const warns = fields.some(({ name }) => [withdraw.whyTwice, withdraw.careful].includes(name));
  return reply(
    {
      tone: warns ? "warning" : "accent",
      title: titleOf(confirmation, withdraw),
      description: descriptionOf(confirmation, withdraw),
      fields,
    },
    confirmationButtons(confirmation, withdraw),
  );
};

const stepOf = ({ askedTwice, confirmationsLeft }: Confirmation): 1 | 2 | undefined => {
  if (confirmationsLeft > 1) return 1;
  return askedTwice.length > 0 ? 2 : undefined;
};

const titleOf = (confirmation: Confirmation, withdraw: Words): string => {
  const subject = subjectOf(confirmation.op);
  const step = stepOf(confirmation);
  if (step === undefined) return withdraw.titles[subject];
  return withdraw.step((step === 1 ? withdraw.titles : withdraw.titlesAgain)[subject], step);
};

const whatGoes = ({ op, available }: Confirmation, withdraw: Words): string => {
  if (op.kind === "cancel") return withdraw.cancelText;
  if (op.amount === undefined) return withdraw.splitAll(person(op.recipientId ?? ""));
  const amount = formatReais(op.amount);
  return op.amount === available ? withdraw.readAll(amount) : withdraw.readAmount(amount);
};

const descriptionOf = (confirmation: Confirmation, withdraw: Words): string => {
  const step = stepOf(confirmation);
  const firstOrSecond = step === 1 ? withdraw.firstClick : withdraw.secondClick;
  const { expiresAt } = confirmation;
  return [
    whatGoes(confirmation, withdraw),
    step === undefined ? withdraw.onlyClick : firstOrSecond,
    withdraw.validUntil(hourOnly(expiresAt), relativeTime(expiresAt)),
  ].join("\n");
};

const moneyFields = (
  { op, quotes, lastSplitBalance }: Confirmation,
  withdraw: Words,
): readonly APIEmbedField[] => {
  if (op.kind === "cancel") {
    const amount = op.amount === undefined ? [] : [inline(withdraw.amount, formatReais(op.amount))];
    return [...amount, line(withdraw.target, safe(op.targetTxid ?? "", TXID_LENGTH))];
  }
  if (quotes !== undefined) {
    const { gross, fee, net } = quotes.chosen;
    return [
      inline(withdraw.amount, formatReais(gross)),
      inline(withdraw.fee, formatReais(fee)),
      inline(withdraw.net, `**${formatReais(net)}**`),
    ];
  }
  const known =
    lastSplitBalance === undefined
      ? withdraw.noLastBalance
      : withdraw.lastBalanceAt(
          formatReais(lastSplitBalance.balance),
          fullAndRelative(lastSplitBalance.at),
        );
  return [line(withdraw.lastBalance, known)];
};

const keyFields = (
  { op, pixKey, keySaved, holderName, bankName }: Confirmation,
  withdraw: Words,
): readonly APIEmbedField[] => {
  if (op.kind === "cancel") return [];
  const about = [safe(pixKey.value.reveal(), KEY_LENGTH), withdraw.keyTypes[pixKey.type]];
  const named = [holderName, bankName].filter((name) => name !== undefined);
  const holder =
    holderName === undefined
      ? withdraw.holderUnknown
      : named.map((name) => safe(name, NAME_LENGTH)).join(" · ");
  return [
    line(withdraw.key, [...about, ...(keySaved ? [withdraw.keySaved] : [])].join(" · ")),
    line(withdraw.holder, holder),
  ];
};

const speedField = (
  quote: WithdrawQuote,
  chosen: boolean,
  known: boolean,
  withdraw: Words,
): APIEmbedField => {
  const name = quote.turbo ? "turbo" : "normal";
  const speed = withdraw.speeds[name];
  const lines = [
    ...(known ? [withdraw.arrives(formatReais(quote.net))] : []),
    withdraw.feeOf(formatReais(quote.fee)),
    withdraw.when[name],
  ];
  return inline(chosen ? withdraw.chosen(speed) : speed, lines.join("\n"));
};

/** Both speeds side by side, the chosen one first. */
const speedFields = ({ op, quotes }: Confirmation, withdraw: Words): readonly APIEmbedField[] => {
  if (op.kind === "cancel") return [];
  const turbo = isTurbo(op.kind);
  const chosen = quotes?.chosen ?? quoteOf(MINIMUM_WITHDRAWAL, turbo);
  const other = quotes?.other ?? quoteOf(MINIMUM_WITHDRAWAL, !turbo);
  const known = quotes !== undefined;
  return [speedField(chosen, true, known, withdraw), speedField(other, false, known, withdraw)];
};

const timeFields = (
  { op, nextAllowedAt }: Confirmation,
  withdraw: Words,
): readonly APIEmbedField[] =>
  op.kind === "cancel"
    ? []
    : [line(withdraw.nextOne, withdraw.nextFrom(fullAndRelative(nextAllowedAt)))];

const bullets = (name: string, items: readonly string[]): readonly APIEmbedField[] =>
  items.length === 0 ? [] : [line(name, items.map((item) => `• ${item}`).join("\n"))];

const oneUnderWay = ({ phase, amount, plannedFor }: UnderWay, withdraw: Words): string => {
  const shown = amount === undefined ? undefined : formatReais(amount);
  if (phase === "unread") return withdraw.oneUnread;
  const words = phase === "processing" ? withdraw.oneInProcessing : withdraw.oneScheduled;
  const planned = phase === "scheduled" && plannedFor !== undefined;
  return [words(shown), ...(planned ? [withdraw.until(fullAndRelative(plannedFor))] : [])].join(
    " ",
  );
};

/** What the service may refuse it for, as far as is known: the service decides. */
const serviceMayRefuse = (
  { underWay, recent, night }: Confirmation,
  withdraw: Words,
): readonly string[] => [
  ...underWay.slice(0, MOST_UNDER_WAY).map((each) => oneUnderWay(each, withdraw)),
  ...(recent === undefined
    ? []
    : [withdraw.lastWasRecent(fullAndRelative(recent.at), fullAndRelative(recent.allowedFrom))]),
  ...(night ? [withdraw.night] : []),
];

const warningFields = (confirmation: Confirmation, withdraw: Words): readonly APIEmbedField[] => {
  const { op, askedTwice, pixKey, sentMeanwhile } = confirmation;
  const why = askedTwice.map((reason) =>
    reason === "suspect_key" ? withdraw.suspect[pixKey.type] : withdraw.askedTwice[reason],
  );
  if (op.kind === "cancel") return bullets(withdraw.whyTwice, why);
  const doubtful =
    (pixKey.suspect || pixKey.type === "unknown") && !askedTwice.includes("suspect_key");
  const careful = [
    ...(sentMeanwhile ? [withdraw.sentMeanwhile] : []),
    ...(doubtful ? [withdraw.suspect[pixKey.type]] : []),
    ...serviceMayRefuse(confirmation, withdraw),
  ];
  return [...bullets(withdraw.whyTwice, why), ...bullets(withdraw.careful, careful)];
};
