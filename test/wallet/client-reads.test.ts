import { describe, expect, test } from "vitest";
import { noMetrics } from "#src/shared/metrics.ts";
import { Secret } from "#src/shared/secret.ts";
import { type Answer, bytes, hang, reset, startAnsweringServer } from "./answering-server.ts";
import { calls, kindOf } from "./calls.ts";
import {
  connectTo,
  API_KEY,
  connectClient,
  connectPatientClient,
  DAY,
  fixture,
  NO_WAIT,
  walletErrorOf,
  walletKey,
} from "./wallet-setup.ts";

const GOOD: Answer = { body: fixture("sales-report") };
const LENGTH = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 999\r\n";

const HUGE = fixture("sales-report").replace("{", `{"x":"${"x".repeat(5 << 20)}",`);

const failsWith = (status: number): Answer => ({ status, body: '{"success":false}' });

describe("a read", () => {
  test("asks for a day as the service writes it, with the key and without compression", async () => {
    const { server, client } = await connectTo(GOOD);
    await client.salesReport(walletKey(), DAY, "interactive");
    const [request] = server.received;

    expect(request).toMatchObject({
      method: "GET",
      path: "/v1/sales/report?date=14%2F03%2F2025",
      headers: { authorization: `Bearer ${API_KEY}`, accept: "application/json" },
      body: "",
    });
    expect(request?.headers).not.toHaveProperty("accept-encoding");
    expect(request?.headers).not.toHaveProperty("content-type");
  });

  test("goes below the path of the base address, with or without a final slash", async () => {
    const server = await startAnsweringServer(GOOD);
    for (const base of ["/carteira", "/carteira/"]) {
      const { client } = connectClient(server.baseUrl + base);
      await client.salesReport(walletKey(), DAY, "interactive");
    }

    expect(server.received.map(({ path }) => path)).toEqual(
      Array.from({ length: 2 }, () => "/carteira/v1/sales/report?date=14%2F03%2F2025"),
    );
  });

  test("of another day's report is malformed: it would be posted under the wrong date", async () => {
    const { client } = await connectTo(GOOD);
    const nextDay = DAY.add({ days: 1 });

    const error = await walletErrorOf(client.salesReport(walletKey(), nextDay, "background"));

    expect(error).toMatchObject({ kind: "malformed", status: 200, requestId: "req_example" });
  });

  test("leaves its connection to a later one", async () => {
    const { server, client } = await connectTo(GOOD);
    for (let n = 0; n < 5; n += 1) await calls.salesReport(client, walletKey());

    // Two connections may alternate, because a connection becomes free a moment after its answer.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test("of an account whose key cannot be sent is refused without a call", async () => {
    const { server, client } = await connectTo(GOOD);
    const key = { apiKey: new Secret("sk\r\nx-evil: 1"), fingerprint: "f" };

    const error = await walletErrorOf(client.salesReport(key, DAY, "interactive"));

    expect(error).toMatchObject({ kind: "unauthorized", status: undefined });
    expect(server.received).toEqual([]);
  });

  test("of a service that nobody runs is unreachable", async () => {
    const { client } = connectClient("http://127.0.0.1:1");

    const error = await walletErrorOf(calls.salesReport(client, walletKey()));

    expect(error).toMatchObject({ kind: "unreachable", status: undefined, requestId: undefined });
  });
});

/** Levels of the log. */
const [INFO, WARN] = [30, 40];

