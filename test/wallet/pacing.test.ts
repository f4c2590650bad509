import { describe, expect, test } from "vitest";

import { MINUTE } from "#src/shared/duration.ts";
import type { Lane } from "#src/domain/lane.ts";
import { createPacer, type Pacer } from "#src/wallet/pacing.ts";
import { createVirtualTimers, type VirtualTimers } from "./virtual-timers.ts";

const PACE = { perMinute: 50, burst: 8, backgroundHeadroom: 4 };
const SPACING = 1_200;

const setUp = (pace = PACE): { timers: VirtualTimers; pacer: Pacer } => {
  const timers = createVirtualTimers();
  return { timers, pacer: createPacer(pace, timers) };
};

/** What `count` calls get that will not wait: 0 for a turn, otherwise how long they would have had to. */
const takeMany = (pacer: Pacer, count: number, lane: Lane = "interactive") =>
  Array.from({ length: count }, () => Number(pacer.take("account", lane, 0)));

const askToWait = async (pacer: Pacer, lane: Lane, longestWaitMs = MINUTE): Promise<number> =>
  pacer.take("account", lane, longestWaitMs);

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
    const order: Lane[] = [];
    takeMany(pacer, 8);
    const lanes: readonly Lane[] = ["background", "interactive", "background", "money"];
    const waits = lanes.map(async (lane) => {
      if ((await askToWait(pacer, lane)) === 0) order.push(lane);
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
    const granted = (lane: Lane, minutes: number) => {
      let turns = 0;
      for (let ms = 0; ms < minutes * MINUTE; ms += 100) {
        if (pacer.take("account", lane, 0) === 0) turns += 1;
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
    // 200 turns in four minutes at the full rate: a half, a quarter, an eighth and a sixteenth of them.
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
    for (let account = 0; account < 60_000; account += 1) {
      expect(pacer.take(`account-${account}`, "interactive", 0)).toBe(0);
    }
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
