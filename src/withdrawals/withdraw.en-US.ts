import type {
  withdraw as portugueseWithdraw,
  withdrawOutcomes as portugueseOutcomes,
} from "./withdraw.pt-BR.ts";

export const withdraw: typeof portugueseWithdraw = {
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
    new_key: "This PIX key is new to me: I have no record of a withdrawal to it.",
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
  },
  tooSoon: ": the last was less than 24 hours ago",
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
  secondClickWithPin: "**Last confirmation:** the next click asks for the PIN, which sends it.",
  validUntil: (hour, relative) => `Valid until ${hour} (${relative}).`,

  amount: "Amount",
  recipient: "Recipient",
  lastBalance: "Last split balance I saw",
  lastBalanceAt: (amount, at) => `${amount}, as of ${at}. It may have changed.`,
  noLastBalance: "Not known: the service does not let anyone look up a split balance.",
  key: "PIX key",
  keySaved: "saved by you",
  holderUnknown: "The service did not say whose it is. Check the key with whoever receives it.",
  speeds: { normal: "Normal", turbo: "Turbo" },
  otherSpeed: (speed, costs, when) => `${speed}: ${costs} ${when}`,
  arrives: (net) => `${net} arrives`,
  feeOf: (fee) => `fee of ${fee}`,
  when: { normal: "within 24 hours", turbo: "at once" },
  target: "Withdrawal to cancel",
  nextFrom: (at) => `After this one, as far as I know, the next is accepted from ${at}.`,

  whyTwice: "Why I ask twice",
  newKeyEndsSo: (end) => `New to me. Check how it ends: …**${end}**`,
  careful: "Please note",
  sentMeanwhile:
    "**I learnt of another withdrawal from this account after I showed you this one.** So I did not send it, and ask again: if you wanted only one, do not go on.",
  oneInProcessing: (amount) =>
    amount === undefined
      ? "One withdrawal is being processed already; the service may refuse this one."
      : `One withdrawal of ${amount} is being processed already; the service may refuse this one.`,
  oneScheduled: (amount) =>
    amount === undefined
      ? "One withdrawal is scheduled already. Until it has ended, the service may refuse this one: I do not know."
      : `One withdrawal of ${amount} is scheduled already. Until it has ended, the service may refuse this one: I do not know.`,
  oneUnread:
    "There is one withdrawal that the service accepted and whose end I cannot read. If it has not ended, the service may refuse this one.",
  othersUnderWay: (count) =>
    `${count} more withdrawals from this account may not have ended, counting another person's and those made outside the bot.`,
  until: (at) => `Planned for ${at}.`,
  lastWasRecent: (last, at) =>
    `The last one was on ${last}; a new one is accepted, as far as I know, from ${at}. Before that the service may refuse.`,
  nextFromIfCounted: (last, at) =>
    `The last withdrawal, of ${last}, was not paid; the service does not say whether it counts towards one every 24 hours. If it does, a new one is accepted from ${at}.`,
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

  form: {
    title: "Withdraw",
    amount: "Amount (the fee comes out of it)",
    amountHint: "50 or 1,234.56, or all",
    savedKey: "Saved PIX key",
    otherKey: "Or another PIX key",
    keyHint: "CPF, CNPJ, e-mail, phone or random key",
    speed: "Speed",
    speeds: {
      normal: "normal: within 24 hours, fee R$\u00a00.50",
      turbo: "turbo: at once, fee R$\u00a03.50",
    },
  },
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
    "Next time you will find it in the list while you fill in `key`. It is kept encrypted, and only you see it. To forget it: `/seguranca`.",

  check: "Check now",
  otherKey: "Try another key",
  saveKey: "Save this key",
  decisions: {
    own: { happened: "The money went out", didNotHappen: "The money did not go out" },
    cancel: { happened: "It was cancelled", didNotHappen: "It was not cancelled" },
  },
};

const follows = "I will follow it to the end and tell you.";
const onItsWay = `The request is on its way to the service. Do not repeat it. ${follows}`;

const inDoubt =
  "When in doubt, wait: if it went out and you answer that it did not, a new withdrawal pays twice.";

