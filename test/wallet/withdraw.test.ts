import type { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cents, centsFromReais } from "#src/shared/money.ts";
import { noMetrics } from "#src/shared/metrics.ts";
import { Secret } from "#src/shared/secret.ts";
import { withdrawal } from "#src/wallet/withdraw.ts";
import { type Answer, bytes, hang, reset, startAnsweringServer } from "./answering-server.ts";
import { calls, moneyCalls, moneyNames } from "./calls.ts";
import {
  connectTo,
  API_KEY,
  connectClient,
  connectPatientClient,
  fixture,
  walletKey,
} from "./wallet-setup.ts";
import { createVirtualTimers } from "./virtual-timers.ts";

const GOOD: Answer = { body: fixture("split-withdraw.normal") };

const readRequest = (name: string): Record<string, unknown> => JSON.parse(fixture(name));

const NOTHING_SENT = { state: "not_sent", reason: "invalid_request", retryAfterMs: undefined };

describe("a split withdrawal", () => {
  const splitRequest = (name: string, turbo: boolean) => {
    const { recipientUserId, pixKey } = readRequest(name);
    return { recipientUserId: String(recipientUserId), pixKey: String(pixKey), turbo };
  };

  test.each([
    ["split-withdraw.request.turbo", true],
    ["split-withdraw.request.normal", false],
  ])("sends exactly the documented body of %s", async (name, turbo) => {
    const { server, client } = await connectTo(GOOD);
    await client.splitWithdraw(walletKey(), splitRequest(name, turbo));

    expect(server.received).toMatchObject([
      {
        method: "POST",
        path: "/v1/split/withdraw",
        headers: { authorization: `Bearer ${API_KEY}`, "content-type": "application/json" },
      },
    ]);
    expect(JSON.parse(server.received[0]?.body ?? "")).toEqual(readRequest(name));
  });

  test("says that it is turbo where the document would take its silence for that", async () => {
    const { server, client } = await connectTo(GOOD);
    const name = "split-withdraw.request.turbo-by-default";
    await client.splitWithdraw(walletKey(), splitRequest(name, true));

    expect(JSON.parse(server.received[0]?.body ?? "")).toEqual({
      ...readRequest(name),
      turbo: true,
    });
  });

  test("to anything but a user id is not sent", async () => {
    const { server, client } = await connectTo(GOOD);
    const notAnId = fc.string().filter((text) => !/^\d{17,20}$/.test(text));

    await fc.assert(
      fc.asyncProperty(notAnId, async (recipientUserId) => {
        const request = { recipientUserId, pixKey: "chave", turbo: false };
        expect(await client.splitWithdraw(walletKey(), request)).toMatchObject(NOTHING_SENT);
      }),
    );
    expect(server.received).toEqual([]);
  });
});

describe("a withdrawal", () => {
  test.each([
    [1_000, true, '{"amount":10,"pixKey":"chave","turbo":true}'],
    [12_035, false, '{"amount":120.35,"pixKey":"chave","turbo":false}'],
    [2_910, false, '{"amount":29.1,"pixKey":"chave","turbo":false}'],
  ])("of %d centavos, turbo %s, sends %s", async (amount, turbo, body) => {
    const { server, client } = await connectTo(GOOD);
    await client.withdraw(walletKey(), { amount: cents(amount), pixKey: "chave", turbo });

    expect(server.received).toMatchObject([{ method: "POST", path: "/v1/withdraw", body }]);
  });

  test("never sends more than two decimals, nor another amount than was asked for", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e13 }), (amount) => {
        const { body } = withdrawal({ amount: cents(amount), pixKey: "chave", turbo: false });
        const [, text = ""] = /"amount":([^,]*),/.exec(body ?? "") ?? [];
        expect(text).toMatch(/^\d+(\.\d{1,2})?$/);
        expect(centsFromReais(Number(text))).toBe(amount);
      }),
    );
  });

  test.each([
    [0, "chave"],
    [-1_000, "chave"],
    [1e13 + 1, "chave"],
    [1_000, ""],
  ])("of %d centavos to %j is not sent", async (amount, pixKey) => {
    const { server, client } = await connectTo(GOOD);
    const request = { amount: cents(amount), pixKey, turbo: false };

    expect(await client.withdraw(walletKey(), request)).toMatchObject(NOTHING_SENT);
    expect(server.received).toEqual([]);
  });
});

