import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountingBook } from "#src/accounting-files/accounting-book.view.ts";
import { accountingCsv } from "#src/accounting-files/accounting-csv.view.ts";
import { accountingPage } from "#src/accounting-files/accounting-page.view.ts";
import { accountingReply } from "#src/accounting-files/accounting-reply.view.ts";
import type { AccountingFacts } from "#src/accounting-files/accounting.ts";
import { drawPage } from "#src/print/draw-page.ts";
import { createPrint } from "#src/print/print.service.ts";
import { writeWorkbook } from "#src/print/write-workbook.ts";
import type { Locale } from "#src/shared/locale.ts";
import { hostileText } from "../support/any-text.ts";
import { quietLog } from "../support/databases.ts";
import { RECIPIENT } from "../withdrawals/withdraw-samples.ts";
import { HOSTILE_SAMPLES, UNSEEN } from "../ui/hostile-samples.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { readMessage } from "../ui/read-message.ts";
import { day, factsOf, paidElsewhere, paidHere } from "./accounting-samples.ts";
import { centsOfCell, pageLines, readCsv, readWorkbook } from "./read-files.ts";

const READ_AT = Temporal.Instant.from("2026-11-20T12:00:00Z");
const PAID = [
  paidHere("2026-11-19T02:59:00Z", [5_000, 350, 4_650]),
  paidElsewhere("2026-11-20T11:00:00Z", [120_001, 50, 119_951], {
    pixKey: "ana@example.com",
    pixKeyType: "EMAIL",
  }),
];
/** Whole, missing, open. */
const week = factsOf("2026-11-18", [day(10_001, 600), undefined, day(2_500, 150)], {
  withdrawals: PAID,
  readAt: READ_AT,
});
const csvOf = (facts: AccountingFacts, locale: Locale = "pt-BR") =>
  accountingCsv(accountingBook(facts, locale), locale);
const linesOf = (facts: AccountingFacts, locale: Locale = "pt-BR") =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(csvOf(facts, locale)).split("\r\n");
const replyOf = (facts: AccountingFacts, locale: Locale = "pt-BR") => {
  const files = { workbook: new Uint8Array(4), page: new Uint8Array(4) };
  return accountingReply(facts, accountingBook(facts, locale), files, locale);
};

