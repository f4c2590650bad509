import type {
  periods as portuguesePeriods,
  reports as portugueseReports,
  sales as portugueseSales,
} from "./texts.pt-BR.ts";
import { format } from "../ui/format.en-US.ts";

export const sales: typeof portugueseSales = {
  window: (from, to) => `from ${format.moment(from)} to ${format.moment(to)}, Brasília time`,
  net: "Net",
  count: "Sales",
  averageTicket: "Average sale",
  salesOf: (count) => (count === 1 ? "1 sale" : `${format.count(count)} sales`),
  noSales: "no sales",
};

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const SHORT_WEEKDAY = 3;
const weekday = (iso: number): string => WEEKDAYS[iso - 1] ?? "";

export const periods: typeof portuguesePeriods = {
  title: (name) => `Sales: ${name}`,
  weekday,
  shortWeekday: (iso) => weekday(iso).slice(0, SHORT_WEEKDAY),
  day: (iso, date) => `${weekday(iso)}, ${date}`,
  range: (from, to) => `${from} to ${to}`,
  month: (day) => `${day.toLocaleString("en-US", { month: "long" })} ${day.year}`,
  nothing: "No approved sales.",
  in: (sales) => `from ${sales}`,
  net: (amount) => `net ${amount}`,
  percent: (percent) =>
    Number.isInteger(percent) ? `${format.count(percent)}%` : `more than ${Math.floor(percent)}%`,
  change: (sign, percent, than) => `${sign}\u00a0${percent} vs. ${than}`,
  same: (than) => `=\u00a0about the same as ${than}`,
  noBase: (than) => `— (no sales: ${than})`,
  changeUnknown: (than) => `— (${than}: not read yet)`,
  thanDay: (date) => date,
  thanWeekday: (iso) => `the ${weekday(iso)} before`,
  thanDays: (days, isOver) =>
    isOver ? `the ${days} days before` : "the same days of the period before",
  thanWeekdays: (weeks) =>
    weeks === 1 ? "the same days of the week before" : "the same days two weeks before",
  thanMonth: (isOver) => (isOver ? "the month before" : "the same days of the month before"),
  ticket: (amount) => `Average sale ${amount}`,
  fees: (amount, share) => `fees ${amount} (${share})`,
  origin: {
    api: (amount, sold) => `API ${amount} (${sold})`,
    esales: (amount, sold) => `eSales ${amount} (${sold})`,
  },
  best: (day, amount) => `Best day: ${day}, ${amount}`,
  since: (hour, amount, sales) => `Since ${hour}: **${amount}** from ${sales}`,
  sinceNothing: (hour) => `Since ${hour}: no sales.`,
  sinceUnknown: (hour) => `Since ${hour}: not read yet.`,
  open: (date, time, relative, isAlone) =>
    isAlone
      ? `${date} is open until ${time} (${relative}); compared once it closes.`
      : `${date} is open until ${time} (${relative}), and is left out of the comparison.`,
  dateLeftOut: "I used `period` and left `date` out.",
  kept: "**The payment service does not answer now:** these are the figures that I read before.",
  missing: (missing, days) =>
    `**Partial:** ${missing === 1 ? "1 day" : `${missing} days`} of ${days} missing. Each tap on **Refresh** reads more.`,
  window: (from, to) => `from ${from} to ${to} (Brasília) · later refunds are deducted`,
  brasilia: (name) => `Sales: ${name}, Brasília's day`,
  brasiliaWindow: (isOpen, close) =>
    `from midnight to ${isOpen ? "now" : "midnight"} in Brasília, by the list of transactions; the report closes at ${close} · refunded sales are not counted`,
  apiAlone: "**Sales by API alone:** the list of transactions does not have those of eSales.",
  brasiliaButton: "Brasília's day",
  reportButton: "Report's day",
  weekButton: "7 days",
  monthButton: "Month",
  refresh: "Refresh",
  fileButton: "File",
  picture: (name, days) => `Sales by day, ${name}. ${days}`,
  unread: "not read",
  daysBefore: "period before",
  weeksBefore: (weeks) => (weeks === 1 ? "week before" : "two weeks before"),
  lastMonth: "month before",
  words: {
    today: "today",
    yesterday: "yesterday",
    week: "7 days",
    days: "30 days",
    thisMonth: "this month",
    lastMonth: "last month",
  },
};

