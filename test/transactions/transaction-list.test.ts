import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cents } from "#src/shared/money.ts";
import { parsePeriod } from "#src/reports/typed-period.ts";
import {
  isWhollyNewestFirst,
  matches,
  newestFirst,
  selected,
} from "#src/transactions/transaction-list.ts";
import { sampleRow } from "./transaction-samples.ts";
import { wholeCharacter } from "../support/any-text.ts";

/** Half past midnight of the 18th in UTC, which is the evening of the 17th in Brasília. */
const NOW = Temporal.Instant.from("2026-11-18T00:30:00Z");

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
    expect(isWhollyNewestFirst(rows)).toBe(false);
    expect(isWhollyNewestFirst(newestFirst(rows).slice(0, 2))).toBe(true);
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
    expect(matches(sampleRow(), typed, "pt-BR")).toBe(expected);
  });

  test.each([
    ["pt-BR", ["R$ 1.240,00", "1240,00", "1.24"], ["1,240.00", "1240.00", "1,24"]],
    ["en-US", ["R$ 1,240.00", "1240.00", "1,24"], ["1.240,00", "1240,00", "1.24"]],
  ] as const)(
    "match an amount as %s writes it, with or without its thousands",
    (locale, own, other) => {
      const row = sampleRow({ amount: cents(124_000) });
      expect(own.filter((typed) => !matches(row, typed, locale))).toEqual([]);
      expect(other.filter((typed) => matches(row, typed, locale))).toEqual([]);
    },
  );

  test("match no text that breaks them", () => {
    fc.assert(
      fc.property(fc.string({ unit: wholeCharacter }), (typed) => {
        const row = sampleRow({ description: typed });
        expect(typeof matches(row, typed, "pt-BR")).toBe("boolean");
      }),
    );
  });
});
