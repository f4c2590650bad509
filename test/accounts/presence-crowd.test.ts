import { describe, expect, it } from "vitest";
import type { PresenceAnswer } from "#src/accounts/account.ts";
import { withReportRoute } from "#src/reports/daily-sales-report.job.ts";
import { DAY, HOUR, SECOND } from "#src/shared/time.ts";
import { quietLog } from "../support/databases.ts";
import { directChannel, testDeliver } from "../support/fake-channels.ts";
import { sellerOf, storeOf } from "../reports/report-samples.ts";
import { claimedDelivery } from "../database/builders.ts";
import { CHANNEL, GUILD, openStage } from "../support/stage.ts";
import { asRoute } from "../support/samples.ts";
import { presenceParts } from "./presence-parts.ts";

type Ask = (userId: string) => Promise<PresenceAnswer>;

/** A server's report that is due, of sellers about whom nobody has asked yet. */
const crowd = async (count: number) => {
  const stage = await openStage("2026-11-21T00:05Z");
  const { clock, stores } = stage;
  const since = Temporal.Instant.from("2026-11-18T12:00Z");
  const ownerOf = (place: number): string => `u-${place}`;
  const ids: string[] = [];
  for (let place = 0; place < count; place++)
    ids.push(await stage.addSeller({ ownerId: ownerOf(place), since }));
  const report = storeOf(ids.map((accountId, place) => sellerOf(place, [100], { accountId })));
  const discord = {
    asked: [] as string[],
    /** Moves the clock: Discord answers about the members of one server one after the other. */
    answer: ((): Promise<PresenceAnswer> => Promise.resolve({ kind: "here" })) as Ask,
  };
  const { judge, prefetchAt } = presenceParts(
    stage,
    async (_, userId) => {
      discord.asked.push(userId);
      return await discord.answer(userId);
    },
    withReportRoute({ ...stores, log: quietLog }, async () => ({ kind: "holds" })),
  );
  const delivery = claimedDelivery("report", clock.now(), {
    target: { kind: "channel", channelId: CHANNEL },
    guildId: GUILD,
    payload: { report },
  });
  const claim = (attempts: number) => judge({ ...delivery, attempts });
  /** With a share that leaves no real time between its questions. */
  const prefetch = (place: number) => prefetchAt(place, undefined, 1_000);
  return { stage, ids, ownerOf, discord, delivery, judge, claim, prefetch };
};

/** One answer: 500 sellers take as long as 2,500 would at 100 ms. */
const WAY_MS = 500;