describe.each([
  ["a cancellation", "cancelWithdrawal", "/v1/withdraw/cancel", "w7e20b8d5f31"],
  ["a refund", "refund", "/v1/refund", "a41f07c98e2d"],
] as const)("%s", (_, name, path, txid) => {
  test("names what it is of, and is accepted by success alone", async () => {
    const { server, client } = await connectTo({ body: '{"success":true}' });

    expect(await client[name](walletKey(), txid)).toEqual({
      state: "accepted",
      value: undefined,
      httpStatus: 200,
      requestId: "req_example",
    });
    const body = `{"txid":"${txid}"}`;
    expect(server.received).toMatchObject([{ method: "POST", path, body }]);
  });

  test.each(["", "..", "../meds", txid.replace("0", " ")])("of %j is not sent", async (wrong) => {
    const { server, client } = await connectTo(GOOD);

    expect(await client[name](walletKey(), wrong)).toMatchObject(NOTHING_SENT);
    expect(server.received).toEqual([]);
  });
});

describe("a refund", () => {
  test("answered without success is of unknown outcome, though it names the payment", async () => {
    const { client } = await connectTo({ body: '{"refund":{"txid":"a41f07c98e2d"}}' });
    expect(await client.refund(walletKey(), "a41f07c98e2d")).toHaveProperty("state", "unknown");
  });

  test("waits for its turn before what is read last, and hardly after it", async () => {
    const server = await startAnsweringServer({ body: '{"success":true}' });
    const timers = createVirtualTimers();
    const { client } = connectClient(server.baseUrl, {}, noMetrics, timers);
    const key = walletKey();
    const paced = { state: "not_sent", reason: "paced" };
    await client.refund(key, "a1");
    await client.refund(key, "a2");
    timers.advance(22_000);

    let isFree = false;
    const turn = client.refundTurn(key).then(() => (isFree = true));
    expect(await client.refund(key, "a3")).toMatchObject(paced);
    await timers.pass(8_999);
    expect(isFree).toBe(false);
    await timers.pass(1);
    await turn;
    expect(await client.refund(key, "a3")).toHaveProperty("state", "accepted");
    expect(server.received).toHaveLength(3);
  });

  test("waits no longer than two seconds between what is read last and its request", async () => {
    const server = await startAnsweringServer({ body: '{"success":true}' });
    const timers = createVirtualTimers();
    const { client } = connectClient(server.baseUrl, {}, noMetrics, timers);
    const key = walletKey();
    await client.refund(key, "a1");
    await client.refund(key, "a2");
    timers.advance(31_000 - 2_001);

    const early = client.refund(key, "a3");
    timers.advance(1);
    const last = client.refund(key, "a4");
    await timers.pass(2_000);
    expect(await early).toMatchObject({ state: "not_sent", reason: "paced" });
    expect(await last).toHaveProperty("state", "accepted");
    expect(server.received).toHaveLength(3);
  });
});

describe.each(moneyNames)("%s", (name) => {
  test("uses a connection of its own", async () => {
    const { server, client } = await connectTo(GOOD);
    for (let n = 0; n < 4; n += 1) await moneyCalls[name](client, walletKey());

    expect(server.connections()).toBe(4);
  });

  test("S21: goes through at once while eight of other accounts hang", async () => {
    const held: Socket[] = [];
    const eight = Promise.withResolvers<void>();
    const hold: Answer = (socket) => {
      if (held.push(socket) === 8) eight.resolve();
    };
    const { client } = await connectTo(...Array.from({ length: 8 }, () => hold), GOOD);
    const hanging = Array.from({ length: 8 }, () => moneyCalls[name](client, walletKey()));
    await eight.promise;

    expect(await moneyCalls[name](client, walletKey())).toHaveProperty("state", "accepted");

    for (const socket of held) socket.destroy();
    const states = (await Promise.all(hanging)).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(["unknown"]));
  });

  test("with a key that no header carries is not sent", async () => {
    const { server, client } = await connectTo(GOOD);
    const key = { ...walletKey(), apiKey: new Secret("chave com\nquebra") };

    expect(await moneyCalls[name](client, key)).toMatchObject(NOTHING_SENT);
    expect(server.received).toEqual([]);
  });
});

