import { expect, test } from "vitest";
import { MINUTE } from "#src/shared/time.ts";
import { CHANNELS } from "#src/sandbox/world.ts";
import { type RestAnswer, type Running, startDiscord } from "./running.ts";

const post = (running: Running, body: object, channelId: string = CHANNELS.vendas.id) =>
  running.rest("POST", `/channels/${channelId}/messages`, body);

const enforced = (content: string): object => ({ content, nonce: "n", enforce_nonce: true });

test("a second post under an enforced nonce gives the first message, whatever it says and wherever it goes", async () => {
  const running = await startDiscord();
  const first = await post(running, enforced("um"));
  expect(first.body.nonce).toBe("n");
  const again = await post(running, enforced("dois"));
  const elsewhere = await post(running, enforced("três"), CHANNELS.avisos.id);
  for (const answer of [again, elsewhere]) {
    expect(answer).toMatchObject({ status: 200, body: { id: first.body.id, content: "um" } });
  }
  expect(running.discord.messages(CHANNELS.avisos.id)).toEqual([]);
  expect(running.discord.postsByNonce().get("n")).toEqual({
    attempts: 3,
    messageIds: [first.body.id],
  });
});

test("simultaneous posts under one nonce make one message", async () => {
  const running = await startDiscord();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => post(running, enforced(String(n)))),
  );
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
});

test("a nonce that is not enforced makes another message", async () => {
  const running = await startDiscord();
  await post(running, { content: "um", nonce: "n" });
  await post(running, { content: "dois", nonce: "n" });
  expect(running.discord.messages(CHANNELS.vendas.id)).toHaveLength(2);
  expect(running.discord.postsByNonce().get("n")?.messageIds).toHaveLength(2);
});

test("the window of a nonce ends by the virtual clock", async () => {
  const running = await startDiscord({ nonceWindowMs: 2 * MINUTE });
  const first = await post(running, enforced("um"));
  running.clock.moveBy(MINUTE);
  expect((await post(running, enforced("dois"))).body.id).toBe(first.body.id);
  running.clock.moveBy(2 * MINUTE);
  expect((await post(running, enforced("três"))).body.id).not.toBe(first.body.id);
});

test("when the first message was deleted, the retry answers 10008 and posts nothing", async () => {
  const running = await startDiscord();
  const first = await post(running, enforced("um"));
  running.discord.deleteMessage(first.body.id);
  const retried = await post(running, enforced("um"));
  expect([retried.status, retried.body.code]).toEqual([404, 10008]);
  expect(running.discord.messages(CHANNELS.vendas.id)).toEqual([]);
});

test("only the answer to the post carries the nonce; history does not", async () => {
  const running = await startDiscord();
  await post(running, enforced("um"));
  const history = await running.rest<object[]>("GET", `/channels/${CHANNELS.vendas.id}/messages`);
  expect(history.body[0]).not.toHaveProperty("nonce");
});

test("a nonce of the wrong form, or enforced without being there, is refused", async () => {
  const running = await startDiscord();
  const refused = (answer: RestAnswer): unknown[] => [answer.body.code, answer.body["errors"]];
  const problem = { nonce: { _errors: [expect.anything()] } };
  const tooLong = { content: "x", nonce: "n".repeat(26), enforce_nonce: true };
  expect(refused(await post(running, tooLong))).toEqual([50035, problem]);
  expect(refused(await post(running, { content: "x", nonce: 1.5 }))).toEqual([50035, problem]);
  expect(refused(await post(running, { content: "x", enforce_nonce: true }))).toEqual([
    50035,
    problem,
  ]);
});
