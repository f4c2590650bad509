import { afterAll, beforeAll, it } from "vitest";
import { expectCaught, MOST_SEEDS } from "../planted-bug.ts";
import type { Plant } from "./bot.ts";
import { crashAsProof } from "./planted/crash-as-proof.ts";
import { endByEditAlone } from "./planted/end-by-edit-alone.ts";
import { lockPerPerson } from "./planted/lock-per-person.ts";
import { neverGiveUp } from "./planted/never-give-up.ts";
import { noCoverage } from "./planted/no-coverage.ts";
import { noSettling } from "./planted/no-settling.ts";
import { retryOnUnknown } from "./planted/retry-on-unknown.ts";
import { sendBeforeCommit } from "./planted/send-before-commit.ts";
import { tellNobody } from "./planted/tell-nobody.ts";
import { type MoneyStage, openMoneyStage } from "./stage.ts";
import { simulateWeek } from "./week.ts";

let stage: MoneyStage;
beforeAll(async () => {
  stage = await openMoneyStage();
});
afterAll(() => stage.close());

it.each<[string, Plant, string]>([
  ["asks again after an unclear answer", retryOnUnknown, "M1"],
  ["takes a page of the list for all of it", noCoverage, "M3"],
  ["takes the first absence for proof", noSettling, "M3"],
  ["locks by Discord user", lockPerPerson, "M4"],
  ["sends before the commit", sendBeforeCommit, "M2"],
  ["takes a crash for proof that nothing was sent", crashAsProof, "M3"],
  ["never hands anything over to its owner", neverGiveUp, "M5"],
  ["tells nobody but by the private reply", tellNobody, "M7"],
  ["ends a doubt that was told by message by an edit alone", endByEditAlone, "M7"],
])(
  `a bot that %s is caught within ${MOST_SEEDS} seeds`,
  (name, plant, rule) => expectCaught(name, rule, (seed) => simulateWeek(stage, seed, plant)),
  600_000,
);
