import { afterAll, beforeAll, it } from "vitest";
import { expectCaught, MOST_SEEDS } from "../planted-bug.ts";
import type { Plant } from "./bot.ts";
import { simulateFortnight } from "./fortnight.ts";
import { type DisputeStage, openDisputeStage } from "./stage.ts";
import {
  answersForgotten,
  endIsFinal,
  enqueueAfterStep,
  failedWordUntold,
  lastCallsWait,
  noCollapse,
  noHistory,
  noNonce,
  noSecondLook,
  pingAlways,
  sleepless,
  unmarkedRepeat,
  wordForgotten,
  wrongPlace,
} from "./planted.ts";

let stage: DisputeStage;
beforeAll(async () => {
  stage = await openDisputeStage();
});
afterAll(() => stage.close());

it.each<[string, Plant, string]>([
  ["does not read again before it posts", noSecondLook, "TRUE"],
  ["crosses a step off before it hands the alert over", enqueueAfterStep, "OWED"],
  ["takes what is cancelled for over", endIsFinal, "OWED"],
  ["tells every reminder that was missed", noCollapse, "COLLAPSE"],
  ["reminds of what is answered", answersForgotten, "TRUE"],
  ["reminds an owner who says that it is answered", wordForgotten, "MUTE"],
  ["says nothing when the word of its owner fails", failedWordUntold, "OWED"],
  ["lets the last calls wait for the morning", lastCallsWait, "OWED"],
  ["knows of no quiet hours", sleepless, "QUIET"],
  ["does not mark a repeat", unmarkedRepeat, "MARK"],
  ["does not look for what may be posted", noHistory, "ONCE"],
  ["does not ask Discord to heed its nonces", noNonce, "ONCE"],
  ["posts where nobody chose", wrongPlace, "PLACE"],
  ["calls a role at every step", pingAlways, "PING"],
])(
  `a bot that %s is caught within ${MOST_SEEDS} seeds`,
  (name, plant, rule) =>
    expectCaught(name, rule, (seed) => simulateFortnight(stage, seed, { plant })),
  600_000,
);
