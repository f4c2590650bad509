import { scrypt, timingSafeEqual } from "node:crypto";
import type { MoneyGuards } from "../../domain/money-guards.ts";
import { MINUTE } from "../../shared/duration.ts";
import { UserError } from "../../shared/errors.ts";
import type { Random } from "../../shared/random.ts";
import type { Secret } from "../../shared/secret.ts";
import type { MoneyNeeds } from "./money-needs.ts";

type Pin = NonNullable<MoneyGuards["pin"]>;

const FORM = /^\d{4,8}$/;
const MOST_TRIES = 5;
const LOCKED_FOR_MS = 15 * MINUTE;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

const derive = (pin: Secret, salt: Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(pin.reveal(), salt, HASH_BYTES, COST, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });

/** Hash of a new PIN under a salt of its own. @throws UserError pin_malformed */
export const newPin = async (pin: Secret, random: Random): Promise<Pin> => {
  if (!FORM.test(pin.reveal())) throw new UserError({ kind: "pin_malformed" });
  const salt = Buffer.from(random.bytes(SALT_BYTES));
  const hash = await derive(pin, salt);
  return {
    hash: hash.toString("base64"),
    salt: salt.toString("base64"),
    wrongTries: 0,
    lockedUntil: undefined,
    endsAt: undefined,
  };
};

const isRight = async (pin: Secret, { hash, salt }: Pin): Promise<boolean> => {
  const expected = Buffer.from(hash, "base64");
  const given = await derive(pin, Buffer.from(salt, "base64"));
  return expected.length === given.length && timingSafeEqual(expected, given);
};

/** What to tell of a wrong try that was counted. */
const wrong = async (
  needs: Pick<MoneyNeeds, "guards">,
  ownerId: string,
  lockUntil: Temporal.Instant,
): Promise<UserError> => {
  const counted = (await needs.guards.find(ownerId))?.pin;
  const triesLeft = Math.max(MOST_TRIES - (counted?.wrongTries ?? MOST_TRIES), 0);
  if (triesLeft > 0) return new UserError({ kind: "pin_wrong", triesLeft });
  return new UserError({ kind: "pin_locked", until: counted?.lockedUntil ?? lockUntil });
};

/**
 * Lets nothing through without the PIN that is in force, if there is one. Each try is counted before it is looked at.
 * @throws UserError pin_required, pin_malformed, pin_wrong, pin_locked
 */
export const checkPin = async (
  needs: Pick<MoneyNeeds, "guards" | "clock">,
  { ownerId, pin }: MoneyGuards,
  given: Secret | undefined,
): Promise<void> => {
  if (pin === undefined) return;
  if (given === undefined) throw new UserError({ kind: "pin_required" });
  if (pin.lockedUntil !== undefined) {
    throw new UserError({ kind: "pin_locked", until: pin.lockedUntil });
  }
  // It cannot be right, so it costs no try.
  if (!FORM.test(given.reveal())) throw new UserError({ kind: "pin_malformed" });
  const now = needs.clock.now();
  const lockUntil = now.add({ milliseconds: LOCKED_FOR_MS });
  const mayLook = await needs.guards.reservePinTry(ownerId, MOST_TRIES, lockUntil, now);
  if (!mayLook) {
    const until = (await needs.guards.find(ownerId))?.pin?.lockedUntil ?? lockUntil;
    throw new UserError({ kind: "pin_locked", until });
  }
  if (!(await isRight(given, pin))) throw await wrong(needs, ownerId, lockUntil);
  await needs.guards.clearPinTries(ownerId);
};
