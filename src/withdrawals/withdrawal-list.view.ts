import type { APIEmbedField } from "discord-api-types/v10";
import { isPlainId } from "../shared/ids.ts";
import type { WithdrawalList } from "./withdraw-facts.ts";
import type { WithdrawOp, WithdrawState } from "./withdraw-op.ts";
import type { ListedWithdrawal, UnclaimedWithdrawal } from "./withdrawal.ts";
import { sortedNewestFirst } from "../shared/time.ts";
import type { Locale } from "../shared/locale.ts";
import { type WithdrawalTexts, withdrawalTexts } from "./texts.ts";
import { reply, type Reply, selectRow, type Suggestion } from "../ui/reply.ts";
import { firstLines, limits, line, supportCodeFields } from "../ui/embed.ts";
import { fullAndRelative, person, safe, together, TXID_LENGTH } from "../ui/format.ts";
import { questionBeside } from "./restore/restore-question.view.ts";
import { withdrawalIds } from "./withdraw-buttons.view.ts";
import {
  amountAndKind,
  listedChoice,
  listedLine,
  opChoice,
  stateWithIcon,
  whyUnread,
} from "./withdrawal-fields.view.ts";

const MOST_OPS = 8;
const MOST_ELSEWHERE = 5;
/** Menu options reserved for withdrawals made outside the bot. */
const ELSEWHERE_CHOICES = 10;
const KEY_LENGTH = 80;

export interface WithdrawalListFacts extends WithdrawalList {
  readonly filter: WithdrawalFilter;
  readonly locale: Locale;
}

const target = (op: WithdrawOp): string | undefined => {
  if (op.recipientId !== undefined) return person(op.recipientId);
  if (op.targetTxid !== undefined) return safe(op.targetTxid, TXID_LENGTH);
  return op.pixKeyMasked === "" ? undefined : safe(op.pixKeyMasked, KEY_LENGTH);
};

const otherAccount = (
  op: WithdrawOp,
  { accountFp = op.accountFp }: WithdrawalListFacts,
  { withdrawals }: WithdrawalTexts,
): string | undefined => (op.accountFp === accountFp ? undefined : withdrawals.otherAccount);

const opField = (
  op: WithdrawOp,
  facts: WithdrawalListFacts,
  texts: WithdrawalTexts,
): APIEmbedField => {
  const name = together(op.id, ...amountAndKind(op, texts), otherAccount(op, facts, texts));
  const state = together(`**${stateWithIcon(op, texts)}**`, target(op));
  return line(name, `${state}\n${fullAndRelative(op.createdAt)}`);
};

const elsewhereField = (
  elsewhere: readonly UnclaimedWithdrawal[] | undefined,
  { problem, filter, supportCodes }: WithdrawalListFacts,
  texts: WithdrawalTexts,
): readonly APIEmbedField[] => {
  const { withdrawals } = texts;
  if (elsewhere === undefined) {
    const unread =
      problem === undefined
        ? withdrawals.elsewhereNoKey
        : withdrawals.elsewhereUnread(whyUnread(problem, texts));
    return [line(withdrawals.elsewhere, unread), ...supportCodeFields(supportCodes, texts)];
  }
  if (elsewhere.length === 0)
    return filter === "all" ? [line(withdrawals.elsewhere, withdrawals.elsewhereNone)] : [];
  const isMixed = elsewhere.some((row) => withdrawals.origin(row) !== undefined);
  const lines = elsewhere.map((row) =>
    listedLine(row, texts, isMixed ? (withdrawals.origin(row) ?? withdrawals.outside) : undefined),
  );
  const name = isMixed ? withdrawals.listed : withdrawals.elsewhere;
  return [line(name, firstLines(lines, withdrawals.elsewhereMore, MOST_ELSEWHERE))];
};

/** Menu options, each value once: Discord refuses a menu with a repeated value. */
const choicesOf = (
  ops: readonly WithdrawOp[],
  elsewhere: readonly UnclaimedWithdrawal[],
  facts: WithdrawalListFacts,
  texts: WithdrawalTexts,
): ReadonlyMap<string, string> => {
  const listed = elsewhere.filter(({ txid }) => isPlainId(txid));
  const room = limits.selectOptions - Math.min(listed.length, ELSEWHERE_CHOICES);
  const both = [
    ...ops
      .slice(0, room)
      .map((op) => [op.id, opChoice(op, texts, otherAccount(op, facts, texts))] as const),
    ...listed.map((each) => [each.txid, listedChoice(each, texts)] as const),
  ];
  return new Map([...new Map(both)].slice(0, limits.selectOptions));
};

