import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Locale } from "#src/shared/locale.ts";
import { type SalesDay } from "#src/reports/sales-days.ts";
import { settledAt } from "#src/shared/report-day.ts";
import { periodDays, type PeriodReading } from "#src/reports/sales-period.ts";
import { parsePeriod } from "#src/reports/typed-period.ts";
import {
  brasiliaDayView,
  changeWords,
  daySuggestions,
  periodSuggestions,
  salesPeriodView,
} from "#src/reports/sales-period.view.ts";
import { salesChart } from "#src/reports/period-chart.view.ts";
import type { BrasiliaDay } from "#src/transactions/brasilia-day.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { buttonsOf, labelsOf, readMessage } from "../ui/read-message.ts";
import { quietLog } from "../support/databases.ts";
import { NOW, sold } from "../support/samples.ts";
import { chartFiles } from "#src/reports/picture/post-picture.ts";
import { figuresOf } from "./report-samples.ts";
import { earlierInstant } from "#src/shared/time.ts";
import { reportTexts } from "#src/reports/texts.ts";

const EVENING = Temporal.Instant.from("2026-11-21T01:10:00Z");

const readingOf = (
  typed: string,
  salesOn: (day: string) => number | undefined = () => 100,
  now = NOW,
): PeriodReading => {
  const period = parsePeriod(typed, now);
  const days = periodDays(period, now);
  const wanted = [
    ...days.shown,
    ...days.before,
    ...days.weekdays,
    ...(days.since ? [days.since] : []),
  ];
  const known = wanted.flatMap((day): readonly (readonly [string, SalesDay])[] => {
    const sales = salesOn(day.toString());
    if (sales === undefined) return [];
    const readAt = earlierInstant(settledAt(day), now);
    return [[day.toString(), { day, ...figuresOf(sales, sales === 0 ? 0 : 2), readAt }]];
  });
  const missing = days.shown.filter((day) => salesOn(day.toString()) === undefined).length;
  return { period, days, known: new Map(known), missing, readAt: now, isKept: false };
};
const textOf = (reading: PeriodReading, locale: Locale = "pt-BR") =>
  readMessage(salesPeriodView(reading, locale));
const buttonsFor = (typed: string, locale: Locale = "pt-BR", now = NOW) =>
  buttonsOf(salesPeriodView(readingOf(typed, undefined, now), locale));

const drawn = async (reading: PeriodReading, locale: Locale, data: Uint8Array) =>
  salesPeriodView(
    reading,
    locale,
    await chartFiles(async () => data, quietLog)({ chart: salesChart(reading, locale) }),
  );

