import { describe, expect, test } from "vitest";
import { goalProgress } from "#src/goals/goal.ts";
import {
  goalBar,
  goalInPeriod,
  goalInReport,
  goalLine,
  goalRemovedView,
  goalView,
} from "#src/goals/goal.view.ts";
import type { Locale } from "#src/shared/locale.ts";
import { cents } from "#src/shared/money.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { english } from "../e2e/support/english.ts";
import { labelsOf, readMessage } from "../ui/read-message.ts";

const readings = (sales: number, now: string, gaps: readonly number[] = []) => {
  const readAt = Temporal.Instant.from(now);
  const first = Temporal.PlainDate.from("2026-11-01");
  const days = Array.from({ length: 30 }, (_, place) => first.add({ days: place }))
    .filter(({ day }) => !gaps.includes(day))
    .map((day) => ({ day, sales: cents(sales), readAt }));
  return { readAt, oldestAt: readAt, progress: goalProgress(cents(4_000_000), days, readAt) };
};
const line = (...given: Parameters<typeof readings>): string =>
  goalLine(readings(...given).progress, "pt-BR").replaceAll("\u00a0", " ");
const BY_DAY = "2026-11-25T12:00:00Z";

describe("a goal in one line", () => {
  test.each([
    [120_010, BY_DAY, [], "**R$ 30.002,50** de R$ 40.000 (75%) · faltam R$ 9.997,50 em 6 dias"],
    [
      100_000,
      "2026-11-30T12:00:00Z",
      [],
      "**R$ 30.000** de R$ 40.000 (75%) · faltam R$ 10.000; fechamento do último dia, 30/11: <t:1796083200:R>",
    ],
    [
      100_000,
      "2026-12-01T01:00:00Z",
      [],
      "**R$ 30.000** de R$ 40.000 (75%) · o mês fechou a R$ 10.000 da meta",
    ],
    [200_000, BY_DAY, [], "Meta batida: **R$ 50.000** de R$ 40.000 (125%)"],
    [2_000_000, BY_DAY, [], "Meta batida: **R$ 500.000** de R$ 40.000 (1.250%)"],
    [
      100_000,
      BY_DAY,
      [3],
      "**R$ 24.000** de R$ 40.000 (60%) · faltam R$ 16.000 em 6 dias · ainda sem o dia 03/11",
    ],
    [
      100_000,
      BY_DAY,
      [3, 4],
      "**R$ 23.000** de R$ 40.000 (57%) · faltam R$ 17.000 em 6 dias · ainda sem os dias 03/11 e 04/11",
    ],
    [
      100_000,
      BY_DAY,
      [3, 4, 5, 6],
      "**R$ 21.000** de R$ 40.000 (52%) · faltam R$ 19.000 em 6 dias · ainda sem 03/11, 04/11, 05/11 e mais 1 dia",
    ],
  ])("of %d a day at %s without %j reads %s", (sales, now, gaps, words) => {
    expect(line(sales, now, gaps)).toBe(words);
  });
});

test.each([
  [120_010, "pt-BR", /^Meta: \*\*R\$/],
  [200_000, "pt-BR", /^Meta batida: \*\*R\$/],
  [120_010, "en-US", /^Goal: \*\*R\$/],
  [200_000, "en-US", /^Goal reached: \*\*R\$/],
] as const)(
  "of %d a day, a goal in an answer about the month is named once, in %s",
  (sales, locale, words) => {
    expect(goalInPeriod(readings(sales, BY_DAY).progress, locale)).toMatch(words);
  },
);

test.each([
  [120_010, "pt-BR", /^Meta \(com o que entrou desde as 21:00\): \*\*R\$/],
  [200_000, "pt-BR", /^Meta batida: .* · com o que entrou desde as 21:00$/],
  [120_010, "en-US", /^Goal \(with what came in since 9:00 PM\): \*\*R\$/],
  [200_000, "en-US", /^Goal reached: .* · with what came in since 9:00 PM$/],
] as const)(
  "of %d a day, a goal that counts a day beside the month's sales says so, in %s",
  (sales, locale, words) => {
    expect(goalInPeriod(readings(sales, BY_DAY).progress, locale, true)).toMatch(words);
  },
);

