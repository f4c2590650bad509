import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MOST_CORRECTIONS, type DailyReport, sellerFiguresOf } from "#src/reports/daily-report.ts";
import { ownDayView, dailyReportPost } from "#src/reports/daily-report.view.ts";
import { cents } from "#src/shared/money.ts";
import { buttonRow } from "#src/ui/reply.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { labelsOf, readMessage } from "../ui/read-message.ts";
import { figuresOf, POSTED_AT, sellerOf, storeOf } from "./report-samples.ts";

const REF = "ref a1b2c3d4";
const plain = (text: string | undefined): string | undefined => text?.replaceAll("\u00a0", " ");
const linesOf = (report: DailyReport, now = POSTED_AT) =>
  readMessage(dailyReportPost(report, now, REF)).map((each) => each.replaceAll("\u00a0", " "));
const contentOf = (report: DailyReport, now = POSTED_AT) =>
  plain(dailyReportPost(report, now, REF).content);

const ANA = sellerOf(1, [50_000, 60_000, 0, 0, 0, 0, 0, 76_000, 91_240]);
const BRUNO = sellerOf(2, [0, 1, 1, 1, 1, 1, 1, 62_700, 60_180]);
const DAVI = sellerOf(3, [1, 1, 1, 1, 1, 1, 0, 0, 17_000]);

