import { expect, test } from "vitest";
import { ANA, APPLICATION, BRUNO, CHANNELS, GUILD, ROLES } from "#src/sandbox/world.ts";
import { MINUTE } from "#src/shared/time.ts";
import { type Json, type RestAnswer, type Running, startDiscord } from "./running.ts";

const PERMISSION = {
  view: 1024n,
  send: 2048n,
  embed: 16_384n,
  mentionEveryone: 131_072n,
  history: 65_536n,
};
const VENDAS = `/channels/${CHANNELS.vendas.id}/messages`;

const post = async (running: Running, content: string, path = VENDAS): Promise<string> =>
  (await running.rest("POST", path, { content })).body.id;

const allow = (running: Running, ...bits: readonly bigint[]): void =>
  running.discord.setBotPermissions(
    CHANNELS.vendas.id,
    bits.reduce((sum, bit) => sum | bit, 0n),
  );

test("a post is there for everybody, and edited as asked", async () => {
  const running = await startDiscord();
  const id = await post(running, "um");
  expect(running.discord.visibleTo(BRUNO.id).channels[1]?.messages).toMatchObject([
    { id, content: "um", authorId: APPLICATION.id },
  ]);
  const edited = await running.rest("PATCH", `${VENDAS}/${id}`, { content: "dois" });
  expect(edited.body).toMatchObject({ id, content: "dois" });
  running.discord.deleteMessage(id);
  expect(running.discord.messages(CHANNELS.vendas.id)).toEqual([]);
  const gone = await running.rest("PATCH", `${VENDAS}/${id}`, { content: "três" });
  expect([gone.status, gone.body.code]).toEqual([404, 10008]);
});

test.for<[string, (running: Running) => void, number, number]>([
  ["a deleted channel", ({ discord }) => discord.deleteChannel(CHANNELS.vendas.id), 404, 10003],
  ["a hidden channel", (running) => allow(running, PERMISSION.send), 403, 50001],
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
    [false, 2],
  ]);
});

test("@everyone, and a role that is not mentionable, are notified only with Mention Everyone", async () => {
  const running = await startDiscord();
  const content = `@everyone <@&${ROLES.equipe.id}> <@&${GUILD.id}>`;
  await running.rest("POST", VENDAS, { content });
  allow(running, PERMISSION.view, PERMISSION.send, PERMISSION.mentionEveryone);
  await running.rest("POST", VENDAS, { content });
  expect(running.discord.messages(CHANNELS.vendas.id)).toMatchObject([
    { mentionsEveryone: false, mentionedRoleIds: [ROLES.equipe.id] },
    { mentionsEveryone: true, mentionedRoleIds: [ROLES.equipe.id, GUILD.id] },
  ]);
});

test("a person's direct channel is always the same, and is closed to the bot by that person or where they share no guild", async () => {
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
  running.discord.person(ANA.id).setAcceptsDirectMessages(true);
  running.discord.person(ANA.id).setInGuild(false);
  const apart = await running.rest("POST", `/channels/${body.id}/messages`, { content: "x" });
  expect([apart.status, apart.body.code]).toEqual([403, 50278]);
  const nobody = await running.rest("POST", "/users/@me/channels", { recipient_id: "1" });
  expect(nobody.body.code).toBe(50033);
});

const postBody = (running: Running, body: object, channelId: string = CHANNELS.vendas.id) =>
  running.rest("POST", `/channels/${channelId}/messages`, body);

const enforced = (content: string): object => ({ content, nonce: "n", enforce_nonce: true });

test("a second post under an enforced nonce gives the first message, whatever it says and wherever it goes", async () => {
  const running = await startDiscord();
  const first = await postBody(running, enforced("um"));
  expect(first.body.nonce).toBe("n");
  const again = await postBody(running, enforced("dois"));
  const elsewhere = await postBody(running, enforced("três"), CHANNELS.avisos.id);
  for (const answer of [again, elsewhere]) {
    expect(answer).toMatchObject({ status: 200, body: { id: first.body.id, content: "um" } });
  }
  expect(running.discord.messages(CHANNELS.avisos.id)).toEqual([]);
});

test("simultaneous posts under one nonce make one message", async () => {
  const running = await startDiscord();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => postBody(running, enforced(String(n)))),
  );
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
});

test("a nonce that is not enforced makes another message", async () => {
  const running = await startDiscord();
  await postBody(running, { content: "um", nonce: "n" });
  await postBody(running, { content: "dois", nonce: "n" });
  expect(running.discord.messages(CHANNELS.vendas.id)).toHaveLength(2);
});

test("the window of a nonce ends by the virtual clock", async () => {
  const running = await startDiscord({ nonceWindowMs: 2 * MINUTE });
  const first = await postBody(running, enforced("um"));
  running.clock.moveBy(MINUTE);
  expect((await postBody(running, enforced("dois"))).body.id).toBe(first.body.id);
  running.clock.moveBy(2 * MINUTE);
  expect((await postBody(running, enforced("três"))).body.id).not.toBe(first.body.id);
});

test("when the first message was deleted, the retry answers 10008 and posts nothing", async () => {
  const running = await startDiscord();
  const first = await postBody(running, enforced("um"));
  running.discord.deleteMessage(first.body.id);
  const retried = await postBody(running, enforced("um"));
  expect([retried.status, retried.body.code]).toEqual([404, 10008]);
  expect(running.discord.messages(CHANNELS.vendas.id)).toEqual([]);
});

test("only the answer to the post carries the nonce; history does not", async () => {
  const running = await startDiscord();
  await postBody(running, enforced("um"));
  const history = await running.rest<object[]>("GET", `/channels/${CHANNELS.vendas.id}/messages`);
  expect(history.body[0]).not.toHaveProperty("nonce");
});

test("a nonce of the wrong form, or enforced without being there, is refused", async () => {
  const running = await startDiscord();
  const refused = (answer: RestAnswer): unknown[] => [answer.body.code, answer.body["errors"]];
  const problem = { nonce: { _errors: [expect.anything()] } };
  const tooLong = { content: "x", nonce: "n".repeat(26), enforce_nonce: true };
  expect(refused(await postBody(running, tooLong))).toEqual([50035, problem]);
  expect(refused(await postBody(running, { content: "x", nonce: 1.5 }))).toEqual([50035, problem]);
  expect(refused(await postBody(running, { content: "x", enforce_nonce: true }))).toEqual([
    50035,
    problem,
  ]);
});
