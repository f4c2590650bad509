import type { UnfinishedOperations } from "./account.ts";
import type { WithdrawKind } from "../withdrawals/withdraw-op.ts";
import type {
  account as portugueseAccount,
  ownAlerts as portugueseOwnAlerts,
  ownSales as portugueseOwnSales,
  people as portuguesePeople,
} from "./texts.pt-BR.ts";

/** The part of a report that everybody in the channel sees. */
export const reportShows =
  "Your name, the number of sales, the total sold, the fees, the net and a chart of the last two weeks are posted, including days before you agree. Whoever sees the channel sees them. " +
  "On Mondays and on the 1st the week's or month's sum of those who agreed is posted too, with fees, net, best and worst day and a chart of each day of the period and of the one before. ";

const stoppedOnceLeft =
  "If you have left it, run `/conta desconectar` in our direct messages and click **Only stop the report**.";
const directGoesOn = `The report by direct message goes on, because you chose that in another server with this account. To stop it, run \`/conta ver\` there. ${stoppedOnceLeft}`;
const reportEnds = (goesOn: boolean): string =>
  goesOn
    ? `and your report is not posted in the channel any more. ${directGoesOn}`
    : "and your report is no longer sent.";
const kinds: Readonly<Partial<Record<WithdrawKind, string>>> = {
  cancel: "cancellation",
  refund: "refund",
};
const notEnded = ({ opId, kind, others }: UnfinishedOperations): string =>
  `**${opId === undefined ? "A" : "The"} ${kinds[kind] ?? "withdrawal"} ${opId === undefined ? "of this account" : `\`${opId}\``} ${others === 0 ? "has" : `and ${others} more have`} not ended yet, and I have no other key of the account that works.**`;
import { format } from "../ui/format.en-US.ts";

export const account: typeof portugueseAccount = {
  connectMine: "Connect my key",
  modalTitle: "Connect your API key",
  modalLabel: "API key of the payment service",
  modalPlaceholder: "Paste the whole key",

  connected: "Key connected",
  refused: "Key refused by the service",
  since: "Account connected on",
  by: (person) => `by ${person}`,
  owner: "Owner of the key",
  ownerVerified: "Confirmed: it is your account",
  ownerUnverified: "Not confirmed: the service does not show a Discord user",
  onHold: "**On hold until the key works again.**",
  onHoldMany: "**On hold until the key works again.**",
  pausedSince: (at) =>
    `Paused since ${at}. If you changed the key, connect the new one with \`/conta conectar\`. ` +
    "If this one is still valid, it resumes by itself: I keep trying for 30 days, and at once if you run `/vendas`.",
  elsewhere: "Other servers",
  refusedElsewhere: (count) =>
    `In ${count === 1 ? "another server" : `${count} other servers`} the key of this account was refused: ` +
    "the report and the sale notices may be on hold there. Use `/conta conectar` there too.",
  report: "Daily report",
  consentGiven: "You agreed.",
  consentMissing: "You have not agreed yet.",
  goesTo: (channel, time, zone) => `It is posted in ${channel}, at ${time} (${zone}).`,
  wouldGoTo: (channel, time, zone) => `It would be posted in ${channel}, at ${time} (${zone}).`,
  channelLost: (channel) =>
    `On hold: I cannot post in ${channel}. Whoever manages the server can fix it with \`/config relatorio\`.`,
  switchedOff: "It is switched off in this server.",
  noChannel: "This server has not chosen a channel yet.",
  goesDirect: (time, zone) =>
    `It goes to you alone, by direct message, at ${time} (${zone}); nothing of yours is posted in the channel. ` +
    "Keep direct messages from this server open.",
  directElsewhere: (time, zone) =>
    `It goes to you by direct message, at ${time} (${zone}), because you chose that in another server with this account. To stop it: \`/conta ver\` there. ${stoppedOnceLeft}`,
  directSettings: "Report settings",
  orDirect: "If you like, it can go to you alone, by direct message: choose below.",
  willAsk:
    "Once it has, I will ask whether I may post your total there. To you alone it can go now, by direct message: `/conta ver`.",
  firstSteps: "Run `/vendas` to see today's sales.",

  consentQuestion:
    "**May I post your total of each day in the report channel?**\n" +
    reportShows +
    "You can change this at any time with `/conta ver`; there you can also choose a report for you alone, by direct message.",
  accept: "Post it",
  decline: "Not now",
  reportPlaceholder: "Where your daily report goes",
  reportChoices: {
    channel: "The report in the channel shows my total",
    direct: "My own report by direct message",
    off: "No report with my total",
  },

  connectedFor: (owner) =>
    `The key of ${owner} is connected, and only they can use it. ` +
    "They get a direct message and decide, with `/conta ver`, whether their daily total goes to the channel.",

  disconnectTitle: "Disconnect this key?",
  disconnectText:
    "I delete from this server the key, your consent to the report and the reports not posted yet.",
  keyStays:
    "Your sales stay in the payment service, and the key stays valid there until you revoke it.",
  salesStay: "Your sales stay in the payment service.",
  directGoesOn,
  losesToo: "Also lost",
  loses: {
    proofs: (count) =>
      `**${count === 1 ? "1 piece" : `${count} pieces`} of evidence** that you kept: download first, there is no way back`,
    pixKeys: (count) =>
      count === 1
        ? "**1 PIX key** that you saved or used, which counts as new again"
        : `**${count} PIX keys** that you saved or used, which count as new again`,
    disputes: (count, dueAt) =>
      count === 1
        ? `the alerts of **1 MED** without an answer, due ${dueAt}`
        : `the alerts of **${count} MEDs** without an answer; the first is due ${dueAt}`,
    charges: (count) =>
      count === 1
        ? "**1 open charge**: its code stays valid, but I no longer tell you if it is paid"
        : `**${count} open charges**: their codes stay valid, but I no longer tell you if they are paid`,
    webhook:
      "your **webhook address**: if you connect again, get a new one with `/conta webhook` and register it in the service",
    goal: (amount) => `your **goal of the month**, ${amount}`,
    alertsEnd:
      "the **MED alerts** of this account: in your other servers they are off or the key was refused; to keep them, run `/conta ver` there",
    alertChoice: "your choice of where MED alerts go",
    saleNotices:
      "the **sale notices** that you switched on: with a key connected, switch them on again in `/conta ver`",
    report: "your **daily report** and the **closes**: choose again with `/conta ver`",
  },
  ofOtherWallet:
    "**This key is of another account of the payment service**, and the account before is no longer connected in this server. If this was a mistake, connect its key again: `/conta conectar`.",
  replace: "Just replace the key",
  replaceText:
    "Only want to replace the key? Connect the new one, of the same account, and all of this stays.",
  disconnectAnew:
    "**Your connected keys, or the withdrawals and refunds of this one, changed after that question, so I deleted nothing.** Check and answer again.",
  disconnectUnfinished: (unfinished) =>
    `${notEnded(unfinished)} Without this one I can no longer follow ${unfinished.others === 0 ? "it: deleting the key does not cancel it" : "them: deleting the key cancels none"}, and you check the result in the payment service. ` +
    "If you connect a key of the same account again, I go on following, and until then no other withdrawal of it leaves from here.",
  disconnect: "Delete the key",
  disconnectAnyway: "Delete it all the same",
  keep: "Keep it",
  downloadProofs: "Download my evidence",
  disconnected: "Key deleted",
  disconnectedText: (goesOn) =>
    `I no longer keep your key in this server, ${reportEnds(goesOn)} ` +
    "To come back: `/conta conectar`.",
};

