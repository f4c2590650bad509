import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cents, centsFromReais, formatReais, isFinerThanCents } from "#src/shared/money.ts";

describe("an amount of the service", () => {
  test("comes back to the same centavo, up to a hundred million reais", () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }), (amount) => {
        const json = Number(
          `${amount < 0 ? "-" : ""}${Math.floor(Math.abs(amount) / 100)}.${String(Math.abs(amount) % 100).padStart(2, "0")}`,
        );
        expect(centsFromReais(json)).toBe(amount);
      }),
      { numRuns: 20_000 },
    );
  });

  test.each([249, 1250.8, 0.1 + 0.2, 0, -3.5])("of %d reais is taken", (reais) => {
    expect(centsFromReais(reais)).toBe(Math.round(reais * 100) + 0);
  });

  test.each([
    [57.144, 5_714],
    [0.001, 0],
    [10.005, 1_001],
    [-57.146, -5_715],
  ])(
    "rule 13: of %d reais, finer than a centavo, is rounded once to %d centavos",
    (reais, amount) => {
      expect(centsFromReais(reais)).toBe(amount);
      expect(isFinerThanCents(reais)).toBe(true);
    },
  );

  test("rule 13: of two places is never taken for a finer one", () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }), (amount) => {
        expect(isFinerThanCents(amount / 100)).toBe(false);
      }),
    );
  });

  test.each([NaN, Infinity, -Infinity, 1e12])("of %d is refused", (reais) => {
    expect(centsFromReais(reais)).toBeUndefined();
  });

  test("is never minus zero", () => {
    expect(Object.is(centsFromReais(-0), 0)).toBe(true);
  });
});

describe("a printed amount", () => {
  test.each([
    [0, "R$\u00a00,00"],
    [7, "R$\u00a00,07"],
    [123_456, "R$\u00a01.234,56"],
    [100_000_000, "R$\u00a01.000.000,00"],
    [-350, "-R$\u00a03,50"],
  ])("of %d centavos reads %s", (amount, text) => {
    expect(formatReais(cents(amount))).toBe(text);
  });

  test("reads back as the amount that it was", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (amount) => {
        expect(Number(formatReais(cents(amount)).replace(/[^\d-]/g, ""))).toBe(amount);
      }),
    );
  });
});

test("centavos are whole", () => {
  expect(() => cents(0.5)).toThrow(RangeError);
});
