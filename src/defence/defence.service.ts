import { paymentTxids } from "../disputes/dispute.ts";
import type { DisputeRef } from "../disputes/dispute-list.ts";
import type { Proofs } from "./proofs.store.ts";
import type { DossierFacts } from "./dossier.view.ts";
import type { Asker } from "../accounts/asker.service.ts";
import type { DisputeReading } from "../disputes/dispute-reading.service.ts";

interface DefenceNeeds {
  readonly open: DisputeReading["open"];
  readonly proofs: Pick<Proofs, "list">;
  readonly answerUrl: string | undefined;
}

/** Builds a defence. Only the seller ever answers a dispute. */
export const createDefence = (needs: DefenceNeeds) => ({
  /**
   * @throws UserError not_your_dispute, not_connected, dispute_not_found
   * @throws WalletError
   */
  gather: async (actor: Asker, ref: DisputeRef): Promise<DossierFacts> => {
    const detail = await needs.open(actor, ref);
    const { dispute, watched } = detail;
    // The latest reading may lack the sale that an earlier one had.
    const txids = [dispute, ...(watched === undefined ? [] : [watched])].flatMap(paymentTxids);
    // Evidence may have been kept with the MED's own code while the service could not tell the sale's txid.
    const codes = [...txids, dispute.infractionId];
    const { proofs: found, unreadable } = await needs.proofs.list(actor.userId, codes);
    // One message may have been kept with several of these.
    const equal = Map.groupBy(found.toReversed(), ({ content }) => content.sha256);
    const proofs = [...equal.values()]
      .flatMap(([first]) => first ?? [])
      // A seller may keep the messages of a conversation from the last one upwards.
      .toSorted((one, other) =>
        Temporal.Instant.compare(one.content.writtenAt, other.content.writtenAt),
      );
    return { detail, proofs, unreadable, answerUrl: needs.answerUrl };
  },
});
