import { cents } from "#src/shared/money.ts";
import { describe, expect, test } from "vitest";
import {
  transactionChoices,
  transactionDetailView,
  transactionListView,
} from "#src/transactions/transactions.view.ts";
import type { TransactionList } from "#src/transactions/transaction-list.ts";
import type { ListedTransaction } from "#src/transactions/transaction.ts";
import type { Reply } from "#src/ui/reply.ts";
import { NOW } from "../support/samples.ts";
import { menusOf } from "../ui/read-message.ts";
import {
  samplePayment,
  samplePayout,
  sampleRow,
  transactionFacts,
  TXID,
} from "./transaction-samples.ts";

const listOf = (
  rows: readonly ListedTransaction[],
  changes: Partial<TransactionList> = {},
): TransactionList => ({
  filter: "all",
  period: undefined,
  page: 0,
  pages: 1,
  rows,
  found: rows.length,
  more: false,
  furtherPage: undefined,
  unnamed: 0,
  undated: 0,
  problem: undefined,
  supportCodes: [],
  readAt: NOW,
  ...changes,
});

const fieldsOf = ({ embeds = [] }: Reply) => embeds[0]?.fields ?? [];
const descriptionOf = ({ embeds = [] }: Reply) => embeds[0]?.description ?? "";
const idsOf = ({ components = [] }: Reply): readonly string[] =>
  components.flatMap((row) =>
    row.components.flatMap((each) => ("custom_id" in each ? [each.custom_id] : [])),
  );

