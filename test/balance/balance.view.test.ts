import { describe, expect, test } from "vitest";
import type { Locale } from "#src/shared/locale.ts";
import { cents } from "#src/shared/money.ts";
import { type BalanceFacts, balanceView } from "#src/balance/balance.view.ts";
import { NOW, READ_AT, UNREAD_BALANCE, WHEN } from "../support/samples.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { buttonsOf, readMessage } from "../ui/read-message.ts";
import { textsFor } from "#src/texts.ts";
import { acceptedOp } from "../withdrawals/withdraw-samples.ts";

const AVAILABLE = cents(500_000);

const facts = (given: Partial<BalanceFacts> = {}): BalanceFacts => ({
  ...UNREAD_BALANCE,
  balance: { available: AVAILABLE },
  frozen: cents(12_345),
  inGuild: true,
  besideSales: true,
  locale: "pt-BR",
  ...given,
});
const read = (given: Partial<BalanceFacts> = {}) => readMessage(balanceView(facts(given)));
const alone = (given: Partial<BalanceFacts> = {}) =>
  balanceView(facts({ besideSales: false, ...given }));
const HELD = "**R$ 123,45** retido por MEDs, já fora do disponível.";
/** What is said of the next withdrawal. */
const next = (given: Partial<BalanceFacts>) => read(given)[1]?.replace(`\n${HELD}`, "");
const elsewhere = (txid: string) => ({
  txid,
  requestedAt: NOW,
  amount: cents(7_500),
  status: "scheduled",
});

const ELSEWHERE =
  "O `/saque` ainda não foi ligado neste bot: por enquanto, saque pelo painel do serviço.";
const NOW_FOR =
  "✅ Você já pode sacar: recebe **R$ 4.999,50** (normal, em até 24 horas) ou **R$ 4.996,50** (turbo, na hora).";

