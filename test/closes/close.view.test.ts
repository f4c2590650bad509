import { describe, expect, test } from "vitest";
import {
  type CloseActivity,
  closeFigures,
  newestPeriod,
  periodBefore,
  tallyOf,
} from "#src/closes/close.ts";
import {
  closeChart,
  closePost,
  ownCloseView,
  uncertainCloseNotice,
} from "#src/closes/close.view.ts";
import { daysOf } from "#src/reports/sales-period.ts";
import type { Locale } from "#src/shared/locale.ts";
import { cents } from "#src/shared/money.ts";
import { paidHere } from "../accounting-files/accounting-samples.ts";
import { settledAt } from "#src/shared/report-day.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { labelsOf, readMessage } from "../ui/read-message.ts";
import {
  fullActivity,
  fullCloseFigures,
  noActivity,
  quietCloseFigures,
  salesDay,
} from "./close-samples.ts";

const DUE = Temporal.Instant.from("2026-11-23T11:00:00Z");
const WEEK = newestPeriod("week", Temporal.PlainDate.from("2026-11-22"));
const MONTH = newestPeriod("month", Temporal.PlainDate.from("2026-11-30"));

const sold = [100, 250, 300, 120, 80, 500, 50];
const days = [
  ...daysOf(periodBefore(WEEK)).map((day) => salesDay(day, 178.5)),
  ...daysOf(WEEK).map((day, place) => salesDay(day, sold[place] ?? 0)),
];
const activity: CloseActivity = {
  ...noActivity,
  withdrawals: {
    ...noActivity.withdrawals,
    withdrawals: [100_000, 20_000].map((amount) =>
      paidHere("2026-11-18T12:00:00Z", [amount, 50, amount - 50]),
    ),
  },
  refunds: tallyOf([7_990]),
  disputes: { opened: tallyOf([24_900]), won: tallyOf([10_000]), lost: tallyOf([7_511]) },
};
const figures = closeFigures(WEEK, [{ ownerId: "11", days }]);
const facts = { dueAt: DUE, late: false, reference: "ref a1b2c3d4" };
const postOf = (of = figures, locale: Locale = "pt-BR", late = false) =>
  closePost({ ...facts, figures: of, locale, late });
const ownOf = (of: typeof figures, moved: typeof activity) => ({
  figures: of,
  activity: moved,
  asked: [],
  tooOld: [],
  isKeyRefused: false,
});
const ownText = (of: typeof figures, moved: typeof activity): string =>
  readMessage(ownCloseView(ownOf(of, moved), "pt-BR")).join("\n");
const text = (message: ReturnType<typeof postOf>): string =>
  [message.content?.replaceAll("\u00a0", " "), ...readMessage(message)].join("\n");

