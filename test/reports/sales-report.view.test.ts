import { expect, test } from "vitest";
import { windowInWords } from "#src/reports/sales-report.view.ts";
import { reportTexts } from "#src/reports/texts.ts";

test.each([
  ["2026-11-20", "pt-BR", "das 21:00 de 19/11 às 21:00 de 20/11, horário de Brasília"],
  ["2026-11-20", "en-US", "from 9:00 PM on Nov 19 to 9:00 PM on Nov 20, Brasília time"],
  // A summer that had its own time.
  ["2018-12-20", "pt-BR", "das 22:00 de 19/12 às 22:00 de 20/12, horário de Brasília"],
] as const)("the window of %s in %s is by the clocks of Brasília", (day, locale, words) => {
  expect(windowInWords(Temporal.PlainDate.from(day), reportTexts(locale))).toBe(words);
});
