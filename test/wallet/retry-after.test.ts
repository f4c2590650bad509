import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { MINUTE, SECOND } from "#src/shared/duration.ts";
import { retryAfterMs } from "#src/wallet/retry-after.ts";

const DATE = "Fri, 14 Mar 2025 10:00:00 GMT";

const wait = (body: unknown, retryAfter?: string, date?: string) =>
  retryAfterMs({ body, retryAfter, date }, 0);

describe("the wait after a 429", () => {
  test.each([
    [30, 30 * SECOND],
    ["30", 30 * SECOND],
    [1.5, 1.5 * SECOND],
    [120, 120 * SECOND],
    [600, 600 * SECOND],
    [1_001, 1_001],
    [30_000, 30 * SECOND],
    ["45000", 45 * SECOND],
    [0, SECOND],
    [0.2, SECOND],
    [1_741_957_522_418, 15 * MINUTE],
  ])("for a retryAfter of %j in the body is %d ms", (retryAfter, ms) => {
    expect(wait({ retryAfter })).toBe(ms);
  });

  test.each([
    ["missing", {}],
    ["null", { retryAfter: null }],
    ["negative", { retryAfter: -5 }],
    ["a word", { retryAfter: "soon" }],
    ["an object", { retryAfter: { seconds: 3 } }],
    ["in no JSON object", undefined],
  ])("is the quota's own minute when the figure is %s", (_name, body) => {
    expect(wait(body)).toBe(MINUTE);
  });

  test("follows the header before the body", () => {
    expect(wait({ retryAfter: 300 }, "7")).toBe(7 * SECOND);
  });

  test("follows a date in the header by the service's own clock", () => {
    expect(wait({}, "Fri, 14 Mar 2025 10:00:40 GMT", DATE)).toBe(40 * SECOND);
  });

  test("is no shorter than a second for a date in the past", () => {
    expect(wait({}, "Fri, 14 Mar 2025 09:59:00 GMT", DATE)).toBe(SECOND);
  });

  test("passes over a header that says nothing", () => {
    expect(wait({ retryAfter: 5 }, "later")).toBe(5 * SECOND);
    expect(wait({ retryAfter: 5 }, "Fri, 14 Mar 2025 10:00:40 GMT")).toBe(5 * SECOND);
  });

  test("is at most a tenth longer than asked, never shorter, within a second and 15 minutes", () => {
    const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const figure = fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.nat());

    fc.assert(
      fc.property(figure, fraction, (retryAfter, chance) => {
        const asked = wait({ retryAfter });
        const given = retryAfterMs(
          { body: { retryAfter }, retryAfter: undefined, date: undefined },
          chance,
        );
        expect(given).toBeGreaterThanOrEqual(asked);
        expect(given).toBeLessThanOrEqual(Math.ceil(asked * 1.1));
        expect(asked).toBeGreaterThanOrEqual(SECOND);
        expect(asked).toBeLessThanOrEqual(15 * MINUTE);
      }),
    );
  });
});
