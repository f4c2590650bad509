import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBreaker } from "#src/wallet/breaker.ts";
import { startAnsweringServer } from "./answering-server.ts";
import { calls } from "./calls.ts";
import { connectClient, fixture, walletErrorOf, walletKey } from "./wallet-setup.ts";

const SECOND = 1_000;

const setUp = () => {
  const clock = { now: 0 };
  const changes: boolean[] = [];
  const breaker = createBreaker({
    timers: { now: () => clock.now },
    leastCalls: 20,
    onChange: (open) => changes.push(open),
  });
  /** Twenty calls of ten accounts that get no answer. */
  const fail = (accounts = 10): void => {
    for (let call = 0; call < 20; call++) breaker.note(`account ${call % accounts}`, false);
  };
  return { clock, breaker, changes, fail };
};

describe("S22: the breaker", () => {
  it("opens after twenty calls in half a minute of which half got no answer, and not before", () => {
    const { breaker, changes } = setUp();
    for (let call = 0; call < 19; call++) breaker.note(`account ${call}`, call < 9);
    expect(breaker.admits("anybody")).toBe(true);
    breaker.note("account 19", false);
    expect(breaker.admits("anybody")).toBe(false);
    expect(changes).toEqual([true]);
  });

  it("counts what happened in the last half minute only", () => {
    const { clock, breaker } = setUp();
    for (let call = 0; call < 19; call++) breaker.note(`account ${call}`, false);
    clock.now = 31 * SECOND;
    breaker.note("account 19", false);
    expect(breaker.admits("anybody")).toBe(true);
  });

  it("lets a few find out after five seconds, later each time, and all begin once one was answered", () => {
    const { clock, breaker, changes, fail } = setUp();
    fail();
    const pauses = [5, 10, 20, 30, 30].map((seconds) => {
      const opensAt = clock.now + seconds * SECOND;
      clock.now = opensAt - 1;
      expect(breaker.admits("ana")).toBe(false);
      clock.now = opensAt;
      expect(["ana", "ana", "bruno", "carla", "davi"].map(breaker.admits)).toEqual([
        true,
        false,
        true,
        true,
        false,
      ]);
      breaker.note("ana", false);
      return seconds;
    });
    expect(pauses).toHaveLength(5);
    clock.now += 30 * SECOND;
    expect(breaker.admits("ana")).toBe(true);
    breaker.note("ana", true);
    expect(breaker.admits("davi")).toBe(true);
    expect(changes).toEqual([true, false]);
  });

  it("stays closed for one account whose reads hang while another's are answered", () => {
    const { breaker } = setUp();
    breaker.note("bruno", true);
    for (let call = 0; call < 100; call++) breaker.note("ana", false);
    expect(breaker.admits("bruno")).toBe(true);
  });

  it("lets another account see for itself at once when only one was left without answers", () => {
    const { breaker, fail } = setUp();
    fail(1);
    expect(breaker.admits("account 0")).toBe(false);
    expect(breaker.admits("bruno")).toBe(true);
    breaker.note("bruno", true);
    expect(breaker.admits("account 0")).toBe(true);
  });

  it("never keeps calls back for longer than half a minute without letting one find out", () => {
    const step = fc.record({
      account: fc.nat({ max: 5 }),
      answered: fc.boolean(),
      pauseMs: fc.nat({ max: 4_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const { clock, breaker } = setUp();
        for (const { account, answered, pauseMs } of steps) {
          clock.now += pauseMs;
          if (breaker.admits(`account ${account}`)) breaker.note(`account ${account}`, answered);
        }
        clock.now += 30 * SECOND;
        expect(breaker.admits("anybody")).toBe(true);
      }),
    );
  });
});

describe("S22: a service that answers 503 to everything", () => {
  it("is not asked any more by reads, which fail at once, while refusals keep being answers", async () => {
    const server = await startAnsweringServer({ status: 503 });
    const { client, logged } = connectClient(server.baseUrl, { retryBaseMs: 0 });
    for (let person = 0; person < 7; person++)
      await walletErrorOf(calls.salesReport(client, walletKey()));
    const asked = server.received.length;
    expect(asked).toBe(20);

    const error = await walletErrorOf(calls.salesReport(client, walletKey()));

    expect(error).toMatchObject({ kind: "unavailable", status: undefined });
    expect(server.received.length).toBe(asked);
    expect(logged()).toContain("the wallet service does not answer");
  });

  it("is told from one that refuses", async () => {
    const server = await startAnsweringServer({
      status: 401,
      body: fixture("sales-report.error.date-missing"),
    });
    const { client } = connectClient(server.baseUrl);
    for (let person = 0; person < 25; person++)
      await walletErrorOf(calls.salesReport(client, walletKey()));
    expect(server.received.length).toBe(25);
  });
});
