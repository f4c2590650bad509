import { describe, expect, it } from "vitest";
import { cents } from "#src/shared/money.ts";
import { DAY, HOUR } from "#src/shared/time.ts";
import { databases } from "../support/databases.ts";
import {
  actor,
  ANA,
  BRUNO,
  connect,
  decided,
  disconnect,
  ghostsOf,
  GUILD,
  listInSmall,
  look,
  lostOne,
  type MoneyStage,
  openMoneyStage,
  openMoneyStageOn,
  restore,
  textsOf,
  withdrawn,
} from "./money-stage.ts";

describe("a stranger's withdrawal beside an undecided one, before the question", () => {
  /** Ana's withdrawal waits for her decision, and the bot was paused since. */
  const undecided = async (cause: "gap" | "restored" = "gap") => {
    const stage = await openMoneyStage();
    await restoreLongAgo(stage);
    await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
    await look(stage);
    const op = await lostOne(stage, false);
    await stage.follow(HOUR, HOUR / 4);
    expect((await stage.op(op.id)).state).toBe("manual");
    const copied = stage.clock.now();
    stage.clock.moveBy(HOUR);
    stage.add({ txid: "PAUSED", amount: cents(9_900) });
    stage.clock.moveBy(HOUR);
    await restore(stage, copied, cause);
    stage.clock.moveBy(HOUR);
    return { stage, id: op.id };
  };
  /** A restore that is no concern of an account connected since. */
  const restoreLongAgo = async (stage: MoneyStage): Promise<void> => {
    stage.clock.moveBy(-30 * DAY);
    await restore(stage, null);
    stage.clock.moveBy(30 * DAY);
  };
  const holdOf = async ({ stores }: MoneyStage) => {
    const account = await stores.accounts.find(GUILD, ANA);
    return await stores.holds.find(account?.accountFp ?? "", account?.connectedAt);
  };
  const toBoth = (...txids: readonly string[]) =>
    txids.flatMap((txid) => [`${txid}|${ANA}`, `${txid}|${BRUNO}`]);

  it("is told once after a pause, and the later question lists it all the same", async () => {
    const { stage, id } = await undecided();
    stage.add({ txid: "THEFT", pixKey: "carla@example.com" });
    stage.add({ txid: "LATE" });
    await look(stage);
    await look(stage);
    expect(await ghostsOf(stage)).toEqual(toBoth("PAUSED", "THEFT"));
    expect(await textsOf(stage)).toContain("travar:agora");
    // What the daily upkeep deletes.
    await stage.db.deleteFrom("outbox").execute();
    stage.clock.moveBy(31 * DAY);
    await restore(stage, stage.clock.now(), "gap");
    await look(stage);
    expect(await ghostsOf(stage)).toEqual([]);

    await decided(stage, id, true);
    await look(stage);
    await look(stage);
    const asked = await holdOf(stage);
    expect([...(asked?.asked?.txids ?? [])].sort()).toEqual(["LATE", "PAUSED", "THEFT"]);
    expect(await ghostsOf(stage)).toEqual([]);
    const questions = (await stage.messages()).filter((message) => message.startsWith("restored|"));
    expect(questions).toHaveLength(2);
    await stage.money.withdrawals.acknowledgeRestore(actor(), asked?.asked?.answerId ?? "");
    await look(stage);
    expect(await ghostsOf(stage)).toEqual([]);
    expect(await holdOf(stage)).toBeUndefined();
  });

  it("is told once where the list writes its txid in another case since, and once it is answered for", async () => {
    const { stage, id } = await undecided();
    await look(stage);
    listInSmall(stage);
    await look(stage);
    await decided(stage, id, true);
    await look(stage);
    const answerId = (await holdOf(stage))?.asked?.answerId ?? "";
    await stage.money.withdrawals.acknowledgeRestore(actor(), answerId);
    await look(stage);
    expect(await ghostsOf(stage)).toEqual(toBoth("PAUSED"));
  });

  it("is in no question about a pause that found the account disconnected and without an open one", async () => {
    const stage = await openMoneyStage();
    await look(stage);
    const { op } = await withdrawn(stage);
    stage.become(op.txid ?? "", { status: "completed", completedAt: stage.clock.now() });
    await stage.follow(HOUR, HOUR / 4);
    expect((await stage.op(op.id)).state).toBe("completed");
    await disconnect(stage);
    await restoreLongAgo(stage);
    stage.clock.moveBy(60 * DAY);
    await restore(stage, stage.clock.now().subtract({ minutes: 5 }), "gap");
    stage.clock.moveBy(60 * DAY);
    stage.add({ txid: "AWAY", amount: cents(9_900) });
    await connect(stage);
    await look(stage);
    expect(await holdOf(stage)).toBeUndefined();
  });

  it.each(databases)(
    "is in no question about a pause that another wallet account alone had an open one in, on $name",
    async (kind) => {
      const stage = await openMoneyStageOn(kind);
      await look(stage);
      await withdrawn(stage);
      const others = { account_fp: "another account", state: "unknown" } as const;
      await stage.db.updateTable("withdraw_op").set(others).execute();
      await disconnect(stage);
      stage.clock.moveBy(DAY);
      await restore(stage, stage.clock.now().subtract({ minutes: 5 }), "gap");
      stage.clock.moveBy(HOUR);
      stage.add({ txid: "AWAY", amount: cents(9_900) });
      await connect(stage);
      await look(stage);
      expect(await holdOf(stage)).toBeUndefined();
    },
  );

  it("is told after a restore only where the lost part of the journal cannot hold it", async () => {
    const { stage, id } = await undecided("restored");
    stage.add({ txid: "THEFT", pixKey: "carla@example.com" });
    await look(stage);
    expect(await ghostsOf(stage)).toEqual(toBoth("THEFT"));
    await decided(stage, id, false);
    await look(stage);
    expect((await holdOf(stage))?.asked?.txids).toEqual(["THEFT", "PAUSED"]);
    expect(await ghostsOf(stage)).toEqual(toBoth("THEFT"));
  });

  it("is told of a later connection, which has no first look, only where it is newer than that", async () => {
    const { stage, id } = await undecided("restored");
    await disconnect(stage, { guildId: "2", ownerId: BRUNO });
    await disconnect(stage);
    stage.add({ txid: "AWAY", pixKey: "carla@example.com" });
    stage.clock.moveBy(HOUR);
    await connect(stage);
    await look(stage);
    stage.clock.moveBy(HOUR);
    stage.add({ txid: "THEFT", pixKey: "carla@example.com" });
    await look(stage);
    await look(stage);
    expect(await ghostsOf(stage)).toEqual([`THEFT|${ANA}`]);
    await decided(stage, id, false);
    await look(stage);
    expect((await holdOf(stage))?.asked?.txids).toEqual(["THEFT", "AWAY", "PAUSED"]);
    expect(await ghostsOf(stage)).toEqual([`THEFT|${ANA}`]);
  });

  it("is in the question after the decision though every owner disconnects and connects again", async () => {
    const { stage, id } = await undecided();
    await disconnect(stage, { guildId: "2", ownerId: BRUNO });
    await disconnect(stage);
    await connect(stage);
    await look(stage);
    await decided(stage, id, false);
    await look(stage);
    const hold = await holdOf(stage);
    expect(hold?.number).toBe(2);
    expect(hold?.asked?.txids).toEqual(["PAUSED"]);
  });

  it("is told of no more restores than concern the account", async () => {
    const { stage } = await undecided();
    const before = await holdOf(stage);
    expect(before?.cause).toBe("gap");
    await look(stage);
    expect(await holdOf(stage)).toEqual({ ...before, told: expect.any(Set) });
  });

  it.each([
    ["made", true],
    ["not made", false],
  ])("is not a stranger's when its owner has declared it as %s", async (_, happened) => {
    const { stage, id } = await undecided();
    await decided(stage, id, happened);
    await look(stage);
    await stage.money.withdrawals.acknowledgeRestore(
      actor(),
      (await holdOf(stage))?.asked?.answerId ?? "",
    );
    const what = { kind: "own", amount: cents(7_000) } as const;
    const next = await lostOne(stage, false, { what });
    await stage.follow(HOUR, HOUR / 4);
    expect((await stage.op(next.id)).state).toBe("manual");
    await restore(stage, stage.clock.now().subtract({ hours: 6 }), "gap");
    const { sentAt } = await stage.op(id);
    stage.add({ txid: "DECLARED", ...(sentAt && { requestedAt: sentAt }) });
    await look(stage);
    expect(await ghostsOf(stage)).toEqual(happened ? [] : toBoth("DECLARED"));
    if (!happened) expect(await textsOf(stage)).toContain(id);
  });
});
