import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPoster, isLater, type Poster } from "#src/discord/poster.ts";
import { snowflakeAt } from "#src/shared/ids.ts";
import { type FakeRest, connectFakeRest } from "./support/fake-rest.ts";
import { quietLog } from "../support/databases.ts";
import { NOW } from "./support/parts.ts";

const BOT = "1180000000000000900";
const CHANNEL = "1180000000000000101";
const SEARCH = { after: NOW, nonce: "nonce-1", reference: "ref a1b2c3d4" };
const AFTER = snowflakeAt(NOW);
const idAt = (n: number): string => String(BigInt(AFTER) + BigInt(n));

interface Message {
  readonly id: string;
  readonly author: { readonly id: string };
  readonly content?: string;
  readonly nonce?: string;
  readonly embeds?: readonly { readonly footer?: { readonly text: string } }[];
}

const someone = (n: number): Message => ({ id: idAt(n), author: { id: "7" }, content: "oi" });
const footed = (text: string) => ({ embeds: [{}, { footer: { text } }] });

let discord: FakeRest;
let poster: Poster;
beforeEach(async () => {
  const connected = await connectFakeRest();
  const { api } = connected;
  discord = connected.discord;
  poster = createPoster({ api, botUserId: BOT, log: quietLog, filesOf: async () => [] });
});
afterEach(() => poster.close());

/** A channel with these messages. Without permission to read the history it appears empty, as on Discord. */
const holds = (messages: readonly Message[], readable = true): void => {
  const lastId = messages.at(-1)?.id ?? null;
  discord.answer(({ path }) => {
    if (!path.includes("/messages"))
      return { status: 200, body: { id: CHANNEL, last_message_id: lastId } };
    const query = new URLSearchParams(path.split("?")[1]);
    const limit = Number(query.get("limit"));
    const [after, before] = [query.get("after"), query.get("before")];
    const page =
      before === null
        ? messages.filter(({ id }) => BigInt(id) > BigInt(after ?? "0")).slice(0, limit)
        : messages.filter(({ id }) => BigInt(id) < BigInt(before)).slice(-limit);
    page.reverse();
    return { status: 200, body: readable ? page : [] };
  });
};

const find = () => poster.findPosted(CHANNEL, SEARCH);

describe("a post that was made", () => {
  test.each<[string, Partial<Message>]>([
    ["its embed's footer", footed("Balcão · ref a1b2c3d4")],
    ["the end of its content", { content: "Aviso\nref a1b2c3d4" }],
    ["its nonce", { content: "Aviso", nonce: "nonce-1" }],
  ])("is found by %s", async (_, marks) => {
    holds([someone(1), { id: idAt(2), author: { id: BOT }, ...marks }, someone(3)]);
    expect(await find()).toEqual({ kind: "found", messageId: idAt(2) });
    expect(discord.requests[0]?.path).toContain(`after=${AFTER}&limit=100`);
  });

  test("is found however many messages came before it", async () => {
    const many = Array.from({ length: 250 }, (_, n) => someone(n + 1));
    holds([...many, { id: idAt(999), author: { id: BOT }, ...footed("ref a1b2c3d4") }]);
    expect(await find()).toEqual({ kind: "found", messageId: idAt(999) });
    expect(discord.requests).toHaveLength(3);
  });
});

describe("a post that was not made", () => {
  test("is absent when the whole span was read", async () => {
    holds(Array.from({ length: 100 }, (_, n) => someone(n + 1)));
    expect(await find()).toEqual({ kind: "absent" });
    expect(discord.requests).toHaveLength(2);
  });

  test("is not mistaken for another's, nor for another one of ours", async () => {
    holds([
      { id: idAt(1), author: { id: "7" }, ...footed("ref a1b2c3d4") },
      { id: idAt(2), author: { id: BOT }, ...footed("ref 00000000") },
    ]);
    expect(await find()).toEqual({ kind: "absent" });
  });
});

