import type { DisputeDetail } from "../../domain/dispute-facts.ts";
import { awaitsAnswer } from "../../domain/dispute-state.ts";
import type { Proof } from "../../domain/proof.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import type { Dossier, DossierFact, DossierSection } from "./dossier.ts";
import { disputeFactsOf, saleFactsOf } from "./dossier-facts.ts";
import { dossierMoment } from "./dossier-moment.ts";
import { proofsSection } from "./dossier-proofs.ts";
import { plainLine } from "../plain-line.ts";

const CODE_LENGTH = 100;

/** What a defence is made of. */
export interface DossierFacts {
  readonly detail: DisputeDetail;
  readonly proofs: readonly Proof[];
  readonly answerUrl: string | undefined;
}

/** What the bot can see is not there, in our own words alone. */
export const missingOf = (
  { detail, proofs, answerUrl }: DossierFacts,
  { dossier }: Texts,
): readonly string[] => {
  const { dispute, state } = detail;
  const awaits = awaitsAnswer(state) || state === "other";
  const inTime = awaits && Temporal.Instant.compare(detail.readAt, dispute.dueAt) < 0;
  return [
    ...(awaits ? [] : [dossier.alreadyAnswered]),
    ...(state === "overdue" ? [dossier.missingDeadline] : []),
    ...(dispute.sale === undefined ? [dossier.missingSale] : []),
    ...(proofs.length === 0 ? [inTime ? dossier.missingProofs : dossier.missingProofsLate] : []),
    ...(dispute.payerName === undefined ? [dossier.missingPayer] : []),
    ...(answerUrl === undefined ? [dossier.missingUrl] : []),
  ];
};

/** What is to be looked at and put together, by what the payer alleges. */
export const checksOf = (
  { detail, proofs }: DossierFacts,
  { dossier }: Texts,
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
  /** Whether the bot itself could see it. */
  readonly done: boolean;
  readonly text: string;
}

const factsSection = (heading: string, facts: readonly DossierFact[]): DossierSection => ({
  heading,
  blocks: [{ kind: "facts", facts }],
});

/** Facts and proofs alone, in the person's language: whoever decides the dispute reads it. */
export const makeDossier = (facts: DossierFacts, locale: Locale): Dossier => {
  const texts = textsFor(locale);
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
    footer: dossier.footer(plainLine(dispute.infractionId, CODE_LENGTH)),
    pageNumber: dossier.pageOf,
    replaced: dossier.replaced,
    madeAtMs: readAt.epochMilliseconds,
    language: locale,
  };
};
