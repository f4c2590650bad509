import { proofDetailView, proofKeptView, proofListView } from "#src/views/defence/proofs.ts";
import type { Locale } from "#src/shared/locale.ts";
import type { Reply } from "#src/views/reply.ts";
import type { Render } from "../hostile-samples.ts";
import { sampleProof } from "./dossier-samples.ts";

export const hostileProof = (text: string) =>
  sampleProof({ txid: text, content: { text, authorName: text, links: [text, text] } });

export const proofList = (text: string, locale: Locale): Reply =>
  proofListView(
    { proofs: [hostileProof(text)], page: 0, pages: 1, found: 1, removed: false },
    locale,
  );

export const proofViews: Readonly<Record<string, Render>> = {
  detail: (text, locale) => proofDetailView(hostileProof(text), locale),
  kept: (text, locale) => proofKeptView({ proof: hostileProof(text), isNew: true }, locale),
  "kept before": (text, locale) =>
    proofKeptView({ proof: hostileProof(text), isNew: false }, locale),
  // The menu shows the sale as plain text.
  list: (text, locale) => ({ ...proofList(text, locale), components: [] }),
};
