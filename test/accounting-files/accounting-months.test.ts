import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountingBook, type Cell } from "#src/accounting-files/accounting-book.view.ts";
import { accountingCsv } from "#src/accounting-files/accounting-csv.view.ts";
import { accountingPage } from "#src/accounting-files/accounting-page.view.ts";
import { accountingReply } from "#src/accounting-files/accounting-reply.view.ts";
import type { AccountingFacts, AccountingWithdrawal } from "#src/accounting-files/accounting.ts";
import { drawPage } from "#src/print/draw-page.ts";
import { writeWorkbook } from "#src/print/write-workbook.ts";
import { closeFigures, newestPeriod } from "#src/closes/close.ts";
import { closePost, ownCloseView } from "#src/closes/close.view.ts";
import { isWhole } from "#src/reports/sales-days.ts";
import { salesPeriodView } from "#src/reports/sales-period.view.ts";
import { noActivity } from "../closes/close-samples.ts";
import { readMessage } from "../ui/read-message.ts";
import { day, type DayFigures, factsOf, paidElsewhere, paidHere } from "./accounting-samples.ts";
import {
  centsOfCell,
  centsOfText,
  formatsOfRow,
  pageLines,
  readCsv,
  readWorkbook,
} from "./read-files.ts";

const OWNER = "1180000000000000011";

/** A few with the other tests, two thousand with the simulations. */
const RUNS = Number(process.env["MONTHS"] ?? 100);
/** Files that are made and read again cost far more than the sums of their rows. */
const FILE_RUNS = Number(process.env["MONTHS"] ?? 20);

/** In centavos. */
interface SalesSums {
  readonly sales: number;
  readonly fees: number;
  readonly net: number;
}

interface Sums extends SalesSums {
  readonly withdrawn: number;
  readonly received: number;
}

const amount = fc.oneof(
  fc.integer({ min: 0, max: 5_000_000 }),
  fc.constantFrom(0, 1, 9, 10, 99, 100, 101, 99_999, 100_000, 12_345_678_901),
);
/** Without sales the answers name no fees. */
const figures: fc.Arbitrary<DayFigures> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      sales: amount.map((value) => value + 1),
      fees: amount,
      net: fc.oneof(
        amount,
        amount.map((value) => 0 - value),
      ),
      api: fc.integer({ min: 1, max: 400 }),
      esales: fc.nat(400),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant({ sales: 0, fees: 0, net: 0, api: 0, esales: 0 }),
  },
);
const known = fc.option(amount, { nil: undefined, freq: 9 });
const withdrawals = fc.array(fc.tuple(fc.boolean(), known, known, known), { maxLength: 24 });
const madeOf = (
  [isHere, ...amounts]: readonly [boolean, ...(number | undefined)[]],
  place: number,
): AccountingWithdrawal => {
  const at = Temporal.Instant.from("2026-01-02T00:00:00Z").add({ hours: place }).toString();
  return (isHere ? paidHere : paidElsewhere)(at, amounts);
};

/** Months of any year, with days that were not read, and days without sales. */
const months: fc.Arbitrary<AccountingFacts> = fc
  .record({
    month: fc.integer({ min: 1, max: 12 }),
    year: fc.integer({ min: 2024, max: 2026 }),
    days: fc.array(fc.option(figures, { nil: undefined, freq: 9 }), {
      minLength: 31,
      maxLength: 31,
    }),
    paid: withdrawals,
  })
  .map(({ month, year, days, paid }) => {
    const first = Temporal.PlainDate.from({ year, month, day: 1 });
    return factsOf(first.toString(), days.slice(0, first.daysInMonth), {
      withdrawals: paid.map(madeOf),
    });
  });

/** An amount of the text; 0 where it is not told. */
const amountAfter = (text: string, before: RegExp): number => {
  const found = new RegExp(`${before.source}\\**(-?)R\\$\\s([\\d.,]+)`, "m").exec(text);
  return found === null ? 0 : (centsOfText(`${found[1]}${found[2]}`) ?? Number.NaN);
};

