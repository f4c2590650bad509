import { describe, expect, test } from "vitest";
import { disputeFilters } from "#src/disputes/dispute-list.ts";
import { cents } from "#src/shared/money.ts";
import {
  awaitingLine,
  disputeChoices,
  disputedSaleChoices,
  type DisputeListFacts,
  disputeListView,
  disputeRateView,
} from "#src/disputes/dispute-list.view.ts";
import type { DisputeState } from "#src/disputes/dispute.ts";
import type { Locale } from "#src/shared/locale.ts";
import { NOW, READ_AT, WHEN } from "../support/samples.ts";
import {
  DUE,
  DUE_WHEN,
  INFRACTION,
  listFacts,
  sampleRow,
  sampleSummary,
} from "./dispute-samples.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { buttonsOf, labelsOf, menusOf, readMessage } from "../ui/read-message.ts";

const read = (given: Partial<DisputeListFacts> = {}) =>
  readMessage(disputeListView(listFacts(given)));
/** A code as a list shows it. */
const CODE = `${INFRACTION.slice(0, 11)}…`;
const NO_ROWS = { rows: [], found: 0, awaiting: 0 };
const ten = Array.from({ length: 10 }, (_, n) => sampleRow({ infractionId: `infraction-${n}` }));

describe("the list of disputes", () => {
  test("opens on what needs an answer by amount and product, the others in one line", () => {
    const row = sampleRow({ product: "Plano VIP mensal" });
    expect(read({ filter: "answer", rows: [row] })).toEqual([
      "⏰ 1 MED precisa de resposta",
      `**R$ 249,00** · \`Plano VIP mensal\` · prazo ${DUE_WHEN}\n\n1 com o banco · 2 encerrados (1 ganho) · retido R$ 318,19`,
      READ_AT,
    ]);
    expect(read({ filter: "answer", rows: [row], locale: "en-US" })).toEqual([
      "⏰ 1 MED needs your answer",
      `**R$ 249.00** · \`Plano VIP mensal\` · due ${DUE_WHEN}\n\n1 with the bank · 2 closed (1 won) · R$ 318.19 on hold`,
      READ_AT,
    ]);
  });

  test("has a headline that other answers repeat word for word, and none where nothing waits", () => {
    const counts = { bank: 0, ended: 0, won: 0, overdue: 1 };
    for (const locale of ["pt-BR", "en-US"] as const) {
      const facts = listFacts({ awaiting: 2, counts, locale });
      expect(awaitingLine(facts, locale)).toBe(
        `${readMessage(disputeListView(facts))[0]}: \`/meds\``,
      );
    }
    expect(awaitingLine(listFacts(NO_ROWS), "pt-BR")).toBeUndefined();
  });

  test("has a menu to choose one and a way to all, which has the kinds, the rate and what was lost", () => {
    const short = disputeListView(listFacts({ filter: "answer" }));
    expect(menusOf(short)).toHaveLength(1);
    expect(buttonsOf(short)).toEqual({ Todos: "meds:lista:" });
    const all = disputeListView(listFacts());
    expect(menusOf(all)).toHaveLength(2);
    expect(readMessage(all)[1]).toMatch(/perdido até hoje R\$.150,40(?! \()/);
  });

  test("has the link to the panel while one waits, or may wait", () => {
    const answerUrl = "https://painel.example/med";
    const links = (given: Partial<DisputeListFacts>) =>
      disputeListView(listFacts({ answerUrl, ...given })).components?.filter(
        ({ components: [first] }) => first !== undefined && "url" in first,
      );
    const link = { components: [{ url: answerUrl, label: "Responder no painel" }] };
    for (const filter of disputeFilters) expect(links({ filter })).toMatchObject([link]);
    expect(links({ locale: "en-US" })).toMatchObject([
      { components: [{ label: "Answer in the dashboard" }] },
    ]);
    const unread = sampleRow({ amount: undefined, dueAt: undefined, state: undefined });
    expect(links({ rows: [unread], awaiting: 0, mayAwait: 1 })).toMatchObject([link]);
    const won = { rows: [sampleRow({ state: "won" })], awaiting: 0 };
    expect(links({ ...won, mayAwait: 1 })).toMatchObject([link]);
    expect(links(won)).toEqual([]);
    expect(links({ answerUrl: undefined })).toEqual([]);
    expect(brokenLimits(disputeListView(listFacts({ answerUrl, rows: ten, pages: 3 })))).toEqual(
      [],
    );
  });

  test("tells those that are overdue from those that can be answered", () => {
    const title = (awaiting: number, overdue: number, locale: Locale = "pt-BR") =>
      read({ awaiting, counts: { overdue, bank: 0, ended: 0, won: 0 }, locale })[0];
    expect(title(3, 1)).toBe("⏰ 2 MEDs precisam de resposta e outro está com o prazo vencido");
    expect(title(3, 2)).toBe("⏰ 1 MED precisa de resposta e outros 2 estão com o prazo vencido");
    expect(title(1, 1)).toBe("⏰ 1 MED com o prazo vencido, sem resposta");
    expect(title(2, 2)).toBe("⏰ 2 MEDs com o prazo vencido, sem resposta");
    expect(title(3, 1, "en-US")).toBe("⏰ 2 MEDs need your answer, 1 more is overdue");
    expect(title(3, 2, "en-US")).toBe("⏰ 1 MED needs your answer, 2 more are overdue");
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
        `**R$ 249,00** · \`${CODE}\` · ${label} · ${when}`,
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
    expect(read({ rows: [sampleRow(nothing)] })[1]).toContain(
      `\`${CODE}\` · Não consegui ler este agora`,
    );
  });

  test("counts those that wait on other pages and under other filters too", () => {
    const text = read({ rows: [sampleRow({ state: "won" })], filter: "won", awaiting: 3 })[0];
    expect(text).toBe("⏰ 3 MEDs precisam de resposta");
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

  test("says that the hours in its menu are Brasília's, beside those of the reader's zone", () => {
    const menu = (locale: Locale) => menusOf(disputeListView(listFacts({ rows: ten, locale })))[1];
    expect(menu("pt-BR")?.placeholder).toBe("Abrir um MED (horários de Brasília)");
    expect(menu("en-US")?.placeholder).toBe("Open a MED (Brasília time)");
  });

  test("opens each of its rows, and marks what it is narrowed to", () => {
    const [filter, choose] = menusOf(disputeListView(listFacts({ rows: ten, filter: "bank" })));
    expect(choose?.options.map(({ value }) => value)).toEqual(
      ten.map(({ infractionId }) => infractionId),
    );
    expect(choose?.options[0]?.label.replace("\u00a0", " ")).toBe(
      "R$ 249,00 · prazo dom 22/11 15:00 · infraction-0",
    );
    expect(filter?.options.filter((each) => each.default).map(({ label }) => label)).toEqual([
      "Com o banco",
    ]);
    expect(menusOf(disputeListView(listFacts(NO_ROWS)))).toHaveLength(1);
  });
});

test("a suggestion is words alone, and its value is the infraction's id", () => {
  expect(disputeChoices([sampleRow()], "en-US")).toEqual([
    { name: `R$\u00a0249.00 · due Sun, Nov 22, 3:00 PM · ${INFRACTION}`, value: INFRACTION },
  ]);
  expect(disputeChoices([sampleRow({ state: "won" })], "en-US")[0]?.name).toBe(
    `R$\u00a0249.00 · won · ${INFRACTION}`,
  );
  expect(disputeChoices([...ten, ...ten, ...ten], "pt-BR")).toHaveLength(25);
});

test.each(["pt-BR", "en-US"] as const)(
  "a suggestion in %s has room for the code after the longest product, in each state",
  (locale) => {
    const states = ["needs_answer", "overdue", "defended", "conceded", "lost", "won", "cancelled"];
    for (const state of states as readonly DisputeState[]) {
      const row = sampleRow({ state, product: "p".repeat(80) });
      const [choice] = disputeChoices([row], locale);
      expect(choice?.name, state).toContain(INFRACTION.slice(0, 12));
    }
  },
);

test("a contested sale is offered by its product and the MED's state, its code named as one", () => {
  const row = sampleRow({ txid: "tx-1", product: "Curso", state: "overdue" });
  expect(disputedSaleChoices([row], "pt-BR")).toEqual([
    { name: `MED · “Curso” · R$\u00a0249,00 · prazo vencido · Infração ${CODE}`, value: "tx-1" },
  ]);
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

const viewOf = (given: Partial<DisputeListFacts> = {}) => disputeListView(listFacts(given));
const readNotes = (given: Partial<DisputeListFacts> = {}) => readMessage(viewOf(given));
const EMPTY = {
  ...sampleSummary,
  byStatus: { pending: 0, agreed: 0, disagreed: 0, canceled: 0, total: 0 },
};

describe("a list without rows", () => {
  test.each([
    [
      "pt-BR",
      "✅ Nenhum MED nesta conta",
      "Nenhum MED nessa situação. No menu você escolhe outra.",
    ],
    ["en-US", "✅ No MEDs on this account", "None of this kind. The menu has the others."],
  ] as const)(
    "in %s says so, of all and of one kind, and offers the kinds",
    (locale, none, kind) => {
      const counts = { overdue: 0, bank: 0, ended: 0, won: 0 };
      const empty = viewOf({ ...NO_ROWS, counts, summary: EMPTY, locale });
      expect(readMessage(empty)).toEqual([none, READ_AT]);
      const narrowed = viewOf({ ...NO_ROWS, filter: "lost", locale });
      expect(readMessage(narrowed)[1]?.split("\n\n")[0]).toBe(kind);
      const others = viewOf({ ...NO_ROWS, awaiting: 2, filter: "lost", locale });
      expect(readMessage(others)[1]?.split("\n\n")[0]).toBe(kind);
      for (const view of [empty, narrowed]) {
        expect(menusOf(view).map(({ options }) => options.length)).toEqual([6]);
        expect(labelsOf(view)).toHaveLength(1);
      }
    },
  );

  test("leads nowhere from the first view of an account that never had one", () => {
    const first = (given: Partial<DisputeListFacts>) =>
      viewOf({ ...NO_ROWS, filter: "answer", summary: EMPTY, ...given });
    expect(labelsOf(first({}))).toEqual([]);
    expect(labelsOf(first({ unlisted: 1 }))).toEqual(["Todos"]);
    expect(labelsOf(first({ summary: sampleSummary }))).toEqual(["Todos"]);
  });

  test("says that there is none only when all was read", () => {
    expect(readNotes({ ...NO_ROWS, summary: EMPTY })[0]).toBe("✅ Nenhum MED nesta conta");
    expect(readNotes({ ...NO_ROWS, rows: [sampleRow({ state: "won" })] })[0]).toBe(
      "✅ Nenhum MED espera a sua resposta",
    );
    for (const given of [
      { listProblem: "malformed" as const, problems: ["malformed" as const] },
      { unlisted: 2 },
      { unlisted: undefined, summary: undefined, problems: ["timeout" as const] },
      { rows: [sampleRow({ state: undefined })], mayAwait: 1 },
      { rows: [sampleRow({ state: "other" })], mayAwait: 1 },
      // It stands on another page.
      { rows: [sampleRow({ state: "won" })], page: 1, pages: 2, found: 11, mayAwait: 1 },
    ])
      for (const filter of ["all", "answer"] as const)
        expect(readNotes({ ...NO_ROWS, filter, ...given }).join("\n")).not.toMatch(/Nenhum MED/);
  });
});

describe("what could not be read", () => {
  test("that cannot be read says why, and how to open one by hand", () => {
    const unread = { listProblem: "malformed", problems: ["malformed"] } as const;
    const text = readNotes({ ...NO_ROWS, ...unread }).join("\n");
    expect(text).toContain("**Não consegui ler a lista de MEDs do serviço agora.**");
    expect(text).toContain("O serviço respondeu algo que não entendi.");
    expect(text).toContain("abra com `/meds infracao:`, e eu passo a acompanhar o prazo dele");
    expect(text).not.toContain("os que eu já acompanhava");
    expect(readNotes(unread).join("\n")).toContain("Abaixo estão os que eu já acompanhava.");
  });

  test.each([
    ["pt-BR", "Abaixo estão os que eu já acompanhava.", "prazo <t:"],
    ["en-US", "Below are those that I was already following.", "due <t:"],
  ] as const)("has the MEDs that it calls below after it, in %s", (locale, note, row) => {
    const text = readNotes({ listProblem: "malformed", locale })[1] ?? "";
    expect(text).toContain(row);
    expect(text.indexOf(note)).toBeLessThan(text.indexOf(row));
  });

  test("says when the summary was not read, and what it counts beyond the list", () => {
    const unread = {
      summary: undefined,
      unlisted: undefined,
      problems: ["timeout"],
      supportCodes: ["req_1"],
    } as const;
    expect(readNotes(unread)).toContain("Código de suporte: `req_1`");
    expect(readNotes(unread)[1]).toContain(
      "Não consegui ler o resumo do serviço agora. O serviço de pagamentos demorou demais.",
    );
    expect(readNotes({ unlisted: 1 })[1]).toContain("conta 1 MED que não aparece na lista");
    expect(readNotes({ unlisted: 6 })[1]).toContain("conta 6 MEDs que não aparecem na lista");
  });

  test("S12: says that the service counts more without an answer than is shown", () => {
    const [, text] = readNotes({ unlisted: 1, unlistedPending: 1 });
    expect(text).toContain("**O serviço conta 2 MEDs pendentes e eu só consigo ler 1.**");
    expect(text).toContain("Abra o painel do serviço");
    expect(text).not.toContain("O resumo conta 1 MED que");
    expect(readNotes({ unlistedPending: 2, listProblem: "malformed" })[1]).toContain(
      "não consigo ler nenhum",
    );
    expect(readNotes({ awaiting: 0, rows: [], unlistedPending: 1 })[0]).not.toContain("Nenhum MED");
    expect(readNotes({ unlistedPending: 1, locale: "en-US" })[1]).toContain("I can read only 1.");
  });

  test("counts those that wait as at least so many, since others may wait too", () => {
    for (const given of [
      { unlisted: 6 },
      { listProblem: "timeout" as const },
      { mayAwait: 7, found: 12, pages: 2 },
    ])
      expect(readNotes(given)[0]).toBe("⏰ Pelo menos 1 MED precisa de resposta");
    expect(readNotes({ unlisted: 6, awaiting: 2, locale: "en-US" })[0]).toBe(
      "⏰ At least 2 MEDs need your answer",
    );
  });
});

describe("beside the list", () => {
  test("says when nobody reminds of deadlines, or when what was sent reached nobody, and what to do", () => {
    const text = (given: Partial<DisputeListFacts>) => readNotes(given)[1];
    expect(text({})).not.toMatch(/alerta/);
    expect(text({ alerts: "off", undelivered: 3 })).toMatch(/desligados.*`\/conta ver`/);
    expect(text({ undelivered: 1 })).toContain(
      "**1 alerta dos últimos 7 dias não chegou até você.** Libere no Discord as mensagens diretas",
    );
    expect(text({ undelivered: 4 })).toMatch(/4 alertas.*não chegaram.*canal de alertas, em/);
    expect(text({ undelivered: 4, locale: "en-US" })).toContain("4 alerts of the last 7 days");
    expect(text({ alerts: "off", locale: "en-US" })).toContain("**Your MED alerts are off.**");
  });

  test.each([
    [
      "pt-BR",
      /mensagens diretas do servidor em que você vende, ou, se houver um, escolha nele o canal de alertas.*`\/conta ver`/,
      "Para eu lembrar você dos prazos, use `/conta ver` no servidor em que você vende.",
    ],
    [
      "en-US",
      /direct messages from the server where you sell, or, if it has an alert channel, choose that.*`\/conta ver` there/,
      "To be reminded of deadlines, use `/conta ver` in the server where you sell.",
    ],
  ] as const)(
    "sends who reads it in a direct message to the server, and promises there no alert channel, in %s",
    (locale, undelivered, off) => {
      expect(readNotes({ undelivered: 1, locale })[1]).toMatch(undelivered);
      expect(readNotes({ alerts: "off", locale })[1]).toContain(off);
    },
  );
});
