import { describe, expect, it } from "vitest";
import { type ClaimedDelivery, type Settlement } from "#src/delivery/delivery.ts";
import { deliveryPolicies, kindsWhere, LONGEST_BLOCK_MS } from "#src/delivery/delivery-policies.ts";
import { type AttemptOutcome, isRepeat, nextStep, settlementOf } from "#src/delivery/settlement.ts";
import { claimedDelivery } from "../database/builders.ts";

const ENQUEUED = Temporal.Instant.from("2026-11-20T00:05:00Z");
const after = (duration: string): Temporal.Instant => ENQUEUED.add(duration);

/** Claimed for the first time when it was enqueued. */
const claimed = (given: Partial<ClaimedDelivery> = {}): ClaimedDelivery =>
  claimedDelivery("report|a1|c1|2026-11-19", ENQUEUED, given);
const again = (elapsed: string, given: Partial<ClaimedDelivery> = {}): ClaimedDelivery =>
  claimed({ attempts: 2, claimedAt: after(elapsed), ...given });

const told = (settlement: Settlement): string => {
  if (settlement.state === "sent") return `sent ${settlement.messageId}`;
  const { state, error } = settlement;
  const how = "untouched" in settlement && settlement.untouched ? ", untouched" : "";
  if (!("notBefore" in settlement)) return `${state}${how}: ${error}`;
  const seconds = ENQUEUED.until(settlement.notBefore).total("seconds");
  return `${state} in ${seconds} s${how}: ${error}`;
};

describe("nextStep", () => {
  const cases = [
    ["posts at the first attempt", claimed(), "post"],
    ["posts again while Discord knows the nonce", again("PT1M59.999S"), "post"],
    ["looks first once the nonce may be forgotten", again("PT2M"), "search"],
    ["looks first when the clock has gone back", again("-PT1S"), "search"],
    [
      "still delivers a report on its seventh day",
      claimed({ claimedAt: after("PT168H") }),
      "search",
    ],
    [
      "looks first when a life that the database lost may have posted it",
      claimed({ lostLives: [{ cause: "gap", since: ENQUEUED, until: ENQUEUED }] }),
      "search",
    ],
    ["lets a report be after seven days", claimed({ claimedAt: after("PT168H1S") }), "expire"],
    ["lets a test be after a quarter of an hour", again("PT15M1S", { kind: "test" }), "expire"],
  ] as const;

  it.each(cases)("%s", (_, claim, expected) => {
    expect(nextStep(claim, claim.claimedAt)).toBe(expected);
  });
});

