import type { Proof } from "../../domain/proof.ts";
import type { Dispute } from "../../domain/dispute.ts";
import type { Texts } from "../../texts/texts.ts";
import { dossierMoment } from "./dossier-moment.ts";
import { plainLine } from "../plain-line.ts";

const CODE_LENGTH = 100;
const SOLD_LENGTH = 160;
const PROOF_LENGTH = 140;
/** With the words of the message around it, within Discord's 2000; few forms take less. */
const MOST_UNITS = 1_400;

const soldInWords = ({ sale }: Dispute, texts: Texts): string => {
  const { dossier } = texts;
  if (sale === undefined) return dossier.pasteSoldUnknown;
  const what = plainLine(sale.productName ?? sale.description ?? "", SOLD_LENGTH);
  return dossier.pasteSold(
    what === "" ? dossier.pasteWhatUnknown : what,
    dossierMoment(sale.createdAt, texts),
  );
};

/**
 * A draft for the panel's answer: what is known, with what the seller has to say left open in brackets. Proofs that make
 * it too long are left out. Without back-ticks, so that it stays within a code block.
 */
export const pasteText = (dispute: Dispute, proofs: readonly Proof[], texts: Texts): string => {
  const { dossier, format } = texts;
  const lines = [
    dossier.pasteOf({
      infraction: plainLine(dispute.infractionId, CODE_LENGTH),
      txid: plainLine(dispute.txid, CODE_LENGTH),
      amount: format.reais(dispute.amount),
    }),
    soldInWords(dispute, texts),
    dossier.pasteWhy,
    dossier.pasteDelivery,
    proofs.length === 0 ? dossier.pasteNoProofs : dossier.pasteProofs,
  ];
  let units = lines.join("\n").length;
  for (const [index, { content }] of proofs.entries()) {
    const text = plainLine(content.text, PROOF_LENGTH) || texts.proofs.noText;
    const each = dossier.pasteProof(index + 1, dossierMoment(content.writtenAt, texts), text);
    units += 1 + each.length;
    if (units > MOST_UNITS) break;
    lines.push(each);
  }
  return lines.join("\n");
};
