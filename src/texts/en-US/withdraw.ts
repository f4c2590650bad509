import type { withdraw as portuguese } from "../pt-BR/withdraw.ts";

export const withdraw: typeof portuguese = {
  keyTypes: {
    cpf: "CPF number",
    cnpj: "CNPJ number",
    email: "e-mail address",
    phone: "mobile number",
    random: "random key",
    unknown: "a form I do not know",
  },
  suspect: {
    cpf: "The key looks like a CPF, but its last digits do not check out.",
    cnpj: "The key looks like a CNPJ, but its last digits do not check out.",
    email: "The key looks like an e-mail address, but something in it is not right.",
    phone: "The key looks like a mobile number, but the number is not right.",
    random: "The key looks like a random key, but something in it is not right.",
    unknown: "I do not know this form of key. The service decides whether it is valid.",
  },
  askedTwice: {
    new_key: "You have never withdrawn to this key here.",
    unreadable_list:
      "I could not read the service's list of withdrawals. If its answer gets lost, I will not be able to find out by myself whether the money went out.",
    split: "The amount of this withdrawal is known only once it is made.",
  },

  titles: {
    own: "Confirm the withdrawal",
    split: "Confirm the split withdrawal",
    cancel: "Confirm the cancellation",
  },
  titlesAgain: {
    own: "Confirm the withdrawal again",
    split: "Confirm the split withdrawal again",
    cancel: "Confirm the cancellation again",
  },
  step: (title, step) => `${title} (${step} of 2)`,

  goes: (amount, fee, net, when) =>
    `**${amount}** goes out · fee of ${fee} · **${net}** arrives ${when}.`,
  allGoes: (amount, fee, net, when) =>
    `**${amount}**, your whole balance, goes out · fee of ${fee} · **${net}** arrives ${when}.`,
  splitGoes: (recipient, fee, when) =>
    `**The whole balance accumulated by this recipient** (${recipient}) goes out; the amount is known only afterwards. Fee of ${fee} · ${when}.`,
  cancelText:
    "I will ask the service to cancel this scheduled withdrawal. If it does, the amount goes back to the balance.",
  onlyClick: "Nothing has been sent yet: check it first.",
  firstClick: "Check it first. This first confirmation sends nothing.",
  secondClick: "**Last confirmation:** the next click sends it.",
  validUntil: (hour, relative) => `Valid until ${hour} (${relative}).`,

  amount: "Amount",
  recipient: "Recipient",
  lastBalance: "Last split balance I saw",
  lastBalanceAt: (amount, at) => `${amount}, read on ${at}. It may have changed.`,
  noLastBalance: "Not known: the service does not let anyone look up a split balance.",
  key: "PIX key",
  keySaved: "saved by you",
  holder: "Whose key it is",
  holderUnknown:
    "The service did not say whose it is. Check the key with the person you are paying.",
  speeds: { normal: "Normal", turbo: "Turbo" },
  otherSpeed: (speed, costs, when) => `${speed}: ${costs} ${when}`,
  arrives: (net) => `${net} arrives`,
  feeOf: (fee) => `fee of ${fee}`,
  when: { normal: "within 24 hours", turbo: "at once" },
  target: "Withdrawal to cancel",
  nextFrom: (at) => `After this one, as far as I know, the next is accepted from ${at}.`,

  whyTwice: "Why I ask twice",
  newKeyEndsSo: (end) => `First time to this key here. Check how it ends: …**${end}**`,
  careful: "Please note",
  sentMeanwhile:
    "**Another withdrawal from this account went out after I showed you this one.** So I did not send it, and ask again: if you wanted only one, do not go on.",
  oneInProcessing: (amount) =>
    amount === undefined
      ? "One withdrawal is being processed already; the service may refuse this one."
      : `One withdrawal of ${amount} is being processed already; the service may refuse this one.`,
  oneScheduled: (amount) =>
    amount === undefined
      ? "One withdrawal is scheduled already. I do not know whether the service takes another before it has ended: it may refuse this one."
      : `One withdrawal of ${amount} is scheduled already. I do not know whether the service takes another before it has ended: it may refuse this one.`,
  oneUnread:
    "There is one withdrawal that the service accepted and whose end I cannot read. If it has not ended, the service may refuse this one.",
  until: (at) => `Planned for ${at}.`,
  lastWasRecent: (last, at) =>
    `The last one was ${last}; a new one is accepted, as far as I know, from ${at}. Before that the service may refuse.`,
  night:
    "At night (8:00 PM to 6:00 AM; the service does not name the time zone) its limits are lower: it may refuse an amount that it would accept by day.",

  goOn: "Continue",
  send: (net) => (net === undefined ? "Send the split balance" : `Send ${net}`),
  withPin: (label) => `${label} with PIN`,
  giveUp: "Do not withdraw",
  confirmCancel: "Confirm the cancellation",
  keepWithdrawal: "Keep the withdrawal",

  questionTitle: "Is that PIX key a CPF or a mobile number?",
  questionText:
    "The eleven digits you typed can be either, and I will not guess where your money goes. Nothing was sent.",
  isCpf: "It is a CPF",
  isPhone: "It is a mobile number",

  pinTitle: "Confirm with your PIN",
  pinLabel: "Your PIN",
  pinPlaceholder: "Digits only",

  abandoned: "Withdrawal dropped",
  abandonedText: "You changed your mind: I sent nothing, and no money moved.",
  cancelAbandoned: "Cancellation dropped",
  cancelAbandonedText: "I asked nothing of the service: the withdrawal stays as it was.",
  expired: "Expired",
  expiredText:
    "The time to confirm ran out, and nothing was sent. To have the same request prepared again, press **Redo**.",
  cancelExpiredText:
    "The time to confirm ran out: I asked nothing of the service, and the withdrawal stays as it was. To ask again, press **Redo**.",
  redo: "Redo",
  withdrawAll: (available) => `Withdraw all: ${available}`,

  keyKept: "PIX key saved",
  keyKeptText:
    "Next time you will find it in the list while you fill in `chave`. It is kept encrypted, and only you see it. To forget it: `/seguranca`.",

  check: "Check now",
  status: "See status",
  saveKey: "Save this key",
  decisions: {
    own: { happened: "The money went out", didNotHappen: "The money did not go out: release" },
    cancel: { happened: "It was cancelled", didNotHappen: "It was not cancelled" },
  },
};
