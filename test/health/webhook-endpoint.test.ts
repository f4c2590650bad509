import { EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { request } from "undici";
import { type HealthServer, startHealthServer } from "#src/health/health.ts";
import { answerCall, endpointLimits } from "#src/health/webhook-endpoint.ts";
import { quietLog } from "../support/databases.ts";

const healthy = {
  loopLagMs: () => 3,
  probeWrite: async () => {},
  shardStates: async () => ({ ready: 1 }),
  recentInteractions: () => ({ stale: 0, fresh: 0 }),
  metricsPage: async () => ({ contentType: "text/plain", body: "" }),
};
const TOKEN = "a".repeat(64);

let server: HealthServer;
let received: string[];
let isOpen: boolean;
const sockets: Socket[] = [];

beforeEach(async () => {
  received = [];
  isOpen = true;
  const receive = (token: string): void => {
    received.push(token);
  };
  const endpoint = {
    path: "/ganchos/",
    publicHost: "bot.example.com",
    isOpen: () => isOpen,
    receive,
  };
  server = await startHealthServer({ host: "127.0.0.1", port: 0 }, healthy, quietLog, endpoint);
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.stop();
});

/** A connection that may be cut. */
const open = (): Socket => {
  const socket = connect(server.port, "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  return socket;
};

const say = async (message: string): Promise<string> => {
  const socket = open();
  socket.end(message);
  const said = await text(socket);
  return said.replace(/^Date: .*\r\n/m, "");
};
const post = (path: string, headers = "", body = ""): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;

const statusOf = async (
  path: string,
  options: Partial<Parameters<typeof request>[1]> = {},
): Promise<number> => {
  const answer = await request(`http://127.0.0.1:${server.port}${path}`, options);
  await answer.body.dump();
  return answer.statusCode;
};

describe("calls", () => {
  test("get one answer, the same byte for byte, whatever they say", async () => {
    const answers = [
      await say(post(`/ganchos/${TOKEN}`)),
      await say(post("/ganchos/")),
      await say(post("/ganchos/../metrics")),
      await say(post(`/ganchos/${"x".repeat(5_000)}`, "", "{ not json")),
      await say(post(`/ganchos/${TOKEN}?a=1`, "Content-Type: text/html\r\n", "<b>")),
    ];
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^HTTP\/1\.1 202 Accepted\r\n/);
    expect(received).toEqual([TOKEN, "", "../metrics", "x".repeat(5_000), `${TOKEN}?a=1`]);
  });

  test("get another one, the same for all, while the bot starts or stops, and are not handed over", async () => {
    isOpen = false;
    const answers = [
      await say(post(`/ganchos/${TOKEN}`)),
      await say(post("/ganchos/", "", "{ not json")),
    ];
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(received).toEqual([]);
  });

  test("are handed over only after their answer has been written", () => {
    const done: string[] = [];
    const response = new EventEmitter() as ServerResponse;
    response.writeHead = (status: number) => (done.push(`head ${status}`), response);
    response.end = () => (done.push("end"), response);
    const asked = { url: `/ganchos/${TOKEN}`, method: "POST", headers: {} } as IncomingMessage;
    const receive = (token: string): void => void done.push(token);
    const endpoint = { path: "/ganchos/", publicHost: undefined, isOpen: () => true, receive };
    expect(answerCall(endpoint, asked, response)).toBe(true);
    expect(done).toEqual(["head 202", "end"]);
    response.emit("close");
    expect(done).toEqual(["head 202", "end", TOKEN]);
  });

  test("by another method than POST are refused, and wake nothing", async () => {
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"] as const)
      expect(await statusOf(`/ganchos/${TOKEN}`, { method })).toBe(405);
    expect(received).toEqual([]);
  });

  test("do not exist where no public address is set", async () => {
    const closed = await startHealthServer({ host: "127.0.0.1", port: 0 }, healthy, quietLog);
    const url = `http://127.0.0.1:${closed.port}/ganchos/${TOKEN}`;
    const { statusCode, body } = await request(url, { method: "POST" });
    await body.dump();
    await closed.stop();
    expect(statusCode).toBe(404);
  });

  test("with a huge body are cut off soon after their answer", async () => {
    const socket = open();
    const WHOLE = 100 * 1024 * 1024;
    const piece = Buffer.alloc(64 * 1024);
    let said = "";
    let sent = 0;
    socket.on("data", (bytes: Buffer) => (said += bytes.toString()));
    socket.write(
      `POST /ganchos/${TOKEN} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${WHOLE}\r\n\r\n`,
    );
    // The answer comes before the body.
    await once(socket, "data");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const send = (): void => {
      while (!socket.destroyed && sent < WHOLE) {
        sent += piece.length;
        if (!socket.write(piece)) return;
      }
    };
    socket.on("drain", send);
    send();
    await closed;
    expect(said).toContain("202 Accepted");
    // What the machine's own buffers took, far from the whole.
    expect(sent).toBeLessThan(WHOLE / 4);
    expect(received).toEqual([TOKEN]);
  });

  test("with a huge body are answered also where the caller reads only after sending on", async () => {
    const socket = open().pause();
    socket.write(
      `POST /ganchos/${TOKEN} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999999\r\n\r\n`,
    );
    // Four times what the server reads: the rest waits in the machine's own buffers.
    for (let sent = 0; sent < 4; sent++) {
      await new Promise((resolve) => socket.write(Buffer.alloc(endpointLimits.bodyBytes), resolve));
      await setImmediate();
    }
    const closed = once(socket, "close").then(() => "");
    const said = once(socket, "data").then(([bytes]: Buffer[]) => bytes?.toString());
    socket.resume();
    expect(await Promise.race([said, closed])).toContain("202 Accepted");
    expect(received).toEqual([TOKEN]);
  });

  test("with a small body leave the connection open for the next one", async () => {
    const socket = open();
    const call = post(`/ganchos/${TOKEN}`, "", "{}").replace("Connection: close\r\n", "");
    for (let count = 1; count <= 3; count++) {
      socket.write(call);
      await once(socket, "data");
      await expect.poll(() => received.length).toBe(count);
    }
    expect(socket.destroyed).toBe(false);
  });
});

describe("strangers", () => {
  test("who come by the public address see no health page and no metrics", async () => {
    for (const path of ["/healthz", "/readyz", "/metrics", "/"]) {
      for (const headers of [
        { host: "bot.example.com" },
        { host: "BOT.example.com:443" },
        { host: "bot.example.com." },
        { "x-forwarded-host": "bot.example.com" },
        { "x-forwarded-host": "x, bot.example.com" },
        { host: "upstream", "x-forwarded-for": "203.0.113.9" },
        { host: "203.0.113.1", "X-Forwarded-Proto": "https" },
        { forwarded: "for=203.0.113.9" },
      ])
        expect(await statusOf(path, { headers })).toBe(404);
    }
    expect(await statusOf("/healthz")).toBe(200);
    expect(await statusOf("/metrics")).toBe(200);
  });

  test.each([
    "//ganchos/metrics",
    "//ganchos/readyz",
    "/%67anchos/..\\metrics",
    "/ganchos/../metrics",
    "/ganchos\\..\\healthz",
    "/%67anchos/%2e%2e/metrics",
    "/x/../healthz",
    "/./healthz",
    "toString",
    "http://x/metrics",
  ])("who write %s, of which their proxy makes a call, see no page", async (target) => {
    const said = await say(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(said).toMatch(/^HTTP\/1\.1 (?:400|404|405) /);
  });

  test("who hold more connections than there is room for lose the oldest, and keep no call out", async () => {
    const slow: Socket[] = [];
    for (let count = 0; count < endpointLimits.connections; count++) {
      const socket = open();
      await once(socket, "connect");
      socket.write("POST /ganchos/x HTTP/1.1\r\n");
      slow.push(socket);
    }
    const [oldest] = slow;
    const cut = once(oldest!, "close");
    expect(await say(post(`/ganchos/${TOKEN}`))).toContain("202 Accepted");
    await cut;
    expect(slow.at(-1)?.destroyed).toBe(false);
    expect(received).toEqual([TOKEN]);
  });
});
