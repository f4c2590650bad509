import { expect, it } from "vitest";
import { openMoneyStage, withdrawn } from "./money-stage.ts";

it("A machine that slept since the commit sends nothing, although its monotonic clock slept too", async () => {
  const stage = await openMoneyStage();
  const { journal } = stage.stores;
  const money = stage.process({
    monotonicMs: () => 0,
    journal: {
      ...journal,
      move: async (op, step, at) => {
        const moved = await journal.move(op, step, at);
        if (step.to === "sending") stage.clock.moveBy(30_001);
        return moved;
      },
    },
  });

  const { op } = await withdrawn({ money });

  expect(op).toMatchObject({ state: "not_sent", errorCode: "held_up" });
  expect(stage.sent).toEqual([]);
});
