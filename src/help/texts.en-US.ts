import type { commands as portugueseCommands, help as portugueseHelp } from "./texts.pt-BR.ts";

export const commands: typeof portugueseCommands = {
  conta: {
    self: "Connects, shows or disconnects your API key",
    conectar: "Connects your API key in this server",
    membro: "Only for those who manage the server: whose key it is",
    ver: "Shows your connection, and where your report, alerts and notices go",
    desconectar: "Deletes your key from this server",
    webhook: "Gives an address that the service calls to make me look at your account at once",
  },
  vendas: {
    self: "Shows your sales of a day or a period, and how they changed",
    data: "today, yesterday or DD/MM/YYYY. Empty: today, and after 9:00 PM the new day too",
    periodo: "7 days, this month, last month, Thursday, 19/11 or 01/11 to 15/11, with the change",
  },
  meta: {
    self: "Shows your sales goal of the month and what is left; with an amount, changes it",
    valor: "How much you want to sell in a month: 40,000.00. Empty: shows the goal",
    mostrar: "Who sees the goal. Empty: as it is; a new goal, only you",
    privada: "only me",
    servidor: "the report of the server too",
  },
  transacoes: {
    self: "Lists your sales and withdrawals, and shows each in full",
    txid: "One transaction: the newest appear here. Empty: the list",
    estado: "Shows only the transactions in that state",
    periodo: "today, 7 days, this month, 01/11 to 15/11. Empty: all",
  },
  saque: {
    self: "Withdraws from your balance to a PIX key, and shows everything before it is sent",
    valor: "50 or 1,234.56, or all. The fee comes out of the amount",
    chave: "PIX key: CPF, CNPJ, e-mail, mobile or random key. Saved ones appear here",
    modalidade: "Empty: normal",
    normal: "normal: within 24 hours, fee of R$ 0.50",
    turbo: "turbo: at once, fee of R$ 3.50",
  },
  splitSaque: {
    self: "Withdraws the whole split balance of a recipient to a PIX key",
    recebedor: "Whose split balance it is: all of it goes",
  },
  saques: {
    self: "Lists your withdrawals and refunds, shows one, follows it and cancels it",
    txid: "Code (W-…) or transaction id of a withdrawal. Empty: the list",
  },
  estornar: {
    self: "Refunds a sale to the person who paid, after showing everything",
    txid: "Transaction id (txid) of the sale",
  },
  cobrar: {
    self: "Creates a PIX charge, with a QR and a code to copy",
    valor: "What to charge: 50, or 79.90, or 1,234.56. The fee comes out of the amount",
    descricao: "What is being sold, in at most 140 characters",
  },
  saldo: { self: "Shows your balance and what can be withdrawn now" },
  meds: {
    self: "Shows your MEDs (PIX disputes), their deadlines and each one in full",
    infracao: "Code of the dispute. Empty: the summary and the list",
    estado: "Shows only MEDs in this state",
  },
  provas: {
    self: "Shows and deletes the messages that you kept as evidence",
    txid: "Only the evidence of this sale: the newest appear here. Empty: all",
  },
  /** In the menu of a message: at most 32 characters. */
  guardarProva: { name: "Keep as evidence" },
  travar: {
    self: "Locks withdrawals and refunds here, not cancelling a scheduled withdrawal. Unlocking: 24 hours",
  },
  seguranca: { self: "PIN, daily limit, wait for new PIX keys, and saved keys" },
  config: {
    self: "Looks after this server's daily report, MED alerts and sale notices",
    relatorio: "Chooses the channel and the time of the daily report",
    canal: "Channel where the report is posted",
    horario: "A time such as 9:05 PM, just after the day closes in Brasília",
    fuso: "Time zone of that time and of the quiet hours of MEDs. Empty: America/Sao_Paulo",
    ativo: "Switches the report on or off",
    alertas: "Chooses where MED alerts go, the role that they ping and their quiet hours",
    canalAlertas: "Channel of the alerts. Each seller decides whether theirs go there",
    cargo: "Role that the alerts ping. To remove it, there is a button in the answer",
    ativoAlertas: "Switches the channel on or off; off, alerts go to direct messages",
    vendas: "Chooses where sale notices go, and from which amount on",
    canalVendas: "Channel of the notices. Each seller decides whether their sales appear there",
    minimo: "Amount from which a sale appears, such as 50 or 49.90; 0 for all",
    ativoVendas: "Switches the sale notices in the channel on or off",
    ver: "Shows what is set for the report, the MED alerts and the sale notices",
    testar: "Sends a test to the channel, the same way that reports go",
  },
  ajuda: { self: "What Balcão does and how to get started" },
};

export const help: typeof portugueseHelp = {
  title: "Balcão",
  about:
    "I show your PIX sales, withdraw when you ask and remind you of your MEDs (PIX disputes) before the deadline. Only you see the answers.",
  aboutWithoutWithdrawals:
    "I show your PIX sales and remind you of your MEDs (PIX disputes) before the deadline. Only you see the answers.",
  notConnected:
    "**Your API key is still missing.** Press the button and paste it; it is kept encrypted. Never send it in a message.",
  notConnectedDirect:
    "**Your API key is still missing.** Run `/conta conectar` in the server where you sell.",
  connected: (key) => `Your key ${key} is connected.`,
  paused: (key) =>
    `The service refused your key ${key}. Connect the new one with \`/conta conectar\`.`,
  pausedDirect: (key) =>
    `The service refused your key ${key}. Connect the new one with \`/conta conectar\` in the server where you sell.`,
  charging: "`/cobrar`: charges by PIX",
  withdrawing: "`/saque`: withdraws, and shows everything first",
  seller: [
    "`/vendas`: today's sales · `/saldo`: what you can withdraw now",
    "`/meds`: disputes, deadlines and your defence",
    "`/travar`: stops your withdrawals and refunds by this bot at once, not those made elsewhere",
  ],
  aboutServer:
    "I post the daily report of PIX sales and remind each seller of their MEDs (PIX disputes). Only sellers see their own balance.",
  manager: [
    "**You manage this server:**",
    "`/config relatorio`: the channel and hour of the daily report",
    "`/config alertas`: the channel and role of MED alerts",
    "`/config vendas`: the channel and minimum amount of sale notices",
    "`/config testar`: checks that the report gets there",
  ],
  managerNotConnected: "Do you sell too? Connect your API key with the button.",
  today: "Today's sales",
  all: "All commands",
  operations: "Operations of the service",
  documented: "Described in the service's document",
  assumed: "Only named there: their shape is our assumption",
  needs: (setting: string): string => `needs ${setting}`,
  switches: "What needs a setting stays off until whoever looks after the bot turns it on.",

  groups: {
    sales: "Sales",
    money: "Balance and withdrawals",
    meds: "MEDs and evidence",
    account: "Account and help",
    server: "This server",
  },
  goodToKnow: "Good to know",
  goodToKnowText: [
    "The service's day closes at 9:00 PM in Brasília: a sale at 10:00 PM belongs to the next day.",
    "`/travar` stops your withdrawals and refunds from here, but does not stop you from cancelling a scheduled one.",
    "If the answer to a withdrawal is lost, I never repeat it: I check.",
    "A MED is a dispute of a PIX, which the payer opens at their bank. You answer, in the service's dashboard.",
    "In the menu of a message, **Keep as evidence** keeps it for your defence.",
    "Of your API key I show only the last 4 characters.",
  ],
};