describe("the report of a store with three sellers", () => {
  test("shows sum, changes, origins, sellers in their order, window and mark", () => {
    expect(linesOf(storeOf([BRUNO, DAVI, ANA]))).toEqual([
      "Fechamento de sexta, 20/11",
      "**R$ 1.684,20** · ▲ 21% que ontem · ▲ 181% que na sexta anterior\nAPI R$ 1.684,20 (9 vendas)",
      "Líquido: **R$ 1.583,15**",
      "Vendas: 9",
      "Ticket médio: R$ 187,13",
      "Vendedores: 1. <@1180000000000000011> **R$ 912,40** · 3 vendas · ▲ 20%\n" +
        "2. <@1180000000000000012> **R$ 601,80** · 3 vendas · ▼ 4%\n" +
        "3. <@1180000000000000013> **R$ 170,00** · 3 vendas · —",
      "das 21:00 de 19/11 às 21:00 de 20/11 (Brasília) · estornos posteriores descontam · ref a1b2c3d4",
      "2026-11-21T00:05:00.000Z",
    ]);
  });

  test("says it in one sentence that reads alone", () => {
    expect(contentOf(storeOf([ANA, BRUNO, DAVI]))).toBe(
      "Loja Aurora vendeu R$ 1.684,20 hoje · ▲ 21% que ontem",
    );
    expect(contentOf(storeOf([ANA, BRUNO], { guildName: `Loja ${"x".repeat(90)}` }))).toMatch(
      /^Loja x{54}… vendeu/,
    );
    expect(contentOf(storeOf([ANA, BRUNO], { guildName: "**x** @everyone" }))).toMatch(
      /^A loja vendeu/,
    );
    const next = Temporal.Instant.from("2026-11-21T11:30:00Z");
    expect(contentOf(storeOf([ANA, DAVI]), next)).toContain("ontem · ▲ 42% que na véspera");
    const later = Temporal.Instant.from("2026-11-24T11:30:00Z");
    expect(contentOf(storeOf([ANA, DAVI]), later)).toContain("em 20/11");
  });

  test("calls the day as the clocks of its reader do", () => {
    const inAcre = storeOf([ANA, DAVI], {
      timeZone: "America/Rio_Branco",
      dueAt: "2026-11-21T04:30:00Z",
    });
    const evening = Temporal.Instant.from("2026-11-21T04:30:00Z");
    expect(contentOf(inAcre, evening)).toContain("hoje · ▲ 42% que ontem");
    expect(contentOf(inAcre, evening.add({ minutes: 30 }))).toContain(
      "ontem · ▲ 42% que na véspera",
    );
    // A report that was written without its zone.
    expect(contentOf(storeOf([ANA, DAVI]), evening)).toContain("ontem");
  });

  test("carries a chart of seven bars with the week before behind, and its days in words", () => {
    const { chart } = dailyReportPost(storeOf([ANA, BRUNO, DAVI]), POSTED_AT, REF);
    expect(chart?.figures.bars.map(({ label, sales, before }) => [label, sales, before])).toEqual([
      ["sáb", 2, undefined],
      ["dom", 2, undefined],
      ["seg", 2, undefined],
      ["ter", 2, undefined],
      ["qua", 1, undefined],
      ["qui", 138_700, 50_001],
      ["sex", 168_420, 60_002],
    ]);
    expect(plain(chart?.inWords)).toMatch(
      /^Vendas dos últimos 7 dias\. 14\/11: R\$ 0,02; .*20\/11: R\$ 1\.684,20$/,
    );
  });

  test.each([
    ["pt-BR", "sex 20/11: R$ 1.684,20"],
    ["en-US", "Fri Nov 20: R$ 1,684.20"],
  ] as const)("in %s names in its picture the day that was sold: %s", (locale, headline) => {
    const { chart } = dailyReportPost(storeOf([ANA, BRUNO, DAVI], { locale }), POSTED_AT, REF);
    expect(plain(chart?.figures.headline)).toBe(headline);
  });

  test("has buttons that answer privately: the presser's own day, and a week", () => {
    const { components } = dailyReportPost(storeOf([ANA]), POSTED_AT, REF);
    expect(JSON.stringify(components)).toMatch(
      /vendas:meu:20\/11\/2026.*vendas:semana:20\/11\/2026/,
    );
  });

  test("to its seller alone speaks to the reader, and says of which key it is", () => {
    const own = storeOf([ANA], { directKey: "9x2z", guildName: undefined });
    expect(contentOf(own)).toBe("Você vendeu R$ 912,40 hoje · ▲ 20% que ontem");
    expect(contentOf({ ...own, locale: "en-US" })).toMatch(/^You sold R\$ 912\.40 today/);
    expect(linesOf(own)).toContain("Chave: `…9x2z`");
    expect(linesOf(storeOf([ANA])).join()).not.toContain("Chave");
    expect(JSON.stringify(dailyReportPost(own, POSTED_AT, REF).components)).toContain(
      "Saldo e MEDs",
    );
  });

  test("to a seller of several wallet accounts names the key's end first, also of a day without sales", () => {
    const own = storeOf([ANA], { directKey: "9_2z", guildName: undefined, hasOthers: true });
    expect(contentOf(own)).toBe("Chave final 9_2z · Você vendeu R$ 912,40 hoje · ▲ 20% que ontem");
    const empty = { ...own, sellers: [sellerOf(1, [0])], emptyChoice: "line" } as const;
    expect(contentOf(empty)).toBe("Chave final 9_2z · Você não teve vendas hoje.");
    expect(contentOf({ ...empty, locale: "en-US" })).toMatch(/^Key ending in 9_2z · You /);
  });

  test("counts two owners of one wallet account once", () => {
    const twin = { ...BRUNO, accountId: "twin", ownerId: "1180000000000000099" };
    const lines = linesOf(storeOf([ANA, BRUNO, twin]));
    expect(lines[1]).toContain("**R$ 1.514,20**");
    expect(lines.join("\n")).toContain("3. <@1180000000000000099> **R$ 601,80**");
  });

  test("whose lines add up to its sum says where two owners have one wallet account", () => {
    const many = Array.from({ length: 12 }, (_, place) => sellerOf(place, [1_000 * (place + 1)]));
    const twinOf = (place: number) => ({ ...many[place]!, ownerId: `11800000000000009${place}` });
    const ranksOf = (place: number) =>
      linesOf(storeOf([...many, twinOf(place)]))
        .find((each) => each.startsWith("Vendedores"))!
        .split("\n");
    const near = ranksOf(11);
    expect(near.filter((each) => each.endsWith(" · mesma conta"))).toEqual([near[1]]);
    expect(near[1]).toMatch(/^2\. <@1180000000000000911> \*\*R\$ 120,00\*\*/);
    expect(near.at(-1)).toBe("e mais 3: **R$ 60,00** · 9 vendas");
    // The tenth line and the first one beyond it.
    expect(ranksOf(2).at(-1)).toBe("e mais 3: **R$ 30,00** · 6 vendas");
    const alone = linesOf(storeOf([...many.slice(2), twinOf(2)]));
    expect(alone.join("\n")).toContain("e mais 1 · mesma conta");
  });

  test("writes thousands of per cent in the ranking as in the sum", () => {
    const seller = (place: number) => sellerOf(place, [200, 1_000_000]);
    const text = linesOf(storeOf([seller(1), seller(2)])).join("\n");
    expect(text.match(/▲ [\d.]+%/g)).toEqual(["▲ 499.900%", "▲ 499.900%", "▲ 499.900%"]);
  });

  test("beyond ten shows the rest in one line", () => {
    const many = Array.from({ length: 13 }, (_, place) => sellerOf(place, [1_000 * (place + 1)]));
    const ranks = linesOf(storeOf(many)).find((each) => each.startsWith("Vendedores"));
    expect(ranks?.split("\n")).toHaveLength(11);
    expect(ranks?.split("\n").at(-1)).toBe("e mais 3: **R$ 60,00** · 9 vendas");
  });

  test("names who is missing, and why", () => {
    const missing = [
      { accountId: "a", ownerId: "14", isRefused: true },
      { accountId: "b", ownerId: "15", isRefused: false },
      { accountId: "c", ownerId: "16", isRefused: false },
    ];
    const text = linesOf(storeOf([ANA], { missing })).join("\n");
    expect(text).toContain(
      "Falta <@14>: a chave foi recusada. Se ela voltar em até 7 dias, posto o que falta.",
    );
    expect(text).toContain(
      "Faltam <@15> e <@16>: ainda não consegui ler as vendas. Se der em até 7 dias, posto o que falta.",
    );
    const content = contentOf(storeOf([ANA], { missing }));
    expect(content).toMatch(/^Loja Aurora vendeu .* hoje · sem contar 3 vendedores$/);
  });

  test.each([
    [1, "The key was refused; if it works again within 7 days, I will add these sales."],
    [2, "Their keys were refused; if they work again within 7 days, I will add their sales."],
  ])("says in English too whether one key was refused or several (%#)", (sellers, sentence) => {
    const missing = ["14", "15"]
      .slice(0, sellers)
      .map((ownerId) => ({ accountId: ownerId, ownerId, isRefused: true }));
    const text = linesOf(storeOf([ANA], { missing, locale: "en-US" })).join("\n");
    expect(text).toContain(sentence);
  });

  test("tells a correction though the other owner of the wallet account agreed after it", () => {
    const corrections = [{ day: "2026-11-17", before: cents(100_00), now: cents(60_00) }];
    const one = sellerOf(1, [100_00, 200_00], { corrections });
    const later = sellerOf(2, [100_00, 200_00], { wallet: 1 });
    expect(linesOf(storeOf([one, later])).join("\n")).toContain("R$ 60,00");
    const twice = linesOf(storeOf([one, { ...later, corrections }])).join("\n");
    expect(twice.match(/R\$ 60,00/g)).toHaveLength(1);
  });

  test("that comes late says which hour was set for it, and names no cause, which it does not know", () => {
    const hourLater = POSTED_AT.add({ hours: 1 });
    expect(linesOf(storeOf([ANA])).join("\n")).not.toContain("Atrasado: a hora marcada era");
    expect(linesOf(storeOf([ANA]), hourLater)).toContain(
      "Atrasado: a hora marcada era: <t:1795219500:d> <t:1795219500:t>",
    );
  });

  test("names what changed in earlier days and whose it is, more than three in short", () => {
    const correction = (day: string, before: number, now: number) => ({
      day,
      before: cents(before),
      now: cents(now),
    });
    const ana = {
      ...ANA,
      corrections: [
        correction("2026-11-19", 151_000, 146_000),
        correction("2026-11-18", 0, 500),
        correction("2026-11-17", 900, 800),
      ],
    };
    const bruno = { ...BRUNO, corrections: [correction("2026-11-16", 2, 1)] };
    expect(linesOf(storeOf([ana]))).toContain(
      "Corrigido: qui 19/11 caiu de R$ 1.510,00 para R$ 1.460,00.\n" +
        "qua 18/11 subiu de R$ 0,00 para R$ 5,00.\nter 17/11 caiu de R$ 9,00 para R$ 8,00.",
    );
    const both = linesOf(storeOf([ana, bruno])).join("\n");
    expect(both).toContain("<@1180000000000000011>: qui 19/11: R$ 1.510,00 → R$ 1.460,00\n");
    expect(both).toContain("<@1180000000000000012>: seg 16/11: R$ 0,02 → R$ 0,01");
    expect(both).not.toContain("E mais");
  });

  test.each([
    ["pt-BR", "Corrigido: o líquido de qui 19/11 caiu de R$ 940,00 para R$ 900,00."],
    ["en-US", "Corrected: the net of Thu Nov 19 fell from R$ 940.00 to R$ 900.00."],
  ] as const)("in %s calls a change of the net alone one of the net", (locale, told) => {
    const sales = { oldSales: cents(100_000), newSales: cents(100_000) };
    const correction = {
      day: Temporal.PlainDate.from("2026-11-19"),
      ...sales,
      oldNet: cents(94_000),
      newNet: cents(90_000),
      noticedAt: POSTED_AT,
    };
    const day = {
      ...figuresOf(50_000, 2),
      day: correction.day.add({ days: 1 }),
      readAt: POSTED_AT,
    };
    const seller = sellerFiguresOf(ANA, 0, day, new Map(), [correction]);
    expect(linesOf({ ...storeOf([seller]), locale })).toContain(told);
  });

  test.each(["pt-BR", "en-US"] as const)(
    "in %s has room for all corrections that it is given",
    (locale) => {
      const lost = { accountId: "a", ownerId: "1180000000000000099", isRefused: true };
      const sellers = Array.from({ length: 20 }, (_, place) => {
        const base = cents(9_999_900 + place);
        const corrections = ["2026-11-19", "2026-11-18"].map((day) => ({
          day,
          before: base,
          now: base,
        }));
        const goal =
          "▰▰▰▰▰▰▰▰▰▱\n**R$ 100.000,00** de R$ 500.000,00 (20%) · faltam R$ 400.000,00 em 12 dias";
        return sellerOf(place, [base], { corrections, goal });
      });
      const missing = Array.from({ length: 12 }, () => lost);
      const late = POSTED_AT.add({ hours: 1 });
      const post = dailyReportPost(storeOf(sellers, { locale, missing }), late, REF);
      expect(JSON.stringify(post).split("→")).toHaveLength(MOST_CORRECTIONS + 1);
      const { chart: _, ...message } = post;
      expect(brokenLimits(message)).toEqual([]);
    },
  );
});

