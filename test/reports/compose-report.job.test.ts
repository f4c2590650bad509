import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import type { DeliveryPayload } from "#src/delivery/delivery.ts";
import { salesDayOf } from "#src/reports/sales-days.ts";
import { wantComparedDays } from "#src/reports/sales-history.store.ts";
import { openingOf } from "#src/shared/report-day.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { reportSettlement } from "#src/reports/daily-sales-report.job.ts";
import { sellerOf, storeOf } from "./report-samples.ts";
import { CHANNEL, GUILD, openStage, sold, stageWithAna, type Stage } from "../support/stage.ts";

const SINCE = Temporal.Instant.from("2026-11-18T12:00Z");
/** The first report is that of 18 November: both sellers agreed before it. */
const FIRST = "2026-11-19T00:05Z";
const BRUNO = "u-bruno";

const failing = (kind: WalletErrorKind) => async (): Promise<never> => {
  throw new WalletError({ kind, method: "GET", route: "/v1/sales/report", requestId: "req-7" });
};

const withBruno = async (start = FIRST) => {
  const stage = await stageWithAna(start);
  const brunoId = await stage.addSeller({ ownerId: BRUNO, since: SINCE });
  const reads: string[] = [];
  /** Bruno's reads fail while this is set. */
  const trouble: { kind: WalletErrorKind | undefined } = { kind: undefined };
  stage.wallet.read = async (account, day) => {
    reads.push(account.ownerId);
    if (account.id === brunoId && trouble.kind !== undefined) await failing(trouble.kind)();
    return sold(day, account.id === brunoId ? 50 : 100);
  };
  const posts = (): readonly string[] =>
    stage.channels.inChannel(CHANNEL).map(({ text }) => text.replaceAll("\u00a0", " "));
  const beat = async (afterMs = 0): Promise<void> => {
    stage.clock.moveBy(afterMs);
    await stage.prepare();
    await stage.deliver();
  };
  return { ...stage, brunoId, reads, trouble, posts, beat };
};

const lacking = async ({ stores }: Pick<Stage, "stores">, day: string) =>
  (await stores.ledger.sellersOf(GUILD))
    .filter(({ lastDay }) => lastDay?.toString() !== day)
    .map(({ ownerId }) => ownerId);

