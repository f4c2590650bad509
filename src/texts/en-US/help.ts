import type { help as portuguese } from "../pt-BR/help.ts";

export const help: typeof portuguese = {
  title: "Balcão",
  about:
    "I show your PIX sales, withdraw when you ask and remind you of your MEDs (PIX disputes) before the deadline. Only you see the answers.",
  notConnected:
    "**Your API key is still missing.** Press the button and paste it: it is kept encrypted, and never send it in a message.",
  notConnectedDirect:
    "**Your API key is still missing.** Run `/conta conectar` in the server where you sell.",
  connected: (key) => `Your key ${key} is connected.`,
  paused: (key) =>
    `The service refused your key ${key}. Connect the new one with \`/conta conectar\`.`,
  seller: [
    "`/vendas`: today's sales · `/saldo`: what you can withdraw now",
    "`/saque`: sends by PIX, and shows everything first",
    "`/meds`: disputes, deadlines and your defence",
    "`/travar`: stops withdrawals at once, if you see one that was not you",
  ],
  manager: [
    "**You manage this server:**",
    "`/config relatorio`: the channel and hour of the daily report",
    "`/config alertas`: the channel and role of MED alerts",
    "`/config testar`: checks that the report gets there",
  ],
  managerNotConnected: "Do you sell too? Connect your API key with the button.",
  today: "Today's sales",
  all: "All commands",

  groups: {
    sales: "Sales",
    money: "Balance and withdrawals",
    meds: "MEDs and evidence",
    account: "Account and help",
    server: "Of the server",
  },
  goodToKnow: "Good to know",
  goodToKnowText: [
    "The service's day closes at 9:00 PM in Brasília: a sale at 10:00 PM belongs to the next day.",
    "`/travar` stops withdrawals that would leave from here; cancelling a scheduled one still works.",
    "If the answer to a withdrawal is lost, I never repeat it: I check.",
    "A MED is a dispute of a PIX, which the payer opens at their bank. You answer, in the service's dashboard.",
    "In the menu of a message, **Keep as evidence** keeps it for your defence.",
    "Of your API key I show only the last 4 characters.",
  ],
};