/** Where the alerts of the owner's disputes go, in `/conta`. */
export const ownAlerts: typeof portugueseOwnAlerts = {
  yours: "MED alerts",
  yoursPlaceholder: "Where your MED alerts go",
  choices: {
    channel: "To the server's alert channel",
    direct: "MED alerts to direct messages",
    off: "No MED alerts",
  },
  onHold:
    "**No new MEDs until the key works again.** Reminders that still come go by what I saw last.",
  inChannel: (channel) => `They are posted in ${channel}, and ping you.`,
  noRoute: "They go to direct messages: the server has no alert channel in use.",
  direct: "Sent to you by direct message.",
  elsewhere: (channel) =>
    `They are posted once, in ${channel}, in the server where you chose the channel for this account. To change that: \`/conta ver\` there.`,
  quiet: (from, to, zone) =>
    `Those that can wait are not sent from ${from} to ${to} (${zone}): these are the server's quiet hours.`,
  directElsewhere:
    "Off in this server, but they go to direct messages: you connected this account in another server too. To stop them: `/conta ver` there. If you have left it, delete that key with `/conta desconectar`, in our direct messages.",
  none: "**Off: I tell you nothing about your MEDs, not even their deadlines.**",
  unlistedSome: (count) =>
    count === 1
      ? "**The service counts 1 pending MED that I cannot read**, and I do not alert you to it: open the service's dashboard."
      : `**The service counts ${count} pending MEDs that I cannot read**, and I do not alert you to them: open the service's dashboard.`,
  undeliveredBelow: (hasChannel) =>
    `Allow direct messages from this server in Discord${hasChannel ? ", or choose the alert channel below" : ""}.`,
};

