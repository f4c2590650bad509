import type { DisputeDetail } from "../../domain/dispute-facts.ts";
import { awaitsAnswer } from "../../domain/dispute-state.ts";
import type { Proof } from "../../domain/proof.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import type { Dossier, DossierBlock, DossierCheck } from "./dossier.ts";
import { disputeFactsOf, saleFactsOf } from "./dossier-facts.ts";
import { dossierMoment } from "./dossier-moment.ts";
import { pasteText } from "./dossier-paste.ts";
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

const checksOf = (
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

const texted = (lines: readonly string[]): readonly DossierBlock[] =>
  lines.map((text) => ({ kind: "text", text }));

/** Puts a defence together, in the person's language. */
export const makeDossier = (facts: DossierFacts, locale: Locale): Dossier => {
  const texts = textsFor(locale);
  const { dossier, disputes } = texts;
  const { dispute, state, readAt } = facts.detail;
  const missing = missingOf(facts, texts);
  return {
    title: dossier.title,
    subtitle: dossier.subtitle(dossierMoment(readAt, texts)),
    warning: dossier.notAnAnswer,
    sections: [
      {
        heading: dossier.toDo,
        blocks: [
          {
            kind: "facts",
            facts: [
              [dossier.deadline, dossierMoment(dispute.dueAt, texts)],
              [dossier.state, disputes.states[state]],
              [dossier.where, facts.answerUrl ?? dossier.wherePanel],
            ],
          },
        ],
      },
      {
        heading: dossier.missing,
        blocks: texted(missing.length === 0 ? [dossier.nothingMissing] : missing),
      },
      {
        heading: dossier.dispute,
        blocks: [{ kind: "facts", facts: disputeFactsOf(dispute, state, texts) }],
      },
      {
        heading: dossier.sale,
        blocks:
          dispute.sale === undefined
            ? texted([disputes.saleMissing])
            : [{ kind: "facts", facts: saleFactsOf(dispute.sale, texts) }],
      },
      proofsSection(facts.proofs, texts),
      { heading: dossier.checklist, blocks: [{ kind: "checks", checks: checksOf(facts, texts) }] },
      {
        heading: dossier.paste,
        blocks: texted(pasteText(dispute, facts.proofs, texts).split("\n")),
      },
    ],
    footer: dossier.footer(plainLine(dispute.infractionId, CODE_LENGTH)),
    pageNumber: dossier.pageOf,
    replaced: dossier.replaced,
    madeAtMs: readAt.epochMilliseconds,
    language: locale,
  };
};
