import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  expectedFee,
  isPastExpiry,
  LONGEST_LATE_PAUSE_MS,
  LONGEST_OPEN_PAUSE_MS,
  mayBe,
  nextLateCheck,
  nextLook,
  nextOpenCheck,
} from "#src/charges/charge.ts";
import { endIn, learntOf, nextOf, signsOf } from "#src/charges/charge-check.ts";
import { cents } from "#src/shared/money.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { NOW } from "../support/samples.ts";
import { CODE, sampleCharge } from "./charge-samples.ts";
import { hint, payment } from "./charge-stage.ts";

const ms = (from: Temporal.Instant, to: Temporal.Instant | undefined): number =>
  to === undefined ? Infinity : to.epochMilliseconds - from.epochMilliseconds;

describe("the looks at an open charge", () => {
  const charge = { createdAt: NOW, expiresAt: undefined };

  test("come ever more slowly, and end after three days", () => {
    const pauses: number[] = [];
    let at = NOW;
    for (;;) {
      const next = nextOpenCheck(charge, at);
      if (next === undefined) break;
      pauses.push(ms(at, next));
      at = next;
    }
    expect(pauses[0]).toBe(10 * SECOND);
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
    expect(pauses.at(-1)).toBe(HOUR);
    expect(pauses.length).toBeLessThan(250);
    expect(ms(NOW, at)).toBeGreaterThanOrEqual(3 * DAY);
    expect(nextOpenCheck(charge, NOW.add({ hours: 72 }))).toBeUndefined();
  });

  test("come within an hour, and no more often than every few minutes for long, whatever the clock did", () => {
    for (const minutes of [-400 * 1440, -1440, -60, -10, 0, 60, 4_000]) {
      const now = NOW.add({ minutes });
      const waitMs = ms(now, nextOpenCheck(charge, now));
      expect(waitMs).toBeGreaterThanOrEqual(
        Math.min(150 * SECOND, Math.abs(minutes) * 15 * SECOND),
      );
      expect(waitMs).toBeLessThanOrEqual(LONGEST_OPEN_PAUSE_MS);
    }
  });

  test("come a minute after its time is over, and never before now", () => {
    const expiresAt = NOW.add({ minutes: 30 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 * DAY }), (ageMs) => {
        const now = NOW.add({ milliseconds: ageMs });
        const next = nextOpenCheck({ createdAt: NOW, expiresAt }, now);
        if (next === undefined) return;
        expect(ms(now, next)).toBeGreaterThan(0);
        const lastMs = 31 * MINUTE;
        if (ageMs < lastMs) expect(ms(NOW, next)).toBeLessThanOrEqual(lastMs);
      }),
    );
    expect(isPastExpiry({ expiresAt }, expiresAt)).toBe(false);
    expect(isPastExpiry({ expiresAt }, expiresAt.add({ minutes: 1 }))).toBe(true);
    expect(isPastExpiry({ expiresAt: undefined }, NOW)).toBe(false);
  });
});

test("a lost charge is looked for five times, within a quarter of an hour", () => {
  const pauses = [0, 1, 2, 3, 4].map((checks) => ms(NOW, nextLook(checks, NOW)));
  expect(pauses.every((pause) => pause > 0)).toBe(true);
  expect(pauses.reduce((sum, pause) => sum + pause)).toBeLessThan(15 * MINUTE);
  expect(nextLook(5, NOW)).toBeUndefined();
});

test("an expired charge is looked at within a day, with no pause longer than the longest", () => {
  const pauses = [0, 1, 2, 3, 4].map((checks) => ms(NOW, nextLateCheck(checks, NOW)));
  expect(Math.max(...pauses)).toBe(LONGEST_LATE_PAUSE_MS);
  expect(nextLateCheck(5, NOW)).toBeUndefined();
});

describe("a payment of the list", () => {
  const charge = sampleCharge();
  const same = {
    amount: charge.amount,
    description: charge.description,
    createdAt: NOW,
    type: "payment",
  };

  test.each([
    ["the same", same, true],
    ["what the list leaves out", { ...same, description: undefined, type: undefined }, true],
    ["spaces around the text", { ...same, description: " Plano VIP mensal " }, true],
    ["a withdrawal", { ...same, type: "withdrawal" }, false],
    ["another amount", { ...same, amount: cents(7_991) }, false],
    ["another text", { ...same, description: "Plano" }, false],
  ])("with %s may be the charge: %#", (_, seen, expected) => {
    expect(mayBe(charge, seen)).toBe(expected);
  });
});

