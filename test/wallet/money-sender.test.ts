import { pino } from "pino";
import { describe, expect, test } from "vitest";

import { cents } from "#src/shared/money.ts";
import { noMetrics, type Metrics } from "#src/shared/metrics.ts";
import { Secret } from "#src/shared/secret.ts";
import type { Call } from "#src/wallet/call.ts";
import { DEFAULT_LIMITS } from "#src/wallet/limits.ts";
import { createMoneySender } from "#src/wallet/money-sender.ts";
import { createPacer } from "#src/wallet/pacing.ts";
import { withdrawal } from "#src/wallet/withdraw.ts";
import { createVirtualTimers } from "./virtual-timers.ts";

const key = { apiKey: new Secret("sk_sandbox_ana_4f9b27c1d05e"), fingerprint: "account" };
const operation = withdrawal({ amount: cents(12_035), pixKey: "chave", turbo: false });
const body = '{"success":true,"withdrawal":{"txid":"w7e20b8d5f31"}}';

interface Parts {
  readonly call?: Call;
  readonly metrics?: Metrics;
}

/** The real sender and pacers in virtual time; only the wire is a function. */
const setUp = ({ call, metrics = noMetrics }: Parts = {}) => {
  const timers = createVirtualTimers();
  const general = createPacer({ perMinute: 50, burst: 8, backgroundHeadroom: 4 }, timers);
  const withdrawals = createPacer({ perMinute: 2, burst: 1, backgroundHeadroom: 0 }, timers);
  const sentAt: number[] = [];
  const answering: Call = async () => ({ complete: true, status: 200, headers: {}, body });
  const send = createMoneySender({
    call: async (...request) => {
      sentAt.push(timers.now());
      return (call ?? answering)(...request);
    },
    breaker: { note: () => {} },
    pacers: [general, withdrawals],
    limits: DEFAULT_LIMITS,
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