describe("a period's answer", () => {
  test("begins with the amount, then what changed, and where it comes from", () => {
    const [title, text] = textOf(
      readingOf("ontem", (day) =>
        day === "2026-11-19" ? 11_200 : day === "2026-11-18" ? 10_000 : 20_000,
      ),
    );
    expect(title).toBe("Vendas de quinta, 19/11");
    expect(text?.split("\n")).toEqual([
      "**R$ 112,00** em 2 vendas · líquido **R$ 105,28**",
      "▲ 12% que no dia 18/11 · ▼ 44% que na quinta anterior",
      "Ticket médio R$ 56,00 · taxas R$ 6,72 (6,00%)",
      "API R$ 112,00 (2 vendas)",
      "-# das 21:00 de 18/11 às 21:00 de 19/11 (Brasília) · estornos posteriores descontam",
    ]);
  });

  test("of a week names its best day, and says that the open day is not compared", () => {
    const [title, text] = textOf(readingOf("7 dias", (day) => (day === "2026-11-16" ? 900 : 100)));
    expect(title).toBe("Vendas de 14/11 a 20/11");
    expect(text).toContain("▲ 133% que nos mesmos dias da semana anterior");
    expect(text).toContain("Melhor dia: seg 16/11, R$ 9,00");
    expect(text).toContain(
      "O dia 20/11 está aberto até <t:1795219200:t> (<t:1795219200:R>) e não entra na comparação.",
    );
  });

  test.each(["2026-03-31T18:00:00Z", "2026-03-31T01:10:00Z"])(
    "of a month that lasts compares as many days as the shorter month before has, at %s",
    (now) => {
      const [, text] = textOf(readingOf("mes", undefined, Temporal.Instant.from(now)));
      expect(text).toContain("= praticamente o mesmo que nos mesmos dias do mês anterior");
    },
  );

  test("of a month on the evening of its 1st names the month before, not the day before", () => {
    const first = Temporal.Instant.from("2026-12-02T01:10:00Z");
    const onDay = (day: string) => (day === "2026-11-01" ? 200 : 300);
    expect(textOf(readingOf("mes", onDay, first))[1]).toContain(
      "▲ 50% que nos mesmos dias do mês anterior",
    );
  });

  test("of a month that is over compares it with the whole month before", () => {
    const now = Temporal.Instant.from("2026-04-01T01:10:00Z");
    const [, text] = textOf(readingOf("mes", undefined, now));
    expect(text).toContain("▲ 11% que no mês anterior");
  });

  test.each([
    ["16/11 a 20/11", NOW, "semana anterior"],
    ["11/11 a 20/11", NOW, "duas semanas antes"],
    ["1/11 a 20/11", NOW, "período anterior"],
    ["16/11 a 20/11", EVENING, "período anterior"],
  ])("of %s at %s names in its picture the days behind: %s", (typed, now, behind) => {
    const picture = salesChart(readingOf(typed, undefined, now), "pt-BR");
    expect(picture?.figures.legend[1]).toBe(behind);
  });

  test("in English has English words, dates and amounts", () => {
    const [title, text] = textOf(
      readingOf("7 dias", () => 123_456),
      "en-US",
    );
    expect(title).toBe("Sales: Nov 14 to Nov 20");
    expect(text).toContain("**R$ 8,641.92** from 14 sales · net **R$ 8,123.43**");
    expect(text).toContain("= about the same as the same days of the week before");
  });

  test("after 21:00 has the closed day and the one that has begun, side by side", () => {
    const [title, text] = textOf(
      readingOf("hoje", (day) => (day === "2026-11-21" ? 500 : 10_000), EVENING),
    );
    expect(title).toBe("Vendas de sexta, 20/11");
    expect(text).toContain("**R$ 100,00** em 2 vendas");
    expect(text).toContain("Desde as 21:00: **R$ 5,00** em 2 vendas");
  });

  test("says of a base without sales that there is none, and never a hundred per cent", () => {
    const [, text] = textOf(readingOf("ontem", (day) => (day === "2026-11-19" ? 100 : 0)));
    expect(text).toContain("— (sem vendas no dia 18/11) · — (sem vendas na quinta anterior)");
    expect(text).not.toContain("▲");
  });

  test("with missing days says first that it is partial, compares nothing, and offers to go on", () => {
    const reading = readingOf("30 dias", (day) => (day < "2026-11-02" ? undefined : 100));
    const [, text] = textOf(reading);
    expect(text).toMatch(
      /^\*\*Parcial:\*\* faltam 11 dias de 30\. Cada toque em \*\*Atualizar\*\* lê mais\./,
    );
    expect(text).not.toMatch(/▲|▼|que nos/);
    expect(labelsOf(salesPeriodView(reading, "pt-BR"))).toContain("Atualizar");
  });

  test("without a day of the comparison says that it is not read yet", () => {
    const [, text] = textOf(readingOf("ontem", (day) => (day === "2026-11-18" ? undefined : 100)));
    expect(text).toContain(
      "— (vendas no dia 18/11: ainda não li) · = praticamente o mesmo que na quinta anterior",
    );
  });

  test.each(["7 dias", "mes", "hoje"])(
    "of %s compares nothing while the day that has just closed may still grow, and calls no other day unread",
    (typed) => {
      const justClosed = Temporal.Instant.from("2026-11-21T00:02:00Z");
      const [, text] = textOf(readingOf(typed, undefined, justClosed));
      expect(text).not.toMatch(/ainda não li|▲|▼|praticamente/);
      expect(text).toContain("Desde as 21:00: **R$ 1,00** em 2 vendas");
    },
  );

  test.each([
    ["2026-11-13/2026-11-15", "pt-BR", "que nos mesmos dias da semana anterior"],
    ["2026-11-08/2026-11-15", "pt-BR", "que nos mesmos dias de duas semanas antes"],
    ["2026-11-03/2026-11-15", "en-US", "about the same as the same days two weeks before"],
    ["2026-10-31/2026-11-20", "pt-BR", "que nos mesmos dias do período anterior"],
    ["2026-10-24/2026-11-20", "pt-BR", "que nos mesmos dias do período anterior"],
    ["2026-11-05/2026-11-05", "pt-BR", "que na quinta anterior"],
    ["2026-11-07/2026-11-07", "pt-BR", "que no sábado anterior"],
    ["2026-11-05/2026-11-05", "en-US", "about the same as the Thursday before"],
  ] as const)("of %s says in %s how far back the compared days are", (typed, locale, said) => {
    expect(textOf(readingOf(typed), locale)[1]).toContain(said);
  });

  test("says when the newest of its figures was read, and of the oldest where that is a day before", () => {
    expect(textOf(readingOf("ontem")).at(-1)).toBe("2026-11-20T00:05:00.000Z");
    expect(textOf(readingOf("hoje")).at(-1)).toBe("2026-11-20T18:00:00.000Z");
    const month = readingOf("mes");
    expect(textOf(month).at(-1)).toBe("2026-11-20T18:00:00.000Z");
    expect(textOf(month)[1]).toMatch(
      / · estornos posteriores descontam · leitura mais antiga: 01\/11 21:05$/,
    );
    expect(textOf(month, "en-US")[1]).toMatch(/ · oldest reading: Nov 1, 9:05 PM$/);
    expect(textOf(readingOf("2 dias"))[1]).not.toContain("há mais tempo");
  });

  test("offers to read closed days again where one request reads them all", () => {
    const labels = (typed: string) => Object.keys(buttonsFor(typed));
    expect(labels("ontem")).toContain("Atualizar");
    expect(labels("2026-11-01/2026-11-10")).toContain("Atualizar");
    expect(labels("2026-11-01/2026-11-11")).not.toContain("Atualizar");
  });

  test("without sales is short, and has no picture", () => {
    const reading = readingOf("3 dias", () => 0);
    expect(textOf(reading)[1]).toMatch(/^Nenhuma venda aprovada\.\n/);
    expect(salesChart(reading, "pt-BR")).toBeUndefined();
  });

  test("has buttons for its neighbours, a week and the month, that carry their days", () => {
    expect(buttonsFor("ontem")).toEqual({
      "◀ qua 18/11": "vendas:periodo:2026-11-18/2026-11-18",
      "sex 20/11 ▶": "vendas:periodo:2026-11-20/2026-11-20",
      "7 dias": "vendas:periodo:7 dias",
      Mês: "vendas:periodo:mes",
      Atualizar: "vendas:periodo:2026-11-19/2026-11-19",
      Arquivo: "vendas:arquivo:2026-11-19/2026-11-19",
      "Dia de Brasília": "vendas:brasilia:19/11/2026",
    });
    const month = buttonsFor("mes", "en-US");
    expect(month["◀ October 2026"]).toBe("vendas:periodo:2026-10");
    expect(month["Refresh"]).toBe("vendas:periodo:2026-11");
    expect(Object.keys(month)).not.toContain("Brasília's day");
  });

  test("carries its picture as a file that the embed shows, with its figures in words", async () => {
    const data = new Uint8Array([1]);
    const reading = readingOf("3 dias");
    const shown = await drawn(reading, "pt-BR", data);
    expect(shown.embeds?.[0]?.image?.url).toBe("attachment://vendas.png");
    expect(shown.files).toEqual([
      {
        name: "vendas.png",
        contentType: "image/png",
        description:
          "Vendas por dia, 18/11 a 20/11. 18/11: R$\u00a01,00; 19/11: R$\u00a01,00; 20/11: R$\u00a01,00",
        data,
      },
    ]);
  });

  test("says in the words of its picture which day is missing in it", () => {
    const told = (locale: "en-US" | "pt-BR") =>
      salesChart(
        readingOf("3 dias", (day) => (day === "2026-11-19" ? undefined : 100)),
        locale,
      )?.inWords;
    expect(told("pt-BR")).toContain("; 19/11: não lido; ");
    expect(told("en-US")).toContain("; Nov 19: not read; ");
  });

  test("of any figures is within Discord's limits, and at most about 90 words", async () => {
    const amount = fc.option(fc.integer({ min: 0, max: 1e13 }), { nil: undefined });
    const typed = fc.constantFrom(
      "hoje",
      "ontem",
      "3 dias",
      "7 dias",
      "30 dias",
      "mes",
      "mês passado",
    );
    const at = fc.constantFrom(NOW, EVENING);
    await fc.assert(
      fc.asyncProperty(
        fc.array(amount, { minLength: 31, maxLength: 31 }),
        typed,
        at,
        fc.constantFrom("pt-BR" as const, "en-US" as const),
        async (amounts, words, now, locale) => {
          const reading = readingOf(words, (day) => amounts[Number(day.slice(8)) - 1], now);
          const shown = await drawn(reading, locale, new Uint8Array([1]));
          expect(brokenLimits(shown)).toEqual([]);
          for (const { description = "" } of shown.files ?? [])
            expect(description.length).toBeLessThanOrEqual(1_024);
          const text = readMessage(shown).join("\n");
          expect(text).not.toMatch(/NaN|undefined|Infinity|null/);
          expect(text.split(/\s+/).length).toBeLessThanOrEqual(95);
          const ids = Object.values(buttonsOf(shown));
          expect(new Set(ids).size).toBe(labelsOf(shown).length);
          expect(JSON.stringify(salesChart(reading, locale) ?? {})).not.toMatch(/NaN|Infinity/);
        },
      ),
    );
  });
});

