import { describe, expect, it, onTestFinished } from "vitest";
import type { ClaimedDelivery, DeliveryTarget } from "#src/delivery/delivery.ts";
import type { PresenceAnswer } from "#src/accounts/account.ts";
import type { Revalidate } from "#src/delivery/deliver.job.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { HOSTILE_SAMPLES } from "../ui/hostile-samples.ts";
import { chosenAlertRoute } from "../disputes/dispute-builders.ts";
import { databases, quietLog } from "../support/databases.ts";
import { directChannel } from "../support/fake-channels.ts";
import { pauseRefusedKey } from "#src/accounts/account-notices.job.ts";
import { sellerOf, storeOf } from "../reports/report-samples.ts";
import { claimedDelivery } from "../database/builders.ts";
import { ADMIN, CHANNEL, GUILD, openStage } from "../support/stage.ts";
import { cents } from "#src/shared/money.ts";
import { asRoute } from "../support/samples.ts";
import { presenceParts } from "./presence-parts.ts";

const ELSEWHERE = "g2";
const inChannel: DeliveryTarget = { kind: "channel", channelId: CHANNEL };
const toAna: DeliveryTarget = { kind: "person", userId: "u-ana" };

const asked = async (start = "2026-11-20T00:05Z", url?: string) => {
  const stage = await openStage(start, url);
  const since = Temporal.Instant.from("2026-11-18T12:00Z");
  await stage.saveRoute({ since });
  const anaId = await stage.addSeller({ ownerId: "u-ana", since });
  const discord = {
    answer: { kind: "here" } as PresenceAnswer,
    /** Replaces `answer` for these guilds. */
    answers: new Map<string, PresenceAnswer>(),
    questions: 0,
    woken: 0,
    name: "Loja",
    /** Guilds whose names were prefetched. */
    names: [] as string[],
    /** Called for each of these names. */
    onName: () => {},
  };
  const database = { isAway: false };
  const passedOn: string[] = [];
  const inner: Revalidate = async ({ dedupeKey }) => {
    passedOn.push(dedupeKey);
    return { kind: "holds" };
  };
  const ask = async (guildId: string, userId: string): Promise<PresenceAnswer> => {
    expect(userId).toBe("u-ana");
    discord.questions += 1;
    return discord.answers.get(guildId) ?? discord.answer;
  };
  const accounts: typeof stage.stores.accounts = {
    ...stage.stores.accounts,
    findById: async (id) => {
      if (database.isAway) throw new Error("the database is away");
      return await stage.stores.accounts.findById(id);
    },
  };
  const stores = { ...stage.stores, accounts };
  const { judge, prefetchAt } = presenceParts(
    { ...stage, stores, onOwed: () => void discord.woken++ },
    ask,
    inner,
    async () => discord.name,
  );
  const prefetchPresence = prefetchAt(0, async (guildId) => {
    discord.names.push(guildId);
    discord.onName();
    return discord.name;
  });
  const claim = (given: Partial<ClaimedDelivery> = {}) =>
    judge(
      claimedDelivery("some", stage.clock.now(), {
        accountId: anaId,
        target: inChannel,
        ...given,
      }),
    );
  const notices = async (): Promise<readonly string[]> => {
    await stage.deliver();
    return stage.channels.messages.map(({ text }) => text);
  };
  return { stage, anaId, prefetchPresence, discord, database, passedOn, claim, notices };
};

