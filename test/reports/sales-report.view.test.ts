import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type DailyReportFacts,
  dailyReportPost,
  salesReportView,
  testPost,
} from "#src/reports/sales-report.view.ts";
import { cents } from "#src/shared/money.ts";
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

const facts = (given: Partial<DailyReportFacts> = {}): DailyReportFacts => ({
  report: sampleReport(),
  readAt: Temporal.Instant.from("2026-11-21T00:05:00Z"),
  ownerId: "1180000000000000011",
  late: false,
  dueAt: Temporal.Instant.from("2026-11-21T00:05:00Z"),
  locale: "pt-BR",
  reference: "ref a1b2c3d4",
  emptyChoice: "line",
  corrections: [],
  ...given,
});

describe("the daily report", () => {
  test("shows whose day it was, its totals, its window and its mark", () => {
    expect(readMessage(dailyReportPost(facts()))).toEqual([
      "Vendas de 20/11/2026",
      "<@1180000000000000011> · 6 vendas\nPeríodo: das 21h de 19/11 às 21h de 20/11, horário de Brasília.\nUm estorno feito depois diminui estes números.",
      "Total vendido: **R$ 777,00**",
      "Taxas: R$ 46,62",
      "Líquido: **R$ 730,38**",
      "Balcão · ref a1b2c3d4",
      "2026-11-21T00:05:00.000Z",
    ]);
  });

  test("tells neither origins nor rates, which are its owner's alone", () => {
    expect(readMessage(dailyReportPost(facts())).join("\n")).not.toMatch(
      /API|eSales|Ticket|efetiva/,
    );
  });

  test("that comes late says so, since when and why", () => {
    expect(readMessage(dailyReportPost(facts({ late: true })))).toContain(
      "Atrasado: Era para sair em <t:1795219500:d> <t:1795219500:t>, mas nessa hora o bot, o canal ou o serviço de pagamentos não estava disponível.",
    );
  });

  test("names what changed in earlier days, three at most, with old and new figures", () => {
    const correction = (day: string, oldSales: number, newSales: number) => ({
      day: Temporal.PlainDate.from(day),
      oldSales: cents(oldSales),
      newSales: cents(newSales),
      oldNet: cents(900),
      newNet: cents(800),
      noticedAt: CLOSED,
    });
    const corrections = [
      correction("2026-11-19", 151_000, 146_000),
      correction("2026-11-18", 0, 500),
      correction("2026-11-17", 700, 700),
      correction("2026-11-16", 2, 1),
      correction("2026-11-15", 2, 1),
    ];
    expect(readMessage(dailyReportPost(facts({ corrections })))).toContain(
      "Corrigido: qui 19/11 caiu de R$ 1.510,00 para R$ 1.460,00.\n" +
        "qua 18/11 subiu de R$ 0,00 para R$ 5,00.\nter 17/11 caiu de R$ 9,00 para R$ 8,00.\nE mais 2 dias.",
    );
    const line = dailyReportPost(facts({ report: emptyReport(), corrections }));
    expect(readMessage(line).join("\n")).toContain("Corrigido: qui 19/11 caiu");
  });

  test.each(["pt-BR", "en-US"] as const)("in %s is within Discord's limits", (locale) => {
    expect(brokenLimits(dailyReportPost(facts({ locale, late: true })) ?? {})).toEqual([]);
  });
});

describe("a day without sales", () => {
  const empty = (given: Partial<DailyReportFacts>) =>
    readMessage(dailyReportPost(facts({ report: emptyReport(), ...given })));

  test("is a report of zeros where the guild wants it whole", () => {
    const lines = empty({ emptyChoice: "send" });
    expect(lines[1]).toContain("<@1180000000000000011> · nenhuma venda");
    expect(lines).toContain("Total vendido: **R$ 0,00**");
  });

  test("is one line with its mark where the guild wants a line", () => {
    expect(empty({ emptyChoice: "line" })).toEqual([
      "<@1180000000000000011>: nenhuma venda aprovada em 20/11/2026 (das 21h de 19/11 às 21h de 20/11, horário de Brasília).",
      "Balcão · ref a1b2c3d4",
    ]);
  });

  test("that comes late says so in its line too", () => {
    expect(empty({ emptyChoice: "line", late: true }).join("\n")).toContain("Atrasado");
  });

  test("is no post at all where the guild wants none", () => {
    expect(dailyReportPost(facts({ report: emptyReport(), emptyChoice: "skip" }))).toBeUndefined();
    expect(dailyReportPost(facts({ emptyChoice: "skip" }))).toBeDefined();
  });
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
