import type { Cents } from "../shared/money.ts";
import { earlierInstant } from "../shared/time.ts";

export interface Pin {
  readonly hash: string;
  readonly salt: string;
  readonly wrongTries: number;
  readonly lockedUntil: Temporal.Instant | undefined;
  /** When a forgotten PIN is removed. */
  readonly endsAt: Temporal.Instant | undefined;
}

/** An owner's protections for withdrawals. Tightening applies at once, loosening after a day. */
export interface MoneyGuards {
  readonly ownerId: string;
  /** Set while withdrawals are locked, until a requested unlock takes effect. */
  readonly lockedAt: Temporal.Instant | undefined;
  readonly unlockAt: Temporal.Instant | undefined;
  readonly pin: Pin | undefined;
  /** Gross amount per 24 hours. */
  readonly dailyCap: Cents | undefined;
  /** Scheduled raise of the cap; undefined `cap` removes it. */
  readonly pendingCap:
    | { readonly cap: Cents | undefined; readonly from: Temporal.Instant }
    | undefined;
  /** Whether withdrawals to a new PIX key wait a day. */
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

/** Until when a locked PIN is refused: one that is removed before is not asked for any more. */
export const refusedUntil = ({ endsAt }: Pin, lockedUntil: Temporal.Instant): Temporal.Instant =>
  earlierInstant(lockedUntil, endsAt);

const pinInForce = (
  pin: Pin | undefined,
  passed: (at: Temporal.Instant | undefined) => boolean,
): Pin | undefined => {
  if (pin === undefined || passed(pin.endsAt)) return undefined;
  if (passed(pin.lockedUntil)) return { ...pin, wrongTries: 0, lockedUntil: undefined };
  return { ...pin, lockedUntil: pin.lockedUntil && refusedUntil(pin, pin.lockedUntil) };
};

/** The guards in force at `now`, with due changes applied. Without a stored record all guards are off. */
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