describe("a span that has an end is read backwards from there", () => {
  const BEFORE = NOW.add({ hours: 1 });
  const within = () => poster.findPosted(CHANNEL, { ...SEARCH, before: BEFORE });
  const idAgo = (n: number): string => String(BigInt(snowflakeAt(BEFORE)) - BigInt(n));
  const talk = (count: number, idOf: (n: number) => string): readonly Message[] =>
    Array.from({ length: count }, (_, n) => ({ ...someone(0), id: idOf(n + 1) }));
  const ours = (id: string): Message => ({ id, author: { id: BOT }, nonce: "nonce-1" });
  const later = talk(5_000, (n) => idAgo(-n));

  test("however much was said since, and finds the newest first", async () => {
    holds([ours(idAgo(102)), ...talk(101, (n) => idAgo(102 - n)), ...later]);
    expect(await within()).toEqual({ kind: "found", messageId: idAgo(102) });
    expect(discord.requests).toHaveLength(2);
    expect(discord.requests[0]?.path).toContain(`before=${snowflakeAt(BEFORE)}&limit=100`);
  });

  test("and a post of before or after it is not found", async () => {
    const before = talk(500, (n) => String(BigInt(AFTER) - BigInt(501 - n)));
    holds([...before.slice(0, -1), ours(before.at(-1)!.id), someone(1), ours(idAgo(-1)), ...later]);
    expect(await within()).toEqual({ kind: "absent" });
    expect(discord.requests).toHaveLength(1);
  });

  test("and one without messages is absent only where something can be read", async () => {
    holds(later);
    expect(await within()).toEqual({ kind: "absent" });
    holds(later, false);
    expect(await within()).toEqual({ kind: "unreadable", lasting: true });
  });

  test("for at most thirty pages", async () => {
    holds([ours(idAgo(3_001)), ...talk(3_000, (n) => idAgo(3_001 - n)), ...later]);
    expect(await within()).toEqual({ kind: "too_long" });
    expect(discord.requests).toHaveLength(30);
  });
});

describe("nothing is proven", () => {
  test.each<[string, { status: number; body?: unknown }]>([
    ["a fault", { status: 500 }],
    ["a page of HTML with 200", { status: 200, body: "<html>" }],
  ])("by an empty answer and then %s, whether anything can be read", async (_, answer) => {
    const channel = { id: CHANNEL, last_message_id: idAt(1) };
    discord.answer(({ path }) => {
      if (!path.includes("/messages")) return { status: 200, body: channel };
      return path.includes("after=") ? { status: 200, body: [] } : answer;
    });
    expect(await find()).toEqual({ kind: "unreadable", lasting: false });
  });

  test.each<[string, { status: number; body?: unknown }, boolean]>([
    ["a refusal", { status: 403, body: { code: 50001 } }, true],
    ["the shield", { status: 403, body: { code: 40333 } }, false],
    ["a feature that is switched off for a while", { status: 403, body: { code: 40006 } }, false],
    ["a token that is refused for a moment", { status: 401, body: { code: 0 } }, false],
    ["a fault", { status: 500 }, false],
    ["something that is no list", { status: 200, body: { id: "1" } }, false],
    ["a list of no messages", { status: 200, body: [{ id: 5 }] }, false],
  ])("by %s", async (_, answer, lasting) => {
    discord.answer(() => answer);
    expect(await find()).toEqual({ kind: "unreadable", lasting });
  });

  test("by a history without an end", async () => {
    let n = 0;
    discord.answer(() => ({ status: 200, body: Array.from({ length: 100 }, () => someone(++n)) }));
    expect(await find()).toEqual({ kind: "too_long" });
    expect(discord.requests).toHaveLength(30);
  });
});

test.each([
  [undefined, false, "unreadable"],
  [undefined, true, "absent"],
  [idAt(1), false, "unreadable"],
  [idAt(1), true, "absent"],
  [AFTER, false, "absent"],
  [null, false, "absent"],
])("an empty span with last message %s, readable %s, is %s", async (last, readable, kind) => {
  discord.answer(({ path }) => {
    if (!path.includes("/messages")) return { status: 200, body: { last_message_id: last } };
    return { status: 200, body: path.includes("after=") || !readable ? [] : [someone(0)] };
  });
  expect((await find()).kind).toBe(kind);
});

test("ids are compared as the numbers that they are", () => {
  const id = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  fc.assert(fc.property(id, id, (a, b) => isLater(String(a), String(b)) === a > b));
});
