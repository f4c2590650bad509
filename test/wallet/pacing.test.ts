import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { MINUTE } from "#src/shared/time.ts";
import type { Priority } from "#src/accounts/wallet-key.ts";
import { GENERAL_PACE as PACE } from "#src/wallet/client.ts";
import { createPacer, type Pace, type Pacer } from "#src/wallet/pacing.ts";
import { createVirtualTimers, type VirtualTimers } from "./virtual-timers.ts";

const SPACING = 1_200;

const setUp = (pace = PACE): { timers: VirtualTimers; pacer: Pacer } => {
  const timers = createVirtualTimers();
  return { timers, pacer: createPacer(pace, timers) };
};

/** Results of `count` calls that refuse to wait: 0 for a turn, otherwise the wait that they would have needed. */
const takeMany = (pacer: Pacer, count: number, priority: Priority = "interactive") =>
  Array.from({ length: count }, () => Number(pacer.take("account", priority, 0)));

const askToWait = async (
  pacer: Pacer,
  priority: Priority,
  longestWaitMs = MINUTE,
): Promise<number> => pacer.take("account", priority, longestWaitMs);

describe("an account's turns", () => {
  test("come at once for a burst, and then one by one", () => {
    const { timers, pacer } = setUp();

    expect(takeMany(pacer, 10)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, SPACING, SPACING]);
    timers.advance(SPACING);
    expect(takeMany(pacer, 2)).toEqual([0, SPACING]);
  });

  test("are its own: one busy account takes none of another's", () => {
    const { pacer } = setUp();
    takeMany(pacer, 20);

    expect(pacer.take("another", "interactive", 0)).toBe(0);
  });

  test("are not for jobs while only half a burst is left, which people can still use", () => {
    const { pacer } = setUp();

    expect(takeMany(pacer, 5, "background")).toEqual([0, 0, 0, 0, SPACING]);
    expect(takeMany(pacer, 4, "interactive")).toEqual([0, 0, 0, 0]);
  });

  test("go to whom it matters most when several wait", async () => {
    const { timers, pacer } = setUp();
    const order: Priority[] = [];
    takeMany(pacer, 8);
    const priorities: readonly Priority[] = ["background", "interactive", "background", "money"];
    const waits = priorities.map(async (priority) => {
      if ((await askToWait(pacer, priority)) === 0) order.push(priority);
    });
    await timers.pass(MINUTE);
    await Promise.all(waits);

    expect(order).toEqual(["money", "interactive", "background", "background"]);
  });

  test("are refused at once when the wait would be too long, with the wait", () => {
    const { pacer } = setUp();
    takeMany(pacer, 8);

    expect(pacer.take("account", "interactive", SPACING - 1)).toBe(SPACING);
  });

  test("that others took first are refused when the wait is over", async () => {
    const { timers, pacer } = setUp();
    takeMany(pacer, 8);
    const person = askToWait(pacer, "interactive", 2 * SPACING);
    for (let before = 0; before < 5; before += 1) void askToWait(pacer, "money");
    timers.advance(2 * SPACING);

    expect(await person).toBeGreaterThan(0);
  });
});

describe("an account on hold", () => {
  test("gets no turn until then, and no burst after it", () => {
    const { timers, pacer } = setUp();
    pacer.hold("account", 30_000);

    expect(pacer.take("account", "money", 29_999)).toBe(30_000);
    timers.advance(30_000);
    expect(takeMany(pacer, 2, "money")).toEqual([0, SPACING]);
  });

  test("turns away at once who could not be served in time", async () => {
    const { pacer } = setUp();
    takeMany(pacer, 8);
    const waiting = askToWait(pacer, "interactive", 10_000);
    pacer.hold("account", 30_000);

    expect(await waiting).toBe(30_000);
  });

  test("gives jobs half their rate for ten minutes, and people all of theirs", () => {
    const { timers, pacer } = setUp();
    pacer.hold("account", 1_000);
    timers.advance(MINUTE);
    const granted = (priority: Priority, minutes: number) => {
      let turns = 0;
      for (let ms = 0; ms < minutes * MINUTE; ms += 100) {
        if (pacer.take("account", priority, 0) === 0) turns += 1;
        timers.advance(100);
      }
      return turns;
    };

    expect(granted("background", 4)).toBe(100);
    expect(granted("interactive", 4)).toBeGreaterThanOrEqual(200);
    timers.advance(3 * MINUTE);
    expect(granted("background", 4)).toBeGreaterThanOrEqual(200);
  });
});

