import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { cents } from "#src/shared/money.ts";
import { type Metrics, noMetrics } from "#src/shared/metrics.ts";
import { Secret } from "#src/shared/secret.ts";
import { GENERAL_PACE } from "#src/wallet/client.ts";
import type { Call } from "#src/wallet/http.ts";
import { DEFAULT_LIMITS } from "#src/wallet/limits.ts";
import { createMoneySender } from "#src/wallet/send-money.ts";
import { createPacer } from "#src/wallet/pacing.ts";
import { withdrawal } from "#src/wallet/withdraw.ts";
import { createVirtualTimers } from "./virtual-timers.ts";
import { type Answer, startAnsweringServer } from "./answering-server.ts";
import { calls, moneyCalls, moneyNames, withdrawalNames } from "./calls.ts";
import {
  connectTo,
  connectClient,
  DAY,
  fixture,
  NO_WAIT,
  steadyClock,
  walletErrorOf,
  walletKey,
} from "./wallet-setup.ts";

const key = { apiKey: new Secret("sk_sandbox_ana_4f9b27c1d05e"), fingerprint: "account" };
const operation = withdrawal({ amount: cents(12_035), pixKey: "chave", turbo: false });
const body = '{"success":true,"withdrawal":{"txid":"w7e20b8d5f31"}}';

interface Parts {
  readonly call?: Call;
  readonly metrics?: Metrics;
  /** How long the process is frozen while it takes its turn. */
  readonly frozenMs?: number;
}

/** The real sender and pacers in virtual time; only the wire is a function. */
const setUp = ({ call, metrics = noMetrics, frozenMs }: Parts = {}) => {
  const timers = createVirtualTimers();
  const general = createPacer(GENERAL_PACE, timers);
  const withdrawals = createPacer({ perMinute: 2, burst: 1, backgroundHeadroom: 0 }, timers);
  const frozen = {
    take: () => {
      timers.advance(frozenMs ?? 0);
      return 0;
    },
    hold: () => {},
  };
  const sentAt: number[] = [];
  const answering: Call = async () => ({ complete: true, status: 200, headers: {}, body });
  const send = createMoneySender({
    call: async (...request) => {
      sentAt.push(timers.now());
      return (call ?? answering)(...request);
    },
    breaker: { note: () => {} },
    pacers: frozenMs === undefined ? [general, withdrawals] : [frozen],
    limits: DEFAULT_LIMITS,
    clock: steadyClock,
    timers,
    random: { bytes: (size) => new Uint8Array(size), fraction: () => 0 },
    log: pino({ level: "silent" }),
    metrics,
  });
  return { send, timers, general, withdrawals, sentAt };
};

describe("the wait of a call that moves money", () => {
  test.each([
    [4_000, 9_000, "accepted", [9_000]],
    [9_000, 10_000, "accepted", [10_000]],
    [9_000, 10_001, "not_sent", []],
    [10_001, 0, "not_sent", []],
  ])(
    "for both quotas together is ten seconds: held for %d and %d ms it is %s",
    async (generalMs, withdrawalsMs, state, sentAt) => {
      const set = setUp();
      set.general.hold(key.fingerprint, generalMs);
      if (withdrawalsMs > 0) set.withdrawals.hold(key.fingerprint, withdrawalsMs);
      const answer = set.send(operation, key);
      await set.timers.pass(60_000);

      expect(await answer).toHaveProperty("state", state);
      expect(set.sentAt).toEqual(sentAt);
    },
  );

  test("ends when the client is closed, with nothing sent", async () => {
    const set = setUp();
    set.withdrawals.hold(key.fingerprint, 9_000);
    const answer = set.send(operation, key);
    await set.timers.pass(1_000);
    set.withdrawals.close();

    expect(await answer).toMatchObject({ state: "not_sent", reason: "closed" });
    expect(set.sentAt).toEqual([]);
  });
});

describe("a fault of our own", () => {
  test("while a call moves money leaves open what became of it", async () => {
    const call = async () => {
      throw new TypeError("broke");
    };

    expect(await setUp({ call }).send(operation, key)).toEqual({
      state: "unknown",
      errorCode: "INTERNAL",
      httpStatus: undefined,
      requestId: undefined,
    });
  });

  test("after it does not take back what is known", async () => {
    const walletCall = () => {
      throw new TypeError("broke");
    };
    const answer = await setUp({ metrics: { ...noMetrics, walletCall } }).send(operation, key);

    expect(answer).toMatchObject({ state: "accepted", value: { txid: "w7e20b8d5f31" } });
  });
});

test.each([
  [10_000, "accepted", 1],
  [15_000, "not_sent", 0],
])(
  "A turn that a frozen process takes after %d ms is %s: others may have judged it by then",
  async (frozenMs, state, sent) => {
    const set = setUp({ frozenMs });

    expect(await set.send(operation, key)).toHaveProperty("state", state);
    expect(set.sentAt).toHaveLength(sent);
  },
);

/** undici publishes this before it opens a connection. */
const CONNECTING = "undici:client:beforeConnect";

const GOOD: Answer = { body: fixture("split-withdraw.normal") };

test.each(moneyNames)("%s is not sent by a machine that slept while it connected", async (name) => {
  const server = await startAnsweringServer(GOOD);
  let now = steadyClock.now();
  const sleep = (): void => void (now = now.add({ hours: 8 }));
  subscribe(CONNECTING, sleep);
  onTestFinished(() => void unsubscribe(CONNECTING, sleep));
  const { client } = connectClient(server.baseUrl, {}, noMetrics, undefined, { now: () => now });

  expect(await moneyCalls[name](client, walletKey())).toHaveProperty("state", "not_sent");
  expect(server.received).toEqual([]);
});

describe("calls that move money of one account", () => {
  test.each(
    withdrawalNames.flatMap((first) => withdrawalNames.map((second) => [first, second] as const)),
  )(
    "come at most two at once, and the third half a minute later: %s, then %s",
    async (first, second) => {
      const { server, client } = await connectTo(GOOD);
      const key = walletKey();
      await moneyCalls[first](client, key);
      await moneyCalls[first](client, key);

      const answer = await moneyCalls[second](client, key);

      expect(answer).toMatchObject({ state: "not_sent", reason: "paced", errorCode: "PACED" });
      expect("retryAfterMs" in answer && answer.retryAfterMs).toBeGreaterThan(29_000);
      expect(server.received.length).toBe(2);
    },
  );

  test("leave a charge its turn: it is no withdrawal", async () => {
    const { client } = await connectTo(GOOD);
    const key = walletKey();
    await calls.withdraw(client, key);
    await calls.withdraw(client, key);

    for (let n = 0; n < 3; n += 1)
      expect(await calls.createCharge(client, key)).toHaveProperty("state", "accepted");
  });

  test("do not hold up another account", async () => {
    const { client } = await connectTo(GOOD);
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
    const { server, client } = await connectTo(GOOD);
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
    const { client } = await connectTo((socket) => {
      const length = Buffer.byteLength(body);
      answerNow = () => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${body}`);
      arrived.resolve();
    });
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
    ...noMetrics,
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
  const { server, client } = await connectTo(list, list);
  const key = walletKey();
  await client.withdrawals(key, "interactive");
  await client.withdrawals(key, "interactive");

  expect(server.received.length).toBe(2);
});
