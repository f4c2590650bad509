import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import type { ListedTransaction } from "#src/transactions/transaction.ts";
import { createSaleNotices } from "#src/sale-notices/sale-notices.service.ts";
import { ANA, GUILD, openSaleStage, type SaleStage, stageWithAna, sumOf } from "./sale-stage.ts";

/** The list has pages of five sales and is refused, so that the report stands in for it. */
const withRefusedList = async () => {
  const stage = await stageWithAna();
  stage.service.form.pageSize = 5;
  stage.service.listFails = "malformed";
  await stage.pass({ minutes: 1 });
  return stage;
};

/** The list shows each row as `shown` makes it of the service's. */
const withRows = (
  stage: SaleStage,
  shown: (row: ListedTransaction) => ListedTransaction,
): SaleStage => {
  const { wallet } = stage.service;
  const read = wallet.transactions;
  wallet.transactions = async (...given) => {
    const page = await read(...given);
    return { ...page, items: page.items.map(shown) };
  };
  return stage;
};

/** Thirteen sales, and what was told of them by the list and by their number. */
const thirteenSales = async (stage: SaleStage) => {
  for (let each = 0; each < 13; each++) {
    stage.service.make(10, each % 4 === 0 ? "pending" : "approved");
    await stage.pass({ minutes: 30 }, { minutes: 5 });
  }
  const told = await stage.told();
  const byReport = told.filter(({ line }) => line.includes("pelo relatório do dia"));
  return { all: sumOf(told).sales, byReport: sumOf(byReport).sales };
};

