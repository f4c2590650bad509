import { describe, expect, test } from "vitest";
import { dailyReportPost, type DailyReportFacts, testPost } from "#src/views/daily-report.ts";
import { emptyReport, sampleReport, sampleRoute } from "../support/samples.ts";
import { brokenLimits } from "./message-limits.ts";
import { readMessage } from "./read-message.ts";

const facts = (given: Partial<DailyReportFacts> = {}): DailyReportFacts => ({
  report: sampleReport(),
  readAt: Temporal.Instant.from("2026-11-21T00:05:00Z"),
  ownerId: "1180000000000000011",
  late: false,
  dueAt: Temporal.Instant.from("2026-11-21T00:05:00Z"),
  locale: "pt-BR",
  reference: "ref a1b2c3d4",
  emptyChoice: "line",
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
      "Atrasado: Era para sair em <t:1795219500:F>, mas nessa hora o bot, o canal ou o serviço de pagamentos não estava disponível.",
    );
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
      "Isto é só um teste: nenhum número, nenhuma venda. O relatório sai aqui todo dia às 21:05 (horário de Brasília).",
      "Balcão · ref 0",
    ]);
  });

  test("promises nothing while the report is off", () => {
    const post = testPost({ route: sampleRoute({ active: false }), reference: "ref 0" });
    expect(readMessage(post)[1]).toContain("O relatório está desligado");
  });
});
