import type {
  disputeAlerts as portugueseAlerts,
  disputes as portugueseDisputes,
} from "./texts.pt-BR.ts";
import { format } from "../ui/format.en-US.ts";

const waiting = (needed: number, overdue: number): string => {
  const late = `${overdue} ${overdue === 1 ? "MED" : "MEDs"} overdue without an answer`;
  if (needed === 0) return late;
  const asked = needed === 1 ? "1 MED needs" : `${needed} MEDs need`;
  return `${asked} your answer${overdue === 0 ? "" : `, ${overdue} more ${overdue === 1 ? "is" : "are"} overdue`}`;
};

const opened = (count: number): string =>
  count === 1 ? "1 MED opened" : `${format.count(count)} MEDs opened`;

const approved = (count: number): string =>
  count === 1 ? "1 approved sale" : `${format.count(count)} approved sales`;

export const disputes: typeof portugueseDisputes = {
  states: {
    needs_answer: "Needs your answer",
    overdue: "Deadline passed: the claim may be accepted automatically",
    defended: "Defended: waiting for the bank",
    conceded: "You accepted the claim: waiting for the money to go back",
    lost: "Lost: returned to the payer",
    won: "Won: amount released",
    cancelled: "Cancelled",
    other: "A state that I do not know",
  },
  shortStates: {
    needs_answer: "needs an answer",
    overdue: "overdue",
    defended: "with the bank",
    conceded: "you accepted",
    lost: "lost",
    won: "won",
    cancelled: "cancelled",
    other: "a state that I do not know",
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
  none: "✅ No MEDs on this account",
  noneAwaiting: "✅ No MED awaits your answer",
  awaiting: (needed, overdue) => `⏰ ${waiting(needed, overdue)}`,
  awaitingAtLeast: (needed, overdue) => `⏰ At least ${waiting(needed, overdue)}`,
  emptyFilter: "None of this kind. The menu has the others.",
  page: (page, pages, found) => `Page ${page} of ${pages}, ${found} MEDs.`,
  withBank: (count) => `${count} with the bank`,
  ended: (count, won) => `${count} closed (${won} won)`,
  onHold: (amount) => `${amount} on hold`,
  lostSoFar: (amount) => `${amount} lost so far`,
  all: "All",
  summaryUnread: (why) => `I could not read the service's summary now.${why}`,
  listUnread: (why) =>
    `**I could not read the service's list of MEDs now.**${why} Some may be missing here. If you have the code of one, open it with \`/meds dispute:\`, and I will follow its deadline from then on.`,
  listUnreadKept: "Below are those that I was already following.",
  unlisted: (count) =>
    count === 1
      ? "The summary counts 1 MED that the service's list does not show. Take its code from the service's dashboard and open it with `/meds dispute:`."
      : `The summary counts ${count} MEDs that the service's list does not show. Take their codes from the service's dashboard and open each with \`/meds dispute:\`.`,
  due: (at) => `due ${at}`,
  wasDue: (at) => `was due ${at}`,
  filterPlaceholder: "Show only…",
  openPlaceholder: "Open a MED (Brasília time)",
  previous: "Previous",
  next: "Next",
  rateButton: "30-day rate (takes a moment)",
  seeAll: "See all",
  prepareDefence: "Prepare defence",
  agenda: "Calendar",

  detailTitle: (amount) => `MED of ${amount}`,
  infraction: "Dispute",
  txid: "Disputed txid",
  amount: "Amount",
  product: "Product",
  frozen: "On hold (the net amount)",
  net: "Net amount of the sale",
  deadline: "Deadline to answer",
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
  answerUntold: "the service does not show its text",
  unanswered: "You did not answer",
  refund: "Return to the payer",
  noRefund: "none",
  refundUntold: "The service shows a return to the payer, without saying how it stands",
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
  followedLast:
    "There are no more reminders before the deadline: answer now in the service's dashboard.",
  followedOverdue:
    "I follow this MED and will tell you when something changes, if your alerts are on.",
  followedMuted:
    "You said that you have answered, and the service does not show the answer yet. The reminders of this deadline are stopped.",
  followedSnoozed: (until) => `The reminders of this MED are paused until ${until}.`,
  notSaid: "not given",

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

  calendarReply: (alarms, awaits) => {
    const file = "The deadline is in the file: open it to put it into your calendar";
    const why = awaits ? "their time has passed" : "the MED awaits no answer";
    if (alarms.length === 0) return `${file}. It has no reminders: ${why}.`;
    const hours = format.list(alarms.map(String));
    return `${file}, with ${alarms.length === 1 ? "a reminder" : "reminders"} ${hours} hours before.`;
  },
  calendarSummary: (amount) => `Deadline of the MED (PIX dispute) of ${amount}`,
  calendarState: (state) => `State when this file was made: ${state}`,
  calendarHow: "The answer is given in the payment service's dashboard.",
  calendarAlarm: (hours) => `${hours} hours left until the deadline of the MED (PIX dispute)`,
};

const PANEL = "Answer in the service's dashboard: I cannot answer from here.";

const unlisted: typeof portugueseAlerts.unlistedAlone = (pending, seen) =>
  `The service counts ${pending} pending ${pending === 1 ? "MED" : "MEDs"} and I can read ${seen === 0 ? "none" : `only ${seen}`}.`;

export const disputeAlerts: typeof portugueseAlerts = {
  titles: {
    new: (amount, left) =>
      left === undefined ? `New MED of ${amount}` : `New MED of ${amount}: ${left} to answer`,
    "72h": (amount) => `MED of ${amount}: less than 3 days to answer`,
    "48h": (amount) => `MED of ${amount}: less than 2 days to answer`,
    "24h": (amount) => `MED of ${amount}: less than 24 hours to answer`,
    "6h": (amount) => `MED of ${amount}: less than 6 hours to answer`,
    "1h": (amount) => `MED of ${amount}: less than 1 hour to answer`,
    overdue: (amount) => `MED of ${amount}: the deadline passed without an answer`,
    answered: (amount) => `MED of ${amount} answered`,
    won: (amount) => `MED of ${amount} won: amount released`,
    lost: (amount) => `MED of ${amount} lost: returned to the payer`,
    cancelled: (amount) => `MED of ${amount} cancelled`,
  },
  alone: (title, moment) =>
    moment === undefined ? `${title}.` : `${title} (by ${moment}, Brasília time).`,
  explained: {
    new: `A payer disputed a payment, and its net amount is on hold. ${PANEL}`,
    "72h": `Still without an answer. ${PANEL}`,
    "48h": `Still without an answer. ${PANEL}`,
    "24h": `Still without an answer. ${PANEL}`,
    "6h": `**Still without an answer, and few hours are left.** ${PANEL}`,
    "1h": `**Last reminder before the deadline.** ${PANEL}`,
    overdue:
      "The service may accept the claim by itself. Check its dashboard to see whether you can still answer.",
    answered:
      "The service has the answer. I will send no more reminders of this deadline, and will tell you when the bank decides.",
    won: "The bank rejected the claim, and the amount was released. Check it with `/saldo`.",
    lost: "The bank accepted the claim, and the amount was returned to the payer. Do not refund this sale again.",
    cancelled: "The claim was cancelled. You do not need to answer.",
  },
  unread:
    "**I cannot read the service now:** this is what I saw last. If you have answered, check it in its dashboard.",
  conceded: (amount) => `MED of ${amount}: you accepted the claim`,
  concededText:
    "The service recorded that you accepted the claim: the amount goes back to the payer once the bank decides. If it was not you, look at the service's dashboard now. I stop the reminders of this deadline.",
  repeated: "(sent again: the one before could not be confirmed)",
  repeatedAlone: (sentence) => `Sent again: ${sentence}`,
  replacedBelow: "Replaced: this MED continues below.",
  replacedElsewhere: "Replaced: the newest alert of this MED is in another channel.",
  unlisted: "There may be MEDs that I cannot read",
  unlistedAlone: unlisted,
  unlistedText: (pending, seen) =>
    `**${unlisted(pending, seen)}** I do not know the deadline of what I cannot read, and cannot remind you of it.`,
  unlistedNext:
    "Open the service's dashboard and answer there. If you want me to follow the deadline, copy the dispute's code and run `/meds dispute:`.",

  answerThere: "Answer in the dashboard",
  see: "See details",
  answeredInPanel: "I answered in the dashboard",
  snooze: "Pause reminders for up to 6 h",
  muted: "Noted: you have already answered",
  mutedText:
    "I will send no more reminders of this deadline. If 6 hours before it the service still says that the answer is missing, I will tell you again.",
  mutedLateText:
    "I will send no more reminders of this deadline. If in 15 minutes the service still says that the answer is missing, I will tell you again.",
  mutedLastText:
    "There are no more reminders before the deadline: check in the service's dashboard that the answer is there.",
  resume: "Remind me again",
  resumed: "Reminders are back",
  resumedText: "I will remind you of this MED until the deadline, if your alerts are on.",
  resumedLastText:
    "The last reminder of this deadline is already out: answer in the service's dashboard.",
  snoozed: "Reminders paused",
  snoozedText: (until) => `No reminders of this MED until ${until}. The deadline stays the same.`,
  tooLateToSnooze: "It is too late to pause",
  tooLateToSnoozeText:
    "Less than 6 hours are left until the deadline, and from now on reminders do not wait.",
  nothingToSilence: "This MED needs no answer",
  unknownState:
    "The service used a word that I do not know: check its dashboard to see whether you can still answer.",
  nothingToSilenceText: "It has no more reminders to stop or to pause.",

  move: {
    title: "The channel of the MED alerts",
    alone: "See in which channel the MED alerts of the server are posted now.",
    text: (server, channel) =>
      `The MED alerts of the server ${server} are now posted in ${channel}. ` +
      "If you do not see that channel, choose direct messages in `/conta ver`, in the server.",
  },

  channelLost: "MED alerts are no longer posted in the channel",
  channelLostText: (channel) =>
    `I can no longer post in ${channel}: the channel is gone or does not let me post. ` +
    "Until whoever manages the server fixes that with `/config alertas`, each seller's alerts go to their direct messages, or to the channel that they chose in another server.",

  routeTitle: "MED alerts",
  routeSaved: "MED alerts saved",
  whoSees:
    "The channel shows only the seller, who is pinged, the dispute's code, the amounts, the deadline and how the MED stands. Each seller chooses with `/conta ver` whether their alerts come here, go to direct messages or are not sent.",
  role: "Role that is pinged",
  nobody: "none. To choose one, use the menu below.",
  roleHint: "Discord only pings a role that anyone may mention: that is in the role's settings.",
  pings: "Ping the role",
  noPings: "no alert",
  quiet: "Quiet hours",
  noQuiet: "none",
  quietText: (from, to, zone) =>
    `from ${from} to ${to} (${zone}; the time zone is that of the server's report), also for alerts by direct message. Still sent: the alerts of 6 hours and 1 hour before, a new MED with less than 24 hours left, and word of MEDs that I cannot read`,
  quietOff: (from, to, zone) =>
    `from ${from} to ${to} (${zone}), only while the channel is on: while it is off, alerts are sent at any hour`,
  nights: "Checks of the service in quiet hours",
  slowNights: "every 15 minutes",
  fastNights: "every 5 minutes",
  noChannel: "No channel yet: they go to direct messages. To choose one: `/config alertas`",
  postedIn: (channel, role) =>
    `Posted in ${channel}${role === "" ? "" : `, pinging ${role}`}.\nTo see or change them: \`/config alertas\``,
  on: "On",
  off: "Off: alerts go to direct messages. To switch them on again: **Switch on**, in the answer of `/config alertas`",
  suspended: (since) =>
    `On hold since ${since}: I cannot post in the channel, and alerts go to direct messages. Choose another channel, or the same again, with \`/config alertas\``,
  setup: "Choose the channel of the alerts. Until then they go to direct messages.",
  pingPlaceholder: "Which alerts ping the role",
  quietPlaceholder: "Quiet hours",
  quietNone: "No quiet hours",
  quietChoice: (from, to) => `Quiet from ${from} to ${to}`,
  removeRole: "Remove the role",
  makeSlow: "Check less in quiet hours",
  makeFast: "Check as usual in quiet hours",
  steps: {
    new: "New MED",
    "72h": "72 hours before",
    "48h": "48 hours before",
    "24h": "24 hours before",
    "6h": "6 hours before",
    "1h": "1 hour before",
    overdue: "Deadline passed",
    answered: "Answered",
    won: "Won",
    lost: "Lost",
    cancelled: "Cancelled",
  },
  offHere:
    "**Your MED alerts are off.** To be reminded of deadlines, use `/conta ver` in the server where you sell.",
};