describe("the sales report", () => {
  test.each<readonly [string, (row: ListedTransaction) => ListedTransaction]>([
    ["payments of another type", (row) => ({ ...row, type: "pix_in" })],
    [
      "withdrawals, and payments of another type",
      (row) => ({ ...row, type: row.status === "pending" ? "withdrawal" : "pix_in" }),
    ],
    [
      "paid sales with another status",
      (row) => ({ ...row, status: row.status === "approved" ? "paid" : row.status }),
    ],
    [
      "one sale in known words among many others",
      (row) => (row.txid === "sale-10" ? row : { ...row, status: "paid", type: "pix_in" }),
    ],
  ])("stands in for a list that shows %s", async (_rows, shown) => {
    const stage = withRows(await stageWithAna(), shown);
    // Into a day that begins after the first reading: of that day the report counts sales of before too.
    await stage.pass({ hours: 10 }, { minutes: 30 });
    expect(await thirteenSales(stage)).toEqual({ all: 9, byReport: 9 });
  });

  test("tells no sale of before the consent that the list lacks", async () => {
    const stage = withRows(await openSaleStage(), (row) => ({ ...row, type: "pix_in" }));
    const { form } = stage.service;
    form.most = 0;
    for (let each = 0; each < 3; each++) stage.service.make(10);
    stage.clock.moveBy(3 * HOUR);
    await stage.connect(ANA);
    await stage.route();
    await stage.choose(ANA, "channel");
    await stage.pass({ minutes: 30 });
    stage.service.make(77, "pending");
    form.most = 1;
    await stage.pass({ minutes: 30 });
    expect(await stage.told()).toEqual([]);
  });

  test("does not stand in for a list of which one sale has an unknown status", async () => {
    const stage = withRows(await stageWithAna(), (row) =>
      row.txid === "sale-6" ? { ...row, status: "disputed" } : row,
    );
    expect(await thirteenSales(stage)).toEqual({ all: 8, byReport: 0 });
  });

  test("stands in for a list that is not answered for long", async () => {
    const stage = await stageWithAna();
    await stage.pass({ minutes: 5 });
    stage.service.listFails = "unavailable";
    await stage.pass({ hours: 1 });
    for (let sales = 1; sales <= 9; sales++) {
      stage.service.make(10);
      // At the pace of the looks, though the list is tried in between.
      await stage.pass({ minutes: 13 });
      expect(sumOf(await stage.told())).toMatchObject({ sales });
    }
  });

  test.each([
    [3 * HOUR, "2 vendas, R$ 20,00, de qui 19/11 12:01 a qui 19/11 15:01 (horário de Brasília)."],
    [5 * MINUTE, "2 vendas, R$ 20,00."],
  ] as const)(
    "says of which time its sales are where it was not read for long, %i ms",
    async (ms, words) => {
      const stage = await withRefusedList();
      for (let made = 0; made < 2; made++) stage.service.make(10);
      stage.clock.moveBy(ms);
      await stage.pass({ seconds: 30 });
      const told = await stage.told();
      expect(told.map(({ alone }) => alone?.replaceAll("\u00a0", " "))).toEqual([words]);
    },
  );

  test("does not stand in for a list that fails once", async () => {
    const stage = await stageWithAna();
    await stage.pass({ minutes: 5 });
    stage.service.listFails = "unavailable";
    await stage.pass({ minutes: 10 });
    expect(stage.service.asked.every(({ what }) => what === "list")).toBe(true);
  });

  test("is not needed for the return to the list", async () => {
    const stage = await stageWithAna();
    await stage.pass({ minutes: 5 });
    stage.service.listFails = "malformed";
    await stage.pass({ minutes: 2 });
    stage.service.listFails = undefined;
    stage.service.reportFails = "malformed";
    stage.service.make(10);
    await stage.pass({ hours: 12 }, { minutes: 10 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 1 });
  });

  test("tells no sale again that is made between its reading and the list's", async () => {
    const stage = await stageWithAna();
    await stage.pass({ minutes: 5 });
    stage.service.listFails = "malformed";
    await stage.pass({ minutes: 2 });
    stage.service.listFails = undefined;
    const { wallet } = stage.service;
    const read = wallet.transactions;
    wallet.transactions = async (...given) => {
      const page = await read(...given);
      if (stage.service.sales.length === 1) stage.service.make(20);
      return page;
    };
    stage.service.make(10);
    await stage.pass({ minutes: 30 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 2 });
  });

  test("hides no sale when one was refunded between two readings", async () => {
    const stage = await stageWithAna();
    await stage.pass({ minutes: 5 });
    stage.service.listFails = "malformed";
    await stage.pass({ minutes: 1 });
    const first = stage.service.make(11);
    await stage.pass({ minutes: 1 });
    stage.service.change(first, "refunded");
    stage.service.make(22);
    await stage.pass({ minutes: 1 });
    stage.service.listFails = undefined;
    await stage.pass({ minutes: 30 });
    const told = await stage.told();
    expect(sumOf(told)).toMatchObject({ sales: 2, refunds: 1 });
    expect(told.filter(({ sales, cents }) => sales > 0 && cents === 1_100)).toHaveLength(1);
  });

  test("is read once more where it is zero, before it tells that all were refunded", async () => {
    const stage = await withRefusedList();
    const sales = [10, 20].map((reais) => stage.service.make(reais));
    for (const state of ["approved", "refunded", "approved", "refunded", "refunded"] as const) {
      for (const sale of sales) stage.service.change(sale, state);
      await stage.pass({ seconds: 30 });
    }
    expect(sumOf(await stage.told())).toMatchObject({ sales: 2, refunds: 2 });
  });

  test("counts a sale of a closed day for some minutes after midnight", async () => {
    const stage = await stageWithAna();
    stage.service.listFails = "malformed";
    stage.clock.moveBy((9 * 60 - 10) * MINUTE);
    await stage.pass({ minutes: 9 });
    await stage.pass({ minutes: 3 });
    const late = stage.service.make(10);
    const at = stage.clock.now().subtract({ minutes: 3 });
    stage.service.sales[0] = { ...late, createdAt: at, updatedAt: at };
    await stage.pass({ minutes: 20 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 1 });
  });

  test("tells no sale that the list told, when the list was read in part and fails again", async () => {
    const stage = await withRefusedList();
    const { service } = stage;
    for (let each = 0; each < 12; each++) service.make(1 + each);
    Object.assign(service, { listFails: "unavailable", goodPages: 1, reportFails: "malformed" });
    await stage.pass({ minutes: 12 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 5 });
    Object.assign(service, { listFails: "malformed", goodPages: 0, reportFails: undefined });
    await stage.pass({ minutes: 2 });
    for (let each = 0; each < 3; each++) service.make(50 + each);
    await stage.pass({ minutes: 2 });
    service.listFails = undefined;
    await stage.pass({ minutes: 30 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 15, refunds: 0 });
  });

  test("told sales that the list shows in several parts, with a refund between, are not told again", async () => {
    const stage = await withRefusedList();
    const { service } = stage;
    const sales = Array.from({ length: 12 }, (_, each) => service.make(1 + each));
    await stage.pass({ minutes: 1 });
    Object.assign(service, { listFails: "unavailable", goodPages: 1 });
    await stage.pass({ minutes: 12 });
    for (const sale of sales.slice(0, 1)) service.change(sale, "refunded");
    service.make(70);
    await stage.pass({ minutes: 2 });
    service.listFails = undefined;
    await stage.pass({ minutes: 30 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 13, refunds: 1 });
  });

  test("told sales that stand on a refused page are not told again when it comes back", async () => {
    const stage = await withRefusedList();
    const { service } = stage;
    for (let each = 0; each < 12; each++) service.make(1 + each);
    await stage.pass({ minutes: 1 });
    service.goodPages = 1;
    await stage.pass({ minutes: 30 });
    service.listFails = undefined;
    for (let each = 0; each < 3; each++) service.make(50 + each);
    await stage.pass({ hours: 2 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 15, refunds: 0 });
  });

  describe("that told what the list never shows", () => {
    test("hides no sale made after the list's return", async () => {
      const stage = await withRefusedList();
      stage.service.make(40, "approved", "esales");
      await stage.pass({ minutes: 1 });
      stage.service.listFails = undefined;
      await stage.pass({ minutes: 11 });
      stage.service.make(10);
      await stage.pass({ minutes: 1 });
      expect(sumOf(await stage.told())).toEqual({ sales: 2, refunds: 0, cents: 5_000 });
    });

    test("hides no sale made long after it was read", async () => {
      const stage = await withRefusedList();
      stage.service.make(40, "approved", "esales");
      await stage.pass({ minutes: 1 });
      stage.service.listFails = undefined;
      stage.clock.moveBy(HOUR);
      stage.service.make(10);
      stage.clock.moveBy(HOUR);
      await stage.run();
      expect(sumOf(await stage.told())).toEqual({ sales: 2, refunds: 0, cents: 5_000 });
    });

    test("hides no refund made after the list's return", async () => {
      const stage = await stageWithAna();
      const unlisted = stage.service.make(40, "approved", "esales");
      const listed = stage.service.make(10);
      await stage.pass({ minutes: 1 });
      stage.service.listFails = "malformed";
      await stage.pass({ minutes: 1 });
      stage.service.change(unlisted, "refunded");
      await stage.pass({ minutes: 1 });
      stage.service.listFails = undefined;
      await stage.pass({ minutes: 11 });
      stage.service.change(listed, "refunded");
      await stage.pass({ minutes: 1 });
      expect(sumOf(await stage.told())).toMatchObject({ sales: 1, refunds: 2 });
    });

    test("hides no sale of a list that is longer than a look reads", async () => {
      const stage = await withRefusedList();
      for (let each = 0; each < 80; each++) {
        stage.service.make(1);
        stage.clock.moveBy(1_000);
      }
      await stage.pass({ minutes: 1 });
      stage.service.make(40, "approved", "esales");
      await stage.pass({ minutes: 1 });
      stage.service.listFails = undefined;
      await stage.pass({ minutes: 15 });
      stage.service.make(10);
      await stage.pass({ minutes: 1 });
      expect(sumOf(await stage.told())).toEqual({ sales: 82, refunds: 0, cents: 13_000 });
    });

    test.each([["created"], ["mixed"], ["oldest"]] as const)(
      "hides no sale of a list without times that is longer than a look reads (%s)",
      async (order) => {
        const stage = await withRefusedList();
        stage.service.listFails = undefined;
        Object.assign(stage.service.form, { order, times: "none" });
        for (let each = 0; each < 60; each++) stage.service.make(1);
        await stage.pass({ minutes: 25 });
        stage.service.listFails = "malformed";
        await stage.pass({ minutes: 1 });
        stage.service.make(40, "approved", "esales");
        await stage.pass({ minutes: 1 });
        stage.service.listFails = undefined;
        await stage.pass({ minutes: 40 });
        for (let each = 0; each < 3; each++) {
          stage.service.make(10);
          await stage.pass({ minutes: 5 });
        }
        expect(sumOf(await stage.told())).toMatchObject({ sales: 64, refunds: 0 });
      },
    );
  });

  test.each([
    ["of the list", 0],
    ["of a list whose news take several looks", 60],
  ])("told a refund on an older page %s, which is not told again", async (_, news) => {
    const stage = await stageWithAna();
    stage.service.form.pageSize = 5;
    const makeEach = (count: number) => {
      for (let each = 0; each < count; each++) {
        stage.clock.moveBy(1_000);
        stage.service.make(1);
      }
    };
    const old = stage.service.make(40);
    makeEach(20);
    await stage.pass({ minutes: 85 });
    makeEach(20);
    await stage.pass({ minutes: 5 });
    stage.service.listFails = "malformed";
    await stage.pass({ minutes: 1 });
    stage.service.change(old, "refunded");
    await stage.pass({ minutes: 1 });
    makeEach(news);
    await stage.pass({ minutes: 1 });
    stage.service.listFails = undefined;
    await stage.pass({ hours: 3 }, { minutes: 1 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 41 + news, refunds: 1 });
  });

  test("told sales that stand above an unfinished reading of a list without an order, which are not told again", async () => {
    const stage = await withRefusedList();
    const { service } = stage;
    service.listFails = undefined;
    Object.assign(service.form, { order: "mixed", times: "none" });
    for (let each = 0; each < 60; each++) service.make(1);
    await stage.pass({ minutes: 25 });
    Object.assign(service, { listFails: "unavailable", goodPages: 10 });
    await stage.pass({ minutes: 5 });
    Object.assign(service, { listFails: "malformed", goodPages: 0 });
    await stage.pass({ minutes: 1 });
    for (let each = 0; each < 10; each++) service.make(2);
    await stage.pass({ minutes: 1 });
    service.listFails = undefined;
    await stage.pass({ hours: 1 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 70, refunds: 0 });
  });

  test.each([
    ["behind the tenth page of a long list", 60, 0],
    ["on a page that is refused for a while", 10, 30],
  ])("told a refund without a time %s, which is not told again", async (_, sold, minutes) => {
    const stage = await stageWithAna();
    const { service } = stage;
    Object.assign(service.form, { pageSize: 5, times: "created" });
    const old = service.make(40);
    for (let each = 0; each < sold; each++) {
      stage.clock.moveBy(1_000);
      service.make(1);
    }
    await stage.pass({ minutes: 10 });
    service.listFails = "malformed";
    await stage.pass({ minutes: 1 });
    service.change(old, "refunded");
    await stage.pass({ minutes: 1 });
    service.goodPages = 1;
    await stage.pass({ minutes });
    service.listFails = undefined;
    await stage.pass({ hours: 2 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: sold + 1, refunds: 1 });
  });

  test.each([1, 10])(
    "is begun again where a clock that was %s days ahead has begun it on a day to come",
    async (days) => {
      const stage = await stageWithAna();
      stage.service.listFails = "malformed";
      const aheadMs = days * DAY;
      stage.clock.moveBy(aheadMs);
      await stage.pass({ minutes: 5 });
      stage.clock.moveBy(-aheadMs);
      await stage.pass({ minutes: 5 });
      stage.service.make(10);
      await stage.pass({ minutes: 5 });
      expect(sumOf(await stage.told())).toEqual({ sales: 1, refunds: 0, cents: 1_000 });
    },
  );

  test("tells nothing again after a clock was set back over midnight", async () => {
    const stage = await stageWithAna();
    stage.service.listFails = "malformed";
    stage.clock.moveBy(9 * HOUR - 10 * MINUTE);
    await stage.pass({ minutes: 30 });
    stage.service.make(10);
    await stage.pass({ minutes: 5 });
    stage.clock.moveBy(-40 * MINUTE);
    await stage.pass({ minutes: 60 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 1 });
  });

  test("is told to the seller while it stands in, and not while the list awaits what it counted", async () => {
    const stage = await withRefusedList();
    const { saleRoutes: routes, saleWatches: watches, accounts } = stage.stores;
    const service = createSaleNotices({ clock: stage.clock, routes, watches, lookSoon: () => {} });
    const account = await accounts.find(GUILD, ANA);
    const state = async () => account && (await service.stateOf(account));
    stage.service.make(40);
    await stage.pass({ minutes: 1 });
    expect(await state()).toMatchObject({ isByReport: true, isOnHold: false });
    stage.service.form.most = 0;
    stage.service.listFails = undefined;
    await stage.pass({ minutes: 12 });
    expect(await state()).toMatchObject({ isByReport: false, isOnHold: false });
  });
});