describe("the balance", () => {
  test("is told with what it means: what either speed would pay out, and what is held", () => {
    expect(read()).toEqual(["R$ 5.000,00 disponível", `${NOW_FOR}\n${HELD}`, READ_AT]);
    expect(read({ locale: "en-US" }).slice(0, 2)).toEqual([
      "R$ 5,000.00 available",
      "✅ You can withdraw now: you receive **R$ 4,999.50** (normal, within 24 hours) or **R$ 4,996.50** (turbo, at once).\n" +
        "**R$ 123.45** on hold for MEDs, not counted in what is available.",
    ]);
  });

  test("tells the kept sales of the open day, since when, and when they were read", () => {
    const day = (sales: number, count: number) => ({
      day: Temporal.PlainDate.from("2026-11-20"),
      sales: cents(sales),
      fees: cents(0),
      net: cents(sales),
      api: { count, sales: cents(sales) },
      esales: { count: 0, sales: cents(0) },
      readAt: NOW,
    });
    const last = (sales: number, count: number, locale: BalanceFacts["locale"] = "pt-BR") =>
      read({ today: day(sales, count), besideSales: false, locale })[1]
        ?.split("\n")
        .at(-1);
    expect(last(57_840, 5)).toBe(
      "Hoje, desde as 21:00 de ontem (Brasília): **R$ 578,40** em 5 vendas (li <t:1795197600:R>).",
    );
    expect(last(0, 0)).toBe(
      "Hoje, desde as 21:00 de ontem (Brasília): ainda sem vendas (li <t:1795197600:R>).",
    );
    expect(last(100, 1, "en-US")).toBe(
      "Today, since 9:00 PM yesterday (Brasília): **R$ 1.00** from 1 sale (read <t:1795197600:R>).",
    );
  });

  test.each([
    ["2026-11-20T23:59:59Z", "Hoje, desde as 21:00 de ontem", "Today, since 9:00 PM yesterday"],
    ["2026-11-21T00:00:00Z", "Desde as 21:00 de hoje", "Since 9:00 PM today"],
  ])("names no 21:00 that has yet to come: read at %s, it says %s", (now, portuguese, english) => {
    const readAt = Temporal.Instant.from(now);
    const said = (locale: Locale) => read({ readAt, besideSales: false, locale })[1];
    expect(said("pt-BR")).toContain(`\n${portuguese} (Brasília): ainda não li as vendas.`);
    expect(said("en-US")).toContain(`\n${english} (Brasília): I have not read the sales yet.`);
  });

  test("explains nothing of what is held while nothing is", () => {
    expect(read({ frozen: cents(0) })[1]).toBe(NOW_FOR);
  });

  test("names the first deadline to come of those that can still be answered, and how many are overdue", () => {
    const said = (count: number, overdue: number) =>
      read({ disputes: { count, overdue, firstDueAt: NOW } })[1];
    expect(said(2, 1)).toContain(
      `\n⏰ 1 MED precisa de resposta até ${WHEN}; outro está com o prazo vencido.`,
    );
    expect(said(3, 1)).toContain(
      `\n⏰ 2 MEDs precisam de resposta, o primeiro até ${WHEN}; outro está com o prazo vencido.`,
    );
  });

  test("says of MEDs that are all overdue what /meds says of them", () => {
    const said = (count: number, locale: Locale) =>
      read({ disputes: { count, overdue: count, firstDueAt: undefined }, locale })[1];
    for (const locale of ["pt-BR", "en-US"] as const)
      for (const count of [1, 2])
        expect(said(count, locale)).toContain(`\n${textsFor(locale).disputes.awaiting(0, count)}.`);
  });

  test("leads to the form of a withdrawal, to the sales, to the MEDs and to the withdrawals", () => {
    const disputes = { count: 2, overdue: 0, firstDueAt: NOW };
    expect(read({ disputes })[1]).toContain(
      `\n⏰ 2 MEDs precisam de resposta, o primeiro até ${WHEN}.`,
    );
    expect(buttonsOf(alone({ disputes }))).toEqual({
      Sacar: "saque:formulario:",
      Vendas: "vendas:hoje:",
      "MEDs (2)": "meds:esperam:",
      Saques: "saques:todos:",
    });
  });

  test("offers no withdrawal where none can be asked for", () => {
    for (const given of [
      { inGuild: false },
      { locked: true },
      { lock: "unknown" as const },
      { balance: { available: cents(999) } },
    ])
      expect(Object.keys(buttonsOf(alone(given)))).not.toContain("Sacar");
  });

  test("leads to the service's dashboard where withdrawals are not switched on", () => {
    const view = alone({ withdrawEnabled: false });
    expect(Object.keys(buttonsOf(view))).toEqual(["Vendas", "MEDs", "Saques"]);
    expect(next({ withdrawEnabled: false })).toBe(ELSEWHERE);
  });

  test("below a day's sales keeps the one button that its question asks for", () => {
    const question = { cause: "restored", why: "newer", withdrawals: [], answerId: "0" } as const;
    const way = { "Conferi estes saques": "saques:conferi:0" };
    expect(read({ question }).join("\n")).toContain(
      "toque no botão, e a conta fica liberada para novos saques",
    );
    expect(buttonsOf(balanceView(facts({ question })))).toEqual(way);
    expect(buttonsOf(alone({ question }))).toMatchObject(way);
    expect(buttonsOf(balanceView(facts()))).toEqual({});
  });

  test("below the minimum says so, and what the minimum is", () => {
    const lines = read({ balance: { available: cents(999) } });
    expect(lines[1]?.split("\n").filter((each) => each.includes("mínimo"))).toEqual([
      "Ainda não dá para sacar: o mínimo é R$ 10,00, contado antes da taxa.",
    ]);
    expect(lines.join()).not.toContain("Você já pode sacar");
  });

  test("rule 12: carries the codes by which the support finds what could not be read, each once", () => {
    const lines = read({ problems: ["timeout"], supportCodes: ["req_1", "req_1", "req_2"] });
    expect(lines).toContain("Código de suporte: `req_1`\n`req_2`");
    expect(read({}).join("\n")).not.toContain("Código");
  });

  test("says of every part that could not be read that it is not known, and why", () => {
    const lines = read({
      balance: undefined,
      frozen: undefined,
      elsewhereOpen: undefined,
      problems: ["timeout", "timeout", "unavailable"],
    });
    expect(lines[0]).toBe("Saldo: não sei agora");
    expect(lines[1]).toContain("Quanto está retido por MEDs, não sei agora.");
    expect(lines.join("\n")).toContain("Em andamento: Não li a lista do serviço");
    expect(lines.join("\n")).toContain(
      `Não consegui ler tudo: O serviço de pagamentos demorou demais.\nO serviço de pagamentos está com problemas.\n${READ_AT}`,
    );
    expect(lines.join("\n")).not.toContain("R$");
  });
});

