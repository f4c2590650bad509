import { describe, expect, test } from "vitest";
import {
  alertKey,
  type AlertStep,
  alertSteps,
  alertSubject,
  owedAgainKey,
  repeatKey,
  withStep,
} from "#src/disputes/dispute-alert.ts";
import {
  acknowledgementFails,
  nextPollAt,
  notBeforeOf,
  dueStep,
  revalidateAlert,
  shouldReadList,
  snoozeUntil,
  turnedStep,
} from "#src/disputes/dispute-watch.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { deliveryPolicies } from "#src/delivery/delivery-policies.ts";

const NOW = Temporal.Instant.from("2026-11-20T15:00Z");
const dueIn = (hours: number) => NOW.add({ milliseconds: Math.round(hours * HOUR) });
const watched = (hours: number, doneSteps: readonly AlertStep[] = ["new"]) => ({
  dueAt: dueIn(hours),
  doneSteps,
  answeredByOwnerAt: undefined,
  snoozedUntil: undefined,
  closedAt: undefined,
});

describe("what is owed", () => {
  test.each([
    [200, [], "new"],
    [200, ["new"], undefined],
    [72.1, ["new"], undefined],
    [72, ["new"], "72h"],
    [30, ["new"], "48h"],
    [23, ["new", "72h", "48h"], "24h"],
    [5.9, ["new"], "6h"],
    [0.9, ["new", "6h"], "1h"],
    [0.9, ["new", "1h"], undefined],
  ] as const)("%d hours before the deadline, after %j, is %s", (hours, done, step) => {
    expect(dueStep(watched(hours, done), "needs_answer", NOW)).toBe(step);
  });

  test.each([
    ["overdue", "overdue"],
    ["defended", "answered"],
    ["conceded", "answered"],
    ["won", "won"],
    ["lost", "lost"],
    ["cancelled", "cancelled"],
    ["other", "new"],
  ] as const)("of one that is %s is %s, once", (state, step) => {
    expect(dueStep(watched(50, []), state, NOW)).toBe(step);
    expect(dueStep(watched(50, [step]), state, NOW)).toBeUndefined();
    expect(dueStep({ ...watched(50, []), closedAt: NOW }, state, NOW)).toBeUndefined();
  });

  test("stays unsaid after the owner's word, and while it is put off", () => {
    const muted = { ...watched(5), answeredByOwnerAt: NOW };
    expect(dueStep(muted, "needs_answer", NOW)).toBeUndefined();
    const off = { ...watched(20), snoozedUntil: dueIn(1) };
    expect(dueStep(off, "needs_answer", NOW)).toBeUndefined();
    expect(dueStep(off, "needs_answer", dueIn(1))).toBe("24h");
    const datedAhead = { ...watched(72), snoozedUntil: dueIn(46) };
    expect(dueStep(datedAhead, "needs_answer", NOW)).toBe("72h");
    expect(dueStep(muted, "overdue", NOW)).toBe("overdue");
  });

  test("takes the older reminders with it", () => {
    expect(withStep(watched(5, []), "new", NOW)).toEqual(["72h", "48h", "24h", "6h", "new"]);
    expect(withStep(watched(20), "24h", NOW)).toEqual(["new", "72h", "48h", "24h"]);
    expect(withStep(watched(20), "won", NOW)).toEqual(["new", "answered", "won"]);
  });
});

test.each([
  ["an answer", {}, "defended", "answered"],
  ["an end after an answer", { status: "disagreed" }, "won", "won"],
  ["no answer that it had", { status: "disagreed" }, "defended", undefined],
  ["none from an undocumented word", { status: "a word of tomorrow" }, "defended", undefined],
  ["none that the list alone was read before", { txid: "" }, "defended", undefined],
  ["none while it awaits one", { status: "disagreed" }, "needs_answer", undefined],
] as const)("a dispute turns to %s", (_, before, state, step) => {
  const kept = { txid: "tx", status: "pending", analysisStatus: "pending", dueAt: dueIn(50) };
  expect(turnedStep({ ...kept, ...before }, state, NOW)).toBe(step);
});

