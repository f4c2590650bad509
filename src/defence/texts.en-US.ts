import type {
  Checklists,
  dossier as portugueseDossier,
  proofs as portugueseProofs,
} from "./texts.pt-BR.ts";

export const proofs: typeof portugueseProofs = {
  modalTitle: "Keep as evidence",
  modalLabel: "Txid of the sale that this message is about",
  modalMenu: "Which sale is this message about?",
  modalMenuPlaceholder: "Open MEDs and the newest sales (Brasília time)",
  modalOther: "Not in the list? Paste the txid",
  modalPlaceholder: "Paste the txid as the service shows it",

  keptTitle: "Evidence kept",
  keptText: "I keep the text, the author, the time and the link of this message, encrypted.",
  keptFor:
    "If this sale has a MED, now or later, the message goes into your defence: in `/meds`, open the MED and press **Prepare defence**.",
  saleMissing:
    "I did not find that sale in your account; check the code. If it is wrong, use **Keep as evidence** on this message again and choose the sale.",
  keptBeforeTitle: "You have already kept this message",
  keptBeforeText: "It is kept with this code already, as it is below. Nothing more was kept.",
  filesNotKept:
    "Of attachments I keep only the name, not the file: save each on your own device now and, if there is a MED, attach it in the service's dashboard.",

  title: "Your evidence",
  noneOfSale: "You have not kept any evidence with that txid yet.",
  none: "You have not kept any evidence yet.",
  how: "Open the menu of a message, choose **Keep as evidence** under **Apps** and choose the sale. Any message that shows the delivery, or that the payer agreed, will do.",
  count: (found) => (found === 1 ? "**1 message kept.**" : `**${found} messages kept.**`),
  unreadable: (count) =>
    count === 1
      ? "**I cannot decrypt 1 message of your evidence.** It is still kept: tell whoever runs the bot."
      : `**I cannot decrypt ${count} messages of your evidence.** They are still kept: tell whoever runs the bot.`,
  page: (page, pages) => `Page ${page} of ${pages}.`,
  openPlaceholder: "Open one (Brasília time)",
  previous: "Previous",
  next: "Next",
  back: "See all",

  detailTitle: "Evidence",
  sale: "Txid of the sale",
  proves: "Evidence for the MED",
  written: { author: "Written by", at: "Written on" },
  forwarded: { author: "Forwarded by", at: "Forwarded on" },
  authorText: (name, id) => `${name} (ID ${id})`,
  editedAt: "Edited on",
  keptAt: "Kept on",
  text: "Text",
  noText: "no text",
  attachments: "Attachments",
  noAttachments: "none",
  moreAttachments: (count) => `and ${count} more`,
  message: "Message",
  sha256: "SHA-256 digest",
  fileName: "evidence",
  fileMadeAt: (at) => `Downloaded on ${at}. Times are Brasília's.`,
  fileText: "Keep the file: it has all of your evidence. Of attachments it has only the names.",
  fileOfRest: "Keep the file: it has the others. Of attachments it has only the names.",
  remove: "Delete this evidence",
  removeTitle: "Delete this evidence?",
  removeText:
    "There is no way back: the defence of this sale loses it, and if the message disappears from Discord, it is gone.",
  removeForGood: "Delete for good",
  keep: "Keep it",
  removed: "Evidence deleted. The message in Discord stays where it is.",
};

const checklists: Checklists = {
  FRAUDE: [
    "Who bought: name, contact and user, and whether they match this MED's payer.",
    "The conversation with the buyer, before and after the payment.",
    "The delivery: a record of access, shipment or use, with date and time.",
    "If the payer is not the buyer, how the order was confirmed.",
    "The refund policy that was accepted with the purchase.",
  ],
  ERRO: [
    "The order that matches this payment, of the same amount and time.",
    "Why the payer meant to pay for this sale: the charge, the conversation or the cart.",
    "Whether it was paid twice or with a wrong amount: if the payer is right, accepting the claim in the dashboard returns the amount.",
    "The delivery: a record of access, shipment or use, with date and time.",
    "If you returned the money in another way already, the receipt.",
  ],
  other: [
    "The order that matches this payment, of the same amount and time.",
    "Who bought, and the conversation with that person.",
    "The delivery: a record of access, shipment or use, with date and time.",
    "The refund policy that was accepted with the purchase.",
  ],
};

