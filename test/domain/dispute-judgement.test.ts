import { describe, expect, test } from "vitest";
import type { AlertStep } from "#src/domain/dispute-alert.ts";
import { judgeAlert } from "#src/domain/dispute-judgement.ts";

const NOW = Temporal.Instant.from("2026-11-20T15:00Z");
const dueIn = (hours: number) => NOW.add({ minutes: hours * 60 });
const watched = (hours: number) => ({
  status: "pending",
  analysisStatus: "pending",
  dueAt: dueIn(hours),
  answeredByOwnerAt: undefined,
  snoozedUntil: undefined,
});
const judged = (step: AlertStep, dispute: Parameters<typeof judgeAlert>[1]) =>
  judgeAlert({ step, dueAt: dispute.dueAt }, dispute, NOW);

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
    ["answered", 40, won, "untrue"],
    ["won", 40, won, "holds"],
  ] as const)("%s, %d h before, of one that is %j: %s", (step, hours, changes, kind) => {
    expect(judged(step, { ...watched(hours), ...changes }).kind).toBe(kind);
  });

  test.each(["new", "6h"] as const)("%s does not hold after the owner's word", (step) => {
    expect(judged(step, { ...watched(5), answeredByOwnerAt: NOW }).kind).toBe("untrue");
  });

  test.each(["new", "24h", "overdue"] as const)("%s of another deadline is untrue", (step) => {
    const before = dueIn(step === "overdue" ? -2 : 21);
    const dispute = watched(step === "overdue" ? -1 : 20);
    expect(judgeAlert({ step, dueAt: before }, dispute, NOW).kind).toBe("untrue");
  });

  test.each(["new", "24h"] as const)("%s waits until the end of the snooze", (step) => {
    const dispute = { ...watched(20), snoozedUntil: dueIn(6) };
    expect(judged(step, dispute)).toEqual({ kind: "waits", until: dueIn(6) });
  });

  test("no reminder waits past six hours before the deadline, or after its snooze", () => {
    const near = { ...watched(8), snoozedUntil: dueIn(6) };
    expect(judged("24h", near)).toEqual({ kind: "waits", until: dueIn(2) });
    expect(judged("6h", { ...watched(6), snoozedUntil: dueIn(6) }).kind).toBe("holds");
    expect(judged("24h", { ...watched(20), snoozedUntil: NOW }).kind).toBe("holds");
  });
});
