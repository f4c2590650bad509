import { createHmac, randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import type { WebhookEvent } from "#src/shared/metrics.ts";
import { DatabaseAwayError } from "#src/shared/errors.ts";
import { MINUTE } from "#src/shared/time.ts";
import { type CallSubject, callSubjects } from "#src/webhooks/call-trust.ts";
import {
  type Calls,
  createCalls,
  FAILED_GAP_MS,
  LOOK_GAP_MS,
  MARK_PAUSE_MS,
} from "#src/webhooks/calls.service.ts";
import { createThrottle } from "#src/webhooks/throttle.service.ts";
import { newSecret } from "#src/webhooks/webhook.ts";
import type { Webhooks } from "#src/webhooks/webhooks.store.ts";
import { quietLog, standingClock } from "../support/databases.ts";
import { createVirtualTimers, type VirtualTimers } from "../wallet/virtual-timers.ts";

const keyed = (purpose: string) => (text: string) =>
  createHmac("sha256", purpose).update(text).digest("base64url");
const hashes = { seal: keyed("seal"), hash: keyed("hash") };
const make = () => newSecret({ bytes: (size) => randomBytes(size) }, hashes);

const ANA = make();
const ANAS_OTHER = make();
const REPLACED = make();
const invented = () => randomBytes(48).toString("base64url");

let timers: VirtualTimers;
let counted: Record<WebhookEvent, number>;
let asked: string[];
let looked: string[];
let disputes: number;
let soon: string[];
let answer: () => Promise<void>;
let fraction: number;
let calls: Calls;
const until = Temporal.Instant.from("2026-11-20T12:00:00Z");
let trusted: Temporal.Instant | undefined;
let subjects: readonly CallSubject[];
let failures: number;
let failure: Error;
let errors: unknown[];
const clock = standingClock("2026-11-19T12:00:00Z");

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
};
const pass = async (ms: number): Promise<void> => {
  timers.advance(ms);
  await settle();
};
/** After the random pause of calls with known secrets. */
const begun = async (): Promise<void> => {
  await settle();
  await pass(MARK_PAUSE_MS.least);
};

beforeEach(() => {
  timers = createVirtualTimers();
  counted = { right: 0, wrong: 0, limited: 0, look: 0 };
  asked = [];
  looked = [];
  disputes = 0;
  soon = [];
  answer = async () => {};
  fraction = 0;
  trusted = until;
  subjects = callSubjects;
  failures = 0;
  failure = new Error("the database is away");
  errors = [];
  const accounts = new Map([ANA, ANAS_OTHER].map((each) => [each.secretHash, "fp-ana"]));
  const webhooks: Pick<Webhooks, "called" | "foundNews" | "onceTrusted" | "trusted"> = {
    called: async (hash) => {
      asked.push(hash);
      if (failures-- > 0) throw failure;
      return accounts.get(hash);
    },
    foundNews: async () => {
      if (failures-- > 0) throw failure;
      return trusted;
    },
    onceTrusted: async () => subjects.map((subject) => ({ accountFp: `fp-${subject}`, subject })),
    trusted: async () =>
      subjects.map((subject) => ({
        accountFp: `fp-${subject}`,
        subject,
        until,
      })),
  };
  calls = createCalls({
    clock,
    timers,
    random: { fraction: () => fraction },
    log: { ...quietLog, error: (_: unknown, text?: string) => void errors.push(text) },
    metrics: { webhook: (event) => void counted[event]++ },
    webhooks,
    hashes,
  });
  calls.open(
    {
      withdrawals: () => Promise.reject(new Error("the service is away")),
      charges: async () => {},
      disputes: async () => void disputes++,
      sales: async (accountFp) => {
        looked.push(accountFp);
        await answer();
      },
    },
    {
      disputes: async (accountFp) => void soon.push(`MEDs of ${accountFp}`),
      sales: async (accountFp) => {
        soon.push(`sales of ${accountFp}`);
        throw new Error("the database is away");
      },
    },
  );
});