describe("a day of Brasília", () => {
  const shown = (given: Partial<BrasiliaDay> = {}): BrasiliaDay => ({
    day: Temporal.PlainDate.from("2026-11-19"),
    sum: sold(2, 11_200, 672),
    covers: "all",
    readAt: NOW,
    ...given,
  });

  test("says which day it is, and leads back to the report's", () => {
    const view = brasiliaDayView(shown(), "pt-BR");
    const [title, text] = readMessage(view);
    expect(title).toBe("Vendas de quinta, 19/11, dia de Brasília");
    expect(text?.split("\n")).toEqual([
      "**R$ 112,00** em 2 vendas · líquido **R$ 105,28**",
      "Ticket médio R$ 56,00 · taxas R$ 6,72 (6,00%)",
      "-# das 00:00 às 24:00 (Brasília), pela lista de transações; o relatório fecha às 21:00 · vendas estornadas não contam",
    ]);
    expect(buttonsOf(view)).toEqual({ "Dia do relatório": "vendas:periodo:2026-11-19/2026-11-19" });
  });

  test("that is not over goes until now, also after 21:00, and can be read again", () => {
    const day = Temporal.PlainDate.from("2026-11-20");
    const view = brasiliaDayView(shown({ day, readAt: EVENING, sum: sold(0, 0, 0) }), "en-US");
    expect(readMessage(view)[1]?.split("\n")).toEqual([
      "No approved sales.",
      "-# from midnight to now in Brasília, by the list of transactions; the report closes at 9:00 PM · refunded sales are not counted",
    ]);
    expect(buttonsOf(view)["Refresh"]).toBe("vendas:brasilia:20/11/2026");
    const own = brasiliaDayView(shown({ day, readAt: EVENING }), "pt-BR");
    expect(readMessage(own)[1]).toContain("-# das 00:00 até agora (Brasília), pela lista");
    expect(readMessage(brasiliaDayView(shown(), "en-US"))[1]).toContain(
      "-# from midnight to midnight in Brasília",
    );
  });

  test("without the sales of eSales says so first", () => {
    const [, text] = readMessage(brasiliaDayView(shown({ covers: "api" }), "pt-BR"));
    expect(text).toMatch(/^\*\*Só as vendas pela API:\*\* a lista de transações não traz/);
  });

  test("that has not begun is not offered: the report's open day after 21:00 is tomorrow there", () => {
    const offered = (typed: string) => Object.keys(buttonsFor(typed, "pt-BR", EVENING));
    expect(offered("hoje")).toContain("Dia de Brasília");
    expect(offered("21/11")).not.toContain("Dia de Brasília");
    expect(offered("2 dias")).not.toContain("Dia de Brasília");
  });
});

