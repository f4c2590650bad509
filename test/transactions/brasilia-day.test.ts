import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OriginSales, SalesReport } from "#src/reports/sales.ts";
import { type WalletErrorKind, UserError, WalletError } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { brasiliaDayOf, reportDaysOf } from "#src/transactions/brasilia-day.ts";
import type { ListedTransaction } from "#src/transactions/transaction.ts";
import { createTransactions } from "#src/transactions/transactions.service.ts";
import { quietLog } from "../support/databases.ts";
import { sampleAccount, sampleReport, sold } from "../support/samples.ts";
import { refusal } from "../withdrawals/money-stage.ts";
import { sampleRow } from "./transaction-samples.ts";

const ASKER = { guildId: "g1", userId: "u1", locale: "pt-BR" } as const;
const DAY = Temporal.PlainDate.from("2026-11-19");
/** 00:00 and 24:00 of the day in Brasília. */
const [FROM, TO] = ["2026-11-19T03:00:00Z", "2026-11-20T03:00:00Z"];
const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);

interface Sale extends Pick<ListedTransaction, "status" | "type"> {
  readonly origin: "api" | "esales";
  readonly cents: number;
  readonly created: Temporal.Instant;
  readonly approved: Temporal.Instant;
}
type Placing = "created" | "approved";

const feeOf = (amount: number): number => Math.round(amount * 0.06);

const counts = ({ type, status }: Sale): boolean => type === "payment" && status === "approved";

const directSum = (sales: readonly Sale[], by: Placing, from: string, to: string): OriginSales => {
  const within = sales.filter((sale) => {
    const ms = sale[by].epochMilliseconds;
    return counts(sale) && ms >= at(from).epochMilliseconds && ms < at(to).epochMilliseconds;
  });
  const amount = within.reduce((sum, sale) => sum + sale.cents, 0);
  return sold(
    within.length,
    amount,
    within.reduce((sum, sale) => sum + feeOf(sale.cents), 0),
  );
};

const rowOf = (sale: Sale, place: number): ListedTransaction =>
  sampleRow({
    txid: `t${place}`,
    type: sale.type,
    status: sale.status,
    amount: cents(sale.cents),
    net: cents(sale.cents - feeOf(sale.cents)),
    createdAt: sale.created,
    updatedAt: sale.approved,
  });

const reportOf = (sales: readonly Sale[], by: Placing, day: Temporal.PlainDate): SalesReport => {
  const [from, to] = [
    `${day.toString()}T00:00:00Z`,
    `${day.add({ days: 1 }).toString()}T00:00:00Z`,
  ];
  const of = (origin: Sale["origin"]) =>
    directSum(
      sales.filter((sale) => sale.origin === origin),
      by,
      from,
      to,
    );
  return sampleReport(of("api"), of("esales"), day.toString());
};

interface Told {
  readonly rows: readonly ListedTransaction[];
  readonly pageSize?: number;
  readonly report: (day: Temporal.PlainDate) => SalesReport;
  readonly now?: Temporal.Instant;
  readonly failing?: WalletErrorKind;
}

const open = ({ rows, pageSize = 20, report, now = at("2026-11-21T12:00:00Z"), failing }: Told) => {
  const reads: string[] = [];
  const service = createTransactions({
    charges: { claimed: async () => new Set() },
    clock: { now: () => now },
    monotonicMs: () => 0,
    log: quietLog,
    accounts: {
      resume: () => Promise.reject(new Error("no key was paused")),
      findWithKey: async () => ({ account: sampleAccount(), apiKey: new Secret("sk_test_day") }),
    },
    watched: { of: async () => [] },
    report: async (_guild, _owner, day) => {
      reads.push(day.toString());
      return { ...report(day), readAt: now };
    },
    wallet: {
      transactions: async (_key, cursor, priority) => {
        const page = Number(cursor ?? 1);
        reads.push(`${priority} ${page}`);
        if (failing !== undefined)
          throw new WalletError({ kind: failing, method: "GET", route: "/v1/transactions" });
        const isLast = page * pageSize >= rows.length;
        return {
          items: rows.slice((page - 1) * pageSize, page * pageSize),
          unnamed: 0,
          next: isLast ? undefined : String(page + 1),
        };
      },
      transaction: () => Promise.reject(new Error("no detail is read")),
      disputes: () => Promise.reject(new Error("no MED is read")),
    },
  });
  return { reads, day: () => service.brasiliaDay(ASKER, DAY) };
};