describe("a call", () => {
  test("that could not be marked is marked again until it is, and wakes its looks then", async () => {
    failures = 2;
    calls.receive(ANA.token);
    await begun();
    await pass(FAILED_GAP_MS);
    expect(looked).toEqual([]);
    await pass(FAILED_GAP_MS);
    expect(looked).toEqual(["fp-ana"]);
    await pass(2 * FAILED_GAP_MS);
    expect(asked).toHaveLength(3);
  });

  test.each([
    ["by the log at each try", new Error("no such table"), 2],
    ["by the line about the database alone while that is away", new DatabaseAwayError(), 0],
  ])("that could not be marked is told %s", async (_, thrown, lines) => {
    failures = 2;
    failure = thrown;
    calls.receive(ANA.token);
    await begun();
    await pass(FAILED_GAP_MS);
    expect(errors).toEqual(Array.from({ length: lines }, () => "a call could not be marked"));
  });

  test("that could not be marked leaves no timer once the bot stops", async () => {
    failures = 1;
    calls.receive(ANA.token);
    await settle();
    timers.advance(MARK_PAUSE_MS.least);
    calls.stop();
    await settle();
    expect(timers.pending()).toBe(0);
  });

  test("asks nothing and looks at nothing while it is received", async () => {
    calls.receive(ANA.token);
    expect({ asked, looked, counted }).toEqual({
      asked: [],
      looked: [],
      counted: { right: 0, wrong: 0, limited: 0, look: 0 },
    });
    await begun();
    expect(looked).toEqual(["fp-ana"]);
    expect(counted).toEqual({ right: 1, wrong: 0, limited: 0, look: 1 });
  });

  test.each([0, 0.5, 0.999_999])(
    "with a known secret begins its work after a random pause (%d), so that no request after it is slower",
    async (drawn) => {
      fraction = drawn;
      const { least, most } = MARK_PAUSE_MS;
      const pauseMs = least + drawn * (most - least);
      calls.receive(ANA.token);
      await settle();
      await pass(pauseMs - 1);
      expect({ asked, looked, right: counted.right }).toEqual({ asked: [], looked: [], right: 0 });
      await pass(1);
      expect(asked).toEqual([ANA.secretHash]);
      expect(looked).toEqual(["fp-ana"]);
    },
  );

  test("beside others of its secret in the pause is one with them", async () => {
    for (let count = 0; count < 3; count++) calls.receive(ANA.token);
    await begun();
    await pass(10 * LOOK_GAP_MS);
    expect(asked).toHaveLength(1);
    expect(counted).toEqual({ right: 1, wrong: 0, limited: 2, look: 1 });
  });

  test("with an invented secret never reaches the database, in any number", async () => {
    for (let count = 0; count < 2_500; count++) calls.receive(invented());
    await settle();
    expect(asked).toEqual([]);
    expect(counted).toEqual({ right: 0, wrong: 2_500, limited: 0, look: 0 });
    expect(timers.pending()).toBe(0);
  });

  test("leaves the loop to others between parts of a flood", async () => {
    for (let count = 0; count < 2_500; count++) calls.receive(invented());
    await setImmediate();
    expect(counted.wrong).toBeGreaterThan(0);
    expect(counted.wrong).toBeLessThanOrEqual(2_000);
    await settle();
    expect(counted.wrong).toBe(2_500);
  });

  test("beyond 10,000 that wait is dropped unjudged, and those before it are not", async () => {
    calls.receive(ANA.token);
    for (let count = 0; count < 10_000; count++) calls.receive(invented());
    calls.receive(ANAS_OTHER.token);
    expect(counted).toEqual({ right: 0, wrong: 0, limited: 2, look: 0 });
    await settle();
    await begun();
    expect(counted).toEqual({ right: 1, wrong: 9_999, limited: 2, look: 1 });
    expect(asked).toEqual([ANA.secretHash]);
  });

  test("with a replaced secret is asked about once in a minute", async () => {
    calls.receive(REPLACED.token);
    await begun();
    for (let count = 1; count < 100; count++) calls.receive(REPLACED.token);
    await settle();
    await pass(MINUTE - 1);
    expect(asked).toHaveLength(1);
    await pass(1);
    expect(asked).toHaveLength(2);
    expect(looked).toEqual([]);
    expect(counted).toEqual({ right: 0, wrong: 2, limited: 98, look: 0 });
  });

  test("is not held up by wrong ones that came before it", async () => {
    for (let count = 0; count < 2_500; count++) calls.receive(invented());
    calls.receive(ANA.token);
    await begun();
    expect(looked).toEqual(["fp-ana"]);
  });
});