describe("a server's report", () => {
  test("tells all sellers of a day in one post, and marks each of them", async () => {
    const stage = await withBruno();
    await stage.beat();
    await stage.beat(MINUTE);
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).toMatch(/R\$ 150,00.*1\. <@u-ana>.*2\. <@u-bruno>/);
    expect(await lacking(stage, "2026-11-18")).toEqual([]);
  });

  test("tells the goal of the month of those who show it", async () => {
    const stage = await withBruno();
    const at = stage.clock.now();
    await stage.stores.goals.save(GUILD, "u-ana", { amount: cents(500_00), shown: true }, at);
    await stage.stores.goals.save(GUILD, BRUNO, { amount: cents(700_00), shown: false }, at);
    await stage.beat();
    expect(stage.posts()[0]).toMatch(
      /"Meta do mês","value":"<@u-ana>: ▰▰▱▱▱▱▱▱▱▱\\n\*\*R\$ 100\*\* de R\$ 500 \(20%\) · faltam R\$ 400 em 12 dias/,
    );
    expect(stage.posts()[0]).not.toContain("R$ 700");
  });

  test("waits for a seller who cannot be read, for fifteen minutes, and then names the seller", async () => {
    const stage = await withBruno();
    stage.trouble.kind = "timeout";
    await stage.beat();
    await stage.beat(14 * MINUTE);
    expect(stage.posts()).toEqual([]);
    await stage.beat(MINUTE);
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).toContain("Falta <@u-bruno>: ainda não consegui ler");
    expect(await lacking(stage, "2026-11-18")).toEqual([BRUNO]);
  });

  test("does not wait for a refused key", async () => {
    const stage = await withBruno();
    stage.trouble.kind = "unauthorized";
    await stage.beat();
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).toContain("Falta <@u-bruno>: a chave foi recusada");
  });

  test("is not split by an outage of the whole service, however long", async () => {
    const stage = await withBruno();
    const { read } = stage.wallet;
    stage.wallet.read = failing("unavailable");
    for (let minutes = 0; minutes < 60; minutes += 1) await stage.beat(MINUTE);
    stage.wallet.read = read;
    for (let minutes = 0; minutes < 30; minutes += 1) await stage.beat(MINUTE);
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).not.toContain("Falta");
  });

  test("is completed once by the seller who was missing, with the new sum", async () => {
    const stage = await withBruno();
    stage.trouble.kind = "unauthorized";
    await stage.beat();
    stage.trouble.kind = undefined;
    await stage.stores.accounts.resume(stage.brunoId);
    await stage.beat(30 * MINUTE);
    await stage.beat(30 * MINUTE);
    expect(stage.posts()).toHaveLength(2);
    expect(stage.posts()[1]).toMatch(/Completa o de quarta, 18\/11.*<@u-bruno> \*\*R\$ 50,00/);
    expect(stage.posts()[1]).toContain("Loja Aurora fecha o dia com **R$ 150,00** em 2 vendas");
    expect(await lacking(stage, "2026-11-18")).toEqual([]);
  });

  test("of the next day leaves out a seller who lacks the day before, so that no day is lost", async () => {
    const stage = await withBruno();
    stage.trouble.kind = "timeout";
    await stage.beat();
    await stage.beat(15 * MINUTE);
    await stage.beat(DAY);
    await stage.beat(15 * MINUTE);
    stage.trouble.kind = undefined;
    await stage.beat(HOUR);
    const told = stage
      .posts()
      .map((text) => [
        /(?:Fechamento|Completa o) de \p{L}+, (\d\d)/u.exec(text)?.[1],
        text.startsWith('[{"color"') && /Completa/.test(text),
      ]);
    expect(told).toEqual([
      ["18", false],
      ["19", false],
      ["18", true],
      ["19", true],
    ]);
  });

  test("reads nobody again after a kill between reading and recording", async () => {
    const stage = await withBruno();
    stage.trouble.kind = "timeout";
    await stage.prepare();
    stage.trouble.kind = undefined;
    const next = stage.startProcess();
    await next.tick();
    await next.stop();
    expect(stage.reads.toSorted()).toEqual(["u-ana", BRUNO, BRUNO]);
    expect(stage.posts()).toHaveLength(1);
  });

  test("is written once by two processes", async () => {
    const stage = await withBruno();
    const processes = [stage.startProcess(), stage.startProcess()];
    await Promise.all(processes.map((each) => each.tick()));
    for (const each of processes) await each.stop();
    expect(stage.posts()).toHaveLength(1);
  });

  test("is posted whole where the first sellers sold nothing and others are missing", async () => {
    const stage = await withBruno();
    await stage.saveRoute({ emptyChoice: "skip", since: SINCE });
    stage.trouble.kind = "unauthorized";
    const { read } = stage.wallet;
    stage.wallet.read = async (account, day) =>
      account.id === stage.brunoId ? await read(account, day) : sold(day, 0);
    await stage.beat();
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).toContain("Falta <@u-bruno>");
  });
});