const own: (typeof portugueseOutcomes)["own"] = {
  draft: {
    title: "Withdrawal without confirmation",
    text: "Nothing was sent, and no money moved.",
  },
  confirmed: { title: "Sending the withdrawal", text: onItsWay },
  sending: { title: "Sending the withdrawal", text: onItsWay },
  accepted: {
    title: "Withdrawal accepted",
    text: "It was accepted: the money may have gone out, or still go. Do not repeat it.",
    promise: follows,
  },
  scheduled: {
    title: "Withdrawal scheduled",
    text: "The service accepted the request and scheduled it. The time is the service's own estimate. Do not repeat it.",
    promise: follows,
  },
  processing: {
    title: "Withdrawal being processed",
    text: "The service is sending the PIX. It may be held for review for up to 30 minutes by day or 60 at night: such a wait is not an error. Do not repeat it.",
    promise: follows,
  },
  unknown: {
    title: "I can't confirm this withdrawal yet",
    text: "The service's confirmation did not reach me. The withdrawal **may have been made**. **Do not repeat it.** Until I know, new withdrawals from this account are blocked.",
    promise: "I will check by myself and tell you within 45 minutes what I found.",
  },
  manual: {
    title: "I need you to check this withdrawal",
    text: `I cannot be sure whether it was made: a delayed request may still go out. **Do not repeat it.** Look in the payment service, ask whoever receives it, and answer below. Until this is settled, new withdrawals from this account are blocked. ${inDoubt}`,
    promise: "I keep checking until 30 days after the request and tell you if I find it.",
  },
  completed: {
    title: "Withdrawal completed",
    text: "The service completed the withdrawal to the PIX key.",
  },
  failed: {
    title: "The withdrawal failed",
    text: "The money did not reach the PIX key, and the service **returns the amount to the balance**.",
  },
  cancelled: {
    title: "Withdrawal cancelled",
    text: "It will no longer go out, and the service **returns the amount to the balance**.",
  },
  abandoned: { title: "Withdrawal dropped", text: "Nothing was sent, and no money moved." },
  refused_local: {
    title: "The withdrawal was not sent",
    text: "I stopped before sending: no money moved. Ask again whenever you like.",
  },
  rejected: { title: "The service refused the withdrawal", text: "No money moved." },
  not_sent: {
    title: "The withdrawal was not sent",
    text: "The request never left here: no money moved. Ask again in a few minutes.",
  },
  not_executed: {
    title: "The withdrawal was not made",
    text: "I looked in the service's list more than once, and this withdrawal is not in it: no money went out. If you have not asked for another one yet, you can now.",
  },
  resolved_manual: { title: "Withdrawal decided", text: "I noted the answer." },
};

const cancel: (typeof portugueseOutcomes)["cancel"] = {
  ...own,
  draft: {
    title: "Cancellation without confirmation",
    text: "Nothing was sent: the withdrawal stands as it was.",
  },
  confirmed: { title: "Sending the cancellation", text: onItsWay },
  sending: { title: "Sending the cancellation", text: onItsWay },
  accepted: {
    title: "Cancellation accepted",
    text: "The service accepted the request, and I have not read yet whether the withdrawal was cancelled. Do not repeat it.",
    promise: "I will read it and tell you.",
  },
  unknown: {
    title: "I can't confirm this cancellation yet",
    text: "The service's confirmation did not reach me. The withdrawal **may have been cancelled**. Do not repeat it.",
    promise: "I will check by myself and tell you.",
  },
  manual: {
    title: "I need you to check this cancellation",
    text: "I could not find out whether the withdrawal was cancelled. Look in the payment service and answer below.",
  },
  completed: own.cancelled,
  abandoned: {
    title: "Cancellation dropped",
    text: "Nothing was sent: this request did not change the withdrawal.",
  },
  failed: {
    title: "The withdrawal was not cancelled",
    text: "The cancellation came too late: the withdrawal went on to its end. See in `/saques` how it ended.",
  },
  refused_local: {
    title: "The cancellation was not sent",
    text: "I stopped before sending: this request did not change the withdrawal. Ask again whenever you like.",
  },
  rejected: {
    title: "The service did not cancel the withdrawal",
    text: "This request did not change the withdrawal.",
  },
  not_sent: {
    title: "The cancellation was not sent",
    text: "The request never left here: it did not change the withdrawal. Ask again in a few minutes.",
  },
  not_executed: {
    title: "The withdrawal was not cancelled",
    text: "The cancellation was not made, and the withdrawal went on. See in `/saques` how it stands.",
  },
  resolved_manual: { title: "Cancellation decided", text: "I noted the answer." },
};