test.each([
  ["pt-BR", "Para sacar, use `/saque` no servidor."],
  ["en-US", "To withdraw, run `/saque` in the server."],
] as const)("in a direct message in %s names the way to withdraw", (locale, words) => {
  expect(readMessage(alone({ inGuild: false, locale })).join()).toContain(words);
  expect(readMessage(alone({ locale })).join()).not.toContain("`/saque`");
  const low = { balance: { available: cents(0) } };
  expect(readMessage(alone({ inGuild: false, locale, ...low })).join()).not.toContain("`/saque`");
});

describe("what is on its way", () => {
  test("is ours, with its plan and the way to it, and what was made elsewhere", () => {
    const view = alone({
      open: [acceptedOp({ state: "scheduled", scheduledFor: NOW })],
      elsewhereOpen: ["a-1", "a-2", "a-3", "a-4"].map(elsewhere),
    });
    const line = readMessage(view).find((each) => each.startsWith("Em andamento")) ?? "";
    expect(line.split("\n")).toEqual([
      `Em andamento: **W-7K2Q9** · R$ 1.234,00 · Agendado · previsto para ${WHEN}`,
      "**R$ 75,00** · Agendado · `a-1` · fora do bot",
      "**R$ 75,00** · Agendado · `a-2` · fora do bot",
      "**R$ 75,00** · Agendado · `a-3` · fora do bot",
      "E mais 1, em `/saques`.",
    ]);
    expect(buttonsOf(view)).toMatchObject({ "Ver W-7K2Q9": "saques:status:W-7K2Q9" });
  });

  test.each([
    ["pt-BR", "talvez o seu W-7K2Q9", "fora do bot"],
    ["en-US", "may be your W-7K2Q9", "outside the bot"],
  ] as const)(
    "in %s is not told as made elsewhere where it may be one in doubt",
    (locale, words, not) => {
      const elsewhereOpen = [{ ...elsewhere("a-1"), mayBeOpId: "W-7K2Q9" }];
      const text = readMessage(alone({ elsewhereOpen, locale })).join("\n");
      expect(text).toContain(` · \`a-1\` · ${words}`);
      expect(text).not.toContain(not);
    },
  );
});

const processing = { phase: "processing", amount: cents(54_040), plannedFor: undefined } as const;
const scheduled = { ...processing, phase: "scheduled" } as const;
const recent = { at: NOW, allowedFrom: NOW };
const low = { balance: { available: cents(0) } } as const;
const LOW = "Ainda não dá para sacar: o mínimo é R$ 10,00, contado antes da taxa.";
const AFTER = "🕐 R$ 540,40 a caminho; o próximo, pelo que sei, só depois que ele terminar.";
const UNREAD =
  "Há um saque aceito que não consigo ler até o fim; o serviço pode recusar outro enquanto ele não terminar.";
const FROM = `O último saque foi em ${WHEN}; pelo que sei, um novo é aceito a partir de ${WHEN}.`;
const STUCK = "Novo saque só depois de saber se o último foi feito: veja `/saques`.";
const cap = (left: number, freesAt?: Temporal.Instant) => ({
  cap: { cap: cents(50_000), left: cents(left), freesAt },
});

