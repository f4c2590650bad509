import { expect, onTestFinished, test } from "vitest";
import { closeKey, type ClosePeriod, newestPeriod, periodBefore } from "#src/closes/close.ts";
import { createClosesJob } from "#src/closes/closes.job.ts";
import { daysOf } from "#src/reports/sales-period.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { quietLog } from "../support/databases.ts";
import { directChannel } from "../support/fake-channels.ts";
import { CHANNEL, GUILD, openStage, type Stage } from "../support/stage.ts";
import { salesDay } from "./close-samples.ts";

const WEEK = newestPeriod("week", Temporal.PlainDate.from("2026-11-22"));
/** 08:00 on Monday in Brasília. */
const DUE = "2026-11-23T11:00:00Z";

const keyOf = (period: ClosePeriod): string =>
  closeKey({ guildId: GUILD, channelId: CHANNEL }, period);

const open = async (
  start: string,
  {
    emptyChoice = "send",
    from = "2026-11-17T12:00Z",
  }: { readonly emptyChoice?: "send" | "skip"; readonly from?: string } = {},
) => {
  const stage = await openStage(start);
  onTestFinished(stage.close);
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

/** The job as a new process would start it. */
const startJob = ({ clock, stores }: Stage, closes = stores.closes) => {
  let enqueued = 0;
  const run = createClosesJob({
    clock,
    log: quietLog,
    closes,
    salesDays: stores.salesDays,
    onOwed: () => void enqueued++,
  });
  return { run: () => run(new AbortController().signal), enqueued: () => enqueued };
};

const postedText = ({ channels }: Stage): readonly string[] =>
  channels.inChannel(CHANNEL).map(({ text }) => text.replaceAll("\u00a0", " "));

test("a week is posted at its hour on Monday, with the sums of the sellers, and once", async () => {
  const { stage, accountOf, keep } = await open("2026-11-23T10:59:00Z");
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
  expect(postedText(stage)).toHaveLength(1);
  expect(postedText(stage)[0]).toContain("Fechamento da semana, 16/11 a 22/11");
  expect(postedText(stage)[0]).toContain("**R$ 1.400,00** em 14 vendas");
  expect(postedText(stage)[0]).toContain("▲ 100% que na semana anterior");
  expect(stage.counted).toEqual(["close sent"]);
});

test("two processes at once, and a kill between the mark and the post, still post one", async () => {
  const { stage, accountOf, keep } = await open(DUE);
  await keep(await accountOf("u-ana"), daysOf(WEEK), 100);
  await Promise.all([startJob(stage).run(), startJob(stage).run()]);
  expect(await stage.stores.outbox.state(keyOf(WEEK))).toBe("due");
  // The process that marked it ends here; a later one posts it.
  stage.clock.moveBy(2 * HOUR);
  await startJob(stage).run();
  await Promise.all([stage.deliver(), stage.deliver()]);
  await startJob(stage).run();
  await stage.deliver();
  expect(postedText(stage)).toHaveLength(1);
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
  const [text = ""] = postedText(stage);
  expect(text).toContain("**R$ 1.300,00** em 13 vendas");
  expect(text).toContain("<@u-bruno>: 1 dia (16/11)");
  expect(text).toContain("Atrasado");
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
  expect(postedText(stage)[0]).toContain("— (falta ler vendas na semana anterior)");
});

test("a close is made as soon as the missing day is kept", async () => {
  const { stage, accountOf, keep } = await open(DUE);
  const ana = await accountOf("u-ana");
  await keep(ana, daysOf(WEEK).slice(1), 100);
  const job = startJob(stage);
  await job.run();
  await keep(ana, daysOf(WEEK).slice(0, 1), 100);
  stage.clock.moveBy(MINUTE);
  await job.run();
  await stage.deliver();
  expect(postedText(stage)[0]).not.toContain("Falta");
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
  expect(postedText(stage)).toHaveLength(1);
  expect(postedText(stage)[0]).toContain("Atrasado");
});

test("weeks that a machine missed come oldest first, each once", async () => {
  const { stage, accountOf, keep } = await open("2026-12-01T10:00:00Z", {
    from: "2026-11-10T12:00Z",
  });
  const next = newestPeriod("week", Temporal.PlainDate.from("2026-11-29"));
  const ana = await accountOf("u-ana");
  for (const week of [periodBefore(WEEK), WEEK, next]) await keep(ana, daysOf(week), 100);
  await startJob(stage).run();
  await stage.deliver();
  expect(
    postedText(stage).map((text) => /semana, (\S+) a ([\d/]+)/.exec(text)?.slice(1).join(" ")),
  ).toEqual(["09/11 15/11", "16/11 22/11", "23/11 29/11"]);
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
    const [route] = await stage.stores.closes.lacking(WEEK.to);
    expect(route?.progress.week.lastDay?.toString()).toBe("2026-11-22");
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
  expect(postedText(stage).map((text) => /semana, (\S+)|$/.exec(text)?.[1])).toEqual([
    "09/11",
    "16/11",
  ]);
  for (const text of postedText(stage)) expect(text).toContain("**R$ 700,00** em 7 vendas");
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
  expect(postedText(stage)).toHaveLength(1);
});

test("of a close that may have been posted each owner of the reports is told once", async () => {
  const { stage, accountOf, keep } = await open(DUE);
  for (const owner of ["u-ana", "u-bruno"]) await keep(await accountOf(owner), daysOf(WEEK), 100);
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
  for (const owner of ["u-ana", "u-bruno"]) {
    const told = stage.channels.inChannel(directChannel(owner));
    expect(told.map(({ text }) => text)).toEqual([
      expect.stringContaining("O fechamento pode ter saído"),
    ]);
  }
});
