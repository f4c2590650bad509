import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDiscordApi, type DiscordApi } from "#src/discord/discord-api.ts";
import { createPoster, type Poster } from "#src/discord/poster.ts";
import { Secret } from "#src/shared/secret.ts";
import { startFakeRest, type FakeRest, type RestConduct } from "./support/fake-rest.ts";
import { recordingLog } from "./support/parts.ts";

const BOT = "1180000000000000900";
const CHANNEL = "1180000000000000101";
const BODY = { content: "@everyone", nonce: "n1", enforce_nonce: true };

let discord: FakeRest;
let api: DiscordApi;
let poster: Poster;
beforeEach(async () => {
  discord = await startFakeRest();
  const { log } = recordingLog();
  api = createDiscordApi({ apiUrl: discord.apiUrl, token: new Secret("bot-token"), log });
  poster = createPoster({ api, botUserId: BOT, log });
});
afterEach(async () => {
  poster.close();
  await discord.stop();
  await api.close();
});

const conducts = (...first: RestConduct[]): void => {
  discord.answer(() => first.shift() ?? { status: 200, body: { id: "99" } });
};

test("a pause of all posts is logged without what was read or posted", async () => {
  const { log, lines } = recordingLog();
  const crowded = createPoster({
    api: { ...api, invalidRequests: () => 1_000 },
    botUserId: BOT,
    log,
  });
  conducts({ status: 200, body: { id: "99", content: "R$ 1.234,56 sold" } });
  expect(await crowded.post(CHANNEL, BODY)).toEqual({ kind: "posted", messageId: "99" });
  expect(await crowded.post(CHANNEL, BODY)).toMatchObject({ kind: "throttled" });
  crowded.close();
  expect(JSON.stringify(lines)).toContain("posts pause");
  expect(JSON.stringify(lines)).not.toContain("1.234,56");
});

describe("a post", () => {
  test("goes out once, as the bot, notifying nobody", async () => {
    conducts();
    expect(await poster.post(CHANNEL, BODY)).toEqual({ kind: "posted", messageId: "99" });
    expect(discord.requests).toHaveLength(1);
    expect(discord.requests[0]).toMatchObject({
      method: "POST",
      path: `/api/v10/channels/${CHANNEL}/messages`,
      headers: { authorization: "Bot bot-token" },
      body: { ...BODY, allowed_mentions: { parse: [] } },
    });
  });

  test.each<[string, RestConduct, string]>([
    ["500", { status: 500 }, "status_500"],
    ["a page of HTML with 502", { status: 502, body: "<html>" }, "status_502"],
    ["a reset", "reset", "UND_ERR_SOCKET"],
    ["HTML with 200", { status: 200, body: "<html>" }, "answer_without_id"],
    ["broken JSON with 200", { status: 200, body: '{"id":' }, "answer_without_id"],
    ["a redirect", { status: 302, headers: { location: "/x" } }, "answer_without_id"],
  ])("that is answered with %s is unclear and not repeated", async (_, conduct, reason) => {
    conducts(conduct);
    const outcome = await poster.post(CHANNEL, BODY);
    expect(outcome).toMatchObject({ kind: "unclear" });
    expect([reason, "ECONNRESET"]).toContain("reason" in outcome ? outcome.reason : "");
    expect(discord.requests).toHaveLength(1);
  });

  test("waits out a short limit, and was not posted before", async () => {
    const limited = {
      status: 429,
      headers: { "retry-after": "0.05" },
      body: { retry_after: 0.05 },
    };
    conducts(limited);
    expect(await poster.post(CHANNEL, BODY)).toEqual({ kind: "posted", messageId: "99" });
    expect(discord.requests).toHaveLength(2);
  });

  test("leaves a long limit to the caller", async () => {
    conducts({ status: 429, headers: { "retry-after": "60" }, body: { retry_after: 60 } });
    const outcome = await poster.post(CHANNEL, BODY);
    expect(outcome).toMatchObject({ kind: "throttled" });
    expect("retryAfterMs" in outcome && outcome.retryAfterMs).toBeGreaterThanOrEqual(60_000);
    expect(discord.requests).toHaveLength(1);
  });

  test("to a lost channel says so", async () => {
    conducts({ status: 403, body: { code: 50013, message: "Missing Permissions" } });
    expect(await poster.post(CHANNEL, BODY)).toEqual({ kind: "lost_channel", code: 50013 });
  });

  test("that finds nobody there was certainly not made", async () => {
    await discord.stop();
    expect(await poster.post(CHANNEL, BODY)).toMatchObject({ kind: "throttled" });
    discord = await startFakeRest();
  });
});

