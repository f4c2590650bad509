import { describe, expect, test } from "vitest";
import { testPost, windowInWords } from "#src/reports/sales-report.view.ts";
import { reportTexts } from "#src/reports/texts.ts";
import { sampleRoute } from "../support/samples.ts";
import { readMessage } from "../ui/read-message.ts";

test.each([
  ["2026-11-20", "pt-BR", "das 21:00 de 19/11 às 21:00 de 20/11, horário de Brasília"],
  ["2026-11-20", "en-US", "from 9:00 PM on Nov 19 to 9:00 PM on Nov 20, Brasília time"],
  // A summer that had its own time.
  ["2018-12-20", "pt-BR", "das 22:00 de 19/12 às 22:00 de 20/12, horário de Brasília"],
] as const)("the window of %s in %s is by the clocks of Brasília", (day, locale, words) => {
  expect(windowInWords(Temporal.PlainDate.from(day), reportTexts(locale))).toBe(words);
});

describe("a test post", () => {
  test("cannot be taken for a report", () => {
    const lines = readMessage(testPost({ route: sampleRoute(), reference: "ref 0" }));
    expect(lines).toEqual([
      "Teste do relatório diário",
      "Isto é só um teste: nada disto foi vendido. O relatório sai aqui todo dia às 21:05 (horário de Brasília).",
      "Exemplo, com números inventados: **R$ 1.684,20** · 17 vendas · 2 vendedores\nlíquido **R$ 1.583,15** · taxas R$ 101,05",
      "Balcão · ref 0",
    ]);
  });

  test("promises nothing while the report is off", () => {
    const post = testPost({ route: sampleRoute({ active: false }), reference: "ref 0" });
    expect(readMessage(post)[1]).toContain("O relatório está desligado");
  });
});
