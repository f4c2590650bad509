import fc from "fast-check";
import { expect, test } from "vitest";
import { closeKey, type ClosePeriod, newestPeriod, periodBefore } from "#src/closes/close.ts";
import { isWhole, type SalesDay, sumOf } from "#src/reports/sales-days.ts";
import { daysOf } from "#src/reports/sales-period.ts";
import { formatReais } from "#src/shared/money.ts";
import { settledAt } from "#src/shared/report-day.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { noticeTo } from "../database/builders.ts";
import { directChannel } from "../support/fake-channels.ts";
import { CHANNEL, GUILD, openStage, sold } from "../support/stage.ts";
import { salesDay, startJob } from "./close-samples.ts";

const WEEK = newestPeriod("week", Temporal.PlainDate.from("2026-11-22"));
/** 08:00 on Monday in Brasília. */
const DUE = "2026-11-23T11:00:00Z";

const keyOf = (period: ClosePeriod): string =>
  closeKey({ subscriberId: GUILD, target: { kind: "channel", channelId: CHANNEL } }, period);

const open = async (
  start: string,
  {
    emptyChoice = "send",
    from = "2026-11-17T12:00Z",
  }: { readonly emptyChoice?: "send" | "skip"; readonly from?: string } = {},
) => {
  const stage = await openStage(start);
  const since = Temporal.Instant.from(from);
  await stage.saveRoute({ since, time: "08:00", emptyChoice });
  const keep = async (accountFp: string, days: readonly Temporal.PlainDate[], reais: number) => {
    for (const day of days) await stage.stores.salesDays.keep(accountFp, salesDay(day, reais));
  };
  /** A seller whose days before the week are kept. */
  const accountOf = async (ownerId: string) => {
    const id = await stage.addSeller({ ownerId, since });
    const { accountFp } = (await stage.stores.accounts.findById(id))!;
    const before = periodBefore(WEEK);
    for (const period of [periodBefore(before), before]) await keep(accountFp, daysOf(period), 50);
    return accountFp;
  };
  return { stage, accountOf, keep };
};

test("a week is posted at its hour on Monday, with the sums of the sellers, and once", async () => {
  const { stage, accountOf, keep } = await open("2026-11-23T10:59:00Z", { emptyChoice: "skip" });
  for (const owner of ["u-ana", "u-bruno"]) {
    const account = await accountOf(owner);
    await keep(account, daysOf(WEEK), 100);
  }
  const job = startJob(stage);
  await job.run();
  expect(job.enqueued()).toBe(0);
  stage.clock.moveBy(MINUTE);
  for (let times = 0; times < 3; times++) {
    await job.run();
    await startJob(stage).run();
    await stage.deliver();
  }
  expect(stage.textsIn()).toHaveLength(1);
  expect(stage.textsIn()[0]).toContain("Fechamento da semana, 16/11 a 22/11");
  expect(stage.textsIn()[0]).toContain("**R$ 1.400,00** em 14 vendas");
  expect(stage.textsIn()[0]).toContain("▲ 100% que na semana anterior");
  expect(stage.counted).toEqual(["close sent"]);
});

test("a week is not told by a clock that is ahead, before the service's clock has come to its end", async () => {
  const { stage, accountOf, keep } = await open("2026-11-23T19:00:00Z");
  await keep(await accountOf("u-ana"), daysOf(WEEK).slice(0, -1), 100);
  const service = { skewMs: -DAY };
  stage.wallet.read = async (_, day) => ({ ...sold(day), ...service });
  const bot = stage.startProcess({ closes: true });
  const pass = async (hours: number) => {
    for (let minutes = 0; minutes < hours * 60; minutes += 5) {
      stage.clock.moveBy(5 * MINUTE);
      await bot.tick();
    }
  };
  await pass(3);
  expect(await stage.stores.outbox.state(keyOf(WEEK))).toBeUndefined();
  stage.clock.moveBy(-DAY);
  service.skewMs = 0;
  await pass(14);
  await bot.stop();
  const closes = stage.textsIn().filter((text) => text.includes("Fechamento da semana"));
  expect(closes).toEqual([expect.stringMatching(/\*\*R\$ 700,00\*\* em 7 vendas/)]);
  expect(closes[0]).not.toMatch(/Falta|Atrasado: a hora marcada era/);
});

