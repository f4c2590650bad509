import type { SaleWatches } from "#src/sale-notices/sale-watch.store.ts";
import { describe, expect, test } from "vitest";
import { isStale } from "#src/reports/sales-days.ts";
import { WalletError } from "#src/shared/errors.ts";
import { openReportDay } from "#src/shared/report-day.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { salesDay } from "../closes/close-samples.ts";
import { ANA, GUILD, type ListForm, openSaleStage, stageWithAna, sumOf } from "./sale-stage.ts";

/** With sales made before Ana agreed. */
const stageWithOld = async (form: Partial<ListForm>, old: number) => {
  const stage = await openSaleStage();
  stage.service.form = { order: "created", pageSize: 20, times: "both", most: Infinity, ...form };
  for (let each = 0; each < old; each++) {
    stage.service.make(7);
    stage.clock.moveBy(1_000);
  }
  stage.clock.moveBy(20 * MINUTE);
  await stage.connect(ANA);
  await stage.route();
  await stage.choose(ANA, "channel");
  return stage;
};

test("a list on one page of many rows is compared a slice at a time", async () => {
  const asked: number[] = [];
  const watches = (real: SaleWatches): SaleWatches => ({
    ...real,
    seen: (accountFp, keys) => {
      asked.push(keys.length);
      return real.seen(accountFp, keys);
    },
  });
  const stage = await openSaleStage(undefined, { watches });
  stage.service.form = { order: "created", pageSize: 2_000, times: "both", most: Infinity };
  await stage.connect(ANA);
  await stage.route();
  await stage.choose(ANA, "channel");
  await stage.pass({ minutes: 1 });
  for (let each = 0; each < 1_200; each++) stage.service.make(1);
  asked.length = 0;
  await stage.pass({ minutes: 1 });
  expect(sumOf(await stage.told())).toMatchObject({ sales: 1_200 });
  expect(Math.max(...asked)).toBe(500);
});

test("a refund has the days that may have counted its sale read again once, also where its look is not recorded and our clock is ahead", async () => {
  let isDown = false;
  const watches = (real: SaleWatches): SaleWatches => ({
    ...real,
    record: (...look) => (isDown ? Promise.resolve(false) : real.record(...look)),
  });
  const stage = await stageWithAna(undefined, { watches });
  const { salesDays, accounts } = stage.stores;
  const sale = stage.service.make(249);
  const created = openReportDay(sale.createdAt);
  await stage.pass({ minutes: 1 });
  stage.clock.moveBy(11 * DAY);
  await stage.run();
  stage.service.aheadMs = -HOUR;
  const { accountFp } = (await accounts.find(GUILD, ANA))!;
  const keep = async (lateMs: number) => {
    const readAt = stage.clock.now().add({ milliseconds: stage.service.aheadMs + lateMs });
    for (let after = -1; after <= 4; after++)
      await salesDays.keep(accountFp, salesDay(created.add({ days: after }), 249, { readAt }));
  };
  await keep(0);
  const stale = async () => {
    const kept = await salesDays.between(
      accountFp,
      created.subtract({ days: 1 }),
      created.add({ days: 4 }),
    );
    return kept.filter(isStale).map(({ day }) => created.until(day).days);
  };
  stage.service.make(10);
  await stage.pass({ minutes: 15 }, { minutes: 1 });
  expect(await stale()).toEqual([]);
  isDown = true;
  stage.service.change(sale, "refunded");
  await stage.pass({ minutes: 5 });
  expect(sumOf(await stage.told()).refunds).toBe(0);
  expect(await stale()).toEqual([0, 1, 2, 3]);
  await keep(SECOND);
  expect(await stale()).toEqual([]);
});

