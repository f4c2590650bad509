import type { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { cents, centsFromReais } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { withdrawal } from "#src/wallet/withdraw.ts";
import { startAnsweringServer, type Answer } from "./answering-server.ts";
import { calls, moneyCalls, moneyNames } from "./calls.ts";
import { API_KEY, connectClient, fixture, walletKey } from "./wallet-setup.ts";

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
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
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
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
    const name = "split-withdraw.request.turbo-by-default";
    await client.splitWithdraw(walletKey(), splitRequest(name, true));

    expect(JSON.parse(server.received[0]?.body ?? "")).toEqual({
      ...readRequest(name),
      turbo: true,
    });
  });

  test("to anything but a user id is not sent", async () => {
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
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
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
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
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
    const request = { amount: cents(amount), pixKey, turbo: false };

    expect(await client.withdraw(walletKey(), request)).toMatchObject(NOTHING_SENT);
    expect(server.received).toEqual([]);
  });
});

describe("a cancellation", () => {
  test("names the withdrawal, and is accepted by success alone", async () => {
    const server = await startAnsweringServer({ body: '{"success":true}' });
    const { client } = connectClient(server.baseUrl);

    expect(await client.cancelWithdrawal(walletKey(), "w7e20b8d5f31")).toEqual({
      state: "accepted",
      value: undefined,
      httpStatus: 200,
      requestId: "req_example",
    });
    expect(server.received).toMatchObject([
      { method: "POST", path: "/v1/withdraw/cancel", body: '{"txid":"w7e20b8d5f31"}' },
    ]);
  });

  test.each(["", "..", "../meds", "w 7e20"])("of %j is not sent", async (txid) => {
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);

    expect(await client.cancelWithdrawal(walletKey(), txid)).toMatchObject(NOTHING_SENT);
    expect(server.received).toEqual([]);
  });
});

describe.each(moneyNames)("%s", (name) => {
  test("uses a connection of its own", async () => {
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
    for (let n = 0; n < 4; n += 1) await moneyCalls[name](client, walletKey());

    expect(server.connections()).toBe(4);
  });

  test("S21: goes through at once while eight of other accounts hang", async () => {
    const held: Socket[] = [];
    const eight = Promise.withResolvers<void>();
    const hold: Answer = (socket) => {
      if (held.push(socket) === 8) eight.resolve();
    };
    const server = await startAnsweringServer(...Array.from({ length: 8 }, () => hold), GOOD);
    const { client } = connectClient(server.baseUrl);
    const hanging = Array.from({ length: 8 }, () => moneyCalls[name](client, walletKey()));
    await eight.promise;

    expect(await moneyCalls[name](client, walletKey())).toHaveProperty("state", "accepted");

    for (const socket of held) socket.destroy();
    const states = (await Promise.all(hanging)).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(["unknown"]));
  });

  test("with a key that no header carries is not sent", async () => {
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
    const key = { ...walletKey(), apiKey: new Secret("chave com\nquebra") };

    expect(await moneyCalls[name](client, key)).toMatchObject(NOTHING_SENT);
    expect(server.received).toEqual([]);
  });
});

test("a txid alone is an acceptance: the money is on its way", async () => {
  const server = await startAnsweringServer({
    body: '{"success":true,"withdrawal":{"txid":"SW1","amount":"?","requestedAt":{}}}',
  });
  const { client } = connectClient(server.baseUrl);

  expect(await calls.splitWithdraw(client, walletKey())).toMatchObject({
    state: "accepted",
    value: { txid: "SW1", amount: undefined, requestedAt: undefined },
  });
});
