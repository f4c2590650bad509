import type { DoneLook, SaleWatches } from "#src/sale-notices/sale-watch.store.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import {
  ANA,
  type ListForm,
  openSaleStage,
  restored,
  type SaleStage,
  stageWithAna,
  sumOf,
} from "./sale-stage.ts";

/** What happens in the shop, and around it: the first ones often. */
const KINDS = "sell sell sell sell wait wait wait wait charge charge pay refund outage restart";

/** `size`: how many, which one, or how long. */
const acts = fc.array(
  fc.record({ kind: fc.constantFrom(...KINDS.split(" ")), size: fc.nat(500) }),
  { minLength: 3, maxLength: 16 },
);
type Plan = typeof acts extends fc.Arbitrary<infer Each> ? Readonly<Each> : never;

const forms: fc.Arbitrary<ListForm> = fc.record({
  order: fc.constantFrom("created", "updated", "oldest", "mixed"),
  pageSize: fc.constantFrom(2, 5, 20, 100),
  times: fc.constantFrom("both", "created", "none"),
  most: fc.constant(Infinity),
});

const SELLING_AHEAD = 30;

const play = async (stage: SaleStage, plan: Plan, old: number): Promise<void> => {
  const { service } = stage;
  let { run } = stage;
  const step = async (minutes: number): Promise<void> => {
    for (let half = 0; half < minutes * 2; half++) {
      stage.clock.moveBy(MINUTE / 2);
      await run();
    }
  };
  /** One of the sales in that state. */
  const pick = (size: number, state: string) => {
    const such = service.sales.slice(old).filter(({ status }) => status === state);
    return such[size % Math.max(1, such.length)];
  };
  for (const { kind, size } of plan) {
    if (kind === "sell") for (let each = 0; each <= size % 40; each++) service.make(1 + each);
    if (kind === "charge")
      for (let each = 0; each <= size % 5; each++) service.make(100 + each, "pending");
    const [charge, sale] = [pick(size, "pending"), pick(size, "approved")];
    if (kind === "pay" && charge !== undefined) service.change(charge, "approved");
    if (kind === "refund" && sale !== undefined) service.change(sale, "refunded");
    if (kind === "wait") await step(1 + (size % 45));
    if (kind === "outage") {
      Object.assign(service, { listFails: "unavailable", reportFails: "unavailable" });
      await step(1 + (size % 90));
      Object.assign(service, { listFails: undefined, reportFails: undefined });
    }
    if (kind === "restart") ({ run } = stage.start());
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
      { numRuns: Number(process.env["SALE_HISTORIES"] ?? 6), endOnFailure: true },
    );
  });

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
    const plan: Plan = Array.from({ length: 12 }, (_, index) => [
      { kind: "sell", size: index % 9 },
      { kind: "wait", size: 5 },
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

test("refunds of before a restore are told as doubtful also below a page that fails at first", async () => {
  const stage = await stageWithAna();
  const sale = stage.service.make(5);
  for (let each = 0; each < 120; each++) {
    stage.service.make(5);
    await stage.pass({ minutes: 10 }, { minutes: 10 });
  }
  stage.service.change(sale, "refunded");
  await restored(stage);
  Object.assign(stage.service, { listFails: "timeout", goodPages: 2 });
  await stage.pass({ minutes: 1 });
  stage.service.listFails = undefined;
  await stage.pass({ hours: 3 }, { minutes: 1 });
  const refunds = (await stage.told()).filter((each) => each.refunds > 0);
  expect(refunds).toMatchObject([{ line: expect.stringContaining("talvez eu já") }]);
});

test("sales of before a restore are told as doubtful also where the report stands in for the list first", async () => {
  const stage = await stageWithAna();
  stage.service.make(5);
  await stage.pass({ minutes: 1 });
  stage.clock.moveBy(HOUR);
  for (const reais of [10, 20]) stage.service.make(reais);
  await restored(stage);
  stage.service.listFails = "timeout";
  await stage.pass({ minutes: 2 });
  stage.service.make(40);
  await stage.pass({ minutes: 1 });
  stage.service.listFails = undefined;
  await stage.pass({ minutes: 20 });
  stage.service.make(80);
  await stage.pass({ minutes: 1 });
  const [, byReport, doubtful, last, ...more] = (await stage.told()).map(({ line }) => line);
  expect(byReport).not.toContain("talvez eu já");
  expect(doubtful).toMatch(/^\*\*2 vendas\*\*.*talvez eu já/);
  expect(last).toContain("80,00");
  expect(more).toEqual([]);
});

test.each([
  ["pt-BR", /^Talvez eu já tenha avisado: 1 venda, R\$\u00a010,00\.$/],
  ["en-US", /^I may have announced this before: 1 sale, R\$\u00a010\.00\.$/],
] as const)(
  "sales of before a restore are told as doubtful in the notification too, in %s",
  async (locale, alone) => {
    const stage = await stageWithAna();
    await stage.route({ locale });
    stage.service.make(10);
    await restored(stage);
    await stage.pass({ minutes: 1 });
    expect(await stage.told()).toMatchObject([{ alone: expect.stringMatching(alone) }]);
  },
);

test("older sales are read on from where they were left, also where a page above them fails twice", async () => {
  const stage = await stageWithAna();
  const { db, service } = stage;
  const left = async () => {
    const { state } = await db.selectFrom("sale_watch").select("state").executeTakeFirstOrThrow();
    const { resume, deepResume } = JSON.parse(state) as Record<string, unknown>;
    return { resume, deepResume };
  };
  const sell = (most: number): void => {
    for (let each = 0; each < most; each++) {
      stage.clock.moveBy(SECOND);
      service.make(5);
    }
  };
  for (let each = 0; each < 40; each++) {
    sell(10);
    await stage.pass({ minutes: 5 }, { minutes: 5 });
  }
  service.make(99, "pending");
  for (let each = 0; each < 8; each++) {
    sell(10);
    await stage.pass({ minutes: 1 });
  }
  for (let half = 0; half < 120 && (await left()).deepResume === null; half++)
    await stage.pass({ seconds: 30 });
  const { deepResume } = await left();
  Object.assign(service, { listFails: "timeout", goodPages: 4 });
  sell(25);
  await stage.pass({ minutes: 2 });
  expect(await left()).toEqual({ resume: "page=4", deepResume });
});

test.each([
  ["pt-BR", 1, /^Venda de R\$\u00a010,00, qui 19\/11 12:00 \(horário de Brasília\)\.$/],
  ["en-US", 1, /^Sale of R\$\u00a010\.00, on Thu, Nov 19, 12:00 PM \(Brasília time\)\.$/],
  ["pt-BR", 6, /^6 vendas, R\$\u00a060,00, de qui 19\/11 12:00 a qui 19\/11 12:05 \(horário/],
] as const)(
  "sales of hours ago say their time in the notification too, in %s: %d",
  async (locale, count, alone) => {
    const stage = await stageWithAna();
    await stage.route({ locale });
    for (let each = 0; each < count; each++) {
      if (each > 0) stage.clock.moveBy(MINUTE);
      stage.service.make(10);
    }
    stage.clock.moveBy(6 * HOUR);
    await stage.pass({ minutes: 1 });
    expect(await stage.told()).toMatchObject([{ alone: expect.stringMatching(alone) }]);
  },
);

test.each([
  ["pt-BR", "6 vendas, R$\u00a060,00, qui 19/11 12:00 (horário de Brasília).", "vendas** de <t:"],
  ["en-US", "6 sales, R$\u00a060.00, on Thu, Nov 19, 12:00 PM (Brasília time).", "sales** on <t:"],
] as const)("sales of one minute, hours ago, name it once, in %s", async (locale, alone, words) => {
  const stage = await stageWithAna();
  await stage.route({ locale });
  for (let each = 0; each < 6; each++) stage.service.make(10);
  stage.clock.moveBy(6 * HOUR);
  await stage.pass({ minutes: 1 });
  const [told] = await stage.told();
  expect(told?.alone).toBe(alone);
  expect(told?.line).toContain(words);
  expect(told?.line).not.toMatch(/> (a|to) </);
});