test("a store of one seller has the seller's name, and no ranking", () => {
  const lines = linesOf(storeOf([ANA])).join("\n");
  expect(lines).not.toContain("Vendedores");
  expect(contentOf(storeOf([ANA]))).toBe(
    "<@1180000000000000011> vendeu R$ 912,40 hoje · ▲ 20% que ontem",
  );
});

describe("a day without a base", () => {
  test.each([
    ["is a dash after a day without sales", [0, 500], "— (sem vendas ontem)"],
    ["is a dash after a day that is not known", [null, 500], "— (vendas ontem: ainda não li)"],
    ["is equal where nothing changed", [500, 500], "= praticamente o mesmo que ontem"],
  ])("%s", (_, days, said) => {
    const report = storeOf([sellerOf(1, days)]);
    expect(linesOf(report)[1]).toContain(said);
    expect(linesOf(report).join("\n")).not.toContain("100%");
    if (days[0] !== 500) expect(contentOf(report)).not.toMatch(/[▲▼—]/);
  });

  test("of one seller leaves the store without a base", () => {
    expect(linesOf(storeOf([ANA, sellerOf(2, [900])]))[1]).toContain(
      "— (vendas ontem: ainda não li)",
    );
  });

  test("has no chart with one known day, or with nothing sold", () => {
    expect(dailyReportPost(storeOf([sellerOf(1, [500])]), POSTED_AT, REF).chart).toBeUndefined();
    const nothing = storeOf([sellerOf(1, [0, 0, 0])], { emptyChoice: "send" });
    expect(dailyReportPost(nothing, POSTED_AT, REF).chart).toBeUndefined();
  });
});

