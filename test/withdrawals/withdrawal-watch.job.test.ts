import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  createExternalWatch,
  createFollowWithdrawals,
  type ExternalWatchNeeds,
} from "#src/withdrawals/withdrawal-watch.job.ts";
import type { Account } from "#src/accounts/account.ts";
import { ownTurns } from "#src/config.ts";
import { Secret } from "#src/shared/secret.ts";
import { DatabaseAwayError } from "#src/shared/errors.ts";
import { MINUTE } from "#src/shared/time.ts";
import { quietLog, standingClock } from "../support/databases.ts";

const next = Temporal.Instant.from("2026-11-20T00:05:05Z");
const { signal } = new AbortController();

it("sweeps what was left, then checks what is due, and says when the next check is", async () => {
  const done: string[] = [];
  const follow = createFollowWithdrawals({
    log: quietLog,
    money: {
      sweep: async (everything) => void done.push(`swept ${everything ? "all" : "leases"}`),
      checkDue: async () => {
        done.push("checked");
        return next;
      },
    },
  });

  expect(await follow(signal)).toBe(next);
  expect(done).toEqual(["swept leases", "checked"]);
});

it.each([
  ["a fault", new Error("locked"), ["left withdrawals could not be swept"]],
  ["a database that is away", new DatabaseAwayError(), []],
])("checks what is due even when nothing can be swept because of %s", async (_, failure, told) => {
  const errors: unknown[] = [];
  const follow = createFollowWithdrawals({
    log: { ...quietLog, error: (_facts: unknown, text?: string) => void errors.push(text) },
    money: { sweep: () => Promise.reject(failure), checkDue: async () => next },
  });
  expect(await follow(signal)).toBe(next);
  expect(errors).toEqual(told);
});

const accounts = Array.from({ length: 40 }, (_, index) => ({
  id: `account-${index}`,
  accountFp: createHash("sha256").update(String(index)).digest("base64url"),
})) as unknown as readonly Account[];

const watching = (needs: Partial<ExternalWatchNeeds> = {}) => {
  const clock = standingClock("2026-11-20T00:05Z");
  const looked: string[] = [];
  const job = createExternalWatch({
    clock,
    log: quietLog,
    watched: async (initials, after, limit) =>
      accounts
        .filter(({ accountFp }) => initials.includes(accountFp.charAt(0)) && accountFp > after)
        .toSorted((one, other) => (one.accountFp < other.accountFp ? -1 : 1))
        .slice(0, Math.min(limit, 7)),
    countAll: async () => accounts.length,
    apiKey: async () => new Secret("sk_sandbox_1234567890"),
    watch: async ({ id }) => void looked.push(id),
    ...needs,
  });
  const { signal } = new AbortController();
  return { clock, looked, tick: () => job(signal) };
};

describe("the ghost watch", () => {
  it("looks at each account once in ten minutes, spread over them", async () => {
    const { clock, looked, tick } = watching();
    let most = 0;
    for (let minute = 0; minute < 10; minute++) {
      const before = looked.length;
      await tick();
      most = Math.max(most, looked.length - before);
      clock.moveBy(MINUTE);
    }

    expect([...looked].sort()).toEqual(accounts.map(({ id }) => id).sort());
    expect(most).toBeLessThan(accounts.length / 2);
  });

  const minutesOf = async (shards: readonly number[]) => {
    const isOwnTurn = ownTurns({ shards: [...shards], shardCount: 8 });
    const { clock, looked, tick } = watching({ isOwnTurn });
    const minutes: number[] = [];
    for (let minute = 0; minute < 400; minute++) {
      const before = looked.length;
      await tick();
      if (looked.slice(before).includes("account-0")) minutes.push(minute);
      clock.moveBy(MINUTE);
    }
    return minutes;
  };
  const waitsOf = (minutes: readonly number[]) =>
    minutes.slice(1).map((minute, index) => minute - minutes[index]!);

  it("shares the looks among processes: ten minutes for all, at most thirty while one is away", async () => {
    const both = await Promise.all([minutesOf([0, 1, 2, 3]), minutesOf([4, 5, 6, 7])]);
    const all = both.flat().toSorted((one, other) => one - other);
    expect(new Set(waitsOf(all))).toEqual(new Set([10]));
    for (const one of both) expect(Math.max(...waitsOf(one))).toBeLessThanOrEqual(30);
  });

  it("looks at an account with its next key each time", async () => {
    const turns = new Set<number>();
    const { clock, tick } = watching({
      watched: async (initials, after, _, turn) => {
        const shared = accounts.slice(0, 1);
        const isLooked = after === "" && initials.includes(shared[0]?.accountFp.charAt(0) ?? "");
        if (isLooked) turns.add(turn);
        return isLooked ? shared : [];
      },
    });
    for (let minute = 0; minute < 31; minute++) {
      await tick();
      clock.moveBy(MINUTE);
    }
    const [first = 0] = turns;
    expect([...turns]).toEqual([first, first + 1, first + 2]);
  });

  it("makes up for the minutes that it missed, and looks at nobody twice for that", async () => {
    const { clock, looked, tick } = watching();
    await tick();
    clock.moveBy(9 * MINUTE);
    await tick();
    expect(looked).toHaveLength(accounts.length);

    clock.moveBy(300 * MINUTE);
    await tick();
    expect(looked).toHaveLength(2 * accounts.length);
  });

  it("looks at the next tick at whom a page that could not be read would have named", async () => {
    let isAway = true;
    const { clock, looked, tick } = watching({
      watched: async (initials, after) => {
        if (isAway && after !== "") throw new Error("the database is away");
        return accounts
          .filter(({ accountFp }) => initials.includes(accountFp.charAt(0)) && accountFp > after)
          .toSorted((one, other) => (one.accountFp < other.accountFp ? -1 : 1))
          .slice(0, 7);
      },
    });
    await tick();
    clock.moveBy(9 * MINUTE);
    await expect(tick()).rejects.toThrow("the database is away");
    isAway = false;
    await tick();
    expect(new Set(looked).size).toBe(accounts.length);
  });

  it("does nothing twice within a minute, and goes on after the clock went back", async () => {
    const { clock, looked, tick } = watching();
    await tick();
    clock.moveBy(9 * MINUTE);
    await tick();
    const once = looked.length;
    await tick();
    expect(looked).toHaveLength(once);

    clock.moveBy(-60 * MINUTE);
    for (let minute = 0; minute < 10; minute++) {
      await tick();
      clock.moveBy(MINUTE);
    }
    expect(looked.length).toBe(once + accounts.length);
  });

  it("leaves a start alone, and looks at whose minute that was with the next ones", async () => {
    const { clock, looked, tick } = watching();
    await tick();
    expect(looked).toEqual([]);
    clock.moveBy(MINUTE);
    await tick();
    const ofTwoMinutes = looked.length;
    clock.moveBy(MINUTE);
    await tick();
    expect(ofTwoMinutes).toBeGreaterThan(looked.length - ofTwoMinutes);
  });

  it("keeps one account's failure to itself, and needs a key to look", async () => {
    const looked: string[] = [];
    const { clock, tick } = watching({
      apiKey: async (id) => (id === "account-1" ? undefined : new Secret("sk_sandbox_1234567890")),
      watch: async ({ id }) => {
        looked.push(id);
        if (id === "account-2") throw new Error("the database is away");
      },
    });

    await tick();
    clock.moveBy(9 * MINUTE);
    await tick();

    expect(looked).toHaveLength(accounts.length - 1);
    expect(looked).not.toContain("account-1");
  });
});
