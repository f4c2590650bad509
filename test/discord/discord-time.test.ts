import fc from "fast-check";
import { expect, test } from "vitest";
import { ageOf, createDiscordTime, skewOf } from "#src/discord/discord-time.ts";
import { snowflakeAt, snowflakeMs } from "#src/discord/snowflake.ts";
import { NOW, standingClock } from "./support/parts.ts";

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
  ["a sound clock", 300, 0, 300],
  ["a stale event", 9_000, 0, 9_000],
  ["our clock ahead", 10_300, -10_000, 300],
  ["our clock ahead and a stale event", 19_000, -10_000, 9_000],
  ["our clock behind", -9_700, 10_000, 0],
  ["a header that would make it younger than its making", 300, -86_400_000, 300],
  ["a stale event under such a header", 9_000, -86_400_000, 9_000],
])("with %s an age of %i ms and a skew of %i ms count as %i ms", (_, ours, skewMs, age) => {
  expect(ageOf(NOW_MS - ours, NOW_MS, skewMs)).toBe(age);
});

test("a machine whose clock runs ahead still serves people, once Discord has answered it", () => {
  const time = createDiscordTime(standingClock(NOW.add({ seconds: 30 })));
  expect(time.ageMs(NOW_MS)).toBe(30_000);
  time.observe("Fri, 20 Nov 2026 21:05:00 GMT");
  expect(time.ageMs(NOW_MS)).toBe(0);
  time.observe("Fri, 20 Nov 2026 20:00:00 GMT");
  expect(time.ageMs(NOW_MS)).toBe(0);
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