describe("a list that is longer than a look reads", () => {
  test("without times tells no old sale, even after weeks of short runs", async () => {
    const stage = await stageWithOld({ times: "none" }, 480);
    for (let day = 0; day < 16; day++) {
      stage.clock.moveBy(DAY - 40 * MINUTE);
      await stage.pass({ minutes: 40 }, { minutes: 2 });
    }
    expect(sumOf(await stage.told())).toMatchObject({ sales: 0 });
  });

  test("tells refunds behind its tenth page within hours", async () => {
    const stage = await stageWithAna();
    const sales = [];
    for (let each = 0; each < 52; each++) {
      for (const reais of [1, 2, 3, 4, 5]) sales.push(stage.service.make(reais));
      await stage.pass({ minutes: 15 }, { minutes: 5 });
    }
    const third = sales[2];
    if (third !== undefined) stage.service.change(third, "refunded");
    await stage.pass({ hours: 5 }, { minutes: 1 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 260, refunds: 1 });
  });

  test("tells a charge that is paid behind its tenth page", async () => {
    const stage = await stageWithAna();
    await stage.pass({ minutes: 5 });
    const charge = stage.service.make(99, "pending");
    await stage.pass({ minutes: 1 });
    for (let each = 0; each < 260; each++) stage.service.make(1);
    await stage.pass({ minutes: 20 });
    stage.service.change(charge, "approved");
    await stage.pass({ hours: 2 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 261 });
  });

  test("tells at the next look a charge of the hour, paid while older sales are still read", async () => {
    const stage = await stageWithOld({}, 600);
    const { db, service } = stage;
    /** Where the reading of older sales is to go on. */
    const place = async (): Promise<unknown> => {
      const { state } = await db.selectFrom("sale_watch").select("state").executeTakeFirstOrThrow();
      return (JSON.parse(state) as { deepResume: unknown }).deepResume;
    };
    await stage.pass({ minutes: 50 });
    const charge = service.make(99, "pending");
    for (let each = 0; each < 50; each++) {
      stage.clock.moveBy(5_000);
      service.make(1);
    }
    for (let half = 0; half < 40 && (await place()) === null; half++)
      await stage.pass({ seconds: 30 });
    service.change(charge, "approved");
    const before = { place: await place(), calls: service.asked.length };
    for (let half = 0; half < 40 && (await place()) === before.place; half++)
      await stage.pass({ seconds: 30 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 51, cents: 14_900 });
    expect([before.place, await place()]).toEqual(["page=10", "page=16"]);
    expect(service.asked.length - before.calls).toBe(10);
  });

  test("tells the sales that are made during its first reading", async () => {
    const stage = await stageWithOld({ order: "mixed" }, 600);
    await stage.run();
    stage.clock.moveBy(10_000);
    for (let each = 0; each < 20; each++) stage.service.make(5);
    await stage.pass({ hours: 1 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 20, cents: 10_000 });
  });

  test.each(["created", "updated"] as const)(
    "ends its first reading, though a day fills more pages than a look reads (%s)",
    async (order) => {
      const stage = await stageWithOld({ order }, 600);
      await stage.pass({ minutes: 10 });
      stage.service.make(50);
      await stage.pass({ minutes: 2 });
      expect(sumOf(await stage.told())).toMatchObject({ sales: 1, cents: 5_000 });
    },
  );
});

test("of older pages, only the refunds since the first reading are told", async () => {
  const stage = await openSaleStage();
  const [before, after] = [stage.service.make(50), stage.service.make(80)];
  for (let each = 0; each < 25; each++) {
    stage.clock.moveBy(2 * HOUR);
    stage.service.make(7);
  }
  stage.clock.moveBy(2 * DAY);
  stage.service.change(before, "refunded");
  stage.clock.moveBy(DAY);
  await stage.connect(ANA);
  await stage.route();
  await stage.choose(ANA, "channel");
  await stage.pass({ minutes: 20 });
  stage.service.change(after, "refunded");
  await stage.pass({ hours: 2 });
  expect(await stage.told()).toMatchObject([{ refunds: 1, cents: 8_000 }]);
});

test("of older pages, refunds are looked for as far as a week back", async () => {
  const stage = await stageWithAna();
  const old = stage.service.make(50);
  const made = [];
  for (let each = 0; each < 100; each++) {
    stage.clock.moveBy(2 * HOUR);
    made.push(stage.service.make(7));
  }
  const recent = made[50]!;
  await stage.pass({ minutes: 10 });
  for (const sale of [old, recent]) stage.service.change(sale, "refunded");
  await stage.pass({ minutes: 65 });
  expect(sumOf(await stage.told())).toMatchObject({ refunds: 1 });
});

test.each([
  ["is a day ahead", 0],
  ["was set back by a day since the first reading", DAY],
])("of older pages, a new refund is told also where our clock %s", async (_, setBackMs) => {
  const stage = await openSaleStage();
  stage.service.aheadMs = -DAY;
  const old = stage.service.make(80);
  for (let each = 0; each < 25; each++) {
    stage.clock.moveBy(8 * HOUR);
    stage.service.make(7);
  }
  await stage.connect(ANA);
  await stage.route();
  await stage.choose(ANA, "channel");
  await stage.pass({ minutes: 20 });
  stage.clock.moveBy(-setBackMs);
  stage.service.aheadMs += setBackMs;
  stage.service.change(old, "refunded");
  await stage.pass({ hours: 2 });
  expect(await stage.told()).toMatchObject([{ refunds: 1, cents: 8_000 }]);
});

