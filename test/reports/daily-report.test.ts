import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutSellers } from "#src/delivery/delivery.ts";
import {
  ranked,
  sellerFiguresOf,
  sellersChange,
  salesByDay,
  sumOfSellers,
  tellsNothing,
} from "#src/reports/daily-report.ts";
import { dailyReportPost } from "#src/reports/daily-report.view.ts";
import { cents } from "#src/shared/money.ts";
import { settledAt } from "#src/shared/report-day.ts";
import { soldDay } from "../support/stage.ts";
import { readMessage } from "../ui/read-message.ts";
import { figuresOf, POSTED_AT, sellerOf, storeOf } from "./report-samples.ts";

const amount = fc.integer({ min: 0, max: 1e9 });
/** Fourteen days; the last one is the report's own and always known. */
const days = fc
  .tuple(fc.array(fc.option(amount), { minLength: 13, maxLength: 13 }), amount)
  .map(([before, last]) => [...before, last]);
const sellers = fc
  .array(days, { minLength: 1, maxLength: 8 })
  .map((all) => all.map((each, place) => sellerOf(place, each)));

describe("the sums of a store", () => {
  test("compare a day with the days of the same sellers, and never with a missing or a zero base", () => {
    fc.assert(
      fc.property(sellers, fc.constantFrom(1 as const, 7 as const), (some, ago) => {
        const bases = some.map((seller) => seller.days.at(-1 - ago) ?? null);
        const now = some.reduce((sum, seller) => sum + (seller.days.at(-1) ?? 0), 0);
        const base = bases.reduce<number>((sum, each) => sum + (each ?? 0), 0);
        const change = sellersChange(some, ago);
        if (bases.includes(null)) expect(change).toEqual({ kind: "unknown" });
        else if (base === 0) expect(change).toEqual({ kind: "no_base" });
        else {
          const percent = Math.round(((now - base) / base) * 100);
          const isAlmostAll = percent === -100 && now > 0;
          expect(change).toEqual({ kind: "change", percent: isAlmostAll ? -99.5 : percent });
        }
      }),
    );
  });

  test("are those of the sellers together, and the same in any order", () => {
    fc.assert(
      fc.property(sellers, (some) => {
        const total = sumOfSellers(some);
        expect(total.sales).toBe(some.reduce((sum, { figures }) => sum + figures.sales, 0));
        expect(total.net).toBe(total.sales - total.fees);
        expect(sumOfSellers(some.toReversed())).toEqual(total);
        expect(salesByDay(some).at(-1)).toBe(total.sales);
      }),
    );
  });

  test("count a wallet account of two sellers once", () => {
    fc.assert(
      fc.property(sellers, (some) => {
        const twins = some.map((seller) => ({ ...seller, accountId: `${seller.accountId}-twin` }));
        expect(sumOfSellers([...some, ...twins])).toEqual(sumOfSellers(some));
        expect(salesByDay([...some, ...twins])).toEqual(salesByDay(some));
      }),
    );
  });
});

test("a seller's days stand in their places, without those that were read early or had a refund since", () => {
  const day = Temporal.PlainDate.from("2026-11-20");
  const ago = (days: number) => {
    const each = day.subtract({ days });
    return soldDay(settledAt(each), each, 100 + days);
  };
  const early = { ...ago(3), readAt: ago(3).readAt.subtract({ milliseconds: 1 }) };
  const refunded = { ...ago(5), refundedAt: ago(1).readAt };
  const kept = [14, 13, 7, 2, 1].map(ago);
  const known = new Map([...kept, early, refunded].map((each) => [each.day.toString(), each]));
  const seller = { accountId: "a1", ownerId: "o1" };
  const { days: carried } = sellerFiguresOf(seller, 0, ago(0), known, []);
  const sales = new Map(carried.map((each, place) => [13 - place, each]));
  expect(carried).toHaveLength(14);
  expect([13, 7, 2, 1, 0].map((days) => sales.get(days))).toEqual([
    11_300, 10_700, 10_200, 10_100, 10_000,
  ]);
  expect(carried.filter((each) => each === null)).toHaveLength(9);
});

test("sellers are ranked by their sales, equal ones as they stood", () => {
  const [first, second, third] = [100, 300, 100].map((sales, place) =>
    sellerOf(place, [sales], { figures: figuresOf(sales) }),
  );
  expect(ranked([first!, second!, third!])).toEqual([second, first, third]);
});

test("days without sales are skipped where the server chose so, unless one seller's correction is to be told", () => {
  const [ana, bruno] = [sellerOf(1, [0]), sellerOf(2, [0])];
  const corrections = [{ day: "2026-11-18", before: cents(200), now: cents(100) }];
  const skipped = (...given: Parameters<typeof storeOf>) =>
    tellsNothing({ ...storeOf(...given), emptyChoice: "skip" });
  expect(skipped([ana, bruno])).toBe(true);
  expect(skipped([ana, { ...bruno, corrections }])).toBe(false);
});

describe("a report without a seller", () => {
  const [ana, bruno] = [sellerOf(1, [100]), sellerOf(2, [200])];
  const missing = [{ accountId: "gone", ownerId: "9", isRefused: false }];

  test("has neither the seller's figures nor the name among the missing", () => {
    const report = storeOf([ana, bruno], { missing });
    expect(withoutSellers(report, [bruno.accountId, "gone"])).toEqual(storeOf([ana]));
  });

  test("is none without sellers, or when the one whom it tells has gone", () => {
    expect(withoutSellers(storeOf([ana]), [ana.accountId])).toBeUndefined();
    const completion = storeOf([ana, bruno], { completes: bruno.accountId });
    expect(withoutSellers(completion, [bruno.accountId])).toBeUndefined();
    expect(withoutSellers(completion, [ana.accountId])?.sellers).toEqual([bruno]);
  });
});

describe("a completion without sales", () => {
  const [ana, bruno] = [sellerOf(1, [0]), sellerOf(2, [0])];
  const gone = { accountId: "gone", ownerId: "9", isRefused: false };

  test.each([
    ["pt-BR", [], "Loja Aurora fecha o dia sem vendas."],
    ["pt-BR", [gone], "Loja Aurora não tem vendas até agora."],
    ["en-US", [], "Loja Aurora closes the day without sales."],
    ["en-US", [gone], "Loja Aurora has no sales so far."],
  ] as const)("tells no amount of the store, in %s, with %o missing", (locale, missing, words) => {
    const report = storeOf([ana, bruno], { completes: bruno.accountId, locale, missing });
    expect(readMessage(dailyReportPost(report, POSTED_AT, "a1b2c3d4"))[1]).toContain(words);
  });

  test.each([
    ["pt-BR", "Faltava <@1180000000000000012>: nenhuma venda em 20/11"],
    ["en-US", "Added: <@1180000000000000012> had no sales on Nov 20"],
  ] as const)("says so in its sentence, in %s", (locale, words) => {
    const report = storeOf([ana, bruno], { completes: bruno.accountId, locale });
    expect(dailyReportPost(report, POSTED_AT, "a1b2c3d4").content).toBe(words);
  });
});
