import {
  proofDetailView,
  proofKeptView,
  proofListView,
  proofRemovalView,
} from "#src/defence/proofs.view.ts";
import { fields, type HostileView, type Render } from "../ui/hostile-samples.ts";
import { sampleProof } from "./dossier-samples.ts";

const proofOf = (text: string) =>
  sampleProof({ txid: text, content: { text, authorName: text, attachments: [text, text] } });

/** Views of proofs, whose texts come from messages. */
export const proofViews: Readonly<Record<string, HostileView>> = {
  proofDetailView: fields((text, locale) => proofDetailView(proofOf(text), locale)),
  proofRemovalView: fields((text, locale) => proofRemovalView(proofOf(text), locale)),
  proofKeptView: fields(
    ...[true, false].map(
      (isNew): Render =>
        (text, locale) =>
          proofKeptView(
            { proof: proofOf(text), isNew, isSaleMissing: isNew },
            locale,
            isNew ? text : undefined,
          ),
    ),
  ),
  proofListView: {
    ...fields((text, locale) => {
      const facts = {
        rows: [proofOf(text)],
        page: 0,
        pages: 1,
        found: 1,
        removed: false,
        unreadable: 0,
      };
      return proofListView(facts, locale);
    }),
    namesOptions: true,
  },
};