test("a failure of the transaction leaves neither mark nor post, and the next run makes both", async () => {
  const { stage, accountOf, keep } = await open(DUE);
  await keep(await accountOf("u-ana"), daysOf(WEEK), 100);
  const failing = {
    ...stage.stores.closes,
    record: () => Promise.reject(new Error("the disk is full")),
  };
  await startJob(stage, failing).run();
  expect(await stage.stores.outbox.state(keyOf(WEEK))).toBeUndefined();
  const job = startJob(stage);
  await job.run();
  expect(job.enqueued()).toBe(1);
});

test("a close waits for missing days; after six hours it names them, and their amounts are in no sum", async () => {
  const { stage, accountOf, keep } = await open(DUE);
  const [ana, bruno] = [await accountOf("u-ana"), await accountOf("u-bruno")];
  await keep(ana, daysOf(WEEK), 100);
  await keep(bruno, daysOf(WEEK).slice(1), 100);
  const job = startJob(stage);
  for (let minutes = 0; minutes < 6 * 60; minutes += 5) {
    await job.run();
    stage.clock.moveBy(5 * MINUTE);
  }
  expect(job.enqueued()).toBe(0);
  await job.run();
  await stage.deliver();
  const [text = ""] = stage.textsIn();
  expect(text).toContain("**R$ 1.300,00** em 13 vendas");
  expect(text).toContain("<@u-bruno>: 1 dia (16/11)");
  expect(text).toContain("Atrasado: a hora marcada era");
});

test("a refused key holds up no close: it comes at its hour, compared, and names the seller", async () => {
  const { stage, accountOf, keep } = await open(DUE);
  const ana = await accountOf("u-ana");
  await keep(ana, [WEEK.from], 130);
  await keep(ana, daysOf(WEEK).slice(1), 95);
  await accountOf("u-davi");
  const davi = await stage.stores.accounts.find(GUILD, "u-davi");
  await stage.stores.accounts.pause(davi!.id, stage.clock.now(), noticeTo("u-davi", "refused"));
  // A process that has just started waits for days that can be read.
  const job = startJob(stage);
  await job.run();
  await stage.deliver();
  const [text = ""] = stage.textsIn();
  expect(text).toContain("**R$ 700,00** em 7 vendas");
  expect(text).toContain(
    "**Parcial:** sem contar 1 vendedor\\n▲ 100% que na semana anterior\\nMelhor dia: ",
  );
  expect(text).toContain("<@u-davi>: a chave foi recusada, 7 dias (16/11, 17/11, 18/11, e mais 4)");
  expect(text).not.toContain("Atrasado");
});

/** Readings of one day: hours after it settled, and what a refund took since the one before. None: it is missing. */
const readings = fc.array(
  fc.record({ hours: fc.integer({ min: -6, max: 240 }), less: fc.integer({ min: 0, max: 90 }) }),
  { maxLength: 3 },
);
const seller = fc.record({
  sold: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 500 })),
  days: fc.array(readings, { minLength: 14, maxLength: 14 }),
  /** Whether each day is read once it has settled, and whether anything was sold before the week. */
  whole: fc.boolean(),
  base: fc.boolean(),
});

