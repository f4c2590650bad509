import { paymentTxids } from "../disputes/dispute.ts";
import type { DisputeRef } from "../disputes/dispute-list.ts";
import type { Proofs } from "./proof.ts";
import type { Dossier, DossierFacts } from "./dossier.view.ts";
import type { Asker } from "../accounts/asker.service.ts";
import type { DisputeReading } from "../disputes/dispute-reading.service.ts";
import type { Logger } from "../shared/log.ts";

/** Builds a defence. Only the seller ever answers a dispute. */
export interface DefenceService {
  /**
   * @throws UserError not_your_dispute, not_connected, dispute_not_found
   * @throws WalletError
   */
  readonly gather: (actor: Asker, ref: DisputeRef) => Promise<DossierFacts>;
  /** A PDF; undefined, with a log entry, when printing failed. */
  readonly print: (dossier: Dossier) => Promise<Uint8Array | undefined>;
}

interface DefenceNeeds {
  readonly log: Logger;
  readonly open: DisputeReading["open"];
  readonly proofs: Pick<Proofs, "ofTxid">;
  readonly answerUrl: string | undefined;
  readonly print: (dossier: Dossier) => Promise<Uint8Array>;
}

export const createDefence = (needs: DefenceNeeds): DefenceService => ({
  gather: async (actor, ref) => {
    const detail = await needs.open(actor, ref);
    const txids = new Set(paymentTxids(detail.dispute));
    const found = await Promise.all(
      [...txids].map((each) => needs.proofs.ofTxid(actor.userId, each)),
    );
    return { detail, proofs: found.flat(), answerUrl: needs.answerUrl };
  },
  print: async (dossier) => {
    try {
      return await needs.print(dossier);
    } catch (error) {
      // The text file has the same content, so a failed PDF does not fail the defence.
      needs.log.warn({ err: error }, "a dossier could not be printed");
      return undefined;
    }
  },
});
