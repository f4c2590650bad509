import { describe, expect, test } from "vitest";
import { MINUTE } from "#src/shared/time.ts";
import { stageWithAna, sumOf } from "./sale-stage.ts";

describe("the sales report", () => {
  test("stands in for a list that is not answered for long", async () => {
    const stage = await stageWithAna();
    await stage.pass({ minutes: 5 });
    stage.service.listFails = "unavailable";
    await stage.pass({ hours: 1 });
    stage.service.make(10);
    await stage.pass({ hours: 2 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 1 });
  });

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
    await stage.pass({ hours: 12 }, { minutes: 2 });
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
});
