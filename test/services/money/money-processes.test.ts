import { describe, expect, it, onTestFinished } from "vitest";
import { databases } from "../../support/databases.ts";
import { actor, type MoneyStage, openMoneyStage, prepared, withdrawn } from "./money-stage.ts";
import { LOST } from "./plain-wallet.ts";

describe.each(databases)("several processes on $name", ({ create }) => {
  const opened = async (): Promise<MoneyStage> => {
    const { url, drop } = await create();
    onTestFinished(drop);
    return await openMoneyStage(true, url);
  };

  it("send once, however many of them are clicked at the same time", async () => {
    const stage = await opened();
    const { token, op } = await prepared(stage);
    const processes = ["a", "b", "c"].map((owner) => stage.process({ owner }));

    const answers = await Promise.allSettled(
      processes.map(({ withdrawals }) => withdrawals.confirm(actor(), token, undefined)),
    );

    expect(stage.sent).toHaveLength(1);
    expect((await stage.op(op.id)).state).toBe("accepted");
    expect(answers.some(({ status }) => status === "fulfilled")).toBe(true);
  });

  it("send one of the orders of an account that are confirmed at the same time", async () => {
    const stage = await opened();
    const orders = [await prepared(stage), await prepared(stage), await prepared(stage)];
    stage.clock.moveBy(1_000);

    await Promise.allSettled(
      orders.map(({ token }, index) =>
        stage.process({ owner: `p${index}` }).withdrawals.confirm(actor(), token, undefined),
      ),
    );

    expect(stage.sent).toHaveLength(1);
  });

  it("leave one that is being sent to its process until its lease ends", async () => {
    const stage = await opened();
    const { token, op } = await prepared(stage);
    stage.onRequest = () => stage.process({ owner: "other" }).sweep(false);

    await stage.money.withdrawals.confirm(actor(), token, undefined);

    expect((await stage.op(op.id)).state).toBe("accepted");
  });

  it("find out together what became of a lost answer, and tell it once", async () => {
    const stage = await opened();
    stage.answer = LOST;
    const { op } = await withdrawn(stage);
    stage.clock.moveBy(5_000);

    await Promise.all(["a", "b", "c"].map((owner) => stage.check(stage.process({ owner }))));

    expect((await stage.op(op.id)).txid).toBe("TX0001");
    const found = (await stage.messages()).filter((message) => message.includes("accepted"));
    expect(found).toHaveLength(1);
  });
});