describe("the list", () => {
  test("tells a row by amount, state and product; by its code only where it has nothing else", () => {
    const rows = [sampleRow(), sampleRow({ txid: "bare", description: undefined })];
    const [told, bare] = fieldsOf(transactionListView(listOf(rows), "pt-BR"));
    expect(told?.name).toBe("R$\u00a0249,00 · ✅ Aprovada · Venda");
    expect(told?.value).toMatch(/^`Plano VIP mensal` · Criada em <t:\d+:d> <t:\d+:t>$/);
    expect(bare?.value).toMatch(/^Sem descrição · Criada em <t:\d+:d> <t:\d+:t> · `bare`$/);
  });

  test.each([
    ["pending", "payment", "⏳ Pendente · Venda"],
    ["refunded", "payment", "↩️ Estornada · Venda"],
    ["expired", "payment", "⌛ Expirada · Venda"],
    ["approved", "withdrawal", "✅ Concluído · Saque"],
    [undefined, undefined, "❔ Situação não informada · Transação"],
  ])("says %s %s as %s", (status, type, words) => {
    const [row] = fieldsOf(transactionListView(listOf([sampleRow({ status, type })]), "pt-BR"));
    expect(row?.name).toBe(`R$\u00a0249,00 · ${words}`);
  });

  test.each(["scheduled", "processing"])(
    "never says of a %s withdrawal how it stands: the service does not tell here that it failed",
    (status) => {
      const rows = [sampleRow({ status, type: "withdrawal", description: undefined })];
      const [row] = fieldsOf(transactionListView(listOf(rows), "pt-BR"));
      expect(row?.name).toBe("R$\u00a0249,00 · Saque");
      expect(row?.value).toMatch(
        /^❔ Veja o fim em `\/saques` · Criado em <t:\d+:d> <t:\d+:t> · `a41f/,
      );
      const [english] = fieldsOf(transactionListView(listOf(rows), "en-US"));
      expect(english?.value).toContain("❔ See its end in `/saques`");
    },
  );

  test("quotes a state that nobody knew, in the value alone", () => {
    const rows = [sampleRow({ status: "em_recurso", amount: undefined })];
    const [row] = fieldsOf(transactionListView(listOf(rows), "pt-BR"));
    expect(row?.name).toBe("valor não informado · Venda");
    expect(row?.value).toContain("❔ `em_recurso`");
  });

  test.each([
    [
      listOf([]),
      "O serviço não mostra nenhuma transação nesta conta. Para cobrar a primeira, use `/cobrar` no servidor.",
    ],
    [listOf([], { filter: "pending" }), "Nenhuma transação com esse filtro."],
    [listOf([], { filter: "pending", more: true }), "entre as que o serviço me deu até agora"],
    [listOf([sampleRow()]), "**1 transação.**"],
    [listOf([sampleRow()], { found: 61, more: true, pages: 7 }), "**61 transações ou mais.**"],
    [listOf([sampleRow()], { unnamed: 2 }), "2 linhas do serviço vieram sem txid"],
    [listOf([sampleRow()], { undated: 1 }), "1 veio sem data"],
    [
      listOf([], { problem: "malformed" }),
      "tente `/transacoes txid:`. O detalhe pode abrir mesmo sem a lista.",
    ],
    [listOf([sampleRow()], { problem: "timeout" }), "Não consegui ler a lista até o fim."],
  ])("says in a sentence what it has (%#)", (list, sentence) => {
    expect(descriptionOf(transactionListView(list, "pt-BR"))).toContain(sentence);
  });

  test("that could not be read never says that there is nothing", () => {
    const unread = transactionListView(listOf([], { problem: "malformed" }), "en-US");
    expect(descriptionOf(unread)).toContain("I could not read the service's list");
    expect(descriptionOf(unread)).not.toContain("no transaction");
  });

  test.each(["unavailable", "timeout", "unreachable", "rate_limited"] as const)(
    "that is %s does not send to a detail that cannot be read either",
    (problem) => {
      const told = descriptionOf(transactionListView(listOf([], { problem }), "pt-BR"));
      expect(told).toContain("Não consegui ler a lista de transações do serviço.");
      expect(told).not.toContain("txid");
      expect(told).toMatch(/[Tt]ente de novo/);
    },
  );

  test.each([
    ["pt-BR", "O serviço pode ter mais do que isto. Se você tem o txid de outra, abra com"],
    ["en-US", "The service may have more than this. If you have the txid of another, open it with"],
  ] as const)(
    "that goes on where nobody can read sends to the code of a transaction, and to no period, in %s",
    (locale, words) => {
      const shown = transactionListView(listOf([sampleRow()], { more: true }), locale);
      expect(descriptionOf(shown)).toContain(`${words} \`/transacoes txid:\`.`);
      expect(descriptionOf(shown)).not.toMatch(/período|period/);
      expect(idsOf(shown).filter((id) => id.startsWith("transacoes:pagina:"))).toEqual([]);
    },
  );

  test.each([
    ["pt-BR", "**1 transação ou mais.**\nSó as criadas em", "Ler mais"],
    ["en-US", "**1 transaction or more.**\nOnly those created on", "Read more"],
  ] as const)(
    "that was read in part alone says so beneath its last page, with a button to go on, in %s",
    (locale, one, label) => {
      const day = Temporal.PlainDate.from("2026-11-01");
      const period = { kind: "days", from: day, to: day } as const;
      const part = { period, more: true, furtherPage: 20 };
      const last = transactionListView(listOf([sampleRow()], part), locale);
      expect(descriptionOf(last)).toContain(one);
      expect(descriptionOf(last)).toContain(`: **${label}** `);
      expect((last.components ?? []).flatMap((row) => row.components).at(-1)).toMatchObject({
        label,
        custom_id: "transacoes:pagina:all.2026-11-01/2026-11-01.20",
      });
      const earlier = transactionListView(listOf([sampleRow()], { ...part, pages: 2 }), locale);
      expect(JSON.stringify(earlier)).not.toContain(label);
    },
  );

  test("turns pages under the same filter and period", () => {
    const day = Temporal.PlainDate.from("2026-11-01");
    const period = { kind: "days", from: day, to: day.add({ days: 14 }) } as const;
    const shown = transactionListView(
      listOf([sampleRow()], { filter: "approved", period, page: 1, pages: 3, found: 30 }),
      "pt-BR",
    );
    expect(idsOf(shown)).toEqual([
      "transacoes:filtro:2026-11-01/2026-11-15",
      "transacoes:abrir:",
      "transacoes:pagina:approved.2026-11-01/2026-11-15.0",
      "transacoes:pagina:approved.2026-11-01/2026-11-15.2",
    ]);
    expect(descriptionOf(shown)).toContain("Só as criadas de 01/11/2026 a 15/11/2026, dias de");
    expect(descriptionOf(shown)).toContain("Página 2 de 3.");
  });
});

