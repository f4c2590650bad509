import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryPayload } from "#src/delivery/delivery.ts";
import { wantComparedDays } from "#src/reports/sales-history.store.ts";
import { cents } from "#src/shared/money.ts";
import { openingOf } from "#src/shared/report-day.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { GUILD, openStage, sold, soldDay, type Stage } from "../support/stage.ts";
import { BRUNO, SINCE, withBruno } from "./report-stage.ts";
import { asRoute } from "../support/samples.ts";
import { keepEnqueued } from "../delivery/enqueued-texts.ts";

describe("the corrections of reports", () => {
  const D18 = Temporal.PlainDate.from("2026-11-18");
  const keep = async (stage: Stage, accountId: string, reais: number, day = D18): Promise<void> => {
    const account = await stage.stores.accounts.findById(accountId);
    const figures = soldDay(stage.clock.now(), day, reais);
    await stage.stores.salesDays.keep(account?.accountFp ?? "", figures);
  };

  test("are of no day before the consent, also once the report's hour moved", async () => {
    const stage = await withBruno();
    await stage.beat();
    stage.clock.moveBy(HOUR);
    const id = await stage.addSeller({ ownerId: "u-davi", since: stage.clock.now() });
    await keep(stage, id, 50);
    await stage.beat(DAY);
    await stage.saveRoute({ time: "08:00", since: stage.clock.now() });
    await stage.beat(HOUR);
    await keep(stage, id, 20);
    await stage.beat(DAY + 11 * HOUR);
    expect(stage.posts().length).toBeGreaterThan(2);
    expect(stage.posts().join()).not.toContain("para R$ 20,00");
  });

  test("that are not read yet leave their days out of comparisons and goals, but for the report's own", async () => {
    const stage = await withBruno();
    const { accountFp } = (await stage.stores.accounts.findById(stage.brunoId))!;
    const now = stage.clock.now();
    const before = D18.subtract({ days: 1 });
    await keep(stage, stage.anaId, 100, before);
    await keep(stage, stage.brunoId, 200, before);
    await keep(stage, stage.brunoId, 50);
    await stage.stores.salesDays.readAgain(accountFp, before, D18, now);
    await stage.stores.goals.save(GUILD, BRUNO, { amount: cents(200_00), shown: true }, now);
    await stage.beat();
    expect(stage.posts()[0]).toContain("(vendas ontem: ainda não li)");
    expect(stage.posts()[0]).toContain("**R$ 50** de R$ 200 (25%)");
  });

  test("are of a day told before the report was switched off and on", async () => {
    const stage = await withBruno();
    await stage.beat();
    const route = (await stage.stores.routes.find(GUILD))!;
    for (const active of [false, true]) {
      stage.clock.moveBy(HOUR);
      await stage.stores.routes.save(...asRoute({ ...route, active }), stage.clock.now());
    }
    stage.clock.moveBy(HOUR);
    await keep(stage, stage.brunoId, 20);
    await stage.beat(DAY);
    expect(stage.posts().at(-1)).toContain("caiu de R$ 50,00 para R$ 20,00");
  });

  test.each([
    [
      "the seller",
      (stage: Stage, isOn: boolean) =>
        stage.stores.accounts.chooseReport(
          GUILD,
          BRUNO,
          isOn ? "channel" : "off",
          stage.clock.now(),
        ),
    ],
    [
      "the server",
      async (stage: Stage, active: boolean) => {
        const route = (await stage.stores.routes.find(GUILD))!;
        return await stage.stores.routes.save(...asRoute({ ...route, active }), stage.clock.now());
      },
    ],
  ])("are of no day in which %s had switched the report off", async (_, choose) => {
    const stage = await withBruno();
    await stage.beat();
    await choose(stage, false);
    stage.clock.moveBy(3 * DAY);
    const untold = D18.add({ days: 2 });
    await keep(stage, stage.brunoId, 50, untold);
    await choose(stage, true);
    await stage.beat(DAY);
    await keep(stage, stage.brunoId, 20, untold);
    await stage.beat(DAY);
    expect(stage.posts().length).toBeGreaterThan(2);
    expect(stage.posts().join()).not.toContain("para R$ 20,00");
  });

  test("are of no day before the first report of another wallet account's key", async () => {
    const stage = await withBruno();
    await stage.beat();
    stage.clock.moveBy(HOUR);
    const since = stage.clock.now();
    const id = await stage.addSeller({ ownerId: BRUNO, since, apiKey: "sk_sandbox_another" });
    await keep(stage, id, 50);
    await stage.beat(DAY);
    await keep(stage, id, 20);
    await stage.beat(DAY);
    expect(stage.posts()).toHaveLength(3);
    expect(stage.posts().join()).not.toContain("para R$ 20,00");
  });

  test.each([
    ["alone", 1],
    ["before a later day", 2],
  ])("of a day that is being told, %s, are told by the next report", async (_, late) => {
    const stage = await withBruno();
    await stage.beat();
    const { salesDays } = stage.stores;
    const { corrections } = salesDays;
    Object.assign(salesDays, {
      corrections: async (...given: Parameters<typeof corrections>) => {
        await keep(stage, stage.brunoId, 30, D18.add({ days: 1 }));
        return await corrections(...given);
      },
    });
    await stage.beat(late * DAY);
    expect(stage.posts()[1]).toMatch(/<@u-bruno> \*\*R\$ 50,00/);
    Object.assign(salesDays, { corrections });
    await stage.beat(DAY);
    expect(stage.posts()[1 + late]).toContain("qui 19/11 caiu de R$ 50,00 para R$ 30,00");
    await stage.beat(DAY);
    expect(stage.posts()[2 + late]).not.toContain("Corrigido");
  });

  /** Posts nothing of days without sales, at 08:00. */
  const skipping = async (empty: Temporal.PlainDate) => {
    const stage = await withBruno();
    await stage.saveRoute({ since: SINCE, time: "08:00", emptyChoice: "skip" });
    stage.wallet.read = async (_, day) => sold(day, day.equals(empty) ? 0 : 100);
    return stage;
  };

  test("are of no figure that was kept before the day's report, also where that is skipped", async () => {
    const stage = await skipping(D18);
    await keep(stage, stage.brunoId, 50);
    await stage.beat(11 * HOUR);
    expect(stage.posts()).toEqual([]);
    await stage.beat(DAY);
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).not.toContain("Corrigido");
  });

  test("of a told day wait while reports are skipped", async () => {
    const stage = await skipping(D18.add({ days: 1 }));
    await stage.beat(11 * HOUR);
    stage.clock.moveBy(HOUR);
    await keep(stage, stage.brunoId, 20);
    await stage.beat(23 * HOUR);
    expect(stage.posts()).toHaveLength(1);
    await stage.beat(DAY);
    expect(stage.posts()[1]).toContain("caiu de R$ 100,00 para R$ 20,00");
  });

  test("of a told day do not wait through a day whose own figure changed before its report", async () => {
    const untold = D18.add({ days: 1 });
    const stage = await skipping(untold);
    await stage.beat(11 * HOUR);
    stage.clock.moveBy(14 * HOUR);
    await keep(stage, stage.brunoId, 50, untold);
    await keep(stage, stage.brunoId, 20);
    await stage.beat(10 * HOUR);
    await stage.beat(DAY);
    expect(stage.posts().join()).not.toContain("de R$ 50,00 para");
    expect(stage.posts()).toHaveLength(3);
    expect(stage.posts()[1]).toMatch(/nenhuma venda.*caiu de R\$ 100,00 para R\$ 20,00/);
  });

  test("wait through a skipped day for the next report of the same run, which knows its own figure", async () => {
    const stage = await skipping(D18.add({ days: 1 }));
    await stage.beat(11 * HOUR);
    stage.clock.moveBy(2 * DAY);
    await keep(stage, stage.brunoId, 20);
    await keep(stage, stage.brunoId, 50, D18.add({ days: 2 }));
    await stage.beat(MINUTE);
    await stage.beat(DAY);
    expect(stage.posts()).toHaveLength(3);
    expect(stage.posts()[1]).toContain("caiu de R$ 100,00 para R$ 20,00");
    expect(stage.posts().join()).not.toContain("de R$ 50,00 para");
  });

  test("beyond the room of a post wait for the next report, and each is told once", async () => {
    const stage = await withBruno();
    const ids = [stage.brunoId];
    for (let place = 0; place < 21; place += 1)
      ids.push(await stage.addSeller({ ownerId: `u-${place}`, since: SINCE }));
    await stage.beat();
    await stage.beat(DAY);
    await stage.beat(DAY);
    const days = [18, 19, 20].map((day) => D18.with({ day }));
    for (const id of ids)
      for (const [place, day] of days.entries()) {
        const { accountFp } = (await stage.stores.accounts.findById(id))!;
        const readAt = stage.clock.now().add({ seconds: place + 1 });
        await stage.stores.salesDays.keep(accountFp, soldDay(readAt, day, 20));
      }
    stage.clock.moveBy(MINUTE);
    const told: string[][] = [];
    for (let report = 0; report < 3; report += 1) {
      await stage.beat(DAY);
      told.push(
        stage
          .posts()
          .at(-1)!
          .match(/<@u-\w+>: \w+ \d\d\/11: R\$ \d+,00 → R\$ 20,00/g) ?? [],
      );
    }
    expect(told.map(({ length }) => length)).toEqual([40, 26, 0]);
    expect(new Set(told.flat()).size).toBe(66);
  });

  const SOLD = 500;
  /** Hours from the first of these days. */
  const FIRST_DAY = Temporal.PlainDate.from("2026-11-12");
  const hours = (most: number) => fc.integer({ min: 0, max: most });
  const place = fc.integer({ min: 0, max: 12 });
  const refunds = fc.array(fc.record({ place, at: hours(13 * 24), reais: hours(90) }), {
    maxLength: 12,
  });
  const looks = fc.array(fc.record({ place, at: hours(13 * 24) }), { maxLength: 6 });
  const time = fc.constantFrom("21:05", "08:00", "23:30");
  const beats = fc.array(fc.integer({ min: 120, max: 720 }), { minLength: 20, maxLength: 20 });

  test("tell each change of a told day once, from the figure that was told, and none of other days", async () => {
    const live = fc.asyncProperty(refunds, looks, time, beats, async (given, asked, due, waits) => {
      const start = openingOf(FIRST_DAY.add({ days: 6 })).add({ hours: 12 });
      const stage = await openStage(start.toString());
      const { clock, db, stores } = stage;
      const enqueued = await keepEnqueued(db);
      const read = (day: Temporal.PlainDate) =>
        given
          .filter((each) => FIRST_DAY.add({ days: each.place }).equals(day))
          .filter(({ at }) => clock.now().since(openingOf(FIRST_DAY)).total("hours") >= at)
          .reduce((left, { reais }) => Math.max(0, left - reais), SOLD);
      stage.wallet.read = async (_, day) => sold(day, read(day));
      await stage.saveRoute({ since: start, time: due });
      const id = await stage.addSeller({ ownerId: "u-ana", since: start });
      const { accountFp } = (await stores.accounts.findById(id))!;
      await wantComparedDays(stage.db, accountFp, start);
      let bot = stage.startProcess({ closes: true });
      const left = asked.toSorted((one, other) => other.at - one.at);
      for (let beat = 0; clock.now().since(start).total("hours") < 10 * 24; beat++) {
        stage.clock.moveBy((waits[beat % waits.length] ?? 60) * MINUTE);
        const passed = clock.now().since(openingOf(FIRST_DAY)).total("hours");
        for (let look = left.at(-1); look !== undefined && look.at <= passed; look = left.at(-1)) {
          const day = FIRST_DAY.add({ days: look.place });
          await stores.salesDays.keep(accountFp, soldDay(clock.now(), day, read(day)));
          left.pop();
        }
        await bot.tick();
        if (beat % 7 === 0) {
          await bot.stop();
          bot = stage.startProcess({ closes: true });
        }
      }
      await bot.stop();
      const told = new Map<string, number>();
      for (const { payload } of await enqueued()) {
        const { report } = JSON.parse(payload) as DeliveryPayload;
        if (report === undefined) continue;
        const [seller] = report.sellers;
        for (const { day, before, now } of seller!.corrections) {
          expect([day, before]).toEqual([day, told.get(day)]);
          expect(now).not.toBe(before);
          told.set(day, now);
        }
        told.set(report.day, seller!.figures.sales);
      }
      expect(told.size).toBe(10);
      const days = [...told.keys()].map((day) => Temporal.PlainDate.from(day));
      const kept = await stores.salesDays.between(accountFp, days[0]!, days.at(-1)!);
      expect([...told]).toEqual(kept.map(({ day, sales }) => [day.toString(), sales]));
      await stage.close();
    });
    // A refund between the first reading of the first day and its report, which tells the lower figure.
    const first = { place: 6, at: 7 * 24 + 5, reais: 9 };
    await fc.assert(live, { numRuns: 12, examples: [[[first], [], "08:00", [120]]] });
  });
});
