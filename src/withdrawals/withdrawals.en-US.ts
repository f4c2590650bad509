import type { withdrawals as portuguese } from "./withdrawals.pt-BR.ts";

export const withdrawals: typeof portuguese = {
  states: {
    draft: "Waiting for you to confirm",
    confirmed: "Confirmed, on its way out",
    sending: "Being sent",
    accepted: "Accepted by the service",
    scheduled: "Scheduled",
    processing: "Processing",
    unknown: "Not known yet",
    manual: "Waiting for your decision",
    completed: "Completed",
    failed: "Failed",
    cancelled: "Cancelled",
    abandoned: "You did not confirm",
    refused_local: "I did not send it",
    rejected: "Refused by the service",
    not_sent: "Never left",
    not_executed: "Not carried out",
    resolved_manual: "Decided by you",
  },
  explained: {
    draft: "Nothing has gone out: you have yet to confirm.",
    confirmed: "You confirmed, and the request is on its way out.",
    sending: "The request is being sent now. Do not repeat it.",
    accepted:
      "It was accepted: the money may have gone out, or still go. I will follow it and tell you.",
    scheduled:
      "The service scheduled it, and carries it out within 24 hours. I will follow it and tell you.",
    processing:
      "The money is on its way. The bank may hold a PIX for 30 minutes by day and 60 by night to check it.",
    unknown:
      "The service's confirmation did not reach me: this withdrawal **may have been made**. Do not repeat it. I keep checking, and until I know, new withdrawals from this account are blocked.",
    manual:
      "I could not find out whether this withdrawal was made. Look at the service's dashboard and at the statement of the account that receives it, then tell me:\n" +
      "**The money went out:** I record it as made and allow new withdrawals.\n" +
      "**The money did not go out:** I allow new withdrawals. If it did go out after all, a new one **pays twice**: when in doubt, wait.",
    completed: "The money reached the key.",
    failed: "The money did not reach the key, and the service returns the amount to the balance.",
    cancelled: "The withdrawal was cancelled, and the service returns the amount to the balance.",
    abandoned: "You gave it up, or the time to confirm ran out. Nothing went out.",
    refused_local: "I stopped before sending: no money moved.",
    rejected: "The service did not accept the request: no money moved.",
    not_sent: "The request never reached the service: no money moved.",
    not_executed: "I checked the service's list, and this withdrawal was not made: no money moved.",
    resolved_manual: "The answer given stands.",
  },
  manualWithTxid:
    "The service accepted this withdrawal, and I could not read how it ended. It blocks no others. Look at the service's dashboard and at the statement of the account that receives it, then tell me:\n" +
    "**The money went out:** it arrived. I record it as made.\n" +
    "**The money did not go out:** it never arrived. If it did after all, a new one **pays twice**: when in doubt, wait.",
  cancelExplained: {
    accepted: "The service agreed to cancel. I am checking that the withdrawal stopped.",
    unknown:
      "The service's answer did not come: the withdrawal **may have been cancelled**. I will keep checking and tell you.",
    manual:
      "I could not find out whether it was cancelled. Look at the service's dashboard, then tell me whether it happened.",
    completed: "The withdrawal was cancelled, and the service returns the amount to the balance.",
    failed:
      "The cancellation came too late: the withdrawal went on to its end. See in `/saques` how it ended.",
    rejected: "The service did not agree to cancel: this request did not change the withdrawal.",
    not_sent: "The request never reached the service: it did not change the withdrawal.",
    not_executed:
      "It was not cancelled, and the withdrawal went on. See in `/saques` how it stands.",
    refused_local: "I stopped before sending: this request did not change the withdrawal.",
  },
  kinds: {
    normal: "normal speed",
    turbo: "turbo speed",
    split_normal: "split, normal speed",
    split_turbo: "split, turbo speed",
    cancel: "cancellation",
    refund: "refund",
  },
  cancelOf: (amount) => `cancellation of ${amount}`,
  steps: {
    draft: "You asked for it",
    confirmed: "You confirmed",
    sending: "I sent it to the service, once only",
    accepted: "The service accepted it",
    scheduled: "The service scheduled it",
    processing: "The service began to pay",
    unknown: "The answer did not come: I began to check",
    manual: "Checking could not tell: the decision became yours",
    completed: "I learnt that it was completed",
    failed: "I learnt that it failed, and the amount returns to the balance",
    cancelled: "Cancelled, and the amount returns to the balance",
    abandoned: "You did not confirm it",
    refused_local: "It was not sent",
    rejected: "The service refused",
    not_sent: "It never left",
    not_executed: "I checked: it was not carried out",
    resolved_manual: "You decided",
  },
  foundStep: "Found at the service: it was accepted",
  tooLateStep: "I learnt that the withdrawal ended without being cancelled",
  decidedHappened: "You said that it happened",
  decidedDidNotHappen: "You said that it did not happen",
  decidedByAnother: {
    happened: "Another person on this account said that it happened",
    did_not_happen: "Another person on this account said that it did not happen",
  },

  listTitle: "Withdrawals",
  emptyHint: "Once you withdraw with `/saque` or `/split-saque`, you find it here.",
  empty: "No withdrawals here yet.",
  emptyHere: "Of those that began here, none is in this state.",
  emptyFilter: "No withdrawals in this state. The menu has the others.",
  undelivered: (count) =>
    count === 1
      ? "**1 message about withdrawals of the last 7 days did not reach you: Discord refused my direct message.** Check the list below, and in Discord allow direct messages from the server where you sell."
      : `**${count} messages about withdrawals of the last 7 days did not reach you: Discord refused my direct messages.** Check the list below, and in Discord allow direct messages from the server where you sell.`,
  latest: (shown) => `The latest ${shown}. The menu or \`/saques txid:\` opens the others.`,
  otherAccount: "from another account of yours",
  notOfChosen: "-# From another account of yours, not the key that you chose.",
  elsewhere: "On the account, outside the bot",
  listed: "In the service's list",
  outside: "outside the bot",
  origin: ({ byAnother, mayBeOpId }) => {
    if (byAnother === true) return "by another person on this account";
    return mayBeOpId && `may be your ${mayBeOpId}`;
  },
  elsewhereNone: "No others in the service's list.",
  elsewhereMore: (count) =>
    `And ${count} more. The menu opens the newest; \`/saques txid:\` opens any.`,
  elsewhereUnread: (why) =>
    `I could not read the service's list now.${why} What began here is all in my records; what was made elsewhere may be missing.`,
  elsewhereNoKey:
    "Without your API key connected in this server I cannot read the service's list: connect it with `/conta conectar`. What began here is in my records.",
  filterPlaceholder: "Show only…",
  openPlaceholder: "Open a withdrawal (Brasília time)",
  filters: {
    all: "All",
    ongoing: "In progress",
    scheduled: "Scheduled",
    done: "Completed",
    ended: "Not made or cancelled",
    unclear: "Outcome not known",
  },

  title: (code) => `Withdrawal ${code}`,
  titleCancel: (code) => `Cancellation ${code}`,
  titleElsewhere: "Withdrawal made outside the bot",
  titleMayBe: (code) => `Maybe your withdrawal ${code}`,
  titleByAnother: "Withdrawal by another person on this account",
  byAnotherText:
    "Another person on this account asked for this withdrawal here. This is what the service says about it.",
  mayBeText: (code) =>
    `This may be your withdrawal ${code}, which I am still checking. This is what the service says about it.`,
  elsewhereText: "This withdrawal did not begin here. This is what the service says about it.",
  unread: (why) =>
    `**I could not read this withdrawal at the service now.**${why} Below is what I already knew.`,
  amount: "Amount",
  fee: "Fee",
  net: "Net",
  state: "State",
  serviceState: "State at the service",
  modality: "Speed",
  bank: "Bank",
  holder: "Holder",
  recipient: "Split recipient",
  target: "Withdrawal to be cancelled",
  txid: "Transaction id",
  transferId: "Transfer at the processor",
  processor: "What the processor says",
  processorBefore: (before) => `before: ${before}`,
  processorNote: "its own words, and not the state of the withdrawal",
  beside: "What the service noted",
  deducted: (already) =>
    already ? "The amount has left the balance" : "The amount is still in the balance",
  deductedThen: "The amount had left the balance when it was asked for",
  frozenNoted: (amount) => `Balance on hold: ${amount}`,
  otherTransferId: (id) => `Transfer: ${id}`,
  batch: (id) => `Batch: ${id}`,
  dates: "Dates",
  requestedAt: "Requested on",
  scheduledFor: "Planned for",
  planned: (at) => `planned for ${at}`,
  completedAt: "Completed on",
  failedAt: "Failed on",
  failReason: "Why it failed, in the service's words",
  failReasonUnknown: "the service did not say",
  errorCode: "Error code",
  createdAt: "Created at the service on",
  updatedAt: "Changed at the service on",
  supportCode: "Support code",
  journal: "Step by step",
  readAt: "As of",
  notKnown: "not known yet",
  notSaid: "the service does not say",
  notForNormal: "a normal withdrawal has none",
  keyTypes: {
    CPF: "CPF (person)",
    CNPJ: "CNPJ (company)",
    EMAIL: "email",
    PHONE: "phone",
    EVP: "random key",
  },
  turbo: "turbo, at once",
  normal: "normal, within 24 hours",

  receipt: "Receipt",
  cancel: "Cancel withdrawal",
  details: "More details",
  seeAll: "See all",
  openThis: (code) => `See ${code}`,

  decisionForms: {
    own: {
      happened: {
        title: "Confirm: the money went out",
        hint: "I record it as made and allow new withdrawals",
      },
      didNotHappen: {
        title: "Confirm: the money did not go out",
        hint: "Allows new withdrawals. If the money went out, a new one pays twice",
      },
    },
    found: {
      happened: {
        title: "Confirm: the money went out",
        hint: "I record it as made and close this record",
      },
      didNotHappen: {
        title: "Confirm: the money did not go out",
        hint: "I record it as not made. If the money went out, a new one pays twice",
      },
    },
    cancel: {
      happened: {
        title: "Confirm: it was cancelled",
        hint: "I record that it will not go out",
      },
      didNotHappen: {
        title: "Confirm: it was not cancelled",
        hint: "I record that it went on: see in /saques how it stands",
      },
    },
    refund: {
      happened: {
        title: "Confirm: the sale was refunded",
        hint: "I record it as refunded, and will not refund this sale again",
      },
      didNotHappen: {
        title: "Confirm: it was not refunded",
        hint: "Allows another refund. If it was refunded, another one pays twice",
      },
    },
  },
  typeCode: (code) => `To confirm, type ${code}`,

  receiptTitle: "PIX WITHDRAWAL RECEIPT",
  receiptArrived: "Arrived",
  receiptLeft: "Taken from the balance",
  receiptReturned: "The service returns to the balance",
  receiptWithFee: (amount, fee) => `${amount}, including the fee of ${fee}`,
  receiptCode: "Code",
  receiptZone: "Times in Brasília",
  receiptProves:
    "What it proves: when it was read, the payment service said that this PIX was completed.",
  receiptPayer: "It does not name the payer: for that, use the bank's receipt.",
  receiptFile: "receipt",
  receiptNotPaid: "This is not a payment receipt.",
};