/** What the answers say: `/vendas` about the sales, the answer with the files about the withdrawals. */
const shownSums = (facts: AccountingFacts): Sums => {
  const book = accountingBook(facts, "pt-BR");
  const files = { workbook: undefined, page: undefined };
  const reading = { ...facts.reading, missing: 0, isKept: false };
  const [, sales = ""] = readMessage(salesPeriodView(reading, "pt-BR"));
  const [, mine = ""] = readMessage(accountingReply(facts, book, files, "pt-BR"));
  expect(mine.split("\n")[0]).toBe(
    sales.split("\n").find((line) => /^\*\*-?R\$|^Nenhuma/.test(line)),
  );
  return {
    sales: amountAfter(sales, /^/),
    fees: amountAfter(sales, /taxas /),
    net: amountAfter(sales, /líquido /),
    withdrawn: amountAfter(mine, /^Saques: /),
    received: amountAfter(mine, /recebido /),
  };
};

/** What the close of the month says, as it is posted and as its seller sees it; undefined before the month is over. */
const closeSums = ({ reading }: AccountingFacts): readonly SalesSums[] | undefined => {
  const days = [...reading.known.values()];
  if (!days.every(isWhole)) return undefined;
  const figures = closeFigures(newestPeriod("month", reading.period.to), [
    { ownerId: OWNER, days },
  ]);
  const shown = { figures, locale: "pt-BR", late: false, reference: "ref a1b2c3d4" } as const;
  const own = { figures, activity: noActivity, asked: [], tooOld: [], isKeyRefused: false };
  const messages = [closePost({ ...shown, dueAt: reading.readAt }), ownCloseView(own, "pt-BR")];
  return messages.map((message) => {
    const text = readMessage(message).join("\n");
    return {
      sales: amountAfter(text, /^/),
      fees: amountAfter(text, /^Taxas: /),
      net: amountAfter(text, /líquido /),
    };
  });
};

const column = (rows: readonly (readonly unknown[])[], place: number): number =>
  rows.reduce<number>((sum, row) => sum + ((row[place] as number | undefined) ?? 0), 0);

const sumsOf = (
  days: readonly (readonly unknown[])[],
  paid: readonly (readonly unknown[])[],
): Sums => ({
  sales: column(days, 3),
  fees: column(days, 4),
  net: column(days, 5),
  withdrawn: column(paid, 1),
  received: column(paid, 3),
});

const csvSums = (csv: Uint8Array): Sums => {
  const rows = readCsv(csv);
  const ofKind = (kind: string) =>
    rows.filter(([each]) => each === kind).map((row) => row.map(centsOfText));
  // In the one table a withdrawal stands under the columns of a day's figures.
  const paid = ofKind("saque").map((row) => [undefined, row[4], row[5], row[6]]);
  return sumsOf(
    ofKind("dia").map((row) => row.slice(1)),
    paid,
  );
};

const centsIn = (cell: Cell): number | undefined =>
  cell?.kind === "money" ? cell.cents : undefined;

/** Rows that the reader adds up, and the row of sums below them. */
const bookSums = (facts: AccountingFacts): readonly Sums[] => {
  const { days, withdrawals: paid } = accountingBook(facts, "pt-BR");
  const cells = (rows: readonly (readonly Cell[])[]) => rows.map((row) => row.map(centsIn));
  return [
    sumsOf(cells(days.rows), cells(paid.rows)),
    sumsOf(cells([days.total]), cells([paid.total])),
  ];
};

