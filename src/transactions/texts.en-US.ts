import type * as pt from "./texts.pt-BR.ts";

export const transactions: typeof pt.transactions = {
  filters: {
    all: "All",
    approved: "Approved sales",
    pending: "Pending sales",
    refunded: "Refunded sales",
    withdrawals: "Withdrawals",
    other: "Sales in another state",
  },
  title: "Transactions",
  none: "The service shows no transaction in this account. To charge the first one, use `/cobrar` in the server.",
  noneHere: "No transaction with that filter.",
  noneSoFar: "No transaction with that filter among those that the service has given me so far.",
  found: (count, isOne) => (isOne ? "**1 transaction.**" : `**${count} transactions.**`),
  foundAtLeast: (count, isOne) =>
    isOne ? "**1 transaction or more.**" : `**${count} transactions or more.**`,
  period: (from, to) =>
    from === to
      ? `Only those created on ${from}, in Brasília.`
      : `Only those created from ${from} to ${to}, days in Brasília.`,
  page: (page, pages) => `Page ${page} of ${pages}.`,
  pageOfMore: (page) => `Page ${page}.`,
  listUnread: (why) => `**I could not read the service's list of transactions.**${why}`,
  tryDetail:
    "If you have the txid of one, try `/transacoes txid:`. The detail may open even without the list.",
  listCut: (why) => `I could not read the list to its end.${why}`,
  moreThere:
    "The service may have more than this. If you have the txid of another, open it with `/transacoes txid:`.",
  moreHere: "I have not read the list to its end: **Read more** goes on from where I stopped.",
  onwards: "**Read more** goes on from where I stopped.",
  unnamed: (count) =>
    count === 1
      ? "1 row of the service came without a txid and is not shown."
      : `${count} rows of the service came without a txid and are not shown.`,
  undated: (count) =>
    count === 1
      ? "1 came without a date and stays out of the period."
      : `${count} came without a date and stay out of the period.`,
  noDescription: "No description",
  noAmount: "amount not given",
  noTime: "no date",
  filterPlaceholder: "Show only…",
  openPlaceholder: "Open a transaction (Brasília time)",
  previous: "◀ Newer",
  next: "Older ▶",
  readOn: "Read more",

  kinds: { payment: "Sale", withdrawal: "Withdrawal" },
  otherKind: "Transaction",
  statuses: {
    pending: "⏳ Pending",
    approved: "✅ Approved",
    refunded: "↩️ Refunded",
    expired: "⌛ Expired",
    scheduled: "🗓️ Scheduled",
    processing: "🔄 Processing",
  },
  endElsewhere: "❔ See its end in `/saques`",
  withdrawn: "✅ Completed",
  unknownStatus: (status) => `❔ ${status}`,
  noStatus: "❔ State not given",
  modalities: { link: "Payment link", normal: "Normal withdrawal", turbo: "Turbo withdrawal" },
  explained: {
    pending: "It is not paid yet, and not in your balance.",
    approved: "It is paid. The net is what enters your balance.",
    refunded: "The amount went back to the payer, and it no longer counts in your sales.",
    expired: "It was not paid in time.",
  },
  explainedWithdrawn: "The details are behind **See the withdrawal**.",
  explainedWithdrawals:
    "Whether it failed or was cancelled, only its own detail says: **See the withdrawal** or `/saques txid:`.",
  unknownExplained: "The service used a word that I do not know. I show it as it came.",

  amount: "Amount",
  fee: "Fee",
  net: "Net",
  state: "State",
  modality: "Kind",
  product: "Product or description",
  payer: "Payer",
  noPayer: "the service does not say",
  payerText: (name, document) => `${name} · document ${document}`,
  bank: (name, code) => `Bank: ${name} (code ${code})`,
  accountType: (type) => `Account: ${type}`,
  accountTypes: { checking: "checking", savings: "savings", payment: "payment" },
  notSaid: "not given",
  pixKey: "Destination PIX key",
  scheduledFor: "Planned for",
  dates: "Dates",
  createdAt: (at) => `Created ${at}`,
  withdrawalCreatedAt: (at) => `Created ${at}`,
  updatedAt: (at) => `Changed ${at}`,
  codes: "Codes",
  txid: (code) => `txid ${code}`,
  transferId: (code) => `transfer ${code}`,
  providerId: (code) => `processor ${code}`,
  redirectUrl: (url) => `returns to ${url}`,

  keepProof: "Keep evidence",
  seeDispute: "See MED",
  refund: "Refund",
  seeWithdrawal: "See the withdrawal",
  seeAll: "See all",
  chosenTitle: "Sale chosen for the evidence",
  chosenText:
    "Now open the menu of the message that proves the delivery or the consent and choose **Keep as evidence**, under **Apps**: this sale is already selected in the form, for 15 minutes.",
  sale: "Sale",
};
