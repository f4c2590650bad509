import { describe, expect, it } from "vitest";
import type { ClaimedDelivery } from "#src/delivery/delivery.ts";
import type { DeliveryKind } from "#src/delivery/delivery-policies.ts";
import { isOnlySilence, lostLivesOf, nextStep, postedSpans } from "#src/delivery/settlement.ts";
import type { DatabaseRestore } from "#src/withdrawals/restore/restore-hold.ts";
import { claimedDelivery } from "../database/builders.ts";

const ENQUEUED = Temporal.Instant.from("2026-11-20T00:05:00Z");

/** Claimed for the first time when it was enqueued. */
const claimed = (given: Partial<ClaimedDelivery> = {}): ClaimedDelivery =>
  claimedDelivery("report|a1|c1|2026-11-19", ENQUEUED, given);
const again = (elapsed: string, given: Partial<ClaimedDelivery> = {}): ClaimedDelivery =>
  claimed({ attempts: 2, claimedAt: ENQUEUED.add(elapsed), ...given });

describe("S3: the life that an older copy lost", () => {
  const noticedAt = Temporal.Instant.from("2026-11-20T12:00:00Z");
  const aliveAt = noticedAt.subtract({ hours: 30 });
  const restore: DatabaseRestore = {
    number: 1,
    cause: "restored",
    noticedAt,
    lastEventAt: undefined,
    aliveAt,
  };
  const of = (
    kind: DeliveryKind,
    day: string | undefined,
    enqueuedAt: Temporal.Instant,
    restores = [restore],
  ) => {
    const closed = day === undefined ? undefined : Temporal.PlainDate.from(day);
    return lostLivesOf({ kind, day: closed, enqueuedAt }, restores);
  };
  const after = noticedAt.add({ hours: 1 });

  it("may have posted what is owed again: alerts, messages and reports of days before", () => {
    const life = { cause: "restored", since: aliveAt, until: noticedAt };
    expect(of("dispute_alert", undefined, after)).toEqual([life]);
    expect(of("notice", undefined, after)).toEqual([life]);
    expect(of("notice", undefined, noticedAt.add({ hours: 7 * 24 }))).toEqual([life]);
    expect(of("sales_report", "2026-11-19", after)).toEqual([life]);
    expect(of("sales_report", "2026-11-20", noticedAt)).toEqual([life]);
  });

  it("may have posted the report of a day that closed when it was noticed", () => {
    const closed = { ...restore, noticedAt: Temporal.Instant.from("2026-11-20T00:00:00Z") };
    const [owed, day] = [noticedAt.add({ hours: 24 }), "2026-11-19"];
    const life = { cause: "restored", since: aliveAt, until: closed.noticedAt };
    expect(of("sales_report", day, owed, [closed])).toEqual([life]);
    const before = { ...closed, noticedAt: closed.noticedAt.subtract({ milliseconds: 1 }) };
    expect(of("sales_report", day, owed, [before])).toEqual([]);
  });

  it("has not posted a report of a day that closed after it, nor a test", () => {
    expect(of("sales_report", "2026-11-20", after)).toEqual([]);
    expect(of("test", undefined, noticedAt)).toEqual([]);
    expect(of("notice", undefined, noticedAt.add({ hours: 7 * 24, milliseconds: 1 }))).toEqual([]);
    expect(of("notice", undefined, after, [])).toEqual([]);
  });

  const gap = { ...restore, cause: "gap" } as const;
  const livesOf = (...restores: DatabaseRestore[]) => of("notice", undefined, after, restores);

  it("is one from the oldest to the newest of those that meet, from a week before where nobody knows", () => {
    const newer = { ...gap, noticedAt: after };
    const older = { ...gap, aliveAt: aliveAt.subtract({ hours: 1 }) };
    const unknown = { ...gap, aliveAt: undefined };
    const until = noticedAt;
    expect(livesOf(gap, older)).toEqual([{ cause: "gap", since: older.aliveAt, until }]);
    expect(livesOf(older, restore)).toEqual([{ cause: "restored", since: older.aliveAt, until }]);
    expect(livesOf(newer, gap)).toEqual([{ cause: "gap", since: aliveAt, until: after }]);
    const life = { cause: "restored", since: older.aliveAt, until };
    expect(livesOf(gap, { ...older, cause: "restored" })).toEqual([life]);
    const since = noticedAt.subtract({ hours: 7 * 24 });
    expect(livesOf(older, unknown, gap)).toEqual([{ cause: "gap", since, until }]);
  });

  it("is not the time between two stops, in which the bot's posts are on record", () => {
    const every = (hours: number, cause: "gap" | "restored" = "gap"): DatabaseRestore[] =>
      [3, 2, 1].map((before) => {
        const at = noticedAt.subtract({ hours: hours * before });
        const from = at.subtract({ minutes: 5 });
        return { ...gap, cause: before === 3 ? cause : "gap", aliveAt: from, noticedAt: at };
      });
    const lives = every(24, "restored").map(({ cause, aliveAt: since, noticedAt: until }) => ({
      cause,
      since,
      until,
    }));
    expect(livesOf(...every(24, "restored"))).toEqual(lives);
    // Searches of many stops would take longer than a lease.
    expect(livesOf(...every(6))).toHaveLength(1);
    expect(livesOf(...every(7))).toHaveLength(3);
  });

  it("may have posted at any time where its last sign of life seems to be later than its end", () => {
    const ahead = { ...restore, aliveAt: noticedAt.add({ hours: 5 }) };
    const since = noticedAt.subtract({ hours: 7 * 24 });
    const life = { cause: "restored", since, until: ahead.aliveAt };
    expect(of("notice", undefined, after, [ahead])).toEqual([life]);
  });

  const QUARTER = { minutes: 15 };
  const lostLife = { cause: "gap", since: aliveAt, until: noticedAt } as const;
  const restored = { ...lostLife, cause: "restored" } as const;

  it("may have posted until it was noticed, and attempts on record until now", () => {
    const [from, to] = [aliveAt.subtract(QUARTER), noticedAt.add(QUARTER)];
    const lost = { cause: "gap", after: from, before: to };
    const own = { after: ENQUEUED.subtract(QUARTER) };
    expect(postedSpans(claimed({ lostLives: [lostLife] }))).toEqual([lost]);
    expect(postedSpans(again("PT3M", { lostLives: [lostLife], kind: "notice" }))).toEqual([
      own,
      lost,
    ]);
    expect(postedSpans(again("PT3M"))).toEqual([own]);
    expect(postedSpans(claimed())).toEqual([]);
    const met = { ...lostLife, until: ENQUEUED.subtract({ minutes: 30 }) };
    expect(postedSpans(again("PT3M", { lostLives: [met] }))).toEqual([{ after: from }]);
    const apart = { ...lostLife, until: ENQUEUED.subtract({ minutes: 31 }) };
    expect(postedSpans(again("PT3M", { lostLives: [apart] }))).toHaveLength(2);
    const old = { cause: "restored", since: aliveAt, until: aliveAt } as const;
    const since = ENQUEUED.subtract({ hours: 1 });
    expect(postedSpans(again("PT3M", { lostLives: [old, { ...met, since }] }))).toEqual([
      { after: since.subtract(QUARTER) },
      { cause: "restored", after: from, before: aliveAt.add(QUARTER) },
    ]);
  });

  it("may have posted in the day before a claim by a clock that was set back since", () => {
    const claim = claimed({ claimedAt: ENQUEUED.subtract({ hours: 1 }) });
    const from = ENQUEUED.subtract({ hours: 25 });
    expect(postedSpans(claim)).toEqual([{ after: from.subtract(QUARTER) }]);
    expect(nextStep(claim, claim.claimedAt)).toBe("search");
  });

  it.each<[string, boolean, ClaimedDelivery]>([
    ["first attempt after a silence", true, claimed({ lostLives: [lostLife] })],
    ["later attempt", false, again("PT1M", { lostLives: [lostLife] })],
    ["restore", false, claimed({ lostLives: [lostLife, restored] })],
    ["life that was not lost", false, claimed()],
  ])("by a mere silence, at a %s: %s", (_, expected, claim) => {
    expect(isOnlySilence(claim)).toBe(expected);
  });
});
