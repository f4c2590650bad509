import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { connect, type Connected } from "./support/connected.ts";
import { op, startFakeGateway } from "./support/fake-gateway.ts";

let bot: Connected;
afterEach(() => bot.stop());

const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
};
const isReady = async (): Promise<boolean> => (await bot.gateway.shardStates())["ready"] === 1;

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
  server.conduct = { heartbeatMs: 50, ignoreHeartbeats: true };
  bot = await connect({ server });
  await bot.gateway.ready;
  expect((await server.packet(op.resume)).d).toMatchObject({ session_id: "session" });
});

test("stopping while a connection is being made leaves nothing behind", async () => {
  bot = await connect();
  await bot.gateway.stop();
  await bot.server.stop();
  bot = await connect();
  await bot.gateway.ready;
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
  // Ops 7, 9 and 10 have their own tests: each costs a reconnection of half a second.
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
