import { format } from "../ui/format.en-US.ts";
import type { accounting as portuguese } from "./texts.pt-BR.ts";

const days = (count: number): string => (count === 1 ? "1 day" : `${count} days`);
const withdrawals = (count: number): string =>
  count === 1 ? "1 withdrawal" : `${count} withdrawals`;

export const accounting: typeof portuguese = {
  title: (name) => `File for ${name}`,
  fileName: "sales",
  between: "to",
  withdrawalsLine: (amount, net, count, some) => {
    const summed = some.amount === undefined ? count : `${some.amount} of ${count}`;
    const received = some.net === undefined ? "received" : `received in ${some.net} of ${count}`;
    return `Withdrawals: **${amount}** in ${summed} · ${net} ${received}`;
  },
  noWithdrawals: "Withdrawals: none completed.",
  noneRead: "Withdrawals: none completed in what I could read.",
  inFiles:
    "XLSX and CSV have one row per day and one per withdrawal; the PDF has it all on one page. Only you can see this.",
  notPrinted: (kinds) =>
    `I couldn't make the ${kinds} just now. The CSV has the same figures; press the same button to try again.`,
  or: " and the ",
  again: "I'm reading what is missing: press the same button again in a little while.",
  readsMore: (days) => `Each press of the same button reads ${format.count(days)} more days.`,
  detailsLeft: (count, each) =>
    `I haven't read the details of ${withdrawals(count)} yet: each press of the same button reads ${each} more.`,

  daysSheet: "Sales by day",
  withdrawalsSheet: "Withdrawals",
  notesSheet: "Notes",
  ofKey: (end) => `Account of the API key ending in ${end}.`,
  kind: "Type",
  kinds: { day: "day", withdrawal: "withdrawal", note: "note" },
  day: "Day",
  date: "Date",
  from: "From (Brasília)",
  to: "To (Brasília)",
  sales: "Sales (R$)",
  amount: "Amount (R$)",
  fees: "Fees (R$)",
  net: "Net (R$)",
  received: "Received (R$)",
  api: "No. API",
  esales: "No. eSales",
  share: "Effective fee",
  state: "Status",
  key: "PIX key",
  code: "Code",
  otherKey: "other key",
  total: "Total",
  partialTotal: "Total read",

  states: {
    whole: "closed",
    partial: "partial: it had not closed yet",
    missing: "not read: not in the total",
  },
  paid: "completed",
  paidByWord: "completed, as you said",
  paidElsewhere: "completed elsewhere",
  ofSplit: (paid) => `${paid} (split)`,

  salesReadAt: (moment) => `Sales as of ${moment} (Brasília)`,
  withdrawalsReadAt: (moment) => `withdrawals as of ${moment}`,
  window: (hours) =>
    `Each day runs ${hours.map((hour) => `from ${hour} to ${hour}`).join(", in summer time ")} (Brasília). Later refunds are deducted.`,
  missing: (count, dates) => `${days(count)} I couldn't read: ${dates}. Not included in the total.`,
  more: (count) => `and ${count} more`,
  partial: (dates) => `Partial, read before it closed: ${dates}.`,
  underWay: (count) => `${withdrawals(count)} with no known outcome yet: not in the total.`,
  incomplete: (count) =>
    `${withdrawals(count)} with an unknown amount, fee or net: what is missing is not in the total.`,
  elsewhereUnread:
    "I couldn't read the service's list of withdrawals: those made outside the bot may be missing.",
  elsewhereUnordered:
    "The service's list of withdrawals may be incomplete: those made outside the bot may be missing.",
  elsewhereSince: (date) =>
    `The service's list of withdrawals starts on ${date}: earlier ones made outside the bot may be missing.`,
  elsewhereUnclear: (count) =>
    `${withdrawals(count)} on the service's list that I couldn't check: not in the total.`,
  fromSplits: (amount, count) =>
    `${amount} of the total is from ${count === 1 ? "1 split withdrawal" : `${count} split withdrawals`}: taken from the recipient's balance, not yours.`,

  pageTitle: (name) => `Sales and withdrawals: ${name}`,
  figures: { net: "Net", sales: "Sales", fees: "Fees", withdrawn: "Withdrawn" },
  salesOf: (count, share) =>
    `${count === 1 ? "1 sale" : `${format.count(count)} sales`} · effective fee ${share}`,
  pagePeriod: "Period",
  windowOf: (from, to) =>
    `${format.shortDate(from)} ${format.hour(from)} to ${format.shortDate(to)} ${format.hour(to)}`,
  unread: "not read",
  otherWithdrawals: (count) => `and ${count} more`,
  footer: "Balcão · not a tax document",
};
