import { describe, expect, it, test } from "vitest";
import {
  type Posting,
  type NewDelivery,
  type PostOutcome,
  referenceOf,
} from "#src/delivery/delivery.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { settlementHooks } from "#src/bot-jobs.ts";
import { directChannel, type Mishap, testDeliver } from "../support/fake-channels.ts";
import { ADMIN, CHANNEL, GUILD, type Stage, stageWithAna } from "../support/stage.ts";

const START = "2026-11-20T00:05Z";
const unclear: PostOutcome = { kind: "unclear", reason: "timeout" };
const lost: Mishap = { outcome: { kind: "lost_channel", code: 10_003 }, made: false };

const report = (stage: Stage & { readonly anaId: string }, name = "a"): NewDelivery => ({
  dedupeKey: `report|${stage.anaId}|${name}|2026-11-19`,
  kind: "sales_report",
  target: IN_CHANNEL,
  guildId: GUILD,
  accountId: stage.anaId,
  payload: { content: `Vendas ${name}` },
  notBefore: stage.clock.now(),
  day: Temporal.PlainDate.from("2026-11-19"),
});
/** A report of another server, to its channel. */
const reportElsewhere = (
  stage: Parameters<typeof report>[0],
  channelId: string,
  name = channelId,
): NewDelivery => ({
  ...report(stage, name),
  target: { kind: "channel", channelId },
  guildId: "g2",
});
const IN_CHANNEL = { kind: "channel", channelId: CHANNEL } as const;
const notice = (stage: Stage, target: NewDelivery["target"]): NewDelivery => ({
  dedupeKey: `notice|${"userId" in target ? target.userId : target.channelId}`,
  kind: "notice",
  target,
  guildId: GUILD,
  accountId: null,
  payload: { content: "Aviso" },
  notBefore: stage.clock.now(),
});

const noticeTo = (stage: Stage, userId: string): NewDelivery =>
  notice(stage, { kind: "person", userId });

const fail = ({ channels }: Stage, ...mishaps: readonly Mishap[]): void => {
  const left = mishaps.values();
  channels.mishap = () => left.next().value;
};
const texts = ({ channels }: Stage, channelId = CHANNEL): readonly string[] =>
  channels.inChannel(channelId).map(({ text }) => text);
const enqueue = async (stage: Stage, ...deliveries: readonly NewDelivery[]): Promise<void> => {
  for (const delivery of deliveries) await stage.stores.outbox.enqueue(delivery, stage.clock.now());
};
/** Holds the posts to the channel until `go`. */
const holdPosts = (stage: Stage) => {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const attempts: string[] = [];
  const { post } = stage.channels;
  stage.channels.post = async (channelId, ...call) => {
    attempts.push(channelId);
    begun.resolve();
    if (channelId === CHANNEL) await held.promise;
    return await post(channelId, ...call);
  };
  return { attempts, begun: begun.promise, go: held.resolve };
};
/** Resolves at the next attempt to post there. */
const attempted = (stage: Stage, there: string): Promise<void> =>
  new Promise((resolve) => {
    stage.channels.mishap = (channelId) => void (channelId === there && resolve());
  });
const deliverAfter = async (stage: Stage, ms: number): Promise<void> => {
  stage.clock.moveBy(ms);
  await stage.deliver();
};

