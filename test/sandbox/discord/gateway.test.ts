import { expect, test } from "vitest";
import { ANA, APPLICATION, CHANNELS, GUILD } from "#src/sandbox/world.ts";
import { extraGuildIds, shardOf } from "#src/sandbox/discord/guilds.ts";
import { identified, identity, openGateway } from "./gateway-client.ts";
import { startPlainBot } from "./plain-bot.ts";
import { startDiscord } from "./running.ts";

const IDENTIFY = 2;
const RESUME = 6;

test("the gateway greets with the heartbeat interval and acknowledges each beat", async () => {
  const client = await openGateway(await startDiscord());
  expect(await client.next()).toMatchObject({ op: 10, d: { heartbeat_interval: 41_250 } });
  client.send(1, null);
  expect(await client.next()).toMatchObject({ op: 11 });
});

test("READY names the application and every guild as unavailable, and no guild follows without the intent", async () => {
  const running = await startDiscord({ guildCount: 3 });
  const client = await identified(running);
  expect(client.ready).toMatchObject({
    t: "READY",
    s: 1,
    d: { application: { id: APPLICATION.id }, user: { id: APPLICATION.id, bot: true } },
  });
  const guilds = client.ready.d["guilds"] as { id: string; unavailable: boolean }[];
  expect(guilds).toHaveLength(3);
  expect(guilds[0]).toEqual({ id: GUILD.id, unavailable: true });
  client.send(1, 1);
  expect(await client.next()).toMatchObject({ op: 11 });
});

test("a client with the Guilds intent gets each guild, the extra ones of about 26 KB", async () => {
  const client = await identified(await startDiscord({ guildCount: 2 }), 1);
  const main = await client.next();
  expect(main).toMatchObject({ t: "GUILD_CREATE", d: { id: GUILD.id, name: GUILD.name } });
  const size = JSON.stringify(await client.next()).length;
  expect(size).toBeGreaterThan(23_000);
  expect(size).toBeLessThan(29_000);
});

test("a channel of an extra guild is that guild's, and so are its changes", async () => {
  const running = await startDiscord({ guildCount: 2 });
  const { discord } = running;
  const [extra = ""] = extraGuildIds(2);
  const id = discord.addChannel("loja-dois", extra);
  const client = await identified(running, 1);
  const channelIds = async () =>
    ((await client.next()).d["channels"] as readonly { id: string }[]).map((each) => each.id);
  expect(await channelIds()).not.toContain(id);
  expect(await channelIds()).toContain(id);
  discord.setBotPermissions(id, 1_024n);
  expect(await client.next()).toMatchObject({ t: "CHANNEL_UPDATE", d: { id, guild_id: extra } });
  expect((await running.rest("GET", `/channels/${id}`)).status).toBe(200);
});

test("the shard of an extra guild hears of its channels", async () => {
  const running = await startDiscord({ guildCount: 2 });
  const [extra = ""] = extraGuildIds(2);
  const shards = 16;
  const ofExtra = shardOf(extra, shards);
  expect(shardOf(GUILD.id, shards)).not.toBe(ofExtra);
  const client = await openGateway(running);
  client.send(IDENTIFY, identity(1, { shard: [ofExtra, shards] }));
  await client.until(({ t }) => t === "GUILD_CREATE");
  running.discord.deleteChannel(running.discord.addChannel("loja-dois", extra));
  expect((await client.next()).t).toBe("CHANNEL_CREATE");
  expect((await client.next()).t).toBe("CHANNEL_DELETE");
});

test.for([
  ["a wrong token", identity(0, { token: "wrong" }), 4004],
  ["a shard beyond the count", identity(0, { shard: [2, 2] }), 4010],
  ["an intent that does not exist", identity(2 ** 29), 4013],
  ["a privileged intent that was not granted", identity(2), 4014],
] as const)("%s closes the connection", async ([, identify, code]) => {
  const client = await openGateway(await startDiscord());
  client.send(IDENTIFY, identify);
  expect(await client.closed).toBe(code);
});

test("what no gateway understands closes the connection", async () => {
  const running = await startDiscord();
  const client = await openGateway(running);
  client.send(99, {});
  expect(await client.closed).toBe(4001);
  const old = await openGateway(running, "v=6&encoding=json");
  expect(await old.closed).toBe(4012);
  const twice = await identified(running);
  twice.send(IDENTIFY, identity());
  expect(await twice.closed).toBe(4005);
});

test("session starts are counted and announced, anew after a day", async () => {
  const running = await startDiscord();
  await identified(running);
  const bot = await running.rest("GET", "/gateway/bot");
  expect(bot.body["session_start_limit"]).toMatchObject({ total: 1000, remaining: 999 });
  running.clock.moveBy(25 * 3_600_000);
  const renewed = await running.rest("GET", "/gateway/bot");
  expect(renewed.body["session_start_limit"]).toMatchObject({ remaining: 1000 });
});

test("RESUME replays exactly what came after the given sequence, then says so", async () => {
  const running = await startDiscord();
  await startPlainBot(running);
  const client = await identified(running);
  const ana = running.discord.person(ANA.id);
  const ask = { channelId: CHANNELS.geral.id, name: "vendas" };
  const waiting = [ana.command(ask), ana.command(ask)];
  const first = await client.next();
  const second = await client.next();
  client.close(4000);
  await client.closed;
  const back = await openGateway(running);
  const session = { session_id: client.ready.d["session_id"], seq: first.s };
  back.send(RESUME, { token: APPLICATION.token, ...session });
  await back.next();
  expect(await back.next()).toEqual(second);
  expect(await back.next()).toMatchObject({ t: "RESUMED" });
  await running.discord.stop();
  await Promise.all(waiting);
});

test("a session that is unknown, or that the client ended, cannot be resumed", async () => {
  const running = await startDiscord();
  const client = await identified(running);
  client.close(1000);
  await client.closed;
  for (const id of ["1", client.ready.d["session_id"]]) {
    const back = await openGateway(running);
    await back.next();
    back.send(RESUME, { token: APPLICATION.token, session_id: id, seq: 1 });
    expect(await back.next()).toEqual({ op: 9, d: false });
  }
});

test("misbehaviour: ignored IDENTIFYs and RESUMEs", async () => {
  const running = await startDiscord();
  const { gateway } = running.discord;
  gateway.misbehave({ ignoreLogins: true });
  const client = await openGateway(running);
  await client.next();
  client.send(RESUME, { token: APPLICATION.token, session_id: "1", seq: 1 });
  client.send(IDENTIFY, identity());
  client.send(1, null);
  expect(await client.next()).toMatchObject({ op: 11 });
  gateway.misbehave({ ignoreLogins: false });
  client.send(IDENTIFY, identity());
  expect(await client.next()).toMatchObject({ t: "READY" });
  expect(gateway.identifyCount()).toBe(1);
  expect(gateway.resumeCount()).toBe(1);
});

test("op 9 reaches every client, and an invalidated session is gone", async () => {
  const running = await startDiscord();
  const { gateway } = running.discord;
  const client = await identified(running);
  gateway.invalidate();
  expect(await client.next()).toEqual({ op: 9, d: false });
  expect(gateway.connections()).toBe(0);
});

test("guilds are spread over shards as Discord does", () => {
  expect(shardOf("41771983423143937", 10)).toBe(Number((41771983423143937n >> 22n) % 10n));
  expect(shardOf(GUILD.id, 1)).toBe(0);
});
