import type { APIEmbedField } from "discord-api-types/v10";
import { allowedFrom } from "../../domain/withdraw-limits.ts";
import { wasTaken, type WithdrawState } from "../../domain/withdraw-op.ts";
import type { Texts } from "../../texts/texts.ts";
import { inline, line } from "../embed.ts";
import { person } from "../mention.ts";
import { plainLine } from "../plain-line.ts";
import { safe } from "../safe.ts";
import { fullAndRelative } from "../timestamp.ts";
import { refusalInTitle, type StoryFacts } from "./withdraw-story.ts";
import { subjectOf } from "./withdraw-subject.ts";

const NAME_LENGTH = 80;
const QUOTE_LENGTH = 200;
const CODE_LENGTH = 100;

/** Where somebody may have to ask the service's support. */
const NEEDS_SUPPORT: ReadonlySet<WithdrawState> = new Set([
  "rejected",
  "unknown",
  "manual",
  "failed",
]);

/** An instant, when there is one. */
const when = (name: string, at: Temporal.Instant | undefined): readonly APIEmbedField[] =>
  at === undefined ? [] : [line(name, fullAndRelative(at))];

/** The facts of an operation as far as they are known; text of the service is quoted. */
export const storyFields = (facts: StoryFacts, texts: Texts): readonly APIEmbedField[] => [
  ...moneyFields(facts, texts),
  ...splitFields(facts, texts),
  ...placeFields(facts, texts),
  ...reasonFields(facts, texts),
  ...timeFields(facts, texts),
  ...codeFields(facts, texts),
];

const moneyFields = (
  { op, withdrawal }: StoryFacts,
  { withdrawOutcomes: words, format }: Texts,
): readonly APIEmbedField[] => {
  const gross = withdrawal?.amount ?? op.amount;
  const amount = gross === undefined ? [] : [inline(words.amount, format.reais(gross))];
  const fee = withdrawal?.fee ?? op.fee;
  const net = withdrawal?.net ?? op.net;
  if (op.kind === "cancel" || !wasTaken(op.state) || fee === undefined || net === undefined)
    return amount;
  const label = op.state === "completed" ? words.net.arrived : words.net.coming;
  return [
    ...amount,
    inline(words.fee, format.reais(fee)),
    inline(label, `**${format.reais(net)}**`),
  ];
};

const splitFields = (
  { op, sent }: StoryFacts,
  { withdraw, withdrawOutcomes: words, errorLabels, format }: Texts,
): readonly APIEmbedField[] => {
  if (op.recipientId === undefined) return [];
  const { previousSplitBalance: before, newSplitBalance: after } = sent ?? {};
  const shortfall = sent?.rejected?.shortfall;
  return [
    line(withdraw.recipient, person(op.recipientId)),
    ...(before === undefined || after === undefined
      ? []
      : [
          line(words.splitBalance, words.beforeAndAfter(format.reais(before), format.reais(after))),
        ]),
    ...(shortfall === undefined
      ? []
      : [
          inline(words.splitBalance, format.reais(shortfall.available)),
          inline(errorLabels.minimum, format.reais(shortfall.minimum)),
        ]),
  ];
};

const placeFields = (
  { op, withdrawal, sent }: StoryFacts,
  { withdraw }: Texts,
): readonly APIEmbedField[] => {
  if (op.kind === "cancel") return [];
  const holder = withdrawal?.accountHolder ?? sent?.pixKeyOwner;
  const names = [holder, withdrawal?.bankName].filter((name) => name !== undefined);
  return [
    line(withdraw.key, safe(op.pixKeyMasked, CODE_LENGTH)),
    ...(names.length === 0
      ? []
      : [line(withdraw.holder, names.map((name) => safe(name, NAME_LENGTH)).join(" · "))]),
  ];
};

const reasonFields = (
  facts: StoryFacts,
  { withdrawOutcomes: words }: Texts,
): readonly APIEmbedField[] => {
  const { op, withdrawal, sent } = facts;
  const message = sent?.rejected?.message;
  if (op.state === "rejected" && message !== undefined)
    return refusalInTitle(facts) !== undefined || plainLine(message, QUOTE_LENGTH) === ""
      ? []
      : [line(words.serviceSaid, safe(message, QUOTE_LENGTH))];
  if (op.state !== "failed" || op.kind === "cancel") return [];
  const next = line(words.whatToDo, words.failedNext);
  if (withdrawal === undefined) return [next];
  const quoted = [withdrawal.failReason, withdrawal.errorCode]
    .filter((text) => text !== undefined)
    .map((text) => safe(text, QUOTE_LENGTH));
  return [line(words.reason, quoted.length === 0 ? words.noReason : quoted.join(" · ")), next];
};

const timeFields = (
  { op, withdrawal, readAt }: StoryFacts,
  { withdrawOutcomes: words }: Texts,
): readonly APIEmbedField[] => {
  if (op.kind === "cancel") return [];
  const waits = op.state === "accepted" || op.state === "scheduled" || op.state === "processing";
  const ended = op.state === "completed" ? withdrawal?.completedAt : undefined;
  const failed = op.state === "failed" ? withdrawal?.failedAt : undefined;
  const next =
    readAt !== undefined && wasTaken(op.state) && subjectOf(op) === "own"
      ? allowedFrom(op.sentAt, readAt)
      : undefined;
  return [
    ...(waits ? when(words.plannedFor, op.scheduledFor ?? withdrawal?.scheduledFor) : []),
    ...(op.state === "unknown" || op.state === "manual" ? when(words.sentAt, op.sentAt) : []),
    ...when(words.completedAt, ended),
    ...when(words.failedAt, failed),
    ...(next === undefined ? [] : [line(words.nextOne, words.nextFrom(fullAndRelative(next)))]),
  ];
};

const codeFields = (
  { op }: StoryFacts,
  { withdrawOutcomes: words, errorLabels }: Texts,
): readonly APIEmbedField[] => {
  const txid = op.txid ?? op.targetTxid;
  return [
    inline(words.code, safe(op.id, CODE_LENGTH)),
    ...(txid === undefined ? [] : [inline(words.txid, safe(txid, CODE_LENGTH))]),
    ...(NEEDS_SUPPORT.has(op.state) && op.requestId !== undefined
      ? [line(errorLabels.supportCode, safe(op.requestId, CODE_LENGTH))]
      : []),
  ];
};
