import type { Cents } from "../shared/money.ts";

/** What an owner set to protect the money. Tightening holds at once, loosening after a day. */
export interface MoneyGuards {
  readonly ownerId: string;
  /** No withdrawal until somebody of the owner's account asks for the unlock and it becomes due. */
  readonly lockedAt: Temporal.Instant | undefined;
  readonly unlockAt: Temporal.Instant | undefined;
  readonly pin:
    | {
        readonly hash: string;
        readonly salt: string;
        readonly wrongTries: number;
        readonly lockedUntil: Temporal.Instant | undefined;
        /** Set when the owner forgot it: from then on none is asked. */
        readonly endsAt: Temporal.Instant | undefined;
      }
    | undefined;
  /** Gross per 24 hours. */
  readonly dailyCap: Cents | undefined;
  /** A raise (or, undefined amount, the end of the cap) that waits for its time. */
  readonly pendingCap:
    | { readonly cap: Cents | undefined; readonly from: Temporal.Instant }
    | undefined;
  /** Whether a key never used before waits a day. */
  readonly newKeyWait: boolean;
  readonly newKeyWaitEndsAt: Temporal.Instant | undefined;
}