const pageSums = (facts: AccountingFacts): readonly Sums[] => {
  const { tables } = accountingPage(facts, "pt-BR");
  // Two columns of words before the figures of a day, one before those of a withdrawal.
  const cents = (rows: readonly (readonly string[])[], indent: number) =>
    rows.map((row) => [...Array<undefined>(indent), ...row.map(centsOfText)]);
  const [days, paid] = tables;
  return [
    sumsOf(cents(days?.rows ?? [], 1), cents(paid?.rows ?? [], 0)),
    sumsOf(cents([days?.total ?? []], 1), cents([paid?.total ?? []], 0)),
  ];
};

describe("of random months", () => {
  test("the rows and the sums of all files agree with the answers to the cent", () => {
    fc.assert(
      fc.property(months, (facts) => {
        const shown = shownSums(facts);
        expect(bookSums(facts)).toEqual([shown, shown]);
        expect(pageSums(facts)).toEqual([shown, shown]);
        expect(csvSums(accountingCsv(accountingBook(facts, "pt-BR"), "pt-BR"))).toEqual(shown);
      }),
      { numRuns: RUNS },
    );
  });

  test("the close of the month tells the sums of the files to the cent", () => {
    let told = 0;
    fc.assert(
      fc.property(months, (facts) => {
        const closes = closeSums(facts);
        if (closes === undefined) return;
        told++;
        const { sales, fees, net } = csvSums(
          accountingCsv(accountingBook(facts, "pt-BR"), "pt-BR"),
        );
        const sums = { sales, fees, net };
        expect(closes).toEqual([sums, sums]);
      }),
      { numRuns: RUNS },
    );
    // All months but those after the reading.
    expect(told).toBeGreaterThan(RUNS * 0.8);
  });

  test("the files as other programs read them say the same", async () => {
    await fc.assert(
      fc.asyncProperty(months, async (facts) => {
        const shown = shownSums(facts);
        const book = accountingBook(facts, "pt-BR");
        const [days, paid] = await readWorkbook(await writeWorkbook(book));
        const cells = (rows: readonly (readonly unknown[])[]) =>
          rows.map((row) => row.map(centsOfCell));
        const [dayRows, paidRows] = [
          cells(days?.rows.slice(1) ?? []),
          cells(paid?.rows.slice(1) ?? []),
        ];
        expect(dayRows).toHaveLength(facts.reading.days.shown.length + 1);
        expect(paidRows).toHaveLength(facts.withdrawals.length + 1);
        expect(sumsOf(dayRows.slice(0, -1), paidRows.slice(0, -1))).toEqual(shown);
        expect(sumsOf(dayRows.slice(-1), paidRows.slice(-1))).toEqual(shown);

        const lines = pageLines(await drawPage(accountingPage(facts, "pt-BR")));
        const { known: read, days: all } = facts.reading;
        const isWhole = read.size === all.shown.length;
        const totals = lines.flatMap((line, place) => (line.startsWith("Soma") ? [place] : []));
        expect(totals).toHaveLength(2);
        const [ofDays = 0, ofPaid = 0] = totals;
        expect(lines[ofDays]).toBe(isWhole ? "Soma" : "Soma do que foi lido");
        const at = (place: number) => centsOfText(lines[place]) ?? 0;
        expect([at(ofDays + 1), at(ofDays + 2), at(ofDays + 3)]).toEqual(
          read.size === 0 ? [0, 0, 0] : [shown.sales, shown.fees, shown.net],
        );
        expect([at(ofPaid + 1), at(ofPaid + 3)]).toEqual([shown.withdrawn, shown.received]);
      }),
      { numRuns: FILE_RUNS },
    );
  });
});

test.each([
  ["pt-BR", "Vendas por dia", "Saques", "dd/mm/yyyy"],
  ["en-US", "Sales by day", "Withdrawals", "yyyy-mm-dd"],
] as const)(
  "the XLSX in %s has no date that its reader takes for another month's",
  async (locale, days, paid, format) => {
    const withdrawals = [paidHere("2026-10-03T12:00:00Z", [5_000, 350, 4_650])];
    const facts = factsOf("2026-10-03", [day(100, 6)], { withdrawals });
    const book = await writeWorkbook(accountingBook(facts, locale));
    const formats = await formatsOfRow(book, 1);
    const hours = `${format} hh:mm`;
    expect(formats[days]?.slice(0, 3)).toEqual([format, hours, hours]);
    expect(formats[paid]?.[0]).toBe(hours);
  },
);