describe("in the report of the evening at 21:05", () => {
  const said = (evening: number, locale: Locale): string => {
    const now = Temporal.Instant.from(`2026-11-${evening}T00:05:00Z`).add({ hours: 24 });
    const upTo = Temporal.PlainDate.from(`2026-11-${evening}`);
    const days = Array.from({ length: evening }, (_, place) => upTo.with({ day: place + 1 }));
    const known = days.map((day) => ({ day, sales: cents(100_000), readAt: now }));
    const progress = goalProgress(cents(4_000_000), known, now, upTo);
    return goalInReport(progress, locale).replaceAll("\u00a0", " ");
  };

  test.each([
    [29, "pt-BR", "faltam R$ 11.000; fechamento do último dia, 30/11: <t:1796083200:R>"],
    [29, "en-US", "R$ 11,000 to go; close of the last day, Nov 30: <t:1796083200:R>"],
    [30, "pt-BR", "o mês fechou a R$ 10.000 da meta"],
    [30, "en-US", "the month closed R$ 10,000 short"],
  ] as const)("of the %dth in %s the rest is: %s", (evening, locale, words) => {
    const [bar, line] = said(evening, locale).split("\n");
    expect(bar).toBe("▰▰▰▰▰▰▰▱▱▱");
    expect(line).toContain(words);
  });
});

test.each([
  [0, "▱▱▱▱▱▱▱▱▱▱"],
  [9, "▱▱▱▱▱▱▱▱▱▱"],
  [78, "▰▰▰▰▰▰▰▱▱▱"],
  [99, "▰▰▰▰▰▰▰▰▰▱"],
  [100, "▰▰▰▰▰▰▰▰▰▰"],
  [140, "▰▰▰▰▰▰▰▰▰▰"],
])("the bar of %d%% is %s", (percent, bar) => {
  expect(goalBar({ percent })).toBe(bar);
});

