import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { actor, look, lostOne, openMoneyStage, order, refusal, restore } from "./money-stage.ts";

/** A stage whose clock is ahead of the service's. */
const openAhead = async (ms: number) => {
  const stage = await openMoneyStage();
  stage.clock.moveBy(ms);
  stage.skewMs = -ms;
  const setBack = (): void => {
    stage.clock.moveBy(-ms);
    stage.skewMs = 0;
  };
  return { stage, setBack };
};

const steps = [
  ["20 minutes", 20 * MINUTE],
  ["a day", DAY],
] as const;

describe.each(steps)("after the clock was set back by %s", (_, ms) => {
  it("an unknown withdrawal is found within minutes", async () => {
    const { stage, setBack } = await openAhead(ms);
    const op = await lostOne(stage, true);
    const [made] = stage.executed.values();
    stage.become(made?.txid ?? "", {
      requestedAt: stage.clock.now().subtract({ milliseconds: ms }),
    });
    expect(op.state).toBe("unknown");
    setBack();
    await stage.follow(6 * MINUTE);
    expect((await stage.op(op.id)).state).not.toBe("unknown");
  });

  it("readings that people and calls ask for do not bring the owner's decision nearer", async () => {
    const { stage, setBack } = await openAhead(ms);
    const op = await lostOne(stage, true);
    stage.executed.clear();
    setBack();
    for (let asked = 0; asked < 44; asked++) {
      stage.clock.moveBy(MINUTE);
      await stage.stores.journal.makeDue(op.accountFp, stage.clock.now());
      await stage.check();
      await stage.money.withdrawals.check(actor(), op.id);
      expect((await stage.op(op.id)).state).toBe("unknown");
    }
    await stage.follow(2 * MINUTE);
    expect((await stage.op(op.id)).state).toBe("manual");
  });
});

describe("S3: a copy of the database", () => {
  it.each([
    ["until shortly before", 3 * HOUR, -MINUTE],
    ["by minutes until shortly before", 40 * MINUTE, -MINUTE],
    ["until it was made", 3 * HOUR, 3 * HOUR],
  ])("whose clock was ahead %s hides no lost withdrawal", async (_, eventMs, aliveMs) => {
    const stage = await openMoneyStage();
    stage.add({ txid: "BEFORE" });
    await look(stage);
    const copied = stage.clock.now();
    const after = (milliseconds: number) => copied.add({ milliseconds });
    stage.clock.moveBy(30 * MINUTE);
    stage.add({ txid: "LOST" });
    stage.clock.moveBy(10 * MINUTE);
    await restore(stage, after(eventMs), "restored", after(aliveMs));
    expect(await refusal(stage.money.withdrawals.prepare(order()))).toMatchObject({
      why: "newer",
      withdrawals: [{ txid: "LOST" }],
    });
  });

  it("asks about no withdrawal of well before it, though no look has seen it", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "SEEN" });
    await look(stage);
    stage.add({ txid: "UNSEEN" });
    stage.clock.moveBy(7 * MINUTE);
    const copied = stage.clock.now();
    await restore(stage, copied, "restored", copied.subtract({ minutes: 1 }));
    expect(await refusal(stage.money.withdrawals.prepare(order()))).toBe("was not refused");
  });
});
