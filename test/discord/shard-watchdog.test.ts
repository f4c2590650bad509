import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  FRESH_HEALTH,
  isFatalClose,
  READY_HEALTH,
  watchShard,
  type ShardSample,
  type WatchdogAction,
} from "#src/discord/gateway-shard.ts";

const SAMPLE: ShardSample = { elapsedMs: 15_000, state: "ready", acknowledged: true, held: false };

/** Actions after each of many equal samples, as `action@seconds`. */
const actions = (sample: Partial<ShardSample>, count = 40, start = READY_HEALTH): string[] => {
  let health = start;
  const taken: string[] = [];
  for (let n = 1; n <= count; n++) {
    const step = watchShard(health, { ...SAMPLE, ...sample });
    health = step.health;
    if (step.action !== "none") taken.push(`${step.action}@${n * 15}`);
  }
  return taken;
};

describe("a shard", () => {
  test("that is well is left alone", () => {
    expect(actions({})).toEqual([]);
  });

  test("that is not Ready is reported after a minute and given up after three", () => {
    expect(actions({ state: "connecting" }, 12)).toEqual(["warn@60", "exit@180"]);
    expect(actions({ state: "idle" }, 12)).toEqual(["warn@60", "exit@180"]);
  });

  test("whose RESUME is not answered begins anew after a minute", () => {
    expect(actions({ state: "resuming" }, 12)).toEqual(["reconnect@60", "exit@180"]);
  });

  test("that says Ready and does not answer is reported after 2.5 intervals", () => {
    expect(actions({ acknowledged: false }, 12)).toEqual(["warn@105", "exit@180"]);
  });

  test("that was never Ready is the library's to bring up", () => {
    expect(actions({ state: "connecting" }, 40, FRESH_HEALTH)).toEqual([]);
  });

  test("that we hold back ourselves is not out of service", () => {
    expect(actions({ state: "idle", held: true })).toEqual([]);
  });

  test("is not given up because the machine slept", () => {
    expect(actions({ state: "connecting", elapsedMs: 8 * 3_600_000 }, 5)).toEqual(["warn@30"]);
  });
});

test("an outage is reported once, and the next one again", () => {
  const out = { ...SAMPLE, state: "connecting" as const };
  const week = [out, out, out, out, out, SAMPLE, out, out, out, out];
  let health = READY_HEALTH;
  const taken: WatchdogAction[] = week.map((sample) => {
    const step = watchShard(health, sample);
    health = step.health;
    return step.action;
  });
  expect(taken.filter((action) => action !== "none")).toEqual(["warn", "warn"]);
});

test("whatever happens, a shard that was Ready within three minutes is not given up", () => {
  const sample = fc.record({
    elapsedMs: fc.constant(15_000),
    state: fc.constantFrom("idle" as const, "connecting" as const, "resuming" as const),
    acknowledged: fc.boolean(),
    held: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 11 }), (samples) => {
      let health = READY_HEALTH;
      for (const taken of samples) {
        const step = watchShard(health, taken);
        health = step.health;
        expect(step.action).not.toBe("exit");
      }
    }),
  );
});

test.each([
  [1000, false],
  [1006, false],
  [4000, false],
  [4003, false],
  [4004, true],
  [4005, false],
  [4009, false],
  [4010, true],
  [4014, true],
  [4200, false],
])("close code %i is %s to be final", (code, fatal) => {
  expect(isFatalClose(code)).toBe(fatal);
});
