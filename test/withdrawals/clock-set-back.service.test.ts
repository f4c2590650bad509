import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import {
  actor,
  confirmationIn,
  confirmed,
  look,
  lostOne,
  openMoneyStage,
  order,
  prepared,
  refusal,
  restore,
  withdrawn,
} from "./money-stage.ts";

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
  ["an hour", HOUR],
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

  it("an unknown withdrawal that is not found is its owner's to decide within two hours", async () => {
    const { stage, setBack } = await openAhead(ms);
    const op = await lostOne(stage, true);
    stage.executed.clear();
    setBack();
    await stage.follow(30 * MINUTE);
    expect((await stage.op(op.id)).state).toBe("unknown");
    await stage.follow(90 * MINUTE);
    expect((await stage.op(op.id)).state).toBe("manual");
  });
});

describe.each(steps)("after the clock was set back by %s", (_, ms) => {
  it("a new withdrawal is confirmed by one click", async () => {
    const { stage, setBack } = await openAhead(ms);
    await withdrawn(stage);
    setBack();
    const next = await prepared(stage);
    stage.clock.moveBy(SECOND);
    const status = await stage.money.withdrawals.confirm(actor(), next.token, undefined);
    expect(status).toMatchObject({ kind: "status", op: { state: "accepted" } });
  });

  it.each(["before", "after"])(
    "S8: one that was sent %s the step is told at the click",
    async (when) => {
      const { stage, setBack } = await openAhead(ms);
      const [first, second] = [await prepared(stage), await prepared(stage)];
      stage.clock.moveBy(SECOND);
      if (when === "after") setBack();
      await confirmed(stage, first);
      if (when === "before") setBack();
      stage.clock.moveBy(SECOND);
      const asked = confirmationIn(
        await stage.money.withdrawals.confirm(actor(), second.token, undefined),
      );
      expect(asked).toMatchObject({ sentMeanwhile: true });
      expect(stage.sent).toHaveLength(1);
      stage.clock.moveBy(SECOND);
      expect((await confirmed(stage, asked)).op.state).toBe("accepted");
    },
  );
});

describe.each(steps.slice(1))("after the clock was set back by %s", (_, ms) => {
  it("the end of an accepted withdrawal is told within minutes", async () => {
    const { stage, setBack } = await openAhead(ms);
    const { op } = await withdrawn(stage);
    await stage.follow(3 * MINUTE);
    setBack();
    await stage.follow(MINUTE);
    stage.become([...stage.executed.keys()][0] ?? "", { status: "failed" });
    await stage.follow(6 * MINUTE);
    expect((await stage.op(op.id)).state).toBe("failed");
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