describe("a server with so many sellers that Discord takes minutes to answer", () => {
  it("gets its report as soon as each was asked about once, and other posts go out meanwhile", async () => {
    const { stage, discord, delivery, judge } = await crowd(500);
    const { clock, stores, news } = stage;
    const start = clock.now();
    const target = { kind: "person", userId: "u-ana" } as const;
    const med = {
      ...delivery,
      dedupeKey: "med",
      kind: "notice",
      target,
      payload: { content: "MED" },
    } as const;
    discord.answer = async () => {
      clock.moveBy(WAY_MS);
      if (discord.asked.length === 100) await stores.outbox.enqueue(med, start);
      // More often than the scheduler's beat would.
      if (discord.asked.length % 20 === 0) news.ring();
      return { kind: "here" };
    };
    const deliver = testDeliver({
      clock,
      outbox: stores.outbox,
      posting: stage.channels,
      revalidate: judge,
    });
    await stores.outbox.enqueue(delivery, start);
    const run = { stopping: stage.stopping.signal, news, retryAt: () => {} };
    for (let runs = 0; runs < 50 && stage.channels.inChannel(CHANNEL).length === 0; runs++) {
      await deliver(run);
      clock.moveBy(SECOND);
    }

    expect(new Set(discord.asked).size).toBe(500);
    expect(discord.asked).toHaveLength(500);
    // 250 s of questions, and a second's pause in every 20.
    const postedMs = (channelId: string): readonly number[] =>
      stage.channels.inChannel(channelId).map(({ at }) => at.since(start).total("milliseconds"));
    expect(postedMs(CHANNEL)).toEqual([expect.closeTo(265 * SECOND, -4)]);
    expect(postedMs(directChannel("u-ana"))).toEqual([expect.closeTo(100 * WAY_MS, -4)]);
    const rows = await stage.db.selectFrom("outbox").select(["dedupe_key", "attempts"]).execute();
    expect(rows).toContainEqual({ dedupe_key: "report", attempts: 1 });
  });

  it("gives its place back after 20 s, and asks on without those who were answered", async () => {
    const { claim, discord, stage } = await crowd(60);
    discord.answer = async (userId) => {
      stage.clock.moveBy(SECOND);
      return { kind: userId === "u-0" ? "left" : "here" };
    };
    const verdict = await claim(1);
    const until = stage.clock.now().add({ seconds: 1 });
    expect(verdict).toEqual({ kind: "waits", until, isUncounted: true });
    expect(discord.asked.length).toBeLessThan(25);
    while ((await claim(1)).kind === "waits");
    expect(discord.asked).toHaveLength(60);
  });

  it("gets its report in the channel that was chosen meanwhile, and in none that was switched off", async () => {
    const { claim, discord, stage } = await crowd(3);
    const since = stage.clock.now();
    discord.answer = async () => {
      await stage.saveRoute({ since, channelId: "c2" });
      return { kind: "here" };
    };
    const target = { kind: "channel", channelId: "c2" };
    expect(await claim(1)).toEqual({ kind: "moved", target });
    const { routes } = stage.stores;
    await routes.save(...asRoute({ ...(await routes.find(GUILD))!, active: false }), since);
    expect(await claim(1)).toEqual({ kind: "untrue", unsent: undefined });
  });

  it("waits for Discord's limit as long as answers come in between", async () => {
    const { claim, discord, stage } = await crowd(30);
    const limited: PresenceAnswer = { kind: "limited", retryAfterMs: 5 * SECOND };
    discord.answer = async () => (discord.asked.length <= 10 ? { kind: "here" } : limited);
    const until = stage.clock.now().add({ seconds: 5 });
    expect(await claim(9)).toEqual({ kind: "waits", until, isUncounted: true });
    expect(await claim(9)).toEqual({ kind: "holds" });
    expect(discord.asked.length).toBeLessThan(20);
  });

  it("gets its report, without those known to have left, though Discord answers about nobody", async () => {
    const { claim, discord, ids, ownerOf, stage } = await crowd(100);
    const { presences } = stage.stores;
    await presences.keep(GUILD, ownerOf(99), "left", stage.clock.now(), undefined);
    stage.clock.moveBy(DAY);
    discord.answer = async () => ({ kind: "unknown" });
    const until = stage.clock.now().add({ minutes: 1 });
    for (const attempts of [1, 8]) expect(await claim(attempts)).toEqual({ kind: "waits", until });
    expect(await claim(9)).toEqual({ kind: "holds", absent: [ids[99]] });
    // 20 of each attempt, and those under way then.
    expect(discord.asked.length).toBeLessThan(75);
  });
});

describe("a server that removed the bot", () => {
  it.each([10, 100])(
    "with %d sellers has its report find the channel lost at once, for a few refusals, as too many stop all posts",
    async (sellers) => {
      const { claim, discord, ids, ownerOf, stage } = await crowd(sellers);
      await stage.stores.presences.keep(GUILD, ownerOf(9), "left", stage.clock.now(), undefined);
      stage.clock.moveBy(DAY);
      discord.answer = async () => ({ kind: "unknown", isBotOutside: true });
      expect(await claim(1)).toEqual({ kind: "holds", absent: [ids[9]] });
      expect(discord.asked.length).toBeLessThanOrEqual(4);
    },
  );
});

describe("the hour before the report of a server with 24 sellers", () => {
  it.each([
    ["is left to itself where the bot is outside of the server", true, 8],
    ["asks about all of them while Discord only fails to answer", false, 24],
  ])("%s", async (_, isBotOutside, most) => {
    const { discord, prefetch, stage } = await crowd(24);
    await stage.saveRoute({ since: stage.clock.now() });
    stage.clock.moveBy(DAY - HOUR / 2);
    discord.answer = async () => ({ kind: "unknown", isBotOutside });
    await prefetch(0)(new AbortController().signal);
    expect(discord.asked.length).toBeLessThanOrEqual(most);
    expect(discord.asked.length).toBeGreaterThan(isBotOutside ? 0 : 23);
  });
});

describe("the hour before the reports of two servers with eight sellers each", () => {
  it("is shared by two processes, each of which begins at its own place", async () => {
    const { discord, ownerOf, prefetch, stage } = await crowd(8);
    const since = stage.clock.now();
    await stage.saveRoute({ since });
    await stage.saveRoute({ since, guildId: "g2" });
    const sellers = Array.from({ length: 16 }, (_, place) => ownerOf(place));
    for (const ownerId of sellers.slice(8))
      await stage.addSeller({ ownerId, guildId: "g2", since });
    stage.clock.moveBy(DAY - HOUR / 2);
    const all = Promise.withResolvers<PresenceAnswer>();
    discord.answer = async () => {
      if (discord.asked.length === sellers.length) all.resolve({ kind: "here" });
      return await all.promise;
    };
    const { signal } = new AbortController();
    await Promise.all([prefetch(0)(signal), prefetch(1 / 2)(signal)]);
    expect(discord.asked.toSorted()).toEqual(sellers.toSorted());
  });
});
