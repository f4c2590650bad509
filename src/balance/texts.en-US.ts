import { format } from "../ui/format.en-US.ts";
import type { balance as portuguese } from "./texts.pt-BR.ts";

const sum = (amount: string | undefined, count: number, one: string, many: string): string => {
  if (count === 1) return `${amount ?? "A withdrawal"} is ${one}`;
  const all = amount === undefined ? "" : `, ${amount} in all`;
  return `${count} withdrawals are ${many}${all}`;
};
const ended = (count: number): string => (count === 1 ? "it has ended" : "they have ended");

/** `/saldo`: balance, incoming money, and the amount that can be withdrawn. */
export const balance: typeof portuguese = {
  title: (available) => `${available} available`,
  unknown: "Balance: not known now",
  frozen: (amount) => `**${amount}** on hold for MEDs, not counted in what is available.`,
  unanswered: (count, overdue, until) => {
    const needed = (those: number): string =>
      those === 1 ? "1 MED needs your answer" : `${those} MEDs need your answer`;
    if (until === undefined)
      return `⏰ ${count} ${count === 1 ? "MED" : "MEDs"} overdue without an answer.`;
    const open = count - overdue;
    const late = overdue === 0 ? "" : `; ${overdue} more ${overdue === 1 ? "is" : "are"} overdue`;
    return `⏰ ${needed(open)}${open === 1 ? "" : ", the first"} by ${until}${late}.`;
  },
  since: {
    yesterday: "Today, since 9:00 PM yesterday (Brasília)",
    today: "Since 9:00 PM today (Brasília)",
  },
  today: (since, amount, count, at) =>
    `${since}: **${amount}** from ${count === 1 ? "1 sale" : `${format.count(count)} sales`} (read ${at}).`,
  unreadToday: (since) => `${since}: I have not read the sales yet. Press **Sales** to see them.`,
  nothingToday: (since, at) => `${since}: no sales yet (read ${at}).`,
  frozenUnknown: "How much is on hold for MEDs is not known now.",
  onTheWay: "In progress",
  elsewhereUnread:
    "I could not read the service's list: a withdrawal made elsewhere may be under way.",
  elsewhereMore: (count) => `And ${count} more, in \`/saques\`.`,
  nextElsewhere:
    "`/saque` is not switched on in this bot yet: for now, withdraw on the service's dashboard.",
  nextLocked: "You locked withdrawals. To unlock: `/seguranca`.",
  nextSending: "A withdrawal is being sent right now: wait for the service's answer.",
  nextUnclear:
    "A new withdrawal only once it is known whether the last one was made: see `/saques`.",
  nextUnclearByAnother:
    "A new withdrawal only once it is known whether the last one, which another person on this account asked for, was made. If that person has no key of the account any more, `/saque` in the server asks you.",
  nextBelowMinimum: (minimum) =>
    `You can't withdraw yet: the minimum is ${minimum}, before the fee.`,
  nextCapReached: (cap, at) =>
    at === undefined
      ? `Your limit of ${cap} in 24 hours is used up.`
      : `Your limit of ${cap} in 24 hours is used up: it frees up ${at}.`,
  nextUpTo: (left) => `Under your 24-hour limit, ${left} is still left.`,
  nextAfterProcessing: (amount, count) =>
    `🕐 ${sum(amount, count, "on its way", "under way")}; the next, as far as I know, only after ${ended(count)}.`,
  nextBesideScheduled: (amount, count) =>
    `🕐 ${sum(amount, count, "scheduled", "scheduled")}; I do not know whether the service takes another before ${ended(count)}.`,
  nextBesideUnread: (count) =>
    count === 1
      ? "There is a withdrawal that the service accepted and whose end I cannot read; the service may refuse another until it has ended."
      : `There are ${count} withdrawals that the service accepted and whose end I cannot read; the service may refuse another until they have ended.`,
  nowFor: (normal, turbo) =>
    `✅ You can withdraw now: you receive **${normal}** (normal, within 24 hours) or **${turbo}** (turbo, at once).`,
  direct: "To withdraw, run `/saque` in the server.",
  nextFrom: (last, at) =>
    `The last withdrawal was on ${last}; as far as I know, a new one is accepted from ${at}.`,
  nextUnread:
    "I don't know whether you can withdraw now: I could not read everything. The service decides.",
  nextUnsure: "I could not read everything, so the service may say otherwise.",
  withdraw: "Withdraw",
  sales: "Sales",
  disputes: (count) => (count === 0 ? "MEDs" : `MEDs (${count})`),
  withdrawals: "Withdrawals",
  problems: "I could not read everything",
};
