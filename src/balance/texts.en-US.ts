import type { balance as portuguese } from "./texts.pt-BR.ts";

/** `/saldo`: balance, incoming money, and the amount that can be withdrawn. */
export const balance: typeof portuguese = {
  title: "Balance",
  available: "Available",
  frozen: "On hold for MEDs",
  frozenNote: "Already left out of the available amount.",
  notKnown: "not known now",
  onTheWay: "In progress",
  nothingOnTheWay: "Nothing.",
  nothingOfOurs: "Nothing that began here.",
  elsewhereUnread: "I could not read the service's list: one made elsewhere may be under way.",
  elsewhereMore: (count) => `And ${count} more, in \`/saques\`.`,
  elsewhere: "outside the bot",
  planned: (at) => `planned for ${at}`,
  next: "Next withdrawal",
  nextLocked: "Locked by you. To unlock: `/seguranca`.",
  nextSending: "One is being sent right now: wait for the service's answer.",
  nextUnclear: "Only once it is known whether the last one was made: see `/saques`.",
  nextBelowMinimum: (minimum) =>
    `The balance is too low for one yet: the minimum is ${minimum}, before the fee.`,
  nextCapReached: (cap, at) =>
    at === undefined
      ? `Your limit of ${cap} in 24 hours is used up.`
      : `Your limit of ${cap} in 24 hours is used up: it frees up ${at}.`,
  nextUpTo: (left) => `Under your 24-hour limit, up to ${left} now.`,
  nextAfterProcessing: (amount) =>
    amount === undefined
      ? "🕐 One is on its way; the next, as far as I know, only after it has ended."
      : `🕐 ${amount} is on its way; the next, as far as I know, only after it has ended.`,
  nextBesideScheduled: (amount) =>
    amount === undefined
      ? "🕐 One is scheduled; I do not know whether the service takes another before it has ended."
      : `🕐 ${amount} is scheduled; I do not know whether the service takes another before it has ended.`,
  nextBesideUnread:
    "There is one that the service accepted and whose end I cannot read; the service may refuse another until it has ended.",
  nextNow: "You can withdraw now.",
  nextFrom: (last, at) =>
    `The last one was ${last}; as far as I know, a new one is accepted from ${at}.`,
  nextUnread: "I do not know: I could not read everything now. The service decides.",
  nextUnsure: "I could not read everything, so the service may say otherwise.",
  allNormal: "Withdrawing all (normal)",
  allTurbo: "Withdrawing all (turbo)",
  quote: (net, fee) => `you receive **${net}**\nfee ${fee}`,
  withinDay: "within 24 hours",
  atOnce: "at once",
  all: "If you withdraw all of it",
  quoteUnknown: "Without the balance I cannot say.",
  problems: "I could not read everything",
};