describe("a read that fails", () => {
  test.each<readonly [string, Answer, string]>([
    ["a 500", failsWith(500), "unavailable"],
    ["a 502 in HTML", { status: 502, body: "<html>" }, "unavailable"],
    ["a 503", failsWith(503), "unavailable"],
    ["a 504", failsWith(504), "unavailable"],
    ["a reset connection", reset, "unavailable"],
    ["an end without an answer", bytes(""), "unavailable"],
    ["a body that is cut off", bytes(`${LENGTH}\r\n{"success":true`), "unavailable"],
  ])(
    "with %s is tried three times, and succeeds if the third does",
    async (_name, answer, kind) => {
      const failing = await connectTo(answer);
      const recovering = await connectTo(answer, answer, GOOD);
      const error = await walletErrorOf(calls.salesReport(failing.client, walletKey()));

      expect(error.kind).toBe(kind);
      expect(failing.server.received.length).toBe(3);
      expect(await calls.salesReport(recovering.client, walletKey())).toHaveProperty("total");
      expect(recovering.server.received.length).toBe(3);
    },
  );

  test("is a warning only by its last try", async () => {
    const levels = async (...answers: readonly Answer[]) => {
      const { client, logged } = await connectTo(...answers);
      await calls.salesReport(client, walletKey()).catch(() => {});
      return [...logged().matchAll(/"level":(\d+)/g)].map(([, level]) => Number(level));
    };

    expect(await levels(failsWith(502))).toEqual([INFO, INFO, WARN]);
    expect(await levels(failsWith(502), GOOD)).toEqual([INFO, INFO]);
  });

  test.each<readonly [string, Answer, string]>([
    ["a 401", failsWith(401), "unauthorized"],
    ["a 403", failsWith(403), "forbidden"],
    ["a 404", failsWith(404), "not_found"],
    ["a 409", failsWith(409), "conflict"],
    ["a redirect", { status: 307, headers: { location: "/v1/balance" } }, "malformed"],
    ["HTML instead of JSON", { body: "<!doctype html>" }, "malformed"],
    ["no HTTP at all", bytes("220 mail.example ESMTP\r\n\r\n"), "malformed"],
    ["an endless header", bytes(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(20_000)}`), "malformed"],
    ["a report with 5 MiB more", { body: HUGE }, "malformed"],
    [
      "a compressed body",
      { headers: { "content-encoding": "gzip" }, body: "\x1f\x8b" },
      "malformed",
    ],
  ])("with %s is tried once only", async (_name, answer, kind) => {
    const { server, client } = await connectTo(answer);

    const error = await walletErrorOf(calls.salesReport(client, walletKey()));

    expect(error.kind).toBe(kind);
    expect(server.received.length).toBe(1);
  });

  test.each<readonly [string, Answer, boolean]>([
    ["a challenge in HTML", { status: 403, body: "<!doctype html>" }, true],
    ["a plain text", { status: 403, body: "error code: 1020" }, true],
    ["a maintenance page", { status: 200, body: "<html>" }, true],
    ["a redirect", { status: 302, headers: { location: "/" } }, true],
    ["JSON of another form", { body: '{"success":true,"balances":[]}' }, false],
    ["a refusal", failsWith(403), false],
    ["a missing key", { status: 401, body: "Unauthorized" }, false],
    ["too many requests", { status: 429, body: "later" }, false],
  ])("with %s is foreign: %j", async (_name, answer, isForeign) => {
    const { client } = await connectTo(answer);

    const error = await walletErrorOf(client.balance(walletKey(), "background"));

    expect(error.isForeign).toBe(isForeign);
  });

  test("keeps the request id when only the body was lost", async () => {
    const { client } = await connectTo(bytes(`${LENGTH}x-request-id: req_7\r\n\r\n{`));

    const error = await walletErrorOf(calls.salesReport(client, walletKey()));

    expect(error).toMatchObject({ status: 200, requestId: "req_7" });
  });
});

describe("the deadline of a read", () => {
  const drip: Answer = (socket) => {
    socket.write(`${LENGTH}\r\n`);
    const dripping = setInterval(() => socket.write(" "), 10);
    socket.on("close", () => {
      clearInterval(dripping);
    });
  };
  const stall: Answer = (socket) => {
    socket.write(`${LENGTH}\r\n{`);
  };

  test.each<readonly [string, Answer]>([
    ["says nothing", hang],
    ["stops in its body", stall],
    ["sends a byte at a time", drip],
  ])("ends one whose service %s, with its retries", async (_name, answer) => {
    const server = await startAnsweringServer(answer);
    const { client, pastDeadline } = connectPatientClient(server);

    const call = walletErrorOf(calls.salesReport(client, walletKey()));
    await pastDeadline();
    const error = await call;

    expect(error.kind).toBe("timeout");
    expect(server.received.length).toBe(1);
  });

  test("leaves time for a retry when an answer takes too long to begin", async () => {
    const server = await startAnsweringServer(hang, GOOD);
    const { client } = connectClient(server.baseUrl, { readHeadersTimeoutMs: 100 });

    expect(await calls.salesReport(client, walletKey())).toHaveProperty("total");
    expect(server.received.length).toBeGreaterThan(1);
  });
});

const throttled = (retryAfter: unknown, headers = {}): Answer => ({
  status: 429,
  headers,
  body: JSON.stringify({ retryAfter }),
});

describe("a read that the service throttles", () => {
  test("puts its whole account on hold, and no other", async () => {
    const { server, client } = await connectTo(throttled(0, { "retry-after": "600" }), GOOD);
    const key = walletKey("held");
    await walletErrorOf(client.disputeSummary(key, "interactive"));

    const error = await walletErrorOf(client.salesReport(key, DAY, "money"));
    expect(error).toMatchObject({ kind: "rate_limited", status: undefined });
    expect(error.retryAfterMs).toBeGreaterThan(590_000);
    expect(server.received.length).toBe(1);
    expect(await client.salesReport(walletKey(), DAY, "money")).toHaveProperty("total");
  });
});

describe("our own pacing", () => {
  test("counts retries too", async () => {
    const server = await startAnsweringServer({ status: 500 });
    const { client } = connectClient(server.baseUrl, NO_WAIT);
    const key = walletKey("busy");
    for (let n = 0; n < 4; n += 1) await walletErrorOf(client.salesReport(key, DAY, "interactive"));

    expect(server.received.length).toBe(8);
  });

  test("turns away who waits when the client closes", async () => {
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl, { sharedReadMs: 0 });
    const key = walletKey("busy");
    const many = Array.from({ length: 9 }, () => client.salesReport(key, DAY, "interactive"));
    await Promise.all(many.slice(0, 8));
    await client.close();

    expect(await walletErrorOf(many[8] ?? Promise.resolve())).toMatchObject({
      kind: "unavailable",
    });
  });
});

describe("identical reads of one account at the same time", () => {
  test("cost one call", async () => {
    const { server, client } = await connectTo(GOOD);
    const key = walletKey();
    await Promise.all([1, 2, 3].map(() => client.salesReport(key, DAY, "interactive")));
    await client.salesReport(key, DAY, "interactive");

    expect(server.received.length).toBe(1);
  });

  test("cost one each when a job asks, as one that a call wakes must not read an answer from before the call", async () => {
    const { server, client } = await connectTo(GOOD);
    const key = walletKey();
    await client.salesReport(key, DAY, "background");
    await client.salesReport(key, DAY, "background");

    expect(server.received.length).toBe(2);
  });

  test("cost one each when they are about money, of other days or of other accounts", async () => {
    const { server, client } = await connectTo(GOOD);
    const key = walletKey();
    await client.salesReport(key, DAY, "money");
    await client.salesReport(key, DAY, "money");
    await client.salesReport(key, DAY, "interactive");
    await client.salesReport(walletKey(), DAY, "interactive");
    await walletErrorOf(client.salesReport(key, DAY.add({ days: 1 }), "interactive"));

    expect(server.received.length).toBe(5);
  });
});

test("every operation is counted once, by how it ended", async () => {
  const counted: string[] = [];
  const server = await startAnsweringServer({ status: 500 }, GOOD, { status: 401 });
  const metrics = {
    ...noMetrics,
    walletCall: (route: string, outcome: string) => void counted.push(`${route} ${outcome}`),
  };
  const { client } = connectClient(server.baseUrl, {}, metrics);
  await calls.salesReport(client, walletKey());
  await walletErrorOf(calls.transaction(client, walletKey()));

  expect(counted).toEqual(["/v1/sales/report ok", "/v1/transactions/{txid} unauthorized"]);
});

const outcome = async (status: number, body: unknown) => {
  const { client } = await connectTo({ status, body: JSON.stringify(body) });
  const call = calls.balance(client, walletKey());
  const kind = await kindOf(call);
  return kind === "value" ? await call : kind;
};

describe("a balance", () => {
  test.each([
    [1_834.72, 183_472],
    [0, 0],
    [-12.5, -1_250],
    ["1834.72", 183_472],
    ["1834,7", 183_470],
    ["10", 1_000],
    ["-0.05", -5],
    ["-0", 0],
    // Rule 13: a third decimal is rounded, once.
    [57.144, 5_714],
    [10.005, 1_001],
  ])("of %j is %d centavos", async (available, amount) => {
    expect(await outcome(200, { success: true, balance: { available } })).toEqual({
      available: amount,
    });
  });

  test.each([1e12, "10.005", "1.834,72", "R$ 10,00", "", " 10", "1e3", null, true, {}])(
    "of %j is none that can be shown",
    async (available) => {
      expect(await outcome(200, { success: true, balance: { available } })).toBe("malformed");
    },
  );

  test("is read without `success`, which the document does not show here", async () => {
    expect(await outcome(200, { balance: { available: 5 } })).toEqual({ available: 500 });
  });

  test.each([
    [200, { success: false, message: "Não.", balance: { available: 5 } }, "refused"],
    [200, { success: "true", balance: { available: 5 } }, "malformed"],
    [200, { error: "Not Found", message: "Não.", balance: { available: 5 } }, "not_found"],
    [200, { available: 5 }, "malformed"],
    [200, [{ balance: { available: 5 } }], "malformed"],
    [404, { error: "Not Found", message: "Não." }, "not_found"],
    [500, { balance: { available: 5 } }, "unavailable"],
  ])("with %d is not taken from %j: %s", async (status, body, kind) => {
    expect(await outcome(status, body)).toBe(kind);
  });
});
