import type { MoneyGuards } from "./money-guards.ts";

const none = (ownerId: string): MoneyGuards => ({
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
  if (stored === undefined) return none(ownerId);
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