describe("settlementOf", () => {
  const unclear = { kind: "unclear", reason: "timeout" } as const;
  const lost = { kind: "lost_channel", code: 10_003 } as const;
  const unreadable = { kind: "unreadable", lasting: false } as const;
  const refused = { kind: "unreadable", lasting: true } as const;
  const tooLong = { kind: "too_long" } as const;
  const test = claimed({ kind: "test" });
  const toPerson = { kind: "person", userId: "u1" } as const;
  const aboutLostChannel = { lostChannel: { route: "channel_lost", channelId: "c1" } } as const;
  const cases: readonly (readonly [string, AttemptOutcome, string, ClaimedDelivery?])[] = [
    ["posted", { kind: "posted", messageId: "m1" }, "sent m1"],
    ["posted, then deleted by somebody", { kind: "posted_then_deleted" }, "sent null"],
    ["found in the history", { kind: "found", messageId: "m1" }, "sent m1", again("PT3M")],
    ["unclear", unclear, "due in 1 s: timeout"],
    [
      "no direct-message channel yet",
      { kind: "unopened", reason: "500" },
      "due in 1 s, untouched: 500",
    ],
    ["throttled", { kind: "throttled", retryAfterMs: 5_500 }, "due in 5.5 s, untouched: throttled"],
    [
      "throttled without a wait",
      { kind: "throttled", retryAfterMs: 0 },
      "due in 1 s, untouched: throttled",
    ],
    [
      "throttled for a day",
      { kind: "throttled", retryAfterMs: 9e7 },
      "due in 3600 s, untouched: throttled",
    ],
    ["channel lost", lost, "blocked in 3600 s, untouched: lost_channel 10003"],
    [
      "channel lost, 24th probe",
      lost,
      "blocked in 3600 s, untouched: lost_channel 10003",
      claimed({ attempts: 24 }),
    ],
    [
      "channel lost, 25th probe",
      lost,
      "blocked in 86400 s, untouched: lost_channel 10003",
      claimed({ attempts: 25 }),
    ],
    [
      "direct message of a report refused",
      lost,
      "due in 600 s, untouched: lost_channel 10003",
      claimed({ target: toPerson }),
    ],
    [
      "direct message refused, 99th time",
      { kind: "lost_channel", code: 50_001 },
      "due in 600 s, untouched: lost_channel 50001",
      claimed({ kind: "notice", target: toPerson, attempts: 99 }),
    ],
    ["channel of a test lost", lost, "obsolete, untouched: lost_channel 10003", test],
    [
      "person takes no messages, not of a lost channel either",
      { kind: "unreachable_person", code: 50_007 },
      "dead: unreachable_person 50007",
      claimed({ kind: "notice", payload: aboutLostChannel }),
    ],
    [
      "person without a server in common takes no message",
      { kind: "unreachable_person", code: 50_278 },
      "dead: unreachable_person 50278",
      claimed({ kind: "notice" }),
    ],
    [
      "person without a server in common is told of a lost channel once the bot is invited again",
      { kind: "unreachable_person", code: 50_278 },
      "blocked in 3600 s, untouched: unreachable_person 50278",
      claimed({ kind: "notice", payload: aboutLostChannel }),
    ],
    [
      "body refused",
      { kind: "rejected", status: 400, code: 50_035 },
      "dead, untouched: rejected 400 50035",
    ],
    [
      "body refused for no named reason",
      { kind: "rejected", status: 400, code: undefined },
      "dead, untouched: rejected 400",
    ],
    ["too old", { kind: "expired" }, "obsolete: expired"],
    ["history not readable now", unreadable, "due in 2 s: history_unreadable", again("PT3M")],
    [
      "history not readable for long",
      unreadable,
      "unknown: history_unreadable",
      again("PT1H", { attempts: 40 }),
    ],
    [
      "history not readable, tried often",
      unreadable,
      "due in 600 s: history_unreadable",
      again("PT59M", { attempts: 99 }),
    ],
    [
      "history not readable, tried seldom",
      unreadable,
      "due in 600 s: history_unreadable",
      again("PT20H", { attempts: 39 }),
    ],
    ["history refused", refused, "unknown: history_unreadable", again("PT3M")],
    ["history too long", tooLong, "unknown: history_too_long", again("PT3M", { wasBlocked: true })],
    [
      "history of direct messages too long, so that later ones need not wait",
      tooLong,
      "unknown: history_too_long",
      again("PT3M", { kind: "notice", target: toPerson }),
    ],
    [
      "history refused in a lost channel",
      refused,
      "blocked in 3600 s: history_refused",
      again("PT3M", { wasBlocked: true }),
    ],
    [
      "history of direct messages refused",
      refused,
      "due in 600 s: history_refused",
      again("PT3M", { target: toPerson }),
    ],
    [
      "history of direct messages not readable after many refusals",
      unreadable,
      "due in 600 s: history_unreadable",
      again("PT7H", { target: toPerson, attempts: 60 }),
    ],
  ];

  it.for(cases)("%s", ([, outcome, expected, claim = claimed()]) => {
    expect(told(settlementOf(claim, outcome, ENQUEUED))).toBe(expected);
  });

  describe("of an alert", () => {
    const alert = { kind: "dispute_alert", dedupeKey: "med|a|i|won" } as const;
    const unsent = { watchId: "a", infractionId: "i", version: 3, doneSteps: [] };
    it.each([
      [
        "of a lost channel goes elsewhere soon",
        claimed(alert),
        lost,
        "blocked in 60 s, untouched: lost_channel 10003",
      ],
      [
        "is refused as a direct message is tried again",
        claimed({ ...alert, target: toPerson, attempts: 3 }),
        lost,
        "blocked in 600 s, untouched: lost_channel 10003",
      ],
      [
        "may stand among refused direct messages is repeated soon",
        again("PT3M", { ...alert, target: toPerson }),
        refused,
        "unknown: history_unreadable",
      ],
      [
        "is looked for a while",
        again("PT4M", { ...alert, attempts: 10 }),
        unreadable,
        "due in 600 s: history_unreadable",
      ],
      [
        "is not looked for long",
        again("PT5M", { ...alert, attempts: 10 }),
        unreadable,
        "unknown: history_unreadable",
      ],
      [
        "is looked for as long as it takes once it is the repeat, which nothing repeats",
        again("PT3H", { ...alert, repeatOf: alert.dedupeKey, attempts: 40 }),
        unreadable,
        "due in 600 s: history_unreadable",
      ],
      [
        "that was put off waits",
        claimed(alert),
        { kind: "waits", until: after("PT6H") },
        "due in 21600 s, untouched: put_off",
      ],
    ] as const)("one that %s", (_, claim, outcome, expected) => {
      expect(told(settlementOf(claim, outcome, ENQUEUED))).toBe(expected);
    });

    it("one that waits after answers came does not count the attempt", () => {
      const until = after("PT6H");
      const waits = { kind: "waits", until, isUncounted: true } as const;
      const due = { state: "due", notBefore: until, error: "put_off", untouched: true };
      expect(settlementOf(claimed(alert), waits, ENQUEUED)).toEqual({ ...due, isUncounted: true });
    });

    it("one that is untrue says which step stays unsent", () => {
      const obsolete = { state: "obsolete", error: "no_longer_true" };
      const settled = (given: typeof unsent | undefined) =>
        settlementOf(claimed(alert), { kind: "untrue", unsent: given }, ENQUEUED);
      expect(settled(unsent)).toEqual({ ...obsolete, unsent });
      expect(settled(undefined)).toEqual(obsolete);
    });
  });

  it("goes at once where its reader wants it now", () => {
    const target = { kind: "channel", channelId: "c2" } as const;
    const moved = settlementOf(claimed(), { kind: "moved", target }, ENQUEUED);
    expect(told(moved)).toBe("due in 0 s, untouched: moved");
    expect(moved).toMatchObject({ target });
  });

  it("backs off from attempt to attempt, up to ten minutes", () => {
    const waits = Array.from({ length: 12 }, (_, before) =>
      told(settlementOf(claimed({ attempts: before + 1 }), unclear, ENQUEUED)),
    );

    expect(waits).toEqual(
      [1, 2, 4, 8, 15, 30, 60, 120, 300, 600, 600, 600].map(
        (seconds) => `due in ${seconds} s: timeout`,
      ),
    );
  });

  it("makes all attempts up to the half minute while the nonce is trusted", () => {
    const trusted = [1, 2, 4, 8, 15, 30].reduce((sum, seconds) => sum + seconds, 0);

    expect(nextStep(again(`PT${trusted}S`), after(`PT${trusted}S`))).toBe("post");
  });
});

