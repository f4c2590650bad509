import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countUnlisted,
  disputeRate,
  isClosed,
  merged,
  nextUnlisted,
  NONE_UNLISTED,
  rateDays,
} from "#src/disputes/dispute-list.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { NOW } from "../support/samples.ts";
import { sampleDispute } from "./dispute-samples.ts";

const summary = (pending: number) => ({
  byStatus: { pending, agreed: 0, disagreed: 0, canceled: 0, total: pending },
});
const known = (infractionId: string, status?: string) => ({ infractionId, status });

describe("S12: disputes that the service counts and does not list", () => {
  test.each([
    ["nothing is known", 2, [], [], 2],
    ["one of them is watched", 2, [known("a", "pending")], [], 1],
    ["the list says nothing of one but its id", 2, [], [known("a"), known("b")], 0],
    ["one is listed in another case than it was read", 2, [known("a", "pending")], [known("A")], 1],
    ["one is watched and listed", 2, [known("a", "pending")], [known("a", "pending")], 1],
    ["a reading found it answered", 1, [known("a", "agreed")], [known("a", "pending")], 1],
    ["more are known than counted", 0, [known("a", "pending")], [], 0],
  ] as const)("are those left over when %s", (_, pending, read, listed, count) => {
    expect(countUnlisted(summary(pending), read, listed)).toBe(count);
  });

  test("are told once for each rise, never of a single poll, and never more often than they rise", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 40 }), (counts) => {
        let state = NONE_UNLISTED;
        let rises = 0;
        for (const [index, count] of counts.entries()) {
          const before = counts[index - 1] ?? 0;
          const { after, notify } = nextUnlisted(state, count);
          if (notify) expect(Math.min(before, count)).toBeGreaterThan(state.notified);
          expect(after.count).toBe(count);
          // What two polls in a row have found is told.
          expect(after.notified).toBeGreaterThanOrEqual(Math.min(before, count));
          if (count > before) rises += 1;
          if (notify) expect(rises).toBeGreaterThan(0);
          state = after;
        }
      }),
      { numRuns: 500 },
    );
  });

  test("are not told again after a single poll that counted fewer", () => {
    let state = NONE_UNLISTED;
    const told = [2, 2, 1, 2, 2, 1, 1, 2, 2].map((count) => {
      const { after, notify } = nextUnlisted(state, count);
      state = after;
      return notify;
    });
    expect(told.flatMap((notify, index) => (notify ? [index] : []))).toEqual([1, 8]);
  });
});

test("what a list row does not say is taken from the last reading", () => {
  const kept = { ...followedDispute("a", sampleDispute(), NOW), version: 0 };
  const { infractionId, txid, amount, frozen, status, analysisStatus, dueAt } = kept;
  const row = {
    infractionId,
    contestedAt: NOW,
    txid,
    amount,
    frozen,
    status,
    analysisStatus,
    dueAt,
  };
  const empty = Object.fromEntries(Object.keys(row).map((name) => [name, undefined]));
  expect(merged({ ...row, ...empty, infractionId, contestedAt: NOW }, kept)).toEqual(row);
  expect(merged({ ...row, status: "agreed" }, kept)).toEqual({ ...row, status: "agreed" });
});

test.each([
  ["disagreed", "rejected", true],
  ["canceled", "pending", true],
  ["canceled", "accepted", false],
  ["canceled", undefined, false],
  ["pending", "pending", false],
  [undefined, undefined, false],
])("a list row that is %s and %s ended without a return: %s", (status, analysisStatus, closed) => {
  expect(isClosed({ status, analysisStatus })).toBe(closed);
});

const days = rateDays(NOW);
const at = (instant: string, status = "pending", analysisStatus = "pending") => ({
  contestedAt: Temporal.Instant.from(instant),
  status,
  analysisStatus,
});
const facts = { days, sales: days.map(() => 10), disputes: [] };

describe("the days of the rate", () => {
  test("are the last thirty that are over, by the service's own calendar", () => {
    expect(days).toHaveLength(30);
    expect([days[0], days.at(-1)].map(String)).toEqual(["2026-10-21", "2026-11-19"]);
    const atClose = Temporal.Instant.from("2026-11-20T00:00:00Z");
    expect(String(rateDays(atClose).at(-1))).toBe("2026-11-19");
  });
});

describe("the rate", () => {
  test("sets disputes opened in the days against their approved sales", () => {
    const disputes = [
      at("2026-10-20T23:59:59Z"),
      at("2026-10-21T00:00:00Z"),
      at("2026-11-19T23:59:59Z", "disagreed"),
      at("2026-11-20T00:00:00Z"),
      at("2026-11-10T00:00:00Z", "canceled"),
      at("2026-11-10T00:00:00Z", "canceled", "accepted"),
      { contestedAt: undefined, status: "canceled", analysisStatus: undefined },
    ];
    expect(disputeRate(days, facts.sales, disputes)).toEqual({
      known: true,
      from: days[0],
      to: days.at(-1),
      disputes: 3,
      sales: 300,
      basisPoints: 100,
    });
  });

  test("of an account without disputes is zero", () => {
    expect(disputeRate(days, facts.sales, [])).toMatchObject({
      known: true,
      disputes: 0,
      basisPoints: 0,
    });
  });

  test.each([
    [
      "a dispute has no date",
      { ...facts, disputes: [{ ...at("2026-11-10T00:00:00Z"), contestedAt: undefined }] },
      "dates",
    ],
    ["a report is missing", { ...facts, sales: [undefined, ...facts.sales.slice(1)] }, "sales"],
    ["a report was not asked for", { ...facts, sales: facts.sales.slice(1) }, "sales"],
    ["nothing was sold", { ...facts, sales: days.map(() => 0) }, "no_sales"],
  ])("is left out when %s", (_why, given, why) => {
    expect(disputeRate(given.days, given.sales, given.disputes)).toEqual({ known: false, why });
  });
});