test("a close tells the days as they are kept when it is made, and no refund after it tells it again", async () => {
  const days = [periodBefore(WEEK), WEEK].flatMap(daysOf);
  const history = fc.asyncProperty(
    fc.array(seller, { minLength: 1, maxLength: 2 }),
    async (sellers) => {
      const stage = await openStage(DUE);
      const since = Temporal.Instant.from("2026-11-17T12:00Z");
      await stage.saveRoute({ since, time: "08:00" });
      const fps: string[] = [];
      const later: (() => Promise<void>)[] = [];
      for (const [place, { sold, days: given, whole, base }] of sellers.entries()) {
        const id = await stage.addSeller({ ownerId: `u-${place}`, since });
        const { accountFp } = (await stage.stores.accounts.findById(id))!;
        fps.push(accountFp);
        for (const [index, day] of days.entries()) {
          let left = index < 7 && !base ? 0 : sold;
          const first = whole ? [{ hours: 0, less: 0 }] : [];
          const inOrder = [...first, ...given[index]!].toSorted(
            (one, other) => one.hours - other.hours,
          );
          for (const { hours, less } of inOrder) {
            left = Math.max(0, left - less);
            const readAt = settledAt(day).add({ hours });
            const reading = salesDay(day, left, { readAt });
            const keep = () => stage.stores.salesDays.keep(accountFp, reading);
            if (Temporal.Instant.compare(readAt, stage.clock.now()) <= 0) await keep();
            else later.push(keep);
          }
        }
      }
      const kept: SalesDay[] = [];
      for (const fp of fps)
        kept.push(...(await stage.stores.salesDays.between(fp, days[0]!, WEEK.to)));
      const job = startJob(stage);
      // After ten runs, and six hours, it no longer waits for missing days.
      for (let runs = 0; runs < 11; runs++) {
        stage.clock.moveBy(36 * MINUTE);
        await job.run();
      }
      for (const keep of later) await keep();
      await job.run();
      await stage.deliver();
      await startJob(stage).run();
      await stage.deliver();
      const isOfWeek = ({ day }: SalesDay) => Temporal.PlainDate.compare(day, WEEK.from) >= 0;
      const week = kept.filter((day) => isWhole(day) && isOfWeek(day));
      const before = kept.filter((day) => isWhole(day) && !isOfWeek(day));
      const total = sumOf(week);
      const [text = "", ...more] = stage.textsIn();
      expect(more).toEqual([]);
      if (total.sales > 0)
        expect(text).toContain(`**${formatReais(total.sales).replaceAll("\u00a0", " ")}** em`);
      const most = 7 * sellers.length;
      expect(text.includes('"Falta"')).toBe(week.length < most);
      const isCompared = week.length === most && before.length === most;
      if (week.length === 0) expect(text).toContain("Faltam as vendas de todos estes dias.");
      else if (week.length < most) expect(text).toContain("**Parcial:** sem contar ");
      else if (!isCompared) expect(text).toContain("— (vendas na semana anterior: ainda não li)");
      else if (sumOf(before).sales === 0)
        expect(text).toContain("— (sem vendas na semana anterior)");
      else expect(text).toMatch(/[▲▼=] ?\d*%? .*na semana anterior/);
      await stage.close();
    },
  );
  await fc.assert(history, { numRuns: 25 });
});

test("a close waits half an hour for the days that it is compared with", async () => {
  const { stage, keep } = await open(DUE);
  const since = Temporal.Instant.from("2026-11-17T12:00Z");
  const id = await stage.addSeller({ ownerId: "u-ana", since });
  await keep((await stage.stores.accounts.findById(id))!.accountFp, daysOf(WEEK), 100);
  const job = startJob(stage);
  for (let minutes = 0; minutes < 30; minutes += 3) {
    await job.run();
    stage.clock.moveBy(3 * MINUTE);
  }
  expect(job.enqueued()).toBe(0);
  await job.run();
  await stage.deliver();
  expect(stage.textsIn()[0]).toContain("— (vendas na semana anterior: ainda não li)");
});

