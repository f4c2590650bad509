import type { DisputeDetail } from "../disputes/dispute-list.ts";
import {
  mayBeAnswered,
  type ContestedSale,
  type Dispute,
  type DisputeState,
  isOpenDispute,
} from "../disputes/dispute.ts";
import { canonicalText, type KeptProofs, type Proof, proofDigest } from "./proof.ts";
import type { Locale } from "../shared/locale.ts";
import { type DefenceTexts, defenceTexts } from "./texts.ts";
import { type DisputeTexts, disputeTexts } from "../disputes/texts.ts";
import type { UiTexts } from "../ui/texts.ts";
import {
  CODE_LENGTH,
  FILE_STORY_LENGTH,
  plainWord,
  messageLink,
  NAME_LENGTH,
  plainLine,
  plainLines,
} from "../ui/format.ts";
import { reply, type Reply, type ReplyFile } from "../ui/reply.ts";
import { payerInWords } from "../disputes/dispute-detail.view.ts";
import { inBrasilia } from "../shared/local-time.ts";

/** A name and a value. The value may be a stranger's text, already one line without hidden characters. */
export type DossierFact = readonly [name: string, value: string];

export type DossierBlock =
  | { readonly kind: "facts"; readonly facts: readonly DossierFact[] }
  | { readonly kind: "text"; readonly text: string }
  /** A stranger's text, set apart from ours. */
  | {
      readonly kind: "quote";
      readonly heading: string;
      readonly lines: readonly string[];
      readonly facts: readonly DossierFact[];
    };

export interface DossierSection {
  readonly heading: string;
  readonly blocks: readonly DossierBlock[];
}

/** A defence as plain data, the source of both the PDF and the text file. */
export interface Dossier {
  readonly title: string;
  readonly subtitle: string;
  readonly sections: readonly DossierSection[];
  /** The last ones of the text file, for programs. */
  readonly textSections: readonly DossierSection[];
  /** Shown at the foot of each page, before the page number. */
  readonly footer: string;
  /** `1 of 3`, with the placeholders `{page}` and `{pages}`. */
  readonly pageNumber: string;
  /** Note for the case that a font lacked a character. */
  readonly replaced: string;
  readonly madeAtMs: number;
  readonly language: string;
}

/** The proofs are of the contested sale, by any of its ids; in the order in which the messages were written. */
export interface DossierFacts extends KeptProofs {
  readonly detail: DisputeDetail;
  /** Page where the seller answers; set by the operator. */
  readonly answerUrl: string | undefined;
}

/** Missing evidence, as far as the bot can see, in our words alone. */
export const missingEvidence = (
  { detail, proofs, unreadable, answerUrl }: DossierFacts,
  { dossier }: DefenceTexts,
): readonly string[] => {
  const { dispute, state } = detail;
  const awaits = mayBeAnswered(state);
  const inTime = awaits && Temporal.Instant.compare(detail.readAt, dispute.dueAt) < 0;
  return [
    ...(awaits ? [] : [dossier.alreadyAnswered]),
    ...(dispute.sale === undefined ? [dossier.missingSale] : []),
    ...(unreadable > 0 ? [dossier.unreadableProofs(unreadable)] : []),
    ...(proofs.length + unreadable === 0
      ? [inTime ? dossier.missingProofs : dossier.missingProofsLate]
      : []),
    ...(dispute.payerName === undefined ? [dossier.missingPayer] : []),
    ...(answerUrl === undefined ? [dossier.missingUrl] : []),
  ];
};

/** A checklist of evidence against the payer's allegation. */
export const checksOf = (
  { detail, proofs }: DossierFacts,
  { dossier }: DefenceTexts,
): readonly DossierCheck[] => {
  const { checklists } = dossier;
  const { situation, sale } = detail.dispute;
  const list = Object.hasOwn(checklists, situation)
    ? checklists[situation as keyof typeof checklists]
    : checklists.other;
  return [
    { done: sale !== undefined, text: dossier.checkSale },
    { done: proofs.length > 0, text: dossier.checkProofs },
    ...list.map((text) => ({ done: false, text })),
  ];
};

interface DossierCheck {
  readonly done: boolean;
  readonly text: string;
}

const factsSection = (heading: string, facts: readonly DossierFact[]): DossierSection => ({
  heading,
  blocks: [{ kind: "facts", facts }],
});

