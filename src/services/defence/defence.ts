import type { Proofs } from "../../domain/proof.ts";
import type { Logger } from "../../shared/log.ts";
import type { Dossier } from "../../views/defence/dossier.ts";
import type { DisputeReading } from "../disputes/dispute-services.ts";
import type { DefenceService } from "./dossier-services.ts";

export interface DefenceNeeds {
  readonly log: Logger;
  readonly open: DisputeReading["open"];
  readonly proofs: Pick<Proofs, "ofTxid">;
  readonly answerUrl: string | undefined;
  readonly print: (dossier: Dossier) => Promise<Uint8Array>;
}

/** See `DefenceService`. */
export const createDefence = (needs: DefenceNeeds): DefenceService => ({
  gather: async (actor, ref) => {
    const detail = await needs.open(actor, ref);
    const { txid, sale } = detail.dispute;
    const txids = new Set([txid, ...(sale === undefined ? [] : [sale.txid])]);
    const found = await Promise.all(
      [...txids].map((each) => needs.proofs.ofTxid(actor.userId, each)),
    );
    return { detail, proofs: found.flat(), answerUrl: needs.answerUrl };
  },
  print: async (dossier) => {
    try {
      return await needs.print(dossier);
    } catch (error) {
      // The text file says the same: a defence must not fail for its looks.
      needs.log.warn({ err: error }, "a dossier could not be printed");
      return undefined;
    }
  },
});
