import { describe, expect, test } from "vitest";
import { byUrgency, disputeFilters, isShownDispute } from "#src/disputes/dispute-list.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { awaitsAnswer, disputeState, isOpenDispute, refundLock } from "#src/disputes/dispute.ts";
import { NOW } from "../support/samples.ts";
import { sampleDispute, sampleRow } from "./dispute-samples.ts";

const stateOf = (status: string, analysisStatus: string, dueInMs = 1) =>
  disputeState({ status, analysisStatus, dueAt: NOW.add({ milliseconds: dueInMs }) }, NOW);

describe("the state of a dispute", () => {
  test.each([
    ["pending", "pending", 1, "needs_answer"],
    ["pending", "pending", 0, "overdue"],
    ["disagreed", "pending", 1, "defended"],
    ["disagreed", "pending", -1, "defended"],
    ["agreed", "pending", 1, "conceded"],
    ["pending", "accepted", -1, "lost"],
    ["agreed", "accepted", 1, "lost"],
    ["disagreed", "accepted", 1, "lost"],
    ["canceled", "accepted", 1, "lost"],
    ["novo", "accepted", 1, "lost"],
    ["pending", "rejected", -1, "won"],
    ["disagreed", "rejected", 1, "won"],
    ["canceled", "pending", 1, "cancelled"],
    ["canceled", "rejected", 1, "cancelled"],
    ["novo", "pending", 1, "other"],
    ["pending", "novo", 1, "other"],
    ["cancelled", "pending", 1, "other"],
  ] as const)("answered %s and decided %s, due in %i ms, is %s", (status, analysis, due, state) => {
    expect(stateOf(status, analysis, due)).toBe(state);
  });

  test("says whether the seller or the bank still has to speak", () => {
    const states = [
      "needs_answer",
      "overdue",
      "defended",
      "conceded",
      "other",
      "lost",
      "won",
    ] as const;
    expect(states.filter(awaitsAnswer)).toEqual(["needs_answer", "overdue"]);
    expect(states.filter(isOpenDispute)).toEqual(states.slice(0, 5));
    expect(isOpenDispute("cancelled")).toBe(false);
  });
});

describe("what the list is narrowed to", () => {
  test("hides nothing that may await an answer, and has a place for every state", () => {
    const places = (state: Parameters<typeof isShownDispute>[0]) =>
      disputeFilters.filter((filter) => filter !== "all" && isShownDispute(state, filter));
    expect([undefined, "other", "needs_answer", "overdue"].map((s) => places(s as never))).toEqual(
      Array.from({ length: 4 }, () => ["answer"]),
    );
    expect([places("defended"), places("conceded")]).toEqual([["bank"], ["bank"]]);
    expect([places("won"), places("lost"), places("cancelled")]).toEqual([
      ["won"],
      ["lost"],
      ["cancelled"],
    ]);
  });
});

describe("the order of the list", () => {
  test("is by what can still be done, then by deadline, the same whatever came first", () => {
    const due = (hours: number) => NOW.add({ hours });
    const rows = [
      sampleRow({ infractionId: "soon", dueAt: due(1) }),
      sampleRow({ infractionId: "tie-a", dueAt: due(5) }),
      sampleRow({ infractionId: "tie-b", dueAt: due(5) }),
      sampleRow({ infractionId: "late", dueAt: due(50) }),
      sampleRow({ infractionId: "just-over", state: "overdue", dueAt: due(-1) }),
      sampleRow({ infractionId: "long-over", state: "overdue", dueAt: due(-90) }),
      sampleRow({ infractionId: "strange", state: "other", dueAt: due(2) }),
      sampleRow({ infractionId: "unread", state: undefined, dueAt: undefined }),
      sampleRow({ infractionId: "bank-soon", state: "defended", dueAt: due(3) }),
      sampleRow({ infractionId: "bank-late", state: "conceded", dueAt: due(9) }),
      sampleRow({ infractionId: "ended-now", state: "won", dueAt: due(-2) }),
      sampleRow({ infractionId: "ended-then", state: "lost", dueAt: due(-200) }),
    ];
    const wanted = rows.map(({ infractionId }) => infractionId);
    for (const shuffled of [rows, rows.toReversed(), [...rows.slice(5), ...rows.slice(0, 5)]])
      expect(byUrgency(shuffled).map(({ infractionId }) => infractionId)).toEqual(wanted);
  });
});

describe("a dispute whose owner has just read it", () => {
  const HOUR_MS = 3_600_000;
  const doneAt = (leftMs: number) =>
    followedDispute("a", sampleDispute({ dueAt: NOW.add({ milliseconds: leftMs }) }), NOW)
      .doneSteps;

  test.each([
    [100 * HOUR_MS, ["new"]],
    [72 * HOUR_MS + 1, ["new"]],
    [72 * HOUR_MS, ["new", "72h"]],
    [24 * HOUR_MS, ["new", "72h", "48h", "24h"]],
    [1, ["new", "72h", "48h", "24h", "6h", "1h"]],
    [0, ["new", "72h", "48h", "24h", "6h", "1h", "overdue"]],
  ])("%i ms before its deadline owes only what is still to come", (leftMs, done) => {
    expect(doneAt(leftMs)).toEqual(done);
  });
});

const dispute = (
  status: string,
  analysisStatus: string,
  dueInHours = 24,
  infractionId = "i-1",
) => ({
  infractionId,
  status,
  analysisStatus,
  dueAt: NOW.add({ hours: dueInHours }),
});
const open = { refused: true, infractionId: "i-1", why: "open" };
const returned = { refused: true, infractionId: "i-1", why: "returned" };

test.each([
  ["pending", "pending", 24, open],
  ["pending", "pending", -24, open],
  ["disagreed", "pending", 24, open],
  ["agreed", "pending", 24, open],
  ["novo", "pending", 24, open],
  ["pending", "em_analise", 24, open],
  ["pending", "accepted", -24, returned],
  ["agreed", "accepted", 24, returned],
  ["canceled", "accepted", 24, returned],
  ["disagreed", "rejected", 24, { refused: false }],
  ["pending", "rejected", 24, { refused: false }],
  ["canceled", "pending", 24, { refused: false }],
  ["canceled", "rejected", 24, { refused: false }],
] as const)(
  "a payment whose dispute is %s and %s, due in %i h, is locked as is right",
  (...given) => {
    const [status, analysisStatus, dueInHours, lock] = given;
    expect(refundLock([dispute(status, analysisStatus, dueInHours)], NOW)).toEqual(lock);
  },
);

test("a payment that nobody contested is free", () => {
  expect(refundLock([], NOW)).toEqual({ refused: false });
});

test("one open dispute among ended ones locks, and what was returned is said first", () => {
  const won = dispute("disagreed", "rejected", -24, "won");
  const pending = dispute("pending", "pending", 24, "pending");
  const lost = dispute("agreed", "accepted", -24, "lost");
  expect(refundLock([won, pending], NOW)).toMatchObject({ infractionId: "pending", why: "open" });
  expect(refundLock([won, pending, lost], NOW)).toMatchObject({
    infractionId: "lost",
    why: "returned",
  });
});
