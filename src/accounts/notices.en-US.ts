import type { notices as portuguese } from "./notices.pt-BR.ts";
import { format } from "../ui/format.en-US.ts";
import { reportShows } from "./texts.en-US.ts";

export const notices: typeof portuguese = {
  day: "Day",

  channelLost: "The daily report is on hold",
  channelLostAlone: "The daily report is on hold: I can no longer post in its channel.",
  channelLostText: (channel) =>
    `I can no longer post in ${channel}: the channel is gone or does not let me post. ` +
    "Whoever manages the server can fix its permissions or choose another with `/config relatorio`. " +
    "What is not posted is kept for 7 days and posted when the channel is back.",

  reportChannel: "May I post your total of each day?",
  reportChannelAlone:
    "May I post your total of each day in the report channel? Without your yes, I do not.",
  reportChannelText: (channel) =>
    `The server where you sell chose ${channel} for its daily report. ` +
    reportShows +
    "Without your yes, nothing of yours is posted there. You can change this at any time with `/conta ver` in the server; there you can also choose the report for you alone, by direct message.",

  keyRefused: {
    last: {
      title: "The service refused your key",
      alone: "The service refused your key: I no longer see your MEDs or your sales.",
      text: "Until it works again I see neither your MEDs nor your sales: MED reminders that still come go by what I saw last. The report and the notices are on hold, also the one of a withdrawal made elsewhere. Your open charges can still be paid, but I cannot see it.",
    },
    one: {
      title: "The service refused one of your keys",
      alone:
        "The service refused one of your keys: the report and the notices that depend on it may be on hold.",
      text:
        "Another key of yours for the same account still works: with it I see your MEDs and the withdrawals made elsewhere, and I follow your charges. " +
        "Until this one works again, the report and the sale notices may be on hold in the servers where it is connected.",
    },
  },
  keyRefusedNext:
    "If you changed the key, connect the new one with `/conta conectar` in the server. " +
    "If it is still valid, everything resumes by itself: I keep trying for 30 days, and at once if you run `/vendas` there.",

  keyAccepted: "The service accepts your key again",
  keyAcceptedAlone:
    "The service accepts your key again: the alerts, the report and the notices go on.",
  keyAcceptedText:
    "I tried again, and it worked. The MED alerts, the report and the notices that you left on go on: there is nothing to do.",

  uncertainReport: "Your report may have been posted",
  uncertainReportAlone: (day) =>
    `Your report for ${format.date(day)} may have been posted: take a look at the channel.`,
  uncertainReportText: (channel) =>
    `Discord did not confirm the report in ${channel}, and I will not repeat it, so that it is not posted twice. ` +
    "Take a look at the channel.",
  sameFigures: (day) => `If it is not there, ask for the figures with \`/vendas date:${day}\`.`,

  rejectedReport: {
    daily: {
      title: "A report was not posted",
      alone: (day) => `The report for ${format.date(day)} was not posted: Discord rejected it.`,
      text: "Sellers can still ask for their own figures with `/vendas`.",
    },
    close: {
      title: "A close was not posted",
      alone: (kind, day) =>
        `The ${kind}'s close up to ${format.date(day)} was not posted: Discord rejected it.`,
      text: "Sellers can still ask for their own figures with `/vendas period:`.",
    },
  },
  rejectedReportText: (channel) =>
    `It was for ${channel}, and I will not repeat it. The reason is in the log of whoever runs the bot. ` +
    "To see whether the next ones go out, run a test with `/config relatorio`.",

  sharedAccount: "Another person connected your account at the service",
  sharedAccountAlone:
    "Another person connected your payment service account. If you did not agree on this, open this message now.",
  sharedAccountText: (owner, admin) =>
    `${admin === undefined ? `${owner} connected` : `${admin} connected, for ${owner},`} a key of the same payment service account that you have connected. ` +
    `With it, ${owner} sees the account's sales and can withdraw from it. If you agreed on this, there is nothing to do.\n\n` +
    "**If you did not:** revoke the API key in the service's dashboard now, and connect a new one with `/conta conectar`. Your lock does not stop another person's withdrawals.",

  connectedForYou: "A key was connected for you",
  connectedForYouAlone: "Somebody who manages a server connected an API key in your name.",
  connectedForYouText: (admin) =>
    `${admin} manages the server and connected an API key in your name. Only you can use it there. ` +
    "Check its end in the payment service. If it is not yours, or if you did not ask for this, delete it with `/conta desconectar`; if it is yours, change it in the service too.",
  consentIsYours:
    "Your daily total is not posted in the channel unless you agree: to decide, run `/conta ver` in the server.",
  alertsAreYours:
    "I tell you of your MEDs (PIX disputes) by direct message, which you can change there too.",
};
