import { describe, expect, onTestFinished, test } from "vitest";
import type { PresenceAnswer } from "#src/accounts/account.ts";
import { settlementHooks } from "#src/bot-jobs.ts";
import { closeKey, newestPeriod, periodBefore } from "#src/closes/close.ts";
import type { PostOutcome } from "#src/delivery/delivery.ts";
import { daysOf } from "#src/reports/sales-period.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { presenceParts } from "../accounts/presence-parts.ts";
import { delivery, noticeTo } from "../database/builders.ts";
import { type DatabaseKind, databases } from "../support/databases.ts";
import { testDeliver } from "../support/fake-channels.ts";
import { CHANNEL, GUILD, openStage } from "../support/stage.ts";
import { salesDay, startJob } from "./close-samples.ts";

const WEEK = newestPeriod("week", Temporal.PlainDate.from("2026-11-22"));

/** A server whose close of two sellers is due, and whose posts ask Discord who is there. */
const openOn = async (create: DatabaseKind["create"]) => {
  const { url, drop } = await create();
  onTestFinished(drop);
  const stage = await openStage("2026-11-23T11:10:00Z", url);
  const { clock, stores, channels } = stage;
  const since = Temporal.Instant.from("2026-11-17T12:00Z");
  await stage.saveRoute({ since, time: "08:00" });
  for (const [ownerId, reais] of [
    ["u-ana", 100],
    ["u-bruno", 1],
  ] as const) {
    const id = await stage.addSeller({ ownerId, since });
    const { accountFp } = (await stores.accounts.findById(id))!;
    for (const day of [periodBefore(WEEK), WEEK].flatMap(daysOf))
      await stores.salesDays.keep(accountFp, salesDay(day, reais));
  }
  const gone = new Set<string>();
  const answer = async (_: string, userId: string): Promise<PresenceAnswer> => ({
    kind: gone.has(userId) ? "left" : "here",
  });
  const { judge } = presenceParts(stage, answer, async () => ({ kind: "holds" }));
  const hooks = settlementHooks({ ...stores, clock });
  const { outbox } = stores;
  const post = testDeliver({ clock, outbox, posting: channels, hooks, revalidate: judge });
  const deliver = () =>
    post({ stopping: new AbortController().signal, news: stage.news, retryAt: () => {} });
  const job = startJob(stage);
  const fail = (outcome: PostOutcome | undefined): void => {
    channels.mishap = (channelId) =>
      outcome !== undefined && channelId === CHANNEL ? { outcome, made: false } : undefined;
  };
  const closes = () => stage.textsIn().filter((text) => text.includes("Fechamento da semana"));
  return { stage, gone, job, deliver, fail, closes };
};

const isOfBrunoAlone = expect.stringContaining("**R$ 7,00** em 7 vendas");

describe.each(databases)("a close on $name", (kind) => {
  const open = () => openOn(kind.create);

  test("one that another process has taken over meanwhile is left to it", async () => {
    const { stage, job } = await open();
    const { closes, outbox } = stage.stores;
    const claim = () =>
      outbox.claim({ owner: "p", leaseMs: MINUTE, limit: 1, now: stage.clock.now() });
    await job.run();
    const [first] = await claim();
    stage.clock.moveBy(2 * MINUTE);
    expect(await claim()).toMatchObject([{ dedupeKey: first!.dedupeKey }]);
    await closes.makeAgain(first!);
    expect(await outbox.state(first!.dedupeKey)).toBe("sending");
  });

  test("one that may have been posted is given up once a seller of it has left", async () => {
    const { stage, gone, job, deliver, fail, closes } = await open();
    fail({ kind: "unclear", reason: "timeout" });
    await job.run();
    await deliver();
    gone.add("u-ana");
    fail(undefined);
    for (let times = 0; times < 3; times++) {
      stage.clock.moveBy(DAY - HOUR);
      await deliver();
      stage.clock.moveBy(MINUTE);
      await job.run();
    }
    expect(closes()).toEqual([]);
  });

  test("of one server alone is made again once a seller takes back the consent", async () => {
    const { stage } = await open();
    const { accounts, closes, outbox } = stage.stores;
    const since = Temporal.Instant.from("2026-11-17T12:00Z");
    const [now, afterMonth] = [stage.clock.now(), since.add({ hours: 15 * 24 })];
    await stage.saveRoute({ guildId: "elsewhere", since, time: "08:00" });
    const routeOf = async (guildId: string) =>
      (await Array.fromAsync(closes.lacking(afterMonth)))
        .flat()
        .find(({ subscriberId }) => subscriberId === guildId)!;
    const weeks = [periodBefore(WEEK), WEEK];
    const month = newestPeriod("month", Temporal.PlainDate.from("2026-11-30"));
    for (const guildId of [GUILD, "elsewhere"]) {
      const route = await routeOf(guildId);
      for (const period of weeks) {
        const of = { kind: "close", guildId, day: period.to, closeKind: "week" } as const;
        const post = delivery(closeKey(route, period), { ...of, target: route.target });
        expect(await closes.record({ route, period, dueAt: now }, [], post, now)).toBe(true);
      }
      await closes.record({ route, period: month, dueAt: now }, [], undefined, now);
    }
    await outbox.enqueue({ ...noticeTo("u-ana", "notice"), guildId: GUILD }, now);
    const marks = async (guildId: string) => {
      const { progress } = await routeOf(guildId);
      return [progress.week.lastDay?.toString(), progress.month.lastDay?.toString()];
    };
    const before = await marks("elsewhere");
    await accounts.chooseReport(GUILD, "u-ana", "off", now);
    const elsewhere = await routeOf("elsewhere");
    for (const key of ["notice", ...weeks.map((period) => closeKey(elsewhere, period))])
      expect(await outbox.state(key)).toBe("due");
    expect(await marks("elsewhere")).toEqual(before);
    const unmade = periodBefore(WEEK).from.subtract({ days: 1 });
    expect(await marks(GUILD)).toEqual([unmade.toString(), month.to.toString()]);
  });

  // *.store.test.ts tests the other statements on both databases.
  if (kind !== databases[0]) return;

  test("who left while nobody asked is taken out of it before its post", async () => {
    const { gone, job, deliver, closes } = await open();
    gone.add("u-ana");
    for (let times = 0; times < 3; times++) {
      await job.run();
      await deliver();
    }
    expect(closes()).toEqual([isOfBrunoAlone]);
  });

  test("who left while it waited for its lost channel is taken out of it", async () => {
    const { stage, gone, job, deliver, fail, closes } = await open();
    fail({ kind: "lost_channel", code: 50001 });
    await job.run();
    await deliver();
    gone.add("u-ana");
    stage.clock.moveBy(3 * DAY);
    fail(undefined);
    await stage.stores.routes.lift(GUILD, CHANNEL);
    for (let times = 0; times < 2; times++) {
      await deliver();
      await job.run();
    }
    await deliver();
    expect(closes()).toEqual([isOfBrunoAlone]);
  });

  test("one of sellers who are all there is posted as it was made", async () => {
    const { job, deliver, closes } = await open();
    await job.run();
    await deliver();
    expect(closes()).toEqual([expect.stringContaining("**R$ 707,00** em 14 vendas")]);
  });
});
