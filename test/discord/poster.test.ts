import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type DiscordApi } from "#src/discord/discord-api.ts";
import { cardFiles } from "#src/charges/charge-cards.job.ts";
import { chartFiles } from "#src/reports/picture/post-picture.ts";
import { createPoster, globalPauseMs, type Poster, postOutcome } from "#src/discord/poster.ts";
import type { PacedAnswer } from "#src/discord/paced-rest.ts";
import type { PostOutcome } from "#src/delivery/delivery.ts";
import { connectFakeRest, type FakeRest, type RestConduct } from "./support/fake-rest.ts";
import { quietLog } from "../support/databases.ts";
import { recordingLog } from "./support/parts.ts";

const BOT = "1180000000000000900";
const CHANNEL = "1180000000000000101";
const BODY = { content: "@everyone", nonce: "n1", enforce_nonce: true };

let discord: FakeRest;
let api: DiscordApi;
let poster: Poster;
beforeEach(async () => {
  ({ discord, api } = await connectFakeRest());
  poster = createPoster({ api, botUserId: BOT, log: quietLog, filesOf: cardFiles });
});
afterEach(() => poster.close());

const inTime = (): boolean => true;
const conducts = (...first: RestConduct[]): void => {
  discord.answer(() => first.shift() ?? { status: 200, body: { id: "99" } });
};

test("a pause of all posts is logged without what was read or posted", async () => {
  const { log, lines } = recordingLog();
  const crowded = createPoster({
    api: { ...api, invalidRequests: () => 1_000 },
    botUserId: BOT,
    log,
    filesOf: cardFiles,
  });
  conducts({ status: 200, body: { id: "99", content: "R$ 1.234,56 sold" } });
  expect(await crowded.post(CHANNEL, BODY, inTime)).toEqual({ kind: "posted", messageId: "99" });
  expect(await crowded.post(CHANNEL, BODY, inTime)).toMatchObject({ kind: "throttled" });
  crowded.close();
  expect(JSON.stringify(lines)).toContain("posts pause");
  expect(JSON.stringify(lines)).not.toContain("1.234,56");
});

describe("a card with a code", () => {
  const CARD = { ...BODY, content: "Cobrança", charge: { id: "c1", code: "000201" } };

  test("takes its picture along in one form, and keeps the code's data to itself", async () => {
    conducts();
    expect(await poster.post(CHANNEL, CARD, inTime)).toEqual({ kind: "posted", messageId: "99" });
    expect(discord.requests).toHaveLength(1);
    const [sent] = discord.requests;
    expect(sent?.headers["content-type"]).toMatch(/^multipart\/form-data/);
    const form = sent?.bytes.toString("latin1") ?? "";
    expect(form).toContain('"attachments":[{"id":0,"filename":"pix.png"}]');
    expect(form).toContain('"nonce":"n1","enforce_nonce":true');
    expect(form).toContain("\u0089PNG");
    expect(form).not.toContain('"charge"');
  });

  test("is not posted without its picture in a server whose uploads are limited", async () => {
    conducts({ status: 403, body: { code: 400001 } });
    expect(await poster.post(CHANNEL, CARD, inTime)).toMatchObject({ kind: "rejected" });
    expect(discord.requests).toHaveLength(1);
  });

  test("that cannot be drawn is not posted", async () => {
    const charge = { id: "c1", code: "0".repeat(8_000) };
    expect(await poster.post(CHANNEL, { ...BODY, charge }, inTime)).toMatchObject({
      kind: "throttled",
    });
    expect(discord.requests).toEqual([]);
  });

  test.each<[RestConduct, string]>([
    [{ status: 200, body: { id: "99" } }, "edited"],
    [{ status: 404, body: { code: 10008 } }, "gone"],
    [{ status: 403, body: { code: 50001 } }, "refused"],
    [{ status: 403, body: { code: 20026 } }, "refused"],
    [{ status: 400, body: { code: 50035 } }, "gone"],
    [{ status: 403, body: { code: 40333 } }, "later"],
    [{ status: 403, body: { code: 10008 } }, "later"],
    [{ status: 403, body: { code: 40006 } }, "later"],
    [{ status: 403, body: { code: 20022 } }, "later"],
    [{ status: 400, body: { code: 30046 } }, "later"],
    [{ status: 404, body: "<html>" }, "later"],
    [{ status: 500 }, "later"],
    ["reset", "later"],
  ])("whose edit meets %j is %s", async (conduct, outcome) => {
    conducts(conduct);
    expect(await poster.edit(CHANNEL, "99", { content: "Pago" })).toBe(outcome);
    expect(discord.requests[0]).toMatchObject({
      method: "PATCH",
      path: `/api/v10/channels/${CHANNEL}/messages/99`,
      body: { content: "Pago", attachments: [], components: [], allowed_mentions: { parse: [] } },
    });
  });
});

