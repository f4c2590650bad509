import type { DoneLook, SaleWatches } from "#src/sale-notices/sale-watch.store.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MINUTE } from "#src/shared/time.ts";
import { ANA, type ListForm, openSaleStage, type SaleStage, sumOf } from "./sale-stage.ts";

/** What happens in the shop, and around it. */
type Act =
  | { readonly kind: "sell" | "charge"; readonly count: number }
  | { readonly kind: "pay" | "refund"; readonly which: number }
  | { readonly kind: "wait"; readonly minutes: number }
  | { readonly kind: "outage"; readonly minutes: number }
  | { readonly kind: "step"; readonly minutes: number }
  | { readonly kind: "restart" };

const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("sell" as const),
        count: fc.integer({ min: 1, max: 40 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("charge" as const),
        count: fc.integer({ min: 1, max: 5 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom("pay" as const, "refund" as const),
        which: fc.nat(500),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("wait" as const),
        minutes: fc.integer({ min: 1, max: 45 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("outage" as const),
        minutes: fc.integer({ min: 1, max: 90 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const) }) },
  ),
  { minLength: 3, maxLength: 16 },
);

const forms: fc.Arbitrary<ListForm> = fc.record({
  order: fc.constantFrom("created", "updated", "oldest", "mixed"),
  pageSize: fc.constantFrom(2, 5, 20, 100),
  times: fc.constantFrom("both", "created", "none"),
  most: fc.constant(Infinity),
});

const SELLING_AHEAD = 30;

const play = async (stage: SaleStage, plan: readonly Act[], old: number): Promise<void> => {
  const { service } = stage;
  let { run } = stage;
  const step = async (minutes: number): Promise<void> => {
    for (let half = 0; half < minutes * 2; half++) {
      stage.clock.moveBy(MINUTE / 2);
      await run();
    }
  };
  for (const act of plan) {
    const news = service.sales.slice(old);
    switch (act.kind) {
      case "sell":
        for (let each = 0; each < act.count; each++) service.make(1 + each);
        break;
      case "charge":
        for (let each = 0; each < act.count; each++) service.make(100 + each, "pending");
        break;
      case "pay": {
        const waiting = news.filter(({ status }) => status === "pending");
        const sale = waiting[act.which % Math.max(1, waiting.length)];
        if (sale !== undefined) service.change(sale, "approved");
        break;
      }
      case "refund": {
        const sold = news.filter(({ status }) => status === "approved");
        const sale = sold[act.which % Math.max(1, sold.length)];
        if (sale !== undefined) service.change(sale, "refunded");
        break;
      }
      case "wait":
        await step(act.minutes);
        break;
      case "outage":
        service.listFails = "unavailable";
        service.reportFails = "unavailable";
        await step(act.minutes);
        service.listFails = undefined;
        service.reportFails = undefined;
        break;
      case "step":
        stage.clock.moveBy(act.minutes * MINUTE);
        break;
      case "restart":
        ({ run } = stage.start());
        break;
    }
  }
  // Long enough for pages left over, and for the hourly reading of older ones.
  await step(SELLING_AHEAD);
  for (let look = 0; look < 40; look++) {
    stage.clock.moveBy(11 * MINUTE);
    await run();
  }
};

const truthOf = (stage: SaleStage, old: number) => {
  const sold = stage.service.sales.slice(old).filter(({ status }) => status !== "pending");
  return {
    sales: sold.length,
    refunds: sold.filter(({ status }) => status === "refunded").length,
    cents: sold.reduce((sum, { amount }) => sum + amount, 0),
  };
};

const begin = async (
  form: ListForm,
  old: number,
  watches?: (real: SaleWatches) => SaleWatches,
): Promise<SaleStage> => {
  const stage = await openSaleStage(undefined, watches === undefined ? {} : { watches });
  stage.service.form = form;
  for (let each = 0; each < old; each++) stage.service.make(7);
  stage.clock.moveBy(20 * MINUTE);
  await stage.connect(ANA);
  await stage.route();
  await stage.choose(ANA, "channel");
  for (let look = 0; look < 12; look++) {
    await stage.run();
    stage.clock.moveBy(3 * MINUTE);
  }
  return stage;
};

describe("a history of sales", () => {
  test("is told whole and once, whatever the list looks like", async () => {
    await fc.assert(
      fc.asyncProperty(forms, fc.integer({ min: 0, max: 45 }), acts, async (form, old, plan) => {
        const stage = await begin(form, old);
        try {
          await play(stage, plan, old);
          const truth = truthOf(stage, old);
          const told = sumOf(await stage.told());
          // A refund of a sale that no look saw, in a list without times, may be of any sale.
          if (form.times !== "none") expect(told).toEqual(truth);
          else {
            expect(told.refunds).toBe(truth.refunds);
            expect(truth.sales - told.sales).toBeLessThanOrEqual(truth.refunds);
            expect(told.sales).toBeLessThanOrEqual(truth.sales);
          }
        } finally {
          await stage.close();
        }
      }),
      { numRuns: Number(process.env["SALE_HISTORIES"] ?? 12), endOnFailure: true },
    );
  }, 120_000);

  test("survives death at every point of the record, and a window moved before the work is caught", async () => {
    const form: ListForm = { order: "created", pageSize: 5, times: "both", most: Infinity };
    const dying = (split: boolean) => {
      let deaths = 0;
      return (real: SaleWatches): SaleWatches => ({
        ...real,
        record: async (done: DoneLook, at) => {
          if (done.deliveries.length > 0) deaths += 1;
          const dies = done.deliveries.length > 0 && deaths % 2 === 1;
          if (!split) {
            if (dies) throw new Error("died before the commit");
            return await real.record(done, at);
          }
          // The planted mistake: what was seen is stored first, and the notices after it.
          const seen = await real.record({ ...done, deliveries: [] }, at);
          if (dies) throw new Error("died between the two");
          const again = await real.claim(at.add({ hours: 1 }), 1, MINUTE);
          for (const { watch } of again) {
            const { nextLookAt, after } = done;
            const rest = { seen: new Map(), forget: undefined, deliveries: done.deliveries };
            await real.record({ claimed: watch, after, nextLookAt, ...rest }, at);
          }
          return seen;
        },
      });
    };
    const plan: readonly Act[] = Array.from({ length: 12 }, (_, index) => [
      { kind: "sell" as const, count: 1 + (index % 9) },
      { kind: "wait" as const, minutes: 6 },
    ]).flat();
    const judged = async (split: boolean) => {
      const stage = await begin(form, 8, dying(split));
      try {
        await play(stage, plan, 8);
        return { told: sumOf(await stage.told()), truth: truthOf(stage, 8) };
      } finally {
        await stage.close();
      }
    };
    const right = await judged(false);
    expect(right.told).toEqual(right.truth);
    const planted = await judged(true);
    expect(planted.told.sales).toBeLessThan(planted.truth.sales);
  }, 60_000);
});
