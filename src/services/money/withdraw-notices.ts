import type { DeliveryPayload } from "../../domain/delivery.ts";
import type {
  GhostFacts,
  GuardFacts,
  OutcomeFacts,
  RestoredFacts,
} from "../../domain/withdraw-facts.ts";

export type { GhostFacts, GuardFacts, OutcomeFacts } from "../../domain/withdraw-facts.ts";

/** Messages that follow from what becomes of an operation; each is a pure function of `views/`. */
export interface WithdrawNotices {
  /** To the owner when an operation ends, is found, or needs a decision. */
  readonly outcome: (facts: OutcomeFacts) => DeliveryPayload;
  /** A withdrawal that the bot did not start; with a button that locks. */
  readonly ghost: (facts: GhostFacts) => DeliveryPayload;
  /** Something about the guards changed, or a new key begins its wait: so that a stranger's doing is seen. */
  readonly guard: (facts: GuardFacts) => DeliveryPayload;
  /** The database may be an older copy: what the owner has to look at before money moves again. */
  readonly restored: (facts: RestoredFacts) => DeliveryPayload;
}
