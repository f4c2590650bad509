import { beforeEach, describe, expect, test } from "vitest";
import type { AnswerOutcome } from "#src/discord/responder.ts";
import { createLiveReplies, type LiveReplies } from "#src/discord/live-replies.ts";
import type { Reply } from "#src/ui/reply.ts";
import { MINUTE } from "#src/shared/time.ts";
import { withdrawStatusView } from "#src/withdrawals/withdraw-status.view.ts";
import { sampleOp, sampleStatus } from "../withdrawals/withdraw-samples.ts";
import { says, startBotEdge } from "./support/bot-edge.ts";
import type { RestRequest } from "./support/fake-rest.ts";
import { APPLICATION_ID, click, slashCommand } from "./support/interactions.ts";

const addressOf = (id: string) => ({ id, token: `t${id}`, applicationId: APPLICATION_ID });

let now: number;
let edits: { readonly token: string; readonly content: unknown }[];
let outcome: AnswerOutcome | Promise<AnswerOutcome>;
let live: LiveReplies;
const parts: Parameters<typeof createLiveReplies>[0] = {
  respond: {
    editOriginal: async ({ token }, body) => {
      edits.push({ token, content: Reflect.get(body, "content") });
      return await outcome;
    },
  },
  monotonicMs: () => now,
  most: 3,
};
beforeEach(() => {
  now = 0;
  edits = [];
  outcome = { kind: "accepted" };
  live = createLiveReplies(parts);
});

const show = (id: string, name: string | undefined, message = id): void =>
  live.shown(
    { message, address: addressOf(id), isDirect: false, until: now + 14 * MINUTE },
    name === undefined ? undefined : { name, state: "accepted" },
  );
const edit = (name: string, state = "accepted"): Promise<boolean> =>
  live.edit(name, () => ({ ...says("mudou"), live: { name, state } }));

test("a message is edited by its name with the token of its answer", async () => {
  show("1", "W-1");
  expect(await edit("W-1")).toBe(true);
  expect(edits).toEqual([{ token: "t1", content: "mudou" }]);
});

test("a later message of the same name takes the place of an earlier one", async () => {
  show("1", "W-1");
  show("2", "W-1");
  await edit("W-1");
  expect(edits).toMatchObject([{ token: "t2" }]);
});

test("a message that shows something else now is left alone", async () => {
  show("1", "W-1");
  show("2", undefined, "1");
  expect(await edit("W-1")).toBe(false);
  show("3", "W-1");
  show("4", "W-2", "3");
  expect([await edit("W-1"), await edit("W-2")]).toEqual([false, true]);
  expect(edits).toMatchObject([{ token: "t4" }]);
});

/** Names that are shown now. */
const moved = async (): Promise<readonly string[]> => {
  const names: string[] = [];
  await live.moved(async (name) => void names.push(name));
  return names;
};

test("names whose state another process changed are told once, and none that was edited here since", async () => {
  const states = new Map([["W-1", "accepted"]]);
  const stateOf = async (name: string) => states.get(name);
  live = createLiveReplies({ ...parts, stateOf });
  show("1", "W-1");
  expect(await moved()).toEqual([]);
  states.set("W-1", "processing");
  expect([await moved(), await moved()]).toEqual([["W-1"], []]);
  states.set("W-1", "completed");
  await edit("W-1", "completed");
  expect(await moved()).toEqual([]);
});

test("an answer whose subject changes while Discord takes it is shown anew, and so is an edit", async () => {
  const states = new Map([["W-1", "processing"]]);
  live = createLiveReplies({ ...parts, stateOf: async (name) => states.get(name) });
  show("1", "W-1");
  expect([await moved(), await moved()]).toEqual([["W-1"], []]);
  states.set("W-1", "completed");
  await edit("W-1", "processing");
  expect([await moved(), await moved()]).toEqual([["W-1"], []]);
});

test("a change that comes between the reading and the edit of another is shown the next time", async () => {
  const states = new Map([["W-1", "accepted"]]);
  live = createLiveReplies({ ...parts, stateOf: async (name) => states.get(name) });
  show("1", "W-1");
  expect(await moved()).toEqual([]);
  states.set("W-1", "processing");
  await live.moved(async (name) => {
    states.set(name, "completed");
    await edit(name, "processing");
  });
  expect([await moved(), await moved()]).toEqual([["W-1"], []]);
});

test("a question of a withdrawal that expires is shown as such once", async () => {
  live = createLiveReplies({ ...parts, stateOf: async () => "abandoned" });
  const op = sampleOp({ state: "abandoned" });
  show("1", `${op.id}?`);
  await live.edit(`${op.id}?`, () => withdrawStatusView(sampleStatus({ op }), "pt-BR"));
  expect(await moved()).toEqual([]);
});

test("a name that could not be shown holds up no other, and is shown the next time", async () => {
  const states = new Map([
    ["W-1", "accepted"],
    ["W-2", "accepted"],
  ]);
  live = createLiveReplies({ ...parts, stateOf: async (name) => states.get(name) });
  for (const n of ["1", "2"]) show(n, `W-${n}`);
  expect(await moved()).toEqual([]);
  for (const name of states.keys()) states.set(name, "failed");
  const names: string[] = [];
  const failing = live.moved(async (name) => {
    if (name === "W-1") throw new Error("The database is away");
    names.push(name);
  });
  await expect(failing).rejects.toThrow(AggregateError);
  expect([names, await moved()]).toEqual([["W-2"], ["W-1"]]);
});