describe("a close", () => {
  test("says the sum and its change first, then the days, when they were read, and no withdrawal, refund or MED", () => {
    expect(text(postOf())).toBe(
      [
        "Semana de 16/11 a 22/11: R$ 1.400,00 em 7 vendas, ▲ 12% que na semana anterior.",
        "Fechamento da semana, 16/11 a 22/11",
        "**R$ 1.400,00** em 7 vendas · líquido **R$ 1.316,00**",
        "▲ 12% que na semana anterior",
        "Melhor dia: **sáb 21/11**, R$ 500,00 · pior: dom 22/11, R$ 50,00",
        "-# das 21:00 de 15/11 às 21:00 de 22/11 (Brasília) · estornos posteriores descontam · leitura mais antiga: 16/11 21:05",
        "Taxas: R$ 84,00 (6,00%)",
        "Balcão · ref a1b2c3d4",
        settledAt(WEEK.to).toString({ smallestUnit: "millisecond" }),
      ].join("\n"),
    );
    expect(labelsOf(postOf())).toEqual(["Planilha", "Ver o meu"]);
    const ids = JSON.stringify(postOf().components);
    for (const action of ["planilha", "meu"])
      expect(ids).toContain(`fechamento:${action}:week:2026-11-16:2026-11-22`);
  });

  test("says the same in English", () => {
    const said = text(postOf(figures, "en-US"));
    for (const part of [
      "Week of Nov 16 to Nov 22: R$ 1,400.00 from 7 sales, ▲ 12% vs. the week before.",
      "Weekly close: Nov 16 to Nov 22",
      "Best day: **Sat Nov 21**, R$ 500.00 · worst: Sun Nov 22, R$ 50.00",
    ])
      expect(said).toContain(part);
  });

  test("of a month is called by its name", () => {
    const given = daysOf(MONTH).map((day) => salesDay(day, 10));
    const month = closeFigures(MONTH, [{ ownerId: "11", days: given }]);
    const said = text(postOf(month));
    expect(said).toContain("Mês de novembro de 2026: R$ 300,00 em 30 vendas.");
    expect(said).toContain("— (vendas no mês anterior: ainda não li)");
  });

  test("without sales is short, and has no picture", () => {
    const said = text(postOf(quietCloseFigures()));
    expect(said).toContain("Semana de 23/11 a 29/11: nenhuma venda aprovada.");
    expect(said).not.toMatch(/Melhor dia|NaN|undefined/);
    expect(postOf(quietCloseFigures())).not.toHaveProperty("chart");
  });

  test.each([
    ["pt-BR", "sem contar 2 dias de 1 vendedor", "**Parcial:** sem contar 2 dias de 1 vendedor"],
    ["en-US", "not counting 2 days of 1 seller", "**Partial:** not counting 2 days of 1 seller"],
  ] as const)("with missing days tells its sum as a part, in %s", (locale, alone, partial) => {
    const read = days.filter(({ day }) => !["2026-11-16", "2026-11-22"].includes(day.toString()));
    const post = postOf(closeFigures(WEEK, [{ ownerId: "11", days: read }]), locale);
    expect(post.content).toMatch(new RegExp(`, ${alone}\\.$`));
    const [sum, note, ...rest] = post.embeds?.[0]?.description?.split("\n") ?? [];
    expect(sum).toMatch(/1[.,]250[.,]00/);
    expect(note).toBe(partial);
    expect(rest.join("\n")).not.toMatch(/na semana anterior|the week before/);
  });

  test("speaks to its one seller of the seller's own days", () => {
    const some = closeFigures(WEEK, [{ ownerId: "11", days: days.slice(0, -2) }]);
    const post = closePost({ ...facts, figures: some, locale: "pt-BR", directKey: "9f3a" });
    const said = text(post);
    expect(said).toContain("**Parcial:** sem contar 2 dias\n");
    expect(said).toContain("Falta: Ainda não li 2 dias (21/11, 22/11). Não deu");
    expect(said).not.toMatch(/vendedor|<@/);
    expect(labelsOf(post)).toEqual(["Planilha", "Saques e MEDs"]);
  });

  test.each([
    ["pt-BR", "1 dia (22/11)\nNão deu para ler: fica fora das somas."],
    ["en-US", "1 day (Nov 22)\nI could not read this part: it is not in the sums."],
  ] as const)("tells one missing day as one, in %s", (locale, told) => {
    const figures = closeFigures(WEEK, [{ ownerId: "11", days: days.slice(0, -1) }]);
    expect(text(postOf(figures, locale))).toContain(told);
  });

  test("leaves out of its sum whole sellers as the daily report does", () => {
    const sellers = [
      { ownerId: "11", days },
      { ownerId: "12", days: [] },
    ];
    const said = text(postOf(closeFigures(WEEK, sellers)));
    expect(said).toContain("R$ 1.400,00 em 7 vendas, sem contar 1 vendedor.");
    expect(said).toContain("**Parcial:** sem contar 1 vendedor\n▲ 12% que na semana anterior\n");
    const quiet = [{ ownerId: "11", days: daysOf(WEEK).map((day) => salesDay(day, 0)) }];
    const nothing = postOf(closeFigures(WEEK, [...quiet, { ownerId: "12", days: [] }]));
    expect(nothing.content).toContain("nenhuma venda aprovada, sem contar 1 vendedor.");
  });

  test.each([
    ["pt-BR", "Semana de 16/11 a 22/11: não consegui ler as vendas.", "Faltam as vendas"],
    ["en-US", "Week of Nov 16 to Nov 22: I couldn't read the sales.", "The sales of all"],
  ] as const)("of which no day is known says so, and names no sum, in %s", (locale, alone, why) => {
    const before = days.filter(({ day }) => Temporal.PlainDate.compare(day, WEEK.from) < 0);
    const post = postOf(closeFigures(WEEK, [{ ownerId: "11", days: before }]), locale);
    expect(post.content).toBe(alone);
    expect(post.embeds?.[0]?.description).toContain(why);
    expect(text(post)).not.toMatch(/R\$|enhuma venda|No approved|no approved|anterior/);
  });

  test("tells fees that differ by day, those of charges and withdrawals by the day in Brasília, without accusing", () => {
    const changed = days.map((day) =>
      day.day.toString() === "2026-11-18" ? { ...day, fees: cents(3_120) } : day,
    );
    const paid = paidHere("2026-11-20T01:10:00Z", [5_000, 400, 4_600], { kind: "turbo" });
    const withdrawals = { ...noActivity.withdrawals, withdrawals: [paid] };
    const differing = closeFigures(WEEK, [{ ownerId: "11", days: changed }]);
    const charges = [
      { at: paid.at, amount: cents(10_000), fee: cents(700) },
      { at: paid.at, amount: cents(10_000), fee: cents(600) },
    ];
    const said = ownText(differing, { ...activity, withdrawals, charges });
    expect(said).toContain(
      "Em 1 dia a taxa foi diferente de 6%: qua 18/11 R$ 31,20 em vez de R$ 18,00.",
    );
    expect(said).toContain(
      "Em 1 cobrança a taxa foi diferente de 6%: qui 19/11 R$ 7,00 em vez de R$ 6,00.",
    );
    expect(said).toContain("Em 1 saque a taxa foi outra: qui 19/11 R$ 4,00 em vez de R$ 3,50.");
    expect(text(postOf())).not.toContain("Taxa diferente");
  });

  test("names few of many differences and missing sellers, and says that it is late", () => {
    const said = text(postOf(fullCloseFigures("month"), "pt-BR", true));
    expect(said).toContain("e mais 27.");
    expect(said).toContain("E mais 7 vendedores.");
    expect(said).toContain("Atrasado: a hora marcada era");
    expect(said).toContain("eSales");
  });

  test("shows the days as bars before those of the period before, and in words", () => {
    const chart = closeChart(figures, "pt-BR");
    expect(chart?.figures.bars).toHaveLength(7);
    expect(chart?.figures.bars[0]).toEqual({
      label: "seg",
      sales: 10_000,
      before: 17_850,
      open: false,
    });
    expect(chart?.figures.legend).toEqual(["16/11 a 22/11", "semana anterior"]);
    expect(chart?.inWords).toContain("16/11: R$\u00a0100,00");
  });

  test("of one's own says how many withdrawals have details left to read", () => {
    const elsewhere = { kind: "read", since: undefined, unclear: 0, left: 3 } as const;
    const withdrawals = { ...noActivity.withdrawals, elsewhere };
    expect(ownText(figures, { ...activity, withdrawals })).toContain(
      "Ainda não li os detalhes de 3 saques: cada toque no mesmo botão lê mais 10.",
    );
  });

  test("of one's own has the service's code where the list of withdrawals could not be read", () => {
    const elsewhere = { kind: "unread", supportCode: "req_5b1d" } as const;
    const withdrawals = { ...noActivity.withdrawals, elsewhere };
    expect(ownText(figures, { ...activity, withdrawals })).toContain(
      "Código de suporte: `req_5b1d`",
    );
  });

  test("of one's own denies no withdrawal of a list that was not read", () => {
    const elsewhere = { kind: "unread", supportCode: undefined } as const;
    const paid = { withdrawals: [], underWay: 0, elsewhere };
    const own = (given: Partial<typeof noActivity.withdrawals>) =>
      ownText(figures, { ...activity, withdrawals: { ...noActivity.withdrawals, ...given } });
    expect(own(paid)).toContain("Saques: nenhum concluído no que consegui ler\n");
    expect(own({ ...paid, elsewhere: noActivity.withdrawals.elsewhere, underWay: 1 })).toContain(
      "Saques: nenhum concluído\n",
    );
  });

  test("of one's own sums known amounts of withdrawals, and says of how many", () => {
    const ownWith = (...amounts: readonly (readonly number[])[]) => {
      const withdrawals = amounts.map((each) => paidHere("2026-11-18T12:00:00Z", each));
      return ownText(figures, {
        ...activity,
        withdrawals: { ...noActivity.withdrawals, withdrawals },
      });
    };
    expect(ownWith([])).toContain("Saques: — em 1 saque\n");
    expect(ownWith([], [5_000, 50, 4_950])).toContain("Saques: R$ 50,00 em 1 de 2 saques\n");
  });

  test("of one's own has one's own sums, withdrawals, refunds and MEDs, and no reference", () => {
    const own = ownText(figures, activity);
    expect(own).toContain("Sua semana, 16/11 a 22/11");
    expect(own).toContain("**R$ 1.400,00** em 7 vendas");
    expect(own).toContain("Saques: R$ 1.200,00 em 2 saques");
    expect(own).toContain("Estornos por este bot: R$ 79,90 em 1");
    expect(own).toContain("MEDs: 1 novo (R$ 249,00), 1 ganho (R$ 100,00), 1 perdido (R$ 75,11)");
    expect(own).not.toContain("ref ");
    const most = ownCloseView(
      {
        ...ownOf(fullCloseFigures("month"), fullActivity),
        asked: daysOf(MONTH),
        tooOld: daysOf(MONTH),
      },
      "pt-BR",
    );
    expect(brokenLimits(most)).toEqual([]);
    const inEnglish = readMessage(ownCloseView(ownOf(figures, activity), "en-US")).join("\n");
    expect(inEnglish).toContain("MEDs: 1 new (R$ 249.00), 1 won (R$ 100.00), 1 lost (R$ 75.11)");
    expect(inEnglish).toContain("Refunds by this bot: R$ 79.90 in 1");
  });

  test("that may have been posted is told with the server, and the way to the same figures", () => {
    const { kind, to: day } = WEEK;
    const facts = { guildId: "118", channelId: "119", kind, day, reference: "ref a1b2c3d4" };
    const told = (locale: Locale) => {
      const notice = uncertainCloseNotice({ ...facts, locale });
      expect(brokenLimits(notice)).toEqual([]);
      return readMessage(notice).join("\n");
    };
    expect(told("pt-BR")).toContain("`/vendas periodo`");
    expect(told("en-US")).toContain("`/vendas period:`");
    for (const words of ["não vou repetir", "<#119>", "(https://discord.com/channels/118)", "ref "])
      expect(told("pt-BR")).toContain(words);
  });

  test.each([
    ["pt-BR", "Se não estiver lá, quem vende pede os próprios números com `/vendas periodo`."],
    ["en-US", "If it is not there, sellers can ask for their own figures with `/vendas period:`."],
  ] as const)(
    "that may have been posted offers an admin no figures of their own, in %s",
    (locale, words) => {
      const { kind, to: day } = WEEK;
      const facts = {
        guildId: "118",
        channelId: "119",
        kind,
        day,
        reference: "ref a1b2c3d4",
        locale,
      };
      expect(readMessage(uncertainCloseNotice(facts)).join("\n")).toContain(words);
    },
  );

  test.each([
    ["pt-BR", "week", "O fechamento da semana até 31/05/2026 pode ter saído"],
    ["pt-BR", "month", "O fechamento do mês até 31/05/2026 pode ter saído"],
    ["en-US", "week", "The week's close up to May 31, 2026 may have been posted"],
    ["en-US", "month", "The month's close up to May 31, 2026 may have been posted"],
  ] as const)(
    "that may have been posted is told apart from another of its day, %s, %s",
    (locale, kind, words) => {
      const day = Temporal.PlainDate.from("2026-05-31");
      const facts = { guildId: "118", channelId: "119", day, reference: "ref a1b2c3d4" };
      expect(uncertainCloseNotice({ ...facts, kind, locale }).content).toContain(words);
    },
  );
});
