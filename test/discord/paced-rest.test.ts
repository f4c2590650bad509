import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPace } from "#src/discord/paced-rest.ts";

const PER_SECOND = 50;
const BATCH = 1_000;

/** When each request of a batch arrived, on ways that are slow now and then. */
const arrivals = async (wayThereMs: (index: number) => number, wayBackMs: number) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const pace = createPace(PER_SECOND);
  const arrived: number[] = [];
  for (let index = 0; index < BATCH; index++)
    void pace.turn().then((answered) => {
      const thereMs = wayThereMs(index);
      arrived.push(performance.now() + thereMs);
      setTimeout(answered, thereMs + wayBackMs);
    });
  await vi.advanceTimersByTimeAsync(60_000);
  return arrived.toSorted((one, other) => one - other);
};

const mostInASecond = (arrived: readonly number[]): number =>
  Math.max(
    ...arrived.map((from) => arrived.filter((at) => at >= from && at < from + 1_000).length),
  );

describe("requests at Discord's pace", () => {
  it.each([1, 60, 150])("take hardly longer than they must, %i ms away", async (wayMs) => {
    const arrived = await arrivals(() => wayMs, wayMs);
    expect(arrived).toHaveLength(BATCH);
    const seconds = (arrived.at(-1)! - arrived[0]!) / 1_000;
    expect(seconds / (BATCH / PER_SECOND)).toBeLessThanOrEqual(1.02);
    expect(mostInASecond(arrived)).toBeLessThanOrEqual(PER_SECOND);
  });

  it("are never more than a second takes, though some of them are late", async () => {
    const arrived = await arrivals((index) => (index % 7 === 0 ? 200 : 20), 20);
    expect(arrived).toHaveLength(BATCH);
    expect(mostInASecond(arrived)).toBeLessThanOrEqual(PER_SECOND);
  });

  it("come at an even distance, not as a burst", async () => {
    const arrived = await arrivals(() => 20, 20);
    const gaps = arrived.slice(1).map((at, index) => at - arrived[index]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10);
  });
});