describe("the CSV", () => {
  test("has a row a day and a row a withdrawal, in the form that Excel in Brazil reads", () => {
    expect(linesOf(week).slice(0, 6)).toEqual([
      "\u{feff}Tipo;Data;De (Brasília);Até (Brasília);Valor (R$);Taxas (R$);Líquido (R$);Nº API;Nº eSales;Taxa efetiva;Situação;Chave PIX;Código",
      "dia;18/11/2026;17/11/2026 21:00;18/11/2026 21:00;100,01;6,00;94,01;2;1;6,00%;fechado;;",
      "dia;19/11/2026;18/11/2026 21:00;19/11/2026 21:00;;;;;;;não lido: fora da soma;;",
      "dia;20/11/2026;19/11/2026 21:00;20/11/2026 21:00;25,00;1,50;23,50;2;1;6,00%;parcial: ainda não tinha fechado;;",
      "saque;18/11/2026 23:59;;;50,00;3,50;46,50;;;;concluído;CPF ***.456.789-**;W-7K2Q9 · TX-1",
      "saque;20/11/2026 08:00;;;1200,01;0,50;1199,51;;;;concluído fora do bot;e-mail a***@e***;TX-2",
    ]);
    expect(linesOf(week).at(-1)).toBe("");
  });

  test("has the same figures for who reads English, under English words", () => {
    const [head = "", first = ""] = linesOf(week, "en-US");
    expect(head).toContain(";Date;From (Brasília);To (Brasília);Amount (R$);Fees (R$);Net (R$);");
    expect(first).toBe(
      "day;18/11/2026;17/11/2026 21:00;18/11/2026 21:00;100,01;6,00;94,01;2;1;6,00%;closed;;",
    );
  });

  const codeField = (txid: string) => {
    const facts = factsOf("2026-11-18", [day(1, 0)], {
      withdrawals: [{ ...paidElsewhere("2026-11-18T12:00:00Z", [1, 0, 1]), txid }],
    });
    return readCsv(csvOf(facts))
      .find(([kind]) => kind === "saque")
      ?.at(-1);
  };

  test.each([
    "=cmd()|calc!A1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "  =1+1",
    "'=1+1",
    '"=1+1',
    "\t=1+1",
    "\uff1d1+1",
    "%0A=1",
    "|calc",
  ])("makes no formula of %j", (txid) => {
    expect(codeField(txid)).toMatch(/^'/);
  });

  test.each(["12345678901234567890", "00123E5", "1e-7", "01/11", "1-2", "1.234,50", "12:30"])(
    "leaves %j its digits, which a spreadsheet would take for a number or a date",
    (txid) => {
      expect(codeField(txid)).toBe(`'${txid}`);
    },
  );

  test.each(["SW0012", "7f3a9c52-0000-4000-8000-000000000000"])("leaves %j as it is", (txid) => {
    expect(codeField(txid)).toBe(txid);
  });

  test("has no quote, semicolon or line end of a stranger outside of quotes", () => {
    const withdrawal = paidElsewhere("2026-11-18T12:00:00Z", [1, 0, 1]);
    const width = readCsv(csvOf(week))[0]?.length;
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.constantFrom('"', ";", '";"', "a\r\nb")), (txid) => {
        const facts = factsOf("2026-11-18", [day(1, 0)], {
          withdrawals: [{ ...withdrawal, txid }],
        });
        const rows = readCsv(csvOf(facts));
        expect(rows.filter((row) => row.length !== width)).toEqual([]);
        expect(rows.map(([kind]) => kind).join(" ")).toBe("Tipo dia saque nota nota nota");
      }),
    );
  });
});

