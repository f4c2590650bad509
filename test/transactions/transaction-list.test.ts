import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cents } from "#src/shared/money.ts";
import {
  isNewestFirst,
  matches,
  newestFirst,
  parsePeriod,
  periodCode,
  periodOfCode,
  selected,
} from "#src/transactions/transaction-list.ts";
import { refusal } from "../withdrawals/money-stage.ts";
import { sampleRow } from "./transaction-samples.ts";

/** Half past midnight of the 18th in UTC, which is the evening of the 17th in Brasília. */
const NOW = Temporal.Instant.from("2026-11-18T00:30:00Z");

const days = (typed: string) => {
  const period = parsePeriod(typed, NOW);
  return period && [period.from.toString(), period.to.toString()];
};

describe("a period", () => {
  test.each([
    ["hoje", "2026-11-17", "2026-11-17"],
    ["Today", "2026-11-17", "2026-11-17"],
    ["ontem", "2026-11-16", "2026-11-16"],
    ["7 dias", "2026-11-11", "2026-11-17"],
    ["30 days", "2026-10-19", "2026-11-17"],
    ["este mes", "2026-11-01", "2026-11-17"],
    ["MÊS PASSADO", "2026-10-01", "2026-10-31"],
    ["last month", "2026-10-01", "2026-10-31"],
    ["01/11 a 15/11", "2026-11-01", "2026-11-15"],
    ["1/11 até 5/11", "2026-11-01", "2026-11-05"],
    ["20/12 a 05/01", "2025-12-20", "2026-01-05"],
    ["01/01/2025 to 31/01/25", "2025-01-01", "2025-01-31"],
    ["31/12", "2025-12-31", "2025-12-31"],
  ])("typed as %s goes from %s to %s, in days of Brasília", (typed, from, to) => {
    expect(days(typed)).toEqual([from, to]);
  });

  test.each([[""], ["   "]])("typed as %j is every day", (typed) => {
    expect(days(typed)).toBeUndefined();
  });

  test.each([
    "semana",
    "31/02",
    "15/11/2026 a 01/11/2026",
    "01/11 a",
    "1 a 2 a 3",
    "7",
    "@everyone",
    "0/0",
  ])("typed as %s gets a sentence that says how to write it", async (typed) => {
    const parse = async () => parsePeriod(typed, NOW);
    expect(await refusal(parse())).toEqual({ kind: "invalid_period", given: typed });
  });

  test("keeps its days in a button, and no other text is one", () => {
    const period = parsePeriod("20/12/2025 a 05/01/2026", NOW);
    expect(periodOfCode(periodCode(period))).toEqual(period);
    expect(periodOfCode(periodCode(undefined))).toBeUndefined();
    for (const code of ["", "x", "20261399-20261301", "20261101", "20261101-2026110"])
      expect(periodOfCode(code)).toBe("invalid");
  });
});

const at = (text: string) => Temporal.Instant.from(text);

describe("the rows of a list", () => {
  test("come newest first, and those without a time keep their order behind the others", () => {
    const rows = [
      sampleRow({ txid: "undated", createdAt: undefined }),
      sampleRow({ txid: "older", createdAt: at("2026-11-01T00:00:00Z") }),
      sampleRow({ txid: "undated too", createdAt: undefined }),
      sampleRow({ txid: "newer", createdAt: at("2026-11-02T00:00:00Z") }),
    ];
    expect(newestFirst(rows).map(({ txid }) => txid)).toEqual([
      "newer",
      "older",
      "undated",
      "undated too",
    ]);
    expect(isNewestFirst(rows)).toBe(false);
    expect(isNewestFirst(newestFirst(rows).slice(0, 2))).toBe(true);
  });

  test.each([
    ["all", ["sold", "waits", "back", "out", "late", "untold"]],
    ["approved", ["sold"]],
    ["pending", ["waits"]],
    ["refunded", ["back"]],
    ["withdrawals", ["out"]],
    ["other", ["late", "untold"]],
  ] as const)("narrowed to %s are %j", (filter, expected) => {
    const rows = [
      sampleRow({ txid: "sold" }),
      sampleRow({ txid: "waits", status: "pending" }),
      sampleRow({ txid: "back", status: "refunded" }),
      sampleRow({ txid: "out", type: "withdrawal" }),
      sampleRow({ txid: "late", status: "expired" }),
      sampleRow({ txid: "untold", status: undefined, type: undefined }),
    ];
    const found = selected(rows, { filter, period: undefined });
    expect(found.rows.map(({ txid }) => txid)).toEqual(expected);
  });

  test("of a period are those of its days in Brasília; those without a time are counted", () => {
    const rows = [
      sampleRow({ txid: "before", createdAt: at("2026-11-17T02:59:59Z") }),
      sampleRow({ txid: "first", createdAt: at("2026-11-17T03:00:00Z") }),
      sampleRow({ txid: "last", createdAt: at("2026-11-18T02:59:59Z") }),
      sampleRow({ txid: "after", createdAt: at("2026-11-18T03:00:00Z") }),
      sampleRow({ txid: "undated", createdAt: undefined }),
    ];
    const found = selected(rows, { filter: "all", period: parsePeriod("hoje", NOW) });
    expect(found.rows.map(({ txid }) => txid)).toEqual(["first", "last"]);
    expect(found.undated).toBe(1);
  });

  test.each([
    ["", true],
    ["vip", true],
    ["MENSAL ", true],
    ["249", true],
    ["R$ 249,00", true],
    ["a41f07", true],
    ["curso", false],
  ])("that match %j: %s", (typed, expected) => {
    expect(matches(sampleRow(), typed)).toBe(expected);
  });

  test("match an amount with or without its dots", () => {
    const row = sampleRow({ amount: cents(123_456) });
    expect(matches(row, "1234,56")).toBe(true);
    expect(matches(row, "1.234,56")).toBe(true);
  });

  test("match no text that breaks them", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (typed) => {
        expect(typeof matches(sampleRow({ description: typed }), typed)).toBe("boolean");
      }),
    );
  });
});
