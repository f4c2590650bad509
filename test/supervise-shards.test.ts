import fc from "fast-check";
import { expect, test } from "vitest";
import { shareShards } from "#src/supervise-shards.ts";

test("shards are shared in their order, evenly, and no process is without one", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(99), { minLength: 1 }),
      fc.integer({ min: 1, max: 20 }),
      (shards, processes) => {
        const parts = shareShards(shards, processes);
        const sizes = parts.map((part) => part.length);
        expect(parts.flat()).toEqual(shards);
        expect(parts).toHaveLength(Math.min(processes, shards.length));
        expect(Math.min(...sizes)).toBeGreaterThan(0);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      },
    ),
  );
});