test("a txid alone is an acceptance: the money is on its way", async () => {
  const { client } = await connectTo({
    body: '{"success":true,"withdrawal":{"txid":"SW1","amount":"?","estimatedProcessingAt":{}}}',
  });

  expect(await calls.splitWithdraw(client, walletKey())).toMatchObject({
    state: "accepted",
    value: { txid: "SW1", amount: undefined, estimatedProcessingAt: undefined },
  });
});

const LENGTH = "HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n";

/** Answers that leave the outcome open, and the error code stored for each. */
const uncertain: Readonly<Record<string, readonly [Answer, string | RegExp]>> = {
  "a 500": [{ status: 500 }, "HTTP_500"],
  "a 503 that says when": [{ status: 503, headers: { "retry-after": "1" } }, "HTTP_503"],
  "a 408": [{ status: 408 }, "HTTP_408"],
  "a 425": [{ status: 425 }, "HTTP_425"],
  "a 307": [{ status: 307, headers: { location: "/v1/split/withdraw" } }, "HTTP_307"],
  "a 308": [{ status: 308, headers: { location: "/v1/withdraw" } }, "HTTP_308"],
  "a 303": [{ status: 303, headers: { location: "/v1/withdrawals" } }, "HTTP_303"],
  "a reset after processing": [reset, "ECONNRESET"],
  "a clean end without an answer": [bytes(""), "UND_ERR_SOCKET"],
  "an answer that is no HTTP": [bytes("?\r\n\r\n"), "HTTPParserError"],
  "an endless header": [
    bytes(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(20_000)}`),
    /^(UND_ERR_HEADERS_OVERFLOW|HTTPParserError)$/,
  ],
  silence: [hang, "DEADLINE"],
  "a body that stalls": [(socket) => void socket.write(`${LENGTH}{`), "DEADLINE"],
  "a body that is cut off": [bytes(`${LENGTH}{"success":true`), "UND_ERR_SOCKET"],
  "a body that is too long": [
    { body: fixture("split-withdraw.turbo").replace("{", `{"x":"${"x".repeat(2 << 20)}",`) },
    "UND_ERR_RES_EXCEEDED_MAX_SIZE",
  ],
  "truncated JSON": [{ body: fixture("split-withdraw.turbo").slice(0, -9) }, "UNREADABLE_ANSWER"],
};

describe.each(moneyNames)("%s", (name) => {
  test.each(Object.keys(uncertain))(
    "that meets %s is sent once, and may have been carried out",
    async (fault) => {
      const [answer, code] = uncertain[fault] ?? [GOOD, ""];
      const server = await startAnsweringServer(answer, GOOD);
      const { client, pastDeadline } = connectPatientClient(server);

      const verdict = moneyCalls[name](client, walletKey());
      if (code === "DEADLINE") await pastDeadline();

      expect(await verdict).toMatchObject({
        state: "unknown",
        errorCode: typeof code === "string" ? code : expect.stringMatching(code),
      });
      expect(server.received.map(({ method }) => method)).toEqual(["POST"]);
    },
  );

  test("that is refused is sent once, and surely not carried out", async () => {
    const body = '{"success":false,"message":"Não."}';
    const { server, client } = await connectTo({ status: 422, body }, GOOD);

    expect(await moneyCalls[name](client, walletKey())).toMatchObject({
      state: "rejected",
      reason: "invalid",
      httpStatus: 422,
      requestId: "req_example",
      message: "Não.",
    });
    expect(server.received.map(({ method }) => method)).toEqual(["POST"]);
  });
});

test("a headers timeout of its own ends a withdrawal that gets no answer", async () => {
  const server = await startAnsweringServer(hang);
  const { client } = connectClient(server.baseUrl, { moneyHeadersTimeoutMs: 100 });

  expect(await moneyCalls.withdraw(client, walletKey())).toMatchObject({
    state: "unknown",
    errorCode: "UND_ERR_HEADERS_TIMEOUT",
  });
  expect(server.received.length).toBe(1);
});
