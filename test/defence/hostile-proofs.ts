import { proofDetailView, proofKeptView, proofListView } from "#src/defence/proofs.view.ts";
import type { HostileView } from "../ui/hostile-views.ts";
import { sampleProof } from "./dossier-samples.ts";

const proofOf = (text: string) =>
  sampleProof({ txid: text, content: { text, authorName: text, links: [text, text] } });

const fields = { prefix: "<", place: "fields" } as const;

/** Views of proofs, whose texts come from messages. */
export const proofViews: Readonly<Record<string, HostileView>> = {
  proofDetailView: {
    ...fields,
    renders: [(text, locale) => proofDetailView(proofOf(text), locale)],
  },
  proofKeptView: {
    ...fields,
    renders: [true, false].map(
      (isNew) => (text, locale) =>
        proofKeptView({ proof: proofOf(text), isNew }, locale, isNew ? text : undefined),
    ),
  },
  proofListView: {
    ...fields,
    renders: [
      (text, locale) => {
        const facts = { proofs: [proofOf(text)], page: 0, pages: 1, found: 1, removed: false };
        return proofListView(facts, locale);
      },
    ],
    namesOptions: true,
  },
};