describe("one transaction", () => {
  test("tells a sale's money, payer with the code of the bank as it came, and its codes last", () => {
    const shown = transactionDetailView(transactionFacts(samplePayment()));
    expect(shown.embeds?.[0]?.title).toBe("Venda · ✅ Aprovada");
    const texts = fieldsOf(shown).map(({ name, value }) => `${name}: ${value}`);
    expect(texts.slice(0, 3)).toEqual([
      "Valor: **R$\u00a0249,00**",
      "Taxa: R$\u00a014,94",
      "Líquido: **R$\u00a0234,06**",
    ]);
    expect(texts.join("\n")).toContain("`Camila Ribeiro Fontes` · documento `***.482.917-**`");
    expect(texts.join("\n")).toContain("`Banco Horizonte Azul S.A.` (código `091`)");
    expect(texts.join("\n")).toContain("Conta: corrente");
    expect(texts.at(-1)).toBe(`Códigos: txid \`${TXID}\``);
  });

  test("offers what fits it", () => {
    const facts = transactionFacts(samplePayment());
    expect(idsOf(transactionDetailView(facts))).toEqual([
      `transacoes:prova:${TXID}`,
      "meds:ver:account-1.b3c5e0f2-66d1",
      `estornar:pedir:${TXID}`,
      "transacoes:lista:",
    ]);
    const withdrawn = transactionFacts(samplePayout());
    const plain = { ...withdrawn, dispute: undefined, refundEnabled: false };
    const { txid } = plain.transaction;
    expect(idsOf(transactionDetailView(plain))).toEqual([
      `saques:detalhes:${txid}`,
      "transacoes:lista:",
    ]);
  });

  test.each([
    ["pt-BR", "Ver o saque", "só o detalhe do saque diz: **Ver o saque**"],
    ["en-US", "See the withdrawal", "only its own detail says: **See the withdrawal**"],
  ] as const)("of a withdrawal opens where its end is told, in %s", (locale, label, sentence) => {
    const payout = samplePayout({ status: "processing" });
    const shown = transactionDetailView(transactionFacts(payout, locale));
    const buttons = (shown.components ?? []).flatMap((row) => row.components);
    expect(buttons[0]).toMatchObject({
      label,
      custom_id: `saques:detalhes:${samplePayout().txid}`,
    });
    expect(descriptionOf(shown)).toContain(sentence);
  });

  test("of a completed withdrawal raises no doubt, and names only a button that is there", () => {
    const shownOf = (changes: Parameters<typeof samplePayout>[0]) =>
      transactionDetailView(transactionFacts(samplePayout(changes)));
    expect(shownOf({}).embeds?.[0]?.title).toBe("Saque · ✅ Concluído");
    expect(descriptionOf(shownOf({}))).toBe("O detalhe está em **Ver o saque**.");
    expect(descriptionOf(shownOf({ txid: "a b" }))).toBe("");
    expect(descriptionOf(shownOf({ status: "em_recurso" }))).toContain("Se falhou");
  });

  test.each([
    ["sale", samplePayment(), "Criada em"],
    ["withdrawal", samplePayout(), "Criado em"],
  ])("dates a %s in its own gender", (_, transaction, words) => {
    const shown = transactionDetailView(transactionFacts(transaction));
    expect(fieldsOf(shown).find(({ name }) => name === "Datas")?.value).toMatch(
      new RegExp(`^${words} <t:`),
    );
  });

  test("shows a withdrawal with its masked key, its plan and its transfer, and no payer", () => {
    const scheduledFor = NOW.add({ hours: 24 });
    const withdrawal = { pixKey: "ana@loja.example", scheduledFor, transferId: "trf_9b17" };
    const shown = transactionDetailView(
      transactionFacts(samplePayout({ withdrawal, status: "scheduled" })),
    );
    const text = JSON.stringify(fieldsOf(shown));
    expect(text).toContain("a***@l***");
    expect(text).not.toContain("ana@loja.example");
    expect(text).toContain("trf_9b17");
    expect(text).toContain(
      `<t:${scheduledFor.epochMilliseconds / 1000}:d> <t:${scheduledFor.epochMilliseconds / 1000}:t>`,
    );
    expect(text).not.toContain("Pagador");
    expect(descriptionOf(shown)).toContain("/saques txid:");
  });

  test("shows unknown words as they came, and an unpaid charge without a payer", () => {
    const facts = transactionFacts(samplePayment({ status: "em_recurso", payer: undefined }));
    const shown = transactionDetailView(facts);
    expect(shown.embeds?.[0]?.title).toBe("Venda");
    expect(descriptionOf(shown)).toContain("uma palavra que não conheço");
    expect(JSON.stringify(fieldsOf(shown))).toContain("❔ `em_recurso`");
    expect(JSON.stringify(fieldsOf(shown))).toContain("o serviço não informa");
  });
});