describe("the suggestions of periods", () => {
  const namesFor = (typed: string, locale: Locale = "pt-BR") =>
    periodSuggestions(typed, NOW, locale).map(({ name }) => name);

  test("are words with their dates, and each is understood when chosen", () => {
    expect(namesFor("").slice(0, 6)).toEqual([
      "hoje · sex 20/11",
      "ontem · qui 19/11",
      "7 dias · 14/11 a 20/11",
      "30 dias · 22/10 a 20/11",
      "este mês · 01/11 a 20/11",
      "mês passado · 01/10 a 31/10",
    ]);
    for (const locale of ["pt-BR", "en-US"] as const)
      for (const { name, value } of periodSuggestions("", NOW, locale)) {
        const period = parsePeriod(value, NOW);
        const day =
          locale === "pt-BR" ? `${String(period.to.day).padStart(2, "0")}/` : ` ${period.to.day}`;
        expect(name).toContain(day);
      }
  });

  test.each([
    ["mes", ["este mês · 01/11 a 20/11", "mês passado · 01/10 a 31/10"]],
    ["quinta", ["qui 19/11"]],
    ["17/11 a 19/11", ["17/11 a 19/11"]],
    ["30/12/2025 a 02/01/2026", ["30/12/2025 a 02/01/2026"]],
    ["2025-10", ["01/10/2025 a 31/10/2025"]],
    ["2026-10", ["01/10 a 31/10"]],
    ["<@everyone>", []],
  ])("for %s are what fits", (typed, names) => {
    expect(namesFor(typed)).toEqual(names);
  });
});

