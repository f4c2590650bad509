import { beforeEach, describe, expect, test } from "vitest";
import { ANA, GUILD, type SaleStage, stageWithAna, sumOf } from "./sale-stage.ts";

let stage: SaleStage;
let accountFp: string;
let trusted: Temporal.Instant | undefined;
let foundNews: () => void;

/** A call, and the look that it wakes. */
const call = async (): Promise<void> => {
  expect(await stage.makeDue(accountFp)).toBe(true);
  await stage.run();
};

beforeEach(async () => {
  trusted = Temporal.Instant.from("2027-01-01T00:00:00Z");
  foundNews = () => {};
  stage = await stageWithAna(undefined, {
    calls: { trustedUntil: () => trusted, foundNews: async () => foundNews() },
  });
  accountFp = (await stage.stores.accounts.find(GUILD, ANA))?.accountFp ?? "";
});

describe("looks at sales", () => {
  test("are every 15 minutes while calls prove true, and at once for a call", async () => {
    trusted = undefined;
    stage.service.make(10);
    await stage.pass({ minutes: 11 });
    trusted = stage.clock.now().add({ hours: 2 });
    await stage.pass({ minutes: 1 });
    const asked = stage.service.asked.length;
    await stage.pass({ minutes: 14 });
    expect(stage.service.asked.length - asked).toBeLessThanOrEqual(1);
    stage.service.make(10);
    await call();
    expect(sumOf(await stage.told())).toMatchObject({ sales: 2 });
    expect(await stage.makeDue("nobody")).toBe(false);
  });

  test("go on at once while a call's sale is not listed yet, or a burst is not read whole", async () => {
    await stage.pass({ minutes: 40 });
    await call();
    stage.clock.moveBy(10_000);
    stage.service.make(10);
    await stage.pass({ minutes: 3 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 1 });
    for (let each = 0; each < 300; each++) stage.service.make(1);
    await call();
    await stage.pass({ minutes: 5 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 301 });
  });

  test("go on after one that finds the sale of the call before: the last one may be listed late", async () => {
    await stage.pass({ minutes: 40 });
    // Each sale is listed a second after its call.
    for (const reais of [10, 20]) {
      await call();
      stage.clock.moveBy(1_000);
      stage.service.make(reais);
      stage.clock.moveBy(4_000);
    }
    expect(sumOf(await stage.told())).toMatchObject({ sales: 1, cents: 1_000 });
    await stage.pass({ minutes: 1 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 2, cents: 3_000 });
  });

  test("are frequent again right after one that finds a sale without a call", async () => {
    await stage.pass({ minutes: 40 });
    foundNews = () => {
      trusted = undefined;
    };
    stage.service.make(10);
    await stage.pass({ minutes: 15 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 1 });
    stage.service.make(20);
    await stage.pass({ minutes: 1 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 2 });
  });

  test("are single ones where they are brought forward without a call", async () => {
    await stage.pass({ minutes: 40 });
    const { saleWatches } = stage.stores;
    const asked = stage.service.asked.length;
    const { nextLookAt } = (await saleWatches.find(accountFp))!;
    await saleWatches.bringForward(accountFp, nextLookAt.add({ minutes: 1 }));
    expect((await saleWatches.find(accountFp))?.nextLookAt).toEqual(nextLookAt);
    await saleWatches.bringForward(accountFp, stage.clock.now());
    await stage.pass({ minutes: 5 });
    expect(stage.service.asked.length - asked).toBe(1);
  });
});
