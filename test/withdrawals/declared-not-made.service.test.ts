import { describe, expect, it, onTestFinished } from "vitest";
import { databases } from "../support/databases.ts";
import {
  actor,
  ANA,
  BRUNO,
  confirmed,
  connect,
  ghostsOf,
  look,
  type MoneyStage,
  openMoneyStage,
  prepared,
  refusal,
  withdrawn,
} from "./money-stage.ts";
import { LOST } from "./plain-wallet.ts";

describe.each(databases)("a withdrawal that its owner declared as not made, on $name", (kind) => {
  /** Ana's word, and the withdrawal that the service shows only afterwards. */
  const declared = async () => {
    const { url, drop } = await kind.create();
    onTestFinished(drop);
    const stage = await openMoneyStage(true, url);
    await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
    await look(stage);
    stage.answer = LOST;
    stage.works = false;
    const { op } = await withdrawn(stage);
    await stage.follow(3_600_000);
    const decision = { opId: op.id, typedCode: op.id, happened: false };
    await stage.money.withdrawals.decide({ ...decision, actor: actor() });
    stage.works = true;
    stage.answer = undefined;
    const show = (): unknown =>
      stage.add({ txid: "LATE", ...(op.sentAt && { requestedAt: op.sentAt }) });
    return { stage, id: op.id, show };
  };
  const textTo = async (stage: MoneyStage, userId: string): Promise<string> => {
    const rows = await stage.db
      .selectFrom("outbox")
      .select("payload")
      .where("dedupe_key", "like", `ghost|%|LATE|${userId}`)
      .execute();
    return rows.map(({ payload }) => payload).join();
  };

  it("is told to that owner by its code, and to others as any other", async () => {
    const { stage, id, show } = await declared();
    show();
    await look(stage);
    await look(stage);
    expect([...(await ghostsOf(stage))].sort()).toEqual([`LATE|${ANA}`, `LATE|${BRUNO}`]);
    expect(await textTo(stage, ANA)).toContain(id);
    expect(await textTo(stage, ANA)).not.toContain("que este bot não fez");
    expect(await textTo(stage, BRUNO)).not.toContain(id);
    expect((await stage.op(id)).state).toBe("resolved_manual");
    expect(await refusal(prepared(stage))).toBe("was not refused");
  });

  it("holds up the next order once, and is told by it", async () => {
    const { stage, id, show } = await declared();
    show();
    expect(await refusal(prepared(stage))).toEqual({ kind: "earlier_was_made", opId: id });
    expect(await textTo(stage, ANA)).toContain(id);
    expect(await refusal(prepared(stage))).toBe("was not refused");
  });

  it("holds up a confirmed order just before its request", async () => {
    const { stage, id, show } = await declared();
    const confirmation = await prepared(stage);
    const sent = stage.sent.length;
    show();
    const { op } = await confirmed(stage, confirmation);
    expect(op).toMatchObject({ state: "refused_local", errorCode: "earlier_was_made" });
    expect(stage.sent).toHaveLength(sent);
    expect(await textTo(stage, ANA)).toContain(id);
  });

  it("asks again at the click when a look told it after the question", async () => {
    const { stage, id, show } = await declared();
    const confirmation = await prepared(stage);
    const sent = stage.sent.length;
    show();
    await look(stage);
    expect(await textTo(stage, ANA)).toContain(id);
    const asked = await stage.money.withdrawals.confirm(actor(), confirmation.token, undefined);
    expect(asked).toMatchObject({ kind: "confirmation", sentMeanwhile: true });
    expect(stage.sent).toHaveLength(sent);
    if (asked.kind !== "confirmation") throw new Error("It was sent");
    expect((await confirmed(stage, asked)).op.state).toBe("accepted");
  });

  it("is nothing that was asked for at another time", async () => {
    const { stage, id } = await declared();
    stage.add({ txid: "LATE" });
    expect(await refusal(prepared(stage))).toBe("was not refused");
    await look(stage);
    expect(await textTo(stage, ANA)).not.toContain(id);
  });
});
