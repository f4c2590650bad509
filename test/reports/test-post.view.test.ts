import { describe, expect, test } from "vitest";
import { testPost } from "#src/reports/test-post.view.ts";
import { sampleRoute } from "../support/samples.ts";
import { labelsOf, readMessage } from "../ui/read-message.ts";

const NOW = Temporal.Instant.from("2026-11-21T00:30:00Z");
const facts = { now: NOW, reference: "ref 0" };

describe("a test post", () => {
  test("is a whole report of invented sellers, marked in the preview and in the embed", () => {
    const post = testPost({ ...facts, route: sampleRoute() });
    expect(post.content?.replaceAll("\u00a0", " ")).toBe(
      "Exemplo, com números inventados: A loja vendeu R$ 1.684,20 hoje · ▲ 7% que ontem",
    );
    const [title, description, ...rest] = readMessage(post);
    expect(title).toBe("Exemplo: Fechamento de sexta, 20/11");
    expect(description).toMatch(
      /^\*\*Exemplo, com números inventados\.\*\* Isto é só um teste: nada disto foi vendido\. A hora do relatório aqui é 21:05 \(/,
    );
    expect(description).toMatch(/\*\*R\$ 1\.684,20\*\* · ▲ 7% que ontem[^]*API R\$ .* eSales R\$ /);
    expect(rest.join("\n")).toMatch(
      /1\. Vendedor A \*\*R\$ 812,50\*\* · 8 vendas · ▲ 12%\n2\. Vendedor B .*\n3\. Vendedor C /,
    );
    expect(post.chart?.figures.bars).toHaveLength(7);
    expect(labelsOf(post)).toEqual([]);
  });

  test("in English names no seller in Portuguese", () => {
    const post = testPost({ ...facts, route: sampleRoute({ locale: "en-US" }) });
    expect(post.content).toMatch(/^Sample, with made-up figures: /);
    expect(readMessage(post).join("\n")).toMatch(/1\. Seller A /);
  });

  test("for one seller alone has no ranking, and the end of the key", () => {
    const post = testPost({ ...facts, route: sampleRoute(), directKey: "k3y9" });
    expect(post.content).toMatch(/^Exemplo, com números inventados: Você vendeu/);
    const text = readMessage(post).join("\n");
    expect(text).toContain("k3y9");
    expect(text).not.toContain("Vendedor");
  });

  test("tells the hour at which reports come where the chosen one is before the day has settled", () => {
    const route = { time: Temporal.PlainTime.from("21:00") };
    const english = testPost({ ...facts, route: sampleRoute({ ...route, locale: "en-US" }) });
    expect(readMessage(testPost({ ...facts, route: sampleRoute(route) }))[1]).toContain(
      "A hora do relatório aqui é 21:05 (horário de Brasília).",
    );
    expect(readMessage(english)[1]).toContain("The hour of the report here is 9:05 PM (");
  });

  test("promises nothing while the report is off", () => {
    const post = testPost({ ...facts, route: sampleRoute({ active: false }) });
    expect(readMessage(post)[1]).toContain("O relatório está desligado");
  });
});