test.each<Partial<Extract<AccountingFacts["elsewhere"], { kind: "read" }>> | "unread">([
  "unread",
  { since: "unordered" },
  { unclear: 1 },
  { since: Temporal.Instant.from("2026-10-03T00:00:01Z") },
])("a list of withdrawals that is %j makes no sum of zero, and no whole sum", (given) => {
  const read = { kind: "read", since: undefined, unclear: 0, left: 0 } as const;
  const elsewhere = given === "unread" ? ({ kind: given } as const) : { ...read, ...given };
  const facts = factsOf("2026-10-03", [day(100, 6)], { elsewhere });
  const { total } = accountingBook(facts, "pt-BR").withdrawals;
  expect(total[0]).toEqual({ kind: "text", text: "Soma do que foi lido" });
  expect(total.slice(1, 4)).toEqual([undefined, undefined, undefined]);
  const { figures, tables } = accountingPage(facts, "pt-BR");
  expect(tables[1]?.total.slice(0, 4)).toEqual(["Soma do que foi lido", "—", "—", "—"]);
  expect(figures.at(-1)?.value).toBe("—");
});

test.each([
  ["pt-BR", "Saques: nenhum concluído no que consegui ler."],
  ["en-US", "Withdrawals: none completed in what I could read."],
] as const)("the answer in %s denies no withdrawal of a list that was not read", (locale, said) => {
  const facts = factsOf("2026-10-03", [day(100, 6)], { elsewhere: { kind: "unread" } });
  const files = { workbook: undefined, page: undefined };
  const shown = accountingReply(facts, accountingBook(facts, locale), files, locale);
  expect(readMessage(shown)[1]).toContain(said);
});

test("a month under way is named by its days, in the title and in the names of its files", () => {
  const { reading, ...facts } = factsOf("2026-11-01", Array(20).fill(day(100, 6)), {
    readAt: Temporal.Instant.from("2026-11-20T12:00:00Z"),
  });
  const early = {
    ...facts,
    reading: { ...reading, period: { ...reading.period, kind: "month" } },
  } as const;
  const book = accountingBook(early, "pt-BR");
  expect(book.title).toBe("Vendas e saques de 01/11 a 20/11");
  expect(accountingPage(early, "pt-BR").title).toBe(book.title);
  const files = { workbook: undefined, page: undefined };
  expect(accountingReply(early, book, files, "pt-BR").files?.[0]?.name).toBe(
    "vendas-2026-11-01-a-2026-11-20-7b7c.csv",
  );
});

test.each(["pt-BR", "en-US"] as const)(
  "the page in %s cuts no code of the service, and no word of a row",
  async (locale) => {
    const txid = "SW1741957522418K7QX2M";
    const byHand = { kind: "split_normal", recipientId: OWNER, state: "resolved_manual" } as const;
    const withdrawals = [
      { ...paidElsewhere("2026-10-03T12:00:00Z", [100, 50, 50]), txid },
      paidHere("2026-10-03T13:00:00Z", [12_345_678_901, 50, 50], byHand),
    ];
    const facts = factsOf("2026-10-03", [day(100, 6), undefined], { withdrawals });
    const lines = pageLines(await drawPage(accountingPage(facts, locale)));
    expect(lines).toContain(txid);
    expect(lines.filter((line) => line.endsWith("…"))).toEqual([]);
  },
);

