import { commandTexts } from "#src/help/texts.ts";
import { withdrawalTexts } from "#src/withdrawals/texts.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cents,
  centsFromReais,
  formatReais,
  isFinerThanCents,
  parseAmount,
} from "#src/shared/money.ts";

const ROUND_TRIPS = 100_000;

describe("an amount of the service", () => {
  test("comes back to the same centavo, up to a hundred million reais", () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }), (amount) => {
        const json = Number(
          `${amount < 0 ? "-" : ""}${Math.floor(Math.abs(amount) / 100)}.${String(Math.abs(amount) % 100).padStart(2, "0")}`,
        );
        expect(centsFromReais(json)).toBe(amount);
      }),
      { numRuns: 5_000 },
    );
  });

  // The last but one is, of two places, among those furthest from whole centavos as a JSON number.
  test.each([249, 1250.8, 0.1 + 0.2, 0, -3.5, 68_719_500_046.57, 1e11])(
    "of %d reais is taken as it is",
    (reais) => {
      expect(centsFromReais(reais)).toBe(Math.round(reais * 100) + 0);
      expect(isFinerThanCents(reais)).toBe(false);
    },
  );

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

describe("an amount as people type it", () => {
  test.each([
    ["50", 5_000],
    ["50,00", 5_000],
    ["50,5", 5_050],
    ["0,01", 1],
    ["1234.56", 123_456],
    ["1.234,56", 123_456],
    ["1234,56", 123_456],
    ["1,234.56", 123_456],
    ["R$ 50", 5_000],
    ["R$\u00a01.234,56", 123_456],
    ["r$50", 5_000],
    ["  50 reais ", 5_000],
    ["50\u200b", 5_000],
    ["\u202a50,00\u202c", 5_000],
    ["R$ 50\u200e", 5_000],
    ["R$\u202f50", 5_000],
    ["1.234", 123_400],
    ["1.000", 100_000],
    ["12.345.678,90", 1_234_567_890],
    ["10.5", 1_050],
    ["007", 700],
    ["0", 0],
    ["100000000000", 10_000_000_000_000],
  ])("%j is %i centavos", (text, amount) => {
    expect(parseAmount(text)).toEqual({ kind: "amount", amount });
  });

  test.each(["pt-BR", "en-US"] as const)(
    "each example that people read in %s is taken, and written as amounts are",
    (locale) => {
      const { withdraw, userErrors, format } = withdrawalTexts(locale);
      const { config } = commandTexts(locale).commands;
      const hint = withdraw.form.amountHint;
      const texts = [hint, userErrors.minimum_unreadable.next, config.minimo].join(" ");
      const examples = texts.match(/\d[\d.,]*\d/g) ?? [];
      expect(examples).toHaveLength(7);
      for (const example of examples) {
        const read = parseAmount(example);
        const shown = read.kind === "amount" ? format.reais(read.amount) : undefined;
        expect(shown?.replace(/[.,]00$/, "")).toBe(`R$\u00a0${example}`);
      }
      expect(parseAmount(hint.split(" ").at(-1) ?? "")).toEqual({ kind: "all" });
    },
  );

  test.each(["tudo", "Tudo", " TUDO ", "all"])("%j is all there is", (text) => {
    expect(parseAmount(text)).toEqual({ kind: "all" });
  });

  test.each(["50,000", "1,234", "1.234,567", "0,0001"])("%j is too fine", (text) => {
    expect(parseAmount(text)).toEqual({ kind: "too_fine" });
  });

  test.each(["100.000.000.000,01", "999999999999", "99999999999999999999"])(
    "%j is more than the service can be asked for",
    (text) => {
      expect(parseAmount(text)).toEqual({ kind: "too_large" });
    },
  );

  test.each([
    "",
    "R$",
    "-50",
    "\u202e50",
    "+50",
    "50-",
    "1e3",
    "0x10",
    "1.2345",
    "12.34.56",
    "1234.567",
    "0.500",
    "01.234",
    "1.234.56",
    "1.23,45",
    "50,",
    ",50",
    "5 0",
    "50 50",
    "NaN",
    "Infinity",
    "٥٠",
    "tudo mesmo",
  ])("%j is not read at all", (text) => {
    expect(parseAmount(text)).toEqual({ kind: "unreadable" });
  });

  test("never reads anything as less than nothing, as a broken number, or throws", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...Array.from("0123456789.,R$ -")) }),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const reading = parseAmount(typed);
        if (reading.kind !== "amount") return;
        expect(reading.amount).toBeGreaterThanOrEqual(0);
        expect(Number.isSafeInteger(reading.amount)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test(`reads back each of ${ROUND_TRIPS} amounts that were written`, () => {
    const wrong: number[] = [];
    for (let index = 0; index < ROUND_TRIPS; index++) {
      // Every centavo up to R$ 500, then strides up to a hundred million reais.
      const value = index < ROUND_TRIPS / 2 ? index : (index - ROUND_TRIPS / 2) * 199_933 + 50_000;
      const reading = parseAmount(formatReais(cents(value)));
      if (reading.kind !== "amount" || reading.amount !== value) wrong.push(value);
    }
    expect(wrong).toEqual([]);
  });
});