describe("a day without sales", () => {
  const empty = (given: Partial<DailyReport>) => storeOf([sellerOf(1, [500, 0])], given);

  test("is a report of zeros where the guild wants it whole", () => {
    const lines = linesOf(empty({ emptyChoice: "send" }));
    expect(lines[1]).toBe(
      "**R$ 0,00** · ▼ 100% que ontem · — (vendas na sexta anterior: ainda não li)",
    );
    expect(lines).toContain("Ticket médio: —");
  });

  test("has the buttons of any other, also in one line", () => {
    const labels = (given: Partial<DailyReport>) =>
      labelsOf(dailyReportPost(empty(given), POSTED_AT, REF));
    expect(labels({})).toEqual(["Ver o meu", "7 dias"]);
    expect(labels({ directKey: "k3y9" })).toEqual(["Saldo e MEDs", "7 dias"]);
  });

  test("is one line with its mark where the guild wants a line", () => {
    expect(linesOf(empty({}))).toEqual([
      "<@1180000000000000011>: nenhuma venda aprovada em 20/11/2026 (das 21:00 de 19/11 às 21:00 de 20/11, horário de Brasília).",
      "Balcão · ref a1b2c3d4",
    ]);
  });

  test("is no such line while somebody is missing, whose sales nobody knows", () => {
    const missing = [{ accountId: "a", ownerId: "14", isRefused: false }];
    const lines = linesOf(empty({ missing }));
    expect(lines[0]).toBe("Fechamento de sexta, 20/11");
    expect(lines.join("\n")).not.toContain("nenhuma venda aprovada");
    expect(contentOf(empty({ missing }))).toBe(
      "Loja Aurora vendeu R$ 0,00 hoje · sem contar 1 vendedor",
    );
  });

  test.each([
    ["pt-BR", "Você não teve vendas hoje.", "Você não teve vendas aprovadas em 20/11/2026 ("],
    ["en-US", "You had no sales today.", "You had no approved sales on Nov 20, 2026 ("],
  ] as const)("in %s speaks to a seller alone: %s", (locale, sentence, line) => {
    const own = empty({ directKey: "9x2z", guildName: undefined, locale });
    expect(contentOf(own)).toBe(sentence);
    expect(linesOf(own)[0]?.startsWith(line)).toBe(true);
    expect(contentOf({ ...own, emptyChoice: "send" })).toBe(sentence);
  });

  test("that comes late says so in its line too", () => {
    expect(linesOf(empty({}), POSTED_AT.add({ hours: 1 })).join("\n")).toContain(
      "Atrasado: a hora marcada era",
    );
  });
});

