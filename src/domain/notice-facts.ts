import type { Withdrawal } from "./withdrawal.ts";
import type { WithdrawOp } from "./withdraw-op.ts";

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
    | "new_key"
    /** Too many wrong PINs; `from` is when the next one may be tried. */
    | "pin_locked";
  /** When it begins to hold. */
  readonly from: Temporal.Instant | undefined;
}
