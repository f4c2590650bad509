import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAmount } from "#src/domain/money-text.ts";
import { cents, formatReais } from "#src/shared/money.ts";

const ROUND_TRIPS = 1_000_000;

describe("an amount as people type it", () => {
  it.each([
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
    ["1.234", 123_400],
    ["1.000", 100_000],
    ["12.345.678,90", 1_234_567_890],
    ["10.5", 1_050],
    ["007", 700],
    ["0", 0],
    ["999999999999", 99_999_999_999_900],
  ])("%j is %i centavos", (text, amount) => {
    expect(parseAmount(text)).toEqual({ kind: "amount", amount });
  });

  it.each(["tudo", "Tudo", " TUDO ", "all"])("%j is all there is", (text) => {
    expect(parseAmount(text)).toEqual({ kind: "all" });
  });

  it.each(["50,000", "1,234", "1.234,567", "0,0001"])("%j is too fine", (text) => {
    expect(parseAmount(text)).toEqual({ kind: "too_fine" });
  });

  it.each([
    "",
    "R$",
    "-50",
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
    "1000000000000",
    "99999999999999999999",
    "tudo mesmo",
  ])("%j is not read at all", (text) => {
    expect(parseAmount(text)).toEqual({ kind: "unreadable" });
  });

  it("never reads anything as less than nothing, as a broken number, or throws", () => {
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
      { numRuns: 5_000 },
    );
  });

  it(`reads back each of ${ROUND_TRIPS} amounts that were written`, () => {
    const wrong: number[] = [];
    for (let index = 0; index < ROUND_TRIPS; index++) {
      // Every centavo up to R$ 5,000, then strides up to a hundred million reais.
      const value = index < ROUND_TRIPS / 2 ? index : (index - ROUND_TRIPS / 2) * 19_993 + 500_000;
      const reading = parseAmount(formatReais(cents(value)));
      if (reading.kind !== "amount" || reading.amount !== value) wrong.push(value);
    }
    expect(wrong).toEqual([]);
  });
});
