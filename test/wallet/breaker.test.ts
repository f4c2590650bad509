import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBreaker } from "#src/wallet/breaker.ts";
import { SECOND } from "#src/shared/time.ts";
import { calls } from "./calls.ts";
import { connectTo, fixture, walletErrorOf, walletKey } from "./wallet-setup.ts";

const setUp = () => {
  const clock = { now: 0 };
  const changes: boolean[] = [];
  const breaker = createBreaker({
    timers: { now: () => clock.now },
    leastCalls: 20,
    onChange: (open) => changes.push(open),
  });
  const note = (account: string, answered: boolean, route = "/v1/balance"): void =>
    breaker.note({ account, route }, answered);
  const admits = (account: string, route = "/v1/balance"): boolean =>
    breaker.admits({ account, route });
  const fail = (accounts = 10): void => {
    for (let call = 0; call < 20; call++)
      note(`account ${call % accounts}`, false, call % 3 === 0 ? "/v1/balance" : "/v1/meds");
  };
  return { clock, note, admits, changes, fail };
};

describe("S22: the breaker", () => {
  it("opens after twenty calls in half a minute of which half got no answer, and not before", () => {
    const { note, admits, changes } = setUp();
    const route = (call: number) => `/v1/${call % 5}`;
    for (let call = 0; call < 19; call++) note(`account ${call}`, call < 9, route(call));
    expect(admits("anybody")).toBe(true);
    note("account 19", false, route(19));
    expect(admits("anybody")).toBe(false);
    expect(changes).toEqual([true]);
  });

  it("counts what happened in the last half minute only", () => {
    const { clock, note, admits } = setUp();
    for (let call = 0; call < 19; call++) note(`account ${call}`, false);
    clock.now = 31 * SECOND;
    note("account 19", false);
    expect(admits("anybody")).toBe(true);
  });

  it("lets a few find out after five seconds, later each time, and all begin once one was answered", () => {
    const { clock, note, admits, changes, fail } = setUp();
    fail();
    for (const seconds of [5, 10, 20, 30, 30]) {
      const opensAt = clock.now + seconds * SECOND;
      clock.now = opensAt - 1;
      expect(admits("ana")).toBe(false);
      clock.now = opensAt;
      const begun = ["ana", "ana", "bruno", "carla", "davi"].map((account) => admits(account));
      expect(begun).toEqual([true, false, true, true, false]);
      for (const account of ["ana", "bruno", "carla"]) note(account, false);
    }
    clock.now += 30 * SECOND;
    expect(admits("ana")).toBe(true);
    note("ana", true);
    expect(admits("davi")).toBe(true);
    expect(changes).toEqual([true, false]);
  });

  it("stays closed for one account whose reads hang while another's are answered", () => {
    const { note, admits } = setUp();
    note("bruno", true);
    for (let call = 0; call < 100; call++) note("ana", false);
    expect(admits("bruno")).toBe(true);
  });

  it("lets another account see for itself at once when only one was left without answers", () => {
    const { note, admits, fail } = setUp();
    fail(1);
    expect(admits("account 0")).toBe(false);
    expect(admits("bruno")).toBe(true);
    note("bruno", true);
    expect(admits("account 0")).toBe(true);
  });

  it("stays closed for one kind of read that hangs while others are answered", () => {
    const { note, admits } = setUp();
    note("bruno", true, "/v1/meds/summary");
    for (let call = 0; call < 100; call++) note(`account ${call}`, false, "/v1/sales/report");
    expect(admits("bruno", "/v1/sales/report")).toBe(true);
  });

  it("lets another kind of read see for itself at once when only one was left without answers", () => {
    const { note, admits } = setUp();
    for (let call = 0; call < 20; call++) note(`account ${call}`, false, "/v1/sales/report");
    expect(admits("ana", "/v1/sales/report")).toBe(false);
    expect(admits("ana", "/v1/balance")).toBe(true);
    note("ana", true, "/v1/balance");
    expect(admits("ana", "/v1/sales/report")).toBe(true);
  });

  it("believes the first answer, whichever of those who find out gets it", () => {
    const { clock, note, admits, fail } = setUp();
    fail();
    clock.now = 5 * SECOND;
    expect([admits("ana"), admits("bruno")]).toEqual([true, true]);
    note("ana", false);
    note("bruno", true);
    expect(admits("carla")).toBe(true);
  });

  it("never keeps calls back for longer than half a minute without letting one find out", () => {
    const step = fc.record({
      account: fc.nat({ max: 5 }),
      answered: fc.boolean(),
      pauseMs: fc.nat({ max: 4_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const { clock, note, admits } = setUp();
        for (const { account, answered, pauseMs } of steps) {
          clock.now += pauseMs;
          if (admits(`account ${account}`)) note(`account ${account}`, answered);
        }
        clock.now += 30 * SECOND;
        expect(admits("anybody")).toBe(true);
      }),
    );
  });
});

describe("S22: a service that answers 503 to everything", () => {
  it("is not asked any more by reads, which fail at once, while refusals keep being answers", async () => {
    const { server, client, logged } = await connectTo({ status: 503 });
    for (let person = 0; person < 7; person++)
      await walletErrorOf(calls.salesReport(client, walletKey()));
    const asked = server.received.length;
    expect(asked).toBe(20);

    const error = await walletErrorOf(calls.salesReport(client, walletKey()));

    expect(error).toMatchObject({ kind: "unavailable", status: undefined });
    expect(server.received.length).toBe(asked);
    expect(logged()).toContain("the wallet service does not answer");
  });

  it("is told in the log at the level at which its end is told", async () => {
    const silent = Array.from({ length: 20 }, () => ({ status: 503 }));
    const refused = { status: 401, body: fixture("sales-report.error.date-missing") };
    const { client, logged } = await connectTo(...silent, refused);
    for (let person = 0; person < 7; person++)
      await walletErrorOf(calls.salesReport(client, walletKey()));
    await walletErrorOf(calls.balance(client, walletKey()));
    const told = logged()
      .split("\n")
      .filter((line) => line.includes("the wallet service"));
    expect(told.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, msg: "the wallet service does not answer: reads fail at once" },
      { level: 40, msg: "the wallet service answers again" },
    ]);
  });

  it("is told from one that refuses", async () => {
    const { server, client } = await connectTo({
      status: 401,
      body: fixture("sales-report.error.date-missing"),
    });
    for (let person = 0; person < 25; person++)
      await walletErrorOf(calls.salesReport(client, walletKey()));
    expect(server.received.length).toBe(25);
  });
});
