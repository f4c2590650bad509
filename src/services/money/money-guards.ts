import { guardsInForce, type MoneyGuards } from "../../domain/money-guards.ts";
import type { GuardChange } from "../../domain/money-stores.ts";
import { DAY } from "../../shared/time.ts";
import { UserError } from "../../shared/errors.ts";
import { guardNotice } from "./guard-notice.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Actor, GuardsService } from "./money-services.ts";
import type { WithdrawNotices } from "./withdraw-notices.ts";
import { guardsOf } from "./withdraw-rules.ts";
import { type Pins, requirePinForm } from "./pin.ts";

const SAVE_TRIES = 5;
/** Loosening waits, so that whoever got hold of the owner's Discord cannot do it at once. */
const LOOSENING_MS = DAY;

interface Change {
  readonly guards: MoneyGuards;
  readonly kind: GuardChange;
  readonly news?: {
    readonly change: Parameters<WithdrawNotices["guard"]>[0]["change"];
    readonly from: Temporal.Instant | undefined;
  };
}

/** See `GuardsService`. */
export const createGuardsService = (needs: MoneyNeeds, pins: Pins): GuardsService => {
  const { clock } = needs;

  /** Decided again on what is kept whenever somebody else changed it meanwhile. Undefined: nothing to change. */
  const change = async (
    actor: Actor,
    decide: (guards: MoneyGuards, now: Temporal.Instant) => Change | undefined,
  ): Promise<MoneyGuards> => {
    for (let tries = 1; tries <= SAVE_TRIES; tries++) {
      const stored = await needs.guards.find(actor.userId);
      const now = clock.now();
      const guards = guardsInForce(stored, actor.userId, now);
      const decided = decide(guards, now);
      if (decided === undefined) return guards;
      const { news, kind } = decided;
      const subject = `${news?.change}|${now.toString()}`;
      const notices = news ? [guardNotice(needs, actor, news.change, news.from, subject)] : [];
      if (!(await needs.guards.save(stored, decided.guards, kind, now, notices))) continue;
      needs.wake();
      return decided.guards;
    }
    throw new Error("The guards were changed by somebody else each time");
  };

  const later = (now: Temporal.Instant): Temporal.Instant =>
    now.add({ milliseconds: LOOSENING_MS });

  return {
    find: (userId) => guardsOf(needs, userId),

    lock: (actor) =>
      change(actor, (guards, now) => {
        if (guards.lockedAt !== undefined && guards.unlockAt === undefined) return undefined;
        return {
          guards: { ...guards, lockedAt: guards.lockedAt ?? now, unlockAt: undefined },
          kind: "money_locked",
          news: { change: "locked", from: undefined },
        };
      }),

    askUnlock: (actor) =>
      change(actor, (guards, now) => {
        if (guards.lockedAt === undefined) throw new UserError({ kind: "money_not_locked" });
        if (guards.unlockAt !== undefined) return undefined;
        const from = later(now);
        return {
          guards: { ...guards, unlockAt: from },
          kind: "money_unlock_asked",
          news: { change: "unlock_asked", from },
        };
      }),

    setPin: async (actor, pin, current) => {
      const before = await guardsOf(needs, actor.userId);
      requirePinForm(pin);
      await pins.check(actor, before, current);
      const next = await pins.make(actor.userId, pin);
      return await change(actor, (guards) => {
        // Another one was set while the current one was looked at: that one was not.
        if (guards.pin?.hash !== before.pin?.hash) throw new UserError({ kind: "pin_required" });
        return { guards: { ...guards, pin: next }, kind: "pin_set" };
      });
    },

    removePin: async (actor, current) => {
      const before = await guardsOf(needs, actor.userId);
      if (current !== undefined) await pins.check(actor, before, current);
      return await change(actor, (guards, now) => {
        const { pin } = guards;
        if (pin === undefined) return undefined;
        if (current !== undefined && pin.hash === before.pin?.hash) {
          return { guards: { ...guards, pin: undefined }, kind: "pin_removed" };
        }
        if (pin.endsAt !== undefined) return undefined;
        const from = later(now);
        return {
          guards: { ...guards, pin: { ...pin, endsAt: from } },
          kind: "pin_removed",
          news: { change: "pin_removal_asked", from },
        };
      });
    },

    setDailyCap: (actor, cap) =>
      change(actor, (guards, now) => {
        const { dailyCap, pendingCap } = guards;
        const tighter = cap !== undefined && (dailyCap === undefined || cap <= dailyCap);
        if (cap === dailyCap && pendingCap === undefined) return undefined;
        if (tighter || cap === dailyCap) {
          return {
            guards: { ...guards, dailyCap: cap, pendingCap: undefined },
            kind: "daily_cap_set",
          };
        }
        const from = later(now);
        return {
          guards: { ...guards, pendingCap: { cap, from } },
          kind: "daily_cap_set",
          news: { change: "cap_raise_asked", from },
        };
      }),

    setNewKeyWait: (actor, on) =>
      change(actor, (guards, now) => {
        if (on) {
          if (guards.newKeyWait && guards.newKeyWaitEndsAt === undefined) return undefined;
          const waiting = { ...guards, newKeyWait: true, newKeyWaitEndsAt: undefined };
          return { guards: waiting, kind: "new_key_wait_set" };
        }
        if (!guards.newKeyWait || guards.newKeyWaitEndsAt !== undefined) return undefined;
        const from = later(now);
        return {
          guards: { ...guards, newKeyWaitEndsAt: from },
          kind: "new_key_wait_set",
          news: { change: "wait_end_asked", from },
        };
      }),
  };
};
