import type { help as portuguese } from "../pt-BR/help.ts";

export const help: typeof portuguese = {
  title: "Balcão",
  about:
    "I read your PIX sales from the payment service and show them here, to you alone, withdraw your balance when you ask and remind you of your MEDs (PIX disputes) before the deadline. " +
    "If you agree, I also post the total of each day in the server's channel, once a day.",
  start: "Getting started",
  notConnected:
    "**You have not connected your key yet.**\n" +
    "1. Run `/conta conectar` and paste the API key into the form.\n" +
    "2. Run `/vendas` to see today.",
  connected: (key) =>
    `Your key ${key} is connected. \`/vendas\` shows today, and \`/vendas data:ontem\` the day before.`,
  paused: (key) =>
    `The service refused your key ${key}. Connect the new one with \`/conta conectar\`.`,
  manager:
    "You manage this server: `/config relatorio` chooses the channel of the daily report, `/config testar` checks that it gets there, and `/config alertas` chooses the channel and the role of MED alerts.",
  commands: "Commands",
  moreCommands: "More commands",
  money: "About your money",
  moneyText:
    "`/saque` shows everything first and sends only once you confirm; I follow it to the end and tell you. " +
    "If the service's answer is lost, I never repeat the request: I check. " +
    "Saw a withdrawal that was not you? `/travar` stops at once all that would leave from here (cancelling a scheduled one still works), and `/seguranca` has the PIN and the limits.",
  meds: "About MEDs",
  medsText:
    "A MED is a dispute of a PIX, which the payer opens at their bank. `/meds` shows each one, the deadline of your answer and how much is frozen, puts the deadline in your calendar and prepares your defence. " +
    "In the menu of a message, **Keep as proof** keeps it in case the sale ever has a MED; those kept are in `/provas`. " +
    "I remind you by direct message until you answer, and `/conta ver` changes that. You answer, in the service's dashboard.",
  day: "About the day",
  dayText:
    "The service counts days in UTC: a day closes at 21:00 in Brasília. A sale at 22:00 belongs to the next day.",
  privacy: "About your API key",
  privacyText:
    "It is kept encrypted, and I show only its last 4 characters. Never send the key in a message or in a command's option.",
};
