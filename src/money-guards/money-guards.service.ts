import type { GuardChange, PinRule } from "./money-guards.store.ts";
import { scrypt, timingSafeEqual } from "node:crypto";
import { guardsInForce, type MoneyGuards, type Pin, refusedUntil } from "./money-guards.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../shared/time.ts";
import { UserError } from "../shared/errors.ts";
import type { GuardNews } from "../withdrawals/withdraw-facts.ts";
import type { Actor, MoneyNeeds } from "../withdrawals/money-services.service.ts";
import { type NewDelivery, notice } from "../delivery/delivery.ts";
import type { Cents } from "../shared/money.ts";
import type { Secret } from "../shared/secret.ts";

const SAVE_TRIES = 5;
/** Loosening a guard waits, so that a thief of the owner's Discord account cannot do it at once. */
const LOOSENING_MS = DAY;

/** The guards in force now. */
export const guardsOf = async (
  needs: Pick<MoneyNeeds, "guards" | "clock">,
  ownerId: string,
): Promise<MoneyGuards> =>
  guardsInForce(await needs.guards.find(ownerId), ownerId, needs.clock.now());

interface Change {
  /**
   * The changed guards alone. A loosening of another one that seems to be over stays as it was asked for: a clock that is
   * ahead, and is set back later, must not have ended it for good.
   */
  readonly set: Partial<Omit<MoneyGuards, "ownerId">>;
  readonly kind: GuardChange;
  readonly news?: GuardNews;
}

export const createGuardsService = (needs: MoneyNeeds, pins: Pins) => {
  const { clock } = needs;

  /**
   * Saves a decision, and decides again when another process changed the guards meanwhile. `decide` returns undefined
   * when there is no change to make.
   */
  const change = async (
    actor: Actor,
    decide: (guards: MoneyGuards, now: Temporal.Instant, stored: MoneyGuards) => Change | undefined,
  ): Promise<MoneyGuards> => {
    for (let tries = 1; tries <= SAVE_TRIES; tries++) {
      const stored = await needs.guards.find(actor.userId);
      const now = clock.now();
      const guards = guardsInForce(stored, actor.userId, now);
      const decided = decide(guards, now, stored ?? guards);
      if (decided === undefined) return guards;
      const { news, kind, set } = decided;
      const after = { ...(stored ?? guards), ...set };
      const subject = `${news?.change}|${now.toString()}`;
      const notices = news ? [guardDelivery(needs, actor, news, subject)] : [];
      if (!(await needs.guards.save(stored, after, kind, now, notices))) continue;
      needs.wake();
      return guardsInForce(after, actor.userId, now);
    }
    throw new Error("The guards were changed by somebody else each time");
  };

  const loosenedAt = (now: Temporal.Instant): Temporal.Instant =>
    now.add({ milliseconds: LOOSENING_MS });

  return {
    find: (userId: string): Promise<MoneyGuards> => guardsOf(needs, userId),

    /** Stops all withdrawals of the owner at once, in every guild. Cancellations bring money back and stay possible. */
    lock: (actor: Actor): Promise<MoneyGuards> =>
      change(actor, (guards, now) => {
        if (guards.lockedAt !== undefined && guards.unlockAt === undefined) return undefined;
        return {
          set: { lockedAt: guards.lockedAt ?? now, unlockAt: undefined },
          kind: "money_locked",
          news: { change: "locked", from: undefined },
        };
      }),

    /** Asks for the unlock, which takes effect a day later. @throws UserError money_not_locked */
    askUnlock: (actor: Actor): Promise<MoneyGuards> =>
      change(actor, (guards, now) => {
        if (guards.lockedAt === undefined) throw new UserError({ kind: "money_not_locked" });
        if (guards.unlockAt !== undefined) return undefined;
        const from = loosenedAt(now);
        return {
          set: { unlockAt: from },
          kind: "money_unlock_asked",
          news: { change: "unlock_asked", from },
        };
      }),

    /**
     * Sets a PIN, or replaces the current PIN, and tells the owner: who sets one in the owner's place locks the owner out.
     * @throws UserError pin_malformed, pin_too_easy, pin_wrong, pin_locked, pin_busy
     */
    setPin: async (
      actor: Actor,
      pin: Secret,
      current: Secret | undefined,
    ): Promise<MoneyGuards> => {
      const before = await guardsOf(needs, actor.userId);
      requirePinForm(pin);
      if (isEasy(pin.reveal())) throw new UserError({ kind: "pin_too_easy" });
      await pins.check(actor, before, current);
      const next = await pins.make(actor.userId, pin);
      return await change(actor, (guards) => {
        // Another click set a new PIN during the check, and `current` was never compared with it.
        if (guards.pin?.hash !== before.pin?.hash) throw new UserError({ kind: "pin_required" });
        const news = { change: "pin_set", from: undefined } as const;
        return { set: { pin: next }, kind: "pin_set", news };
      });
    },

    /**
     * Removes the PIN, and tells the owner: at once with the current PIN, a day later without it.
     * @throws UserError pin_wrong, pin_locked, pin_busy
     */
    removePin: async (actor: Actor, current: Secret | undefined): Promise<MoneyGuards> => {
      const before = await guardsOf(needs, actor.userId);
      if (current !== undefined) await pins.check(actor, before, current);
      return await change(actor, (guards, now) => {
        const { pin } = guards;
        if (pin === undefined) return undefined;
        if (current !== undefined && pin.hash === before.pin?.hash) {
          const news = { change: "pin_removed", from: undefined } as const;
          return { set: { pin: undefined }, kind: "pin_removed", news };
        }
        if (pin.endsAt !== undefined) return undefined;
        const from = loosenedAt(now);
        return {
          set: { pin: { ...pin, endsAt: from } },
          kind: "pin_removed",
          news: { change: "pin_removal_asked", from },
        };
      });
    },

    /** Takes back the removal without the PIN: wrong tries of a stranger may lock it until it is removed. */
    keepPin: (actor: Actor): Promise<MoneyGuards> =>
      change(actor, ({ pin }) =>
        pin?.endsAt === undefined
          ? undefined
          : { set: { pin: { ...pin, endsAt: undefined } }, kind: "pin_kept" },
      ),

    /** A lower cap takes effect at once; a higher cap, or its removal, a day later. */
    setDailyCap: (actor: Actor, cap: Cents | undefined): Promise<MoneyGuards> =>
      change(actor, (guards, now, stored) => {
        const { dailyCap, pendingCap } = guards;
        const tighter = cap !== undefined && (dailyCap === undefined || cap <= dailyCap);
        // The raise that is waited for, asked for again, comes no later.
        if (cap === (pendingCap ?? { cap: dailyCap }).cap) return undefined;
        if (tighter) {
          const { dailyCap: before = cap, pendingCap: raise } = stored;
          // It takes the place of a raise that is over: once a clock that was ahead is right, the cap before holds again.
          const isOver = raise !== undefined && cap > before;
          const set = isOver
            ? { pendingCap: { ...raise, cap } }
            : { dailyCap: cap, pendingCap: undefined };
          return { set, kind: "daily_cap_set" };
        }
        const from = loosenedAt(now);
        return {
          // A raise that is over is in force, and its place is taken by the next one.
          set: { dailyCap, pendingCap: { cap, from } },
          kind: "daily_cap_set",
          news:
            cap === undefined
              ? { change: "cap_end_asked", from }
              : { change: "cap_raise_asked", from, amount: cap },
        };
      }),

    /** Switching on takes effect at once, switching off a day later. */
    setNewKeyWait: (actor: Actor, on: boolean): Promise<MoneyGuards> =>
      change(actor, (guards, now) => {
        if (on) {
          if (guards.newKeyWait && guards.newKeyWaitEndsAt === undefined) return undefined;
          const set = { newKeyWait: true, newKeyWaitEndsAt: undefined };
          return { set, kind: "new_key_wait_set" };
        }
        if (!guards.newKeyWait || guards.newKeyWaitEndsAt !== undefined) return undefined;
        const from = loosenedAt(now);
        return {
          set: { newKeyWaitEndsAt: from },
          kind: "new_key_wait_set",
          news: { change: "wait_end_asked", from },
        };
      }),
  };
};

