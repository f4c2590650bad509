import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { bytes, hang, reset, startAnsweringServer, type Answer } from "./answering-server.ts";
import { calls } from "./calls.ts";
import { API_KEY, connectClient, fixture, walletErrorOf, walletKey } from "./wallet-setup.ts";

const GOOD: Answer = { body: fixture("split-withdraw.normal") };
const LENGTH = "HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n";

const readRequest = (name: string): Record<string, unknown> => JSON.parse(fixture(name));

const UNCERTAIN = ["unavailable", "timeout", "malformed"];

describe("a split withdrawal", () => {
  test.each(["split-withdraw.request.turbo", "split-withdraw.request.normal"])(
    "sends exactly the documented body of %s",
    async (name) => {
      const server = await startAnsweringServer(GOOD);
      const { client } = connectClient(server.baseUrl);
      const { recipientUserId, pixKey, turbo } = readRequest(name);
      const request = {
        recipientUserId: String(recipientUserId),
        pixKey: String(pixKey),
        turbo: turbo === true,
      };
      await client.splitWithdraw(walletKey(), request);

      expect(server.received).toMatchObject([
        {
          method: "POST",
          path: "/v1/split/withdraw",
          headers: { authorization: `Bearer ${API_KEY}`, "content-type": "application/json" },
        },
      ]);
      expect(JSON.parse(server.received[0]?.body ?? "")).toEqual(readRequest(name));
    },
  );

  test("says that it is turbo where the document would take its silence for that", async () => {
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
    const silent = readRequest("split-withdraw.request.turbo-by-default");
    const request = {
      recipientUserId: String(silent["recipientUserId"]),
      pixKey: String(silent["pixKey"]),
      turbo: true,
    };
    await client.splitWithdraw(walletKey(), request);

    expect(JSON.parse(server.received[0]?.body ?? "")).toEqual({ ...silent, turbo: true });
  });

  test.each<readonly [string, Answer]>([
    ["a 500", { status: 500 }],
    ["a 502 in HTML", { status: 502, body: "<html>" }],
    ["a 503", { status: 503, headers: { "retry-after": "1" } }],
    ["a 408", { status: 408 }],
    ["a 425", { status: 425 }],
    ["a redirect", { status: 307, headers: { location: "/v1/split/withdraw" } }],
    ["a reset", reset],
    ["a clean end without an answer", bytes("")],
    ["an answer that is no HTTP", bytes("?\r\n\r\n")],
    ["silence", hang],
    ["a body that never ends", (socket) => void socket.write(`${LENGTH}{`)],
    ["a body that is cut off", bytes(`${LENGTH}{"success":true`)],
    ["truncated JSON", { body: fixture("split-withdraw.turbo").slice(0, -9) }],
    ["no txid", { body: '{"success":true,"withdrawal":{}}' }],
    ["HTML with a 2xx", { body: "<html>" }],
    ["markup with a 400", { status: 400, body: "<html>" }],
  ])("that meets %s is sent once, and may have been carried out", async (_name, answer) => {
    const server = await startAnsweringServer(answer, GOOD);
    const { client } = connectClient(server.baseUrl, { moneyDeadlineMs: 500, retryBaseMs: 0 });

    const error = await walletErrorOf(calls.splitWithdraw(client, walletKey()));

    expect(UNCERTAIN).toContain(error.kind);
    expect(server.received.length).toBe(1);
  });

  test.each<readonly [number, string]>([
    [400, "invalid_request"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "not_found"],
    [409, "conflict"],
    [422, "invalid_request"],
    [429, "rate_limited"],
  ])("that is refused with %d is sent once, and refused: %s", async (status, kind) => {
    const server = await startAnsweringServer({ status, body: '{"success":false}' }, GOOD);
    const { client } = connectClient(server.baseUrl);

    const error = await walletErrorOf(calls.splitWithdraw(client, walletKey()));

    expect(error).toMatchObject({ kind, status, requestId: "req_example", method: "POST" });
    expect(server.received.length).toBe(1);
  });

  test("that finds nobody was never sent", async () => {
    const { client } = connectClient("http://127.0.0.1:1");

    const error = await walletErrorOf(calls.splitWithdraw(client, walletKey()));

    expect(error.kind).toBe("unreachable");
  });

  test("uses a connection of its own", async () => {
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
    for (let n = 0; n < 4; n += 1) await calls.splitWithdraw(client, walletKey());

    expect(server.connections()).toBe(4);
  });

  test("waits for no connection beyond its deadline, and then never leaves", async () => {
    const server = await startAnsweringServer(hang);
    const { client } = connectClient(server.baseUrl, { moneyDeadlineMs: 500 });
    const many = Array.from({ length: 6 }, () => calls.splitWithdraw(client, walletKey()));
    const kinds = await Promise.all(many.map(async (call) => (await walletErrorOf(call)).kind));
    await client.close();

    expect(kinds.filter((kind) => kind === "timeout").length).toBe(4);
    expect(kinds.filter((kind) => kind === "unreachable").length).toBe(2);
    expect(server.received.length).toBe(4);
  });

  test("of one account follows another no sooner than half a minute", async () => {
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
    const key = walletKey("withdrawing");
    await calls.splitWithdraw(client, key);

    const error = await walletErrorOf(calls.splitWithdraw(client, key));

    expect(error).toMatchObject({ kind: "rate_limited", status: undefined });
    expect(error.retryAfterMs).toBeGreaterThan(29_000);
    expect(server.received.length).toBe(1);
  });

  test("is accepted with a txid alone: the money is on its way", async () => {
    const server = await startAnsweringServer({
      body: '{"success":true,"withdrawal":{"txid":"SW1","amount":"?","requestedAt":{}}}',
    });
    const { client } = connectClient(server.baseUrl);

    expect(await calls.splitWithdraw(client, walletKey())).toMatchObject({
      kind: "accepted",
      withdrawal: { txid: "SW1", amount: undefined, requestedAt: undefined },
    });
  });

  test("to anything but a user id is refused without a call", async () => {
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
    const notAnId = fc.string().filter((text) => !/^\d{17,20}$/.test(text));

    await fc.assert(
      fc.asyncProperty(notAnId, async (recipientUserId) => {
        const request = { recipientUserId, pixKey: "chave", turbo: false };
        const error = await walletErrorOf(client.splitWithdraw(walletKey(), request));
        expect(error.kind).toBe("invalid_request");
      }),
    );
    expect(server.received).toEqual([]);
  });
});
