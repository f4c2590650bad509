import type { proofs as portuguese } from "../pt-BR/proofs.ts";

export const proofs: typeof portuguese = {
  modalTitle: "Keep as evidence",
  modalLabel: "Txid of the sale that this message is about",
  modalPlaceholder: "Paste the txid as the service shows it",

  keptTitle: "Evidence kept",
  keptText:
    "I keep the text, the author, the time and the links of this message, encrypted. If this sale has a MED, now or later, it goes into your defence: in `/meds`, open the MED and press **Prepare defence**.",
  keptBeforeTitle: "You have already kept this message",
  keptBeforeText: "It is evidence of this sale already, as it is below. Nothing more was kept.",
  keptLinks:
    "Of attachments I keep only the links, and Discord may take them down: save the files yourself too.",

  title: "Your evidence",
  none: "You have not kept any evidence yet.",
  how: "Open the menu of a message, choose **Keep as evidence** under **Apps** and say the txid of the sale. Any message that shows the delivery, or that the payer agreed, will do.",
  count: (found) => (found === 1 ? "**1 message kept.**" : `**${found} messages kept.**`),
  page: (page, pages) => `Page ${page} of ${pages}.`,
  openPlaceholder: "Open one",
  previous: "Earlier ones",
  next: "More",
  back: "See all",

  detailTitle: "Evidence",
  sale: "Txid of the sale",
  author: "Written by",
  authorText: (name, id) => `${name} (ID ${id})`,
  writtenAt: "Written on",
  editedAt: "Edited on",
  keptAt: "Kept on",
  text: "Text",
  noText: "no text",
  links: "Attachments",
  noLinks: "none",
  moreLinks: (count) => `and ${count} more`,
  message: "Message",
  sha256: "SHA-256 digest",
  download: "Download my evidence",
  fileName: "evidence",
  fileMadeAt: (at) => `Downloaded on ${at}. Times are Brasília's.`,
  fileText: "Keep the file: it has all of your evidence. Of attachments it has only the links.",
  remove: "Delete this evidence",
  removed: "Evidence deleted. The message in Discord stays where it is.",
};