test.each([
  ["pt-BR", "vendas", "soma do que foi lido", "Sacado"],
  ["en-US", "sales", "total read", "Withdrawn"],
] as const)(
  "the head of the page in %s passes no sum of some days or withdrawals for that of all",
  (locale, sales, part, withdrawn) => {
    const whole = factsOf("2026-10-03", [day(100, 6), day(100, 6)]);
    const headOf = (facts: AccountingFacts) => {
      const { subtitle, figures } = accountingPage(facts, locale);
      return [subtitle, figures.at(-1)?.label];
    };
    expect(headOf(whole)).toEqual([expect.stringMatching(/^6 .+%$/), withdrawn]);
    expect(headOf(factsOf("2026-10-03", [day(100, 6), undefined]))).toEqual([
      expect.stringMatching(new RegExp(`^3 ${sales} .+% · ${part}$`)),
      withdrawn,
    ]);
    expect(headOf({ ...whole, elsewhere: { kind: "unread" } })).toEqual([
      expect.stringMatching(/%$/),
      `${withdrawn} · ${part}`,
    ]);
  },
);

test.each([
  ["2018-10-20", 1, "das 21:00 às 21:00", "from 9:00 PM to 9:00 PM"],
  ["2019-01-10", 3, "das 22:00 às 22:00", "from 10:00 PM to 10:00 PM"],
  [
    "2018-11-03",
    3,
    "das 21:00 às 21:00, no horário de verão das 22:00 às 22:00",
    "from 9:00 PM to 9:00 PM, in summer time from 10:00 PM to 10:00 PM",
  ],
] as const)("the note of %s, %i days, has the hours of their columns", (first, length, pt, en) => {
  const facts = factsOf(first, Array(length).fill(day(100, 6)));
  expect(accountingBook(facts, "pt-BR").notes).toContain(
    `Cada dia vai ${pt} (Brasília). Estornos posteriores descontam.`,
  );
  expect(accountingBook(facts, "en-US").notes).toContain(
    `Each day runs ${en} (Brasília). Later refunds are deducted.`,
  );
});

test.each([
  ["a day that was not read", [day(100, 6), undefined], "2026-12-02T12:00:00Z"],
  ["a last day still being counted", [day(100, 6), day(100, 6)], "2026-12-01T00:02:00Z"],
])("a month with %s is named by its days, as its file is not the month's", (_, ends, readAt) => {
  const figures = [...Array(28).fill(day(100, 6)), ...ends];
  const facts = factsOf("2026-11-01", figures, { readAt: Temporal.Instant.from(readAt) });
  const book = accountingBook(facts, "pt-BR");
  expect([book.title, accountingPage(facts, "pt-BR").title]).toEqual(
    Array(2).fill("Vendas e saques de 01/11 a 30/11"),
  );
  const files = { workbook: undefined, page: undefined };
  expect(accountingReply(facts, book, files, "pt-BR").files?.[0]?.name).toBe(
    "vendas-2026-11-01-a-2026-11-30-7b7c.csv",
  );
});

test("the PDF has the net, the sales and the fees of its period, and the sales of a day by origin", () => {
  const { figures, tables } = accountingPage(factsOf("2026-11-18", [day(10_001, 600)]), "pt-BR");
  const values = figures.map(({ value }) => value.replace("\u00a0", " "));
  expect(values).toEqual(["R$ 94,01", "R$ 100,01", "R$ 6,00", "R$ 0,00"]);
  expect(tables[0]?.rows[0]?.slice(5, 7)).toEqual(["2", "1"]);
});

test("the answer names the one file that could not be made, and the code of a list that was not read", () => {
  const elsewhere = { kind: "unread", supportCode: "req_5b1d" } as const;
  const facts = factsOf("2026-10-03", [day(100, 6)], { elsewhere });
  const files = { workbook: new Uint8Array(4), page: undefined };
  const shown = accountingReply(facts, accountingBook(facts, "pt-BR"), files, "pt-BR");
  expect(readMessage(shown)[1]).toContain("Não consegui fazer o PDF agora.");
  expect(JSON.stringify(shown)).toContain("req_5b1d");
});