describe("the owner's word", () => {
  test.each([
    [7, 2 * HOUR, "needs_answer", false],
    [6, 2 * HOUR, "needs_answer", true],
    [5, 5 * MINUTE, "needs_answer", false],
    [5, 15 * MINUTE, "needs_answer", true],
    [5, 2 * HOUR, "defended", false],
    // Given before the clock was set back.
    [5, -5 * MINUTE, "needs_answer", false],
    [5, -2 * HOUR, "needs_answer", true],
    [1, -3 * 24 * HOUR, "needs_answer", true],
  ] as const)(
    "%d h before, %d ms old, of one that is %s, fails: %s",
    (hours, age, state, fails) => {
      const answeredByOwnerAt = NOW.subtract({ milliseconds: age });
      expect(acknowledgementFails({ answeredByOwnerAt, dueAt: dueIn(hours) }, state, NOW)).toBe(
        fails,
      );
    },
  );

  test.each([
    [30, 6],
    [10, 4],
    [6, undefined],
    [1, undefined],
  ])("to wait, %d h before the deadline, waits %s h", (hours, wait) => {
    expect(snoozeUntil(dueIn(hours), NOW)?.toString()).toBe(
      wait === undefined ? undefined : dueIn(wait).toString(),
    );
  });
});

describe("quiet hours", () => {
  const route = {
    quiet: { from: Temporal.PlainTime.from("22:00"), to: Temporal.PlainTime.from("07:00") },
    timeZone: "America/Sao_Paulo",
    slowNights: true,
    active: true,
  };
  const at = (local: string) =>
    Temporal.PlainDateTime.from(local).toZonedDateTime("America/Sao_Paulo").toInstant();
  const END = at("2026-11-21T07:00");

  test.each([
    ["72h", "2026-11-20T21:59", undefined],
    ["72h", "2026-11-20T22:00", END],
    ["overdue", "2026-11-21T06:59", END],
    ["72h", "2026-11-21T07:00", undefined],
    ["6h", "2026-11-20T23:00", undefined],
    ["1h", "2026-11-20T23:00", undefined],
  ] as const)("hold %s at %s until %s", (step, local, until) => {
    const now = at(local);
    const dueAt = now.add({ hours: 60 });
    expect(notBeforeOf(step, dueAt, route, now).toString()).toBe((until ?? now).toString());
  });

  test("hold no alert for longer than one may wait, on the nights of a change of clocks either", () => {
    const times = ["00:00", "01:30", "02:00", "12:00", "23:59"].map((time) =>
      Temporal.PlainTime.from(time),
    );
    const dueAt = Temporal.Instant.from("2027-01-01T00:00Z");
    for (const from of times)
      for (const to of times)
        for (let minutes = 0; minutes < 3 * 1440; minutes += 30) {
          const now = Temporal.Instant.from("2026-10-24T00:00Z").add({ minutes });
          const zone = { ...route, quiet: { from, to }, timeZone: "Europe/Lisbon" };
          const until = notBeforeOf("72h", dueAt, zone, now);
          expect(now.until(until).total("milliseconds")).toBeLessThanOrEqual(
            deliveryPolicies.dispute_alert.longestWaitMs,
          );
        }
  });

  test.each([
    ["new", 32, "2026-11-21T07:00"],
    ["new", 25, "2026-11-21T00:00"],
    ["new", 24, "2026-11-20T23:00"],
    ["new", 23, "2026-11-20T23:00"],
    ["24h", 23, "2026-11-21T07:00"],
  ] as const)("hold %s with %d hours left until %s", (step, hours, until) => {
    const now = at("2026-11-20T23:00");
    const told = notBeforeOf(step, now.add({ hours }), route, now);
    expect(told.toString()).toBe(at(until).toString());
  });

  test("hold nothing without an active channel", () => {
    const now = at("2026-11-20T23:00");
    for (const none of [undefined, { ...route, active: false }])
      expect(notBeforeOf("new", now.add({ hours: 60 }), none, now)).toBe(now);
  });

  test.each([
    ["11:59", "11:59"],
    ["12:00", "14:00"],
    ["13:59", "14:00"],
    ["14:00", "14:00"],
    ["23:00", "23:00"],
  ])("that are over on the same day hold what comes at %s until %s", (time, until) => {
    const quiet = { from: Temporal.PlainTime.from("12:00"), to: Temporal.PlainTime.from("14:00") };
    const now = at(`2026-11-20T${time}`);
    const told = notBeforeOf("72h", now.add({ hours: 60 }), { ...route, quiet }, now);
    expect(told.toString()).toBe(at(`2026-11-20T${until}`).toString());
  });

  test("slow the polls down, which otherwise come every five minutes", () => {
    const next = (now: Temporal.Instant) =>
      now.until(nextPollAt("account", route, now)).total("minutes");
    const first = nextPollAt("account", route, at("2026-11-20T12:00"));
    expect(next(first)).toBe(5);
    expect(next(nextPollAt("account", route, at("2026-11-20T23:00")))).toBe(15);
  });

  test("spread a thousand accounts over the minutes", () => {
    const minutes = Array.from({ length: 1_000 }, (_, index) =>
      Math.floor(nextPollAt(`a${index}`, undefined, NOW).epochMilliseconds / MINUTE),
    );
    const counts = [...Map.groupBy(minutes, (minute) => minute).values()].map(
      (each) => each.length,
    );
    expect(Math.max(...counts)).toBeLessThan(300);
  });
});

