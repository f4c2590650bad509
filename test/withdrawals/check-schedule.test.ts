import { describe, expect, it } from "vitest";
import {
  isOverdue,
  isSlow,
  LONGEST_UNKNOWN_WAIT_MS,
  LONGEST_WAIT_MS,
  nextAcceptedCheck,
  nextUnknownCheck,
  unknownSince,
} from "#src/withdrawals/check-schedule.ts";
import type { WithdrawOp } from "#src/withdrawals/withdraw-op.ts";

const SENT = Temporal.Instant.from("2026-11-20T12:00:00Z");
const PLAN = SENT.add({ hours: 9 });
const after = (duration: string): Temporal.Instant => SENT.add(duration);
const told = (instant: Temporal.Instant | undefined): string | undefined =>
  instant === undefined ? undefined : SENT.until(instant, { largestUnit: "hours" }).toString();

const op = (
  given: Partial<WithdrawOp> = {},
): Pick<WithdrawOp, "sentAt" | "updatedAt" | "kind" | "state" | "scheduledFor" | "setBackAt"> => ({
  sentAt: SENT,
  updatedAt: SENT,
  kind: "turbo",
  state: "processing",
  scheduledFor: undefined,
  setBackAt: undefined,
  ...given,
});

describe("an unknown outcome", () => {
  it("is read often at first, and is its owner's to decide after 45 minutes", () => {
    const readings: (string | undefined)[] = [];
    let now: Temporal.Instant | undefined = SENT;
    while (now !== undefined) {
      now = nextUnknownCheck(op(), now);
      readings.push(told(now));
    }
    expect(readings.join(" ")).toBe(
      "PT5S PT15S PT30S PT1M PT2M PT5M PT10M PT12M PT15M PT30M PT45M ",
    );
  });

  it.each([
    ["PT0.001S", "PT5S"],
    ["PT5S", "PT15S"],
    ["PT14M59.999S", "PT15M"],
    ["PT15M", "PT30M"],
    ["PT44M", "PT45M"],
    ["PT45M", undefined],
    ["PT240H", undefined],
  ])("%s after the request is read next at %s", (passed, next) => {
    expect(told(nextUnknownCheck(op(), after(passed)))).toBe(next);
  });

  it.each([2_000, 3_600_000, 86_400_000, 400 * 86_400_000])(
    "is its owner's 45 to 90 minutes after its request though the clock was set back by %s ms",
    (stepMs) => {
      for (let readBefore = 0; readBefore < 11; readBefore++) {
        let now = SENT;
        let passedMs = 0;
        let setBackAt: Temporal.Instant | undefined;
        for (let checks = 0; ; checks++) {
          if (checks === readBefore) now = now.subtract({ milliseconds: stepMs });
          const unknown = op({ setBackAt });
          const next = nextUnknownCheck(unknown, now);
          if (next === undefined) break;
          const since = unknownSince(unknown, now);
          if (!since.equals(SENT)) setBackAt = since;
          const waitMs = now.until(next).total("milliseconds");
          expect(waitMs).toBeGreaterThan(0);
          expect(waitMs).toBeLessThanOrEqual(LONGEST_UNKNOWN_WAIT_MS);
          passedMs += waitMs;
          now = next;
        }
        expect(passedMs).toBeGreaterThanOrEqual(45 * 60_000);
        expect(passedMs).toBeLessThanOrEqual(90 * 60_000);
      }
    },
  );
});

it.each([
  ["at first from the request", {}, "PT10M", "PT0S"],
  ["without a request, from its last change", { sentAt: undefined }, "PT10M", "PT0S"],
  ["before the request, from now", {}, "-PT1H", "-PT1H"],
  ["from when the clock was set back", { setBackAt: after("-PT1H") }, "-PT30M", "-PT1H"],
  ["from now after another step back", { setBackAt: after("-PT1H") }, "-PT2H", "-PT2H"],
] as const)("the 45 minutes count %s", (_, given, now, since) => {
  expect(told(unknownSince(op(given), after(now)))).toBe(since);
});

describe("an accepted one", () => {
  const normal = op({ kind: "normal", state: "scheduled", scheduledFor: PLAN });

  it.each([
    ["turbo, at once", op(), "PT0S", "PT3S"],
    ["turbo, after ten seconds", op(), "PT10S", "PT15S"],
    ["turbo, after a minute", op(), "PT1M", "PT1M30S"],
    ["turbo, after an hour", op(), "PT1H", "PT1H5M"],
    ["turbo, after three hours", op(), "PT3H", "PT3H30M"],
    ["turbo, after two days", op(), "PT48H", "PT49H"],
    ["normal without a plan", op({ kind: "normal", state: "accepted" }), "PT0S", "PT15S"],
    ["normal just accepted", { ...normal, state: "accepted" }, "PT0S", "PT15S"],
    ["normal long before its plan", normal, "PT0S", "PT1H"],
    ["normal shortly before its plan", normal, "PT8H59M", "PT9H30S"],
    ["normal just after its plan", normal, "PT9H30S", "PT9H45S"],
    ["normal an hour after its plan", normal, "PT10H", "PT10H5M"],
  ] as const)("%s is read next in good time", (_, followed, passed, next) => {
    expect(told(nextAcceptedCheck(followed, after(passed)))).toBe(next);
  });

  it("is always read later than now, and at least once an hour", () => {
    for (let minutes = -3_000; minutes < 4_000; minutes += 7) {
      for (const followed of [op(), normal, op({ kind: "split_normal", state: "accepted" })]) {
        const now = SENT.add({ minutes });
        const waitMs = now.until(nextAcceptedCheck(followed, now)).total("milliseconds");
        expect(waitMs).toBeGreaterThanOrEqual(3_000);
        expect(waitMs).toBeLessThanOrEqual(LONGEST_WAIT_MS);
      }
    }
  });

  it.each([
    [op(), "PT1H", false, false],
    [op(), "PT1H0.001S", true, false],
    [op(), "PT47H59M", true, false],
    [op(), "PT48H", true, true],
    [normal, "PT10H", false, false],
    [normal, "PT10H1S", true, false],
    [normal, "PT56H", true, false],
    [normal, "PT57H", true, true],
  ])(
    "%# is slow, then overdue, counted from when it should begin",
    (followed, passed, slow, over) => {
      const now = after(passed);
      expect([isSlow(followed, now), isOverdue(followed, now)]).toEqual([slow, over]);
    },
  );
});