test("the expected fee is 6 % of the amount, in whole centavos", () => {
  expect([1, 9, 7_990, 10_000].map((amount) => expectedFee(cents(amount)))).toEqual([
    0, 1, 479, 600,
  ]);
});

test.each([
  [-300_000, undefined, true],
  [-300_001, undefined, false],
  [900_000, undefined, true],
  [900_001, undefined, false],
  [-3_000, 0, true],
  [-3_001, 0, false],
  [-180_000, -180_000, true],
  [170_000, 180_000, false],
])("a payment %d ms after it, by a clock %s ms ahead, may be the charge: %s", (ms, skewMs, may) => {
  const charge = sampleCharge();
  const seen = { ...charge, type: "payment", createdAt: NOW.add({ milliseconds: ms }) };
  expect(mayBe(charge, seen, skewMs)).toBe(may);
});

describe("a look at an open charge", () => {
  const charge = sampleCharge({ expiresAt: undefined });
  const expired = {
    change: { state: "expired", endedAt: NOW, checks: 0, nextCheckAt: NOW.add({ minutes: 1 }) },
    about: "end",
  };
  const unclear = {
    change: { state: "missing", txid: undefined, problem: "unclear", nextCheckAt: undefined },
    about: "end",
  };
  const none = { payments: [], isProven: true };
  const unproven = { payments: [], isProven: false };
  const two = { payments: [payment("pending"), payment("pending")], isProven: true };
  const [over, left] = [{ isOver: true }, { isLast: true }];

  test.each([
    ["past its time, unpaid", 5, { ...over, detail: payment("pending") }, expired],
    ["past its time, expired by its detail", 5, { ...over, detail: payment("expired") }, expired],
    ["past its time, in a new state", 5, { ...over, detail: payment("em_analise") }, undefined],
    ["past its time, without a payment", 5, { ...over, found: none }, expired],
    ["past its time, new beside an unreadable row", 20, { ...over, found: unproven }, undefined],
    ["past its time, old beside an unreadable row", 21, { ...over, found: unproven }, expired],
    ["past its time, beside a list not asked for", 5, { ...over }, undefined],
    ["past its time, beside an unread list", 21, { ...over, found: "unread" }, undefined],
    ["past its time, beside two payments", 5, { ...over, found: two }, unclear],
    ["past its time, made just now, beside two", 1, { ...over, found: two }, undefined],
    ["still in time, expired by its detail", 5, { detail: payment("expired") }, expired],
    ["left after three days, beside two payments", 5, { ...left, found: two }, unclear],
    ["still in time, beside two payments", 5, { found: two }, undefined],
  ] as const)("finds one %s: %#", (_, minutes, given, next) => {
    const createdAt = NOW.subtract({ minutes });
    const evidence = { isOver: false, isLast: false, detail: "missing", found: undefined } as const;
    expect(nextOf({ ...charge, createdAt }, { ...evidence, ...given }, NOW)).toEqual(next);
  });

  test("ends a payment that is dated ahead of our clock by now", () => {
    const detail = { ...payment("approved"), updatedAt: NOW.add({ hours: 1 }) };
    expect(endIn(charge, detail, NOW)).toMatchObject({ state: "paid", endedAt: NOW });
  });

  test("learns a code and a time that are lacking, and keeps what is known", () => {
    const expiresAt = NOW.add({ minutes: 9 });
    const seen = hint("pending", { code: CODE, expiresAt });
    const lacking = { ...charge, code: undefined, problem: "no_code" } as const;
    expect(learntOf(lacking, undefined)).toMatchObject({ code: undefined, problem: "no_code" });
    expect(learntOf(lacking, seen)).toEqual({ code: CODE, expiresAt, problem: undefined });
    expect(learntOf(sampleCharge({ code: "kept" }), seen)).toMatchObject({
      code: "kept",
      expiresAt: sampleCharge().expiresAt,
    });
  });

  test("reads the detail at every fourth one though the quick look says that it waits", () => {
    const detailed = [0, 1, 2, 3, 4, 5, 6, 7].filter(
      (checks) => signsOf({ ...charge, checks }, hint("pending"), NOW).needsDetail,
    );
    expect(detailed).toEqual([3, 7]);
  });
});