describe("rule 57: an account that is refused again after its wait", () => {
  const turnsOfJobs = ({ timers, pacer }: ReturnType<typeof setUp>, minutes: number): number => {
    let turns = 0;
    for (let ms = 0; ms < minutes * MINUTE; ms += 100) {
      if (pacer.take("account", "background", 0) === 0) turns += 1;
      timers.advance(100);
    }
    return turns;
  };

  test("has its jobs slowed down further each time, to a sixteenth, and again after a quiet time", () => {
    const stage = setUp();
    const rates = Array.from({ length: 6 }, () => {
      stage.pacer.hold("account", 1_000);
      stage.timers.advance(MINUTE);
      return turnsOfJobs(stage, 4);
    });
    // 200 turns in four minutes at the full rate; then a half, a quarter, an eighth and a sixteenth of it.
    expect(rates).toEqual([100, 50, 25, 13, 13, 13]);
    stage.timers.advance(11 * MINUTE);
    stage.pacer.hold("account", 1_000);
    stage.timers.advance(MINUTE);
    expect(turnsOfJobs(stage, 4)).toBe(100);
  });

  test("counts refusals of calls that were under way together as one", () => {
    const stage = setUp();
    for (let calls = 0; calls < 5; calls += 1) stage.pacer.hold("account", 1_000);
    stage.timers.advance(MINUTE);
    expect(turnsOfJobs(stage, 4)).toBe(100);
  });
});

describe("a pacer", () => {
  test("remembers nothing of 60,000 accounts once they are quiet", () => {
    const { timers, pacer } = setUp();
    const waits = new Set<unknown>();
    for (let account = 0; account < 60_000; account += 1)
      waits.add(pacer.take(`account-${account}`, "interactive", 0));
    expect(waits).toEqual(new Set([0]));
    expect(pacer.size()).toBe(60_000);
    timers.advance(5_000);

    expect(pacer.size()).toBe(0);
    expect(timers.pending()).toBe(0);
  });

  test("keeps a hold until it has passed", () => {
    const { timers, pacer } = setUp();
    pacer.hold("account", 14 * MINUTE);
    timers.advance(13 * MINUTE);

    expect(pacer.take("account", "money", 0)).toBe(MINUTE);
    timers.advance(12 * MINUTE);
    expect(pacer.size()).toBe(0);
  });

  test("turns everybody away when it closes", async () => {
    const { timers, pacer } = setUp();
    takeMany(pacer, 8);
    const waiting = [1, 2, 3].map(() => askToWait(pacer, "background"));
    pacer.close();

    expect(await Promise.all(waiting)).toEqual([Infinity, Infinity, Infinity]);
    expect(pacer.take("account", "money", MINUTE)).toBe(Infinity);
    expect(timers.pending()).toBe(0);
  });
});

const WITHDRAWALS = { perMinute: 60 / 31, burst: 2, backgroundHeadroom: 0 };

const PRIORITIES: readonly Priority[] = ["money", "interactive", "background"];

const LONGEST: Readonly<Record<Priority, number>> = {
  money: 10_000,
  interactive: 10_000,
  background: MINUTE,
};

interface Step {
  readonly afterMs: number;
  readonly priority: Priority;
  readonly times: number;
  readonly holdMs: number | undefined;
}

interface Turn {
  readonly priority: Priority;
  readonly askedAt: number;
  readonly doneAt: number;
  /** 0 when the turn was given. */
  readonly wait: number;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.constant(0), fc.nat(50), fc.nat(3_000), fc.nat(90_000)),
    priority: fc.constantFrom(...PRIORITIES),
    times: fc.integer({ min: 1, max: 12 }),
    holdMs: fc.option(fc.integer({ min: 1_000, max: 40_000 }), { freq: 12, nil: undefined }),
  }),
  { minLength: 1, maxLength: 60 },
);