describe("a transaction in a menu", () => {
  test("is told by product, amount and hour", () => {
    expect(transactionChoices([sampleRow()], "pt-BR")).toEqual([
      { name: "“Plano VIP mensal” · R$\u00a0249,00 · sex 20/11 15:00", value: TXID },
    ]);
    expect(transactionChoices([sampleRow()], "en-US")[0]?.name).toContain("“Plano VIP mensal”");
  });

  test("is in a menu that says that its hours are Brasília's", () => {
    const list = listOf([sampleRow()]);
    const [inPortuguese, inEnglish] = (["pt-BR", "en-US"] as const).map(
      (locale) => menusOf(transactionListView(list, locale)).at(-1)?.placeholder,
    );
    expect(inPortuguese).toBe("Abrir uma transação (horários de Brasília)");
    expect(inEnglish).toBe("Open a transaction (Brasília time)");
  });

  test("is told from an equal one by the end of its code", () => {
    const equal = [sampleRow(), sampleRow({ txid: "a41f07c98e2d4b6391d05c80" })];
    const menu = menusOf(transactionListView(listOf(equal), "pt-BR")).at(-1);
    expect(menu?.options.map(({ description }) => description)).toEqual([
      "txid …d05c7f",
      "txid …d05c80",
    ]);
    const names = transactionChoices([...equal, sampleRow({ txid: "s1" })], "pt-BR");
    expect(names.map(({ name }) => name.split(" · ").at(-1))).toEqual(["…d05c7f", "…d05c80", "s1"]);
    const long = { amount: cents(123_456_789), description: "Curso completo ".repeat(20) } as const;
    const both = transactionChoices(
      equal.map((row) => ({ ...row, ...long })),
      "en-US",
    );
    expect(both.map(({ name }) => name.slice(-10))).toEqual([" · …d05c7f", " · …d05c80"]);
    for (const { name } of both) expect(name.length).toBeLessThanOrEqual(100);
  });

  test("without a product has its whole code in its name, and not again", () => {
    const bare = [sampleRow({ description: undefined })];
    const [option] = menusOf(transactionListView(listOf(bare), "pt-BR")).at(-1)?.options ?? [];
    expect(option?.label).toContain(TXID);
    expect(option).not.toHaveProperty("description");
  });

  test.each([
    ["@everyone **de graça** `x`", "“everyone de graça x”"],
    ["\u202eoãtraC\u202c <@1180000000000000011>", "“oãtraC 1180000000000000011”"],
    ["(Promoção) 2 + 1, d'água & cia.", "“(Promoção) 2 + 1, d'água & cia.”"],
    ["***", "Venda"],
  ])("named %j is %s", (description, shown) => {
    const [choice] = transactionChoices([sampleRow({ description })], "pt-BR");
    expect(choice?.name.split(" · ")[0]).toBe(shown);
  });

  test("fits Discord's limits, however long its texts are, and each value can be sent back", () => {
    const rows = Array.from({ length: 60 }, (_, n) =>
      sampleRow({ txid: `s${n}`, description: "ß🧾".repeat(2_500) }),
    );
    const unsafe = [sampleRow({ txid: "a b" }), sampleRow({ txid: "é<" })];
    const choices = transactionChoices([...unsafe, ...rows], "pt-BR");
    expect(choices).toHaveLength(25);
    for (const { name, value } of choices) {
      expect(name.length).toBeLessThanOrEqual(100);
      expect(value).toMatch(/^s\d+$/);
    }
  });
});
