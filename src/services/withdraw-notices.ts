import type { DeliveryPayload } from "../domain/delivery.ts";
import type { Withdrawal } from "../domain/withdrawal.ts";
import type { WithdrawOp } from "../domain/withdraw-op.ts";

/** What a direct message or an edited reply is made of; `views/` makes the words. */
export interface OutcomeFacts {
  readonly op: WithdrawOp;
  readonly withdrawal: Withdrawal | undefined;
  readonly reference: string;
}

interface WatchFacts {
  /** Who reads it, and whom its button to lock is for. */
  readonly ownerId: string;
  /** Empty when what it tells of was done in a direct message. */
  readonly guildId: string;
  readonly locale: WithdrawOp["locale"];
  readonly reference: string;
  readonly noticedAt: Temporal.Instant;
}

export interface GhostFacts extends WatchFacts {
  readonly txid: string;
  readonly withdrawal: Withdrawal | undefined;
}

export interface GuardFacts extends WatchFacts {
  readonly change:
    | "locked"
    | "unlock_asked"
    | "pin_removal_asked"
    | "cap_raise_asked"
    | "wait_end_asked"
    | "new_key";
  /** When it begins to hold. */
  readonly from: Temporal.Instant | undefined;
}

/** Messages that follow from what becomes of an operation; each is a pure function of `views/`. */
export interface WithdrawNotices {
  /** To the owner when an operation ends, is found, or needs a decision. */
  readonly outcome: (facts: OutcomeFacts) => DeliveryPayload;
  /** A withdrawal that the bot did not start; with a button that locks. */
  readonly ghost: (facts: GhostFacts) => DeliveryPayload;
  /** Something about the guards changed, or a new key begins its wait: so that a stranger's doing is seen. */
  readonly guard: (facts: GuardFacts) => DeliveryPayload;
}
