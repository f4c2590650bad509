import type { MoneyAnswer } from "#src/withdrawals/withdrawal.ts";
import { SECOND } from "#src/shared/time.ts";
import type { Dice } from "../dice.ts";
import type { Fate } from "./weather.ts";

export const REFUSED = Symbol("refused");

/** Whether the service executes the request, if its rules permit. */
export const isCarriedOut = (fate: Fate): boolean =>
  ["answered", "answered_barely", "lost_after", "error_after", "malformed_after"].includes(fate) ||
  ["timeout_after", "late", "conflict_after", "refused_after"].includes(fate);

export const effectDelayMs = (fate: Fate, dice: Dice, latestMs: number): number =>
  fate === "late" ? dice.spread(31 * SECOND, latestMs) : dice.between(10, 2_000);

const rejected = (dice: Dice): MoneyAnswer<never> => ({
  state: "rejected",
  reason: dice.pick(["invalid", "forbidden", "rate_limited", "refused"]),
  httpStatus: 400,
  requestId: undefined,
  message: undefined,
  retryAfterMs: undefined,
  shortfall: undefined,
});

const unknown = (errorCode: string, httpStatus?: number): MoneyAnswer<never> => ({
  state: "unknown",
  errorCode,
  httpStatus,
  requestId: undefined,
});

/** The client's reading of the answer, by the table of decisions 1.4. */
export const answerOf = <Accepted>(
  fate: Fate,
  done: (() => MoneyAnswer<Accepted>) | typeof REFUSED | undefined,
  dice: Dice,
): MoneyAnswer<Accepted> => {
  switch (fate) {
    case "not_sent":
      return {
        state: "not_sent",
        reason: dice.pick(["unreachable", "paced"]),
        errorCode: "ECONNREFUSED",
        retryAfterMs: undefined,
      };
    case "refused":
    case "refused_after":
      return rejected(dice);
    case "conflict_before":
    case "conflict_after":
      return unknown("HTTP_409", 409);
    case "answered":
    case "answered_barely":
      return typeof done === "function" ? done() : rejected(dice);
    case "lost_before":
    case "lost_after":
      return unknown("ECONNRESET");
    case "error_after":
      return unknown("HTTP_500", 500);
    case "malformed_after":
      return unknown("MALFORMED", 200);
    case "timeout_before":
    case "timeout_after":
    case "late":
    default:
      return unknown("UND_ERR_HEADERS_TIMEOUT");
  }
};
