import type { DisputeDetail, DisputeRef } from "../../domain/dispute-list.ts";
import type { Proof } from "../../domain/proof.ts";
import type { Dossier } from "../../views/defence/dossier.ts";
import type { DisputeActor } from "../disputes/dispute-services.ts";

/** All that a defence can be made of, as it was read just now. */
export interface DefenceFacts {
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
  readonly gather: (actor: DisputeActor, ref: DisputeRef) => Promise<DefenceFacts>;
  /** A PDF; undefined when it could not be made, which the log then tells. */
  readonly print: (dossier: Dossier) => Promise<Uint8Array | undefined>;
}
