import type { goals as portuguese } from "./texts.pt-BR.ts";
import { format } from "../ui/format.en-US.ts";

const days = (count: number): string => (count === 1 ? "1 day" : `${count} days`);

export const goals: typeof portuguese = {
  title: (month) => `Goal for ${month.toLocaleString("en-US", { month: "long" })}`,
  none: "You have no goal yet",
  noneText:
    "Say how much you want to sell in a month, such as `40,000.00`. It stays for the months after, and only you see it unless you show it.",
  removed: "Goal removed",
  removedText: "It no longer shows anywhere. For another one, use the button.",
  removedHere: (amount) =>
    `You still have a goal of **${amount}** in another server, and it stays. To remove it too, use \`/meta\` there or in our direct messages.`,

  of: (sold, goal, percent) => `**${sold}** of ${goal} (${format.count(percent)}%)`,
  reached: (sold, goal, percent) =>
    `Goal reached: **${sold}** of ${goal} (${format.count(percent)}%)`,
  left: (amount, count) => `${amount} to go in ${days(count)}`,
  leftOnLast: (amount, date, closes) =>
    `${amount} to go; close of the last day, ${date}: ${closes}`,
  ended: (amount) => `the month closed ${amount} short`,
  perDay: (amount) => `${amount} a day`,
  missing: (dates, _, more) =>
    more === 0 ? `still without ${dates}` : `still without ${dates} and ${days(more)} more`,
  congratulations: (count, closes) => {
    if (count === 0) return "Well done this month.";
    return count === 1
      ? `Well done, and the month runs until ${closes} (Brasília).`
      : `Well done, with ${days(count)} still to go.`;
  },
  partial: (unread) => `**Partial:** ${unread}. I am reading on; tap **Refresh** in a moment.`,
  kept: (why, unread, advice) =>
    `**${why}:** these are the figures that I read before${unread === undefined ? "" : `, ${unread}`}. ${advice}`.trimEnd(),
  saved: (amount) => `Your goal of **${amount}** a month is saved.`,
  unread: (why, advice) => `**${why}:** I cannot read how much is sold. ${advice}`.trimEnd(),
  nextMonth: "What you have sold since 9:00 PM already counts for next month.",
  privately: "Only you see this goal.",
  inReport:
    "This goal appears in the channel's report while your total is in it (`/conta ver`). It has room for the goals of five people: those who sold most on the day.",
  note: (from) => `sales before fees, since ${from} (Brasília) · later refunds are deducted`,
  inPeriod: (line, more) => (more === undefined ? `Goal: ${line}` : `Goal (${more}): ${line}`),
  withSince: "with what came in since 9:00 PM",

  set: "Set a goal",
  change: "Change the amount",
  show: "Show it in the report",
  hide: "Only for me",
  remove: "Remove the goal",
  refresh: "Refresh",
  formTitle: "Goal of the month",
  formLabel: "How much you want to sell in a month",
  formPlaceholder: "40,000.00",
};
