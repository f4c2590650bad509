import { describe, expect, test } from "vitest";
import { disputeFilters } from "#src/domain/dispute-filter.ts";
import { cents } from "#src/shared/money.ts";
import { disputeChoices } from "#src/views/disputes/dispute-choices.ts";
import { disputeListView, type DisputeListFacts } from "#src/views/disputes/dispute-list.ts";
import { disputeRateView } from "#src/views/disputes/dispute-rate.ts";
import { NOW, READ_AT } from "../../support/samples.ts";
import { DUE, DUE_WHEN, INFRACTION, listFacts, sampleRow, WHEN } from "./dispute-samples.ts";
import { brokenLimits } from "../message-limits.ts";
import { buttonsOf, menusOf, readMessage } from "../read-message.ts";

const read = (given: Partial<DisputeListFacts> = {}) =>
  readMessage(disputeListView(listFacts(given)));
const NOBODY = { rows: [], found: 0, awaiting: 0 };
const ten = Array.from({ length: 10 }, (_, n) => sampleRow({ infractionId: `infraction-${n}` }));

describe("the list of disputes", () => {
  test("begins with who waits for what, then counts, amounts and each one", () => {
    expect(read()).toEqual([
      "MEDs",
      `**1 MED espera a sua resposta.** O primeiro prazo é ${DUE_WHEN}.`,
      "Pela sua resposta: Sem resposta: **2**\nVocê se defendeu: 3\nVocê concordou: 1\nCancelados: 1\nTotal: 7",
      "Pela decisão do banco: Sem decisão: 2\nGanhos: 4\nPerdidos: 1",
      "Valores: Bloqueado agora: **R$ 318,19**\n(já fora do saldo disponível)\nPerdido até hoje: R$ 150,40",
      `R$ 249,00 · Precisa da sua resposta: \`${INFRACTION}\`\nprazo ${DUE_WHEN}`,
      READ_AT,
    ]);
  });

  test.each([
    ["overdue", "Prazo vencido: pode ser aceito automaticamente", NOW],
    ["defended", "Defendido: aguardando o banco", DUE],
    ["conceded", "Você concordou: aguardando devolução", DUE],
    ["lost", "Perdido: devolvido ao pagador", NOW],
    ["won", "Ganho: valor liberado", NOW],
    ["cancelled", "Cancelado", DUE],
  ] as const)(
    "calls one that is %s so, and a deadline past only once it is",
    (state, label, dueAt) => {
      const when = dueAt === NOW ? `o prazo era ${WHEN}` : `prazo ${DUE_WHEN}`;
      expect(read({ rows: [sampleRow({ state, dueAt })] }).join("\n")).toContain(
        `R$ 249,00 · ${label}: \`${INFRACTION}\`\n${when}`,
      );
    },
  );

  test("shows words that nobody knew as they came", () => {
    const row = sampleRow({ state: "other", status: "em_recurso" });
    expect(read({ rows: [row] }).join("\n")).toContain(
      "Sua resposta: `em_recurso` · Decisão do banco: Ainda não decidiu",
    );
  });

  test("shows of one that was not read its id, and that it was not", () => {
    const nothing = { amount: undefined, dueAt: undefined, state: undefined };
    expect(read({ rows: [sampleRow(nothing)] })).toContain(
      `Não consegui ler este agora: \`${INFRACTION}\``,
    );
  });

  test("counts those that wait on other pages and under other filters too", () => {
    const text = read({ rows: [sampleRow({ state: "won" })], filter: "won", awaiting: 3 })[1];
    expect(text).toBe("**3 MEDs esperam a sua resposta.**");
  });

  test("has pages with the way back and on, each under its filter", () => {
    const buttons = (page: number) =>
      buttonsOf(
        disputeListView(listFacts({ rows: ten, page, pages: 3, found: 25, filter: "bank" })),
      );
    const rate = { "Índice de 30 dias (leva um momento)": "meds:taxa:" };
    expect(buttons(0)).toEqual({ Próximos: "meds:pagina:bank.1", ...rate });
    expect(buttons(1)).toEqual({
      Anteriores: "meds:pagina:bank.0",
      Próximos: "meds:pagina:bank.2",
      ...rate,
    });
    expect(buttons(2)).toEqual({ Anteriores: "meds:pagina:bank.1", ...rate });
    expect(read({ rows: ten, page: 1, pages: 3, found: 25 })[1]).toContain(
      "Página 2 de 3, 25 MEDs.",
    );
  });

  test("opens each of its rows, and marks what it is narrowed to", () => {
    const [filter, choose] = menusOf(disputeListView(listFacts({ rows: ten, filter: "answer" })));
    expect(choose?.options.map(({ value }) => value)).toEqual(
      ten.map(({ infractionId }) => infractionId),
    );
    expect(choose?.options[0]?.label.replace("\u00a0", " ")).toBe(
      "R$ 249,00 · Precisa da sua resposta · prazo 15h de 22/11 · infraction-0",
    );
    expect(filter?.options.filter((each) => each.default).map(({ label }) => label)).toEqual([
      "Precisam de resposta ou venceram",
    ]);
    expect(menusOf(disputeListView(listFacts(NOBODY)))).toHaveLength(1);
  });
});

test("a suggestion is words alone, and its value is the infraction's id", () => {
  expect(disputeChoices([sampleRow()], "en-US")).toEqual([
    {
      name: `R$\u00a0249.00 · Needs your answer · due 3:00 PM on Nov 22 · ${INFRACTION}`.slice(
        0,
        100,
      ),
      value: INFRACTION,
    },
  ]);
  expect(disputeChoices([sampleRow({ state: "won" })], "en-US")[0]?.name).toBe(
    `R$\u00a0249.00 · Won: amount released · ${INFRACTION}`,
  );
  expect(disputeChoices([...ten, ...ten, ...ten], "pt-BR")).toHaveLength(25);
});

test("the rate is told with what it is made of, or why there is none", () => {
  const [from, to] = ["2026-10-21", "2026-11-19"].map((day) => Temporal.PlainDate.from(day));
  const rate = {
    known: true,
    from: from!,
    to: to!,
    disputes: 2,
    sales: 1_300,
    basisPoints: 15,
  } as const;
  expect(readMessage(disputeRateView(rate, "pt-BR"))[1]).toContain(
    "**0,15%**: 2 MEDs abertos de 21/10/2026 a 19/11/2026, contra 1.300 vendas aprovadas",
  );
  for (const why of ["list", "dates", "sales", "no_sales"] as const) {
    const view = disputeRateView({ known: false, why }, "en-US");
    expect(readMessage(view)[0]).toBe("I cannot work out the rate");
    expect(readMessage(view).join("\n")).not.toContain("%");
  }
});

test.each(["pt-BR", "en-US"] as const)("every list in %s fits", (locale) => {
  const wide = ten.map((row, n) => ({
    ...row,
    infractionId: `${"i".repeat(60)}-${n}`,
    amount: cents(9_999_999_999_999),
    status: "s".repeat(256),
    analysisStatus: "a".repeat(256),
    state: "other" as const,
  }));
  const shaky = { listProblem: "malformed", problems: ["malformed"], unlisted: 9 } as const;
  for (const filter of disputeFilters)
    for (const rows of [[], wide])
      for (const given of [{}, shaky, { summary: undefined }])
        expect(
          brokenLimits(
            disputeListView(
              listFacts({ rows, filter, locale, page: 5, pages: 900, found: 9_000, ...given }),
            ),
          ),
        ).toEqual([]);
});
