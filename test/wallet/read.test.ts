import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import { noMetrics } from "#src/shared/metrics.ts";
import { Secret } from "#src/shared/secret.ts";
import { GENERAL_PACE } from "#src/wallet/client.ts";
import { type Attempt, createReader, retryDelayMs, SHORTEST_TRY_MS } from "#src/wallet/read.ts";
import type { Priority } from "#src/accounts/wallet-key.ts";
import { DEFAULT_LIMITS } from "#src/wallet/limits.ts";
import type { Operation } from "#src/wallet/operation.ts";
import { createPacer, type Pacer } from "#src/wallet/pacing.ts";
import { createSingleFlight } from "#src/wallet/single-flight.ts";
import { createVirtualTimers, type VirtualTimers } from "./virtual-timers.ts";

const ROUTE = "/v1/example";
const operation: Operation<string> = {
  method: "GET",
  route: ROUTE,
  path: ROUTE,
  read: () => ({ ok: true, value: "" }),
  refusal: "refused",
};
const key = { apiKey: new Secret("sk_example"), fingerprint: "account" };

interface Try {
  readonly kind: WalletErrorKind | "value";
  readonly retryAfterMs?: number;
  readonly takesMs?: number;
}

const readerOf = (
  attempt: (...given: Parameters<Attempt>) => Promise<unknown>,
  pacer: Pacer,
  timers: VirtualTimers,
  sharedMs: number,
) =>
  createReader({
    attempt: attempt as Attempt,
    breaker: { admits: () => true, note: () => {} },
    pacer,
    singleFlight: createSingleFlight(sharedMs, timers),
    limits: DEFAULT_LIMITS,
    timers,
    random: { bytes: (size) => new Uint8Array(size), fraction: () => 0.5 },
    metrics: noMetrics,
  });

/** The real reader, pacer and request sharing in virtual time; only the wire is a list of outcomes. */
const setUp = (...outcomes: readonly Try[]) => setUpFor(operation, ...outcomes);

const setUpFor = (operation: Operation<string>, ...outcomes: readonly Try[]) => {
  const timers = createVirtualTimers();
  const pacer = createPacer(GENERAL_PACE, timers);
  const tries: { readonly at: number; readonly deadlineMs: number }[] = [];
  const attempt = async (_operation: unknown, _apiKey: unknown, deadlineMs: number) => {
    const outcome = outcomes[tries.length] ?? outcomes.at(-1) ?? { kind: "value" };
    tries.push({ at: timers.now(), deadlineMs });
    await new Promise<void>((resolve) => {
      timers.after(Math.min(outcome.takesMs ?? 0, deadlineMs), resolve);
    });
    if (outcome.kind === "value") return { ok: true, value: "value", requestId: undefined };
    const { kind, retryAfterMs } = outcome;
    const error = new WalletError({ kind, method: "GET", route: ROUTE, retryAfterMs });
    return { ok: false, error };
  };
  const reader = readerOf(attempt, pacer, timers, 0);
  const read = async (priority: Priority) => {
    const outcome = reader(key, priority)(operation).catch((error: WalletError) => error.kind);
    await timers.pass(120_000);
    return outcome;
  };
  return { read, tries, pacer, timers };
};

const throttled = (retryAfterMs: number): Try => ({ kind: "rate_limited", retryAfterMs });

describe("a read that is throttled", () => {
  test("waits for its account and tries again", async () => {
    const { read, tries } = setUp(throttled(5_000), { kind: "value" });

    expect(await read("interactive")).toBe("value");
    expect(tries.map(({ at }) => at)).toEqual([0, 5_000]);
  });

  test("does not wait for longer than a person would", async () => {
    const { read, tries } = setUp(throttled(10_001), { kind: "value" });

    expect(await read("interactive")).toBe("rate_limited");
    expect(tries.length).toBe(1);
  });

  test("does not wait beyond its deadline", async () => {
    const { read, tries } = setUp(throttled(8_000), throttled(8_000), { kind: "value" });

    expect(await read("interactive")).toBe("rate_limited");
    expect(tries.length).toBe(2);
  });

  test("rule 57: is left to its next turn when a job asked", async () => {
    const { read, tries } = setUp(throttled(1_000), { kind: "value" });

    expect(await read("background")).toBe("rate_limited");
    expect(tries.length).toBe(1);
  });
});