describe("a completion", () => {
  const completing = storeOf([ANA, DAVI], { completes: DAVI.accountId });

  test("shows the seller who was missing, and the store's new sums", () => {
    expect(contentOf(completing)).toBe("Faltava <@1180000000000000013>: vendeu R$ 170,00 em 20/11");
    expect(linesOf(completing).slice(0, 2)).toEqual([
      "Complemento do fechamento de sexta, 20/11",
      "<@1180000000000000013> **R$ 170,00** · 3 vendas · líquido R$ 159,80 · —\n" +
        "Loja Aurora fecha o dia com **R$ 1.082,40** em 6 vendas, líquido **R$ 1.017,46**.",
    ]);
  });

  test("tells the sums as so far while others are missing", () => {
    const missing = [{ accountId: "a", ownerId: "14", isRefused: false }];
    const lines = linesOf(storeOf([ANA, DAVI], { completes: DAVI.accountId, missing }));
    expect(lines[1]).toContain("Loja Aurora tem até agora **R$ 1.082,40** em 6 vendas");
  });

  test.each([
    ["pt-BR", "Faltava <@1180000000000000013>: vendeu R$ 170,00 em 20/11 · talvez já postado"],
    ["en-US", "Added: <@1180000000000000013> sold R$ 170.00 on Nov 20 · maybe posted before"],
  ] as const)("that may be a repeat says so in its sentence, in %s", (locale, sentence) => {
    expect(contentOf({ ...completing, locale, doubtful: true })).toBe(sentence);
  });

  test("of the only seller tells no sums of others", () => {
    const alone = storeOf([DAVI], { completes: DAVI.accountId });
    expect(linesOf(alone).join("\n")).not.toContain("fecha o dia");
  });
});

