import fc from "fast-check";
import { expect, test } from "vitest";
import { ageOf, createDiscordTime, skewOf } from "#src/discord/discord-time.ts";
import { snowflakeAt, snowflakeMs } from "#src/shared/ids.ts";
import { NOW, recordingLog } from "./support/parts.ts";

const NOW_MS = NOW.epochMilliseconds;

test.each([
  ["Fri, 20 Nov 2026 21:05:00 GMT", 0],
  ["Fri, 20 Nov 2026 21:05:02 GMT", 0],
  ["Fri, 20 Nov 2026 21:04:50 GMT", -10_000],
  ["Fri, 20 Nov 2026 21:06:00 GMT", 60_000],
  ["yesterday", undefined],
])("at 21:05:00 a date header of %s means a skew of %s ms", (header, skewMs) => {
  expect(skewOf(header, NOW_MS)).toBe(skewMs);
});

test.each([
  ["a sound clock", 300, 300, 300],
  ["a stale event", 9_000, 9_000, 9_000],
  ["our clock ahead", 10_300, 300, 300],
  ["our clock ahead and a stale event", 19_000, 9_000, 9_000],
  ["our clock behind", -9_700, 300, 300],
  ["our clock behind and a stale event", -3_591_000, 9_000, 9_000],
  ["a header that would make it younger than its making", 300, -86_399_700, 300],
  ["a stale event under such a header", 9_000, -86_391_000, 9_000],
  ["a header of a later time", 300, 86_400_300, 300],
  ["no header yet", 9_000, undefined, 9_000],
  ["two clocks that cannot be right", -86_400_000, -86_400_000, 0],
])("with %s ages of %s ms and %s ms count as %i ms", (_, ours, theirs, age) => {
  const theirNow = theirs === undefined ? undefined : NOW_MS + theirs;
  expect(ageOf(NOW_MS, NOW_MS + ours, theirNow)).toBe(age);
});

const dateOf = (epochMs: number): string => new Date(epochMs).toUTCString();

/** A machine with two adjustable clocks, and a Discord that reports its own time. */
const machine = (given: { readonly deaf?: boolean } = {}) => {
  let monotonic = 5_000;
  let stepMs = 0;
  let questions = 0;
  let sleptMs = 0;
  const said: string[] = [];
  const { log, lines } = recordingLog();
  const start = NOW_MS - monotonic;
  const theirs = (): number => start + monotonic + sleptMs;
  const time = createDiscordTime({
    clock: { now: () => Temporal.Instant.fromEpochMilliseconds(theirs() + stepMs) },
    log,
    say: (sentence) => said.push(sentence),
    monotonicMs: () => monotonic,
    ask: async () => {
      questions++;
      if (given.deaf === true) throw new Error("no answer");
      time.observe(dateOf(theirs()));
    },
  });
  return {
    time,
    lines,
    said,
    theirs,
    questions: () => questions,
    pass: (ms: number) => (monotonic += ms),
    step: (ms: number) => (stepMs += ms),
    /** The monotonic clock stands still, while the wall clock and Discord's advance. */
    sleep: (ms: number) => (sleptMs += ms),
    /** Of an interaction that Discord made so long ago, and that has just come. */
    judge: async (agoMs: number) => await time.classify(theirs() - agoMs, monotonic),
  };
};

const STEPS = [10_000, 3_600_000, -3_600_000, -10_000] as const;

test.each(STEPS)(
  "S10: after the clock steps by %i ms the next interaction is served, and an old one is not",
  async (stepMs) => {
    const { time, judge, theirs, step, pass, questions } = machine();
    time.observe(dateOf(theirs()));
    pass(1_000);
    step(stepMs);
    expect(await judge(300)).toMatchObject({ stale: false });
    expect(questions()).toBe(1);
    expect(await judge(20_000)).toMatchObject({ stale: true });
    pass(60_000);
    expect(await judge(300)).toMatchObject({ stale: false });
    expect(await judge(20_000)).toMatchObject({ stale: true });
  },
);

test("S10: a clock that was wrong from the start is found out by what seems stale", async () => {
  const { judge, step, questions } = machine();
  step(10_000);
  expect(await judge(300)).toMatchObject({ stale: false });
  expect(questions()).toBe(1);
});