/** Runs the steps to their end in virtual time. */
const run = async (plan: readonly Step[], pace: Pace = PACE) => {
  const timers = createVirtualTimers();
  const pacer = createPacer(pace, timers);
  const turns: Turn[] = [];
  const holds: { readonly from: number; readonly until: number }[] = [];
  const asked: Promise<void>[] = [];
  const ask = async (priority: Priority) => {
    const askedAt = timers.now();
    const wait = await pacer.take("account", priority, LONGEST[priority]);
    turns.push({ priority, askedAt, doneAt: timers.now(), wait });
  };
  for (const { afterMs, priority, times, holdMs } of plan) {
    await timers.pass(afterMs);
    if (holdMs !== undefined) {
      pacer.hold("account", holdMs);
      holds.push({ from: timers.now(), until: timers.now() + holdMs });
    }
    for (let n = 0; n < times; n += 1) asked.push(ask(priority));
    await timers.pass(0);
  }
  await timers.pass(20 * MINUTE);
  await Promise.all(asked);
  const granted = turns.filter(({ wait }) => wait === 0);
  return { turns, granted, holds, forgotten: pacer.size() === 0 };
};

const mostWithinAMinute = (turns: readonly Turn[]): number => {
  const times = turns.map(({ doneAt }) => doneAt).toSorted((a, b) => a - b);
  let first = 0;
  let most = 0;
  for (const [last, time] of times.entries()) {
    while (time - (times[first] ?? time) > MINUTE) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
};

const always = (check: (outcome: Awaited<ReturnType<typeof run>>) => void, pace?: Pace) =>
  fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      check(await run(plan, pace));
    }),
    { numRuns: 200 },
  );

/** Turns given to a lower priority while a higher one waited. */
const passingOver = (granted: readonly Turn[]): readonly Turn[] =>
  granted.filter((low) =>
    granted.some(
      (high) =>
        PRIORITIES.indexOf(high.priority) < PRIORITIES.indexOf(low.priority) &&
        high.askedAt < low.doneAt &&
        high.doneAt > low.doneAt,
    ),
  );

describe("whatever is asked of an account", () => {
  test("its calls keep to its pace, its priorities and its holds, and everybody gets an answer", () =>
    always(({ turns, granted, holds, forgotten }) => {
      expect(mostWithinAMinute(granted), "calls in 60 seconds").toBeLessThanOrEqual(60);
      // Timers run on whole milliseconds.
      const late = turns.filter(
        ({ priority, askedAt, doneAt }) => doneAt - askedAt > LONGEST[priority] + 1,
      );
      expect(late, "who waits longer than that priority bears").toEqual([]);
      expect(passingOver(granted), "lower priorities before higher ones").toEqual([]);
      const held = granted.filter(({ doneAt }) =>
        holds.some(({ from, until }) => doneAt > from && doneAt < until),
      );
      expect(held, "turns while the account is on hold").toEqual([]);
      expect(turns.filter(({ wait }) => !(wait >= 0))).toEqual([]);
      expect(forgotten, "the account is forgotten in the end").toBe(true);
    }));

  test("no 60 seconds see more than 3 of its withdrawals", () =>
    always(({ granted }) => {
      expect(mostWithinAMinute(granted)).toBeLessThanOrEqual(3);
    }, WITHDRAWALS));
});

test("an account that only its owner uses gets the 50 calls a minute that it may have", async () => {
  const everySecond = Array.from({ length: 600 }, (): Step => ({
    afterMs: 1_000,
    priority: "interactive",
    times: 1,
    holdMs: undefined,
  }));
  const { granted } = await run(everySecond);

  expect(granted.length).toBeGreaterThanOrEqual(500);
});

test("a person is served within a second although a thousand jobs ask for the same account", async () => {
  const jobs: readonly Step[] = [
    { afterMs: 0, priority: "background", times: 1_000, holdMs: undefined },
  ];
  const people = Array.from({ length: 20 }, (): Step => ({
    afterMs: 2_500,
    priority: "interactive",
    times: 1,
    holdMs: undefined,
  }));
  const { turns } = await run([...jobs, ...people]);
  const waits = turns.filter(({ priority }) => priority === "interactive");

  expect(waits.every(({ askedAt, doneAt, wait }) => wait === 0 && doneAt - askedAt < 1_000)).toBe(
    true,
  );
});