describe("deliveries", () => {
  it("posts each channel's deliveries in order, and once", async () => {
    const stage = await stageWithAna(START);
    await enqueue(stage, report(stage, "a"), report(stage, "b"), report(stage, "c"));

    await stage.deliver();
    await stage.deliver();

    expect(texts(stage)).toEqual(['"Vendas a"', '"Vendas b"', '"Vendas c"']);
    expect(stage.counted).toEqual(Array.from({ length: 3 }, () => "sales_report sent"));
  });

  it("does not let one channel's trouble hold up another's posts", async () => {
    const stage = await stageWithAna(START);
    await enqueue(stage, report(stage, "a"), reportElsewhere(stage, "c2", "b"));
    stage.channels.mishap = (channelId) =>
      channelId === CHANNEL ? { outcome: unclear, made: false } : undefined;

    await stage.deliver();

    expect(texts(stage, "c2")).toEqual(['"Vendas b"']);
    expect(stage.retries.map(String)).toEqual(["2026-11-20T00:05:01Z"]);
  });

  it("takes up what is enqueued while a post hangs", async () => {
    const stage = await stageWithAna(START);
    const { begun, go } = holdPosts(stage);
    await enqueue(stage, report(stage, "a"));
    const delivered = stage.deliver();
    await begun;
    const posted = attempted(stage, "c2");

    await enqueue(stage, reportElsewhere(stage, "c2"));
    stage.news.ring();
    await posted;
    expect(texts(stage)).toEqual([]);

    go();
    await delivered;
    expect(texts(stage)).toEqual(['"Vendas a"']);
  });

  it("begins no copy of an attempt that outlasts its lease, which still settles", async () => {
    const stage = await stageWithAna(START);
    const { attempts, begun, go } = holdPosts(stage);
    await enqueue(stage, report(stage, "a"));
    const delivered = stage.deliver();
    await begun;

    for (const other of ["c2", "c3"]) {
      stage.clock.moveBy(2 * MINUTE);
      const posted = attempted(stage, other);
      await enqueue(stage, reportElsewhere(stage, other));
      stage.news.ring();
      await posted;
    }
    expect(attempts).toEqual([CHANNEL, "c2", "c3"]);

    go();
    await delivered;
    expect(attempts).toHaveLength(3);
    expect(await stage.stores.outbox.state(report(stage).dedupeKey)).toBe("sent");
  });

  it.each([10 * MINUTE, HOUR, DAY])(
    "posts soon, and once, though the clock was set back by %s ms",
    async (ms) => {
      const stage = await stageWithAna(START);
      stage.clock.moveBy(ms);
      const found = noticeTo(stage, ADMIN);
      const content = `Aviso ${referenceOf(found.dedupeKey)}`;
      await enqueue(stage, { ...found, payload: { content } });
      fail(stage, { outcome: unclear, made: true });
      await stage.deliver();
      await enqueue(stage, report(stage, "a"));
      stage.clock.moveBy(-ms);
      await enqueue(stage, report(stage, "b"));
      await deliverAfter(stage, MINUTE);
      expect(texts(stage).toSorted()).toEqual(['"Vendas a"', '"Vendas b"']);
      for (let minutes = 0; minutes < 61; minutes++) await deliverAfter(stage, MINUTE);
      expect(texts(stage, directChannel(ADMIN))).toHaveLength(1);
      expect(await stage.stores.outbox.state(found.dedupeKey)).toBe("sent");
    },
  );

  it("does not post by a lease from before the clock was set back", async () => {
    const stage = await stageWithAna(START);
    await enqueue(stage, report(stage));
    const { post } = stage.channels;
    const inTime: boolean[] = [];
    stage.channels.post = async (channelId, body, isInTime) => {
      stage.clock.moveBy(-1);
      inTime.push(isInTime());
      stage.channels.post = post;
      return { kind: "unopened", reason: "lease_over" } as never;
    };
    await stage.deliver();
    expect(inTime).toEqual([false]);
  });

  it("repeats an unclear post under the same nonce while Discord knows it", async () => {
    const stage = await stageWithAna(START);
    await enqueue(stage, report(stage));
    fail(stage, { outcome: unclear, made: true });
    stage.channels.searchMishap = () => expect.fail("nobody has to look yet");

    await stage.deliver();
    await deliverAfter(stage, MINUTE);

    expect(texts(stage)).toHaveLength(1);
    expect(await stage.stores.outbox.state(report(stage).dedupeKey)).toBe("sent");
  });

  it.each([
    [
      "gives up what has become too old, but is known if an attempt made it",
      8 * DAY,
      true,
      1,
      "sent",
    ],
    ["gives up what has become too old, and is not made", 8 * DAY, false, 0, "obsolete"],
    [
      "looks into the history later, so that what was made at first is there once",
      10 * MINUTE,
      true,
      1,
      "sent",
    ],
    [
      "looks into the history later, so that what was not made is there once",
      10 * MINUTE,
      false,
      1,
      "sent",
    ],
  ] as const)("%s", async (_, waitMs, made, posts, state) => {
    const stage = await stageWithAna(START);
    const { dedupeKey } = report(stage);
    await enqueue(stage, { ...report(stage), payload: { content: referenceOf(dedupeKey) } });
    fail(stage, { outcome: unclear, made });

    await stage.deliver();
    await deliverAfter(stage, waitMs);

    expect(texts(stage)).toHaveLength(posts);
    expect(await stage.stores.outbox.state(dedupeKey)).toBe(state);
  });

  it("posts afresh, without looking, what was only throttled", async () => {
    const stage = await stageWithAna(START);
    await enqueue(stage, report(stage));
    fail(stage, { outcome: { kind: "throttled", retryAfterMs: 5 * SECOND }, made: false });
    stage.channels.searchMishap = () => expect.fail("there is nothing to look for");

    await stage.deliver();
    await deliverAfter(stage, 10 * MINUTE);

    expect(texts(stage)).toHaveLength(1);
  });

  it("leaves a report whose history is closed to it, and tells its owner that it cannot know", async () => {
    const stage = await stageWithAna(START);
    await enqueue(stage, report(stage));
    fail(stage, { outcome: unclear, made: true });
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });

    await stage.deliver();
    await deliverAfter(stage, 10 * MINUTE);
    await deliverAfter(stage, DAY);

    expect(await stage.stores.outbox.state(report(stage).dedupeKey)).toBe("unknown");
    expect(texts(stage)).toHaveLength(1);
    expect(texts(stage, directChannel("u-ana"))).toHaveLength(1);
  });

  it("suspends the route of a lost channel and tells the sellers and the admin once", async () => {
    const stage = await stageWithAna(START);
    await enqueue(stage, report(stage, "a"), report(stage, "b"));
    stage.channels.mishap = (channelId) => (channelId === CHANNEL ? lost : undefined);

    for (let hours = 0; hours < 5; hours++) await deliverAfter(stage, HOUR);

    expect((await stage.stores.routes.find(GUILD))?.suspendedAt).toBeDefined();
    expect(texts(stage, directChannel("u-ana"))).toHaveLength(1);
    expect(texts(stage, directChannel(ADMIN))).toHaveLength(1);
  });

  it("delivers all that waited, in order, when a lost channel is back", async () => {
    const stage = await stageWithAna(START);
    await enqueue(stage, report(stage, "a"), report(stage, "b"));
    fail(stage, lost);
    await stage.deliver();
    await deliverAfter(stage, 59 * MINUTE);
    expect(texts(stage)).toEqual([]);

    await deliverAfter(stage, MINUTE);

    expect(texts(stage)).toEqual(['"Vendas a"', '"Vendas b"']);
    expect((await stage.stores.routes.find(GUILD))?.suspendedAt).toBeUndefined();
  });

  it("brings messages in order after Discord refused a direct message for no lasting reason", async () => {
    const stage = await stageWithAna(START);
    const later = {
      ...noticeTo(stage, "u-ana"),
      dedupeKey: "notice|z",
      payload: { content: "Depois" },
    };
    await enqueue(stage, noticeTo(stage, "u-ana"));
    stage.channels.mishap = () => ({
      outcome: { kind: "lost_channel", code: 50_001 },
      made: false,
    });
    await stage.deliver();
    await enqueue(stage, later);
    await deliverAfter(stage, HOUR);
    stage.channels.mishap = undefined;

    await deliverAfter(stage, 10 * MINUTE);

    expect(texts(stage, directChannel("u-ana"))).toEqual(['"Aviso"', '"Depois"']);
  });

  it("brings a message once whose earlier attempt Discord let nobody look for", async () => {
    const stage = await stageWithAna(START);
    for (const [userId, made] of [
      ["u-ana", true],
      ["u-bruno", false],
    ] as const) {
      const message = noticeTo(stage, userId);
      const content = referenceOf(message.dedupeKey);
      await enqueue(stage, { ...message, payload: { content } });
      fail(stage, { outcome: unclear, made });
      await stage.deliver();
    }
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
    await deliverAfter(stage, HOUR);
    stage.channels.searchMishap = undefined;

    await deliverAfter(stage, 10 * MINUTE);

    for (const userId of ["u-ana", "u-bruno"]) {
      expect(texts(stage, directChannel(userId))).toHaveLength(1);
      expect(await stage.stores.outbox.state(`notice|${userId}`)).toBe("sent");
    }
  });

  it("tries again when a direct-message channel cannot be opened now", async () => {
    const stage = await stageWithAna(START);
    stage.channels.openMishap = () => ({ kind: "throttled", retryAfterMs: 15 * SECOND });
    stage.channels.searchMishap = () => expect.fail("nothing can have been posted yet");
    await enqueue(stage, noticeTo(stage, "u-ana"));
    await stage.deliver();
    stage.channels.openMishap = undefined;

    await deliverAfter(stage, 10 * MINUTE);

    expect(texts(stage, directChannel("u-ana"))).toHaveLength(1);
  });

  it("takes an attempt that throws for one that may have posted", async () => {
    const stage = await stageWithAna(START);
    await enqueue(stage, report(stage));
    stage.channels.mishap = () => {
      throw new TypeError("a mistake of ours");
    };

    await stage.deliver();

    expect(await stage.stores.outbox.state(report(stage).dedupeKey)).toBe("due");
  });

  it("attempts nothing once it is to stop", async () => {
    const stage = await stageWithAna(START);
    await enqueue(stage, report(stage));
    stage.stopping.abort();

    await stage.deliver();

    expect(await stage.stores.outbox.state(report(stage).dedupeKey)).toBe("due");
  });
});

