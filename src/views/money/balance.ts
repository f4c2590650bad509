import type { APIEmbedField } from "discord-api-types/v10";
import type { BalanceView } from "../../domain/withdraw-facts.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import { MINIMUM_WITHDRAWAL, type WithdrawQuote } from "../../domain/withdraw-quote.ts";
import type { ListedWithdrawal } from "../../domain/withdrawal.ts";
import { type Cents, formatReais } from "../../shared/money.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import { buttonRow } from "../components.ts";
import { inline, line } from "../embed.ts";
import { reply, type Reply } from "../reply.ts";
import { safe } from "../safe.ts";
import { fullAndRelative } from "../timestamp.ts";
import { questionBeside } from "./restore-question.ts";
import { withdrawIds } from "./withdraw-ids.ts";
import { serviceStateInWords, stateInWords, together } from "./withdrawal-words.ts";

const MOST_ELSEWHERE = 3;
const TXID_LENGTH = 64;

export interface BalanceFacts extends BalanceView {
  readonly locale: Locale;
}

const openLine = (op: WithdrawOp, texts: Texts): string => {
  const { balance } = texts;
  const amount = op.amount === undefined ? undefined : formatReais(op.amount);
  const planned =
    op.state === "scheduled" && op.scheduledFor !== undefined
      ? balance.planned(fullAndRelative(op.scheduledFor))
      : undefined;
  return together(`**${op.id}**`, amount, stateInWords(op, texts), planned);
};

const elsewhereLine = (listed: ListedWithdrawal, texts: Texts): string => {
  const { txid, amount, status } = listed;
  return together(
    amount === undefined ? undefined : `**${formatReais(amount)}**`,
    status === undefined ? undefined : serviceStateInWords(status, texts),
    safe(txid, TXID_LENGTH),
    texts.balance.elsewhere,
  );
};

const onTheWay = ({ open, elsewhereOpen }: BalanceFacts, texts: Texts): string => {
  const { balance } = texts;
  const own = open === undefined ? [] : [openLine(open, texts)];
  if (elsewhereOpen === undefined) {
    const ours = own.length === 0 ? [balance.nothingOfOurs] : own;
    return [...ours, balance.elsewhereUnread].join("\n");
  }
  const shown = elsewhereOpen.slice(0, MOST_ELSEWHERE).map((each) => elsewhereLine(each, texts));
  const left = elsewhereOpen.length - shown.length;
  const lines = [...own, ...shown, ...(left === 0 ? [] : [balance.elsewhereMore(left)])];
  return lines.length === 0 ? balance.nothingOnTheWay : lines.join("\n");
};

const nextInWords = (facts: BalanceFacts, { balance }: Texts): string => {
  const { open, allowedFrom, locked, problems } = facts;
  if (locked) return balance.nextLocked;
  if (open?.state === "unknown" || open?.state === "manual") return balance.nextUnclear;
  const from =
    allowedFrom === undefined ? undefined : balance.nextFrom(fullAndRelative(allowedFrom));
  if (open !== undefined) return [balance.nextAfterOpen, ...(from ? [from] : [])].join(" ");
  const unsure = problems.length > 0 || facts.elsewhereOpen === undefined;
  return [from ?? balance.nextNow, ...(unsure ? [balance.nextUnsure] : [])].join(" ");
};

const quoteFields = ({ balance: read, quotes }: BalanceFacts, texts: Texts): APIEmbedField[] => {
  const { balance } = texts;
  if (quotes === undefined) {
    const why =
      read === undefined
        ? balance.quoteUnknown
        : balance.belowMinimum(formatReais(MINIMUM_WITHDRAWAL));
    return [line(balance.all, why)];
  }
  const words = ({ net, fee }: WithdrawQuote): string =>
    balance.quote(formatReais(net), formatReais(fee));
  return [
    inline(balance.allNormal, `${words(quotes.normal)}, ${balance.withinDay}`),
    inline(balance.allTurbo, `${words(quotes.turbo)}, ${balance.atOnce}`),
  ];
};

/** What is there, what is held apart, what is on its way and what could leave: nothing is subtracted from anything. */
export const balanceView = (facts: BalanceFacts): Reply => {
  const { balance: read, frozen, open, question, problems, readAt } = facts;
  const texts = textsFor(facts.locale);
  const { balance, walletErrors, withdrawals } = texts;
  const beside = questionBeside(question, texts);
  const whys = [...new Set(problems)].map((kind) => `${walletErrors[kind].title}.`);
  const frozenNote = frozen === undefined || frozen === 0 ? "" : `\n${balance.frozenNote}`;
  const shown = (amount: Cents | undefined): string =>
    amount === undefined ? balance.notKnown : `**${formatReais(amount)}**`;
  return reply(
    {
      tone: problems.length === 0 && question === undefined ? "accent" : "warning",
      title: balance.title,
      fields: [
        inline(balance.available, shown(read?.available)),
        inline(balance.frozen, shown(frozen) + frozenNote),
        line(balance.onTheWay, onTheWay(facts, texts)),
        ...(question === undefined ? [line(balance.next, nextInWords(facts, texts))] : []),
        ...beside.fields,
        ...quoteFields(facts, texts),
        ...(whys.length === 0 ? [] : [line(balance.problems, whys.join("\n"))]),
        line(balance.readAt, fullAndRelative(readAt)),
      ],
    },
    ...(open === undefined
      ? []
      : [
          buttonRow({
            id: withdrawIds.status(open.id),
            label: withdrawals.openThis(open.id),
            style: "secondary",
          }),
        ]),
    ...beside.rows,
  );
};