describe("S14: what is posted of a seller", () => {
  it("is judged further while the seller is there", async () => {
    const { claim, passedOn } = await asked();
    expect(await claim()).toEqual({ kind: "holds" });
    expect(passedOn).toEqual(["some"]);
  });

  it("is no report once the seller has left, who is told once", async () => {
    const { claim, discord, notices, stage } = await asked();
    discord.answer = { kind: "left" };
    expect(await claim()).toEqual({ kind: "untrue", unsent: undefined });
    stage.clock.moveBy(DAY);
    expect(await claim()).toEqual({ kind: "untrue", unsent: undefined });
    expect(discord.woken).toBe(1);
    const told = await notices();
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/Você saiu de um servidor[^]*`Loja`[^]*\/conta desconectar/);
  });

  it.each([
    ["channel", "off", "Vão por mensagem direta."],
    ["off", "direct", "Vão por mensagem direta."],
    ["off", "off", "Desligados: não aviso nada dos seus MEDs"],
    ["direct", "channel", undefined],
  ] as const)(
    "is told without a report and sales that come out nowhere there, and with alerts as they are: %s here, %s elsewhere",
    async (here, elsewhere, words) => {
      const { claim, discord, notices, stage } = await asked();
      const { accounts, saleRoutes } = stage.stores;
      const now = stage.clock.now();
      const sales = { guildId: GUILD, channelId: CHANNEL, active: true, minimum: cents(0) };
      await saleRoutes.save(...asRoute({ ...sales, locale: "pt-BR", updatedBy: ADMIN }), now);
      const apiKey = `sk_sandbox_${GUILD}_u-ana`;
      await stage.addSeller({ ownerId: "u-ana", guildId: ELSEWHERE, since: now, apiKey });
      await accounts.chooseReport(GUILD, "u-ana", "off", now, "pt-BR");
      await accounts.setAlerts(GUILD, "u-ana", here, now, "pt-BR");
      await accounts.setAlerts(ELSEWHERE, "u-ana", elsewhere, now, "pt-BR");
      discord.answer = { kind: "left" };
      await claim({ kind: "sale_notice" });
      const [told, ...more] = await notices();
      expect(more).toEqual([]);
      expect(told).toContain("Você saiu de um servidor");
      expect(told).not.toMatch(/relatório|avisos das suas vendas/);
      if (words === undefined) expect(told).not.toContain("MED");
      else expect(told).toContain(words);
    },
  );

  it("is told in the language of the server where the seller's own is not known", async () => {
    const { claim, discord, notices, stage } = await asked();
    await stage.stores.routes.save(GUILD, (it) => ({ ...it!, locale: "en-US" }), stage.clock.now());
    discord.answer = { kind: "left" };
    await claim();
    expect(await notices()).toEqual([expect.stringContaining("You left a server")]);
  });

  it.each(["off", "lost"])(
    "is told without a promise of what did not come out before, because its channel was %s",
    async (why) => {
      const { claim, discord, notices, stage } = await asked();
      const { routes, saleRoutes } = stage.stores;
      const now = stage.clock.now();
      const route = { guildId: GUILD, channelId: CHANNEL, active: why === "lost" };
      const sales = { ...route, minimum: cents(0), locale: "pt-BR", updatedBy: ADMIN } as const;
      await saleRoutes.save(...asRoute(sales), now);
      await saleRoutes.choose(GUILD, "u-ana", "channel", now, "pt-BR");
      if (why === "off") await routes.save(GUILD, (before) => ({ ...before!, active: false }), now);
      else for (const each of [routes, saleRoutes]) await each.suspend(GUILD, CHANNEL, now, []);
      discord.answer = { kind: "left" };
      await claim({ kind: "dispute_alert" });
      const [told] = await notices();
      expect(told).toContain("Você saiu de um servidor");
      expect(told).not.toMatch(/relatório|avisos das suas vendas/);
    },
  );

  it("is a report of the others alone, once one of several sellers has left", async () => {
    const { claim, discord, anaId } = await asked();
    const report = storeOf([sellerOf(1, [100], { accountId: anaId }), sellerOf(2, [200])]);
    const store = { accountId: null, payload: { report } };
    // The second has disconnected since the claim.
    expect(await claim(store)).toEqual({ kind: "holds", absent: ["account-2"] });
    const left = await asked();
    left.discord.answer = { kind: "left" };
    const itsReport = storeOf([sellerOf(1, [100], { accountId: left.anaId })]);
    expect(await left.claim({ accountId: null, payload: { report: itsReport } })).toEqual({
      kind: "holds",
      absent: [left.anaId],
    });
    expect(discord.questions).toBe(1);
  });

  it("is a report without one who took the consent back since it was claimed", async () => {
    const { claim, discord, anaId, stage } = await asked();
    const report = storeOf([sellerOf(1, [100], { accountId: anaId })]);
    await stage.stores.accounts.chooseReport(GUILD, "u-ana", "off", stage.clock.now(), "pt-BR");
    const post = { accountId: null, payload: { report } };
    expect(await claim(post)).toEqual({ kind: "holds", absent: [anaId] });
    expect(discord.questions).toBe(0);
  });

  it("is a report that does not name one who has left as missing", async () => {
    const { claim, discord, anaId, stage } = await asked();
    discord.answer = { kind: "left" };
    const missing = [{ accountId: anaId, ownerId: "u-ana", isRefused: true }];
    const now = stage.clock.now();
    const brunoId = await stage.addSeller({ ownerId: "u-bruno", since: now });
    await stage.stores.presences.keep(GUILD, "u-bruno", "here", now, undefined);
    const report = storeOf([sellerOf(1, [100], { accountId: brunoId })], { missing });
    const store = { accountId: null, payload: { report } };
    expect(await claim(store)).toEqual({ kind: "holds", absent: [anaId] });
  });

  it("is an alert to the seller alone once the seller has left", async () => {
    const { claim, discord } = await asked();
    discord.answer = { kind: "left" };
    expect(await claim({ kind: "dispute_alert" })).toEqual({ kind: "moved", target: toAna });
  });

  it.each([GUILD, ELSEWHERE])(
    "is an alert that is judged further once the seller has left %s, one of two servers",
    async (left) => {
      const { claim, discord, stage } = await asked();
      const { accounts, alertRoutes } = stage.stores;
      const since = stage.clock.now();
      const apiKey = `sk_sandbox_${GUILD}_u-ana`;
      const there = { ownerId: "u-ana", guildId: ELSEWHERE, since, agrees: false, apiKey };
      await stage.addSeller(there);
      await accounts.setAlerts(ELSEWHERE, "u-ana", "channel", since);
      await alertRoutes.save(...asRoute(chosenAlertRoute({ guildId: ELSEWHERE })), since);
      expect(await claim({ kind: "dispute_alert" })).toEqual({ kind: "holds" });
      stage.clock.moveBy(DAY);
      discord.answers.set(left, { kind: "left" });
      expect(await claim({ kind: "dispute_alert" })).toEqual({ kind: "holds" });
      expect(await claim()).toEqual(
        left === GUILD ? { kind: "untrue", unsent: undefined } : { kind: "holds" },
      );
      stage.clock.moveBy(DAY);
      discord.answer = { kind: "left" };
      expect(await claim({ kind: "dispute_alert" })).toEqual({ kind: "moved", target: toAna });
    },
  );

  it("asks Discord once in a UTC day, whatever is posted", async () => {
    const { claim, discord, stage } = await asked();
    await claim();
    await claim({ kind: "dispute_alert" });
    stage.clock.moveBy(23 * HOUR);
    await claim();
    expect(discord.questions).toBe(1);
    stage.clock.moveBy(HOUR);
    await claim();
    expect(discord.questions).toBe(2);
  });

  it("is asked about again when the last answer was kept by a clock that was ahead", async () => {
    const { claim, discord, stage } = await asked();
    stage.clock.moveBy(365 * DAY);
    await claim();
    stage.clock.moveBy(-365 * DAY);
    discord.answer = { kind: "left" };
    expect(await claim()).toEqual({ kind: "untrue", unsent: undefined });
  });

  it("goes out again the day after the seller came back, and a second leave is told too", async () => {
    const { claim, discord, notices, stage } = await asked();
    const left = { kind: "untrue", unsent: undefined };
    for (const [answer, verdict] of [
      ["left", left],
      ["here", { kind: "holds" }],
      ["left", left],
    ] as const) {
      discord.answer = { kind: answer };
      expect(await claim()).toEqual(verdict);
      stage.clock.moveBy(DAY);
    }
    expect(await notices()).toHaveLength(2);
  });

  it("goes out while Discord cannot be asked, and is asked about again", async () => {
    const { claim, discord } = await asked();
    discord.answer = { kind: "unknown" };
    expect(await claim()).toEqual({ kind: "holds" });
    await claim();
    expect(discord.questions).toBe(2);
  });

  it("stays away while Discord cannot be asked about one who was gone", async () => {
    const { claim, discord, stage } = await asked();
    discord.answer = { kind: "left" };
    await claim();
    stage.clock.moveBy(DAY);
    discord.answer = { kind: "unknown" };
    expect(await claim()).toEqual({ kind: "untrue", unsent: undefined });
    discord.answer = { kind: "limited", retryAfterMs: 5 };
    expect(await claim({ attempts: 9 })).toEqual({ kind: "untrue", unsent: undefined });
  });

  it("waits for its turn when Discord's limit stands in the way, and not for ever", async () => {
    const { claim, discord, stage, anaId } = await asked();
    discord.answer = { kind: "limited", retryAfterMs: 10 * MINUTE };
    const until = stage.clock.now().add({ milliseconds: MINUTE });
    const report = storeOf([sellerOf(1, [100], { accountId: anaId })]);
    for (const given of [{}, { accountId: null, payload: { report } }]) {
      expect(await claim({ ...given, attempts: 8 })).toEqual({ kind: "waits", until });
      expect(await claim({ ...given, attempts: 9 })).toEqual({ kind: "holds" });
    }
  });

  it("waits a minute while the database cannot say whose it is, and not for ever", async () => {
    const { claim, database, stage } = await asked();
    database.isAway = true;
    const until = stage.clock.now().add({ milliseconds: MINUTE });
    expect(await claim({ attempts: 8 })).toEqual({ kind: "waits", until });
    expect(await claim({ attempts: 9 })).toEqual({ kind: "holds" });
  });

  it.each<[string, Partial<ClaimedDelivery>]>([
    ["a direct message", { target: toAna }],
    ["a test", { kind: "test", accountId: null }],
    ["a notice", { kind: "notice" }],
    ["a report of no account", { accountId: null }],
  ])("%s needs no question", async (_, given) => {
    const { claim, discord, passedOn } = await asked();
    discord.answer = { kind: "left" };
    expect(await claim(given)).toEqual({ kind: "holds" });
    expect([discord.questions, passedOn]).toEqual([0, ["some"]]);
  });

  it("leaves what is of a connection that has gone to the other judge", async () => {
    const { claim, discord } = await asked();
    expect(await claim({ accountId: "gone" })).toEqual({ kind: "holds" });
    expect(discord.questions).toBe(0);
  });

  it("is asked about in the hour before a report, once, which then goes out unasked", async () => {
    const { prefetchPresence, claim, discord, stage } = await asked("2026-11-19T12:59Z");
    await claim();
    stage.clock.moveBy(10 * HOUR);
    await prefetchPresence(new AbortController().signal);
    expect(discord.questions).toBe(1);
    for (const minutes of [10, 10, 46]) {
      stage.clock.moveBy(minutes * MINUTE);
      await prefetchPresence(new AbortController().signal);
    }
    expect(discord.questions).toBe(2);
    expect(await claim()).toEqual({ kind: "holds" });
    expect(discord.questions).toBe(2);
    expect(discord.names).toEqual([GUILD]);
  });

  it("is asked about no more once an hour comes, whose posts need all requests", async () => {
    const { prefetchPresence, discord, stage } = await asked("2026-11-20T00:04Z");
    discord.onName = () => stage.clock.moveBy(MINUTE);
    await prefetchPresence(new AbortController().signal);
    expect(discord).toMatchObject({ names: [GUILD], questions: 0 });
  });

  it("is asked about for a later hour once the posts of an earlier one went out", async () => {
    const { prefetchPresence, discord, stage } = await asked("2026-11-20T00:04Z");
    const later = { guildId: ELSEWHERE, since: Temporal.Instant.from("2026-11-18T12:00Z") };
    await stage.saveRoute({ ...later, time: "21:40" });
    await stage.addSeller({ ...later, ownerId: "u-ana" });
    discord.onName = () => stage.clock.moveBy(MINUTE);
    await prefetchPresence(new AbortController().signal);
    expect(discord.questions).toBe(0);
    await prefetchPresence(new AbortController().signal);
    expect(discord.questions).toBe(1);
  });

  it("is not asked about beside the posts of an hour before", async () => {
    const { prefetchPresence, discord, stage } = await asked("2026-11-19T23:05Z");
    await prefetchPresence(new AbortController().signal);
    expect(discord.questions).toBe(0);
    stage.clock.moveBy(10 * MINUTE);
    await prefetchPresence(new AbortController().signal);
    expect(discord.questions).toBe(1);
  });

  it("is asked about once ahead when there is no answer, and again before the report", async () => {
    const { prefetchPresence, claim, discord, stage } = await asked("2026-11-19T23:30Z");
    discord.answer = { kind: "unknown" };
    await prefetchPresence(new AbortController().signal);
    await prefetchPresence(new AbortController().signal);
    expect(discord.questions).toBe(1);
    stage.clock.moveBy(35 * MINUTE);
    await claim();
    expect(discord.questions).toBe(2);
  });

  it.each(Object.entries(HOSTILE_SAMPLES))(
    "names a server called by %s harmlessly",
    async (_, name) => {
      const { claim, discord, notices } = await asked();
      discord.answer = { kind: "left" };
      discord.name = name;
      await claim();
      const [told = ""] = await notices();
      expect(told.replace(/`[^`]*`/g, "")).not.toContain("zqx");
    },
  );
});

describe.each(databases)("S14: what was told of one who had left, on $name", ({ create }) => {
  it.each([
    ["the others' report", () => null],
    ["the own completion of one", (anaId: string) => anaId],
  ])("counts from the day after %s, which went out without", async (_, accountOf) => {
    const { url, drop } = await create();
    onTestFinished(drop);
    const { claim, discord, anaId, stage } = await asked("2026-11-19T00:05Z", url);
    const firstDay = async () => (await stage.stores.ledger.sellersOf(GUILD))[0]?.firstDay;
    const report = storeOf([sellerOf(1, [100], { accountId: anaId })], { day: "2026-11-18" });
    const post = { accountId: accountOf(anaId), payload: { report } };
    discord.answer = { kind: "left" };
    await claim(post);
    expect(await firstDay()).toBeUndefined();
    discord.answer = { kind: "here" };
    stage.clock.moveBy(DAY);
    await stage.prepare();
    await claim(post);
    expect((await firstDay())?.toString()).toBe("2026-11-18");
    stage.clock.moveBy(DAY);
    discord.answer = { kind: "left" };
    for (const first of ["2026-11-19", "2026-11-19"]) {
      await claim(post);
      expect((await firstDay())?.toString()).toBe(first);
    }
  });
});

it("a refused key is told with a server where its owner is, and counts none that the owner left", async () => {
  const { addSeller, channels, clock, deliver, stores } = await openStage("2026-11-20T00:05Z");
  const since = clock.now();
  const apiKey = "sk_sandbox_one_key_0123";
  const davi = { ownerId: "u-davi", since, apiKey, userId: "wallet-of-davi" };
  const left = await addSeller(davi);
  await addSeller({ ...davi, guildId: ELSEWHERE });
  await stores.presences.keep(GUILD, davi.ownerId, "left", since, undefined);
  const account = await stores.accounts.findById(left);
  await pauseRefusedKey({ ...stores, clock, log: quietLog, onOwed: () => {} }, account!, "pt-BR");
  await deliver();
  const [told] = channels.inChannel(directChannel(davi.ownerId));
  expect(told?.text).toContain(`/channels/${ELSEWHERE})`);
  expect(told?.text).not.toContain("Em outro servidor");
});