/** Runs a second process of the bot, with changed calls to Discord. */
const deliverWith = (stage: Stage, changed: Partial<Posting>): Promise<void> => {
  const { clock, channels, stores, stopping, news } = stage;
  const deliver = testDeliver({
    clock,
    owner: "slow",
    outbox: stores.outbox,
    posting: { ...channels, ...changed },
    hooks: settlementHooks({ clock, ...stores }),
  });
  return deliver({ stopping: stopping.signal, news, retryAt: () => {} });
};

/** The machine sleeps past its lease, the other process delivers, and the nonce expires. */
const sleep = async (stage: Stage): Promise<void> => {
  stage.clock.moveBy(2 * MINUTE);
  await stage.deliver();
  stage.clock.moveBy(10 * MINUTE);
};

test("a process that slept past its lease between the search and the post does not post", async () => {
  const stage = await stageWithAna("2026-11-20T00:00Z");
  await enqueue(stage, notice(stage, IN_CHANNEL));
  stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "x" }, made: false });
  await stage.deliver();
  stage.channels.mishap = undefined;
  stage.clock.moveBy(3 * MINUTE);

  await deliverWith(stage, {
    findPosted: async () => {
      await sleep(stage);
      return { kind: "absent" };
    },
  });

  expect(stage.channels.inChannel(CHANNEL)).toHaveLength(1);
});