describe("a list with a page that is not answered", () => {
  test("tells no old sale where it shows no times, and new ones once it is answered", async () => {
    const stage = await stageWithOld({ times: "none" }, 100);
    Object.assign(stage.service, { listFails: "timeout", goodPages: 1 });
    await stage.pass({ hours: 3 }, { minutes: 2 });
    stage.service.listFails = undefined;
    await stage.pass({ minutes: 5 });
    stage.service.make(50);
    await stage.pass({ hours: 3 }, { minutes: 2 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 1, cents: 5_000 });
  });
});

describe("a list that was empty when it was first read", () => {
  const emptyAtFirst = async (form: Partial<ListForm>, old: number) => {
    const stage = await stageWithOld({ ...form, most: 0 }, old);
    await stage.run();
    stage.service.form = { ...stage.service.form, most: Infinity };
    return stage;
  };

  test.each([
    ["with times", { times: "both" }, 100],
    ["without times", { times: "none" }, 100],
    ["without times, oldest first", { times: "none", order: "oldest" }, 100],
    ["without times, on more pages than a look reads", { times: "none" }, 600],
  ] as const)("and shows old sales later, %s, tells none of them", async (_, form, old) => {
    const stage = await emptyAtFirst(form, old);
    await stage.pass({ minutes: 5 });
    stage.service.make(50);
    await stage.pass({ minutes: 5 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 1, cents: 5_000 });
  });

  test.each(["created", "oldest"] as const)(
    "without times, tells a first sale that appears with old ones (%s)",
    async (order) => {
      const stage = await emptyAtFirst({ times: "none", order }, 100);
      stage.clock.moveBy(MINUTE);
      stage.service.make(50);
      await stage.pass({ minutes: 5 });
      expect(sumOf(await stage.told())).toMatchObject({ sales: 1, cents: 5_000 });
    },
  );

  test("without times, tells the first sales of a new seller, though a detail fails at first", async () => {
    const stage = await emptyAtFirst({ times: "none" }, 0);
    for (let each = 0; each < 30; each++) stage.service.make(2);
    stage.service.detailFails = "unavailable";
    await stage.pass({ minutes: 5 });
    expect(await stage.told()).toEqual([]);
    stage.service.detailFails = undefined;
    await stage.pass({ minutes: 5 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 30, cents: 6_000 });
  });

  test("without times or an order, tells none of a few old sales between many new ones", async () => {
    const stage = await emptyAtFirst({ times: "none", order: "mixed" }, 15);
    for (let each = 0; each < 60; each++) stage.service.make(2);
    await stage.pass({ minutes: 5 });
    const { sales, cents } = sumOf(await stage.told());
    expect(sales).toBeGreaterThan(0);
    expect(cents).toBe(sales * 200);
  });

  test("without times, tells a first sale whose detail is not there yet, and old ones never", async () => {
    const stage = await emptyAtFirst({ times: "none" }, 0);
    const other = await emptyAtFirst({ times: "none" }, 2);
    stage.service.make(50);
    stage.service.detailFails = "not_found";
    await stage.pass({ minutes: 2 });
    stage.service.detailFails = undefined;
    await stage.pass({ minutes: 15 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 1, cents: 5_000 });

    other.service.detailFails = "not_found";
    await other.pass({ minutes: 15 });
    expect(await other.told()).toEqual([]);
    other.service.make(50);
    await other.pass({ minutes: 5 });
    expect(sumOf(await other.told())).toMatchObject({ sales: 1, cents: 5_000 });
  });

  test("without times, tells the first sales of a new seller, though the detail of one is missing", async () => {
    const stage = await emptyAtFirst({ times: "none" }, 0);
    const { transaction } = stage.service.wallet;
    const missing = new WalletError({ kind: "not_found", method: "GET", route: "/v1/x" });
    stage.service.wallet.transaction = (_, txid) =>
      txid === "sale-3" ? Promise.reject(missing) : transaction(_, txid);
    for (let each = 0; each < 30; each++) stage.service.make(2);
    await stage.pass({ minutes: 5 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 30, cents: 6_000 });
  });
});

