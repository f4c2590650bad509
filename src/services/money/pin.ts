import { scrypt, timingSafeEqual } from "node:crypto";
import type { MoneyGuards } from "../../domain/money-guards.ts";
import type { PinRule } from "../../domain/money-stores.ts";
import { HOUR, MINUTE, SECOND } from "../../shared/time.ts";
import { UserError } from "../../shared/errors.ts";
import type { Secret } from "../../shared/secret.ts";
import { guardNotice } from "./guard-notice.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Actor } from "./money-services.ts";
import { createPinTurns } from "./pin-turns.ts";

type Pin = NonNullable<MoneyGuards["pin"]>;
type PinNeeds = Pick<
  MoneyNeeds,
  "guards" | "clock" | "random" | "log" | "notices" | "retract" | "wake" | "pinRounds"
>;

const FORM = /^\d{4,8}$/;
/** Twenty guesses on the first day, five on each day after it. */
export const PIN_RULE: PinRule = { tries: 5, waitsMs: [15 * MINUTE, HOUR, 4 * HOUR, 24 * HOUR] };
/** Until then the last try may turn out to be the right PIN, and the message is taken back. */
const NOTICE_AFTER_MS = 10 * SECOND;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** A guess at a stolen hash costs as much. */
const ROUNDS = 2 ** 15;
const COST = { r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

const derive = (pin: Secret, salt: Uint8Array, rounds = ROUNDS): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(pin.reveal(), salt, HASH_BYTES, { ...COST, N: rounds }, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });

const isRight = async (pin: Secret, { hash, salt }: Pin, rounds?: number): Promise<boolean> => {
  const expected = Buffer.from(hash, "base64");
  const given = await derive(pin, Buffer.from(salt, "base64"), rounds);
  return expected.length === given.length && timingSafeEqual(expected, given);
};

/** @throws UserError pin_malformed */
export const requirePinForm = (pin: Secret): void => {
  if (!FORM.test(pin.reveal())) throw new UserError({ kind: "pin_malformed" });
};

/** PINs of one process. All that is cheap to check is checked before anything is hashed. */
export interface Pins {
  /** A new PIN, hashed under a salt of its own. @throws UserError pin_malformed, pin_busy */
  readonly make: (ownerId: string, pin: Secret) => Promise<Pin>;
  /**
   * Lets nothing through without the PIN that is in force, if there is one. Each try is counted before it is looked at.
   * Each lock lasts longer than the one before it until the right PIN was given, and is told to the owner.
   * @throws UserError pin_required, pin_malformed, pin_wrong, pin_locked, pin_busy
   */
  readonly check: (actor: Actor, guards: MoneyGuards, given: Secret | undefined) => Promise<void>;
}

export const createPins = (needs: PinNeeds): Pins => {
  const turns = createPinTurns();

  /** The right PIN was the last try before a lock, whose message was not sent yet. */
  const takeBack = async (dedupeKey: string): Promise<void> => {
    try {
      await needs.retract(dedupeKey, needs.clock.now());
    } catch (error) {
      needs.log.warn({ err: error }, "a message about a PIN could not be taken back");
    }
  };

  const look = async (actor: Actor, pin: Pin, given: Secret): Promise<void> => {
    const { guards, clock } = needs;
    const now = clock.now();
    const noticeOf = (until: Temporal.Instant) => ({
      ...guardNotice(needs, actor, "pin_locked", until, `pin_locked|${until.toString()}`),
      notBefore: now.add({ milliseconds: NOTICE_AFTER_MS }),
    });
    const reserved = await guards.reservePinTry(actor.userId, PIN_RULE, now, noticeOf);
    if (reserved.kind === "no_pin") throw new UserError({ kind: "pin_required" });
    const { lockedUntil: until } = reserved;
    if (reserved.kind === "locked")
      throw new UserError({ kind: "pin_locked", until: reserved.lockedUntil });
    if (await isRight(given, pin, needs.pinRounds)) {
      await guards.clearPinTries(actor.userId);
      if (until !== undefined) await takeBack(noticeOf(until).dedupeKey);
      return;
    }
    needs.wake();
    throw new UserError(
      until === undefined
        ? { kind: "pin_wrong", triesLeft: reserved.triesLeft }
        : { kind: "pin_locked", until },
    );
  };

  return {
    make: async (ownerId, pin) => {
      requirePinForm(pin);
      return await turns.inTurn(ownerId, async () => {
        const salt = Buffer.from(needs.random.bytes(SALT_BYTES));
        const hash = await derive(pin, salt, needs.pinRounds);
        return {
          hash: hash.toString("base64"),
          salt: salt.toString("base64"),
          wrongTries: 0,
          lockedUntil: undefined,
          endsAt: undefined,
        };
      });
    },
    check: async (actor, { pin }, given) => {
      if (pin === undefined) return;
      if (given === undefined) throw new UserError({ kind: "pin_required" });
      if (pin.lockedUntil !== undefined) {
        throw new UserError({ kind: "pin_locked", until: pin.lockedUntil });
      }
      // It cannot be right, so it costs no try.
      requirePinForm(given);
      await turns.inTurn(actor.userId, () => look(actor, pin, given));
    },
  };
};