describe("S8: the next withdrawal", () => {
  test.each<[string, Partial<BalanceFacts>, readonly string[]]>([
    ["is possible", {}, [NOW_FOR]],
    [
      "is locked",
      { locked: true, recent },
      ["Você travou os saques. Para destravar: `/seguranca`."],
    ],
    ["follows one in processing", { underWay: [processing] }, [AFTER]],
    [
      "follows another person's in processing",
      { underWay: [{ ...processing, amount: undefined }] },
      ["🕐 Há um saque a caminho; o próximo, pelo que sei, só depois que ele terminar."],
    ],
    ["follows one in processing and a day", { underWay: [processing], recent }, [AFTER, FROM]],
    ["follows a day", { recent }, [FROM]],
    ["has an unknown outcome before it", { lock: "unknown", recent }, [STUCK]],
    ["has a decision before it", { lock: "manual" }, [STUCK]],
    [
      "has one that is being sent before it",
      { lock: "sending" },
      ["Há um saque saindo agora: espere a resposta do serviço."],
    ],
    ["has no balance", low, [LOW]],
    ["has no balance beside one in processing", { ...low, underWay: [processing] }, [LOW, AFTER]],
    ["has no balance and an unknown outcome", { ...low, lock: "unknown" }, [LOW, STUCK]],
    [
      "has a used limit before it",
      cap(999, NOW),
      [`O seu limite de R$ 500,00 em 24 horas já foi usado: libera em ${WHEN}.`],
    ],
    [
      "has a used limit beside one in processing",
      { ...cap(0, NOW), underWay: [processing] },
      [`O seu limite de R$ 500,00 em 24 horas já foi usado: libera em ${WHEN}.`, AFTER],
    ],
    [
      "has a limit that leaves a part",
      cap(12_000),
      [
        "✅ Você já pode sacar: recebe **R$ 119,50** (normal, em até 24 horas) ou **R$ 116,50** (turbo, na hora).",
        "Pelo seu limite de 24 horas, ainda cabem R$ 120,00.",
      ],
    ],
    [
      "is not claimed to be limited by one that was not paid",
      { recent: { ...recent, isUnpaid: true } },
      [
        `O último saque, de ${WHEN}, não foi pago; o serviço não diz se ele conta no limite de um a cada 24 horas. Se contar, um novo é aceito a partir de ${WHEN}.`,
      ],
    ],
    ["has a limit that leaves all", cap(500_000), [NOW_FOR]],
    [
      "cannot be told while the list is unread",
      { elsewhereOpen: undefined, problems: ["timeout"] },
      ["Não sei se você já pode sacar: não consegui ler tudo agora. O serviço decide."],
    ],
    [
      "cannot be told while the balance is unread",
      { balance: undefined, problems: ["timeout"] },
      ["Não sei se você já pode sacar: não consegui ler tudo agora. O serviço decide."],
    ],
    [
      "is told as far as it is known while the list is unread",
      { recent, elsewhereOpen: undefined },
      [FROM, "Não consegui ler tudo, então o serviço pode dizer outra coisa."],
    ],
    ["does not depend on what is frozen", { problems: ["timeout"] }, [NOW_FOR]],
  ])("%s", (_, given, lines) => {
    expect(next(given)).toBe(lines.join("\n"));
  });

  test.each(["pt-BR", "en-US"] as const)(
    "rule 55: beside a scheduled one is told as not known, in %s",
    (locale) => {
      const words = readMessage(balanceView(facts({ underWay: [scheduled], locale }))).join("\n");
      expect(words).toContain(
        locale === "pt-BR"
          ? "🕐 R$ 540,40 agendado; não sei se o serviço aceita outro antes de ele terminar."
          : "I do not know whether the service takes another before it has ended.",
      );
      expect(words).not.toMatch(/Você já pode sacar|You can withdraw now/);
    },
  );

  const hidden = (phase: "processing" | "scheduled" | "unread") => ({
    underWay: [processing, processing].map((one) => ({ ...one, phase, amount: undefined })),
  });
  test.each<[string, Partial<BalanceFacts>]>([
    ["🕐 2 saques a caminho, R$ 1.080,80 ao todo; ", { underWay: [processing, processing] }],
    ["🕐 2 saques agendados, R$ 1.080,80 ao todo; ", { underWay: [scheduled, scheduled] }],
    [
      "🕐 Há 2 saques a caminho; o próximo, pelo que sei, só depois que eles ",
      hidden("processing"),
    ],
    ["🕐 Há 2 saques agendados; ", hidden("scheduled")],
    ["Há 2 saques aceitos que não consigo ler até o fim; ", hidden("unread")],
    ["🕐 2 withdrawals are under way", { ...hidden("processing"), locale: "en-US" }],
  ])("follows several, which it counts: %s", (words, given) => {
    expect(next(given)).toContain(words);
    expect(next(given)).not.toMatch(/ ele |\bit has/);
  });

  test.each<[string, Partial<BalanceFacts>, readonly string[]]>([
    ["has no balance", low, [ELSEWHERE]],
    ["has a limit", cap(12_000), [ELSEWHERE]],
    [
      "is locked",
      { locked: true, recent },
      ["Você travou os saques. Para destravar: `/seguranca`."],
    ],
    ["has an unknown outcome before it", { ...low, lock: "unknown", recent }, [STUCK]],
    ["has a decision before it", { lock: "manual" }, [STUCK]],
    [
      "has one that is being sent before it",
      { lock: "sending" },
      ["Há um saque saindo agora: espere a resposta do serviço."],
    ],
    [
      "follows one in processing and a day",
      { underWay: [processing], recent },
      [ELSEWHERE, AFTER, FROM],
    ],
    [
      "follows one whose end cannot be read",
      { underWay: [{ ...processing, phase: "unread" }] },
      [UNREAD],
    ],
    [
      "is told as far as it is known while the list is unread",
      { recent, elsewhereOpen: undefined },
      [ELSEWHERE, FROM, "Não consegui ler tudo, então o serviço pode dizer outra coisa."],
    ],
  ])("%s where withdrawals are not switched on", (_, given, lines) => {
    expect(next({ ...given, withdrawEnabled: false })).toBe(lines.join("\n"));
  });

  test.each(["pt-BR", "en-US"] as const)(
    "names a withdrawal in each line, which follows the title alone, in %s",
    (locale) => {
      const amount = undefined;
      for (const given of [
        { locked: true },
        { lock: "unknown" },
        { lock: "sending" },
        low,
        { recent },
        { underWay: [{ ...processing, amount }] },
        { underWay: [{ ...scheduled, amount }] },
        { underWay: [{ ...processing, phase: "unread" }] },
        { elsewhereOpen: undefined, problems: ["timeout"] },
      ] satisfies readonly Partial<BalanceFacts>[]) {
        const words = next({ ...given, frozen: cents(0), locale })?.replace(/`[^`]*`/g, "");
        expect(words).toMatch(/saque|sacar|withdraw/i);
      }
    },
  );

  test("rule 55: beside one that cannot be read says that the service may refuse", () => {
    expect(next({ underWay: [{ ...processing, phase: "unread" }] })).toContain(
      "o serviço pode recusar outro enquanto ele não terminar",
    );
  });
});

test.each(["pt-BR", "en-US"] as const)("every balance in %s fits", (locale) => {
  const long = { ...elsewhere("t".repeat(500)), status: "s".repeat(500) };
  const problems = ["timeout", "unavailable", "malformed", "unauthorized"] as const;
  for (const given of [
    {},
    {
      problems,
      open: [1, 2, 3, 4].map((each) => acceptedOp({ id: `W-7K2Q${each}` })),
      elsewhereOpen: [long, long, long, long],
      underWay: [processing, { ...processing, phase: "unread" as const }],
      recent: { at: NOW, allowedFrom: NOW },
      cap: { cap: cents(2_000), left: cents(0), freesAt: NOW },
    },
  ])
    expect(brokenLimits(balanceView(facts({ ...given, locale })))).toEqual([]);
});
