import { format } from "../ui/format.en-US.ts";
import type { closes as portuguese } from "./texts.pt-BR.ts";

const counted = (count: number, one: string, many: string): string =>
  `${format.count(count)} ${count === 1 ? one : many}`;

export const closes: typeof portuguese = {
  title: (kind, name) => (kind === "week" ? `Weekly close: ${name}` : `Monthly close: ${name}`),
  alone: (kind, name, sold, change) =>
    `${kind === "week" ? "Week of " : ""}${name}: ${sold}${change === undefined ? "" : `, ${change}`}.`,
  aloneSold: (amount, sales) => `${amount} from ${sales}`,
  aloneNothing: "no approved sales",
  aloneUnread: "I couldn't read the sales",
  unread: "The sales of all these days are missing.",
  without: (days, sellers) =>
    `not counting ${counted(days, "day", "days")} of ${counted(sellers, "seller", "sellers")}`,
  withoutDays: (days) => `not counting ${counted(days, "day", "days")}`,
  partial: (without) => `**Partial:** ${without}`,
  than: (kind) => (kind === "week" ? "the week before" : "the month before"),
  unknown: (than) => `— (${than}: not all read)`,
  best: (day, amount) => `Best day: **${day}**, ${amount}`,
  worst: (day, amount) => `worst: ${day}, ${amount}`,
  withdrawals: "Withdrawals",
  nonePaid: "none completed",
  noneRead: "none completed in what I could read",
  withdrawn: (amount, count, some) =>
    `${amount} in ${some === undefined ? "" : `${some} of `}${counted(count, "withdrawal", "withdrawals")}`,
  disputes: "MEDs",
  opened: (count, amount) => `${format.count(count)} new (${amount})`,
  won: (count, amount) => `${format.count(count)} won (${amount})`,
  lost: (count, amount) => `${format.count(count)} lost (${amount})`,
  unwatched: "not followed: MED alerts are off",
  refunds: "Refunds by this bot",
  refunded: (amount, count) => `${amount} in ${format.count(count)}`,
  fees: "Fees",
  feesPaid: (amount, share) => (share === undefined ? amount : `${amount} (${share})`),
  feesSeen: "Different fee",
  feeDays: (days, told) =>
    `On ${counted(days, "day", "days")} the fee was different from 6%: ${told}.`,
  instead: (day, came, expected) => `${day} ${came} instead of ${expected}`,
  more: (count) => `and ${format.count(count)} more`,
  esalesToo:
    "That includes eSales sales, and the service does not say whether their fee is the same.",
  feeCharges: (count, told) =>
    `In ${counted(count, "charge", "charges")} the fee was different from 6%: ${told}.`,
  feeWithdrawals: (count, told) =>
    `In ${counted(count, "withdrawal", "withdrawals")} the fee was different: ${told}.`,
  missing: "Missing",
  missingOf: (owner, isRefused, days, told) =>
    `${owner}: ${isRefused ? "the key was refused, " : ""}${counted(days, "day", "days")} (${told})`,
  missingWhy: "I could not read this part: it is not in the sums.",
  unreadDays: (days, told, why) =>
    `I have not read ${counted(days, "day", "days")} yet (${told}). ${why}`,
  asked: "I asked for them: tap the button again in a few minutes.",
  keyRefused: "The key was refused: I will read them once it works.",
  tooOld: (days, told) =>
    `I do not keep days that old: ${counted(days, "day", "days")} (${told}). **Spreadsheet** can still read them.`,
  missingSellers: (sellers) => `And ${counted(sellers, "seller", "sellers")} more.`,
  yours: (kind, name) => (kind === "week" ? `Your week, ${name}` : `Your month, ${name}`),
  sheet: "Spreadsheet",
  mineToo: "Withdrawals and MEDs",
  uncertain: "The close may have been posted",
  uncertainAlone: (kind, day) =>
    `The ${kind}'s close up to ${format.date(day)} may have been posted: take a look at the channel.`,
  uncertainText: (channel) =>
    `Discord did not confirm the close in ${channel}, and I will not repeat it, so that it is not posted twice. ` +
    "Take a look at the channel.",
  sameFigures: "If it is not there, sellers can ask for their own figures with `/vendas period:`.",
};
