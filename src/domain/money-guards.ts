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

const noGuards = (ownerId: string): MoneyGuards => ({
  ownerId,
  lockedAt: undefined,
  unlockAt: undefined,
  pin: undefined,
  dailyCap: undefined,
  pendingCap: undefined,
  newKeyWait: false,
  newKeyWaitEndsAt: undefined,
});

const pinInForce = (
  pin: MoneyGuards["pin"],
  passed: (at: Temporal.Instant | undefined) => boolean,
): MoneyGuards["pin"] => {
  if (pin === undefined || passed(pin.endsAt)) return undefined;
  return passed(pin.lockedUntil) ? { ...pin, wrongTries: 0, lockedUntil: undefined } : pin;
};

/** The guards that hold now: whatever waited for its time and has reached it is done. Nothing kept: no guards. */
export const guardsInForce = (
  stored: MoneyGuards | undefined,
  ownerId: string,
  now: Temporal.Instant,
): MoneyGuards => {
  const passed = (at: Temporal.Instant | undefined): boolean =>
    at !== undefined && Temporal.Instant.compare(at, now) <= 0;
  if (stored === undefined) return noGuards(ownerId);
  const { pendingCap } = stored;
  const unlocked = passed(stored.unlockAt);
  const recapped = pendingCap !== undefined && passed(pendingCap.from);
  const waitEnded = passed(stored.newKeyWaitEndsAt);
  return {
    ownerId: stored.ownerId,
    lockedAt: unlocked ? undefined : stored.lockedAt,
    unlockAt: unlocked ? undefined : stored.unlockAt,
    pin: pinInForce(stored.pin, passed),
    dailyCap: recapped ? pendingCap.cap : stored.dailyCap,
    pendingCap: recapped ? undefined : pendingCap,
    newKeyWait: stored.newKeyWait && !waitEnded,
    newKeyWaitEndsAt: waitEnded ? undefined : stored.newKeyWaitEndsAt,
  };
};
