import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  answerOutcome,
  type AnswerOutcome,
  callbackPauseMs,
  createResponder,
  editPauseMs,
  noAnswerOutcome,
  repeatedCallbackOutcome,
  type Responder,
} from "#src/discord/responder.ts";
import { NoAnswerError } from "#src/discord/discord-http.ts";
import { type FakeRest, type RestConduct, startFakeRest } from "./support/fake-rest.ts";
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

/** Answers the first requests as given, and all others with 204. */
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
    ["a page of HTML with 200", { status: 200, body: "<html>" }],
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

  test("whose connection is not made in time is repeated over another one, as it was not sent", async () => {
    const sockets: Socket[] = [];
    const firstWhileSecond = Promise.withResolvers<string | undefined>();
    // Mute in TLS's handshake.
    const mute = createServer((socket) => {
      if (sockets.push(socket.resume()) === 2) firstWhileSecond.resolve(sockets[0]?.readyState);
    }).listen(0, "127.0.0.1");
    await once(mute, "listening");
    const apiUrl = `https://127.0.0.1:${(mute.address() as AddressInfo).port}/api`;
    const impatient = createResponder({ apiUrl, callbackTimeoutMs: 50 });
    expect(await impatient.callback(TO, { type: 6 })).toMatchObject({ unsent: true });
    expect(await firstWhileSecond.promise).toBe("open");
    for (const each of sockets) each.destroy();
    await impatient.close();
    mute.close();
  });

  test("is tried twice at most", async () => {
    conducts({ status: 500 }, { status: 502 }, { status: 500 });
    expect(await responder.callback(TO, { type: 6 })).toMatchObject({ reason: "status_502" });
    expect(discord.requests).toHaveLength(2);
  });

  test("that a limit refused is repeated once it ends", async () => {
    conducts({ status: 429, body: { retry_after: 0.3 } });
    expect(await responder.callback(TO, { type: 6 })).toEqual({ kind: "accepted" });
    expect(waits).toEqual([300]);
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

  test("that met a page of a proxy in Discord's place is made again", async () => {
    conducts({ status: 404, body: "<html>" });
    expect(await responder.editOriginal(TO, {})).toEqual({ kind: "accepted" });
    expect(discord.requests).toHaveLength(2);
  });

  test("whose answer comes a byte at a time without an end is made again", async () => {
    const dripping = Promise.withResolvers<void>();
    let requests = 0;
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        if (++requests > 1) {
          socket.end("HTTP/1.1 204 No Content\r\n\r\n");
          return;
        }
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n{");
        const drip = setInterval(() => socket.write(" ", () => dripping.resolve()), 5);
        socket.once("close", () => clearInterval(drip));
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
    const other = createResponder({ apiUrl, wait: async () => {} });
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const edited = other.editOriginal(TO, {});
    await dripping.promise;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await edited).toEqual({ kind: "accepted" });
    await other.close();
    server.close();
  });

  test("is tried three times at most", async () => {
    conducts({ status: 500 }, "reset", { status: 500 }, { status: 204 });
    expect(await responder.editOriginal(TO, {})).toMatchObject({ kind: "unclear" });
    expect(discord.requests).toHaveLength(3);
  });
});

test("a message beside the answer that may be shown is not sent again", async () => {
  conducts({ status: 500 });
  expect(await responder.followUp(TO, {})).toMatchObject({ kind: "unclear" });
  expect(discord.requests).toMatchObject([
    { method: "POST", path: `/api/v10/webhooks/${APPLICATION_ID}/a%2Bb%2Fc%3D` },
  ]);
});

test("a message beside the answer that a limit refused is sent again once it ends", async () => {
  conducts({ status: 429, body: { retry_after: 1.5 } });
  expect(await responder.followUp(TO, {})).toEqual({ kind: "accepted" });
  expect(waits).toEqual([1_500]);
  expect(discord.requests).toHaveLength(2);
});