test("after a sleep beyond the deadline the background gets time to read first", async () => {
  const { stage, accountOf, keep } = await open(DUE);
  const ana = await accountOf("u-ana");
  const job = startJob(stage);
  await job.run();
  stage.clock.moveBy(20 * HOUR);
  await job.run();
  expect(job.enqueued()).toBe(0);
  await keep(ana, daysOf(WEEK), 100);
  stage.clock.moveBy(MINUTE);
  await job.run();
  await stage.deliver();
  expect(stage.textsIn()).toHaveLength(1);
  expect(stage.textsIn()[0]).toContain("Atrasado: a hora marcada era");
});

test("a week waits behind the one before it, whose comparison may be read yet", async () => {
  const from = "2026-11-10T12:00Z";
  const { stage, keep } = await open(DUE, { from });
  const since = Temporal.Instant.from(from);
  const id = await stage.addSeller({ ownerId: "u-ana", since });
  const { accountFp } = (await stage.stores.accounts.findById(id))!;
  const before = periodBefore(WEEK);
  for (const week of [before, WEEK]) await keep(accountFp, daysOf(week), 100);
  const job = startJob(stage);
  await job.run();
  expect(job.enqueued()).toBe(0);
  await keep(accountFp, daysOf(periodBefore(before)), 50);
  await job.run();
  await stage.deliver();
  expect(stage.textsIn().map((text) => /semana, (\S+)|$/.exec(text)?.[1])).toEqual([
    "09/11",
    "16/11",
  ]);
});

test("a server without sellers, or whose quiet week is to be skipped, owes nothing afterwards", async () => {
  const empty = await open(DUE);
  await startJob(empty.stage).run();
  const quiet = await open(DUE, { emptyChoice: "skip" });
  const ana = await quiet.accountOf("u-ana");
  await quiet.keep(ana, daysOf(WEEK), 0);
  await startJob(quiet.stage).run();
  for (const { stage } of [empty, quiet]) {
    expect(await stage.stores.outbox.state(keyOf(WEEK))).toBeUndefined();
    const pages = await Array.fromAsync(
      stage.stores.closes.lacking(Temporal.Instant.from(DUE).add({ hours: 168 })),
    );
    expect(pages.flat()[0]?.progress.week.lastDay?.toString()).toBe("2026-11-22");
  }
});

test("a lost channel keeps its close, which goes to the next channel", async () => {
  const { stage, accountOf, keep } = await open(DUE);
  await keep(await accountOf("u-ana"), daysOf(WEEK), 100);
  stage.channels.mishap = (channelId) =>
    channelId === CHANNEL
      ? { outcome: { kind: "lost_channel", code: 10003 }, made: false }
      : undefined;
  await startJob(stage).run();
  await stage.deliver();
  expect(await stage.stores.outbox.state(keyOf(WEEK))).toBe("blocked");
  expect((await stage.stores.routes.find(GUILD))?.suspendedAt).toBeDefined();
  await stage.saveRoute({ since: stage.clock.now(), time: "08:00", channelId: "c2" });
  await stage.deliver();
  expect(stage.channels.inChannel("c2")).toHaveLength(1);
  expect(stage.channels.inChannel(CHANNEL)).toHaveLength(0);
});

test("a close whose attempt did not reach the channel goes to the one that was chosen since", async () => {
  const { stage, accountOf, keep } = await open(DUE);
  await keep(await accountOf("u-ana"), daysOf(WEEK), 100);
  stage.channels.mishap = () => ({
    outcome: { kind: "unclear", reason: "timeout" },
    made: false,
  });
  await startJob(stage).run();
  await stage.deliver();
  stage.channels.mishap = undefined;
  await stage.saveRoute({ since: stage.clock.now(), time: "08:00", channelId: "c2" });
  for (let attempts = 0; attempts < 2; attempts++) {
    stage.clock.moveBy(5 * MINUTE);
    await stage.deliver();
  }
  expect(stage.channels.inChannel("c2")).toHaveLength(1);
  expect(stage.channels.inChannel(CHANNEL)).toHaveLength(0);
});

