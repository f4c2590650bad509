import type { KeptProof, Proof, ProofContent } from "../../domain/proof.ts";
import type { Locale } from "../../texts/locale.ts";

/** Who asks, and where. */
export interface ProofActor {
  readonly guildId: string;
  readonly userId: string;
  readonly locale: Locale;
}

/** A message that somebody wants to keep, as it was when they chose it. */
export type KeptMessage = Omit<ProofContent, "sha256">;

export interface ProofPage {
  /** Newest first. */
  readonly proofs: readonly Proof[];
  /** From 0; the last one where the wanted one is gone. */
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
  readonly found: number;
}

/** Messages that sellers keep as proofs of sales. Only who kept one sees it, from whichever server. */
export interface ProofsService {
  /**
   * Holds a message until it is said which sale it is of. Nothing that it links to is downloaded.
   * @returns the id that `tie` takes
   * @throws UserError not_connected, proof_empty, proofs_full
   */
  readonly hold: (actor: ProofActor, message: KeptMessage) => Promise<string>;
  /**
   * The same message is kept once for a sale.
   * @throws UserError txid_unreadable, proof_gone when it waited for too long, or is another's
   */
  readonly tie: (actor: ProofActor, pendingId: string, typedTxid: string) => Promise<KeptProof>;
  readonly page: (actor: ProofActor, page: number) => Promise<ProofPage>;
  /** Newest first. */
  readonly all: (actor: ProofActor) => Promise<readonly Proof[]>;
  /** @throws UserError proof_not_found */
  readonly read: (actor: ProofActor, id: string) => Promise<Proof>;
  /** @throws UserError proof_not_found */
  readonly remove: (actor: ProofActor, id: string) => Promise<void>;
}
