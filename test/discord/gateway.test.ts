import fc from "fast-check";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { DiscordApiError } from "#src/discord/discord-api.ts";
import { connect, type Connected } from "./support/connected.ts";
import { op, startFakeGateway } from "./support/fake-gateway.ts";

let bot: Connected;
afterEach(() => bot.stop());

const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
  await expect.poll(holds).toBe(true);
};
const isReady = async (): Promise<boolean> => (await bot.gateway.shardStates())["ready"] === 1;

describe("a connection", () => {
  test("introduces itself without intents and records the start", async () => {
    bot = await connect();
    await bot.gateway.ready;
    expect((await bot.server.packet(op.identify)).d).toMatchObject({
      token: "bot-token",
      intents: 0,
      shard: [0, 1],
      compress: false,
    });
    expect(bot.starts).toHaveLength(1);
    expect(await bot.gateway.shardStates()).toEqual({ ready: 1 });
  });

  test("hands over interactions and nothing else", async () => {
    bot = await connect();
    await bot.gateway.ready;
    bot.server.dispatch("GUILD_CREATE", { id: "1" });
    bot.server.dispatch("INTERACTION_CREATE", { id: "2" });
    await until(() => bot.interactions.length > 0);
    expect(bot.interactions).toEqual([{ id: "2" }]);
  });

  test("has the shards that it was given", async () => {
    bot = await connect({
      parts: { shards: [1, 3], shardCount: 4 },
      limit: { max_concurrency: 4 },
    });
    await bot.gateway.ready;
    const shards = bot.server.received.flatMap(({ op: kind, d }) =>
      kind === op.identify ? [(d as { shard: unknown }).shard] : [],
    );
    expect(shards).toEqual(
      expect.arrayContaining([
        [1, 4],
        [3, 4],
      ]),
    );
    expect(await bot.gateway.shardStates()).toEqual({ ready: 2 });
  });

  test("of several shards takes turns of five seconds", async () => {
    bot = await connect({ parts: { shardCount: 3 } });
    await bot.gateway.ready;
    expect(bot.waits).toEqual([5, 10]);
    expect(bot.starts).toHaveLength(3);
  });

  test("ends with what is under way finished and nothing taken any more", async () => {
    const work = Promise.withResolvers<void>();
    const taken: unknown[] = [];
    const onInteraction = async (raw: unknown): Promise<void> => {
      taken.push(raw);
      await work.promise;
    };
    bot = await connect({ parts: { onInteraction } });
    await bot.gateway.ready;
    bot.server.dispatch("INTERACTION_CREATE", { id: "1" });
    await until(() => taken.length > 0);
    let stopped = false;
    const stopping = bot.gateway.stop().then(() => (stopped = true));
    bot.server.dispatch("INTERACTION_CREATE", { id: "2" });
    await bot.server.packet(op.identify);
    expect(stopped).toBe(false);
    work.resolve();
    await stopping;
    expect(taken).toEqual([{ id: "1" }]);
  });
});

