import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { salesReportView, testPost } from "#src/reports/sales-report.view.ts";
import { emptyReport, READ_AT, sampleReport, sampleRoute, sold } from "../support/samples.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { readMessage } from "../ui/read-message.ts";

const OPEN = Temporal.Instant.from("2026-11-20T18:00:00Z");
const CLOSED = Temporal.Instant.from("2026-11-21T00:05:00Z");
const READ_CLOSED = "2026-11-21T00:05:00.000Z";

describe("the sales of a day", () => {
  test("that is closed show totals, rates, origins, the window and when they were read", () => {
    const reply = salesReportView({ report: sampleReport(), readAt: CLOSED, locale: "pt-BR" });
    expect(readMessage(reply)).toEqual([
      "Vendas de 20/11/2026",
      "Período: das 21h de 19/11 às 21h de 20/11, horário de Brasília.\nUm estorno feito depois diminui estes números.",
      "Total vendido: **R$ 777,00**",
      "Taxas: R$ 46,62",
      "Líquido: **R$ 730,38**",
      "Vendas: 6",
      "Ticket médio: R$ 129,50",
      "Taxa efetiva: 6,00%",
      "Pela API: 4 vendas: R$ 598,00\ntaxas R$ 35,88\nlíquido R$ 562,12",
      "Pelo eSales: 2 vendas: R$ 179,00\ntaxas R$ 10,74\nlíquido R$ 168,26",
      READ_CLOSED,
    ]);
  });

  test("that is open say so, and when it closes", () => {
    const reply = salesReportView({ report: sampleReport(), readAt: OPEN, locale: "pt-BR" });
    expect(readMessage(reply)[1]).toBe(
      "Período: das 21h de 19/11 às 21h de 20/11, horário de Brasília.\n" +
        "**Dia ainda aberto:** fecha às <t:1795219200:t> (<t:1795219200:R>), e os números podem mudar até lá.",
    );
    expect(readMessage(reply).at(-1)).toBe(READ_AT);
  });

  test("are the same figures in English, with English dates", () => {
    const reply = salesReportView({ report: sampleReport(), readAt: CLOSED, locale: "en-US" });
    const [title, window, total] = readMessage(reply);
    expect([title, window, total]).toEqual([
      "Sales of Nov 20, 2026",
      "Period: from 9:00 PM on Nov 19 to 9:00 PM on Nov 20, Brasília time.\nA later refund lowers these figures.",
      "Total sold: **R$ 777.00**",
    ]);
  });

  test("with one origin alone say that the other sold nothing", () => {
    const report = sampleReport(sold(1_234, 100, 6), sold(0, 0, 0));
    const lines = readMessage(salesReportView({ report, readAt: CLOSED, locale: "pt-BR" }));
    expect(lines).toContain("Vendas: 1.234");
    expect(lines).toContain("Pelo eSales: nenhuma venda");
  });

  test("follow the clocks of Brasília in a summer that had its own time", () => {
    const report = sampleReport(sold(1, 100, 6), sold(0, 0, 0), "2018-12-20");
    const lines = readMessage(salesReportView({ report, readAt: CLOSED, locale: "pt-BR" }));
    expect(lines[1]).toContain("das 22h de 19/12 às 22h de 20/12");
  });
});

describe("a day with nothing", () => {
  test.each([
    [
      CLOSED,
      READ_CLOSED,
      "Nenhuma venda aprovada das 21h de 19/11 às 21h de 20/11, horário de Brasília.",
    ],
    [
      OPEN,
      READ_AT,
      "Dia ainda aberto: nenhuma venda aprovada até agora, no período das 21h de 19/11 às 21h de 20/11, horário de Brasília.",
    ],
  ])("is said in one line, at %s", (readAt, shown, line) => {
    const reply = salesReportView({ report: emptyReport(), readAt, locale: "pt-BR" });
    expect(readMessage(reply)).toEqual(["Vendas de 20/11/2026", line, shown]);
  });
});

test("any figures at all are shown within Discord's limits", () => {
  const amount = fc.integer({ min: 0, max: 1e13 });
  const origin = fc
    .tuple(fc.nat(), amount, amount)
    .map(([count, sales, fees]) => sold(count, sales, fees));
  fc.assert(
    fc.property(origin, origin, fc.constantFrom("pt-BR", "en-US"), (api, esales, locale) => {
      const reply = salesReportView({ report: sampleReport(api, esales), readAt: CLOSED, locale });
      expect(brokenLimits(reply)).toEqual([]);
      expect(JSON.stringify(reply)).not.toMatch(/NaN|undefined|Infinity|null/);
    }),
  );
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