describe("the list", () => {
  const counts = {
    byStatus: { pending: 1, agreed: 0, disagreed: 0, canceled: 0, total: 1 },
    byAnalysis: { pending: 1, accepted: 0, rejected: 0 },
  };
  const moved = { ...counts, byAnalysis: { pending: 0, accepted: 1, rejected: 0 } };
  const [near, far] = [[{ dueAt: dueIn(71) }], [{ dueAt: dueIn(73) }]];
  const before = { counts, listReadAt: NOW.subtract({ minutes: 59 }) };

  test.each([
    ["was never read", { ...before, counts: undefined }, counts, [], true],
    ["was read, and nothing moved", before, counts, far, false],
    ["was read, and counts moved", before, moved, [], true],
    ["was read, and nobody can say whether counts moved", before, undefined, [], true],
    ["was read, and a deadline is near", before, counts, near, true],
    ["was read, and a deadline is over", before, counts, [{ dueAt: dueIn(0) }], false],
    ["was read an hour ago", { ...before, listReadAt: dueIn(-1) }, counts, far, true],
    ["was read an hour ago of nothing", { ...before, listReadAt: dueIn(-1) }, counts, [], false],
    ["was read by a clock that went back", { ...before, listReadAt: dueIn(1) }, counts, far, true],
  ] as const)("that %s", (_, poll, now, awaiting, read) => {
    expect(shouldReadList(poll, now, awaiting, NOW)).toBe(read);
  });

  test("that was read is read again for each count that moves alone", () => {
    const { byStatus, byAnalysis } = counts;
    const each = [
      ...Object.keys(byStatus).map((name) => ({
        byAnalysis,
        byStatus: { ...byStatus, [name]: 7 },
      })),
      ...Object.keys(byAnalysis).map((name) => ({
        byStatus,
        byAnalysis: { ...byAnalysis, [name]: 7 },
      })),
    ];
    expect(each.map((now) => shouldReadList(before, now, [], NOW))).toEqual(each.map(() => true));
  });
});

const POSTED_AT = Temporal.Instant.from("2026-11-20T15:00Z");
const deadlineIn = (hours: number) => POSTED_AT.add({ minutes: hours * 60 });
const unanswered = (hours: number) => ({
  status: "pending",
  analysisStatus: "pending",
  dueAt: deadlineIn(hours),
  answeredByOwnerAt: undefined,
  snoozedUntil: undefined,
});
const judged = (step: AlertStep, dispute: Parameters<typeof revalidateAlert>[1]) =>
  revalidateAlert({ step, dueAt: dispute.dueAt }, dispute, POSTED_AT);

