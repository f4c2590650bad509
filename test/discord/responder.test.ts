import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createResponder, type Responder } from "#src/discord/responder.ts";
import { startFakeRest, type FakeRest, type RestConduct } from "./support/fake-rest.ts";
import { APPLICATION_ID } from "./support/interactions.ts";

const TO = { id: "1180000000000000500", token: "a+b/c=", applicationId: APPLICATION_ID };

let discord: FakeRest;
let responder: Responder;
let waits: number[];
let dates: (string | undefined)[];
beforeEach(async () => {
  discord = await startFakeRest();
  waits = [];
  dates = [];
  responder = createResponder({
    apiUrl: discord.apiUrl,
    observeDate: (date) => dates.push(date),
    wait: async (ms) => void waits.push(ms),
  });
});
afterEach(async () => {
  await discord.stop();
  await responder.close();
});

/** Answers the first requests as told, and all others with 204. */
const conducts = (...first: RestConduct[]): void => {
  discord.answer(() => first.shift() ?? { status: 204 });
};

test("the token stands in the path, encoded, and the clock of Discord is seen", async () => {
  conducts({ status: 204, headers: { date: "Fri, 20 Nov 2026 21:05:00 GMT" } });
  await responder.callback(TO, { type: 6 });
  expect(discord.requests[0]?.path).toBe(`/api/v10/interactions/${TO.id}/a%2Bb%2Fc%3D/callback`);
  expect(discord.requests[0]?.headers["user-agent"]).toMatch(/^DiscordBot \(/);
  expect(dates).toEqual(["Fri, 20 Nov 2026 21:05:00 GMT"]);
});

describe("a callback", () => {
  test.each<[string, RestConduct]>([
    ["500", { status: 500 }],
    ["a reset", "reset"],
  ])("is repeated once after %s, and 40060 means that the first arrived", async (_, first) => {
    conducts(first, { status: 400, body: { code: 40060 } });
    expect(await responder.callback(TO, { type: 6 })).toEqual({ kind: "accepted" });
    expect(discord.requests).toHaveLength(2);
    expect(waits).toEqual([]);
  });

  test("that hangs is repeated while Discord still waits", async () => {
    conducts("hang");
    // Long enough for a busy machine to answer the repeat.
    const impatient = createResponder({ apiUrl: discord.apiUrl, callbackTimeoutMs: 1_000 });
    expect(await impatient.callback(TO, { type: 6 })).toEqual({ kind: "accepted" });
    expect(discord.requests.length).toBeGreaterThanOrEqual(2);
    await impatient.close();
  });

  test("is tried twice at most", async () => {
    conducts({ status: 500 }, { status: 502 }, { status: 500 });
    expect(await responder.callback(TO, { type: 6 })).toMatchObject({ reason: "status_502" });
    expect(discord.requests).toHaveLength(2);
  });

  test("is not repeated when Discord said no", async () => {
    conducts({ status: 404, body: { code: 10062 } });
    expect(await responder.callback(TO, { type: 6 })).toEqual({ kind: "expired", code: 10062 });
    expect(discord.requests).toHaveLength(1);
  });
});

describe("an edit", () => {
  test("waits as long as Discord asks for", async () => {
    conducts({ status: 429, body: { retry_after: 1.5 } });
    expect(await responder.editOriginal(TO, {})).toEqual({ kind: "accepted" });
    expect(waits).toEqual([1_500]);
  });

  test("is tried three times at most", async () => {
    conducts({ status: 500 }, "reset", { status: 500 }, { status: 204 });
    expect(await responder.editOriginal(TO, {})).toMatchObject({ kind: "unclear" });
    expect(discord.requests).toHaveLength(3);
  });
});

test("a message beside the answer is sent once, whatever comes of it", async () => {
  conducts({ status: 500 });
  expect(await responder.followUp(TO, {})).toMatchObject({ kind: "unclear" });
  expect(discord.requests).toMatchObject([
    { method: "POST", path: `/api/v10/webhooks/${APPLICATION_ID}/a%2Bb%2Fc%3D` },
  ]);
});

test("connections are kept for the next answers", async () => {
  for (let n = 0; n < 10; n++) await responder.callback(TO, {});
  expect(discord.requests).toHaveLength(10);
  // The next answer may begin while the last connection is still being cleared.
  expect(discord.connections()).toBeLessThanOrEqual(2);
});

test("an API that is not there is an outcome, and proves that nothing was sent", async () => {
  await discord.stop();
  expect(await responder.callback(TO, {})).toMatchObject({ kind: "unclear", unsent: true });
  discord = await startFakeRest();
});

test("a message beside the answer with files is sent once as a form, or not at all", async () => {
  const file = { name: "a.txt", contentType: "text/plain", data: Buffer.from("x") };
  await responder.followUp(TO, { attachments: [{ id: 0, filename: "a.txt" }] }, [file]);
  expect(discord.requests[0]?.headers["content-type"]).toMatch(/^multipart\/form-data; /);
  expect(discord.requests[0]?.bytes.toString()).toContain('filename="a.txt"');
  const many = Array.from({ length: 11 }, () => file);
  for (const send of [responder.callback, responder.editOriginal, responder.followUp])
    expect(await send(TO, {}, many)).toEqual({ kind: "refused", status: 413, code: undefined });
  expect(discord.requests).toHaveLength(1);
});
