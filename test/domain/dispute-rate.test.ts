import { describe, expect, test } from "vitest";
import { disputeRate, rateDays } from "#src/domain/dispute-rate.ts";
import { NOW } from "../support/samples.ts";

const days = rateDays(NOW);
const at = (instant: string, status = "pending") => ({
  contestedAt: Temporal.Instant.from(instant),
  status,
});
const facts = { days, sales: days.map(() => 10), disputes: [] };

describe("the days of the rate", () => {
  test("are the last thirty that are over, by the service's own calendar", () => {
    expect(days).toHaveLength(30);
    expect([days[0], days.at(-1)].map(String)).toEqual(["2026-10-21", "2026-11-19"]);
    const atClose = Temporal.Instant.from("2026-11-20T00:00:00Z");
    expect(String(rateDays(atClose).at(-1))).toBe("2026-11-19");
  });
});

describe("the rate", () => {
  test("sets disputes opened in the days against their approved sales", () => {
    const disputes = [
      at("2026-10-20T23:59:59Z"),
      at("2026-10-21T00:00:00Z"),
      at("2026-11-19T23:59:59Z", "disagreed"),
      at("2026-11-20T00:00:00Z"),
      at("2026-11-10T00:00:00Z", "canceled"),
      { contestedAt: undefined, status: "canceled" },
    ];
    expect(disputeRate({ ...facts, disputes })).toEqual({
      known: true,
      from: days[0],
      to: days.at(-1),
      disputes: 2,
      sales: 300,
      basisPoints: 67,
    });
  });

  test("of an account without disputes is zero", () => {
    expect(disputeRate(facts)).toMatchObject({ known: true, disputes: 0, basisPoints: 0 });
  });

  test.each([
    ["the list is not whole", { ...facts, disputes: undefined }, "list"],
    [
      "a dispute has no date",
      { ...facts, disputes: [{ contestedAt: undefined, status: "x" }] },
      "dates",
    ],
    ["a report is missing", { ...facts, sales: [undefined, ...facts.sales.slice(1)] }, "sales"],
    ["a report was not asked for", { ...facts, sales: facts.sales.slice(1) }, "sales"],
    ["nothing was sold", { ...facts, sales: days.map(() => 0) }, "no_sales"],
  ])("is left out when %s", (_why, given, why) => {
    expect(disputeRate(given)).toEqual({ known: false, why });
  });
});
