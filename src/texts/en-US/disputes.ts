import type { disputes as portuguese } from "../pt-BR/disputes.ts";
import { format } from "./format.ts";

const opened = (count: number): string =>
  count === 1 ? "1 MED opened" : `${format.count(count)} MEDs opened`;

const approved = (count: number): string =>
  count === 1 ? "1 approved sale" : `${format.count(count)} approved sales`;

export const disputes: typeof portuguese = {
  states: {
    needs_answer: "Needs your answer",
    overdue: "Deadline passed: it may be accepted automatically",
    defended: "Defended: waiting for the bank",
    conceded: "You accepted the claim: waiting for the money to go back",
    lost: "Lost: returned to the payer",
    won: "Won: amount released",
    cancelled: "Cancelled",
    other: "A state that I do not know",
  },
  explained: {
    needs_answer:
      "The payer disputes this payment, and its net amount is on hold. **Answer in the service's dashboard before the deadline**: I cannot answer from here.",
    overdue:
      "The deadline passed without your answer, and the service may accept the claim by itself. Check its dashboard to see whether you can still answer.",
    defended:
      "You defended the sale. The bank decides now, and the net amount stays on hold until then.",
    conceded: "You accepted the claim. The amount goes back to the payer.",
    lost: "The bank accepted the claim: the amount was returned to the payer.",
    won: "The bank rejected the claim: the amount was released to you.",
    cancelled: "The claim was cancelled.",
    other:
      "The service used a word that I do not know. It is shown as it came: check its dashboard.",
  },
  filters: {
    all: "All",
    answer: "Need an answer or are overdue",
    bank: "With the bank",
    won: "Won",
    lost: "Lost",
    cancelled: "Cancelled",
  },
  unread: "I could not read this one now",

  title: "MEDs (PIX disputes)",
  none: "No MEDs on this account.",
  noneAwaiting: "No MED awaits your answer.",
  awaiting: (count) =>
    count === 1 ? "**1 MED awaits your answer.**" : `**${count} MEDs await your answer.**`,
  awaitingAtLeast: (count) =>
    count === 1
      ? "**At least 1 MED awaits your answer.**"
      : `**At least ${count} MEDs await your answer.**`,
  nextDue: (at) => `The first deadline is ${at}.`,
  emptyFilter: "None of this kind. The menu has the others.",
  page: (page, pages, found) => `Page ${page} of ${pages}, ${found} MEDs.`,
  bySeller: "By your answer",
  bySellerText: (counts) =>
    `Not answered: **${counts.pending}**${counts.decided === 0 ? "" : ` (${counts.decided} already decided by the bank)`}\nYou defended: ${counts.disagreed}\nYou accepted the claim: ${counts.agreed}\nCancelled: ${counts.canceled}\nTotal: ${counts.total}`,
  byBank: "By the bank's decision",
  byBankText: (counts) =>
    `Undecided: ${counts.pending}\nWon: ${counts.rejected}\nLost: ${counts.accepted}`,
  money: "Amounts",
  moneyText: (frozen, lost) =>
    `On hold now: **${frozen}**\n(no longer in the available balance)\nLost so far: ${lost}`,
  summaryUnread: (why) => `I could not read the service's summary now.${why}`,
  listUnread: (why) =>
    `**I could not read the service's list of MEDs now.**${why} Some may be missing here. If you have the code of one, open it with \`/meds infracao:\`, and I will follow its deadline from then on.`,
  listUnreadKept: "Below are those that I was already following.",
  unlisted: (count) =>
    count === 1
      ? "The summary counts 1 MED that the service's list does not show. Take its code from the service's dashboard and open it with `/meds infracao:`."
      : `The summary counts ${count} MEDs that the service's list does not show. Take their codes from the service's dashboard and open each with \`/meds infracao:\`.`,
  partly: "I could not read everything",
  due: (at) => `due ${at}`,
  wasDue: (at) => `was due ${at}`,
  filterPlaceholder: "Show only…",
  openPlaceholder: "Open a MED",
  previous: "Previous",
  next: "Next",
  rateButton: "30-day rate (takes a moment)",
  seeAll: "See all",
  agenda: "Calendar",

  detailTitle: "MED",
  infraction: "Dispute",
  txid: "Disputed txid",
  amount: "Amount",
  frozen: "On hold (the net amount)",
  net: "Net amount of the sale",
  deadline: "Deadline to answer",
  state: "State",
  status: "Your answer",
  statuses: {
    pending: "None yet",
    agreed: "You accepted the claim",
    disagreed: "You defended the sale",
    canceled: "Cancelled",
  },
  analysis: "The bank's decision",
  analyses: {
    pending: "None yet",
    accepted: "Accepted the claim",
    rejected: "Rejected the claim",
  },
  situation: "Kind",
  situations: { FRAUDE: "Fraud", ERRO: "Error" },
  description: "What the payer claims",
  payer: "Payer",
  payerText: (name, taxId) => `${name} · document ${taxId}`,
  answer: "Answer that was sent",
  notAnswered: "none yet",
  unanswered: "You did not answer",
  refund: "Refund",
  noRefund: "none",
  refundUntold: "Paid back (no details from the service)",
  dates: "Dates",
  contestedAt: "Disputed on",
  answeredAt: "Answered on",
  resolvedAt: "Decided on",
  createdAt: "Opened at the service on",
  sale: "Disputed sale",
  saleMissing:
    "The service does not show the sale: it did not find it, or it went through a special channel.",
  saleOrigins: { api: "Sale by API", esales: "Sale by eSales" },
  saleMoney: (amount, fee, net) => `${amount}, fee ${fee}, net **${net}**`,
  saleTxid: (txid) => `Txid of the sale: ${txid}`,
  saleStatus: (status) => `State: ${status}`,
  saleStatuses: { pending: "pending", approved: "approved", refunded: "refunded" },
  saleDescription: (text) => `Description: ${text}`,
  saleProduct: (text) => `Product: ${text}`,
  saleBuyer: (text) => `Buyer: ${text}`,
  saleCreatedAt: (at) => `Made on ${at}`,
  followed: "I follow this MED and will remind you before the deadline, if your alerts are on.",
  followedOverdue:
    "I follow this MED and will tell you when something changes, if your alerts are on.",
  followedMuted:
    "You said that you have answered, and the service does not show the answer yet. The reminders of this deadline are stopped.",
  followedSnoozed: (until) => `The reminders of this MED are snoozed until ${until}.`,
  notSaid: "the service does not say",

  rateTitle: "MED rate",
  rateText: ({ rate, disputes, sales, from, to }) =>
    `**${rate}**: ${opened(disputes)} from ${from} to ${to}, against ${approved(sales)} in the same 30 days.`,
  rateHow:
    "The days are the service's (UTC), all of them over. Cancelled MEDs do not count, nor do refunded sales.",
  rateUnknown: "I cannot work out the rate",
  rateWhy: {
    list: "I could not read the whole list of MEDs, and part of it would show a lower rate than the true one.",
    dates: "The service does not say when all of them were opened.",
    sales: "I could not read the sales of all 30 days. Try again in a few minutes.",
    no_sales: "There was no approved sale in the last 30 days.",
  },

  calendarReply: (alarms) => {
    const file = "The deadline is in the file: open it to put it into your calendar";
    if (alarms.length === 0) return `${file}. It has no reminders: their time has passed.`;
    const hours = format.list(alarms.map(String));
    return `${file}, with ${alarms.length === 1 ? "a reminder" : "reminders"} ${hours} hours before.`;
  },
  calendarSummary: (amount) => `Deadline of the MED (PIX dispute) of ${amount}`,
  calendarState: (state) => `State when this file was made: ${state}`,
  calendarHow: "The answer is given in the payment service's dashboard.",
  calendarAlarm: (hours) => `${hours} hours left until the deadline of the MED (PIX dispute)`,
};