export const ownSales: typeof portugueseOwnSales = {
  yours: "Sale notices",
  yoursPlaceholder: "Where the notices of your sales go",
  choices: {
    channel: "In the server's sales channel",
    direct: "Sale notices by direct message",
    off: "No sale notices",
  },
  inChannel: (channel: string, minimum: string | undefined): string =>
    `Posted in ${channel}${minimum === undefined ? "" : `, from ${minimum}`}: the product, the amount, the net and your name, never who paid.`,
  direct: "Sent by direct message.",
  noRoute:
    "**Not posted: the server has no sales channel in use.** Choose direct messages below, or ask whoever manages the server to use `/config vendas`.",
  none: "Off. To be told of each sale at once, choose below where.",
  byReport:
    "**The service does not show the list of your sales now.** I announce sales from the day's report: how many and how much, without details.",
  someByReport:
    "**The service does not show the list of your sales now.** From the day's report I announce there only a sale that comes in alone and reaches the minimum. See all with `/vendas`.",
};

export const people: typeof portuguesePeople = {
  listTitle: "Your connected keys",
  listText:
    "You can disconnect any of them here, also in a server that you have left. For anything else, run `/conta ver` in the server itself.",
  more: (count) => (count === 1 ? "1 more did not fit here." : `${count} more did not fit here.`),
  server: (place) => `${place}. Server`,
  key: (end) => `Key ${end}`,
  chosenKey: (end) => `-# You chose key ${end}.`,
  answeringKeys: (ends) =>
    `-# Answered from the account with ${ends.length === 1 ? "key" : "keys"} ${format.list(ends)}.`,
  since: (at) => `account connected on ${at}`,
  report: {
    channel: "Your daily total may be posted in the channel.",
    direct: "Your daily report goes by direct message.",
    off: "Your daily total is not posted in the channel.",
  },
  left: "You left this server, and nothing of yours is posted in its channels.",
  leftAll:
    "**If we share no server, Discord does not deliver my direct messages**, and the alerts of MEDs do not reach you: watch the deadlines in the service's dashboard.",
  refused: "The service refuses this key.",
  choose: "Disconnect from a server",
  choice: (place, end) => `${place}. server …${end}`,

  questionText: (server) =>
    `From the server ${server} I delete the key, your consent to the report and the reports not posted yet.`,
  stopOnly: "Only stop the report",
  disconnectedText: (server, goesOn) =>
    `I no longer keep the key that you used in the server ${server}, ${reportEnds(goesOn)} ` +
    "To come back, run `/conta conectar` in the server.",
  agreed: "Report accepted",
  stopped: "Report switched off",
  stoppedHere: "Your total is not posted in the channel",
  reportAnswers: {
    agreed: (server, channel) =>
      `Your daily total is posted in ${channel}, the report channel of the server ${server}. To stop it, run \`/conta ver\` in the server.`,
    stopped: (server) =>
      `Your daily total is not posted in the channel of the server ${server}, nor sent by direct message. The key stays connected. ` +
      "To change this, run `/conta ver` in the server.",
    stoppedHere: (server) =>
      `Your daily total is not posted in the channel of the server ${server}. The key stays connected. ${directGoesOn}`,
    directStays: (server) =>
      `Your daily total is not posted in the channel of the server ${server}. The report by direct message stays as you chose it there. ` +
      "To stop it, run `/conta ver` in the server.",
  },

  connected: "Who connected a key",
  page: (page, pages) => `Page ${page} of ${pages}.`,
  previous: "Previous",
  next: "Next",
  remove: "Disconnect a member",
  member: (place, end) => `Person ${place} of the list above (id …${end})`,
  offers: "Key changes waiting for an answer",
  offer: (member, admin, until) => `${member}, asked by ${admin}: open until ${until}`,
  removeTitle: "Disconnect this person?",
  removeText: (member) =>
    `From this server I delete the key of ${member}, their consent to the report and the reports not posted yet. ` +
    "If they have no other key in any server, I also erase the evidence and the PIX keys that they saved, and there is no way back. " +
    "Their money is not touched, but without another key of the account that works I no longer follow a withdrawal or refund that has not ended. " +
    "They get a direct message that says who did it, what I erased and, if there is one like that, which one.",
  removeAnew:
    "**This person's key changed after that question, so I deleted nothing.** Check and answer again.",
  removeButton: "Disconnect",
  back: "Back",
  removed: "Person disconnected",
  removedText: (member) =>
    `I no longer keep the key of ${member} in this server, and their report is not posted any more. They will be told.`,

  removedNotice: "Your key was disconnected",
  removedAlone: "Somebody who manages a server disconnected your key there.",
  removedNoticeText: (admin, goesOn) =>
    `${admin} manages the server and disconnected your key there. I deleted it from that server, ${reportEnds(goesOn)} ` +
    "Your money was not touched. To come back, run `/conta conectar` in the server.",
  removedProofs: (count) =>
    `It was your last key, and with it I also erased **${count === 1 ? "1 piece" : `${count} pieces`} of evidence** that you kept. There is no way back.`,
  removedLost: "Lost with it",
  removedUnfinished: (unfinished) =>
    `${notEnded(unfinished)} I can no longer follow ${unfinished.others === 0 ? "it: deleting the key does not cancel it" : "them: deleting the key cancels none"}, and you check the result in the payment service. ` +
    "If you connect a key of the same account again, there or in another server, I go on following, and until then no other withdrawal of it leaves from here.",

  leftNotice: "You left a server",
  leftAlone:
    "You left a server: your report is no longer posted there, and your key is still kept.",
  leftAloneWithoutReport: "You left a server, and your key is still kept.",
  leftNoticeText: (server) => `I no longer see you in the server ${server}.`,
  leftReportText:
    "Your daily report is not posted there any more. If you go back, the report is posted again by the next day at the latest.",
  leftSalesText:
    "The notices of your sales are not posted there any more. If you go back, they are posted again by the next day at the latest.",
  leftKeyText:
    "Your key is still kept. To delete it, use the button or run `/conta desconectar` right here.",

  askedTitle: "I asked them",
  askedText: (member, until) =>
    `${member} already has a key in this server, and only they can replace it. I asked by direct message. ` +
    `If they accept by ${until}, the new key takes the place of the other; without an answer I delete it. You will be told how it ended.\n\n` +
    "If the message does not arrive, ask them to run `/conta conectar`.",
  newKey: "New key",
  presentKey: "Current key",
  questionTitle: "Replace your API key?",
  questionAlone: "Somebody wants to replace your API key: only you decide, within 24 hours.",
  offerText: (admin, until) =>
    `${admin} manages the server and wants to replace your key with another. Only you decide, and nothing changes before that. ` +
    "If you accept, your commands use the new key, withdrawals too.\n\n" +
    "Check the end of the key in the payment service. If you did not ask for this, refuse. " +
    `Without an answer by ${until} I delete the new key.`,
  offerOfSame: (admin, until) =>
    `${admin} manages the server and brought **the same key that you already have in it**, which did not work here and which the service has now accepted. Only you decide, and nothing changes before that. ` +
    "If you accept, your commands use it again, withdrawals too.\n\n" +
    `If you did not ask for this, refuse. Without an answer by ${until} I delete what they brought.`,
  offerOfOtherWallet:
    "**The new key is of another account of the payment service**: if you accept, the current account is no longer connected in that server.",
  accept: "Accept",
  refuse: "Refuse",
  acceptedTitle: "Key accepted",
  acceptedText:
    "The key that you accepted is connected in the server. `/conta ver` there shows how it stands.",
  refusedTitle: "Change refused",
  refusedText: "I deleted the key that was offered. Yours stays as it was, and nothing changed.",
  ends: {
    accepted: {
      title: "The key change was accepted",
      text: (member) => `${member} accepted, and the key that you offered is connected.`,
    },
    refused: {
      title: "The key change was refused",
      text: (member) =>
        `${member} refused. I deleted the key that you offered; the one before stays as it was.`,
    },
    expired: {
      title: "The key change was not answered",
      text: (member) =>
        `${member} did not answer in 24 hours. I deleted the key that you offered; the one before stays as it was.`,
    },
    unreached: {
      title: "The question did not arrive",
      text: (member) =>
        `I could not write to ${member}. I deleted the key that you offered; the one before stays as it was. Ask them to run \`/conta conectar\` in the server and paste the key.`,
    },
    unreadable: {
      title: "The key change could not be made",
      text: (member) =>
        `${member} wanted to accept, but I can no longer read the key that you offered. I deleted it; the one before stays as it was. Offer the key again, or ask them to run \`/conta conectar\` in the server.`,
    },
    own_key: {
      title: "They connected a key themselves",
      text: (member) =>
        `${member} ran \`/conta conectar\`. I deleted the key that you offered; the one that they connected is in use.`,
    },
    disconnected: {
      title: "Their key was disconnected",
      text: (member) =>
        `The key of ${member} was disconnected from the server, so there is nothing left to replace. I deleted the one that you offered.`,
    },
    replaced: {
      title: "Another key was offered instead",
      text: (member) =>
        `Somebody else who manages the server offered another key to ${member}. I deleted the one that you offered; the one before stays as it was.`,
    },
  },
};