test("nor does one that slept while it opened a direct message", async () => {
  const stage = await stageWithAna("2026-11-20T00:00Z");
  await enqueue(stage, noticeTo(stage, "u"));

  await deliverWith(stage, {
    openDirectMessage: async (userId) => {
      await sleep(stage);
      return { channelId: directChannel(userId) };
    },
  });

  expect(stage.channels.inChannel(directChannel("u"))).toHaveLength(1);
});

test("nor does one that slept right before the request", async () => {
  const stage = await stageWithAna("2026-11-20T00:00Z");
  await enqueue(stage, notice(stage, IN_CHANNEL));

  await deliverWith(stage, {
    post: async (...call) => {
      await sleep(stage);
      const [, , isInTime] = call;
      return isInTime()
        ? await stage.channels.post(...call)
        : { kind: "throttled", retryAfterMs: 0 };
    },
  });

  expect(stage.channels.inChannel(CHANNEL)).toHaveLength(1);
});

test("a delivery that nobody took over is attempted again after such a sleep", async () => {
  const stage = await stageWithAna("2026-11-20T00:00Z");
  await enqueue(stage, noticeTo(stage, "u"));
  await deliverWith(stage, {
    openDirectMessage: async (userId) => {
      stage.clock.moveBy(10 * MINUTE);
      return { channelId: directChannel(userId) };
    },
  });
  expect(stage.channels.messages).toHaveLength(0);

  stage.clock.moveBy(MINUTE);
  await stage.deliver();

  expect(stage.channels.inChannel(directChannel("u"))).toHaveLength(1);
});
