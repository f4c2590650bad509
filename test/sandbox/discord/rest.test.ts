import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, FormData, request } from "undici";
import { expect, onTestFinished, test, vi } from "vitest";
import { createRecorder } from "#src/sandbox/recorder.ts";
import { ANA, APPLICATION, CHANNELS } from "#src/sandbox/world.ts";
import { createRateLimits } from "#src/sandbox/discord/rest/rate-limits.ts";
import { startPlainBot } from "./plain-bot.ts";
import { startDiscord } from "./running.ts";

/**
 * An own dispatcher: the process-wide default belongs to the undici copy that was loaded first, and an older copy
 * cannot send this form.
 */
const dispatcher = new Agent();

const PATH = `/channels/${CHANNELS.vendas.id}/messages`;

test("a request over the limit is told to wait, by its body and its headers", async () => {
  const { rest } = await startDiscord({ requestsPerSecond: 0 });
  const { status, body, headers } = await rest("GET", "/users/@me");
  expect(status).toBe(429);
  expect(body).toMatchObject({ global: true, message: "You are being rate limited." });
  expect(body["retry_after"]).toBeGreaterThan(0);
  expect(headers).toMatchObject({ "x-ratelimit-global": "true", "retry-after": "1" });
});

test("interaction endpoints do not count against the requests of a second", async () => {
  const running = await startDiscord({ requestsPerSecond: 5 });
  await startPlainBot(running, async ({ answer, edit }) => {
    await answer(5, {});
    await edit({ content: "pronto" });
  });
  const ana = running.discord.person(ANA.id);
  const ask = { channelId: CHANNELS.geral.id, name: "vendas" };
  const shown = await Promise.all(Array.from({ length: 30 }, () => ana.command(ask)));
  expect(shown.filter(({ kind }) => kind === "message")).toHaveLength(30);
});

test("the limit of a channel comes with its bucket's headers, and nothing is posted", async () => {
  const { rest, discord } = await startDiscord({ postsPerChannel: 0 });
  const { status, body, headers } = await rest("POST", PATH, { content: "oi" });
  expect(status).toBe(429);
  expect(body).toMatchObject({ global: false });
  expect(headers).toMatchObject({ "x-ratelimit-scope": "user", "x-ratelimit-remaining": "0" });
  expect(discord.messages(CHANNELS.vendas.id)).toEqual([]);
});

test("a route that is not served is named in the answer and on the console, and a body that is no JSON is refused", async () => {
  const { rest, discord } = await startDiscord();
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  for (const [method, path] of [
    ["GET", "/nothing"],
    ["PUT", "/users/@me"],
    ["PUT", "/channels/1/messages/2/reactions/x/@me"],
  ] as const) {
    const message = `The local Discord does not serve ${method} ${path}`;
    expect(await rest(method, path)).toMatchObject({ status: 404, body: { code: 0, message } });
    expect(logged).toHaveBeenLastCalledWith(message);
  }
  const response = await request(`${discord.apiUrl}/v10${PATH}`, {
    method: "POST",
    headers: { authorization: `Bot ${APPLICATION.token}`, "content-type": "application/json" },
    body: "{oops",
  });
  expect(await response.body.json()).toMatchObject({ code: 50109 });
});

test("a client that dies while it sends a request changes nothing and breaks nothing", async () => {
  const { discord, rest } = await startDiscord();
  const socket = connect(discord.port, "127.0.0.1");
  const auth = `authorization: Bot ${APPLICATION.token}`;
  const head = ["POST /api/v10" + PATH + " HTTP/1.1", "host: x", auth, "content-length: 999"];
  await new Promise((resolve) => socket.write(`${head.join("\r\n")}\r\n\r\n{"content":`, resolve));
  const closed = once(socket, "close");
  socket.resetAndDestroy();
  await closed;
  expect((await rest("GET", "/users/@me")).status).toBe(200);
  expect(discord.messages(CHANNELS.vendas.id)).toEqual([]);
});

test("the API is served with and without its version in the path", async () => {
  const { discord } = await startDiscord();
  for (const base of [discord.apiUrl, `${discord.apiUrl}/v10`]) {
    const response = await request(`${base}/gateway`);
    expect(await response.body.json()).toEqual({ url: `ws://127.0.0.1:${discord.port}/gateway` });
  }
});

test("every request is recorded as it went over the wire, files included", async () => {
  const folder = mkdtempSync(join(tmpdir(), "recorder-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "requests.jsonl");
  const recorder = createRecorder(file);
  const { rest, discord } = await startDiscord({ record: recorder.record });
  await rest("GET", `${PATH}?limit=1`);
  const form = new FormData();
  const embeds = [{ image: { url: "attachment://qr.png" } }];
  form.append("payload_json", JSON.stringify({ content: "QR", embeds }));
  form.append("files[0]", new Blob(["abc"], { type: "image/png" }), "qr.png");
  const bot = { authorization: `Bot ${APPLICATION.token}` };
  discord.setBotPermissions(CHANNELS.vendas.id, (1n << 15n) | 84_992n);
  const url = `${discord.apiUrl}/v10${PATH}`;
  const posted = await request(url, { method: "POST", headers: bot, body: form, dispatcher });
  expect(posted.statusCode).toBe(200);
  await recorder.close();
  const lines = readFileSync(file, "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { method: "GET", path: `/api/v10${PATH}?limit=1`, body: null, files: [] },
    {
      method: "POST",
      path: `/api/v10${PATH}`,
      body: { content: "QR", embeds },
      files: [{ field: "files[0]", index: 0, name: "qr.png", size: 3, type: "image/png" }],
    },
  ]);
  const [message] = discord.messages(CHANNELS.vendas.id);
  expect(message?.embeds[0]?.image?.url).toBe(message?.attachments[0]?.url);
});

test("the Date of an answer is the virtual clock's", async () => {
  const { rest, clock } = await startDiscord();
  clock.moveTo(Temporal.Instant.from("2031-02-03T04:05:06Z"));
  const { headers } = await rest("GET", "/users/@me");
  expect(headers["date"]).toMatch(/^Mon, 03 Feb 2031 04:05:/);
});

test("50 requests of a second pass, the 51st waits for the second's end", () => {
  let nowMs = 1_000;
  const limits = createRateLimits(50, 5, () => nowMs);
  for (let n = 0; n < 50; n++) limits.spend();
  nowMs += 400;
  expect(limits.spend).toThrow(
    expect.objectContaining({ status: 429, fields: { retry_after: 0.6, global: true } }),
  );
  nowMs += 600;
  expect(limits.spend).not.toThrow();
});

test("5 posts to a channel pass in 5 seconds, whatever other channels get", () => {
  let nowMs = 1_000;
  const limits = createRateLimits(50, 5, () => nowMs);
  const remaining = (channelId: string) => limits.spendPost(channelId)["x-ratelimit-remaining"];
  expect(Array.from({ length: 5 }, () => remaining("a"))).toEqual(["4", "3", "2", "1", "0"]);
  nowMs += 1_500;
  expect(() => remaining("a")).toThrow(
    expect.objectContaining({ status: 429, fields: { retry_after: 3.5, global: false } }),
  );
  expect(remaining("b")).toBe("4");
  nowMs += 3_500;
  expect(remaining("a")).toBe("4");
});