describe("a card in a thread that was archived meanwhile", () => {
  const archived = { status: 400, body: { code: 50083 } };
  const forbidden = { status: 403, body: { code: 50013 } };
  const edited = { status: 200, body: { id: "99" } };
  const opened = { status: 200, body: { id: CHANNEL } };
  const card = `PATCH /api/v10/channels/${CHANNEL}/messages/99`;
  const thread = `PATCH /api/v10/channels/${CHANNEL}`;

  test.each<[string, RestConduct[], string, string[]]>([
    ["is edited once it is open", [archived, opened, edited], "edited", [card, thread, card]],
    ["waits while Discord does not open it", [archived, { status: 500 }], "later", [card, thread]],
    ["is refused where the bot may not open it", [archived, forbidden], "refused", [card, thread]],
    ["is refused where it closes", [archived, opened, archived], "refused", [card, thread, card]],
    ...[160005, 160006, 160007].map((code): [string, RestConduct[], string, string[]] => [
      `is refused where ${code} keeps it archived`,
      [archived, { status: 400, body: { code } }],
      "refused",
      [card, thread],
    ]),
  ])("%s", async (_, answers, outcome, asked) => {
    conducts(...answers);
    expect(await poster.edit(CHANNEL, "99", { content: "Pago" })).toBe(outcome);
    expect(discord.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(asked);
    expect(discord.requests[1]?.body).toEqual({ archived: false });
  });
});

describe("a post with a chart", () => {
  const figures = { headline: "R$ 1", legend: ["hoje", null], bars: [], axis: [] } as const;
  const CHART = {
    ...BODY,
    embeds: [{ title: "Fechamento" }, { title: "Outro" }],
    chart: { figures, inWords: "Vendas por dia: R$ 1" },
    sellers: ["a1"],
  };
  const posterDrawing = (draw: () => Promise<Uint8Array>): Poster => {
    const { log } = recordingLog();
    return createPoster({ api, botUserId: BOT, log, filesOf: chartFiles(draw, log) });
  };
  const drawing = async (draw: () => Promise<Uint8Array>, post: typeof CHART = CHART) => {
    const drawer = posterDrawing(draw);
    const outcome = await drawer.post(CHANNEL, post, inTime);
    drawer.close();
    return outcome;
  };
  const picture = async () => new Uint8Array([1, 2, 3]);

  test("whose time ended while it was drawn is not posted", async () => {
    let isInTime = true;
    const drawer = posterDrawing(async () => {
      isInTime = false;
      return await picture();
    });
    const outcome = await drawer.post(CHANNEL, CHART, () => isInTime);
    drawer.close();
    expect(outcome).toMatchObject({ kind: "throttled" });
    expect(discord.requests).toEqual([]);
  });

  test.each<[string, RestConduct]>([
    ["without the picture", { status: 403, body: { code: 50013 } }],
    [
      "after a 429",
      { status: 429, body: { retry_after: 0.05 }, headers: { "retry-after": "0.05" } },
    ],
  ])("is not posted again %s when its time ended before", async (_, conduct) => {
    conducts(conduct);
    const drawer = posterDrawing(picture);
    const outcome = await drawer.post(CHANNEL, CHART, () => discord.requests.length === 0);
    drawer.close();
    expect(outcome).toMatchObject({ kind: "throttled" });
    expect(discord.requests).toHaveLength(1);
  });

  const asText = { ...BODY, embeds: CHART.embeds, allowed_mentions: { parse: [] } };

  test("shows the picture in its first embed, with the text alternative beside it", async () => {
    conducts();
    expect(await drawing(picture)).toEqual({ kind: "posted", messageId: "99" });
    const form = discord.requests[0]?.bytes.toString("latin1") ?? "";
    expect(form).toContain('{"title":"Fechamento","image":{"url":"attachment://vendas.png"}}');
    expect(form).toContain('{"title":"Outro"}');
    expect(form).toContain('"filename":"vendas.png","description":"Vendas por dia: R$ 1"');
    expect(form).not.toMatch(/headline|sellers/);
  });

  test("that cannot be drawn goes out as text alone", async () => {
    conducts();
    const fails = async () => await Promise.reject(new Error("no library"));
    expect(await drawing(fails)).toEqual({ kind: "posted", messageId: "99" });
    expect(discord.requests.map(({ body }) => body)).toEqual([asText]);
  });

  test.each([50013, 400001])("goes out as text alone where %i forbids files", async (code) => {
    conducts({ status: 403, body: { code } });
    expect(await drawing(picture)).toEqual({ kind: "posted", messageId: "99" });
    expect(discord.requests).toHaveLength(2);
    expect(discord.requests[1]?.body).toEqual(asText);
  });

  test("is lost with a channel that forbids posts too", async () => {
    const forbidden = { status: 403, body: { code: 50013 } } as const;
    conducts(forbidden, forbidden);
    expect(await drawing(picture)).toEqual({ kind: "lost_channel", code: 50013 });
  });
});

describe("a post", () => {
  test("goes out once, as the bot, notifying nobody", async () => {
    conducts();
    expect(await poster.post(CHANNEL, BODY, inTime)).toEqual({ kind: "posted", messageId: "99" });
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
    ["a page of HTML with 404", { status: 404, body: "<html>" }, "status_404"],
    ["a reset", "reset", "UND_ERR_SOCKET"],
    ["HTML with 200", { status: 200, body: "<html>" }, "answer_without_id"],
    ["broken JSON with 200", { status: 200, body: '{"id":' }, "answer_without_id"],
    ["a redirect", { status: 302, headers: { location: "/x" } }, "answer_without_id"],
  ])("that is answered with %s is unclear and not repeated", async (_, conduct, reason) => {
    conducts(conduct);
    const outcome = await poster.post(CHANNEL, BODY, inTime);
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
    expect(await poster.post(CHANNEL, BODY, inTime)).toEqual({ kind: "posted", messageId: "99" });
    expect(discord.requests).toHaveLength(2);
  });

  test("leaves a long limit to the caller", async () => {
    conducts({ status: 429, headers: { "retry-after": "60" }, body: { retry_after: 60 } });
    const outcome = await poster.post(CHANNEL, BODY, inTime);
    expect(outcome).toMatchObject({ kind: "throttled" });
    expect("retryAfterMs" in outcome && outcome.retryAfterMs).toBeGreaterThanOrEqual(60_000);
    expect(discord.requests).toHaveLength(1);
  });

  test("that finds nobody there was certainly not made", async () => {
    await discord.stop();
    expect(await poster.post(CHANNEL, BODY, inTime)).toMatchObject({ kind: "throttled" });
  });
});

describe("an answer that takes too long", () => {
  let impatient: Poster;
  beforeEach(async () => {
    // Long enough for a busy machine to send the last request.
    const timeouts = { requestMs: 1_000, callMs: 1_500 };
    impatient = createPoster({ api, botUserId: BOT, log: quietLog, filesOf: cardFiles, timeouts });
    conducts();
    // The first post loads the queue package, which may exceed these tests' timeouts.
    await poster.post(CHANNEL, BODY, inTime);
  });
  afterEach(() => impatient.close());

  test.each<[string, RestConduct]>([
    ["never comes", "hang"],
    ["stops after its headers", { status: 200, body: { id: "99" }, stall: true }],
  ])("because it %s is given up, and the post is unclear", async (_, conduct) => {
    conducts(conduct);
    expect(await impatient.post(CHANNEL, BODY, inTime)).toMatchObject({ kind: "unclear" });
    expect(discord.requests).toHaveLength(2);
  });

  test("leaves the next one the rest of its time, in which it is sent too", async () => {
    conducts("hang", "hang");
    const outcomes = await Promise.all([1, 2].map(() => impatient.post(CHANNEL, BODY, inTime)));
    const sent = outcomes.filter(({ kind }) => kind === "unclear");
    expect(sent).toHaveLength(2);
    expect(sent).toHaveLength(discord.requests.length - 1);
  });

  test("for those behind it means that they were not sent", async () => {
    // A pause holds the queue beyond their time. A request that hangs would end in the same moment as they do.
    conducts({ status: 429, headers: { "retry-after": "2" }, body: { retry_after: 2 } });
    const first = impatient.post(CHANNEL, BODY, inTime);
    const behind = [2, 3].map(() => impatient.post(CHANNEL, BODY, inTime));
    for (const outcome of await Promise.all(behind))
      expect(outcome).toMatchObject({ kind: "throttled" });
    expect(discord.requests).toHaveLength(2);
    expect(await first).toMatchObject({ kind: "throttled" });
    expect(discord.requests).toHaveLength(2);
  });
});

describe("a refusal of everything", () => {
  test("pauses all posts without asking again", async () => {
    conducts({ status: 403, body: "<html>error 1015</html>" });
    expect(await poster.post(CHANNEL, BODY, inTime)).toEqual(throttled(600_000));
    expect(await poster.post("1180000000000000102", BODY, inTime)).toMatchObject({
      kind: "throttled",
    });
    expect(discord.requests).toHaveLength(1);
  });

  test("of the token is no end: the token is still there afterwards", async () => {
    conducts({ status: 401, body: { message: "401: Unauthorized", code: 0 } });
    expect(await poster.post(CHANNEL, BODY, inTime)).toEqual(throttled(60_000));
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

  test.each<[string, PostOutcome]>([
    ["a person does not allow", { kind: "unreachable_person", code: 50007 }],
    ["is closed to a quarantined bot", { kind: "lost_channel", code: 20026 }],
  ])("that %s is an outcome", async (_, outcome) => {
    conducts({ status: 403, body: "code" in outcome ? { code: outcome.code } : {} });
    expect(await poster.openDirectMessage("77")).toEqual(outcome);
  });
});

describe("S14: whether somebody is a member of a guild", () => {
  const ANA = "1180000000000000011";
  const GUILD = "1180000000000000001";

  test.each<[string, RestConduct, string]>([
    ["a member", { status: 200, body: { user: { id: ANA } } }, "here"],
    ["Unknown Member", { status: 404, body: { code: 10007 } }, "left"],
    ["Unknown User", { status: 404, body: { code: 10013 } }, "left"],
    ["Unknown Guild", { status: 404, body: { code: 10004 } }, "outside"],
    ["Missing Access", { status: 403, body: { code: 50001 } }, "outside"],
    ["404 without a code", { status: 404, body: "<html>" }, "unknown"],
    ["500", { status: 500 }, "unknown"],
    ["a page of HTML with 200", { status: 200, body: "<html>" }, "unknown"],
    ["a reset", "reset", "unknown"],
    [
      "a long limit",
      { status: 429, headers: { "retry-after": "60" }, body: { retry_after: 60 } },
      "limited",
    ],
  ])("that is answered with %s is read as such", async (_, conduct, kind) => {
    conducts(conduct);
    const answer = await poster.askPresence(GUILD, ANA);
    const isOutside = answer.kind === "unknown" && answer.isBotOutside === true;
    expect(isOutside ? "outside" : answer.kind).toBe(kind);
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

const ok = (body: unknown): PacedAnswer => ({ kind: "ok", body });
const error = (status: number, code?: number): PacedAnswer => ({ kind: "error", status, code });
const noAnswer = (unsent: boolean): PacedAnswer => ({ kind: "no_answer", unsent, reason: "E" });
const throttled = (retryAfterMs: number): PostOutcome => ({ kind: "throttled", retryAfterMs });

test.each<[string, PacedAnswer, PostOutcome]>([
  ["a message", ok({ id: "12" }), { kind: "posted", messageId: "12" }],
  ["no id", ok({}), { kind: "unclear", reason: "answer_without_id" }],
  ["an id that is a number", ok({ id: 12 }), { kind: "unclear", reason: "answer_without_id" }],
  ["10008", error(404, 10008), { kind: "posted_then_deleted" }],
  ["10008 with 403", error(403, 10008), throttled(600_000)],
  ["10003", error(404, 10003), { kind: "lost_channel", code: 10003 }],
  ["10004", error(404, 10004), { kind: "lost_channel", code: 10004 }],
  ["20026", error(403, 20026), { kind: "lost_channel", code: 20026 }],
  ["50001", error(403, 50001), { kind: "lost_channel", code: 50001 }],
  ["50013", error(403, 50013), { kind: "lost_channel", code: 50013 }],
  ["50083", error(403, 50083), { kind: "lost_channel", code: 50083 }],
  ["160005", error(403, 160005), { kind: "lost_channel", code: 160005 }],
  ["50007", error(403, 50007), { kind: "unreachable_person", code: 50007 }],
  ["50278", error(403, 50278), { kind: "unreachable_person", code: 50278 }],
  ["10013", error(404, 10013), { kind: "unreachable_person", code: 10013 }],
  ["20016", error(429, 20016), throttled(30_000)],
  ["20028", error(429, 20028), throttled(30_000)],
  ["40004", error(403, 40004), throttled(30_000)],
  ["40006", error(403, 40006), throttled(30_000)],
  ["40062", error(429, 40062), throttled(30_000)],
  ["130000", error(503, 130000), throttled(30_000)],
  ["429", error(429), throttled(30_000)],
  ["a limit", { kind: "limited", retryAfterMs: 7_000 }, throttled(7_000)],
  ["401", error(401, 0), throttled(60_000)],
  ["a page of HTML with 403", error(403), throttled(600_000)],
  ["40333", error(403, 40333), throttled(600_000)],
  ["50035", error(400, 50035), { kind: "rejected", status: 400, code: 50035 }],
  ["50006", error(400, 50006), { kind: "rejected", status: 400, code: 50006 }],
  ["413", error(413), { kind: "rejected", status: 413, code: undefined }],
  ["500", error(500), { kind: "unclear", reason: "status_500" }],
  ["502 of HTML", error(502), { kind: "unclear", reason: "status_502" }],
  ["408", error(408), { kind: "unclear", reason: "status_408" }],
  ["a request that never left", noAnswer(true), throttled(15_000)],
  ["a request without an answer", noAnswer(false), { kind: "unclear", reason: "E" }],
])("a post that is answered with %s", (_, answer, outcome) => {
  expect(postOutcome(answer)).toEqual(outcome);
});

test.each<[string, PacedAnswer, number, number]>([
  ["401", error(401, 0), 0, 60_000],
  ["a page of HTML with 403", error(403), 0, 600_000],
  ["the shield's code", error(403, 40333), 0, 600_000],
  ["a refusal of one channel", error(403, 50013), 999, 0],
  ["a refusal of one message", error(403, 10008), 999, 0],
  ["many refusals", error(403, 50013), 1_000, 60_000],
  ["a message", ok({ id: "1" }), 0, 0],
])("posts pause after %s as long as they must", (_, answer, invalidRequests, pauseMs) => {
  expect(globalPauseMs(answer, invalidRequests)).toBe(pauseMs);
});
