import type { notices as portuguese } from "../pt-BR/notices.ts";
import { reportShows } from "./account.ts";
import { format } from "./format.ts";

export const notices: typeof portuguese = {
  openServer: "Open the server",
  key: "Key",
  day: "Day",
  channel: "Channel",
  noticedAt: "Noticed on",

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
    "Without your yes, nothing of yours is posted there. You can change this at any time with `/conta ver` in the server.",

  keyRefused: "The service refused your key",
  keyRefusedAlone: "The service refused your key: I no longer see your MEDs or your sales.",
  keyRefusedText:
    "So your daily report is on hold, and I no longer see your MEDs. If you changed the key, connect the new one with `/conta conectar` in the server. " +
    "If it still holds, run `/vendas`: once the service answers, everything resumes by itself.",

  uncertainReport: "Your report may have been posted",
  uncertainReportAlone: (day) =>
    `Your report for ${format.date(day)} may have been posted: take a look at the channel.`,
  uncertainReportText: (channel) =>
    `Discord did not confirm the report in ${channel}, and I will not repeat it, so that it is not posted twice. ` +
    "Take a look at the channel.",
  sameFigures: (command) => `If it is not there, ask for the figures with ${command}.`,

  connectedForYou: "Your key was connected",
  connectedForYouAlone: "Somebody who manages a server connected an API key in your name.",
  connectedForYouText: (admin) =>
    `${admin} manages the server and connected an API key in your name. Only you can use it there. ` +
    "If you did not ask for this, delete it with `/conta desconectar` and change the key in the payment service.",
  consentIsYours:
    "Your daily total is not posted in the channel unless you agree: to decide, run `/conta ver` in the server. I tell you of your MEDs (PIX disputes) by direct message, which you can change there too.",
};
