import { describe, expect, test } from "vitest";

import { startAnsweringServer, type Answer } from "./answering-server.ts";
import { calls, moneyCalls, moneyNames } from "./calls.ts";
import { connectClient, DAY, fixture, walletErrorOf, walletKey } from "./wallet-setup.ts";

const GOOD: Answer = { body: fixture("split-withdraw.normal") };

const NO_WAIT = { longestWaitMs: { money: 0, interactive: 0, background: 0 }, sharedReadMs: 0 };

describe("calls that move money of one account", () => {
  test.each(moneyNames.flatMap((first) => moneyNames.map((second) => [first, second] as const)))(
    "come at most two at once, and the third half a minute later: %s, then %s",
    async (first, second) => {
      const server = await startAnsweringServer(GOOD);
      const { client } = connectClient(server.baseUrl);
      const key = walletKey();
      await moneyCalls[first](client, key);
      await moneyCalls[first](client, key);

      const answer = await moneyCalls[second](client, key);

      expect(answer).toMatchObject({ state: "not_sent", reason: "paced", errorCode: "PACED" });
      expect("retryAfterMs" in answer && answer.retryAfterMs).toBeGreaterThan(29_000);
      expect(server.received.length).toBe(2);
    },
  );

  test("do not hold up another account", async () => {
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
    await calls.withdraw(client, walletKey());

    expect(await calls.splitWithdraw(client, walletKey())).toHaveProperty("state", "accepted");
  });

  test("count against the account's general quota, as reads do", async () => {
    const server = await startAnsweringServer(
      ...Array.from({ length: 8 }, () => ({ body: fixture("sales-report") })),
      GOOD,
    );
    const { client } = connectClient(server.baseUrl, NO_WAIT);
    const key = walletKey();
    for (let n = 0; n < 8; n += 1) await client.salesReport(key, DAY, "interactive");

    expect(await calls.withdraw(client, key)).toMatchObject({
      state: "not_sent",
      reason: "paced",
    });
    expect(server.received.length).toBe(8);
  });

  test("put the account on hold when they are throttled", async () => {
    const server = await startAnsweringServer({
      status: 429,
      body: fixture("error.too-many-requests"),
    });
    const { client } = connectClient(server.baseUrl, NO_WAIT);
    const key = walletKey();

    expect(await calls.withdraw(client, key)).toMatchObject({
      state: "rejected",
      reason: "rate_limited",
      retryAfterMs: 30_000,
    });
    const error = await walletErrorOf(client.salesReport(key, DAY, "money"));
    expect(error).toMatchObject({ kind: "rate_limited", status: undefined });
    expect(server.received.length).toBe(1);
  });
});

describe("a client that was closed", () => {
  test.each(moneyNames)("sends nothing more: %s", async (name) => {
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
    await client.close();

    expect(await moneyCalls[name](client, walletKey())).toEqual({
      state: "not_sent",
      reason: "closed",
      errorCode: "CLOSED",
      retryAfterMs: undefined,
    });
    expect(server.received).toEqual([]);
  });

  test("lets what was sent come to its end", async () => {
    let answerNow: (() => void) | undefined;
    const body = fixture("split-withdraw.normal");
    const arrived = Promise.withResolvers<void>();
    const server = await startAnsweringServer((socket) => {
      const length = Buffer.byteLength(body);
      answerNow = () => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${body}`);
      arrived.resolve();
    });
    const { client } = connectClient(server.baseUrl);
    const call = calls.splitWithdraw(client, walletKey());
    await arrived.promise;
    const closing = client.close();
    answerNow?.();

    expect(await call).toHaveProperty("state", "accepted");
    await closing;
  });
});

test("every call that moves money is counted once, by what became of it", async () => {
  const counted: string[] = [];
  const server = await startAnsweringServer(
    GOOD,
    GOOD,
    { status: 500 },
    { status: 422, body: '{"success":false,"message":"Não."}' },
  );
  const metrics = {
    interaction: () => {},
    delivery: () => {},
    walletCall: (route: string, outcome: string) => void counted.push(`${route} ${outcome}`),
  };
  const { client } = connectClient(server.baseUrl, {}, metrics);
  const key = walletKey();
  for (let n = 0; n < 3; n += 1) await calls.splitWithdraw(client, key);
  await calls.withdraw(client, walletKey());
  await calls.cancelWithdrawal(client, walletKey());

  expect(counted).toEqual([
    "/v1/split/withdraw ok",
    "/v1/split/withdraw ok",
    "/v1/split/withdraw not_sent",
    "/v1/withdraw unknown",
    "/v1/withdraw/cancel rejected",
  ]);
});

test("what money is judged by is read anew each time, however soon", async () => {
  const list = { body: JSON.stringify({ success: true, withdrawals: [] }) };
  const server = await startAnsweringServer(list, list);
  const { client } = connectClient(server.baseUrl);
  const key = walletKey();
  await client.withdrawals(key, "interactive");
  await client.withdrawals(key, "interactive");

  expect(server.received.length).toBe(2);
});
