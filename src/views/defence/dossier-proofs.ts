import type { Proof } from "../../domain/proof.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import type { DossierBlock, DossierFact, DossierSection } from "./dossier.ts";
import { dossierMoment } from "./dossier-moment.ts";
import { messageLink } from "../message-link.ts";
import { plainLine } from "../plain-line.ts";
import { reply, type Reply } from "../reply.ts";
import { dossierText } from "./dossier-text.ts";

/** So many are put in whole. */
const MOST_PROOFS = 40;
const NAME_LENGTH = 80;
const CODE_LENGTH = 100;
const TEXT_LENGTH = 2_000;
const LINK_LENGTH = 300;
const MOST_LINKS = 10;

const proofFacts = (
  proof: Proof,
  texts: Texts,
  linkLength: number,
  mostLinks: number,
): readonly DossierFact[] => {
  const { proofs } = texts;
  const { content } = proof;
  const author = proofs.authorText(
    plainLine(content.authorName, NAME_LENGTH),
    plainLine(content.authorId, CODE_LENGTH),
  );
  return [
    [proofs.author, author],
    [proofs.writtenAt, dossierMoment(content.writtenAt, texts)],
    ...(content.editedAt === undefined
      ? []
      : ([[proofs.editedAt, dossierMoment(content.editedAt, texts)]] as const)),
    [proofs.keptAt, dossierMoment(proof.keptAt, texts)],
    [proofs.message, messageLink(proof)],
    ...content.links
      .slice(0, mostLinks)
      .map((link): DossierFact => [proofs.links, plainLine(link, linkLength)]),
    [proofs.sha256, plainLine(content.sha256, CODE_LENGTH)],
  ];
};

/** All that an owner kept, as a file of their own, with nothing cut. */
export const proofsFileReply = (
  proofs: readonly Proof[],
  now: Temporal.Instant,
  locale: Locale,
): Reply => {
  const texts = textsFor(locale);
  const { dossier, proofs: words } = texts;
  const title = words.title;
  if (proofs.length === 0) return reply({ title, description: words.none });
  const blocks = proofs.map((proof, index): DossierBlock => ({
    kind: "quote",
    heading: dossier.proof(index + 1),
    quote: plainLine(proof.content.text, Infinity) || words.noText,
    facts: [
      [words.sale, plainLine(proof.txid, CODE_LENGTH)],
      ...proofFacts(proof, texts, Infinity, Infinity),
    ],
  }));
  const text = dossierText({
    title,
    subtitle: words.fileMadeAt(dossierMoment(now, texts)),
    sections: [
      {
        heading: dossier.proofs(proofs.length),
        blocks: [...blocks, { kind: "text", text: dossier.proofNote }],
      },
    ],
  });
  const file = {
    name: `${words.fileName}.txt`,
    contentType: "text/plain; charset=utf-8",
    data: new TextEncoder().encode(text),
  };
  return { ...reply({ title, description: words.fileText }), files: [file] };
};

/** The proofs of the sale, in the order in which they were kept, each quoted apart from our own words. */
export const proofsSection = (proofs: readonly Proof[], texts: Texts): DossierSection => {
  const { dossier } = texts;
  const more = proofs.length - MOST_PROOFS;
  return {
    heading: dossier.proofs(proofs.length),
    blocks: [
      ...proofs.slice(0, MOST_PROOFS).map((proof, index): DossierBlock => ({
        kind: "quote",
        heading: dossier.proof(index + 1),
        quote: plainLine(proof.content.text, TEXT_LENGTH) || texts.proofs.noText,
        facts: proofFacts(proof, texts, LINK_LENGTH, MOST_LINKS),
      })),
      ...(more > 0 ? [{ kind: "text", text: dossier.moreProofs(more) } as const] : []),
      { kind: "text", text: dossier.proofNote },
    ],
  };
};
