import { expect, test } from "vitest";
import { ANA, APPLICATION, BRUNO, CHANNELS, GUILD } from "#src/sandbox/world.ts";
import { startDiscord } from "./running.ts";
import type { Json, Running } from "./running.ts";

const PERMISSION = { view: 1024n, send: 2048n, embed: 16_384n, history: 65_536n };
const VENDAS = `/channels/${CHANNELS.vendas.id}/messages`;

const post = async (running: Running, content: string, path = VENDAS): Promise<string> =>
  (await running.rest("POST", path, { content })).body.id;

const allow = (running: Running, ...bits: readonly bigint[]): void =>
  running.discord.setBotPermissions(
    CHANNELS.vendas.id,
    bits.reduce((sum, bit) => sum | bit, 0n),
  );

test("a post is there for everybody, edited and deleted as asked", async () => {
  const running = await startDiscord();
  const id = await post(running, "um");
  expect(running.discord.visibleTo(BRUNO.id).channels[1]?.messages).toMatchObject([
    { id, content: "um", authorId: APPLICATION.id },
  ]);
  const edited = await running.rest("PATCH", `${VENDAS}/${id}`, { content: "dois" });
  expect(edited.body).toMatchObject({ id, content: "dois" });
  expect((await running.rest("GET", `${VENDAS}/${id}`)).body.content).toBe("dois");
  expect((await running.rest("DELETE", `${VENDAS}/${id}`)).status).toBe(204);
  expect(running.discord.messages(CHANNELS.vendas.id)).toEqual([]);
  const gone = await running.rest("PATCH", `${VENDAS}/${id}`, { content: "três" });
  expect([gone.status, gone.body.code]).toEqual([404, 10008]);
});

test.for<[string, (running: Running) => void, number, number]>([
  ["a deleted channel", ({ discord }) => discord.deleteChannel(CHANNELS.vendas.id), 404, 10003],
  ["a hidden channel", (running) => allow(running, PERMISSION.send), 403, 50001],
  ["a guild that it left", ({ discord }) => discord.setBotInGuild(false), 403, 50001],
  ["a silent channel", (running) => allow(running, PERMISSION.view, PERMISSION.embed), 403, 50013],
  ["no embeds", (running) => allow(running, PERMISSION.view, PERMISSION.send), 403, 50013],
])("the bot may not post an embed to %s", async ([, spoil, status, code]) => {
  const running = await startDiscord();
  spoil(running);
  const refused = await running.rest("POST", VENDAS, { embeds: [{ title: "Vendas" }] });
  expect([refused.status, refused.body.code]).toEqual([status, code]);
  expect(running.discord.messages(CHANNELS.vendas.id)).toEqual([]);
});

test("the bot may look at #equipe and not post there", async () => {
  const running = await startDiscord();
  const path = `/channels/${CHANNELS.equipe.id}`;
  expect((await running.rest("GET", path)).body).toMatchObject({ type: 0, guild_id: GUILD.id });
  const refused = await running.rest("POST", `${path}/messages`, { content: "oi" });
  expect(refused.body.code).toBe(50013);
});

test("without a valid token nothing is answered", async () => {
  const running = await startDiscord();
  const refused = await running.rest("POST", VENDAS, { content: "oi" }, "wrong");
  expect(refused).toMatchObject({ status: 401, body: { code: 0, message: "401: Unauthorized" } });
  expect(running.discord.messages(CHANNELS.vendas.id)).toEqual([]);
});

test("history pages are newest first, and `after` keeps the nearest", async () => {
  const running = await startDiscord();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push(await post(running, String(n)));
  const page = async (query: string): Promise<string> => {
    const { body } = await running.rest<Json[]>("GET", `${VENDAS}?${query}`);
    return body.map(({ content }) => content).join("");
  };
  expect(await page("limit=2")).toBe("43");
  expect(await page(`after=${ids[0]}&limit=2`)).toBe("21");
  expect(await page(`before=${ids[4]}&limit=2`)).toBe("32");
  expect(await page(`around=${ids[2]}&limit=3`)).toBe("321");
  expect(await page("")).toBe("43210");
  expect((await running.rest("GET", `${VENDAS}?limit=101`)).body.code).toBe(50035);
});

test("history is empty, not refused, without the permission to read it", async () => {
  const running = await startDiscord();
  await post(running, "um");
  allow(running, PERMISSION.view, PERMISSION.send);
  expect(await running.rest("GET", VENDAS)).toMatchObject({ status: 200, body: [] });
});

test("ids and times of messages are the virtual clock's", async () => {
  const running = await startDiscord();
  running.clock.moveTo(Temporal.Instant.from("2031-02-03T04:05:06Z"));
  const { body } = await running.rest("POST", VENDAS, { content: "depois" });
  const ms = Number((BigInt(body.id) >> 22n) + 1_420_070_400_000n);
  expect(new Date(ms).toISOString()).toMatch(/^2031-02-03T04:05:/);
  expect(body["timestamp"]).toMatch(/^2031-02-03T04:05:/);
});

test("only who is allowed to be mentioned is notified", async () => {
  const running = await startDiscord();
  const content = `@everyone <@${ANA.id}> <@${BRUNO.id}>`;
  await running.rest("POST", VENDAS, { content, allowed_mentions: { parse: [] } });
  await running.rest("POST", VENDAS, { content, allowed_mentions: { users: [ANA.id] } });
  await running.rest("POST", VENDAS, { content });
  expect(
    running.discord
      .messages(CHANNELS.vendas.id)
      .map(({ mentionsEveryone, mentionedUserIds }) => [mentionsEveryone, mentionedUserIds.length]),
  ).toEqual([
    [false, 0],
    [false, 1],
    [true, 2],
  ]);
});

test("a person's direct channel is always the same, and a person may close it to the bot", async () => {
  const running = await startDiscord();
  const open = () => running.rest("POST", "/users/@me/channels", { recipient_id: ANA.id });
  const { body } = await open();
  expect((await open()).body.id).toBe(body.id);
  await post(running, "aviso", `/channels/${body.id}/messages`);
  expect(running.discord.directMessages(ANA.id)).toMatchObject([{ content: "aviso" }]);
  expect(running.discord.visibleTo(ANA.id).directMessages?.messages).toHaveLength(1);
  expect(running.discord.visibleTo(BRUNO.id).directMessages).toBeUndefined();
  running.discord.person(ANA.id).setAcceptsDirectMessages(false);
  const refused = await running.rest("POST", `/channels/${body.id}/messages`, { content: "x" });
  expect([refused.status, refused.body.code]).toEqual([403, 50007]);
  const nobody = await running.rest("POST", "/users/@me/channels", { recipient_id: "1" });
  expect(nobody.body.code).toBe(50033);
});

test("the bot's guilds are listed by pages, without one that it left", async () => {
  const running = await startDiscord({ guildCount: 250 });
  const page = await running.rest<Json[]>("GET", "/users/@me/guilds");
  expect(page.body).toHaveLength(200);
  const after = await running.rest<Json[]>("GET", `/users/@me/guilds?after=${page.body[199]?.id}`);
  expect(after.body).toHaveLength(50);
  expect(page.body[0]?.id).toBe(GUILD.id);
  running.discord.setBotInGuild(false);
  const left = await running.rest<Json[]>("GET", "/users/@me/guilds?limit=1");
  expect(left.body[0]?.id).not.toBe(GUILD.id);
});