test.each<AnswerOutcome>([
  { kind: "unclear", unsent: false, reason: "status 503" },
  { kind: "throttled", retryAfterMs: 100_000 },
])("a name whose edit Discord did not take, $kind, is shown the next time", async (refusal) => {
  let state = "accepted";
  live = createLiveReplies({ ...parts, stateOf: async () => state });
  show("1", "W-1");
  expect(await moved()).toEqual([]);
  state = "failed";
  outcome = refusal;
  await live.moved(async (name) => void (await edit(name, state)));
  expect([await moved(), await moved()]).toEqual([["W-1"], []]);
});

test("fourteen minutes later it is forgotten", async () => {
  show("1", "W-1");
  now = 14 * MINUTE - 1;
  expect(await edit("W-1")).toBe(true);
  now = 14 * MINUTE;
  expect(await edit("W-1")).toBe(false);
  expect(edits).toHaveLength(1);
});

test("no more are held than may be, the oldest go first", async () => {
  for (const n of ["1", "2", "3", "4"]) show(n, `W-${n}`);
  expect(await edit("W-1")).toBe(false);
  expect(await edit("W-2")).toBe(true);
});

test.each<[string, AnswerOutcome, number]>([
  ["the token ran out", { kind: "expired", code: 50027 }, 1],
  ["the webhook is gone", { kind: "expired", code: 10015 }, 1],
  ["401", { kind: "expired", code: undefined }, 1],
  ["404", { kind: "refused", status: 404, code: undefined }, 1],
  ["it does not like this text", { kind: "refused", status: 400, code: 50035 }, 2],
  ["it did not look", { kind: "throttled", retryAfterMs: 100_000 }, 2],
  ["nobody knows", { kind: "unclear", unsent: false, reason: "reset" }, 2],
])("an edit was not surely shown when Discord says that %s", async (_, refusal, tries) => {
  outcome = refusal;
  show("1", "W-1");
  expect([await edit("W-1"), await edit("W-1")]).toEqual([false, false]);
  expect(edits).toHaveLength(tries);
});

test("edits of one message go out one after the other", async () => {
  const first = Promise.withResolvers<AnswerOutcome>();
  outcome = first.promise;
  show("1", "W-1");
  const both = [live.edit("W-1", () => says("um")), live.edit("W-1", () => says("dois"))];
  await Promise.resolve();
  expect(edits).toMatchObject([{ content: "um" }]);
  first.resolve({ kind: "accepted" });
  expect(await Promise.all(both)).toEqual([true, true]);
  expect(edits).toMatchObject([{ content: "um" }, { content: "dois" }]);
});

test("after its end nothing is edited", async () => {
  show("1", "W-1");
  live.stop();
  expect(await edit("W-1")).toBe(false);
});

describe("answers to interactions", () => {
  const isEdit = ({ method }: RestRequest): boolean => method === "PATCH";
  const named = (content: string): Reply => ({
    ...says(content),
    live: { name: "W-1", state: "accepted" },
  });
  const read = () => slashCommand("vendas", [{ name: "ler", type: 1 }]);

  test.each([
    ["direct", 1_000],
    ["deferred", 0],
  ])(
    "that are %s can be edited by the name in them, which Discord never sees",
    async (_, deferAtMs) => {
      const edge = await startBotEdge({ deferAtMs });
      edge.script.work = async () => {
        if (deferAtMs === 0) await edge.discord.request(() => true);
        return named("aceito");
      };
      const raw = read();
      await edge.route(raw, performance.now());
      expect(await edge.live.edit("W-1", () => says("pago"))).toBe(true);
      expect(edge.discord.requests.findLast(isEdit)).toMatchObject({
        path: `/api/v10/webhooks/${APPLICATION_ID}/${raw.token}/messages/@original`,
        body: { content: "pago" },
      });
      expect(JSON.stringify(edge.discord.requests.map(({ body }) => body))).not.toContain("W-1");
    },
  );

  test("that name the chosen key above them keep that line", async () => {
    const edge = await startBotEdge();
    const chosen = "-# Você escolheu a chave `…7892`.";
    edge.script.work = () => ({ ...named("aceito"), content: chosen });
    await edge.route(read(), performance.now());
    await edge.live.edit("W-1", () => ({ kind: "reply", embeds: [{ title: "pago" }] }));
    expect(edge.discord.requests.findLast(isEdit)).toMatchObject({ body: { content: chosen } });
  });

  test("that Discord did not take are not remembered", async () => {
    const edge = await startBotEdge();
    edge.script.work = () => named("aceito");
    edge.discord.answer(() => ({ status: 404, body: { code: 10062 } }));
    await edge.route(read(), performance.now());
    expect(await edge.live.edit("W-1", () => says("pago"))).toBe(false);
  });

  test("that a click replaced on the same message are forgotten", async () => {
    const edge = await startBotEdge();
    edge.script.work = () => named("aceito");
    const raw = read();
    await edge.route(raw, performance.now());
    edge.script.work = () => says("lista");
    const message = { id: "1180000000000000400", interaction_metadata: { id: raw.id } };
    await edge.route({ ...click("vendas:trocar"), message }, performance.now());
    expect(await edge.live.edit("W-1", () => says("pago"))).toBe(false);
  });
});
