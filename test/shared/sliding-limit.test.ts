import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSlidingLimit } from "#src/shared/sliding-limit.ts";

const limitAt = (most: number, windowMs: number) => {
  const clock = { now: 0 };
  const limit = createSlidingLimit({ most, windowMs, nowMs: () => clock.now });
  return { clock, limit };
};

describe("a limit of turns", () => {
  test("gives no window more turns than it may, and tells the wait to the millisecond", () => {
    const steps = fc.array(fc.nat({ max: 40 }), { maxLength: 120 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (pauses, most) => {
        const { clock, limit } = limitAt(most, 100);
        const taken: number[] = [];
        for (const pause of pauses) {
          clock.now += pause;
          const waitMs = limit.waitMs("ana");
          if (waitMs === 0) {
            limit.take("ana");
            taken.push(clock.now);
          } else {
            const asked = clock.now;
            clock.now = asked + waitMs - 1;
            expect(limit.waitMs("ana")).toBe(1);
            clock.now = asked;
          }
        }
        taken.forEach((at, index) => {
          const after = taken[index + most];
          if (after !== undefined) expect(after - at).toBeGreaterThanOrEqual(100);
        });
      }),
    );
  });

  test("holds one name back for no other", () => {
    const { limit } = limitAt(1, 100);
    limit.take("ana");
    expect(limit.waitMs("ana")).toBe(100);
    expect(limit.waitMs("bruno")).toBe(0);
  });

  test("forgets names that are quiet, and never remembers more than it may", () => {
    const { clock, limit } = limitAt(1, 100);
    for (let person = 0; person < 51_000; person++) limit.take(`person ${person}`);
    expect(limit.size()).toBe(50_000);
    expect(limit.waitMs("person 50999")).toBe(100);
    clock.now = 100;
    expect(limit.waitMs("somebody")).toBe(0);
    expect(limit.size()).toBe(0);
  });
});