describe("the files", () => {
  test("name their account, say what the sums leave out and when they were read, and so does the answer", () => {
    const facts: AccountingFacts = {
      ...week,
      reading: { ...week.reading, readAt: READ_AT.add({ hours: 6 }) },
      underWay: 1,
      withdrawals: [...PAID, paidElsewhere("2026-11-20T11:30:00Z", [1_000, undefined, undefined])],
      elsewhere: {
        kind: "read",
        since: Temporal.Instant.from("2026-11-18T12:00:00Z"),
        unclear: 2,
        left: 0,
      },
    };
    const notes = [
      "Conta da chave de API final …7b7c.",
      "Falta 1 dia que não consegui ler: 19/11. Não está na soma.",
      "Parcial, lido antes de fechar: 20/11.",
      "1 saque sem valor, taxa ou recebido conhecido: o que falta não está na soma.",
      "1 saque ainda sem fim conhecido: fora da soma.",
      "A lista de saques do serviço começa em 18/11/2026 09:00: os feitos antes, fora do bot, podem faltar.",
      "2 saques da lista do serviço que não consegui conferir: fora da soma.",
      "Cada dia vai das 21:00 às 21:00 (Brasília). Estornos posteriores descontam.",
      "Vendas lidas em 20/11/2026 09:00 (Brasília) · leitura mais antiga: 18/11 21:05 · saques em 20/11/2026 15:00.",
    ];
    expect(accountingBook(facts, "pt-BR").notes).toEqual(notes);
    expect(accountingPage(facts, "pt-BR").notes).toEqual(notes);
    const csvNotes = readCsv(csvOf(facts)).filter(([kind]) => kind === "nota");
    expect(csvNotes.map((row) => row[10])).toEqual(notes);
    expect(readMessage(replyOf(facts))[1]).toContain(notes.slice(1, -1).join("\n"));
    expect(readMessage(replyOf(facts))[2]).toBe("2026-11-20T12:00:00.000Z");
    expect(accountingBook(facts, "en-US").notes.at(-1)).toMatch(/ · withdrawals as of .+\.$/);
  });

  test("say that withdrawals made elsewhere may lack when the list could not be read", () => {
    const { notes } = accountingBook({ ...week, elsewhere: { kind: "unread" } }, "en-US");
    expect(notes.slice(-3)).toEqual([
      "I couldn't read the service's list of withdrawals: those made outside the bot may be missing.",
      "Each day runs from 9:00 PM to 9:00 PM (Brasília). Later refunds are deducted.",
      "Sales as of Nov 20, 2026, 9:00 AM (Brasília) · oldest reading: Nov 18, 9:05 PM.",
    ]);
  });

  test("say so when the list may lack the newest, as its order does not show that it has them", () => {
    const elsewhere = { kind: "read", since: "unordered", unclear: 0, left: 0 } as const;
    expect(accountingBook({ ...week, elsewhere }, "pt-BR").notes).toContain(
      "A lista de saques do serviço pode estar incompleta: os que foram feitos fora do bot podem faltar.",
    );
    expect(accountingBook({ ...week, elsewhere }, "en-US").notes).toContain(
      "The service's list of withdrawals may be incomplete: those made outside the bot may be missing.",
    );
  });

  test("name a withdrawal that its owner confirmed as such", () => {
    const byHand = paidHere("2026-11-18T12:00:00Z", [1, 0, 1], { state: "resolved_manual" });
    const { rows } = accountingBook({ ...week, withdrawals: [byHand] }, "pt-BR").withdrawals;
    expect(rows[0]?.[5]).toEqual({ kind: "text", text: "concluído, segundo você" });
  });

  test("never show a whole key", async () => {
    const detail = { pixKey: "ana.souza@lojaaurora.example", pixKeyType: "EMAIL" };
    const facts = { ...week, withdrawals: [paidElsewhere("2026-11-18T12:00:00Z", [1], detail)] };
    const sheets = await readWorkbook(await writeWorkbook(accountingBook(facts, "pt-BR")));
    const lines = pageLines(await drawPage(accountingPage(facts, "pt-BR")));
    expect(JSON.stringify([sheets, lines, linesOf(facts)])).not.toMatch(/souza|lojaaurora/);
  });
});

describe("a payout of a recipient's split balance", () => {
  const split = { kind: "split_normal", recipientId: RECIPIENT } as const;
  const paid = (place: number) =>
    paidHere(`2026-11-18T13:0${place}:00Z`, [50_000, 50, 49_950], split);

  test("is marked in each file, which says its part of the sum, as does the answer", () => {
    const facts = { ...week, withdrawals: [...PAID, paid(0)] };
    const note =
      "R$ 500,00 da soma são de 1 saque de split: saíram do saldo do recebedor, não do seu.";
    const book = accountingBook(facts, "pt-BR");
    expect(book.withdrawals.rows.at(-1)?.[5]).toEqual({ kind: "text", text: "concluído (split)" });
    expect(linesOf(facts).find((line) => line.includes("500,00"))).toContain(";concluído (split);");
    const page = accountingPage(facts, "pt-BR");
    expect(page.tables[1]?.rows.at(-1)).toContain("concluído (split)");
    const said = [book.notes, page.notes, readMessage(replyOf(facts)), linesOf(facts)];
    for (const each of said) expect(each.join("\n").replaceAll("\u00a0", " ")).toContain(note);
    expect(JSON.stringify(accountingBook(week, "pt-BR"))).not.toContain("split");
  });

  test("is one of several in the note, and none without a known amount", () => {
    const notesWith = (...withdrawals: AccountingFacts["withdrawals"]) =>
      accountingBook({ ...week, withdrawals }, "en-US")
        .notes.join("\n")
        .replaceAll("\u00a0", " ");
    expect(notesWith(paid(0), paid(1))).toContain(
      "R$ 1,000.00 of the total is from 2 split withdrawals: taken from the recipient's balance, not yours.",
    );
    const byHand = { ...split, state: "resolved_manual" } as const;
    expect(notesWith(paidHere("2026-11-18T13:00:00Z", [], byHand))).not.toContain("split");
  });
});