describe("a list that says there is more, without the way to it,", () => {
  /** After an outage in which so many were sold. */
  const afterOutage = async (sold: number, repeatsPages = false) => {
    const stage = await stageWithAna();
    const { service } = stage;
    service.form.isCut = true;
    const read = service.wallet.transactions;
    if (repeatsPages)
      service.wallet.transactions = async (...given) => {
        const page = await read(given[0], undefined);
        return { ...page, next: page.isCut === true ? "page=2" : undefined, isCut: false };
      };
    service.make(7);
    await stage.pass({ minutes: 2 });
    Object.assign(service, { listFails: "unavailable", reportFails: "unavailable" });
    for (let each = 0; each < sold; each++) {
      service.make(1);
      stage.clock.moveBy(5_000);
    }
    await stage.pass({ minutes: 2 });
    Object.assign(service, { listFails: undefined, reportFails: undefined });
    await stage.pass({ minutes: 90 });
    return await stage.told();
  };
  /** Told where the first reading comes so long after the consent, with a sale halfway. */
  const readLate = async (minutes: number, sold: number) => {
    const stage = await openSaleStage();
    const { service } = stage;
    await stage.connect(ANA);
    await stage.route();
    service.make(10);
    await stage.pass({ minutes: 30 });
    Object.assign(service, { listFails: "timeout", reportFails: "timeout" });
    await stage.choose(ANA, "channel");
    await stage.pass({ minutes: minutes / 2 });
    for (let each = 0; each < sold; each++) service.make(77);
    await stage.pass({ minutes: minutes / 2 });
    Object.assign(service, { listFails: undefined, reportFails: undefined });
    await stage.pass({ minutes: 30 });
    service.make(88);
    await stage.pass({ minutes: 30 });
    return await stage.told();
  };
  const MISSING =
    /^<@\d+> · Pode faltar aviso de vendas de <t:\d+:d> <t:\d+:t> a <t:\d+:d> <t:\d+:t>: não consegui ler todas\. O total do dia está em `\/vendas`\.$/;

  test.each([
    ["", false],
    [", as it repeats its first page", true],
  ])("is told once to have left out sales%s", async (_, repeatsPages) => {
    const told = await afterOutage(60, repeatsPages);
    expect(sumOf(told)).toMatchObject({ sales: 21 });
    const missing = told.filter(({ sales }) => sales === 0);
    expect(missing.map(({ line }) => line)).toEqual([expect.stringMatching(MISSING)]);
  });

  test.each([6, 60])(
    "is told once to miss sales since a consent %i minutes before",
    async (minutes) => {
      const told = await readLate(minutes, 1);
      expect(told.map(({ cents }) => cents)).toEqual([0, 88_00]);
      expect(told[0]?.line).toMatch(MISSING);
      expect((await readLate(minutes, 0)).map(({ cents }) => cents)).toEqual([88_00]);
    },
  );

  test("leaves out nothing where it shows a sale of before", async () => {
    const told = await afterOutage(19);
    expect(sumOf(told)).toMatchObject({ sales: 20 });
    expect(told.filter(({ sales }) => sales === 0)).toEqual([]);
  });
});

test("one new sale on top of a known page costs one call, and twelve two", async () => {
  const stage = await stageWithOld({}, 60);
  await stage.run();
  const callsFor = async (count: number) => {
    const before = stage.service.asked.length;
    for (let each = 0; each < count; each++) stage.service.make(5);
    await stage.pass({ seconds: 30 });
    return stage.service.asked.length - before;
  };
  expect([await callsFor(1), await callsFor(12)]).toEqual([1, 2]);
  expect(sumOf(await stage.told())).toMatchObject({ sales: 13 });
});

test.each(["the first look", "a later choice"])(
  "sales are told though a clock that was ahead has dated %s",
  async (dated) => {
    const isFirst = dated === "the first look";
    const stage = isFirst ? await stageWithOld({}, 0) : await stageWithAna();
    stage.clock.moveBy(3 * HOUR);
    stage.service.aheadMs = -3 * HOUR;
    await stage.choose(ANA, isFirst ? "channel" : "direct");
    if (isFirst) await stage.run();
    stage.clock.moveBy(-3 * HOUR);
    stage.service.aheadMs = 0;
    await stage.pass({ minutes: 20 });
    stage.service.make(20);
    await stage.pass({ minutes: 1 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 1, cents: 2_000 });
    stage.service.make(30);
    stage.clock.moveBy(40 * MINUTE);
    await stage.run();
    expect(sumOf(await stage.told())).toMatchObject({ sales: 2, cents: 5_000 });
  },
);
