import type { account as portuguese } from "../pt-BR/account.ts";

/** What everybody who sees the channel sees. */
export const reportShows =
  "Your name, how many sales, the total sold, the fees and the net are posted, and whoever sees the channel sees them. ";

export const account: typeof portuguese = {
  connectMine: "Connect my key",
  modalTitle: "Connect your API key",
  modalLabel: "API key of the payment service",
  modalPlaceholder: "Paste the whole key",

  connected: "Key connected",
  refused: "Key refused by the service",
  key: "Key",
  since: "Connected on",
  by: (person) => `by ${person}`,
  owner: "Owner of the key",
  ownerVerified: "Confirmed: it is your account",
  ownerUnverified: "Not confirmed: the service does not show a Discord user",
  state: "State",
  working: "Working",
  pausedSince: (at) =>
    `Paused since ${at}. If you changed the key, connect the new one with \`/conta conectar\`. ` +
    "If this one still holds, run `/vendas`: once the service answers, it resumes by itself.",
  report: "Daily report",
  consentGiven: "You agreed.",
  consentMissing: "You have not agreed yet.",
  goesTo: (channel, time, zone) => `It is posted in ${channel}, at ${time} (${zone}).`,
  wouldGoTo: (channel, time, zone) => `It would be posted in ${channel}, at ${time} (${zone}).`,
  channelLost: (channel) =>
    `On hold: I cannot post in ${channel}. Whoever manages the server can fix it with \`/config relatorio\`.`,
  switchedOff: "It is switched off in this server.",
  noChannel: "This server has not chosen a channel yet.",
  willAsk: "Once it has, I will ask whether I may post your total there.",
  firstSteps: "Run `/vendas` to see today's sales.",

  consentQuestion:
    "**May I post your total of each day in the report channel?**\n" +
    reportShows +
    "You can change this at any time with `/conta ver`.",
  accept: "Post it",
  decline: "Not now",
  stop: "Stop posting",

  connectedForTitle: "Key connected",
  connectedFor: (owner) =>
    `The key of ${owner} is connected, and only they can use it. ` +
    "They get a direct message and decide, with `/conta ver`, whether their daily total goes to the channel.",

  disconnectTitle: "Disconnect this key?",
  disconnectText:
    "I delete from this server the key, your consent to the report and the reports not posted yet. " +
    "Your sales stay in the payment service, and the key stays valid there until you revoke it.",
  losesToo: "Also lost",
  loses: {
    proofs: (count) =>
      `**${count === 1 ? "1 piece" : `${count} pieces`} of evidence** that you kept: download first, there is no way back`,
    pixKeys: (count) =>
      count === 1
        ? "**1 saved PIX key**, which counts as new again"
        : `**${count} saved PIX keys**, which count as new again`,
    disputes: (count, dueAt) =>
      count === 1
        ? `reminders of **1 MED** without an answer, due ${dueAt}`
        : `reminders of **${count} MEDs** without an answer; the first is due ${dueAt}`,
    alertChoice: "your choice of where MED alerts go",
  },
  replace: "Just replace the key",
  replaceText:
    "Only want to replace the key? Connect the new one, of the same account, and all of this stays.",
  disconnectUnfinished: (opId) =>
    `**${opId === undefined ? "A withdrawal of this account" : `The withdrawal \`${opId}\``} has not ended yet, and this is the last key of the account that I have.** ` +
    "Without it I can no longer follow it: deleting the key does not cancel the withdrawal, and you check its result in the payment service. " +
    "If you connect a key of the same account again, I go on following it, and until then no other withdrawal of it leaves from here.",
  disconnect: "Delete the key",
  disconnectAnyway: "Delete it all the same",
  keep: "Keep it",
  disconnected: "Key deleted",
  disconnectedText:
    "I no longer keep your key in this server, and your report is not posted any more. " +
    "To come back: `/conta conectar`.",
};
