import type { Proof } from "#src/defence/proof.ts";
import type { DossierFacts } from "#src/defence/dossier.view.ts";
import { NOW } from "../support/samples.ts";
import { CONTESTED, detailFacts, sampleDispute } from "../disputes/dispute-samples.ts";

type Given = Omit<Partial<Proof>, "content"> & { readonly content?: Partial<Proof["content"]> };

export const sampleProof = ({ content, ...given }: Given = {}): Proof => ({
  id: "proof-1",
  guildId: "1180000000000000001",
  txid: CONTESTED,
  keptAt: NOW,
  ...given,
  content: {
    messageId: "1180000000000000401",
    channelId: "1180000000000000101",
    authorId: "1180000000000000202",
    authorName: "Bruno",
    writtenAt: NOW,
    editedAt: undefined,
    text: "Recebi o acesso ao Plano VIP, obrigado.",
    attachments: ["tela.png"],
    forwarded: false,
    sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ...content,
  },
});

export const dossierFacts = (
  given: Partial<DossierFacts> & { readonly dispute?: Parameters<typeof sampleDispute>[0] } = {},
): DossierFacts => {
  const { dispute, ...facts } = given;
  return {
    detail: detailFacts({ dispute: sampleDispute(dispute) }),
    proofs: [sampleProof()],
    unreadable: 0,
    answerUrl: "https://painel.example.com/med",
    ...facts,
  };
};