const descriptionOf = (
  ops: number,
  elsewhere: number,
  filter: string,
  texts: WithdrawalTexts,
): string => {
  const { withdrawals } = texts;
  if (ops > MOST_OPS) return withdrawals.latest(MOST_OPS);
  if (ops > 0) return "";
  if (filter === "all") return `${withdrawals.empty} ${withdrawals.emptyHint}`;
  return elsewhere > 0 ? withdrawals.emptyHere : withdrawals.emptyFilter;
};

/** The owner's withdrawals: the journal's, then others that the service lists, with menus to filter and open them. */
export const withdrawalListView = (facts: WithdrawalListFacts): Reply => {
  const { filter, readAt, question, undelivered } = facts;
  const texts = withdrawalTexts(facts.locale);
  const { withdrawals } = texts;
  const ops = facts.ops.filter((op) => isShownOp(op, filter));
  const elsewhere =
    facts.elsewhere &&
    sortedNewestFirst(
      facts.elsewhere.filter((listed) => isShownElsewhere(listed, filter)),
      ({ requestedAt }) => requestedAt,
    );
  const beside = questionBeside(question, texts);
  const choices = choicesOf(ops, elsewhere ?? [], facts, texts);
  const options = [...choices].map(([value, label]) => ({ value, label, chosen: false }));
  const open = { id: withdrawalIds.open, placeholder: withdrawals.openPlaceholder, options };
  return reply(
    {
      title: withdrawals.listTitle,
      description: [
        filter === "all" && undelivered > 0 ? withdrawals.undelivered(undelivered) : "",
        descriptionOf(ops.length, elsewhere?.length ?? 0, filter, texts),
      ]
        .filter((each) => each !== "")
        .join("\n\n"),
      fields: [
        ...beside.fields,
        ...ops.slice(0, MOST_OPS).map((op) => opField(op, facts, texts)),
        ...elsewhereField(elsewhere, facts, texts),
      ],
      readAt,
    },
    selectRow({
      id: withdrawalIds.filter,
      placeholder: withdrawals.filterPlaceholder,
      options: withdrawalFilters.map((value) => ({
        value,
        label: withdrawals.filters[value],
        chosen: value === filter,
      })),
    }),
    ...(options.length === 0 ? [] : [selectRow(open)]),
    ...beside.rows,
  );
};

/** The journal's states of each filter, undefined for all; the service's of the same name are filtered alike. */
const shown = {
  all: undefined,
  ongoing: ["confirmed", "sending", "accepted", "processing"],
  scheduled: ["scheduled"],
  done: ["completed", "resolved_manual"],
  ended: [
    "failed",
    "cancelled",
    "rejected",
    "not_sent",
    "not_executed",
    "refused_local",
    "resolved_manual",
  ],
  unclear: ["unknown", "manual"],
} as const satisfies Readonly<Record<string, readonly WithdrawState[] | undefined>>;

export type WithdrawalFilter = keyof typeof shown;

export const withdrawalFilters = Object.keys(shown) as readonly WithdrawalFilter[];

/** States to ask the journal for; undefined for all. */
export const statesOf = (filter: WithdrawalFilter): readonly WithdrawState[] | undefined =>
  shown[filter];

/** An operation resolved by hand is filtered by the owner's decision. */
const isShownOp = ({ state, resolution }: WithdrawOp, filter: WithdrawalFilter): boolean => {
  const states = statesOf(filter);
  if (states === undefined) return true;
  if (state === "resolved_manual") return filter === (resolution === "happened" ? "done" : "ended");
  return states.includes(state);
};

/** A listed withdrawal without a state appears only under `all`. */
const isShownElsewhere = ({ status }: ListedWithdrawal, filter: WithdrawalFilter): boolean => {
  const states = statesOf(filter);
  return states === undefined || states.some((state) => state === status);
};

/** Operations as suggestions while an option is being typed. */
export const withdrawalChoices = (
  ops: readonly WithdrawOp[],
  locale: Locale,
): readonly Suggestion[] =>
  ops
    .slice(0, limits.selectOptions)
    .map((op) => ({ name: opChoice(op, withdrawalTexts(locale)), value: op.id }));