test("any store is shown within Discord's limits, in both languages", () => {
  const amount = fc.integer({ min: 0, max: 1e13 });
  const days = fc.array(fc.option(amount), { minLength: 1, maxLength: 14 });
  const seller = fc.tuple(fc.nat(99), days, fc.nat()).map(([place, given, count]) => ({
    ...sellerOf(place, given),
    figures: figuresOf(given.at(-1) ?? 0, count),
  }));
  fc.assert(
    fc.property(
      fc.array(seller, { minLength: 1, maxLength: 40 }),
      fc.constantFrom("pt-BR", "en-US"),
      fc.string(),
      fc.boolean(),
      (sellers, locale, guildName, late) => {
        const missing = sellers.map(({ accountId, ownerId }, place) => ({
          accountId,
          ownerId,
          isRefused: place % 2 === 0,
        }));
        const given = { locale, guildName, missing, emptyChoice: "send" } as const;
        const post = dailyReportPost(
          storeOf(sellers, given),
          POSTED_AT.add({ hours: late ? 1 : 0 }),
          REF,
        );
        const { chart: _, ...message } = post;
        expect(brokenLimits(message)).toEqual([]);
        expect(JSON.stringify(post)).not.toMatch(/NaN|undefined|Infinity/);
      },
    ),
    { numRuns: 100 },
  );
});

test("a seller's own day names MEDs that wait, and shows the balance below the sales", () => {
  const rowOf = (id: string) => buttonRow({ id, label: id, style: "secondary" });
  const sales = { kind: "reply", embeds: [{ title: "Vendas" }], components: [rowOf("a")] } as const;
  const balance = {
    kind: "reply",
    embeds: [{ title: "Saldo" }],
    components: [rowOf("b")],
  } as const;
  expect(ownDayView(sales, balance, "⏰ 1 MED precisa de resposta: `/meds`")).toEqual({
    kind: "reply",
    content: "⏰ 1 MED precisa de resposta: `/meds`",
    embeds: [{ title: "Vendas" }, { title: "Saldo" }],
    components: [rowOf("a"), rowOf("b")],
  });
  expect(ownDayView(sales, undefined, undefined)).toEqual(sales);
});