/** Direct message about a guard. It also reaches an owner whose Discord account a stranger is using. */
export const guardDelivery = (
  needs: Pick<MoneyNeeds, "notices" | "clock">,
  actor: Pick<Actor, "guildId" | "userId" | "locale">,
  news: GuardNews,
  subject: string,
): NewDelivery => {
  const noticedAt = needs.clock.now();
  const { guildId, userId: ownerId, locale } = actor;
  const post = {
    dedupeKey: `guard|${ownerId}|${subject}`,
    guildId: guildId === "" ? null : guildId,
    accountId: null,
    notBefore: noticedAt,
  };
  return notice(ownerId, post, (reference) =>
    needs.notices.guard({ ownerId, guildId, locale, reference, noticedAt, ...news }),
  );
};

type PinNeeds = Pick<
  MoneyNeeds,
  "guards" | "clock" | "random" | "log" | "notices" | "retract" | "wake" | "pinRounds"
>;

const PIN_FORM = /^\d{4,8}$/;
/** Twenty guesses on the first day, five on each later day. */
export const PIN_RULE: PinRule = { tries: 5, waitsMs: [15 * MINUTE, HOUR, 4 * HOUR, 24 * HOUR] };
/** Delay of the lock's message: if the last try turns out to be right, the message is cancelled. */
const NOTICE_AFTER_MS = 10 * SECOND;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Cost of each guess at a stolen hash. */
const SCRYPT_ROUNDS = 2 ** 15;
const SCRYPT_COST = { r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

const derive = (pin: Secret, salt: Uint8Array, rounds = SCRYPT_ROUNDS): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(pin.reveal(), salt, HASH_BYTES, { ...SCRYPT_COST, N: rounds }, (error, hash) => {
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
const requirePinForm = (pin: Secret): void => {
  if (!PIN_FORM.test(pin.reveal())) throw new UserError({ kind: "pin_malformed" });
};

/** Digits that all are equal, or of which each is one more, or one less, than the digit before. */
const isEasy = (digits: string): boolean => {
  const steps = Array.from(
    digits.slice(1),
    (digit, place) => Number(digit) - Number(digits[place]),
  );
  const [first = 0] = steps;
  return Math.abs(first) <= 1 && steps.every((step) => step === first);
};

export type Pins = ReturnType<typeof createPins>;

/** PINs of one process. Cheap checks run before any hashing. */
export const createPins = (needs: PinNeeds) => {
  const turns = createPinTurns();

  /** Cancels the unsent message about a lock: the try that caused it was right. */
  const cancelLockNotice = async (dedupeKey: string): Promise<void> => {
    try {
      await needs.retract(dedupeKey, needs.clock.now());
    } catch (error) {
      needs.log.warn({ err: error }, "a message about a PIN could not be taken back");
    }
  };

  const tryPin = async (actor: Actor, pin: Pin, given: Secret): Promise<void> => {
    const { guards, clock } = needs;
    const now = clock.now();
    const noticeOf = (until: Temporal.Instant) => ({
      ...guardDelivery(
        needs,
        actor,
        { change: "pin_locked", from: refusedUntil(pin, until) },
        `pin_locked|${until.toString()}`,
      ),
      notBefore: now.add({ milliseconds: NOTICE_AFTER_MS }),
    });
    const reserved = await guards.reservePinTry(actor.userId, PIN_RULE, now, noticeOf);
    if (reserved.kind === "no_pin") throw new UserError({ kind: "pin_required" });
    const locked = (until: Temporal.Instant): UserError =>
      new UserError({ kind: "pin_locked", until: refusedUntil(pin, until) });
    if (reserved.kind === "locked") throw locked(reserved.lockedUntil);
    const { lockedUntil: until } = reserved;
    if (await isRight(given, pin, needs.pinRounds)) {
      await guards.clearPinTries(actor.userId);
      if (until !== undefined) await cancelLockNotice(noticeOf(until).dedupeKey);
      return;
    }
    needs.wake();
    if (until !== undefined) throw locked(until);
    throw new UserError({ kind: "pin_wrong", triesLeft: reserved.triesLeft });
  };

  return {
    /** Hashes a new PIN under its own salt. @throws UserError pin_busy */
    make: (ownerId: string, pin: Secret): Promise<Pin> =>
      turns.inTurn(ownerId, async () => {
        const salt = Buffer.from(needs.random.bytes(SALT_BYTES));
        const hash = await derive(pin, salt, needs.pinRounds);
        return {
          hash: hash.toString("base64"),
          salt: salt.toString("base64"),
          wrongTries: 0,
          lockedUntil: undefined,
          endsAt: undefined,
        };
      }),
    /**
     * Lets an action pass only with the PIN in force, if the owner has set a PIN. A try is counted before it is
     * compared. Each lock lasts longer than the previous lock, until the right PIN is given; the owner gets a message
     * about it.
     * @throws UserError pin_required, pin_malformed, pin_wrong, pin_locked, pin_busy
     */
    check: async (actor: Actor, { pin }: MoneyGuards, given: Secret | undefined): Promise<void> => {
      if (pin === undefined) return;
      if (given === undefined) throw new UserError({ kind: "pin_required" });
      if (pin.lockedUntil !== undefined) {
        throw new UserError({ kind: "pin_locked", until: pin.lockedUntil });
      }
      // A malformed PIN cannot be right, so it costs no try.
      requirePinForm(given);
      await turns.inTurn(actor.userId, () => tryPin(actor, pin, given));
    },
  };
};

/** Half of Node's four pool threads, which files and DNS use too. A hash takes 32 MB. */
const MOST_AT_ONCE = 2;
/** Two, so that both clicks of a double click get an answer. */
const MOST_OF_ONE_OWNER = 2;
/** About four seconds of waiting. */
const MOST_WAITING = 50;

/** Queue for hashing, which takes a tenth of a second: only a few hashes run at once, so other work does not wait. */
export const createPinTurns = () => {
  const waiting: (() => void)[] = [];
  const ofOwner = new Map<string, number>();
  let running = 0;

  const begin = async (): Promise<void> => {
    if (running < MOST_AT_ONCE) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };

  /** Hands the free place to the next waiter. */
  const end = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };

  return {
    /** Runs `work` when its turn comes. @throws UserError pin_busy before `work` begins */
    inTurn: async <Value>(ownerId: string, work: () => Promise<Value>): Promise<Value> => {
      const own = ofOwner.get(ownerId) ?? 0;
      const isFull = running >= MOST_AT_ONCE && waiting.length >= MOST_WAITING;
      if (isFull || own >= MOST_OF_ONE_OWNER) throw new UserError({ kind: "pin_busy" });
      ofOwner.set(ownerId, own + 1);
      try {
        await begin();
        try {
          return await work();
        } finally {
          end();
        }
      } finally {
        const left = (ofOwner.get(ownerId) ?? 1) - 1;
        if (left === 0) ofOwner.delete(ownerId);
        else ofOwner.set(ownerId, left);
      }
    },
  };
};