describe("a figure of withdrawals that is not known", () => {
  const at = "2026-11-18T12:00:00Z";
  const lineOf = (facts: AccountingFacts, locale?: Locale) =>
    readMessage(replyOf(facts, locale))[1]?.replaceAll("\u00a0", " ").split("\n")[1];
  const unknown = { ...week, withdrawals: [paidElsewhere(at, [10_000, undefined, undefined])] };

  test("is no zero in the sum of a file or an answer", () => {
    const { total } = accountingBook(unknown, "pt-BR").withdrawals;
    expect(total.slice(1, 4)).toEqual([{ kind: "money", cents: 10_000 }, undefined, undefined]);
    const table = accountingPage(unknown, "pt-BR").tables[1];
    expect(table?.total.slice(0, 4)).toEqual(["Soma do que foi lido", "100,00", "—", "—"]);
    expect(lineOf(unknown)).toBe("Saques: **R$ 100,00** em 1 · recebido —");
    expect(lineOf(unknown, "en-US")).toBe("Withdrawals: **R$ 100.00** in 1 · — received");
  });

  test("is no zero where the amount itself is not known", () => {
    const none = { ...week, withdrawals: [paidElsewhere(at, [])] };
    expect(lineOf(none)).toBe("Saques: **—** em 1 · recebido —");
    expect(accountingPage(none, "pt-BR").figures.at(-1)?.value).toBe("—");
  });

  test("is left out of the sum, which says of how many it is", () => {
    const known = paidHere(at, [5_000, 350, 4_650]);
    const some = { ...unknown, withdrawals: [...unknown.withdrawals, known] };
    expect(lineOf(some)).toBe("Saques: **R$ 150,00** em 2 · recebido R$ 46,50 em 1 de 2");
    expect(lineOf(some, "en-US")).toBe(
      "Withdrawals: **R$ 150.00** in 2 · R$ 46.50 received in 1 of 2",
    );
  });

  test("of no withdrawal is zero", () => {
    const { total } = accountingBook({ ...week, withdrawals: [] }, "pt-BR").withdrawals;
    expect(total.slice(1, 4)).toMatchObject([{ cents: 0 }, { cents: 0 }, { cents: 0 }]);
  });
});

describe("the XLSX, read by another library,", () => {
  test("has days and hours, amounts and shares as such, and empty cells for what is missing", async () => {
    const [days, paid, notes] = await readWorkbook(
      await writeWorkbook(accountingBook(week, "pt-BR")),
    );
    expect([days?.name, paid?.name, notes?.name]).toEqual(["Vendas por dia", "Saques", "Notas"]);
    expect(days?.rows[1]?.slice(0, 9)).toEqual([
      new Date("2026-11-18T00:00Z"),
      new Date("2026-11-17T21:00Z"),
      new Date("2026-11-18T21:00Z"),
      100.01,
      6,
      94.01,
      2,
      1,
      0.06,
    ]);
    expect(days?.rows[2]?.slice(3, 9)).toEqual(Array(6).fill(null));
    expect(days?.rows[4]?.slice(0, 6)).toEqual([
      "Soma do que foi lido",
      null,
      null,
      125.01,
      7.5,
      117.51,
    ]);
    expect(paid?.rows[3]?.slice(1, 4).map(centsOfCell)).toEqual([125_001, 400, 124_601]);
    expect(notes?.rows[0]).toEqual(["Vendas e saques de 18/11 a 20/11"]);
  });

  test("has a stranger's text as one line of text, whatever it is", async () => {
    const withdrawal = paidElsewhere("2026-11-18T12:00:00Z", [1, 0, 1]);
    const anyText = fc.oneof(
      hostileText,
      fc.constantFrom(
        "=1+1",
        "<a>&b",
        "\u{fffe}",
        "\u{10fffe}@a",
        "\u{fffd}b",
        "]]>",
        ...Object.values(HOSTILE_SAMPLES),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 10, maxLength: 10 }), async (texts) => {
        const withdrawals = texts.map((txid) => ({ ...withdrawal, txid }));
        const facts = factsOf("2026-11-18", [day(1, 0)], { withdrawals });
        const book = accountingBook(facts, "pt-BR");
        const [, paid] = await readWorkbook(await writeWorkbook(book));
        const shown = book.withdrawals.rows.map((row) => row[6]);
        const words = shown.map((cell) => (cell?.kind === "text" ? cell.text : undefined));
        expect(paid?.rows.slice(1, -1).map((row) => row[6] ?? "")).toEqual(words);
        expect(words).toHaveLength(texts.length);
        expect(words.join("")).not.toMatch(UNSEEN);
        expect(await drawPage(accountingPage(facts, "pt-BR"))).toBeInstanceOf(Uint8Array);
      }),
      { numRuns: 10 },
    );
  });
});