export const dossier: typeof portugueseDossier = {
  title: "Defence against a MED (PIX dispute)",
  subtitle: (at) => `Prepared on ${at}. Times of Brasília.`,
  footer: (infraction) => `Dispute ${infraction}`,
  pageOf: "{page} of {pages}",
  allInText: "The text file has them all.",

  dispute: "The MED",
  sale: "The disputed sale",
  saleOrigin: "Channel",
  money: "Amounts",
  saleStatus: "State of the sale",
  saleDescription: "Description",
  product: "Product",
  buyer: "Buyer",
  soldAt: "Made on",

  proofs: (count) => `Evidence kept: ${count}`,
  proof: (number) => `Evidence ${number}`,
  attachment: "Attachment name",
  proofNote:
    "The SHA-256 shows that a piece of evidence did not change since it was kept. It does not show who wrote it.",

  check: "How to check the SHA-256",
  checkHow:
    "Save the line of a piece of evidence in a UTF-8 file, without a line break at the end: the file's SHA-256 (sha256sum) is the evidence's. A line that does not begin with a bracket is in Base64: decode it first.",
  earlierDigest:
    "This evidence's SHA-256 is of an earlier form and cannot be made again from this file.",

  checklist: "What to check and attach",
  checkSale: "The sale at the service: txid, amount and date.",
  checkProofs: "Kept messages that show the delivery, or that the buyer agreed.",
  checklists,

  missing: "What is missing",
  nothingMissing: "Nothing that can be seen from here.",
  missingSale:
    "The sale: the service does not show it. Look for the order in your own records by amount and time.",
  missingProofs:
    "Evidence: no message kept with “Keep as evidence” for this txid. There is still time to keep some.",
  missingProofsLate: "Evidence: no message kept with “Keep as evidence” for this txid.",
  unreadableProofs: (count) =>
    `Evidence: I cannot decrypt ${count} of the messages kept for this txid. Tell whoever runs the bot.`,
  missingPayer: "The payer: the service does not tell the name.",
  missingUrl:
    "The dashboard's address: whoever looks after the bot did not give it. Sign in the way you always do.",
  alreadyAnswered: "This MED awaits no answer any more: check its state before you use this text.",

  pasteOf: (parts) =>
    `Answer to dispute ${parts.infraction}, about payment ${parts.txid} of ${parts.amount}.`,
  pasteSold: (what, at) => `Sale made on ${at}: ${what}.`,
  pasteSoldUnknown: "Sale: [say what was sold, when and to whom].",
  pasteWhatUnknown: "[say what was sold]",
  pasteWhy: "[Say in a few sentences why the claim is unfounded.]",
  pasteDelivery: "Delivery: [say when and how it was delivered].",
  pasteProofs: "Evidence:",
  pasteProof: (number, at, text) => `${number}. On ${at}: "${text}"`,
  pasteNoProofs: "Evidence: [list what you will attach].",

  replyTitle: "Defence prepared",
  replyText: (where, until) => `**Nothing was answered.** You answer, ${where}, by ${until}.`,
  replyLate: (where, until) =>
    `**Nothing was answered.** The deadline passed on ${until}: check ${where} whether you can still answer.`,
  replyDecided: "**Nothing was answered from here.** `/meds` shows how this MED stands.",
  replyWhere: (url) => `at ${url}`,
  replyWherePanel: "in the payment service's dashboard",
  replyPaste: "Text to paste into the dashboard. Complete what stands in brackets:",
  replyFiles: "Files",
  replyFilesText:
    "The PDF and the text hold the facts and the evidence alone, to attach in the dashboard. Check before you send.",
  replyNoPdf:
    "I could not make the PDF now. The text file has the same facts and evidence. Check before you send.",
  fileName: "defence",
};