test("connections are kept for the next answers", async () => {
  for (let n = 0; n < 10; n++) await responder.callback(TO, {});
  expect(discord.requests).toHaveLength(10);
  // A new connection may open while the last one is still closing.
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

const answered = (status: number, body: unknown = "", headers = {}) =>
  answerOutcome({ status, headers, text: typeof body === "string" ? body : JSON.stringify(body) });

describe("Discord's answer to an answer of ours", () => {
  test.each<[string, AnswerOutcome, AnswerOutcome]>([
    ["204", answered(204), { kind: "accepted" }],
    ["200", answered(200, { id: "1" }), { kind: "accepted" }],
    ["40060", answered(400, { code: 40060 }), { kind: "answered_elsewhere" }],
    ["10062", answered(404, { code: 10062 }), { kind: "expired", code: 10062 }],
    ["10008", answered(404, { code: 10008 }), { kind: "expired", code: 10008 }],
    [
      "10008 with 403",
      answered(403, { code: 10008 }),
      { kind: "refused", status: 403, code: 10008 },
    ],
    ["10015", answered(404, { code: 10015 }), { kind: "expired", code: 10015 }],
    ["50027", answered(401, { code: 50027 }), { kind: "expired", code: 50027 }],
    ["401", answered(401), { kind: "expired", code: undefined }],
    ["50035", answered(400, { code: 50035 }), { kind: "refused", status: 400, code: 50035 }],
    [
      "HTML with 200",
      answered(200, "<html>"),
      { kind: "unclear", unsent: false, reason: "no_json" },
    ],
    [
      "HTML with 404",
      answered(404, "<html>"),
      { kind: "unclear", unsent: false, reason: "no_json" },
    ],
    [
      "HTML with 401",
      answered(401, "<html>"),
      { kind: "unclear", unsent: false, reason: "no_json" },
    ],
    ["HTML", answered(403, "<html>"), { kind: "refused", status: 403, code: undefined }],
    ["429", answered(429, { retry_after: 0.25 }), { kind: "throttled", retryAfterMs: 250 }],
    [
      "429 by header",
      answered(429, "", { "retry-after": "2" }),
      { kind: "throttled", retryAfterMs: 2000 },
    ],
    ["429 without a time", answered(429), { kind: "throttled", retryAfterMs: 1000 }],
    ["500", answered(500), { kind: "unclear", unsent: false, reason: "status_500" }],
    ["408", answered(408), { kind: "unclear", unsent: false, reason: "status_408" }],
    ["302", answered(302), { kind: "unclear", unsent: false, reason: "status_302" }],
  ])("%s", (_, outcome, expected) => {
    expect(outcome).toEqual(expected);
  });

  test("that did not come is unclear, unless nothing was sent", () => {
    const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });
    expect(noAnswerOutcome(new NoAnswerError(false, reset))).toEqual({
      kind: "unclear",
      unsent: false,
      reason: "ECONNRESET",
    });
    expect(noAnswerOutcome(new NoAnswerError(true, undefined))).toMatchObject({ unsent: true });
  });
});

describe("a repeated callback", () => {
  const lost: AnswerOutcome = { kind: "unclear", unsent: false, reason: "status_500" };
  const unsent: AnswerOutcome = { ...lost, unsent: true };
  const elsewhere: AnswerOutcome = { kind: "answered_elsewhere" };
  const unknown: AnswerOutcome = { kind: "expired", code: 10062 };
  const token: AnswerOutcome = { kind: "expired", code: 50027 };

  test.each<[AnswerOutcome, AnswerOutcome, AnswerOutcome]>([
    [lost, elsewhere, { kind: "accepted" }],
    [lost, unknown, { kind: "accepted", presumed: true }],
    [lost, token, token],
    [lost, lost, lost],
    [unsent, elsewhere, elsewhere],
    [unsent, unknown, unknown],
    [{ kind: "throttled", retryAfterMs: 5 }, elsewhere, elsewhere],
  ])("after %o that ends in %o ended in %o", (first, second, expected) => {
    expect(repeatedCallbackOutcome(first, second)).toEqual(expected);
  });
});

describe("another try", () => {
  const unclear: AnswerOutcome = { kind: "unclear", unsent: false, reason: "x" };
  const throttled = (retryAfterMs: number): AnswerOutcome => ({ kind: "throttled", retryAfterMs });

  test.each<[AnswerOutcome, number | undefined, number | undefined]>([
    [unclear, 0, 2_000],
    [throttled(300), 300, 300],
    [throttled(5_000), undefined, 5_000],
    [throttled(600_000), undefined, undefined],
    [{ kind: "accepted" }, undefined, undefined],
    [{ kind: "expired", code: 10062 }, undefined, undefined],
    [{ kind: "refused", status: 400, code: 50035 }, undefined, undefined],
    [{ kind: "answered_elsewhere" }, undefined, undefined],
  ])(
    "after %o waits %s ms for a callback and %s ms for a second edit",
    (outcome, callback, edit) => {
      expect(callbackPauseMs(outcome)).toBe(callback);
      expect(editPauseMs(outcome, 2)).toBe(edit);
    },
  );
});