describe("the PDF", () => {
  const pagesOf = (pdf: Uint8Array) =>
    Buffer.from(pdf)
      .toString("latin1")
      .match(/\/Type \/Page\b/g)?.length;
  const many = (days: number, withdrawals: number) =>
    factsOf("2026-01-01", Array(days).fill(day(10_001, 600)), {
      withdrawals: Array.from({ length: withdrawals }, (_, place) =>
        paidHere(`2026-01-01T12:00:${String(place % 60).padStart(2, "0")}Z`, [5_000, 350, 4_650]),
      ),
    });

  test.each([
    [31, 15, []],
    [31, 40, ["e mais 26 saques", "1.300,00"]],
    [7, 500, ["e mais 462 saques", "23.100,00"]],
  ])("of %d days and %d withdrawals is one page", async (days, paid, rest) => {
    const facts = many(days, paid);
    const pdf = await drawPage(accountingPage(facts, "pt-BR"));
    expect(pagesOf(pdf)).toBe(1);
    const lines = pageLines(pdf);
    expect(lines).toEqual(expect.arrayContaining(["Dia", "01/01/2026"]));
    const atRest = lines.findIndex((line) => line.startsWith("e mais"));
    expect(lines.slice(atRest, atRest + 2)).toEqual(rest);
    const [ofDays = 0, ofPaid = 0] = lines.flatMap((line, at) => (line === "Soma" ? [at] : []));
    const reais = (cents: number) =>
      (cents / 100).toLocaleString("pt-BR", { minimumFractionDigits: 2 });
    expect(lines[ofDays + 1]).toBe(reais(10_001 * days));
    expect(lines[ofPaid + 1]).toBe(reais(5_000 * paid));
  });

  test("shows the largest figures whole", async () => {
    const facts = factsOf("2026-11-18", [day(9_999_999_999_999, 9_999_999_999_999, 1)]);
    const lines = pageLines(await drawPage(accountingPage(facts, "pt-BR")));
    expect(lines.filter((line) => line === "99.999.999.999,99")).toHaveLength(4);
  });

  test("names a day that was not read, and shows no zero for it", async () => {
    const lines = pageLines(await drawPage(accountingPage(week, "pt-BR")));
    const at = lines.indexOf("19/11/2026");
    expect(lines.slice(at + 2, at + 5)).toEqual(["não lido", "—", "—"]);
  });

  test("is in English for who reads English", async () => {
    const lines = pageLines(await drawPage(accountingPage(week, "en-US")));
    expect(lines.slice(0, 2)).toEqual([
      "Sales and withdrawals: Nov 18 to Nov 20",
      "6 sales · effective fee 6.00% · total read",
    ]);
    expect(lines).toEqual(expect.arrayContaining(["Nov 18, 2026", "100.01", "not read"]));
  });
});