describe("the suggestions of days", () => {
  const suggested = (typed: string, now = NOW) => daySuggestions(typed, now, "pt-BR");

  test("are today, yesterday and the week before, each understood when chosen", () => {
    expect(suggested("").map(({ name }) => name)).toEqual([
      "hoje · sex 20/11",
      "ontem · qui 19/11",
      "quarta · qua 18/11",
      "terça · ter 17/11",
      "segunda · seg 16/11",
      "domingo · dom 15/11",
      "sábado · sáb 14/11",
      "sexta · sex 13/11",
    ]);
    for (const locale of ["pt-BR", "en-US"] as const)
      for (const { name, value } of daySuggestions("", NOW, locale)) {
        const { from, to } = parsePeriod(value, NOW);
        expect([from.equals(to), name]).toEqual([true, expect.stringContaining(String(from.day))]);
      }
  });

  test.each([
    ["19/11", [{ name: "qui 19/11", value: "19/11/2026" }]],
    ["2026-10-05", [{ name: "seg 05/10", value: "05/10/2026" }]],
    ["28/12", [{ name: "dom 28/12/2025", value: "28/12/2025" }]],
    ["28/11", []],
    ["quinta", [{ name: "qui 19/11", value: "19/11/2026" }]],
    ["ont", [{ name: "ontem · qui 19/11", value: "ontem" }]],
    ["7 dias", []],
    ["este mês", []],
    ["2026-10", []],
    ["21/11/2026", []],
  ])("for %s are the days that fit", (typed, days) => {
    expect(suggested(typed)).toEqual(days);
  });

  test("have no month on its first day, which is a day long then", () => {
    const first = Temporal.Instant.from("2026-11-01T15:00:00Z");
    expect(suggested("", first).map(({ name }) => name)[2]).toBe("sexta · sex 30/10");
    expect(suggested("mês", first)).toEqual([]);
  });
});

test.each([
  ["pt-BR", "▼\u00a0mais de 99% que ontem"],
  ["en-US", "▼\u00a0more than 99% vs. ontem"],
] as const)("a fall of almost everything is no hundred per cent in %s", (locale, said) => {
  const change = { kind: "change", percent: -99.5 } as const;
  expect(changeWords(change, "ontem", reportTexts(locale))).toBe(said);
});