describe("right before it is posted", () => {
  const defended = { status: "disagreed" };
  const won = { ...defended, analysisStatus: "rejected" };
  test.each([
    ["new", 50, {}, "holds"],
    ["new", 50, defended, "untrue"],
    ["new", 50, { status: "a word of tomorrow" }, "holds"],
    ["new", -1, {}, "untrue"],
    ["48h", 40, {}, "holds"],
    ["48h", 20, {}, "untrue"],
    ["48h", 60, {}, "untrue"],
    ["48h", 40, defended, "untrue"],
    ["overdue", -1, {}, "holds"],
    ["overdue", -1, won, "untrue"],
    ["answered", 40, defended, "holds"],
    ["answered", 40, { status: "agreed" }, "holds"],
    ["answered", 40, won, "untrue"],
    ["won", 40, won, "holds"],
    ["won", 40, { ...won, analysisStatus: "accepted" }, "untrue"],
    ["won", 40, { ...won, analysisStatus: "a word of tomorrow" }, "holds"],
    ["cancelled", 40, { status: "canceled" }, "holds"],
    ["cancelled", 40, { status: "canceled", analysisStatus: "accepted" }, "untrue"],
  ] as const)("%s, %d h before, of one that is %j: %s", (step, hours, changes, kind) => {
    expect(judged(step, { ...unanswered(hours), ...changes }).kind).toBe(kind);
  });

  test.each(["new", "6h"] as const)("%s does not hold after the owner's word", (step) => {
    expect(judged(step, { ...unanswered(5), answeredByOwnerAt: POSTED_AT }).kind).toBe("untrue");
  });

  test.each(["new", "24h", "overdue"] as const)("%s of another deadline is untrue", (step) => {
    const before = deadlineIn(step === "overdue" ? -2 : 21);
    const dispute = unanswered(step === "overdue" ? -1 : 20);
    expect(revalidateAlert({ step, dueAt: before }, dispute, POSTED_AT).kind).toBe("untrue");
  });

  test.each(["new", "24h"] as const)("%s waits until the end of the snooze", (step) => {
    const dispute = { ...unanswered(20), snoozedUntil: deadlineIn(6) };
    expect(judged(step, dispute)).toEqual({ kind: "waits", until: deadlineIn(6) });
  });

  test("no reminder waits past six hours before the deadline, or after its snooze", () => {
    const near = { ...unanswered(8), snoozedUntil: deadlineIn(6) };
    expect(judged("24h", near)).toEqual({ kind: "waits", until: deadlineIn(2) });
    expect(judged("6h", { ...unanswered(6), snoozedUntil: deadlineIn(6) }).kind).toBe("holds");
    expect(judged("24h", { ...unanswered(20), snoozedUntil: POSTED_AT }).kind).toBe("holds");
  });
});

const dispute = {
  watchId: "account_1",
  infractionId: "infraction-1",
  dueAt: Temporal.Instant.from("2026-11-24T15:00:00.123456Z"),
};
const moved = { ...dispute, dueAt: dispute.dueAt.add({ hours: 1 }) };

test.each([
  ["new", "med|account_1|infraction-1|new|2026-11-24T15:00:00.123Z"],
  ["24h", "med|account_1|infraction-1|24h|2026-11-24T15:00:00.123Z"],
  ["overdue", "med|account_1|infraction-1|overdue|2026-11-24T15:00:00.123Z"],
  ["won", "med|account_1|infraction-1|won"],
] as const)("the key of %s keeps its spelling, from which its nonce is made", (step, key) => {
  expect(alertKey(dispute, step)).toBe(key);
  expect(repeatKey(key)).toBe(`${key}|again`);
  expect(owedAgainKey(key, dispute.dueAt)).toBe(`${key}|2026-11-24T15:00:00.123Z`);
  expect(alertKey({ ...dispute, infractionId: "a|b" }, "won")).toBe("med|account_1|a%7Cb|won");
});

test("what names a deadline is another alert for another deadline", () => {
  const same = alertSteps.filter((step) => alertKey(dispute, step) === alertKey(moved, step));
  expect(same).toEqual(["answered", "won", "lost", "cancelled"]);
  const undated = alertSteps.filter((step) => alertSubject(dispute, step).dueAt === undefined);
  expect(undated).toEqual(same);
  expect(String(alertSubject(dispute, "24h").dueAt)).toBe("2026-11-24T15:00:00.123Z");
});