test("S10: a step is noticed between interactions too, and told in the log once", () => {
  const { time, step, pass, lines, questions } = machine();
  time.check();
  step(3_600_000);
  pass(15_000);
  time.check();
  time.check();
  expect(questions()).toBe(1);
  expect(lines).toMatchObject([
    { level: "info", fields: { stepMs: 3_600_000 } },
    { level: "warn", fields: { skewMs: -3_600_000 } },
  ]);
});

test("S10: a machine that slept serves no event from before its sleep", async () => {
  const { time, theirs, sleep } = machine();
  time.observe(dateOf(theirs()));
  const before = theirs() - 1_000;
  sleep(3_600_000);
  expect(await time.classify(before, 5_000)).toMatchObject({ stale: true });
  expect(await time.classify(theirs() - 300, 5_000)).toMatchObject({ stale: false });
});

test.each([
  [3_900_000, "65 min ahead of"],
  [-3_900_000, "65 min behind"],
])(
  "a clock that is wrong by %i ms is told to the operator once, and once when it is right again",
  (stepMs, how) => {
    const { time, theirs, said, lines, step, pass } = machine();
    const goOn = (): void => {
      for (let checks = 0; checks < 9; checks++) {
        time.check();
        time.observe(dateOf(theirs()));
        pass(15_000);
      }
    };
    step(stepMs);
    goOn();
    expect(said).toEqual([expect.stringContaining(`This machine's clock is ${how} Discord's`)]);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: "warn", fields: { skewMs: -stepMs } }),
    );
    step(-stepMs);
    goOn();
    expect(said.slice(1)).toEqual(["This machine's clock agrees with Discord's again."]);
  },
);

test("neither a minute nor a sleep, after which an older answer arrives, is told as a wrong clock", () => {
  const { time, theirs, said, step, pass, sleep } = machine();
  step(60_000);
  time.observe(dateOf(theirs()));
  time.check();
  time.check();
  pass(60_000);
  const older = dateOf(theirs());
  sleep(3_600_000);
  time.observe(older);
  time.check();
  time.check();
  expect(said).toEqual([]);
});

test("S10: while Discord does not answer, it is asked every two seconds at most", async () => {
  const { judge, questions, pass, step } = machine({ deaf: true });
  step(60_000);
  for (let seconds = 0; seconds < 10; seconds++) {
    expect(await judge(300)).toMatchObject({ stale: true });
    pass(1_000);
  }
  expect(questions()).toBe(5);
});

test("S10: no interaction is served late or dropped early, whatever the clock does", async () => {
  const mostStepMs = 7_200_000;
  const mostSteps = 12;
  // A wall clock that is wrong by exactly the replay's age would pass the replay off as new; this age exceeds all clock
  // steps together.
  const replayMs = (mostSteps + 1) * mostStepMs;
  const steps = fc.array(
    fc.record({
      pass: fc.integer({ min: 0, max: 200_000 }),
      step: fc.integer({ min: -mostStepMs, max: mostStepMs }),
      old: fc.boolean(),
    }),
    { maxLength: mostSteps },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (moves) => {
      const { time, judge, theirs, pass, step } = machine();
      time.observe(dateOf(theirs()));
      for (const move of moves) {
        pass(move.pass + 2_000);
        step(move.step);
        const { stale, ageMs } = await judge(move.old ? replayMs : 300);
        expect({ stale, young: ageMs <= 2_500 }).toEqual({ stale: move.old, young: !move.old });
      }
    }),
    { numRuns: 500 },
  );
});

test("S23: how many were dropped as stale, and how many not, is told of the last minute", async () => {
  const { time, judge, pass } = machine();
  await judge(9_000);
  await judge(100);
  expect(time.recent()).toEqual({ stale: 1, fresh: 1 });
  pass(59_999);
  await judge(9_000);
  expect(time.recent()).toEqual({ stale: 2, fresh: 1 });
  pass(1);
  expect(time.recent()).toEqual({ stale: 1, fresh: 0 });
});

test("an id tells its instant to the millisecond, and the other way round", () => {
  const ms = fc.integer({ min: 1_420_070_400_000, max: 4_000_000_000_000 });
  fc.assert(
    fc.property(ms, (at) => {
      const instant = Temporal.Instant.fromEpochMilliseconds(at);
      expect(snowflakeMs(snowflakeAt(instant))).toBe(at);
    }),
  );
  expect(snowflakeMs("175928847299117063")).toBe(1_462_015_105_796);
});

test.each(["", "x", "-1", "1.5", "9".repeat(21)])("%j is no id", (text) => {
  expect(snowflakeMs(text)).toBeUndefined();
});
