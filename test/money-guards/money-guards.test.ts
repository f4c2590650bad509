import { expect, it } from "vitest";
import { guardsInForce, type MoneyGuards } from "#src/money-guards/money-guards.ts";
import { cents } from "#src/shared/money.ts";

const NOW = Temporal.Instant.from("2026-11-20T12:00:00Z");
const LATER = NOW.add({ milliseconds: 1 });
const NONE: MoneyGuards = guardsInForce(undefined, "u-ana", NOW);
const pin = { hash: "h", salt: "s", wrongTries: 5, lockedUntil: undefined, endsAt: undefined };

const inForce = (given: Partial<MoneyGuards>): MoneyGuards =>
  guardsInForce({ ...NONE, ...given }, "u-ana", NOW);

it("nobody who set none has any", () => {
  expect(guardsInForce(undefined, "u-ana", NOW)).toEqual({
    ownerId: "u-ana",
    lockedAt: undefined,
    unlockAt: undefined,
    pin: undefined,
    dailyCap: undefined,
    pendingCap: undefined,
    newKeyWait: false,
    newKeyWaitEndsAt: undefined,
  });
});

it.each<[string, Partial<MoneyGuards>, Partial<MoneyGuards>]>([
  ["a lock holds", { lockedAt: NOW }, { lockedAt: NOW }],
  [
    "a lock holds until its end",
    { lockedAt: NOW, unlockAt: LATER },
    { lockedAt: NOW, unlockAt: LATER },
  ],
  ["a lock ends", { lockedAt: NOW, unlockAt: NOW }, {}],
  ["a PIN holds", { pin }, { pin }],
  [
    "a PIN holds until its end",
    { pin: { ...pin, endsAt: LATER } },
    { pin: { ...pin, endsAt: LATER } },
  ],
  ["a PIN ends", { pin: { ...pin, endsAt: NOW } }, {}],
  [
    "wrong tries lock the PIN",
    { pin: { ...pin, lockedUntil: LATER } },
    { pin: { ...pin, lockedUntil: LATER } },
  ],
  [
    "wrong tries are forgotten with their lock",
    { pin: { ...pin, lockedUntil: NOW } },
    { pin: { ...pin, wrongTries: 0 } },
  ],
  [
    "a higher cap waits",
    { dailyCap: cents(1), pendingCap: { cap: cents(2), from: LATER } },
    { dailyCap: cents(1), pendingCap: { cap: cents(2), from: LATER } },
  ],
  [
    "a higher cap comes",
    { dailyCap: cents(1), pendingCap: { cap: cents(2), from: NOW } },
    { dailyCap: cents(2) },
  ],
  ["a cap ends", { dailyCap: cents(1), pendingCap: { cap: undefined, from: NOW } }, {}],
  ["a new key waits", { newKeyWait: true }, { newKeyWait: true }],
  [
    "a new key waits until that ends",
    { newKeyWait: true, newKeyWaitEndsAt: LATER },
    { newKeyWait: true, newKeyWaitEndsAt: LATER },
  ],
  ["a new key waits no longer", { newKeyWait: true, newKeyWaitEndsAt: NOW }, {}],
])("%s", (_, stored, expected) => {
  expect(inForce(stored)).toEqual({ ...NONE, ...expected });
});
