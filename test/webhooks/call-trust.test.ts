import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import {
  afterCall,
  afterNews,
  CALL_COUNTS_MS,
  type CallTrust,
  LATE_CALL_MS,
  NO_TRUST,
  NEWS_NEEDED,
  TRUST_MS,
  restUntil,
} from "#src/webhooks/call-trust.ts";

const START = Temporal.Instant.from("2026-11-19T12:00:00Z");
const at = (ms: number): Temporal.Instant => START.add({ milliseconds: ms });

interface Happening {
  readonly kind: "call" | "news";
  readonly ms: number;
}

interface Course {
  readonly trust: CallTrust;
  readonly lastCallAt: Temporal.Instant | undefined;
}

const step = ({ trust, lastCallAt }: Course, { kind, ms }: Happening): Course =>
  kind === "call"
    ? { trust: afterCall(trust, at(ms)), lastCallAt: at(ms) }
    : { trust: afterNews(trust, lastCallAt, at(ms)), lastCallAt };

const course = (history: readonly Happening[]): Course =>
  history.reduce(step, { trust: NO_TRUST, lastCallAt: undefined });

const isTrusted = (history: readonly Happening[], ms: number): boolean =>
  restUntil(course(history).trust, at(ms)) !== undefined;

const call = (ms: number): Happening => ({ kind: "call", ms });
const news = (ms: number): Happening => ({ kind: "news", ms });
/** As many announced news as trust takes, an hour apart, the last at 0. */
const trusting = Array.from({ length: NEWS_NEEDED }, (_, index) => {
  const ms = (index - NEWS_NEEDED + 1) * HOUR;
  return [call(ms - SECOND), news(ms)];
}).flat();

describe("calls are trusted", () => {
  test("once they announced enough news in a row, and not before", () => {
    expect(isTrusted(trusting.slice(0, -1), 0)).toBe(false);
    expect(isTrusted(trusting, 0)).toBe(true);
  });

  test("until a day after the last announced news", () => {
    expect(isTrusted(trusting, TRUST_MS - 1)).toBe(true);
    expect(isTrusted(trusting, TRUST_MS)).toBe(false);
    expect(isTrusted([...trusting, call(HOUR), news(HOUR + SECOND)], TRUST_MS)).toBe(true);
  });

  test("no longer from the moment on when a look found news that no call announced", () => {
    expect(isTrusted([...trusting, news(HOUR)], HOUR)).toBe(false);
    expect(isTrusted([...trusting, news(HOUR)], 2 * HOUR)).toBe(false);
    const learntAnew = [call(3 * HOUR), news(3 * HOUR + 1)];
    expect(isTrusted([...trusting, news(HOUR), ...learntAnew], 3 * HOUR + 2)).toBe(false);
  });

  test("again when the call comes a moment after the look that found the news", () => {
    const late = [...trusting, news(HOUR), call(HOUR + LATE_CALL_MS)];
    expect(isTrusted(late, HOUR + LATE_CALL_MS)).toBe(true);
    const tooLate = [...trusting, news(HOUR), call(HOUR + LATE_CALL_MS + 1)];
    expect(isTrusted(tooLate, HOUR + LATE_CALL_MS + 1)).toBe(false);
  });

  test("no longer where its call comes a moment after other news alone", () => {
    const sales = [news(HOUR), news(HOUR + LATE_CALL_MS)];
    const late = HOUR + LATE_CALL_MS + 1;
    expect(isTrusted([...trusting, ...sales, call(late)], late)).toBe(false);
  });

  test("where the service shows the news some time after it calls, but not without end", () => {
    const shownAfter = (ms: number) => [...trusting, call(HOUR), news(HOUR + ms)];
    expect(isTrusted(shownAfter(CALL_COUNTS_MS), HOUR + CALL_COUNTS_MS)).toBe(true);
    expect(isTrusted(shownAfter(CALL_COUNTS_MS + 1), HOUR + CALL_COUNTS_MS + 1)).toBe(false);
  });

  test("for nothing that a clock which was set back makes of them", () => {
    expect(isTrusted(trusting, -DAY)).toBe(false);
    expect(isTrusted([...trusting, call(HOUR), news(-HOUR)], 0)).toBe(false);
  });
});

const histories = fc
  .array(fc.record({ kind: fc.constantFrom("call", "news"), gapMs: fc.nat(10 * MINUTE) }), {
    maxLength: 60,
  })
  .map((steps) => {
    let ms = 0;
    return steps.map(({ kind, gapMs }): Happening => ({ kind, ms: (ms += gapMs) }));
  });

/** Whether a call lies in the time in which it announces news of that moment. */
const isAnnounced = (history: readonly Happening[], ms: number): boolean =>
  history.some(
    (each) =>
      each.kind === "call" && each.ms >= ms - CALL_COUNTS_MS && each.ms <= ms + LATE_CALL_MS,
  );

describe("in any history", () => {
  test("trust follows only news that calls announced, and at most a day after them", () => {
    fc.assert(
      fc.property(histories, fc.nat(2 * DAY), (history, restMs) => {
        const now = (history.at(-1)?.ms ?? 0) + restMs;
        if (!isTrusted(history, now)) return;
        const announced = history.filter(
          (each) => each.kind === "news" && isAnnounced(history, each.ms),
        );
        expect(announced.length).toBeGreaterThanOrEqual(NEWS_NEEDED);
        expect(now - (announced.at(-1)?.ms ?? 0)).toBeLessThanOrEqual(TRUST_MS + LATE_CALL_MS);
      }),
      { numRuns: 2_000 },
    );
  });

  test("news without a call ends it at once, and a single announced one does not bring it back", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const begun = (history.at(-1)?.ms ?? 0) + CALL_COUNTS_MS + 1;
        const silent = [...history, news(begun)];
        expect(isTrusted(silent, begun)).toBe(false);
        const next = begun + LATE_CALL_MS + 1;
        const one = [...silent, call(next), news(next + SECOND)];
        expect(isTrusted(one, next + SECOND)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test("calls that announce every news are trusted from the second on", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 10 * MINUTE, max: 20 * HOUR }), { minLength: 2, maxLength: 20 }),
        fc.integer({ min: 0, max: CALL_COUNTS_MS }),
        (gaps, shownAfterMs) => {
          let ms = 0;
          const history = gaps.flatMap((gapMs) => {
            ms += gapMs;
            return [call(ms), news(ms + shownAfterMs)];
          });
          expect(isTrusted(history, ms + shownAfterMs)).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