test("a close keeps out a seller who withdraws the consent or leaves while it is computed", async () => {
  const { stage, accountOf, keep } = await open(DUE, { from: "2026-11-10T12:00Z" });
  const weeks = [periodBefore(WEEK), WEEK].flatMap(daysOf);
  for (const owner of ["u-ana", "u-bruno", "u-carla"])
    await keep(await accountOf(owner), weeks, owner === "u-ana" ? 100 : 1);
  const { accounts, closes } = stage.stores;
  const leavings = [
    () => accounts.chooseReport(GUILD, "u-bruno", "off", stage.clock.now()),
    () => accounts.remove(GUILD, "u-carla", "u-carla", stage.clock.now()),
  ];
  const { run } = startJob(stage, {
    ...closes,
    record: async (...close) => {
      await leavings.shift()?.();
      return await closes.record(...close);
    },
  });
  for (let runs = 0; runs < 3; runs++) await run();
  await stage.deliver();
  expect(stage.textsIn().map((text) => /semana, (\S+)|$/.exec(text)?.[1])).toEqual([
    "09/11",
    "16/11",
  ]);
  for (const text of stage.textsIn()) expect(text).toContain("**R$ 700,00** em 7 vendas");
});

test("a seller who never agreed and leaves takes no tried close from the others", async () => {
  const { stage, accountOf, keep } = await open(DUE);
  await keep(await accountOf("u-ana"), daysOf(WEEK), 100);
  await accountOf("u-carla");
  const { accounts, outbox } = stage.stores;
  await accounts.chooseReport(GUILD, "u-carla", "off", stage.clock.now());
  stage.channels.mishap = () => ({
    outcome: { kind: "unclear", reason: "http_503" },
    made: false,
  });
  await startJob(stage).run();
  await stage.deliver();
  expect(await outbox.state(keyOf(WEEK))).toBe("due");
  await accounts.remove(GUILD, "u-carla", "u-carla", stage.clock.now());
  stage.channels.mishap = undefined;
  stage.clock.moveBy(HOUR);
  await stage.deliver();
  expect(stage.textsIn()).toHaveLength(1);
});

test("of a close that may have been posted each owner of the reports is told once, in the own language", async () => {
  const { stage, accountOf, keep } = await open(DUE);
  for (const owner of ["u-ana", "u-bruno"]) await keep(await accountOf(owner), daysOf(WEEK), 100);
  await stage.stores.accounts.setAlerts(GUILD, "u-ana", "direct", stage.clock.now(), "en-US");
  stage.channels.mishap = (channelId) =>
    channelId === CHANNEL
      ? { outcome: { kind: "unclear", reason: "http_503" }, made: true }
      : undefined;
  stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
  await startJob(stage).run();
  for (let times = 0; times < 4; times++) {
    await stage.deliver();
    stage.clock.moveBy(12 * HOUR);
  }
  expect(await stage.stores.outbox.state(keyOf(WEEK))).toBe("unknown");
  for (const [owner, words] of [
    ["u-ana", /^The week's close up to .*The close may have been posted/],
    ["u-bruno", /^O fechamento da semana até .*O fechamento pode ter saído/],
  ] as const) {
    const told = stage.channels.inChannel(directChannel(owner));
    expect(told.map(({ content, text }) => content + text)).toEqual([expect.stringMatching(words)]);
  }
});

test("a close that Discord rejects is told to the admin who set the route", async () => {
  const { stage, accountOf, keep } = await open(DUE);
  await keep(await accountOf("u-ana"), daysOf(WEEK), 100);
  const outcome = { kind: "rejected", status: 400, code: 50_083 } as const;
  stage.channels.mishap = (id) => (id === CHANNEL ? { outcome, made: false } : undefined);
  await startJob(stage).run();
  await stage.deliver();
  const [told] = stage.channels.inChannel(directChannel("u-admin"));
  expect(told?.text).toMatch(/O fechamento da semana até .* não saiu: o Discord recusou o post/);
});