/** The facts and proofs, in the seller's language, for the people who decide the dispute. */
export const makeDossier = (facts: DossierFacts, locale: Locale): Dossier => {
  const texts = { ...disputeTexts(locale), ...defenceTexts(locale) };
  const { dossier } = texts;
  const { dispute, state, readAt } = facts.detail;
  return {
    title: dossier.title,
    subtitle: dossier.subtitle(dossierMoment(readAt, texts)),
    sections: [
      factsSection(dossier.dispute, disputeFactsOf(dispute, state, texts)),
      ...(dispute.sale === undefined
        ? []
        : [factsSection(dossier.sale, saleFactsOf(dispute.sale, texts))]),
      ...(facts.proofs.length === 0 ? [] : [proofsSection(facts.proofs, texts)]),
    ],
    textSections: facts.proofs.length === 0 ? [] : [checkSection(facts.proofs, texts)],
    footer: dossier.footer(plainLine(dispute.infractionId, CODE_LENGTH)),
    pageNumber: dossier.pageOf,
    replaced: `${texts.common.replaced} ${dossier.allInText}`,
    madeAtMs: readAt.epochMilliseconds,
    language: locale,
  };
};

const WORD_LENGTH = 60;

const said = (name: string, value: string | undefined, length: number): readonly DossierFact[] =>
  value === undefined ? [] : [[name, plainLine(value, length)]];

const at = (
  name: string,
  instant: Temporal.Instant | undefined,
  texts: UiTexts,
): readonly DossierFact[] => (instant === undefined ? [] : [[name, dossierMoment(instant, texts)]]);

const disputeFactsOf = (
  dispute: Dispute,
  state: DisputeState,
  texts: DisputeTexts,
): readonly DossierFact[] => {
  const { disputes, format } = texts;
  return [
    [disputes.infraction, plainLine(dispute.infractionId, CODE_LENGTH)],
    [disputes.txid, plainLine(dispute.txid, CODE_LENGTH)],
    [disputes.amount, format.reais(dispute.amount)],
    [isOpenDispute(state) ? disputes.frozen : disputes.net, format.reais(dispute.frozen)],
    [disputes.situation, plainWord(disputes.situations, dispute.situation)],
    [disputes.description, plainLine(dispute.description, FILE_STORY_LENGTH)],
    [disputes.payer, payerInWords(dispute, texts, plainLine)],
    ...said(disputes.answer, dispute.answer, FILE_STORY_LENGTH),
    ...at(disputes.contestedAt, dispute.contestedAt, texts),
    ...at(disputes.createdAt, dispute.createdAt, texts),
    ...at(disputes.answeredAt, dispute.answeredAt, texts),
    ...at(disputes.resolvedAt, dispute.resolvedAt, texts),
  ];
};

const saleFactsOf = (
  sale: ContestedSale,
  texts: DefenceTexts & DisputeTexts,
): readonly DossierFact[] => {
  const { disputes, dossier, format } = texts;
  const status = sale.status && plainWord(disputes.saleStatuses, sale.status);
  return [
    [dossier.saleOrigin, plainWord(disputes.saleOrigins, sale.origin)],
    ["Txid", plainLine(sale.txid, CODE_LENGTH)],
    [
      dossier.money,
      disputes
        .saleMoney(format.reais(sale.amount), format.reais(sale.fee), format.reais(sale.net))
        .replaceAll("**", ""),
    ],
    ...said(dossier.saleStatus, status, WORD_LENGTH),
    ...said(dossier.saleDescription, sale.description, FILE_STORY_LENGTH),
    ...said(dossier.product, sale.productName, FILE_STORY_LENGTH),
    ...said(dossier.buyer, sale.buyer, NAME_LENGTH),
    ...at(dossier.soldAt, sale.createdAt, texts),
  ];
};

/** The reader's time, and the time as it was hashed. */
const exactMoment = (at: Temporal.Instant, texts: UiTexts): string =>
  `${dossierMoment(at, texts)} (UTC: ${at.toString()})`;

const proofFacts = (proof: Proof, texts: DefenceTexts): readonly DossierFact[] => {
  const { dossier, proofs } = texts;
  const { content } = proof;
  const author = proofs.authorText(
    plainLine(content.authorName, NAME_LENGTH),
    plainLine(content.authorId, CODE_LENGTH),
  );
  const said = content.forwarded ? proofs.forwarded : proofs.written;
  return [
    [said.author, author],
    [said.at, exactMoment(content.writtenAt, texts)],
    ...(content.editedAt === undefined
      ? []
      : ([[proofs.editedAt, exactMoment(content.editedAt, texts)]] as const)),
    [proofs.keptAt, exactMoment(proof.keptAt, texts)],
    [proofs.message, messageLink(proof)],
    ...content.attachments.map((name): DossierFact => [
      dossier.attachment,
      plainLine(name, Infinity),
    ]),
    [proofs.sha256, plainLine(content.sha256, CODE_LENGTH)],
  ];
};

