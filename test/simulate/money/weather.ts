import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { type BoundChoice, drawBounds } from "./bounds.ts";
import type { Dice } from "../dice.ts";
import type { Terms } from "./truth.ts";

/** Outcome of the request that moves money: its effect comes before the answer, after it, or never. */
export type Fate =
  | "answered"
  | "answered_barely"
  | "not_sent"
  | "refused"
  | "lost_before"
  | "timeout_before"
  | "lost_after"
  | "error_after"
  | "malformed_after"
  | "timeout_after"
  | "late"
  /** 409 in the documented envelope. */
  | "conflict_before"
  | "conflict_after"
  /** Refused in the documented envelope after execution. */
  | "refused_after";

export const fates = [
  "answered",
  "answered_barely",
  "not_sent",
  "refused",
  "lost_before",
  "timeout_before",
  "lost_after",
  "error_after",
  "malformed_after",
  "timeout_after",
  "late",
  "conflict_before",
] as const satisfies readonly Fate[];

type ReadName = "balance" | "withdrawals" | "withdrawal" | "transaction" | "checkPixKey";

export interface Weather {
  readonly fate: (nowMs: number) => Fate;
  readonly fails: (what: ReadName, nowMs: number) => boolean;
  readonly latencyMs: () => number;
  readonly dated: boolean;
  readonly measuresSkew: boolean;
  readonly splitReadable: boolean;
  readonly splitListed: boolean;
  /** `atCommit`: between a commit and the next step, where a delay costs most. */
  readonly holdMs: (atCommit?: boolean) => number;
}

interface Outage {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly only: ReadName | undefined;
}

const READS = ["withdrawals", "withdrawal"] as const;

/** One run in five has quiet weather, one in three an outage of hours. */
export const drawWeather = (dice: Dice, startMs: number, frequent: readonly Fate[]): Weather => {
  const rough = dice.chance(0.2) ? 0 : dice.fraction() * 0.6;
  const failing = dice.chance(0.4) ? 0 : dice.fraction() * 0.3;
  const slow = dice.chance(0.15) ? 0.05 : 0;
  const outages: Outage[] = Array.from(
    { length: dice.chance(0.35) ? dice.between(1, 3) : 0 },
    () => {
      const fromMs = startMs + dice.between(0, 6 * DAY);
      const only = dice.chance(0.5) ? dice.pick(READS) : undefined;
      return { fromMs, untilMs: fromMs + dice.spread(MINUTE, 30 * HOUR), only };
    },
  );
  return {
    fate: (nowMs) => {
      if (!dice.chance(rough)) return "answered";
      // A fault of the answer often affects the reads after it.
      if (dice.chance(0.4)) {
        outages.push({
          fromMs: nowMs,
          untilMs: nowMs + dice.spread(MINUTE, 4 * HOUR),
          only: undefined,
        });
      }
      const [first, ...others] = frequent;
      if (first !== undefined && dice.chance(0.4)) return dice.pick([first, ...others]);
      return dice.pick(fates);
    },
    fails: (what, nowMs) =>
      dice.chance(failing) ||
      outages.some(
        ({ fromMs, untilMs, only }) =>
          nowMs >= fromMs && nowMs < untilMs && (only === undefined || only === what),
      ),
    latencyMs: () =>
      dice.chance(0.02) ? dice.between(SECOND, 15 * SECOND) : dice.between(20, 400),
    dated: dice.chance(0.7),
    measuresSkew: dice.chance(0.8),
    splitReadable: dice.chance(0.7),
    splitListed: dice.chance(0.7),
    holdMs: (atCommit = false) =>
      slow > 0 && atCommit && dice.chance(0.2)
        ? dice.between(20 * SECOND, 200 * SECOND)
        : slow > 0 && dice.chance(slow)
          ? dice.spread(SECOND / 2, 300 * SECOND)
          : 0,
  };
};

export const drawTerms = (dice: Dice, choice: BoundChoice): Terms => ({
  bounds: drawBounds(dice, choice),
  oneInADay: dice.chance(0.4),
  oneAtATime: dice.chance(0.5),
  failing: dice.pick([0, 0.1, 0.5]),
  salesAnHour: dice.pick([0, 0, 100, 5_000]),
  longestPlanMs: dice.chance(0.25) ? DAY : 2 * HOUR,
});
