import { describe, expect, test } from "vitest";
import { UserError } from "#src/shared/errors.ts";
import type { Reply } from "#src/ui/reply.ts";
import { says, startBotEdge, type BotEdge } from "./support/bot-edge.ts";
import type { RestRequest } from "./support/fake-rest.ts";
import { APPLICATION_ID, autocompletion, click, slashCommand } from "./support/interactions.ts";
import { NOW } from "./support/parts.ts";

const NOBODY = { parse: [] };
const read = (at = NOW) => slashCommand("vendas", [{ name: "ler", type: 1 }], at);
const isCallback = ({ path }: RestRequest): boolean => path.endsWith("/callback");
const isEdit = ({ method }: RestRequest): boolean => method === "PATCH";

let edge: BotEdge;

const serveSlowly = (raw: object) => {
  const work = Promise.withResolvers<Reply>();
  const begun = Promise.withResolvers<void>();
  edge.script.work = () => {
    begun.resolve();
    return work.promise;
  };
  const served = edge.route(raw, performance.now());
  return { give: work.resolve, fail: work.reject, served, begun: begun.promise };
};

describe("an answer that is not ready in time", () => {
  test("is deferred privately and edited in", async () => {
    edge = await startBotEdge({ deferAtMs: 0 });
    const raw = read();
    const { give, served } = serveSlowly(raw);
    const callback = await edge.discord.request(isCallback);
    expect(callback.body).toEqual({ type: 5, data: { flags: 64 } });

    give(says("afinal"));
    await served;
    const edit = await edge.discord.request(isEdit);
    expect(edit.path).toBe(`/api/v10/webhooks/${APPLICATION_ID}/${raw.token}/messages/@original`);
    expect(edit.body).toEqual({
      content: "afinal",
      embeds: [],
      components: [],
      attachments: [],
      allowed_mentions: NOBODY,
    });
    expect(edge.counted).toEqual([{ command: "vendas ler", outcome: "deferred" }]);
  });

  test("is deferred by the interaction's age, not by the time since it arrived", async () => {
    edge = await startBotEdge({ deferAtMs: 2_000 });
    const { give, served } = serveSlowly(read(NOW.subtract({ milliseconds: 2_100 })));
    expect((await edge.discord.request(isCallback)).body).toMatchObject({ type: 5 });
    give(says("afinal"));
    await served;
  });

  test("of a component is deferred without a new message", async () => {
    edge = await startBotEdge({ deferAtMs: 0 });
    const { give, served } = serveSlowly(click("vendas:trocar"));
    expect((await edge.discord.request(isCallback)).body).toEqual({ type: 6 });
    give(says("trocado"));
    await served;
    expect((await edge.discord.request(isEdit)).body).toMatchObject({ content: "trocado" });
  });

  test("of a component that fails is followed up, and the message stays as it was", async () => {
    edge = await startBotEdge({ deferAtMs: 0 });
    const { fail, served } = serveSlowly(click("vendas:trocar"));
    await edge.discord.request(isCallback);
    fail(new UserError({ kind: "not_your_button" }));
    await served;
    expect(edge.discord.requests.filter(isEdit)).toEqual([]);
    expect(edge.discord.requests.at(-1)).toMatchObject({
      method: "POST",
      body: { content: "pt-BR not_your_button", flags: 64, allowed_mentions: NOBODY },
    });
  });

  test("of a component whose message was deleted meanwhile is followed up in private", async () => {
    edge = await startBotEdge({ deferAtMs: 0 });
    const { give, served } = serveSlowly(click("vendas:trocar"));
    await edge.discord.request(isCallback);
    edge.discord.answer((request) =>
      isEdit(request) ? { status: 404, body: { code: 10008 } } : { status: 204 },
    );
    give(says("trocado"));
    await served;
    expect(edge.discord.requests.at(-1)).toMatchObject({
      method: "POST",
      body: { content: "trocado", flags: 64 },
    });
  });

  test("waits for a deferral that Discord is slow to take", async () => {
    edge = await startBotEdge({ deferAtMs: 0 });
    const taken = Promise.withResolvers<void>();
    edge.discord.answer(async (request) => {
      if (isCallback(request)) await taken.promise;
      return { status: 204 };
    });
    const { give, served } = serveSlowly(read());
    await edge.discord.request(isCallback);
    give(says("afinal"));
    expect(edge.discord.requests.filter(isEdit)).toEqual([]);
    taken.resolve();
    await served;
    expect(edge.discord.requests.filter(isEdit)).toHaveLength(1);
  });

  test("is not edited in when the deferral came too late", async () => {
    edge = await startBotEdge({ deferAtMs: 0 });
    edge.discord.answer(() => ({ status: 404, body: { code: 10062, message: "Unknown" } }));
    const { give, served } = serveSlowly(read());
    await edge.discord.request(isCallback);
    give(says("tarde"));
    await served;
    expect(edge.discord.requests).toHaveLength(1);
    expect(edge.counted).toEqual([{ command: "vendas ler", outcome: "failed" }]);
  });

  test("ends with a kind text when it takes longer than the token may live", async () => {
    edge = await startBotEdge({ deferAtMs: 0, giveUpAtMs: 0 });
    const { give, served } = serveSlowly(read());
    expect((await edge.discord.request(isEdit)).body).toMatchObject({
      content: "pt-BR took_too_long",
    });
    give(says("tarde"));
    await served;
    expect(edge.discord.requests.filter(isEdit)).toHaveLength(1);
  });
});

