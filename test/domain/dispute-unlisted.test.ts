import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countUnlisted, NONE_UNLISTED, nextUnlisted } from "#src/domain/dispute-unlisted.ts";

const summary = (pending: number) => ({
  byStatus: { pending, agreed: 0, disagreed: 0, canceled: 0, total: pending },
});
const known = (infractionId: string, status?: string) => ({ infractionId, status });

describe("S12: disputes that the service counts and does not list", () => {
  test.each([
    ["nothing is known", 2, [], [], 2],
    ["one of them is watched", 2, [known("a", "pending")], [], 1],
    ["the list says nothing of one but its id", 2, [], [known("a"), known("b")], 0],
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
          const { after, tell } = nextUnlisted(state, count);
          if (tell) expect(Math.min(before, count)).toBeGreaterThan(state.told);
          expect(after.count).toBe(count);
          // What two polls in a row have found is told.
          expect(after.told).toBeGreaterThanOrEqual(Math.min(before, count));
          if (count > before) rises += 1;
          if (tell) expect(rises).toBeGreaterThan(0);
          state = after;
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