describe("a connection that breaks", () => {
  test.each<[string, () => void]>([
    ["on request", () => bot.server.say(JSON.stringify({ op: 7, d: null }))],
    ["by a close", () => bot.server.closeAll(4000)],
    ["by a cut", () => bot.server.cut()],
  ])("%s resumes its session, and replayed interactions are handed over", async (_, breakIt) => {
    bot = await connect();
    await bot.gateway.ready;
    bot.server.conduct = { onResume: { replay: [{ id: "missed" }] } };
    breakIt();
    expect((await bot.server.packet(op.resume)).d).toMatchObject({ session_id: "session", seq: 1 });
    await until(() => bot.interactions.length > 0);
    await until(isReady);
    expect(bot.server.counted(op.identify)).toBe(1);
  });

  test.each([
    ["which Discord takes", {}, 1],
    ["which Discord may refuse", { onResume: "invalid_session" }, 2],
  ] as const)(
    "and does not reach its address for RESUME resumes once by the first one, %s",
    async (_, conduct, identified) => {
      const server = await startFakeGateway();
      const gone = await startFakeGateway();
      await gone.stop();
      server.conduct = { resumeUrl: gone.url };
      bot = await connect({ server });
      await bot.gateway.ready;
      server.conduct = conduct;
      server.cut();
      expect((await server.packet(op.resume)).d).toMatchObject({ session_id: "session", seq: 1 });
      await until(isReady);
      expect([server.counted(op.identify), server.counted(op.resume)]).toEqual([identified, 1]);
    },
  );

  test.each(["invalid_session", "broken"] as const)(
    "identifies again after a RESUME that ends as %s",
    async (onResume) => {
      bot = await connect();
      await bot.gateway.ready;
      bot.server.conduct = { onResume };
      bot.server.closeAll(4000);
      await bot.server.packet(op.identify, 2);
      await until(isReady);
      expect(bot.starts).toHaveLength(2);
    },
  );

  test("waits longer and longer while Discord refuses it, and comes back", async () => {
    bot = await connect();
    await bot.gateway.ready;
    bot.server.conduct = { onResume: "invalid_session", onIdentify: "invalid_session" };
    bot.server.closeAll(4000);
    await bot.server.packet(op.identify, 3);
    bot.server.conduct = {};
    await until(isReady);
    expect(bot.waits).toContain(2);
    expect(bot.starts.length).toBeLessThanOrEqual(5);
  });

  test("each time right after its session was resumed is resumed less and less often", async () => {
    bot = await connect();
    await bot.gateway.ready;
    for (let resumes = 1; resumes <= 4; resumes++) {
      bot.server.closeAll(4000);
      await bot.server.packet(op.resume, resumes);
      await until(isReady);
    }
    expect(bot.waits).toEqual([1, 2, 3]);
  });

  test("now and then, and is seen to work in between, is resumed at once", async () => {
    bot = await connect();
    await bot.gateway.ready;
    for (let resumes = 1; resumes <= 4; resumes++) {
      bot.sample();
      bot.server.closeAll(4000);
      await bot.server.packet(op.resume, resumes);
      await until(isReady);
    }
    expect(bot.waits).toEqual([]);
  });

  test("begins anew when RESUME was not answered for a minute", async () => {
    bot = await connect();
    await bot.gateway.ready;
    bot.server.conduct = { onResume: "ignore" };
    bot.server.closeAll(4000);
    await bot.server.packet(op.resume);
    expect(await bot.gateway.shardStates()).toEqual({ resuming: 1 });
    for (let samples = 0; samples < 4; samples++) bot.sample();
    await bot.server.packet(op.identify, 2);
    await until(isReady);
  });

  test("that does not come back in three minutes ends the process for a restart, and names its shard", async () => {
    const ended = Promise.withResolvers<unknown>();
    const exit = (...how: unknown[]): void => ended.resolve(how);
    bot = await connect({ parts: { shards: [5], shardCount: 6, exit } });
    await bot.gateway.ready;
    bot.server.conduct = { onResume: "ignore", onIdentify: "ignore" };
    bot.server.closeAll(4000);
    await bot.server.packet(op.resume);
    for (let samples = 0; samples < 12; samples++) bot.sample();
    expect(await ended.promise).toEqual([75, "Shard 5 did not come back to Discord's gateway."]);
    expect(bot.lines).toContainEqual(
      expect.objectContaining({
        level: "error",
        fields: expect.objectContaining({ shard: 5, action: "exit" }),
      }),
    );
  });

  test("silently is told apart from one that works, and ends the process in the end", async () => {
    bot = await connect();
    await bot.gateway.ready;
    for (let samples = 0; samples < 8; samples++) bot.sample();
    expect(await bot.gateway.shardStates()).toEqual({ silent: 1 });
    for (let samples = 0; samples < 5; samples++) bot.sample();
    expect(await bot.exited).toBe(75);
  });

  test.each([
    [4004, "Discord refuses DISCORD_TOKEN: copy the bot's token again."],
    [4010, "Discord refuses the shards: SHARDS and SHARD_COUNT do not fit together."],
    [
      4011,
      "Discord asks for more shards: raise SHARD_COUNT and SHARDS, or leave both empty, and start again.",
    ],
    ...[4012, 4013, 4014].map(
      (close) => [close, `Discord closed the gateway with ${close}: update the bot.`] as const,
    ),
  ] as const)(
    "with %i ends the process, in one sentence: a restart would not help",
    async (close, sentence) => {
      const server = await startFakeGateway();
      server.conduct = { onIdentify: { close } };
      const ended = Promise.withResolvers<unknown>();
      const exit = (...how: unknown[]): void => ended.resolve(how);
      bot = await connect({ server, parts: { shards: [0], shardCount: 1, exit } });
      expect(await ended.promise).toEqual([78, sentence]);
      expect(server.counted(op.identify)).toBe(1);
    },
  );

  test("because the bot has outgrown the shards that Discord recommended ends the process for a restart, which asks again", async () => {
    bot = await connect();
    await bot.gateway.ready;
    bot.server.conduct = { onResume: "invalid_session", onIdentify: { close: 4011 } };
    bot.server.closeAll(4000);
    expect(await bot.exited).toBe(75);
  });
});

