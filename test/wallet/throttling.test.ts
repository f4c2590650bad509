import { describe, expect, test } from "vitest";

import { startAnsweringServer, type Answer } from "./answering-server.ts";
import { calls } from "./calls.ts";
import { connectClient, DAY, fixture, walletErrorOf, walletKey } from "./wallet-setup.ts";

const GOOD: Answer = { body: fixture("sales-report") };

const throttled = (retryAfter: unknown, headers = {}): Answer => ({
  status: 429,
  headers,
  body: JSON.stringify({ retryAfter }),
});

describe("a read that the service throttles", () => {
  test("fails at once, with the wait, when that is too long for a person", async () => {
    const server = await startAnsweringServer(throttled(30));
    const { client } = connectClient(server.baseUrl);

    const error = await walletErrorOf(calls.salesReport(client, walletKey()));

    expect(error).toMatchObject({ kind: "rate_limited", status: 429, retryAfterMs: 30_000 });
    expect(error.requestId).toBe("req_example");
    expect(server.received.length).toBe(1);
  });

  test("puts its whole account on hold, and no other", async () => {
    const server = await startAnsweringServer(throttled(0, { "retry-after": "600" }), GOOD);
    const { client } = connectClient(server.baseUrl);
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
  test("refuses what an account may not ask now without a call, and says for how long", async () => {
    const server = await startAnsweringServer(GOOD);
    const longestWaitMs = { money: 0, interactive: 0, background: 0 };
    const { client } = connectClient(server.baseUrl, { longestWaitMs, sharedReadMs: 0 });
    const key = walletKey("busy");
    const many = Array.from({ length: 12 }, () => client.salesReport(key, DAY, "interactive"));
    const outcomes = await Promise.allSettled(many);
    const refused = outcomes.filter(({ status }) => status === "rejected");

    expect(server.received.length).toBe(8);
    expect(refused.length).toBe(4);
    expect(refused[0]).toMatchObject({ reason: { kind: "rate_limited", status: undefined } });
  });

  test("counts retries too", async () => {
    const server = await startAnsweringServer({ status: 500 });
    const longestWaitMs = { money: 0, interactive: 0, background: 0 };
    const { client } = connectClient(server.baseUrl, {
      longestWaitMs,
      retryBaseMs: 0,
      sharedReadMs: 0,
    });
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
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
    const key = walletKey();
    await Promise.all([1, 2, 3].map(() => client.salesReport(key, DAY, "interactive")));
    await client.salesReport(key, DAY, "interactive");

    expect(server.received.length).toBe(1);
  });

  test("cost one each when they are about money, of other days or of other accounts", async () => {
    const server = await startAnsweringServer(GOOD);
    const { client } = connectClient(server.baseUrl);
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
    interaction: () => {},
    delivery: () => {},
    walletCall: (route: string, outcome: string) => void counted.push(`${route} ${outcome}`),
  };
  const { client } = connectClient(server.baseUrl, { retryBaseMs: 0 }, metrics);
  await calls.salesReport(client, walletKey());
  await walletErrorOf(calls.transaction(client, walletKey()));

  expect(counted).toEqual(["/v1/sales/report ok", "/v1/transactions/{txid} unauthorized"]);
});