export const withdrawOutcomes: typeof portugueseOutcomes = {
  own,
  cancel,
  refused: {
    earlier_was_made:
      "An earlier withdrawal from this account seemed not to have been made, but I found it in the service's list: **its money went out**. So I did not send this one. If you wanted only one, do not ask again.",
    sent_meanwhile:
      "**I learnt of another withdrawal from this account after I showed you this one.** So I did not send this one. If you wanted only one, do not ask again.",
    money_locked:
      "Withdrawals were locked by you: I did not send this, and no money moved. Until the lock opens, no withdrawal or refund goes out; to have it opened, use `/seguranca`: it opens 24 hours later.",
    daily_cap:
      "Your daily limit did not let this go out: I did not send it, and no money moved. The limit counts the last 24 hours; to raise or remove it, use `/seguranca`: it takes 24 hours.",
    not_cancellable:
      "This withdrawal is no longer scheduled: I did not send the cancellation. See in `/saques` how it stands.",
  },
  rejected: {
    invalid:
      "It did not accept the request as it is. Check the amount and the PIX key and ask again.",
    unauthorized: "It did not accept your API key. Connect the current one with `/conta conectar`.",
    forbidden:
      "It does not allow this for your account now. If it is a limit, wait and ask again. If it is automatic withdrawal, switch that off at the service. If not, contact its support.",
    not_found:
      "It did not find what was asked for. If it keeps happening, contact the service's support.",
    rate_limited: "There were too many requests in a short time. Wait and ask again.",
    insufficient_split_balance:
      "The balance accumulated by this recipient is below the minimum. Wait for more split sales.",
    refused:
      "A limit on the amount, a limit at night, or the rule of one withdrawal every 24 hours may be the reason.",
  },
  conflict:
    "The service says that a withdrawal is already under way. I am checking whether it is this one: it **may have been made**. **Do not repeat it.** I will tell you as soon as I know; meanwhile new withdrawals from this account are blocked.",
  refusedSaying: (words) => `The service refused: “${words}”`,
  refusedForThat:
    "The reason is what the service said. If it makes no sense to you, talk to its support.",
  rejectedCancel: "See in `/saques` how the withdrawal stands.",
  paced: {
    own: "The request never left here: no money moved. The service takes up to 3 withdrawal requests a minute, and I stop before going beyond that.",
    cancel:
      "The request never left here: it did not change the withdrawal. The service takes up to 3 withdrawal requests a minute, and I stop before going beyond that.",
  },
  waitFor: (wait) => `There were too many requests in a short time. Wait ${wait} and ask again.`,
  completedWith: (net) => `The service completed the withdrawal: **${net}** went to the PIX key.`,
  slow: "It has been more than an hour, which is not usual. **Do not repeat it.** I keep checking; if you like, contact the service's support and give the txid below.",
  overdue:
    "The planned time has passed. **Do not repeat it.** I will keep checking and tell you; if you like, contact the service's support and give the txid below.",
  found: {
    title: "I found the withdrawal: it was made",
    text: "That was the missing confirmation: the service has this withdrawal. Do not ask for another. I will tell you when it has ended.",
  },
  foundDespiteRefusal:
    "The service had refused this withdrawal, but its list has it: it **was made**. Do not ask for another one. I will tell you when it has ended.",
  failedNext:
    "Check the PIX key with whoever receives it and ask again whenever you like. The service does not say whether a failed withdrawal counts towards the limit of one every 24 hours.",
  feeReturn: "The service does not say whether the fee comes back too: check in `/saldo`.",
  splitReturn: "The service does not say whether that is your balance or that of the split.",
  balanceFell:
    "The balance fell by at least the amount of this withdrawal after the request: it **was probably made**, although the service's list does not show it yet.",
  manualWithTxid:
    "The service accepted this withdrawal, but I cannot read how it ended. **Do not repeat it:** it may have arrived. Look in the payment service and answer below, so that I can close this record. Other withdrawals from this account are not blocked.",
  normalTakes: "A normal withdrawal goes out within 24 hours.",
  resolved: {
    happened:
      "The answer: the money went out. This withdrawal does not block new ones from this account.",
    did_not_happen:
      "The answer: the money did not go out. This withdrawal does not block new ones from this account.",
  },
  resolvedByAnother:
    "Another person on this account answered in your place: you had no key of it any more.",
  notBlocking: "This withdrawal does not block new ones from this account.",
  resolvedCancel: {
    happened: "The answer: the withdrawal was cancelled.",
    did_not_happen: "The answer: the withdrawal was not cancelled.",
  },

  replaced: {
    own: "Replaced: the newest message about this withdrawal is below.",
    cancel: "Replaced: the newest message about this cancellation is below.",
  },
  alone: (title, amount) => (amount === undefined ? `${title}.` : `${title} (${amount}).`),
  aloneInDoubt: "Do not request it again.",
  aloneOtherAmount: "It is not the amount that you confirmed.",
  otherAmount: (confirmed, taken) =>
    `**The amount is not the one you confirmed.** You confirmed ${confirmed}, and the service says that the withdrawal is of ${taken}. Its dashboard shows more: check there before you request another.`,

  arrives: "Will arrive",
  serviceSaid: "The service answered",
  reason: "Reason given by the service",
  noReason: "The service gave no reason.",
  splitBalance: "Split balance",
  beforeAndAfter: (before, after) => `${before} before, ${after} after`,
  nextFrom: (at) => `As far as I know, the next is accepted from ${at}.`,
  sentAt: "Sent on",
  checkedNow: "I checked just now",
  stillUnclear: "it cannot be told yet.",
  cannotCheck:
    "Without a key of yours for this account I cannot check. Connect one with `/conta conectar`.",
  unreadableNow: (why) => `I could not read it now. ${why}. This is what I knew already.`,
};