test("a form that is not ready in time is answered by what stands in its way, and not opened later", async () => {
  edge = await startBotEdge({ answerAtMs: 0, answerWithinMs: 0 });
  const { give, served } = serveSlowly(slashCommand("vendas", [{ name: "abrir", type: 1 }]));
  expect((await edge.discord.request(isCallback)).body).toMatchObject({
    type: 4,
    data: { content: "pt-BR database_away", flags: 64 },
  });
  give(says("tarde"));
  await served;
  expect(edge.discord.requests).toHaveLength(1);
  expect(edge.counted).toEqual([{ command: "vendas abrir", outcome: "failed" }]);
});

test.each([
  ["a form", { answerAtMs: 0, answerWithinMs: 0 }, "abrir", "user:database_away"],
  ["a read", { deferAtMs: 0, giveUpAtMs: 0 }, "ler", "user:took_too_long"],
])(
  "%s that is not ready in time is logged as its person read it",
  async (_, limits, name, problem) => {
    edge = await startBotEdge(limits);
    const { give, served } = serveSlowly(slashCommand("vendas", [{ name, type: 1 }]));
    await edge.discord.request(({ body }) => JSON.stringify(body).includes("pt-BR"));
    give(says("tarde"));
    await served;
    expect(edge.lines.at(-1)?.fields).toMatchObject({ problem, refusal: undefined });
  },
);

test("a form has a while, although its interaction seems to have come late", async () => {
  edge = await startBotEdge({ answerAtMs: 0, answerWithinMs: 60_000 });
  const { give, served, begun } = serveSlowly(slashCommand("vendas", [{ name: "abrir", type: 1 }]));
  await begun;
  give(says("form"));
  await served;
  expect(edge.discord.requests).toMatchObject([{ body: { data: { content: "form" } } }]);
});

test("suggestions that are not ready in time are an empty list", async () => {
  edge = await startBotEdge({ suggestAtMs: 0 });
  const suggestions = Promise.withResolvers<{ name: string; value: string }[]>();
  edge.script.suggest = () => suggestions.promise;
  const served = edge.route(autocompletion("vendas", []), performance.now());
  expect((await edge.discord.request(isCallback)).body).toEqual({ type: 8, data: { choices: [] } });
  suggestions.resolve([{ name: "hoje", value: "hoje" }]);
  await served;
  expect(edge.discord.requests).toHaveLength(1);
});

test("a slow command does not hold up another one", async () => {
  edge = await startBotEdge();
  const { give, served, begun } = serveSlowly(read());
  await begun;
  edge.script.work = () => says("ligeiro");
  await edge.route(read(), performance.now());
  expect(edge.discord.requests).toMatchObject([{ body: { data: { content: "ligeiro" } } }]);
  give(says("devagar"));
  await served;
  expect(edge.discord.requests).toHaveLength(2);
});