describe("the corrections of reports", () => {
  const D18 = Temporal.PlainDate.from("2026-11-18");
  const keep = async (stage: Stage, accountId: string, reais: number, day = D18): Promise<void> => {
    const account = await stage.stores.accounts.findById(accountId);
    const figures = salesDayOf(sold(day, reais), stage.clock.now());
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

  test("are of a day told before the report was switched off and on", async () => {
    const stage = await withBruno();
    await stage.beat();
    const route = (await stage.stores.routes.find(GUILD))!;
    for (const active of [false, true]) {
      stage.clock.moveBy(HOUR);
      await stage.stores.routes.save({ ...route, active }, stage.clock.now());
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
        return await stage.stores.routes.save({ ...route, active }, stage.clock.now());
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
        await stage.stores.salesDays.keep(accountFp, salesDayOf(sold(day, 20), readAt));
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
          await stores.salesDays.keep(accountFp, salesDayOf(sold(day, read(day)), clock.now()));
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
      const rows = await db
        .selectFrom("outbox")
        .select("payload")
        .where("kind", "=", "sales_report")
        .orderBy("day")
        .execute();
      for (const { payload } of rows) {
        const { report } = JSON.parse(payload) as DeliveryPayload;
        const [seller] = report!.sellers;
        for (const { day, before, now } of seller!.corrections) {
          expect([day, before]).toEqual([day, told.get(day)]);
          expect(now).not.toBe(before);
          told.set(day, now);
        }
        told.set(report!.day, seller!.figures.sales);
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

test("a completion after a restore from a copy says that it may have been told before, a store's report does not", async () => {
  const { clock, stores } = await stageWithAna(FIRST);
  const { payloadOf } = reportSettlement({ clock, ...stores });
  const said = (completes: string | undefined, cause: "gap" | "restored") => {
    const report = storeOf([sellerOf(1, [100_00]), sellerOf(2, [200_00])], { completes });
    const lostLife = { cause, since: clock.now() };
    return JSON.stringify(
      payloadOf?.({ dedupeKey: "report|1", payload: { report }, lostLife }, []),
    );
  };
  expect(said("account-1", "restored")).toContain("Talvez já contado antes");
  expect(said("account-1", "gap")).not.toContain("Talvez");
  expect(said(undefined, "restored")).not.toContain("Talvez");
});

describe("a report that is not posted yet", () => {
  test("says at posting of which day it is, and that it is late", async () => {
    const stage = await withBruno();
    await stage.prepare();
    stage.clock.moveBy(3 * DAY);
    await stage.deliver();
    expect(stage.posts()[0]).toContain("(vendas na véspera: ainda não li)");
    expect(stage.posts()[0]).toMatch(/"Atrasado".*Era para sair em/);
  });

  test("loses the figures of a seller who withdraws consent, and keeps the others'", async () => {
    const stage = await withBruno();
    await stage.prepare();
    await stage.stores.accounts.chooseReport(GUILD, BRUNO, "off", stage.clock.now());
    await stage.beat();
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).toContain("R$ 100,00");
    expect(stage.posts()[0]).not.toMatch(/u-bruno|150,00|50,00/);
  });

  test("loses those of a seller who disconnects, also from the record of posted ones", async () => {
    const stage = await withBruno();
    const rows = () => stage.db.selectFrom("outbox").select("payload").execute();
    await stage.beat();
    await stage.stores.accounts.remove(GUILD, BRUNO, BRUNO, stage.clock.now());
    expect(JSON.stringify(await rows())).not.toContain(stage.brunoId);
    expect(JSON.stringify(await rows())).toContain(stage.anaId);
    await stage.stores.accounts.remove(GUILD, "u-ana", "u-ana", stage.clock.now());
    expect((await rows()).map(({ payload }) => payload)).toEqual(["{}"]);
  });

  test("loses a goal that its seller hides", async () => {
    const stage = await withBruno();
    const at = stage.clock.now();
    await stage.stores.goals.save(GUILD, "u-ana", { amount: cents(500_00), shown: true }, at);
    await stage.prepare();
    await stage.stores.goals.save(GUILD, "u-ana", { shown: false }, at);
    await stage.deliver();
    expect(stage.posts()[0]).toContain("<@u-ana>");
    expect(stage.posts()[0]).not.toContain("Meta do mês");
  });

  test("is not posted when its last seller disconnects", async () => {
    const stage = await stageWithAna(FIRST);
    await stage.prepare();
    await stage.stores.accounts.remove(GUILD, "u-ana", "u-ana", stage.clock.now());
    await stage.deliver();
    expect(stage.channels.messages).toEqual([]);
    expect(await stage.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  test("leaves out sellers who have left the server, and is none when all have", async () => {
    const { clock, stores } = await stageWithAna(FIRST);
    const { payloadOf } = reportSettlement({ clock, ...stores });
    const sellers = [sellerOf(1, [100_00]), sellerOf(2, [200_00])];
    const claim = { dedupeKey: "report|g1|c1|2026-11-20", payload: { report: storeOf(sellers) } };
    expect(JSON.stringify(payloadOf?.(claim, ["account-2"]))).toMatch(/100,00/);
    expect(JSON.stringify(payloadOf?.(claim, ["account-2"]))).not.toMatch(/200,00|300,00/);
    expect(payloadOf?.(claim, ["account-1", "account-2"])).toBeUndefined();
    const missing = [{ accountId: "account-3", ownerId: "u-left", isRefused: true }];
    const lacking = { ...claim, payload: { report: storeOf(sellers, { missing }) } };
    expect(JSON.stringify(payloadOf?.(lacking, []))).toMatch(/sem contar 1 vendedor.*<@u-left>/);
    expect(JSON.stringify(payloadOf?.(lacking, ["account-3"]))).not.toMatch(/sem contar|u-left/);
  });
});