export const reports: typeof portugueseReports = {
  store: "The store",
  you: "You",
  mineToo: "Balance and MEDs",
  today: "today",
  yesterday: "yesterday",
  onDay: (date) => `on ${date}`,
  thanDayBefore: "the day before",
  closing: (iso, date) => `Daily close: ${weekday(iso)}, ${date}`,
  alone: (who, amount, day) => `${who} sold ${amount} ${day}`,
  emptyAlone: (who, day) => `${who}: no sales ${day}.`,
  emptyLine: (who, date, window) => `${who}: no approved sales on ${date} (${window}).`,
  ownEmptyAlone: (day) => `You had no sales ${day}.`,
  ownEmptyLine: (date, window) => `You had no approved sales on ${date} (${window}).`,
  sellers: "Sellers",
  goals: "Goal of the month",
  others: (sellers) => `and ${sellers} more`,
  sameAccount: "same account",
  missing: (who) =>
    `Missing: ${who}. I could not read these sales yet; if I can within 7 days, I will add them.`,
  missingRefused: (who, isMany) =>
    isMany
      ? `Missing: ${who}. Their keys were refused; if they work again within 7 days, I will add their sales.`
      : `Missing: ${who}. The key was refused; if it works again within 7 days, I will add these sales.`,
  without: (sellers) => `not counting ${sellers === 1 ? "1 seller" : `${sellers} sellers`}`,
  completing: (iso, date) => `Added to the daily close: ${weekday(iso)}, ${date}`,
  completesAlone: (who, amount, date) => `Added: ${who} sold ${amount} on ${date}`,
  completesNothingAlone: (who, date) => `Added: ${who} had no sales on ${date}`,
  completesNothing: (store, isWhole) =>
    isWhole ? `${store} closes the day without sales.` : `${store} has no sales so far.`,
  completesTotal: (store, amount, sales, net) =>
    `${store} closes the day at **${amount}** from ${sales}, net **${net}**.`,
  completesSoFar: (store, amount, sales, net) =>
    `${store} has **${amount}** so far from ${sales}, net **${net}**.`,
  doubtful: "I may have posted this before: Balcão's data was restored from a backup.",
  doubtfulAlone: "maybe posted before",
  picture: (days) => `Sales of the last 7 days. ${days}`,
  weekBehind: "week before",
  mine: "See mine",
  corrected: "Corrected",
  fell: (day, before, now) => `${day} fell from ${before} to ${now}.`,
  rose: (day, before, now) => `${day} rose from ${before} to ${now}.`,
  netOfDay: (day) => `the net of ${day}`,
  changed: (day, before, now) => `${day}: ${before} → ${now}`,
  moreCorrected: (days) => (days === 1 ? "And 1 more day." : `And ${days} more days.`),
  late: "Late: it was due",

  sample: "Sample, with made-up figures",
  sampleTitle: (title) => `Sample: ${title}`,
  seller: (letter) => `Seller ${letter}`,
  testText: (time, zone) =>
    `This is only a test: none of this was sold. The hour of the report here is ${time} (${zone}).`,
  testTextOff: "This is only a test: none of this was sold. The report is switched off.",

  title: "Daily report",
  saved: "Daily report saved",
  time: "Time",
  zone: "Time zone",
  on: "On",
  off: "Off. To switch it on again: **Switch on**, in the answer of `/config relatorio`",
  suspended: (since) =>
    `On hold since ${since}: I cannot post in the channel. Fix its permissions or choose another with \`/config relatorio\``,
  audience: "Sellers",
  audienceOf: (consenting, connected) =>
    connected === 0
      ? "Nobody has connected a key yet"
      : `${consenting === 0 ? "None agreed yet" : `${consenting} agreed`}, of ${connected} connected`,
  nextReport: "Next report",
  next: (dueAt, day, window) => `${dueAt}, with the sales of ${format.date(day)} (${window})`,
  starts: "Starts once a seller agrees in `/conta ver`.",
  onHold: {
    left: "On hold: everyone who agreed to the report has left the server.",
    refused: "On hold: the service refuses the key of everyone who agreed to the report.",
  },
  coming: (day, ifSold) =>
    `The one for ${format.date(day)} goes out in a moment${ifSold ? " if the day had sales" : ""}.`,
  settled: (day) => `${format.date(day)} is already settled: it gets no other report.`,
  beforeClose: (close, time) =>
    `**Mind the time:** in that zone the service's day closes at ${close}. ` +
    `At ${time} the last complete day is posted, not the one that is still open.`,
  settling: (time) =>
    `The day closes just then, and the service is still counting: the report is posted at ${time}.`,
  whoSees:
    "Whoever sees the channel sees the totals of each seller who agreed. Each one decides with `/conta ver`: in the channel, by direct message or none.",
  emptyChoices: {
    send: "A day without sales: post the report with zeros",
    line: "A day without sales: post one line",
    skip: "A day without sales: post nothing",
  },
  emptyPlaceholder: "What to post on a day without sales",
  setup:
    "Choose the channel: the report is posted every day at 9:05 PM, right after the day closes in Brasília. You can change the hour in the answer.",
  timePlaceholder: "When it is posted",
  timeChoice: (hour) => `Posted at ${hour}`,
  test: "Test",
  closesField: "Weekly and monthly closes",
  closesOn: { week: "week (Monday)", month: "month (the 1st)" },
  closesOff: "off",
  closes: {
    week: "Close of the week, on Monday",
    month: "Close of the month, on the 1st",
  },

  move: {
    title: "The channel of the daily report",
    alone: "See in which channel the daily report with your sales is posted now.",
    text: (server, channel) =>
      `The daily report of the server ${server} is now posted in ${channel}. Whoever sees the channel sees your sales. ` +
      "You can change this at any time with `/conta ver` in the server.",
    stop: "Stop the report",
  },

  own: {
    title: "Your report by direct message",
    saved: "Your report is saved",
    place: "your direct messages",
    closed:
      "Your direct messages are closed to me. Open them in the privacy settings of this server and test again.",
  },

  testOutcomes: {
    posted: {
      title: "Test sent",
      text: (place) => `See it in ${place}. The report goes the same way.`,
    },
    lost_channel: {
      title: "I could not send it",
      text: (channel) =>
        `${channel} is gone or does not let me post. Fix the channel's permissions or choose another with \`/config relatorio\`.`,
    },
    waiting: {
      title: "Test in the queue",
      text: (place) =>
        `Discord has not confirmed the test in ${place} yet. I keep trying by myself; no need to repeat it.`,
    },
    unclear: {
      title: "I do not know whether the test arrived",
      text: (place) => `Discord did not confirm it. Take a look at ${place} before you test again.`,
    },
  },
};
