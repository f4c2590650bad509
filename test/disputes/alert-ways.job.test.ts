import { describe, expect, test } from "vitest";
import type { PostOutcome } from "#src/delivery/delivery.ts";
import { Secret } from "#src/shared/secret.ts";
import { ANA, BRUNO, CARLA, CHANNEL, GUILD, savedAccount } from "../database/builders.ts";
import { OTHER_CHANNEL, ROLE } from "./dispute-builders.ts";
import { oneDatabase } from "../support/databases.ts";
import { type DisputeStage, NIGHT, TITLE, useDisputeStage } from "./dispute-stage.ts";
import { directChannel } from "../support/fake-channels.ts";

const ELSEWHERE = "900000000000000002";
const OTHER_ROLE = "940000000000000002";
const unclear: PostOutcome = { kind: "unclear", reason: "timeout" };
const lost: PostOutcome = { kind: "lost_channel", code: 10_003 };

describe.each(oneDatabase)("between an alert that is owed and its post, on $name", (kind) => {
  const open = useDisputeStage(kind);
  /** An alert is owed in the guild's channel, while Discord rejects all posts. */
  const owedInChannel = async (hours = 100): Promise<DisputeStage> => {
    const stage = await open();
    await stage.routeToChannel();
    stage.hold();
    stage.service.add("i1", hours);
    await stage.pass({ minutes: 6 });
    return stage;
  };
  const release = async (stage: DisputeStage): Promise<void> => {
    stage.channels.mishap = undefined;
    await stage.pass({ minutes: 5 });
  };

  test.each([
    ["no role any more pings none", { roleId: undefined }, undefined],
    ["other alerts that ping pings none", { pingSteps: ["1h"] as const }, undefined],
  ])("a route that has %s", async (_, change, roleId) => {
    const stage = await open("2026-11-20T01:10Z");
    const pinging = { quiet: NIGHT, roleId: ROLE, pingSteps: ["new", "24h"] as const };
    await stage.routeToChannel(pinging);
    stage.service.add("i1", 100);
    await stage.pass({ minutes: 6 });
    await stage.route({ ...pinging, ...change });
    await stage.pass({ hours: 9 }, { hours: 1 });
    const posts = stage.channels.inChannel(CHANNEL);
    expect(posts.map(({ pings }) => pings)).toEqual([{ userId: ANA, roleId }]);
  });

  test("another role is pinged also where an earlier attempt may have posted", async () => {
    const stage = await open();
    const pinging = { roleId: ROLE, pingSteps: ["new"] as const };
    await stage.routeToChannel(pinging);
    stage.channels.mishap = () => ({ outcome: unclear, made: false });
    stage.service.add("i1", 100);
    await stage.poll();
    await stage.deliver();
    await stage.route({ ...pinging, roleId: OTHER_ROLE });
    await release(stage);
    const pings = { userId: ANA, roleId: OTHER_ROLE };
    expect(stage.channels.inChannel(CHANNEL)).toMatchObject([{ pings }]);
  });

  test("its sentence names the key to an owner who has several wallet accounts", async () => {
    const stage = await open();
    await stage.alerts("direct");
    const sentences = () =>
      stage.channels.inChannel(directChannel(ANA)).map(({ content }) => content);
    stage.service.add("i1", 100);
    await stage.pass({ minutes: 6 });
    expect(sentences()).toEqual([expect.stringMatching(/^(?!Chave)/)]);
    const elsewhere = savedAccount({ guildId: ELSEWHERE, connectedAt: stage.clock.now() });
    await stage.stores.accounts.save(elsewhere, new Secret("sk_sandbox_other"), CARLA);
    stage.service.add("i2", 100);
    await stage.pass({ minutes: 6 });
    // The stage's service has the same MEDs for both keys, in either order.
    expect(sentences()).toContainEqual(expect.stringMatching(/^Chave final 0123 · /));
  });

  test("a lost channel turns it to its owner, who is told why with the admin", async () => {
    const stage = await owedInChannel();
    stage.hold(CHANNEL, lost);
    await stage.pass({ minutes: 5 });
    const why = "Os alertas de MED não saem mais no canal";
    expect(stage.told().toSorted()).toEqual([TITLE.new, why]);
    expect(stage.told(directChannel(CARLA))).toEqual([why]);
    stage.service.add("i2", 100);
    await stage.pass({ minutes: 6 });
    expect(stage.told()).toHaveLength(3);
  });

  test("reaches its owner though an attempt may have posted it in the channel that is lost", async () => {
    const stage = await open();
    await stage.routeToChannel();
    const answers = [unclear];
    stage.channels.mishap = (id) => {
      const outcome = id === CHANNEL ? (answers.shift() ?? lost) : undefined;
      return outcome && { outcome, made: outcome === unclear };
    };
    stage.service.add("i1", 100);
    await stage.pass({ minutes: 1 });
    await stage.pass({ minutes: 10 }, { seconds: 30 });
    expect(stage.told()).toContain(TITLE.new);
  });

  test.each([
    ["not told to a seller whose alerts come out in another server", CARLA],
    ["told to the admin who chose it, though own alerts come out in another server", ANA],
  ])("a lost channel is %s", async (_, updatedBy) => {
    const stage = await open();
    const { accounts } = stage.stores;
    // The seller's first connection is the one that is told.
    await stage.pass({ minutes: 1 });
    const [guildId, connectedAt] = [ELSEWHERE, stage.clock.now()];
    await stage.routeToChannel();
    await stage.route({ guildId, channelId: OTHER_CHANNEL, updatedBy });
    for (const [ownerId, key] of [
      [ANA, "sk_sandbox_ana_0123"],
      [BRUNO, "sk_sandbox_bruno_0123"],
    ] as const) {
      const account = savedAccount({ guildId, ownerId, connectedBy: ownerId, connectedAt });
      await accounts.save(account, new Secret(key), ownerId);
      await accounts.setAlerts(guildId, ownerId, "channel", connectedAt);
    }
    stage.hold(OTHER_CHANNEL, lost);
    stage.service.add("i1", 100);
    await stage.pass({ minutes: 7 });
    const why = "Os alertas de MED não saem mais no canal";
    expect(stage.told(directChannel(BRUNO)).toSorted()).toEqual([TITLE.new, why]);
    expect([stage.told(CHANNEL), stage.told()]).toEqual([
      [TITLE.new],
      updatedBy === ANA ? [why] : [],
    ]);
  });

  test("it stays in the channel that its owner chooses once more", async () => {
    const stage = await owedInChannel();
    await stage.alerts("channel");
    await release(stage);
    expect(stage.told(CHANNEL)).toEqual([TITLE.new]);
  });

  test("alerts that are switched off take it back, and on again bring it, once", async () => {
    const stage = await owedInChannel();
    await stage.alerts("off");
    await release(stage);
    expect(stage.channels.messages).toEqual([]);
    await stage.alerts("direct");
    await stage.pass({ minutes: 6 });
    expect(stage.told()).toEqual([TITLE.new]);
    await stage.alerts("off");
    await stage.alerts("direct");
    await stage.pass({ minutes: 6 });
    expect(stage.told()).toHaveLength(1);
  });

  test("alerts switched off and on again during a poll bring it within minutes", async () => {
    const stage = await open();
    stage.hold();
    stage.service.add("i1", 200, { status: "novelty" });
    await stage.pass({ minutes: 6 });
    stage.service.add("i2", 300);
    stage.service.onRead = async (id) => {
      if (id !== "i2") return;
      stage.service.onRead = async () => {};
      await stage.alerts("off");
      await stage.alerts("direct");
    };
    await stage.pass({ minutes: 6 });
    stage.channels.mishap = undefined;
    await stage.pass({ minutes: 12 });
    expect(stage.told()).toEqual([TITLE.new, TITLE.new]);
  });

  test("who chose direct messages gets it there though our own database goes on failing", async () => {
    const stage = await owedInChannel();
    await stage.alerts("direct");
    const find = () => Promise.reject(new Error("busy"));
    Object.assign(stage.stores.disputeWatch, { find });
    stage.channels.mishap = undefined;
    for (let minute = 0; minute < 12; minute++) {
      stage.skip({ minutes: 1 });
      await stage.deliver();
    }
    expect([stage.told(CHANNEL), stage.told()]).toEqual([[], [TITLE.new]]);
  });

  test.each<[string, string, (stage: DisputeStage) => Promise<void>]>([
    ["direct messages", directChannel(ANA), (stage) => stage.alerts("direct")],
    ["another channel", OTHER_CHANNEL, (stage) => stage.route({ channelId: OTHER_CHANNEL })],
  ])("goes to %s chosen while Discord refuses it in the channel", async (_, place, choose) => {
    const stage = await open();
    await stage.routeToChannel();
    stage.service.add("i1", 100);
    await stage.poll();
    const { post } = stage.channels;
    const refuseOnce = async () => {
      Object.assign(stage.channels, { post });
      await choose(stage);
      return { kind: "rejected", status: 400, code: 200_000 };
    };
    Object.assign(stage.channels, { post: refuseOnce });
    await stage.deliver();
    await stage.pass({ minutes: 5 });
    expect([stage.told(CHANNEL), stage.told(place)]).toEqual([[], [TITLE.new]]);
  });

  test("goes to direct messages chosen right before its refusal in the channel is settled", async () => {
    const stage = await open();
    await stage.routeToChannel();
    stage.service.add("i1", 100);
    await stage.poll();
    const { outbox } = stage.stores;
    const { settle } = outbox;
    const settleLate: typeof settle = async (...given) => {
      Object.assign(outbox, { settle });
      stage.channels.mishap = undefined;
      await stage.alerts("direct");
      return await settle(...given);
    };
    Object.assign(outbox, { settle: settleLate });
    stage.hold(CHANNEL, { kind: "rejected", status: 400, code: 200_000 });
    await stage.deliver();
    stage.skip({ seconds: 30 });
    await stage.deliver();
    expect([stage.told(CHANNEL), stage.told()]).toEqual([[], [TITLE.new]]);
  });

  test("alerts switched off while it is judged are not posted", async () => {
    const stage = await open();
    stage.service.add("i1", 100);
    await stage.poll();
    stage.service.onRead = () => stage.alerts("off");
    await stage.deliver();
    expect(stage.channels.messages).toEqual([]);
  });

  test("alerts switched off right before its repeat is written, and on again, bring it once", async () => {
    const stage = await open();
    await stage.routeToChannel();
    stage.service.add("i1", 100);
    await stage.pass({ minutes: 6 });
    const { outbox } = stage.stores;
    const { enqueue } = outbox;
    const enqueueLate: typeof enqueue = async (...given) => {
      Object.assign(outbox, { enqueue });
      await stage.alerts("off");
      return await enqueue(...given);
    };
    Object.assign(outbox, { enqueue: enqueueLate });
    stage.channels.mishap = () => ({ outcome: unclear, made: false });
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
    stage.service.change("i1", { status: "disagreed" });
    await stage.pass({ minutes: 12 });
    Object.assign(stage.channels, { mishap: undefined, searchMishap: undefined });
    await stage.pass({ minutes: 5 });
    await stage.alerts("channel");
    await stage.pass({ minutes: 70 }, { minutes: 5 });
    expect(stage.told(CHANNEL)).toEqual([TITLE.new, TITLE.answered]);
  });

  /** Ana has left the server of the channel, and has made a choice for alerts in another one. */
  const leftForAnother = async (choice: "channel" | "direct"): Promise<DisputeStage> => {
    const stage = await owedInChannel();
    const connectedAt = stage.clock.now();
    await stage.route({ guildId: ELSEWHERE, channelId: OTHER_CHANNEL });
    const account = savedAccount({ guildId: ELSEWHERE, connectedAt });
    await stage.stores.accounts.save(account, new Secret("sk_sandbox_ana_0123"), ANA);
    await stage.stores.accounts.setAlerts(ELSEWHERE, ANA, choice, connectedAt);
    stage.members.ask = (asked) => ({ kind: asked === ELSEWHERE ? "here" : "left" });
    return stage;
  };
  const isAlert = ({ text }: { readonly text: string }): boolean => text.includes("i1");

  test.each([
    ["the channel of another server", "channel", OTHER_CHANNEL],
    ["direct messages", "direct", directChannel(ANA)],
  ] as const)(
    "who has left gets it in %s though an attempt may have posted it in the channel before",
    async (_, choice, place) => {
      const stage = await leftForAnother(choice);
      const { ask } = stage.members;
      stage.members.ask = () => ({ kind: "unknown" });
      stage.channels.mishap = () => ({ outcome: unclear, made: true });
      stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
      await stage.pass({ minutes: 1 });
      expect(stage.told(CHANNEL)).toEqual([TITLE.new]);
      stage.members.ask = ask;
      stage.channels.mishap = undefined;
      await stage.pass({ minutes: 1 }, { seconds: 10 });
      expect(stage.told(place)).toContain(TITLE.new);
    },
  );

  test("who switched alerts off after an attempt in the channel, and on by direct message, gets it there", async () => {
    const stage = await owedInChannel();
    stage.channels.mishap = () => ({ outcome: unclear, made: true });
    await stage.pass({ minutes: 1 });
    expect(stage.told(CHANNEL)).toEqual([TITLE.new]);
    await stage.alerts("off");
    await stage.alerts("direct");
    stage.channels.mishap = undefined;
    await stage.pass({ minutes: 1 });
    expect(stage.told(directChannel(ANA))).toEqual([TITLE.new]);
  });

  test("who has left gets it elsewhere also where our own database fails at first", async () => {
    const stage = await leftForAnother("channel");
    const { disputeWatch } = stage.stores;
    const { find } = disputeWatch;
    const busy: typeof find = () => {
      Object.assign(disputeWatch, { find });
      return Promise.reject(new Error("busy"));
    };
    Object.assign(disputeWatch, { find: busy });
    await release(stage);
    const places = stage.channels.messages.filter(isAlert).map(({ channelId }) => channelId);
    expect(places).toEqual([OTHER_CHANNEL]);
  });

  test("the other server's channel may be lost too, which its admin learns", async () => {
    const stage = await leftForAnother("channel");
    stage.hold(OTHER_CHANNEL, lost);
    await stage.pass({ minutes: 5 });
    expect(stage.told(directChannel(CARLA))).toHaveLength(1);
    const route = await stage.stores.alertRoutes.find(ELSEWHERE);
    expect(route?.suspendedAt).toBeDefined();
  });

  test("an account that is removed takes it along", async () => {
    const stage = await owedInChannel();
    await stage.stores.accounts.remove(GUILD, ANA, ANA, stage.clock.now());
    await release(stage);
    expect(stage.channels.messages).toEqual([]);
    expect(await stage.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  test("an account that is removed while it is judged has nothing posted", async () => {
    const stage = await open();
    stage.service.add("i1", 100);
    await stage.poll();
    stage.service.onRead = async () => {
      await stage.stores.accounts.remove(GUILD, ANA, ANA, stage.clock.now());
    };
    await stage.deliver();
    expect(stage.channels.messages).toEqual([]);
  });

  test("a history that cannot be read has it posted once more, marked, and never a third time", async () => {
    const stage = await open();
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
    let posts = 0;
    stage.channels.mishap = () => (++posts === 1 ? { outcome: unclear, made: true } : undefined);
    stage.service.add("i1", 100);
    await stage.poll();
    await stage.deliver();
    await stage.pass({ minutes: 30 }, { minutes: 3 });
    expect(stage.told()).toEqual([TITLE.new, `${TITLE.new} (reenvio)`]);
  });

  test("a history that cannot be read for now does not hold the last call up past its deadline", async () => {
    const stage = await open();
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: false });
    let posts = 0;
    stage.channels.mishap = () =>
      [2, 3].includes(++posts) ? { outcome: unclear, made: false } : undefined;
    stage.service.add("i1", 1.2);
    await stage.pass({ hours: 1 });
    expect(stage.told()).toEqual([TITLE.new, `${TITLE["1h"]} (reenvio)`]);
  });

  test("a direct message that Discord refuses for a while is counted so, and arrives after it", async () => {
    const stage = await open();
    stage.channels.mishap = () => ({
      outcome: { kind: "lost_channel", code: 50_001 },
      made: false,
    });
    stage.service.add("i1", 100);
    await stage.pass({ minutes: 30 });
    const since = stage.clock.now().subtract({ hours: 1 });
    expect(await stage.stores.disputeWatch.undelivered(stage.accountId, since)).toBe(1);
    stage.channels.mishap = undefined;
    await stage.pass({ minutes: 11 });
    expect(stage.told()).toEqual([TITLE.new]);
    expect(await stage.stores.disputeWatch.undelivered(stage.accountId, since)).toBe(0);
  });
});