const quoted = ({ content }: Proof, { proofs }: DefenceTexts): readonly string[] => {
  const lines = plainLines(content.text);
  return lines.some((each) => each.trim() !== "") ? lines : [proofs.noText];
};

/**
 * Each proof as a quote, uncut: a decision may rest on the last words of one. Discord bounds the length of a message,
 * and the service of proofs their number.
 */
const proofsSection = (
  proofs: readonly Proof[],
  texts: DefenceTexts,
  moreFacts: (proof: Proof) => readonly DossierFact[] = () => [],
): DossierSection => {
  const { dossier } = texts;
  return {
    heading: dossier.proofs(proofs.length),
    blocks: [
      ...proofs.map((proof, index): DossierBlock => ({
        kind: "quote",
        heading: dossier.proof(index + 1),
        lines: quoted(proof, texts),
        facts: [...moreFacts(proof), ...proofFacts(proof, texts)],
      })),
      { kind: "text", text: dossier.proofNote },
    ],
  };
};

/** The text that was hashed, on one line: as it is where each of its characters is seen, else in Base64. */
const hashedLine = ({ content }: Proof, { dossier }: DefenceTexts): string => {
  if (proofDigest(content) !== content.sha256) return dossier.earlierDigest;
  const text = canonicalText(content);
  return plainLines(text)[0] === text ? text : Buffer.from(text).toString("base64");
};

/** A way to make each proof's SHA-256 again, without the bot. */
const checkSection = (proofs: readonly Proof[], texts: DefenceTexts): DossierSection => {
  const { dossier } = texts;
  const lines = proofs.flatMap((proof, index) => [
    dossier.proof(index + 1),
    hashedLine(proof, texts),
  ]);
  return {
    heading: dossier.check,
    blocks: [dossier.checkHow, ...lines].map((text) => ({ kind: "text", text })),
  };
};

/** All of an owner's proofs as one file. */
export const proofsFileReply = (
  { proofs, unreadable }: KeptProofs,
  now: Temporal.Instant,
  locale: Locale,
): Reply => {
  const texts = defenceTexts(locale);
  const words = texts.proofs;
  const { title } = words;
  const lacking = unreadable > 0 ? words.unreadable(unreadable) : undefined;
  if (proofs.length === 0) return reply({ title, description: lacking ?? words.none });
  const note = lacking?.replaceAll("**", "");
  const file = textFile(words.fileName, {
    title,
    subtitle: words.fileMadeAt(dossierMoment(now, texts)),
    sections: [
      ...(note === undefined
        ? []
        : [{ heading: texts.dossier.missing, blocks: [{ kind: "text", text: note } as const] }]),
      proofsSection(proofs, texts, ({ txid }) => [[words.sale, plainLine(txid, CODE_LENGTH)]]),
    ],
    textSections: [checkSection(proofs, texts)],
  });
  const description = lacking === undefined ? words.fileText : `${lacking}\n\n${words.fileOfRest}`;
  return { ...reply({ title, description }), files: [file] };
};

const factLines = (facts: readonly DossierFact[]): readonly string[] =>
  facts.map(([name, value]) => `${name}: ${value}`);

const linesOf = (block: DossierBlock): readonly string[] => {
  if (block.kind === "facts") return factLines(block.facts);
  if (block.kind === "text") return [block.text];
  const facts = factLines(block.facts).map((each) => `  ${each}`);
  return [block.heading, ...block.lines.map((each) => `  > ${each}`), ...facts, ""];
};

/** A dossier as text, which keeps the characters that the PDF's fonts lack. */
export const dossierText = ({ title, subtitle, sections, textSections }: WrittenDossier): string =>
  [
    title,
    subtitle,
    ...[...sections, ...textSections].flatMap(({ heading, blocks }) => [
      "",
      heading.toUpperCase(),
      "",
      ...blocks.flatMap(linesOf),
    ]),
    "",
  ].join("\r\n");

type WrittenDossier = Pick<Dossier, "title" | "subtitle" | "sections" | "textSections">;

export const textFile = (name: string, dossier: WrittenDossier): ReplyFile => ({
  name: `${name}.txt`,
  contentType: "text/plain; charset=utf-8",
  data: new TextEncoder().encode(dossierText(dossier)),
});

/** Day and minute in Brasília, for files, which do not know the reader's zone. */
export const dossierMoment = (at: Temporal.Instant, { format }: UiTexts): string =>
  format.dateTime(inBrasilia(at));