describe("a read that fails", () => {
  test("is tried again after random delays that grow", async () => {
    const { read, tries } = setUp({ kind: "unavailable" });

    expect(await read("interactive")).toBe("unavailable");
    expect(tries.map(({ at }) => at)).toEqual([0, 125, 375]);
  });

  test("gives each try what is left of one deadline for all", async () => {
    const { read, tries } = setUp({ kind: "timeout", takesMs: 10_000 });

    expect(await read("interactive")).toBe("timeout");
    expect(tries).toEqual([
      { at: 0, deadlineMs: 15_000 },
      { at: 10_125, deadlineMs: 4_875 },
    ]);
  });

  test("of a job leaves its next try to people who ask in the meantime", async () => {
    const { read, tries, pacer } = setUp({ kind: "unavailable", takesMs: 100 }, { kind: "value" });
    const reading = read("background");
    for (let n = 0; n < 6; n += 1) void pacer.take("account", "interactive", 0);

    expect(await reading).toBe("value");
    // Seven calls of 1.2 s each were spread from the start, because jobs may not use half of a burst.
    expect(tries.map(({ at }) => at)).toEqual([0, 4_800]);
  });
});

describe("a read that is a POST", () => {
  const once = { ...operation, method: "POST", body: "{}" } as const;

  test.each<WalletErrorKind>(["unavailable", "timeout", "unreachable", "rate_limited"])(
    "is not tried again when it ends as %s",
    async (kind) => {
      const { read, tries } = setUpFor(once, { kind, retryAfterMs: 1 }, { kind: "value" });

      expect(await read("interactive")).toBe(kind);
      expect(tries.length).toBe(1);
    },
  );
});

describe("a read whose account is busy", () => {
  const busy = (priority: Priority, heldMs: number) => {
    const set = setUp({ kind: "value" });
    set.pacer.hold("account", heldMs);
    return { ...set, outcome: set.read(priority) };
  };

  test.each<readonly [Priority, number, string]>([
    ["money", 10_000, "value"],
    ["money", 10_001, "rate_limited"],
    ["interactive", 10_000, "value"],
    ["interactive", 10_001, "rate_limited"],
    ["background", 55_000, "value"],
    ["background", 60_001, "rate_limited"],
  ])("of priority %s, held for %d ms, ends as %s", async (priority, heldMs, kind) => {
    const { outcome, tries } = busy(priority, heldMs);

    expect(await outcome).toBe(kind);
    expect(tries.length).toBe(kind === "value" ? 1 : 0);
  });

  test("has its whole deadline left when its turn comes", async () => {
    const { outcome, tries } = busy("background", 50_000);
    await outcome;

    expect(tries).toEqual([{ at: 54_800, deadlineMs: 15_000 }]);
  });
});

test("S2: an answer is shared by those who ask with one key, never with another key of the account", async () => {
  const timers = createVirtualTimers();
  const asked: string[] = [];
  const attempt = async (_operation: unknown, apiKey: Secret) => {
    asked.push(apiKey.reveal());
    if (apiKey.reveal() === "sk_example") return { ok: true, value: "v", requestId: undefined };
    const error = new WalletError({ kind: "unauthorized", method: "GET", route: ROUTE });
    return { ok: false, error };
  };
  const reader = readerOf(attempt, createPacer(GENERAL_PACE, timers), timers, 2_000);
  const revoked = { ...key, apiKey: new Secret("sk_revoked") };
  const kindOf = (error: WalletError) => error.kind;
  const answers = [revoked, key, key].map((each) =>
    reader(each, "interactive")(operation).catch(kindOf),
  );
  expect(await Promise.all(answers)).toEqual(["unauthorized", "v", "v"]);
  expect(asked).toEqual(["sk_revoked", "sk_example"]);
});

const KINDS: Readonly<Record<WalletErrorKind, boolean>> = {
  unauthorized: false,
  forbidden: false,
  not_found: false,
  conflict: false,
  rate_limited: true,
  invalid_request: false,
  refused: false,
  unavailable: true,
  timeout: true,
  unreachable: true,
  malformed: false,
};

const failed = { tries: 1, leftMs: 10_000, baseMs: 200, fraction: 0.5 };

describe("a failed read", () => {
  test.each(Object.entries(KINDS))("of kind %s is tried again: %s", (kind, again) => {
    expect(retryDelayMs({ ...failed, kind: kind as WalletErrorKind }) !== undefined).toBe(again);
  });

  test("is tried three times in all", () => {
    const again = [1, 2, 3].map((tries) => retryDelayMs({ ...failed, kind: "timeout", tries }));

    expect(again).toEqual([100, 200, undefined]);
  });

  test("waits for its account only, after a 429", () => {
    expect(retryDelayMs({ ...failed, kind: "rate_limited" })).toBe(0);
  });

  test("is never tried again when its deadline is near or past", () => {
    const kind = fc.constantFrom(...(Object.keys(KINDS) as WalletErrorKind[]));
    const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

    fc.assert(
      fc.property(kind, fc.integer({ min: -50, max: 500 }), fraction, (of, leftMs, chance) => {
        const delay = retryDelayMs({ ...failed, kind: of, leftMs, fraction: chance }) ?? -Infinity;
        expect(delay).toBeLessThanOrEqual(leftMs - SHORTEST_TRY_MS);
      }),
      { examples: [["unavailable", SHORTEST_TRY_MS, Number.MIN_VALUE]] },
    );
  });
});