describe("the answer", () => {
  test("has the sums and three files, named by the period and the key", () => {
    const shown = replyOf(
      factsOf("2026-10-01", Array(31).fill(day(100, 6)), { withdrawals: PAID }),
    );
    const [title, text = ""] = readMessage(shown);
    expect(title).toBe("Arquivo de outubro de 2026");
    expect(text.split("\n").slice(0, 2)).toEqual([
      "**R$ 31,00** em 93 vendas · líquido **R$ 29,14**",
      "Saques: **R$ 1.250,01** em 2 · recebido R$ 1.246,01",
    ]);
    const names = ["xlsx", "csv", "pdf"].map((ending) => `vendas-2026-10-7b7c.${ending}`);
    expect(shown.files?.map(({ name }) => name)).toEqual(names);
    expect(replyOf(week, "en-US").files?.[1]?.name).toBe("sales-2026-11-18-to-2026-11-20-7b7c.csv");
    expect(brokenLimits(shown)).toEqual([]);
  });

  test("without the files that could not be made says so, and has the CSV", () => {
    const files = { workbook: undefined, page: undefined };
    const shown = accountingReply(week, accountingBook(week, "pt-BR"), files, "pt-BR");
    const csv = "vendas-2026-11-18-a-2026-11-20-7b7c.csv";
    expect(shown.files?.map(({ name }) => name)).toEqual([csv]);
    expect(readMessage(shown)[1]).toContain(
      "Não consegui fazer o XLSX e o PDF agora. O CSV tem os mesmos números",
    );
  });

  test("about missing days asks to come back, and often for days that nobody reads meanwhile", () => {
    expect(readMessage(replyOf(week))[1]).toContain("toque no mesmo botão de novo");
    const seen = (from: string) =>
      readMessage(replyOf(factsOf(from, [undefined], { readAt: READ_AT })))[1];
    expect(seen("2026-08-20")).toContain("daqui a pouco");
    expect(seen("2026-08-19")).toContain("Cada toque no mesmo botão lê mais 10 dias.");
    expect(seen("2026-08-19")).not.toContain("daqui a pouco");
    expect(readMessage(replyOf(factsOf("2026-11-18", [day(1, 0)])))[1]).not.toContain("de novo");
  });
});

test("the answer says how many withdrawals have details left to read, and the files do not", () => {
  const elsewhere = { kind: "read", since: undefined, unclear: 0 } as const;
  const leftOf = (left: number): AccountingFacts => ({
    ...week,
    elsewhere: { ...elsewhere, left },
  });
  const said = "Ainda não li os detalhes de 24 saques: cada toque no mesmo botão lê mais 10.";
  expect(readMessage(replyOf(leftOf(24)))[1]).toContain(said);
  expect(readMessage(replyOf(leftOf(1), "en-US"))[1]).toContain(
    "I haven't read the details of 1 withdrawal yet: each press of the same button reads 10 more.",
  );
  expect(readMessage(replyOf(leftOf(0)))[1]).not.toContain("detalhes");
  expect(accountingBook(leftOf(24), "pt-BR").notes.join()).not.toContain("detalhes");
});

test("a thread makes the same files, and ends with each", async () => {
  const print = createPrint(quietLog);
  const [book, page] = [accountingBook(week, "pt-BR"), accountingPage(week, "pt-BR")];
  expect(await print.page(page)).toEqual(await drawPage(page));
  const [days] = await readWorkbook((await print.workbook(book)) ?? new Uint8Array());
  expect(days?.rows).toHaveLength(5);
});

test("a file that cannot be printed is left out, and the other one comes", async () => {
  const print = createPrint(quietLog);
  const page = accountingPage(week, "pt-BR");
  const printed = await Promise.all([print.workbook({} as never), print.page(page)]);
  expect(printed).toEqual([undefined, await drawPage(page)]);
});
