import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { WalletErrorKind } from "#src/shared/errors.ts";
import { retryDelay, SHORTEST_TRY_MS } from "#src/wallet/retry-plan.ts";

const KINDS: Readonly<Record<WalletErrorKind, boolean>> = {
  unauthorized: false,
  forbidden: false,
  not_found: false,
  conflict: false,
  rate_limited: true,
  invalid_request: false,
  refused: false,
  unavailable: true,
  timeout: true,
  unreachable: true,
  malformed: false,
};

const failed = { tries: 1, leftMs: 10_000, baseMs: 200, fraction: 0.5 };

describe("a failed read", () => {
  test.each(Object.entries(KINDS))("of kind %s is tried again: %s", (kind, again) => {
    expect(retryDelay({ ...failed, kind: kind as WalletErrorKind }) !== undefined).toBe(again);
  });

  test("is tried three times in all", () => {
    const again = [1, 2, 3].map((tries) => retryDelay({ ...failed, kind: "timeout", tries }));

    expect(again).toEqual([100, 200, undefined]);
  });

  test("waits for its account only, after a 429", () => {
    expect(retryDelay({ ...failed, kind: "rate_limited" })).toBe(0);
  });

  test("is never tried again when its deadline is near or past", () => {
    const kind = fc.constantFrom(...(Object.keys(KINDS) as WalletErrorKind[]));
    const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

    fc.assert(
      fc.property(kind, fc.integer({ min: -50, max: 500 }), fraction, (of, leftMs, chance) => {
        const delay = retryDelay({ ...failed, kind: of, leftMs, fraction: chance }) ?? -Infinity;
        expect(delay).toBeLessThanOrEqual(leftMs - SHORTEST_TRY_MS);
      }),
      { examples: [["unavailable", SHORTEST_TRY_MS, Number.MIN_VALUE]] },
    );
  });
});