const dayOf = (time: Temporal.Instant): string => time.toString().slice(0, 10);

const MINUTES = 4 * 24 * 60;
const anySale = fc.record({
  origin: fc.constantFrom("api" as const, "api" as const, "esales" as const),
  type: fc.constantFrom("payment", "payment", "payment", "payment", "withdrawal", "refund"),
  status: fc.constantFrom("approved", "approved", "approved", "pending", "refunded"),
  // From 18/11 to 22/11, UTC: around the day.
  minute: fc.integer({ min: 0, max: MINUTES - 1 }),
  approvedAfter: fc.integer({ min: 0, max: 59 }),
});
const orders = {
  charged: (a: Sale, b: Sale) => Temporal.Instant.compare(b.created, a.created),
  approved: (a: Sale, b: Sale) => Temporal.Instant.compare(b.approved, a.approved),
  "oldest first": (a: Sale, b: Sale) => Temporal.Instant.compare(a.created, b.created),
  none: () => 0,
};

describe("the sum of a day of Brasília", () => {
  test("is the direct one in 2,000 lists, in any order and pages, or there is none", async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(anySale, { maxLength: 40 }),
        fc.constantFrom(...Object.values(orders)),
        fc.constantFrom(1, 2, 3, 5, 10, 20, 50),
        fc.constantFrom<Placing>("approved", "created"),
        fc.boolean(),
        fc.boolean(),
        async (generated, order, pageSize, placing, listsAll, samePrice) => {
          const sales = generated
            .map(({ minute, approvedAfter, ...sale }, place): Sale => {
              const created = at("2026-11-18T00:00:00Z").add({ minutes: minute });
              // Powers of two: no two sets of sales have the same sum.
              const amount = samePrice ? 2_990 : 2 ** place;
              const approved = created.add({ minutes: approvedAfter });
              return { ...sale, cents: amount, created, approved };
            })
            .toSorted(order);
          const listed = sales.filter(
            ({ origin, type }) => listsAll || origin === "api" || type !== "payment",
          );
          const { day, reads } = open({
            rows: listed.map(rowOf),
            pageSize,
            report: (each) => reportOf(sales, placing, each),
          });
          const outcome = await day().catch((error: unknown) => error);
          const pages = reads.filter((read) => read.startsWith("interactive"));
          expect(pages.length).toBeLessThanOrEqual(6);
          if (outcome instanceof UserError) {
            // A list that fits is told, unless by its two times it could be of all sales or of those by API alone.
            const isUnclear = sales.some(
              ({ created, approved }) => dayOf(created) !== dayOf(approved),
            );
            if (outcome.reason.kind === "brasilia_day_differs") expect(isUnclear).toBe(true);
            else expect(outcome.reason.kind).toMatch(/^brasilia_day_(long|old)$/);
            if (!isUnclear) expect(listed.length).toBeGreaterThan(6 * pageSize);
            seen.set(outcome.reason.kind, (seen.get(outcome.reason.kind) ?? 0) + 1);
            return;
          }
          if (outcome instanceof Error) throw outcome;
          const { sum, covers } = outcome as Awaited<ReturnType<typeof day>>;
          const covered = sales.filter(({ origin }) => covers === "all" || origin === "api");
          const direct = directSum(covered, "approved", FROM, TO);
          // Where either time agrees with the report, the approval counts.
          const byCharge = directSum(covered, "created", FROM, TO);
          expect(placing === "approved" ? [direct] : [direct, byCharge]).toContainEqual(sum);
          if (listsAll && !samePrice) expect(covers).toBe("all");
          seen.set(covers, (seen.get(covers) ?? 0) + 1);
        },
      ),
      { numRuns: 2_000 },
    );
    for (const each of ["all", "api", "brasilia_day_long"])
      expect(seen.get(each)).toBeGreaterThan(15);
  });

  const sale = (created: string, given: Partial<Sale> = {}): Sale => ({
    origin: "api",
    type: "payment",
    status: "approved",
    cents: 1_000,
    created: at(created),
    approved: at(created).add({ minutes: 1 }),
    ...given,
  });
  const told = (sales: readonly Sale[], by: Placing = "approved", listed = sales) =>
    open({ rows: listed.map(rowOf), report: (day) => reportOf(sales, by, day) });

  test("takes the approval for the time of a sale, and the charge where only that agrees with the report", async () => {
    const overMidnight = sale("2026-11-20T02:50:00Z", { approved: at("2026-11-20T03:10:00Z") });
    expect((await told([overMidnight]).day()).sum.count).toBe(0);
    const changedLater = sale("2026-11-19T15:00:00Z", { approved: at("2026-11-20T15:00:00Z") });
    expect((await told([changedLater], "created").day()).sum.count).toBe(1);
    expect((await told([changedLater], "approved").day()).sum.count).toBe(0);
  });

  test("begins with 00:00 and ends before 24:00 of Brasília", async () => {
    const approvedAt = (approved: string): Sale =>
      sale("2026-11-18T12:00:00Z", { approved: at(approved) });
    const edges = ["T02:59:59.999Z", "T03:00:00Z"];
    const before = told(edges.map((time) => approvedAt(`2026-11-19${time}`)));
    const after = told(edges.map((time) => approvedAt(`2026-11-20${time}`)));
    expect((await before.day()).sum.count).toBe(1);
    expect((await after.day()).sum.count).toBe(1);
    const both = [...edges.map((time) => approvedAt(`2026-11-20${time}`)), approvedAt(FROM)];
    expect((await told(both).day()).sum.count).toBe(2);
  });

  test("says that it lacks the other origin where the list has only sales by API", async () => {
    const api = sale("2026-11-19T15:00:00Z");
    const all = [api, sale("2026-11-19T16:00:00Z", { origin: "esales", cents: 500 })];
    expect(await told(all).day()).toMatchObject({ covers: "all", sum: { count: 2, sales: 1_500 } });
    const part = await told(all, "approved", [api]).day();
    expect(part).toMatchObject({ covers: "api", sum: { count: 1, sales: 1_000, fees: 60 } });
  });

  test("is not told where one time proves all sales and the other those by API", () => {
    const [before, within] = [at("2026-11-18T12:00:00Z"), at("2026-11-19T12:00:00Z")];
    const rows = [before, within].map((createdAt, place) =>
      sampleRow({ txid: `t${place}`, amount: cents(1_000), createdAt, updatedAt: within }),
    );
    const net = rows[0]?.net ?? cents(0);
    const one = sold(1, 1_000, 1_000 - net);
    const reports = [
      sampleReport(one, one, "2026-11-19"),
      sampleReport(sold(0, 0, 0), sold(0, 0, 0), "2026-11-20"),
    ];
    expect(brasiliaDayOf(DAY, rows, reports)).toBeUndefined();
    expect(brasiliaDayOf(DAY, rows.slice(1), reports)).toMatchObject({ covers: "api" });
  });

  test("is not told of a list that differs from the report by a sale, an amount or a net", async () => {
    const sales = [sale("2026-11-19T15:00:00Z"), sale("2026-11-19T16:00:00Z")];
    const rows = sales.map(rowOf);
    const [first, second] = rows;
    if (first === undefined || second === undefined) throw new Error("two rows");
    const report = (day: Temporal.PlainDate) => reportOf(sales, "approved", day);
    for (const others of [
      [first],
      [first, { ...second, amount: undefined }],
      [first, { ...second, net: undefined }],
      [first, { ...second, amount: cents(1_001) }],
      [first, { ...second, net: cents(938) }],
      [first, { ...second, type: undefined }],
      [first, { ...second, status: "paid" }],
    ])
      expect(await refusal(open({ rows: others, report }).day())).toEqual({
        kind: "brasilia_day_differs",
      });
    // Less than a centavo a sale is the service's rounding.
    const three = [...sales, sale("2026-11-19T17:00:00Z")];
    const rounded = (up: number) =>
      open({
        rows: three
          .map(rowOf)
          .map((row, place) => (place < up ? { ...row, net: cents(941) } : row)),
        report: (day) => reportOf(three, "approved", day),
      });
    expect((await rounded(2).day()).sum.net).toBe(2_822);
    expect(await refusal(rounded(3).day())).toEqual({ kind: "brasilia_day_differs" });
    const undated = [first, { ...second, createdAt: undefined, updatedAt: undefined }];
    expect(await refusal(open({ rows: undated, report }).day())).toEqual({
      kind: "brasilia_day_undated",
    });
  });

  test.each([
    ["not_found", { kind: "brasilia_day_unread" }],
    ["forbidden", { kind: "brasilia_day_unread" }],
    ["malformed", { kind: "brasilia_day_unread" }],
    ["unavailable", expect.objectContaining({ kind: "unavailable" })],
    ["unauthorized", expect.objectContaining({ kind: "unauthorized" })],
  ] as const)("of a list that is %s is not told", async (failing, reason) => {
    const other = sale("2026-11-19T15:00:00Z", { origin: "esales" });
    const report = (day: Temporal.PlainDate) => reportOf([other], "approved", day);
    const asked = open({ rows: [], report, failing }).day();
    expect(await refusal(asked)).toEqual(reason);
    if (failing === "malformed")
      await expect(asked).rejects.toHaveProperty("cause.kind", "malformed");
  });

  test("costs two reports, and the pages of a person back to an hour before the first of their days", async () => {
    const sales = Array.from({ length: 70 }, (_, ago) =>
      sale(at("2026-11-21T10:30:00Z").subtract({ hours: ago }).toString()),
    );
    const { day, reads } = told(sales);
    expect((await day()).sum.count).toBe(24);
    expect(reads.toSorted()).toEqual([
      "2026-11-19",
      "2026-11-20",
      "interactive 1",
      "interactive 2",
      "interactive 3",
      "interactive 4",
    ]);
  });

  test("before all that can be read is called too old, and one that is read in part is too long", async () => {
    const sales = Array.from({ length: 2_000 }, (_, ago) =>
      sale(at(TO).add({ hours: 500 }).subtract({ hours: ago }).toString()),
    );
    expect(await refusal(told(sales).day())).toEqual({ kind: "brasilia_day_old" });
    const busy = Array.from({ length: 2_000 }, (_, ago) =>
      sale(at(TO).add({ minutes: 60 }).subtract({ minutes: ago }).toString()),
    );
    expect(await refusal(told(busy).day())).toEqual({ kind: "brasilia_day_long" });
  });

  test("of one day of a thousand sales and more on one page is not told", async () => {
    const sales = Array.from({ length: 1_200 }, (_, n) =>
      sale(
        at(TO)
          .subtract({ seconds: n + 60 })
          .toString(),
      ),
    );
    const rows = sales.map(rowOf);
    const many = open({
      rows,
      pageSize: 2_000,
      report: (day) => reportOf(sales, "approved", day),
    });
    expect(await refusal(many.day())).toEqual({ kind: "brasilia_day_long" });
  });
});

test.each([
  ["2026-11-19", "2026-11-21T12:00:00Z", ["2026-11-19", "2026-11-20"]],
  // Before and after 21:00 in Brasília.
  ["2026-11-19", "2026-11-19T23:59:00Z", ["2026-11-19"]],
  ["2026-11-19", "2026-11-20T00:00:00Z", ["2026-11-19", "2026-11-20"]],
  // The last days of summer time: two hours from UTC, and the day that has 25.
  ["2019-02-15", "2026-11-21T12:00:00Z", ["2019-02-15", "2019-02-16"]],
  ["2019-02-16", "2026-11-21T12:00:00Z", ["2019-02-16", "2019-02-17"]],
])("the day %s at %s is in the report days %j", (day, now, days) => {
  expect(reportDaysOf(Temporal.PlainDate.from(day), at(now)).map(String)).toEqual(days);
});
