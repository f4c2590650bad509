import { format } from "../ui/format.en-US.ts";

const sales = (count: number): string => (count === 1 ? "1 sale" : `${format.count(count)} sales`);
const refunds = (count: number): string =>
  count === 1 ? "1 refund" : `${format.count(count)} refunds`;

export const saleNotices = {
  counted: { sale: sales, refund: refunds },
  named: { sale: "Sale", refund: "Refund" },
  noProduct: "no description",
  net: (amount: string): string => `(net\u00a0${amount})`,
  late: (named: string, at: string): string => `${named} on ${at}`,
  inOneMinute: "in 1 minute",
  within: (at: string): string => `on ${at}`,
  between: (from: string, until: string): string => `from ${from} to ${until}`,
  byReport: "by the day's report, without details",
  doubtful: "I may have announced this before: Balcão's data was restored from a backup",
  doubtfulAlone: (told: string): string => `I may have announced this before: ${told}`,
  gap: (from: string, until: string): string =>
    `Some sales from ${from} to ${until} may not have been announced: I could not read them all. The day's total is in \`/vendas\`.`,
  gapAlone: "Some sales may not have been announced.",
  alone: (named: string, amount: string, time: string): string => `${named} of ${amount}${time}.`,
  groupAlone: (counted: string, total: string | undefined, time: string): string =>
    `${counted}${total === undefined ? "" : `, ${total}`}${time}.`,
  lateAlone: (at: string): string => `, on ${at} (Brasília time)`,
  lateGroupAlone: (from: string, until: string): string =>
    `, from ${from} to ${until} (Brasília time)`,

  routeTitle: "Sale notices",
  routeSaved: "Sale notices saved",
  whoSees:
    "The channel shows the product, the amount, the net and the seller, without a ping, and never who paid. Each seller chooses with `/conta ver` whether their sales appear here, go to direct messages or are not announced.",
  minimum: "Minimum amount",
  noMinimum: "none: every sale appears",
  minimumOf: (amount: string): string =>
    `${amount}: smaller ones do not appear here. While the service does not show the list of sales, I announce a sale here only when it is the only new one and reaches the minimum.`,
  minimumPlaceholder: "From which amount",
  everySale: "Every sale appears",
  salesFrom: (amount: string): string => `Only sales from ${amount}`,
  setup:
    "Choose the channel of the notices. Each sale in the service's list appears once, as soon as it is approved. Those of eSales may be missing from it.",
  on: "On",
  off: "Off. To switch them on again: **Switch on**, in the answer of `/config vendas`",
  suspended: (since: string): string =>
    `Stopped since ${since}: I cannot post in the channel. Choose another channel, or the same again, with \`/config vendas\``,
  noChannel: "No channel yet. To choose one: `/config vendas`",
  postedIn: (channel: string, minimum: string | undefined): string =>
    `Posted in ${channel}${minimum === undefined ? "" : `, ${minimum} and up`}.\nTo see or change: \`/config vendas\``,

  move: {
    title: "Where sale notices are posted",
    alone: "See in which channel, and from which amount, the notices of your sales are posted now.",
    text: (server: string, channel: string, minimum: string | undefined): string =>
      `The sale notices of the server ${server} are now posted in ${channel}` +
      `${minimum === undefined ? ": every sale appears" : `, ${minimum} and up`}. Whoever sees the channel sees your sales. ` +
      "To change this or to switch them off, run `/conta ver` in the server.",
  },

  channelLost: "The sale notices stopped",
  channelLostAlone: "The sale notices stopped: I can no longer post in their channel.",
  channelLostText: (channel: string): string =>
    `I can no longer post in ${channel}: the channel is gone or does not let me post. ` +
    "People who manage the server can fix it with `/config vendas`. Until then the sales of sellers who chose the channel are not announced.",
};
