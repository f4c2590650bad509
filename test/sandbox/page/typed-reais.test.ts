import { expect, test } from "vitest";
import { typedReais } from "#src/sandbox/page/client/typed-reais.ts";

test.each([
  ["1.234,56", 1_234.56],
  ["1.500", 1_500],
  ["1.234.567,8", 1_234_567.8],
  ["1500,00", 1_500],
  ["49,90", 49.9],
  ["49.90", 49.9],
  [" 50 ", 50],
  ["1,234.56", NaN],
  ["1.23,45", NaN],
  ["dez", NaN],
])("%j is %d", (text, reais) => {
  expect(typedReais(text)).toBe(reais);
});
