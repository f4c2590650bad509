import type { DisputeDetail, DisputeRef } from "../../domain/dispute-list.ts";
import type { Proof, Proofs } from "../../domain/proof.ts";
import type { Dossier } from "../../views/defence/dossier.ts";
import type { Asker } from "../asker.ts";
import type { DisputeReading } from "../disputes/dispute-services.ts";
import type { Logger } from "../../shared/log.ts";

/** All that a defence can be made of, as it was read just now. */
interface DefenceFacts {
  readonly detail: DisputeDetail;
  /** Of the contested sale, by any of its ids; in the order in which they were kept. */
  readonly proofs: readonly Proof[];
  /** Where the operator says that the answer is given. */
  readonly answerUrl: string | undefined;
}

/** Puts a defence together. Nobody but the seller ever answers a dispute. */
export interface DefenceService {
  /**
   * @throws UserError not_your_dispute, not_connected, dispute_not_found
   * @throws WalletError
   */
  readonly gather: (actor: Asker, ref: DisputeRef) => Promise<DefenceFacts>;
  /** A PDF; undefined when it could not be made, which the log then tells. */
  readonly print: (dossier: Dossier) => Promise<Uint8Array | undefined>;
}

interface DefenceNeeds {
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
