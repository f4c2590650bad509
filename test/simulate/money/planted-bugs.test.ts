import { afterAll, beforeAll, it } from "vitest";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { expectCaught, MOST_SEEDS } from "../planted-bug.ts";
import type { Plant } from "./bot.ts";
import type { BoundChoice } from "./bounds.ts";
import {
  believesAnyList,
  believesConflicts,
  crashAsProof,
  endByEditAlone,
  endsRefusalByEdit,
  forgetsRefusals,
  ignoresBalance,
  knowsOnlyStars,
  lockPerKey,
  lockPerPerson,
  neverGiveUp,
  neverHeldUp,
  noCoverage,
  noLateCheck,
  retryOnUnknown,
  sendBeforeCommit,
  settlesAfter,
  tellNobody,
  together,
  trustsTimes,
} from "./planted.ts";
import { openMoneyStage } from "./stage.ts";
import type { StoresStage } from "../stores-stage.ts";
import { simulateWeek } from "./week.ts";

let stage: StoresStage;
beforeAll(async () => {
  stage = await openMoneyStage();
});
afterAll(() => stage.close());

/** Settles as soon as the earliest late effect of a tame service would be visible. */
const settlesSoon = settlesAfter(12 * MINUTE);

it.each<[string, Plant, string, BoundChoice?]>([
  ["asks again after an unclear answer", retryOnUnknown, "M1"],
  [
    "takes a page of the list for all of it",
    together(believesAnyList, ignoresBalance, noCoverage, settlesSoon),
    "M3",
    "tame",
  ],
  ["takes the first absence for proof", settlesAfter(0), "M3", "lateness"],
  ["settles after 3 minutes", settlesAfter(3 * MINUTE), "M3", "lateness"],
  ["settles after an hour", settlesAfter(HOUR), "M3", "lateness"],
  [
    "S1: knows no mask but stars",
    together(believesAnyList, ignoresBalance, knowsOnlyStars, settlesSoon),
    "M3",
    "shown_keys",
  ],
  ["S6: does not look at the balance", together(ignoresBalance, settlesSoon), "M3", "list_lag"],
  [
    "S6: believes a list that was never seen to hold an open one",
    together(believesAnyList, ignoresBalance, settlesSoon),
    "M3",
    "hidden_rows",
  ],
  ["S7: takes a 409 for a refusal", believesConflicts, "M3", "refusals"],
  ["S7: forgets what was refused", forgetsRefusals, "G1", "refusals"],
  ["sends however long it was held up", neverHeldUp, "M2"],
  ["looks at the lock only at the click", noLateCheck, "L2"],
  ["locks by Discord user", lockPerPerson, "M4"],
  ["locks by API key", lockPerKey, "M4"],
  ["sends before the commit", sendBeforeCommit, "M2"],
  ["takes a crash for proof that nothing was sent", crashAsProof, "M3"],
  ["never hands anything over to its owner", neverGiveUp, "M5"],
  ["waits for times that a clock wrote before it was set back", trustsTimes, "M5"],
  ["tells nobody but by the private reply", tellNobody, "M7"],
  ["ends a doubt that was told by message by an edit alone", endByEditAlone, "M7"],
  ["ends a refusal that proved wrong by an edit alone", endsRefusalByEdit, "M7", "refusals"],
])(
  `a bot that %s is caught within ${MOST_SEEDS} seeds`,
  (name, plant, rule, bound) =>
    expectCaught(name, rule, (seed) => simulateWeek(stage, seed, plant, bound ?? "all")),
  600_000,
);