describe("before a connection", () => {
  test("a crash loop waits, so that it cannot spend the day's session starts", async () => {
    bot = await connect({ recentStarts: 7 });
    await bot.gateway.ready;
    expect(bot.waits).toEqual([128]);
  });

  test("S24: sessions that are held back are told to the operator once, with the time until when", async () => {
    const said: string[] = [];
    bot = await connect({
      recentStarts: 14,
      parts: { shards: [4, 5], shardCount: 6, say: (sentence) => said.push(sentence) },
    });
    await bot.gateway.ready;
    expect(said).toEqual([expect.stringContaining("until 2026-11-20T21:07:08Z (in 128 s)")]);
    expect(said[0]).toContain("shards without a session answer no command");
    const warned = bot.lines.filter(({ level }) => level === "warn");
    expect(warned.map(({ fields }) => fields)).toEqual(
      [4, 5].map((shard) =>
        expect.objectContaining({ shard, until: "2026-11-20T21:07:08Z", recentStarts: 14 }),
      ),
    );
  });

  test("a budget that is nearly spent is left to be filled up", async () => {
    bot = await connect({ limit: { remaining: 9, reset_after: 7_200_000 } });
    await bot.gateway.ready;
    expect(bot.waits).toEqual([7200]);
  });

  test("starts that cannot be counted keep nobody away", async () => {
    const fails = async (): Promise<never> => {
      throw new Error("database is locked");
    };
    bot = await connect({ parts: { identifyBudget: { recordStart: fails, startsSince: fails } } });
    await bot.gateway.ready;
    expect(bot.lines.filter(({ level }) => level === "error")).toHaveLength(2);
  });

  test("Discord is asked again and again where its gateway is", async () => {
    const server = await startFakeGateway();
    const answers: (object | Error)[] = [new Error("no"), {}, { url: server.url, shards: 1 }];
    const json = async (): Promise<unknown> => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    };
    bot = await connect({ server, parts: { api: { json } } });
    await bot.gateway.ready;
    expect(bot.waits).toEqual([1, 2]);
  });

  test("a token that Discord does not accept ends the process: a restart would not help", async () => {
    const json = async (): Promise<never> => {
      throw new DiscordApiError("GET", "/gateway/bot", 401, 0);
    };
    bot = await connect({ parts: { api: { json } } });
    expect(await bot.exited).toBe(78);
  });
});

test("a network that is down is tried less and less often, without a single IDENTIFY", async () => {
  bot = await connect();
  await bot.gateway.ready;
  const port = Number(new URL(bot.server.url).port);
  await bot.server.stop();
  await until(() => bot.waits.length >= 2);
  expect(bot.waits.slice(0, 2)).toEqual([1, 2]);
  expect(bot.starts).toHaveLength(1);

  const back = await startFakeGateway(port);
  await until(isReady);
  expect(back.counted(op.identify)).toBeLessThanOrEqual(1);
  await bot.gateway.stop();
  await back.stop();
  bot = await connect();
});

test("a zombie connection is left, and its session resumed", async () => {
  const server = await startFakeGateway();
  server.conduct = { heartbeatMs: 50, onHeartbeat: "ignore" };
  bot = await connect({ server });
  await bot.gateway.ready;
  expect((await server.packet(op.resume)).d).toMatchObject({ session_id: "session" });
});

test("a zombie connection whose peer is mute is cut off two seconds after its close", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const server = await startFakeGateway();
  server.conduct = { heartbeatMs: 50, onHeartbeat: "mute" };
  bot = await connect({ server });
  await server.packet(op.heartbeat);
  await until(() => vi.getTimerCount() > 0);
  server.conduct = {};
  vi.advanceTimersByTime(2_000);
  vi.useRealTimers();
  expect((await server.packet(op.resume)).d).toMatchObject({ session_id: "session" });
});

test("stopping while a connection is being made leaves nothing behind", async () => {
  bot = await connect();
  await bot.gateway.stop();
  await bot.server.stop();
  bot = await connect();
  await bot.gateway.ready;
});

test("stopping while a shard waits for READY is over once its connection is closed", async () => {
  const server = await startFakeGateway();
  server.conduct = { onIdentify: "ignore" };
  bot = await connect({ server });
  await server.packet(op.identify);
  await bot.gateway.stop();
  expect(bot.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test.each([
  ["no JSON", "{"],
  ["no object", "5"],
  ["null", "null"],
  ["READY without data", '{"op":0,"t":"READY","s":2,"d":null}'],
  ["HELLO without data", '{"op":10}'],
  ["op 9 without data", '{"op":9}'],
  ["an op that does not exist", '{"op":"x","d":{}}'],
  ["a dispatch without a name", '{"op":0,"s":null}'],
])("a frame that is %s ends neither the process nor the bot's work", async (_, frame) => {
  bot = await connect();
  await bot.gateway.ready;
  bot.server.say(frame);
  await until(isReady);
  bot.server.dispatch("INTERACTION_CREATE", { id: "after" });
  await until(() => bot.interactions.length > 0);
  expect(bot.interactions).toEqual([{ id: "after" }]);
});

test("thousands of malformed events end neither the process nor the bot's work", async () => {
  bot = await connect();
  await bot.gateway.ready;
  // Ops 7, 9 and 10 have tests of their own: each costs half a second of reconnection.
  const frame = fc.record(
    {
      op: fc.oneof(fc.constant(0), fc.constantFrom(1, 11, 12, -1), fc.constant(null)),
      t: fc.oneof(fc.constantFrom("RESUMED", "GUILD_CREATE", "__proto__"), fc.jsonValue()),
      s: fc.oneof(fc.nat(), fc.jsonValue()),
      d: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  for (const packet of fc.sample(frame, { numRuns: 3_000, seed: 7 }))
    bot.server.say(JSON.stringify(packet));
  bot.server.dispatch("INTERACTION_CREATE", { id: "after" });
  await until(() => bot.interactions.some((raw) => JSON.stringify(raw) === '{"id":"after"}'));
  expect(await isReady()).toBe(true);
});