describe("the answer", () => {
  const shownAs = (shown: boolean, ...given: Parameters<typeof readings>) =>
    goalView({ goal: { amount: cents(4_000_000), shown }, ...readings(...given) }, "pt-BR");

  test("has the bar, the line, the pace, who sees it and its window", () => {
    const reply = shownAs(false, 100_010, BY_DAY);
    expect(readMessage(reply)).toEqual([
      "Meta de novembro",
      [
        "▰▰▰▰▰▰▱▱▱▱",
        "**R$ 25.002,50** de R$ 40.000 (62%) · faltam R$ 14.997,50 em 6 dias",
        "R$ 2.499,59 por dia",
        "Só você vê esta meta.",
        "-# vendas antes das taxas, desde as 21:00 de 31/10 (Brasília) · estornos posteriores descontam",
      ].join("\n"),
      "2026-11-25T12:00:00.000Z",
    ]);
    expect(labelsOf(reply)).toEqual([
      "Atualizar",
      "Mudar o valor",
      "Mostrar no relatório",
      "Tirar a meta",
    ]);
  });

  test("dates the oldest figures where they are a day older than the newest", () => {
    const goal = { amount: cents(4_000_000), shown: false };
    const read = readings(100_000, BY_DAY);
    const told = (hours: number) =>
      readMessage(goalView({ goal, ...read, oldestAt: read.readAt.subtract({ hours }) }, "pt-BR"));
    expect(told(25)[1]).toMatch(
      / · estornos posteriores descontam · leitura mais antiga: 24\/11 08:00$/,
    );
    expect(told(25)[2]).toBe("2026-11-25T12:00:00.000Z");
    expect(told(24)[1]).not.toContain("há mais tempo");
  });

  test("says kindly that the goal is reached, and where it is shown", () => {
    const reply = shownAs(true, 200_000, BY_DAY);
    const [, text = ""] = readMessage(reply);
    expect(text).toContain("Parabéns: e o mês ainda tem 6 dias.");
    expect(text).toContain(
      "Esta meta aparece no relatório do canal enquanto o seu total sair nele (`/conta ver`).",
    );
    expect(text).not.toContain("por dia");
    expect(labelsOf(reply)).toContain("Só para mim");
  });

  test.each([
    ["pt-BR", "Parabéns: e o mês ainda vai até as 21:00 de 30/11 (Brasília)."],
    ["en-US", "Well done, and the month runs until 9:00 PM on Nov 30 (Brasília)."],
  ] as const)("on the last day a reached goal is told in %s with the close", (locale, words) => {
    const goal = { amount: cents(4_000_000), shown: false };
    const reply = goalView({ goal, ...readings(200_000, "2026-11-30T23:50:00Z") }, locale);
    expect(readMessage(reply)[1]?.replaceAll("\u202f", " ")).toContain(words);
  });

  test("after 21:00 of the last day says that new sales count for the next month", () => {
    expect(readMessage(shownAs(false, 1, "2026-12-01T01:00:00Z"))[1]).toContain(
      "O que você vende desde as 21:00 já conta para o mês que vem.",
    );
  });

  test("names days that could not be read, and says that reading goes on", () => {
    const [, text = ""] = readMessage(shownAs(false, 1, BY_DAY, [2]));
    expect(text.split("**Parcial:**")).toEqual([
      expect.anything(),
      expect.stringMatching(
        /^ ainda sem o dia 02\/11\. Continuo lendo; toque em \*\*Atualizar\*\*/,
      ),
    ]);
    expect(text).not.toContain("por dia");
  });

  test.each([
    ["a part of the month is unread", [2], true],
    ["all is read", [], false],
  ] as const)("where %s, tells support codes: %j is unread", (_, gaps, isTold) => {
    const goal = { amount: cents(4_000_000), shown: false };
    const read = { goal, ...readings(1, BY_DAY, gaps), supportCodes: ["req-8812"] };
    expect(JSON.stringify(goalView(read, "pt-BR")).includes("req-8812")).toBe(isTold);
  });

  test("on the last day names no pace by day", () => {
    const text = readMessage(shownAs(false, 1, "2026-11-30T12:00:00Z"))[1];
    expect(text).toContain("fechamento do último dia");
    expect(text).not.toContain("por dia");
  });

  test("about a removed goal names the one of another server that stays", () => {
    expect(readMessage(goalRemovedView(cents(4_000_000), "pt-BR"))[1]).toMatch(
      /^Você ainda tem uma meta de \*\*R\$\s40\.000\*\* em outro servidor/,
    );
  });

  test("with figures of before says so first, in amber, and promises no further reading", () => {
    const goal = { amount: cents(4_000_000), shown: false };
    const kept = (...gaps: readonly number[]) => ({ goal, ...readings(100_000, BY_DAY, gaps) });
    const whole = goalView({ ...kept(), problem: "unavailable" }, "pt-BR");
    expect(readMessage(whole)[1]).toMatch(
      /^\*\*O serviço de pagamentos está com problemas:\*\* mostro o que li antes\.\n▰/,
    );
    expect(whole.embeds?.[0]?.color).not.toBe(goalView(kept(), "pt-BR").embeds?.[0]?.color);
    const refused = goalView({ ...kept(25), problem: "unauthorized" }, "en-US");
    english(readMessage(refused).join("\n"));
    expect(readMessage(refused)[1]).toContain(
      "these are the figures that I read before, still without Nov 25. It may have been changed",
    );
    expect(readMessage(refused)[1]).not.toContain("reading on");
  });

  test("without a reading is the goal alone, with the reason", () => {
    const now = Temporal.Instant.from(BY_DAY);
    const unread = {
      goal: { amount: cents(4_000_000), shown: true },
      progress: goalProgress(cents(4_000_000), [], now),
      readAt: now,
      oldestAt: now,
    };
    expect(readMessage(goalView({ ...unread, problem: "timeout" }, "pt-BR"))[1]).toBe(
      [
        "Sua meta de **R$ 40.000** por mês está guardada.",
        "**O serviço de pagamentos demorou demais:** não consigo ler quanto já foi vendido.",
        "Esta meta aparece no relatório do canal enquanto o seu total sair nele (`/conta ver`). Cabem nele as metas de cinco pessoas: as que mais venderam no dia.",
      ].join("\n"),
    );
    const refused = goalView({ ...unread, problem: "unauthorized" }, "en-US");
    english(readMessage(refused).join("\n"));
    expect(brokenLimits(refused)).toEqual([]);
  });

  test.each([
    ["pt-BR", "`/conta conectar` no servidor em que você vende."],
    ["en-US", "`/conta conectar` in the server where you sell."],
  ] as const)(
    "of a refused key leads in %s to the server, also from a direct message",
    (...said) => {
      const [locale, advice] = said;
      const goal = { amount: cents(4_000_000), shown: false };
      const refused = {
        goal,
        ...readings(100_000, BY_DAY, [25]),
        problem: "unauthorized",
      } as const;
      expect(readMessage(goalView(refused, locale))[1]).toContain(advice);
    },
  );

  test("in English is English, and fits", () => {
    for (const gaps of [[], [2], [2, 3, 4, 5, 6]])
      for (const sales of [1, 100_000, 900_000]) {
        const read = readings(sales, BY_DAY, gaps);
        const goal = { amount: read.progress.goal, shown: sales === 1 };
        const reply = goalView({ goal, ...read }, "en-US");
        english(readMessage(reply).join("\n"));
        expect(readMessage(reply)[0]).toBe("Goal for November");
        expect(brokenLimits(reply)).toEqual([]);
      }
  });
});
