import type { DisputeDetail } from "../../domain/dispute-facts.ts";
import { awaitsAnswer } from "../../domain/dispute-state.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import type { Dossier } from "./dossier.ts";
import { checksOf, type DossierFacts, missingOf } from "./dossier-make.ts";
import { pasteText } from "./dossier-paste.ts";
import { dossierText } from "./dossier-text.ts";
import { line } from "../embed.ts";
import { reply, type Reply, type ReplyFile } from "../reply.ts";
import { fullAndRelative } from "../timestamp.ts";

const UNSAFE_IN_NAME = /[^A-Za-z0-9_-]/g;
const ID_LENGTH = 40;

const stillToDo = (
  { dispute, state, readAt }: DisputeDetail,
  where: string,
  { dossier }: Texts,
): string => {
  if (!awaitsAnswer(state) && state !== "other") return dossier.replyDecided;
  const isLate = Temporal.Instant.compare(readAt, dispute.dueAt) >= 0;
  return (isLate ? dossier.replyLate : dossier.replyText)(where, fullAndRelative(dispute.dueAt));
};

/** What the owner gets: a draft to paste, what is missing and to be put together, and both files of the facts alone. */
export const dossierReply = (
  facts: DossierFacts,
  dossier: Dossier,
  pdf: Uint8Array | undefined,
  locale: Locale,
): Reply => {
  const texts = textsFor(locale);
  const words = texts.dossier;
  const { detail, answerUrl } = facts;
  const { infractionId } = detail.dispute;
  const id = infractionId.replace(UNSAFE_IN_NAME, "_").slice(0, ID_LENGTH);
  const name = `${words.fileName}-${id}`;
  const files: readonly ReplyFile[] = [
    ...(pdf === undefined
      ? []
      : [{ name: `${name}.pdf`, contentType: "application/pdf", data: pdf }]),
    {
      name: `${name}.txt`,
      contentType: "text/plain; charset=utf-8",
      data: new TextEncoder().encode(dossierText(dossier)),
    },
  ];
  const where = answerUrl === undefined ? words.replyWherePanel : words.replyWhere(answerUrl);
  const missing = missingOf(facts, texts);
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