describe("an answer that takes too long", () => {
  let impatient: Poster;
  beforeEach(async () => {
    const { log } = recordingLog();
    // Long enough for a busy machine to send what is then left without an answer.
    const timeouts = { requestMs: 1_000, callMs: 1_500 };
    impatient = createPoster({ api, botUserId: BOT, log, timeouts });
    conducts();
    // The package of queues is loaded with the first post, which may take longer than the timeouts of these tests.
    await poster.post(CHANNEL, BODY);
  });
  afterEach(() => impatient.close());

  test.each<[string, RestConduct]>([
    ["never comes", "hang"],
    ["stops after its headers", { status: 200, body: { id: "99" }, stall: true }],
  ])("because it %s is given up, and the post is unclear", async (_, conduct) => {
    conducts(conduct);
    expect(await impatient.post(CHANNEL, BODY)).toMatchObject({ kind: "unclear" });
    expect(discord.requests).toHaveLength(2);
  });

  test("for those behind it means that they were not sent", async () => {
    conducts("hang", "hang", "hang");
    const outcomes = await Promise.all([1, 2, 3].map(() => impatient.post(CHANNEL, BODY)));
    expect(outcomes.at(-1)).toMatchObject({ kind: "throttled" });
    const sent = outcomes.filter(({ kind }) => kind === "unclear");
    expect(sent).toHaveLength(discord.requests.length - 1);
  });
});

describe("a refusal of everything", () => {
  test("pauses all posts without asking again", async () => {
    conducts({ status: 403, body: "<html>error 1015</html>" });
    expect(await poster.post(CHANNEL, BODY)).toEqual({ kind: "throttled", retryAfterMs: 600_000 });
    expect(await poster.post("1180000000000000102", BODY)).toMatchObject({ kind: "throttled" });
    expect(discord.requests).toHaveLength(1);
  });

  test("of the token is no end: the token is still there afterwards", async () => {
    conducts({ status: 401, body: { message: "401: Unauthorized", code: 0 } });
    expect(await poster.post(CHANNEL, BODY)).toEqual({ kind: "throttled", retryAfterMs: 60_000 });
    await api.json("GET", "/gateway/bot");
    expect(discord.requests[1]?.headers.authorization).toBe("Bot bot-token");
  });
});

describe("a direct-message channel", () => {
  test("is opened by the person's id", async () => {
    conducts();
    expect(await poster.openDirectMessage("77")).toEqual({ channelId: "99" });
    expect(discord.requests).toMatchObject([
      { path: "/api/v10/users/@me/channels", body: { recipient_id: "77" } },
    ]);
  });

  test("that did not answer posted nothing", async () => {
    conducts({ status: 500 });
    expect(await poster.openDirectMessage("77")).toMatchObject({ kind: "throttled" });
  });

  test("that a person does not allow is an outcome", async () => {
    conducts({ status: 403, body: { code: 50007, message: "Cannot send messages to this user" } });
    expect(await poster.openDirectMessage("77")).toEqual({
      kind: "unreachable_person",
      code: 50007,
    });
  });
});

describe("S14: whether somebody is a member of a guild", () => {
  const ANA = "1180000000000000011";
  const GUILD = "1180000000000000001";

  test.each<[string, RestConduct, string]>([
    ["a member", { status: 200, body: { user: { id: ANA } } }, "here"],
    ["Unknown Member", { status: 404, body: { code: 10007 } }, "left"],
    ["Unknown User", { status: 404, body: { code: 10013 } }, "left"],
    ["Unknown Guild", { status: 404, body: { code: 10004 } }, "unknown"],
    ["Missing Access", { status: 403, body: { code: 50001 } }, "unknown"],
    ["404 without a code", { status: 404, body: "<html>" }, "unknown"],
    ["500", { status: 500 }, "unknown"],
    ["a reset", "reset", "unknown"],
    [
      "a long limit",
      { status: 429, headers: { "retry-after": "60" }, body: { retry_after: 60 } },
      "limited",
    ],
  ])("that is answered with %s is read as such", async (_, conduct, kind) => {
    conducts(conduct);
    expect(await poster.askPresence(GUILD, ANA)).toMatchObject({ kind });
    expect(discord.requests).toMatchObject([
      { method: "GET", path: `/api/v10/guilds/${GUILD}/members/${ANA}` },
    ]);
  });

  test.each<[RestConduct, string | undefined]>([
    [{ status: 200, body: { id: GUILD, name: "Loja Aurora" } }, "Loja Aurora"],
    [{ status: 200, body: { id: GUILD } }, undefined],
    [{ status: 403, body: { code: 50001 } }, undefined],
    ["reset", undefined],
  ])("a guild's name in %j is %s", async (conduct, name) => {
    conducts(conduct);
    expect(await poster.guildName(GUILD)).toBe(name);
  });
});
