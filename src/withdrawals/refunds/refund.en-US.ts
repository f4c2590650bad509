import type {
  refund as portugueseRefund,
  refundOutcomes as portugueseOutcomes,
} from "./refund.pt-BR.ts";

export const refund: typeof portugueseRefund = {
  title: (amount) => `Refund ${amount}?`,
  text: "The amount goes back to the person who paid. The service does not say how much leaves your balance, with or without the sale's fee. Nothing has been sent yet: check it first.",
  payer: "Goes back to",
  payerUnknown: "the service did not say who paid",
  product: "Sale",
  amount: "Refund amount",
  fee: "Sale fee",
  paidAt: "Sold on",
  txid: "Txid of the sale",
  unseen: (count) =>
    count === 1
      ? "The service counts 1 MED that its list does not show. If it is about this sale, a refund would pay twice: check on the service's dashboard."
      : `The service counts ${count} MEDs that its list does not show. If one is about this sale, a refund would pay twice: check on the service's dashboard.`,
  notCompared:
    "The service's list of MEDs has no open one about this sale, but I could not check whether the list is complete.",
  confirm: (amount) => `Refund ${amount}`,
  giveUp: "Do not refund",
  abandoned: "Refund dropped",
};

type States = (typeof portugueseOutcomes)["states"];

const sending: States["sending"] = {
  title: "Sending the refund",
  text: "The request is on its way to the service. Do not repeat it: I follow it to the end and tell you.",
};

const accepted: States["accepted"] = {
  title: "Refund accepted",
  text: "The service accepted the request. **Do not repeat it:** the refund may have been made.",
  promise: "I read the sale until it shows as refunded, and tell you.",
};

const notMade: States["not_executed"] = {
  title: "The refund was not made",
  text: "I read the sale more than once, days after the request, and it is still not refunded: no money went back to the payer. If you have not asked for another one yet, you can now.",
};

const unsent: States["draft"] = {
  title: "Refund without confirmation",
  text: "Nothing was sent, and no money moved.",
};

const inDoubt = "When in doubt, wait: refunding a refunded sale pays twice.";

const states: States = {
  draft: unsent,
  confirmed: sending,
  sending,
  accepted,
  scheduled: accepted,
  processing: accepted,
  unknown: {
    title: "I can't confirm this refund yet",
    text: "The service's confirmation did not reach me. The refund **may have been made**. **Do not repeat it**, not on the dashboard either. Until I know, I will not refund this sale again. This blocks no withdrawals, and no other refunds.",
    promise: "I will read the sale and tell you within 45 minutes what I found.",
  },
  manual: {
    title: "I need you to check this refund",
    text: `I cannot be sure whether it was made: a delayed request may still count. **Do not repeat it.** Look in the payment service and answer below. ${inDoubt}`,
    promise: "I keep reading the sale until 30 days after the request and tell you if it changes.",
  },
  completed: {
    title: "Refund made",
    text: "The service shows this sale as **refunded**: the amount goes back to the payer. It does not say how much left your balance, with or without the fee: check in `/saldo`.",
  },
  failed: notMade,
  cancelled: notMade,
  abandoned: unsent,
  refused_local: {
    title: "The refund was not sent",
    text: "I stopped before sending: no money moved. Ask again whenever you like.",
  },
  rejected: { title: "The service refused the refund", text: "No money moved." },
  not_sent: {
    title: "The refund was not sent",
    text: "The request never left here: no money moved. Ask again in a few minutes.",
  },
  not_executed: notMade,
  resolved_manual: { title: "Refund decided", text: "I noted the answer." },
};

export const refundOutcomes: typeof portugueseOutcomes = {
  states,
  refused: {
    dispute_open:
      "I did not refund this sale: it had an open MED, and a refund would pay twice. Nothing was sent.",
    dispute_returned:
      "This sale cannot be refunded: the bank already returned its amount through a MED. A refund would pay twice. Nothing was sent.",
    disputes_unreadable:
      "I could not read your MEDs, and with an open MED a refund would pay twice. Nothing was sent. Ask again in a few minutes. If I still cannot, the list of your MEDs may be too long for me: look on the service's dashboard for a MED of this sale and, if there is no such MED, refund it there.",
    payment_refunded: "This sale is refunded already. Nothing was sent.",
    payment_unreadable:
      "I could not read the sale before sending. Nothing was sent. Ask again in a few minutes.",
    key_refused:
      "The service did not accept your API key. Nothing was sent. Connect the current one with `/conta conectar`.",
    payment_changed:
      "The sale changed at the service after my question. Nothing was sent. Ask again to see how it stands.",
    refund_after_restore:
      "My database was restored from a backup, and a refund of this sale may be missing in it. Nothing was sent. Check the sale on the service's dashboard; you can ask again three days after the restore.",
  },
  rejected: {
    invalid: "It did not accept the request as it is. Look at the sale on its dashboard.",
    forbidden:
      "It does not allow this for your account now. If it keeps happening, contact its support.",
    not_found: "It did not find the sale. If it keeps happening, contact its support.",
    insufficient_split_balance: "The balance does not cover the refund.",
    refused:
      "A low balance may be the reason, or the time limit for refunds, which the service does not tell. Look at the sale on its dashboard.",
  },
  conflict:
    "The service says that this request exists already, or that the sale was refunded before. The refund **may have been made**. **Do not repeat it:** I am reading the sale and will tell you as soon as I know.",
  paced:
    "The request never left here: no money moved. Refunds and withdrawals together are limited to 3 requests a minute, and I stop before going beyond that.",
  replaced: "Replaced: the newest message about this refund is below.",
  resolved: {
    happened: "The answer: the refund was made.",
    did_not_happen:
      "The answer: the refund was not made. If you have not asked for another one yet, you can now.",
  },
  decisions: {
    happened: "The sale was refunded",
    didNotHappen: "It was not refunded",
  },
  expiredText:
    "The time to confirm is over, and nothing was sent. To ask for this refund again, press **Redo**.",
  name: (amount) => `refund of ${amount}`,
};
