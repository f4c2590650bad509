import type { charges as portuguese } from "./texts.pt-BR.ts";

/** `/cobrar`: a charge, its card and its end. */
export const charges: typeof portuguese = {
  open: (amount) => `Charge of ${amount}`,
  openText:
    "Show the QR to the person who pays, or send the code: **Copy code** shows it alone. I tell you when it is paid.",
  openUnfollowed:
    "The code is valid, but the service did not give its txid: check the payment on the service's dashboard.",
  published: {
    soon: "The card appears in this channel in a moment.",
    sent: "The card was posted in this channel. If it is not here any more, copy the code and send it.",
    unclear:
      "I do not know whether the card was posted, and I do not send another. Look in the channel; if it is not there, copy the code and send it.",
    late: "The time of this code is over, so I did not post it.",
  },
  creating: "The charge is being made",
  creatingText: "One moment: I will update this message.",
  unknown: "The charge may have been created",
  unknownText:
    "The service's answer was lost. I do not repeat the request: I am looking for the charge and will say so here. Wait before you ask for another.",
  missing: "I did not find the charge",
  missingText:
    "I looked in the service's list and it is not there. You can ask for another with `/cobrar`; to be sure first, check the dashboard.",
  unclear: "I do not know which payment is this charge's",
  found: "I found the charge that was lost",
  foundText:
    "It was created only once. Send this code to the person who pays; I tell you when it is paid.",
  noCode: {
    no_code: "The service created the charge and sent no PIX code: get it from its dashboard.",
    broken_code:
      "The service sent a PIX code that does not add up, so I do not show it: get it from its dashboard.",
    several_codes:
      "The service sent more than one PIX code, and I do not know which is valid: get it from its dashboard.",
    other_amount:
      "The service sent a PIX code for another amount, so I do not show it: check its dashboard.",
    unclear:
      "The service's answer was lost or did not name it, and its list has more than one payment of this amount and description, one already paid, or one that I cannot read. Check on the dashboard which is this charge's before you deliver or ask for another.",
  },
  paid: (amount) => `Paid: ${amount}`,
  paidText: (at) => `It arrived ${at}.`,
  refunded: (amount) => `Refunded: ${amount}`,
  refundedText: "The payment of this charge was refunded.",
  expired: (amount) => `Expired: ${amount}`,
  expiredText: "Nobody paid in time. The code is no longer valid; to charge again, `/cobrar`.",
  cardExpired: "The time is over. Do not pay this code: ask the seller for another.",
  cardPaid: (at) => `Received ${at}.`,
  cardRefunded: "The payment was refunded.",
  cardUnfollowed: "This charge is no longer followed here.",
  unfollowed: (amount) => `Payment not confirmed: ${amount}`,
  unfollowedText:
    "I stopped following this charge without seeing a payment. If it was paid, or is paid later, it appears on the dashboard and in `/vendas`.",
  other: (received) => `A different amount arrived: ${received}`,
  otherText: (amount) =>
    `The charge was of ${amount}. Check the payment on the dashboard before you deliver.`,
  rejected: "The service refused the charge",
  rejectedText: "Nothing was created. Correct what it says and ask again with `/cobrar`.",
  rejectedSilentText:
    "Nothing was created, and the service did not say why. Try again in a few minutes; if it goes on, ask its support.",
  rejectedKeyText:
    "Nothing was created. It did not accept your API key. Connect the current one with `/conta conectar` and ask again with `/cobrar`.",
  said: "What the service said",
  notSent: "The charge was not sent",
  notSentText: "I could not reach the service, and nothing was created. Try again in a minute.",
  waitFor: (wait) => `Nothing was created. Try again in ${wait}.`,

  amount: "Amount",
  description: "Description",
  seller: "Seller",
  youGet: "You receive",
  expected: (net, fee) => `**${net}**\nexpected fee of 6%: ${fee}`,
  told: (net, fee) => `**${net}**\nfee ${fee}`,
  toldOther: (net, fee, expected) =>
    `**${net}**\nfee ${fee}, as the service said; 6% would be ${expected}`,
  validUntil: "Valid until",
  txid: "Txid of the charge",
  code: "PIX copy-and-paste code",
  picture: (amount) => `PIX QR of ${amount}. As text: “Copy code”.`,
  publish: "Post in this channel",
  copy: "Copy code",
  unposted: "The card of the charge was not posted",
  unpostedOnceText:
    "It could not be posted this time. Press **Post in this channel** again, in the answer to `/cobrar`, or copy the code and send it: it is still valid.",
  unsure: "I do not know whether the charge's card was posted",
  unsureText: (channel) =>
    `Look in ${channel}: if it is not there, copy the code and send it, because I do not send another. If it is there, it will not show how the charge ends.`,
  refusedLaterText: (channel) =>
    `One attempt got no answer, and at the next I could not post. Look in ${channel}: if the card is not there, copy the code and send it. Once I can post there, press **Post in this channel** again, in the answer to \`/cobrar\`: if it is there already, I find it and send no other.`,
  unpostedText: (channel) =>
    `I cannot post in ${channel}. Copy the code and send it: it is still valid. Or ask whoever manages the server to let me view the channel, send messages, embed links and attach files (in a thread, also send messages in threads), and press **Post in this channel** again, in the answer to \`/cobrar\`. If the thread is private, mention me in it first; if it is locked, also ask to have it unlocked.`,
};