describe("looks", () => {
  test("come once in five seconds however many calls come, and once more for those in between", async () => {
    calls.receive(ANA.token);
    await begun();
    expect(looked).toHaveLength(1);
    for (let count = 1; count < 200; count++) calls.receive(ANA.token);
    await settle();
    await pass(LOOK_GAP_MS - 1);
    expect(looked).toHaveLength(1);
    await pass(1);
    await pass(1);
    expect(looked).toHaveLength(2);
    await pass(10 * LOOK_GAP_MS);
    expect(looked).toHaveLength(2);
  });

  test("are shared by all addresses of a wallet account", async () => {
    calls.receive(ANA.token);
    calls.receive(ANAS_OTHER.token);
    await begun();
    expect(asked).toHaveLength(2);
    expect(looked).toHaveLength(1);
    await pass(LOOK_GAP_MS - 1);
    expect(looked).toHaveLength(1);
    await pass(1);
    expect(looked).toHaveLength(2);
  });

  test("hold up no other kind of look while they hang", async () => {
    answer = () => new Promise(() => {});
    for (let round = 0; round < 3; round++) {
      calls.receive(ANA.token);
      await begun();
      await pass(LOOK_GAP_MS);
    }
    await pass(6 * LOOK_GAP_MS);
    expect({ sales: looked.length, disputes }).toEqual({ sales: 1, disputes: 2 });
  });

  test("at MEDs are fewer in a burst, which needs the account's pace for its sales", async () => {
    for (let round = 0; round < 12; round++) {
      calls.receive(ANA.token);
      await begun();
      await pass(LOOK_GAP_MS - MARK_PAUSE_MS.least);
    }
    await pass(MINUTE);
    expect(looked).toHaveLength(12);
    expect(disputes).toBe(5);
  });

  test("come once in five seconds from begin to begin: a slow look puts off no next one", async () => {
    const slow = Promise.withResolvers<void>();
    answer = () => slow.promise;
    calls.receive(ANA.token);
    await begun();
    calls.receive(ANA.token);
    await pass(LOOK_GAP_MS - 1);
    slow.resolve();
    await pass(1);
    await pass(1);
    expect(looked).toHaveLength(2);
  });

  test("wait for the look before them, however slow the service is", async () => {
    const slow = Promise.withResolvers<void>();
    answer = () => slow.promise;
    calls.receive(ANA.token);
    await begun();
    calls.receive(ANA.token);
    await pass(100 * LOOK_GAP_MS);
    expect(looked).toHaveLength(1);
    slow.resolve();
    await settle();
    await pass(LOOK_GAP_MS);
    expect(looked).toHaveLength(2);
  });

  test("come soon after the start where calls made them rare, each subject by itself", async () => {
    await calls.refresh();
    await calls.lookAtTrusted();
    expect(soon).toEqual(["sales of fp-sales", "MEDs of fp-disputes"]);
    expect({ looked, disputes }).toEqual({ looked: [], disputes: 0 });
  });

  test("come soon where calls are trusted no more, whatever ended that", async () => {
    await calls.refresh();
    subjects = ["sales"];
    await calls.refresh();
    expect(soon).toEqual(["MEDs of fp-disputes"]);
  });

  test("end with the bot, and no timer is left", async () => {
    calls.receive(ANA.token);
    await begun();
    calls.receive(ANA.token);
    calls.receive(ANAS_OTHER.token);
    await settle();
    expect(calls.isOpen()).toBe(true);
    calls.stop();
    expect(calls.isOpen()).toBe(false);
    expect(timers.pending()).toBe(0);
    calls.receive(ANAS_OTHER.token);
    await pass(LOOK_GAP_MS);
    expect(looked).toHaveLength(1);
  });

  /** Asked for three accounts, of which one is looked at at a time. */
  const oneByOne = () => {
    const first = Promise.withResolvers<number>();
    const work = async (accountFp: string) => {
      looked.push(accountFp);
      return await first.promise;
    };
    const throttle = createThrottle({ timers, concurrency: 1, work });
    for (const accountFp of ["fp-ana", "fp-bruno", "fp-carla"]) throttle.ask(accountFp);
    return { throttle, end: () => first.resolve(LOOK_GAP_MS) };
  };

  test("beyond those at the same time begin as soon as others end", async () => {
    const { end } = oneByOne();
    await settle();
    expect(looked).toEqual(["fp-ana"]);
    end();
    await settle();
    expect(looked).toEqual(["fp-ana", "fp-bruno", "fp-carla"]);
  });

  test("that wait for others when the bot ends never begin", async () => {
    const { throttle, end } = oneByOne();
    throttle.stop();
    end();
    await pass(LOOK_GAP_MS);
    expect({ looked, pending: timers.pending() }).toEqual({ looked: ["fp-ana"], pending: 0 });
  });
});

describe("the trust in calls", () => {
  test("is known for each subject by itself, at once after news and by what other processes found", async () => {
    expect(calls.about("sales").trustedUntil("fp-ana")).toBeUndefined();
    await calls.about("sales").foundNews("fp-ana");
    expect(calls.about("sales").trustedUntil("fp-ana")).toEqual(until);
    expect(calls.about("disputes").trustedUntil("fp-ana")).toBeUndefined();
    trusted = undefined;
    await calls.about("sales").foundNews("fp-ana");
    expect(calls.about("sales").trustedUntil("fp-ana")).toBeUndefined();
    await calls.refresh();
    expect(calls.about("disputes").trustedUntil("fp-disputes")).toEqual(until);
    expect(calls.countTrusted()).toBe(2);
  });

  test("is over with news that cannot be compared", async () => {
    await calls.about("sales").foundNews("fp-ana");
    failures = 1;
    await calls.about("sales").foundNews("fp-ana");
    expect(calls.about("sales").trustedUntil("fp-ana")).toBeUndefined();
  });

  test("is over at its time, though it was not read again", async () => {
    trusted = clock.now();
    await calls.about("sales").foundNews("fp-ana");
    expect(calls.about("sales").trustedUntil("fp-ana")).toBeUndefined();
  });
});