it("nothing but the repeat of an alert is the last word", () => {
  const kind = "dispute_alert";
  expect(isRepeat(claimed({ kind, repeatOf: "med|a|i|won" }))).toBe(true);
  expect(isRepeat(claimed({ kind, dedupeKey: "med|a|i|won" }))).toBe(false);
  expect(isRepeat(claimed({ kind: "notice", dedupeKey: "withdrawal|W-AAAAA|again" }))).toBe(false);
});

it.each(kindsWhere(() => true))("a %s is never put off for longer than its kind may be", (kind) => {
  const outcomes: readonly AttemptOutcome[] = [
    { kind: "unclear", reason: "timeout" },
    { kind: "unopened", reason: "timeout" },
    { kind: "throttled", retryAfterMs: Number.MAX_SAFE_INTEGER },
    { kind: "lost_channel", code: 10_003 },
    { kind: "unreadable", lasting: false },
    { kind: "unreadable", lasting: true },
    { kind: "too_long" },
  ];
  for (const outcome of outcomes)
    for (const attempts of [1, 5, 24, 25, 400])
      for (const wasBlocked of [true, false]) {
        const settlement = settlementOf(claimed({ kind, attempts, wasBlocked }), outcome, ENQUEUED);
        if (!("notBefore" in settlement)) continue;
        const waitMs = ENQUEUED.until(settlement.notBefore).total("milliseconds");
        const mostMs =
          settlement.state === "blocked" ? LONGEST_BLOCK_MS : deliveryPolicies[kind].longestWaitMs;
        expect(waitMs).toBeLessThanOrEqual(mostMs);
      }
});
