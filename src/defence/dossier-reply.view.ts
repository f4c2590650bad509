import type { DisputeDetail } from "../disputes/dispute-list.ts";
import { mayBeAnswered, type Dispute } from "../disputes/dispute.ts";
import { productOf } from "../disputes/contested-sales.ts";
import type { Locale } from "../shared/locale.ts";
import { type DefenceTexts, defenceTexts } from "./texts.ts";
import {
  checksOf,
  type Dossier,
  type DossierFacts,
  dossierMoment,
  missingEvidence,
  textFile,
} from "./dossier.view.ts";
import { line } from "../ui/embed.ts";
import { reply, type Reply, type ReplyFile } from "../ui/reply.ts";
import { CODE_LENGTH, fullAndRelative, inFileName, plainLine } from "../ui/format.ts";
import type { Proof } from "./proof.ts";

const ID_LENGTH = 40;

const stillToDo = (
  { dispute, state, readAt }: DisputeDetail,
  where: string,
  { dossier }: DefenceTexts,
): string => {
  if (!mayBeAnswered(state)) return dossier.replyDecided;
  const isLate = state === "overdue" || Temporal.Instant.compare(readAt, dispute.dueAt) >= 0;
  return (isLate ? dossier.replyLate : dossier.replyText)(where, fullAndRelative(dispute.dueAt));
};

/** The owner's answer: a draft to paste, missing evidence, a checklist, and the dossier in both formats. */
export const dossierReply = (
  facts: DossierFacts,
  dossier: Dossier,
  pdf: Uint8Array | undefined,
  locale: Locale,
): Reply => {
  const texts = defenceTexts(locale);
  const words = texts.dossier;
  const { detail, answerUrl } = facts;
  const { infractionId } = detail.dispute;
  const id = inFileName(infractionId, ID_LENGTH);
  const name = `${words.fileName}-${id}`;
  const files: readonly ReplyFile[] = [
    ...(pdf === undefined
      ? []
      : [{ name: `${name}.pdf`, contentType: "application/pdf", data: pdf }]),
    textFile(name, dossier),
  ];
  const where = answerUrl === undefined ? words.replyWherePanel : words.replyWhere(answerUrl);
  const missing = missingEvidence(facts, texts);
  const shown = missing.length === 0 ? [words.nothingMissing] : missing;
  const draft = pasteText(detail.dispute, facts.proofs, texts);
  return {
    ...reply({
      tone: "warning",
      title: words.replyTitle,
      description: stillToDo(detail, where, texts),
      fields: [
        line(words.missing, shown.map((each) => `- ${each}`).join("\n")),
        line(
          words.checklist,
          checksOf(facts, texts)
            .map(({ done, text }) => `${done ? "☑" : "☐"} ${text}`)
            .join("\n"),
        ),
        line(words.replyFiles, pdf === undefined ? words.replyNoPdf : words.replyFilesText),
      ],
    }),
    content: `${words.replyPaste}\n\`\`\`\n${draft}\n\`\`\``,
    files,
  };
};

const SOLD_LENGTH = 160;
const PROOF_LENGTH = 140;
/** Fits with the message's own words into Discord's 2000 characters; few answer forms take less. */
const MOST_UNITS = 1_400;

const soldInWords = (dispute: Dispute, texts: DefenceTexts): string => {
  const { dossier } = texts;
  const { sale } = dispute;
  if (sale === undefined) return dossier.pasteSoldUnknown;
  const name = plainLine(productOf(dispute) ?? "", SOLD_LENGTH);
  // The sentence has a full stop of its own.
  const what = name.replace(/[.\s]+$/, "");
  return dossier.pasteSold(
    what === "" ? dossier.pasteWhatUnknown : what,
    dossierMoment(sale.createdAt, texts),
  );
};

/**
 * A draft for the panel's answer: known facts, with brackets for the seller to fill in. Proofs that make it too long
 * are left out. Contains no back-ticks, so that it stays within its code block.
 */
const pasteText = (dispute: Dispute, proofs: readonly Proof[], texts: DefenceTexts): string => {
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
