import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { anaKey, anaOtherKey, delivery } from "../../database/builders.ts";
import { databases } from "../../support/databases.ts";
import {
  actor,
  ANA,
  BRUNO,
  connect,
  disconnect,
  ghostsOf,
  GUILD,
  look,
  lostOne,
  type MoneyStage,
  openMoneyStage,
  openMoneyStageOn,
  order,
  prepared,
  refusal,
  restore,
  withdrawn,
} from "../money-stage.ts";

const ask = ({ money }: MoneyStage) => refusal(money.withdrawals.prepare(order()));
const notices = async (stage: MoneyStage): Promise<readonly string[]> =>
  (await stage.messages()).filter((message) => !message.startsWith("guard|"));
const answerIdOf = (reason: unknown): string => (reason as { answerId: string }).answerId;

/** A database put back from before a withdrawal of the last hour. */
const lost = async () => {
  const stage = await openMoneyStage();
  const copied = stage.clock.now();
  stage.clock.moveBy(HOUR);
  stage.add({ txid: "LOST" });
  await restore(stage, copied);
  return { stage, copied };
};

describe("after a restore", () => {
  it("S3: money waits until the owner saw what the journal does not know, told once", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "BEFORE" });
    await look(stage);
    const copied = stage.clock.now();
    stage.clock.moveBy(HOUR);
    stage.add({ txid: "LOST" });
    stage.clock.moveBy(HOUR);
    await restore(stage, copied);

    const reason = await ask(stage);
    expect(reason).toMatchObject({ kind: "restored_database", why: "newer" });
    expect(reason).toMatchObject({ withdrawals: [{ txid: "LOST" }] });
    await look(stage);
    const told = await notices(stage);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(new RegExp(`^restored\\|.*\\|${ANA} due$`));

    const stranger = { userId: BRUNO };
    const answerId = answerIdOf(reason);
    const { withdrawals } = stage.money;
    expect(await refusal(withdrawals.acknowledgeRestore(stranger, answerId))).toEqual({
      kind: "restore_question_gone",
    });
    await withdrawals.acknowledgeRestore(actor(), answerId);
    expect(await refusal(withdrawals.acknowledgeRestore(actor(), answerId))).toEqual({
      kind: "restore_question_gone",
    });
    const audit = await stage.db.selectFrom("audit_event").select(["actor", "action"]).execute();
    expect(audit).toContainEqual({ actor: ANA, action: "restore_acknowledged" });
    await look(stage);
    expect(await notices(stage)).toEqual(told);
    expect((await withdrawn(stage)).op.state).toBe("accepted");
  });

  it("S3: the question is told once, however long its owner does not answer it", async () => {
    const { stage } = await lost();
    await look(stage);
    expect(await notices(stage)).toHaveLength(1);
    // What the daily upkeep deletes.
    await stage.db.deleteFrom("outbox").execute();
    stage.clock.moveBy(31 * DAY);
    await look(stage);
    expect(await notices(stage)).toEqual([]);
    // Another owner, whom nobody has told.
    await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
    await look(stage);
    expect(await notices(stage)).toEqual([expect.stringMatching(new RegExp(`\\|${BRUNO} due$`))]);
  });

  it("S3: who has a refused key is not told, and does not answer for who has an accepted one", async () => {
    const stage = await openMoneyStage();
    const copied = stage.clock.now();
    const bruno = await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
    stage.clock.moveBy(HOUR);
    stage.add({ txid: "LOST" });
    await restore(stage, copied);
    const { accounts } = stage.stores;
    await accounts.pause(bruno.id, stage.clock.now(), delivery("guard|refused"));

    const answerId = answerIdOf(await ask(stage));
    expect(await notices(stage)).toEqual([expect.stringMatching(new RegExp(`\\|${ANA} due$`))]);
    const answer = (userId: string) =>
      refusal(stage.money.withdrawals.acknowledgeRestore({ userId }, answerId));
    expect(await answer(BRUNO)).toEqual({ kind: "restore_question_gone" });
    // While no key is accepted, each owner may answer by hand.
    const ana = await accounts.find(GUILD, ANA);
    await accounts.pause(ana?.id ?? "", stage.clock.now(), delivery("guard|refused too"));
    expect(await answer(BRUNO)).toBe("was not refused");
  });

  it("S3: an answer holds for what was shown, not for what came since", async () => {
    const { stage } = await lost();
    const first = answerIdOf(await ask(stage));
    stage.add({ txid: "LATER" });
    const second = answerIdOf(await ask(stage));
    expect(second).not.toBe(first);
    const { withdrawals } = stage.money;
    expect(await refusal(withdrawals.acknowledgeRestore(actor(), first))).toEqual({
      kind: "restore_question_gone",
    });
    await withdrawals.acknowledgeRestore(actor(), second);
    expect(await ask(stage)).toBe("was not refused");
  });

  it("S3: one wallet account's question is not another's", async () => {
    const { stage } = await lost();
    const answerId = answerIdOf(await ask(stage));
    const { holds } = stage.stores;

    const other = await holds.find("another account");
    expect(other).toMatchObject({ asked: undefined, told: new Set() });
    expect(other && (await holds.clear(other, stage.clock.now(), []))).toBe(true);
    expect((await holds.findAsked(answerId))?.asked?.txids).toEqual(["LOST"]);
  });

  it("S3: an answer that was read before another question was stored ends no hold", async () => {
    const { stage } = await lost();
    const { holds } = stage.stores;
    const now = stage.clock.now();
    const hold = (await holds.findAsked(answerIdOf(await ask(stage))))!;
    const later = { why: "newer", txids: ["LOST", "LATER"], answerId: "later" } as const;
    await holds.ask(hold, later, now, []);

    expect(await holds.acknowledge(hold, ANA, now, () => [], [])).toBe(false);
    expect((await holds.find(hold.accountFp))?.asked).toEqual(later);
  });

  it("S3: a question that was read before the answer is told to nobody any more", async () => {
    const { stage } = await lost();
    const hold = (await stage.stores.holds.findAsked(answerIdOf(await ask(stage))))!;
    await stage.money.withdrawals.acknowledgeRestore(actor(), hold.asked!.answerId);
    const late = { delivery: delivery("late"), covers: [] };
    await stage.stores.holds.ask(hold, hold.asked!, stage.clock.now(), [late]);
    expect(await notices(stage)).not.toContain("late due");
  });

  describe.each(databases)("on $name", (kind) => {
    const askedAfterGap = async (): Promise<MoneyStage> => {
      const stage = await openMoneyStageOn(kind);
      await look(stage);
      stage.clock.moveBy(HOUR);
      stage.add({ txid: "DASHBOARD" });
      await restore(stage, stage.clock.now(), "gap");
      await look(stage);
      expect(await notices(stage)).toEqual([expect.stringMatching(/^restored\|/)]);
      return stage;
    };

    it("S3: what comes after the question is told as any other withdrawal, once, though nobody answers", async () => {
      const stage = await askedAfterGap();
      stage.clock.moveBy(3 * DAY);
      stage.add({ txid: "THEFT" });
      // The person's own reading stores the longer question first.
      await ask(stage);
      await look(stage);
      expect(await ghostsOf(stage)).toEqual([`THEFT|${ANA}`]);
      const payloads = await stage.db.selectFrom("outbox").select("payload").execute();
      expect(payloads.some(({ payload }) => payload.includes("travar:agora"))).toBe(true);

      stage.failing.set("withdrawals", "unavailable");
      await look(stage);
      stage.failing.clear();
      await look(stage);
      await stage.db.deleteFrom("outbox").execute();
      await look(stage);
      expect(await notices(stage)).toEqual([]);
      await stage.money.withdrawals.acknowledgeRestore(actor(), answerIdOf(await ask(stage)));
      await look(stage);
      expect(await notices(stage)).toEqual([]);
    });

    it("S3: an answer hides from no other owner what no message has told yet", async () => {
      const stage = await askedAfterGap();
      await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
      await look(stage);
      stage.add({ txid: "THEFT" });
      await stage.money.withdrawals.acknowledgeRestore(actor(), answerIdOf(await ask(stage)));
      await look(stage);
      await look(stage);
      expect(await ghostsOf(stage)).toEqual([`THEFT|${ANA}`, `THEFT|${BRUNO}`]);
    });

    it("S3: who connects later is told by the question itself, which lists all", async () => {
      const stage = await askedAfterGap();
      stage.add({ txid: "THEFT" });
      await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
      await look(stage);
      await look(stage);
      expect(await ghostsOf(stage)).toEqual([`THEFT|${ANA}`]);
      const questions = (await notices(stage)).filter((message) => message.startsWith("restored|"));
      expect(questions).toHaveLength(2);
    });
  });

  it("S3: a list that was unreadable first is no reason to tell what was lost as somebody else's", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "LOST" });
    await restore(stage, stage.clock.now());
    stage.failing.set("withdrawals", "unavailable");
    stage.clock.moveBy(15 * MINUTE);
    await look(stage);
    stage.failing.clear();
    await look(stage);
    stage.failing.set("withdrawals", "unavailable");
    await look(stage);
    const told = await notices(stage);
    expect(told.map((message) => message.split("|")[0])).toEqual(["restored", "restored"]);
  });

  it("S3: a list that becomes unreadable asks nobody again, and a removed key takes no question back", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "LOST" });
    await restore(stage, stage.clock.now());
    await look(stage);
    stage.failing.set("withdrawals", "unavailable");
    stage.clock.moveBy(HOUR);
    await look(stage);
    expect(await notices(stage)).toHaveLength(1);
    await disconnect(stage);
    expect(await notices(stage)).toEqual([expect.stringMatching(/ due$/)]);
  });

  it("S3: is over without a question where the list reaches back and has nothing new", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "BEFORE" });
    await look(stage);
    stage.clock.moveBy(HOUR);
    await restore(stage, stage.clock.now());
    await look(stage);
    expect(await notices(stage)).toEqual([]);
    expect(
      await stage.stores.holds.find((await stage.stores.accounts.find(GUILD, ANA))!.accountFp),
    ).toBeUndefined();
    expect(await ask(stage)).toBe("was not refused");
  });

  it.each([
    [
      "cannot be read",
      "unreadable",
      (stage: MoneyStage): unknown => stage.failing.set("withdrawals", "unavailable"),
    ],
    ["does not reach back", "short", (stage: MoneyStage): unknown => (stage.pageSize = 0)],
  ] as const)("S3: the owner may answer by hand where the list %s", async (_, why, spoil) => {
    const stage = await openMoneyStage();
    const op = await withdrawn(stage);
    stage.become("TX0001", { status: "completed" });
    await stage.follow(MINUTE);
    expect((await stage.op(op.op.id)).state).toBe("completed");
    await restore(stage, stage.clock.now());
    spoil(stage);
    const reason = await ask(stage);
    expect(reason).toMatchObject({ kind: "restored_database", why });
    // A notice is due only after a lasting outage.
    const restoredNotices = async () =>
      (await notices(stage)).filter((message) => message.startsWith("restored|"));
    expect(await restoredNotices()).toEqual([]);
    stage.clock.moveBy(15 * MINUTE);
    await look(stage);
    expect(await restoredNotices()).toHaveLength(1);
    await stage.money.withdrawals.acknowledgeRestore(actor(), answerIdOf(await ask(stage)));
    expect(await ask(stage)).not.toMatchObject({ kind: "restored_database" });
  });

  it("S3: another key of an account that was not compared waits too, however much later", async () => {
    const { stage } = await lost();
    stage.clock.moveBy(10 * DAY);
    await connect(stage, {}, anaOtherKey, ANA);
    expect(await ask(stage)).toMatchObject({ kind: "restored_database" });
  });

  it("S3: an account that is connected anew after an emptied database waits too", async () => {
    const stage = await openMoneyStage();
    await disconnect(stage);
    stage.add({ txid: "MADE-BEFORE" });
    await restore(stage, null);
    stage.clock.moveBy(HOUR);
    await connect(stage);
    await look(stage);
    expect(await ask(stage)).toMatchObject({
      why: "newer",
      withdrawals: [{ txid: "MADE-BEFORE" }],
    });
    expect(await notices(stage)).toHaveLength(1);
  });

  it("S3: a confirmation that was shown before the copy was put in place sends nothing", async () => {
    const stage = await openMoneyStage();
    const shown = await prepared(stage);
    stage.add({ txid: "LOST" });
    await restore(stage, stage.clock.now());
    const clicked = stage.money.withdrawals.confirm(actor(), shown.token, undefined);
    expect(await refusal(clicked)).toMatchObject({ kind: "restored_database" });
    expect(stage.sent).toEqual([]);
  });

  it("S3: the balance and the list of withdrawals are shown with the question beside them", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "LOST" });
    await restore(stage, stage.clock.now());
    const { balance, withdrawals } = stage.money;
    const read = await balance.read(actor());
    expect(read.balance).toBeDefined();
    expect(read.question).toMatchObject({ why: "newer", withdrawals: [{ txid: "LOST" }] });
    const list = await withdrawals.list(actor(), undefined);
    expect(list.question?.answerId).toBe(read.question?.answerId);
  });

  it("S3: a connection made after a gap waits for the comparison that an earlier one owes", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "LOST" });
    await restore(stage, stage.clock.now().subtract({ minutes: 1 }), "gap");
    stage.clock.moveBy(MINUTE);
    const later = await connect(stage, { guildId: "2" });
    await stage.money.watchExternal(later, anaKey);
    expect(await ask(stage)).toMatchObject({ withdrawals: [{ txid: "LOST" }] });
  });

  it("S3: the answer to an earlier restore's question does not answer for what a later one lost", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "LOST" });
    await restore(stage, stage.clock.now().subtract({ hours: 1 }));
    const first = answerIdOf(await ask(stage));
    stage.clock.moveBy(HOUR);
    stage.add({ txid: "LOST LATER" });
    await restore(stage, stage.clock.now().subtract({ minutes: 10 }));
    const { withdrawals } = stage.money;

    // Pressed before the background asked anew.
    expect(await refusal(withdrawals.acknowledgeRestore(actor(), first))).toEqual({
      kind: "restore_question_gone",
    });
    expect(await ask(stage)).toMatchObject({
      withdrawals: [{ txid: "LOST LATER" }, { txid: "LOST" }],
    });
    expect(stage.sent).toHaveLength(0);
  });

  it("S3: a second restore before the first was answered is told again, since it took the first message's button away", async () => {
    const { stage, copied } = await lost();
    await look(stage);
    expect(await notices(stage)).toHaveLength(1);
    stage.add({ txid: "LOST AGAIN" });
    stage.clock.moveBy(HOUR);
    await restore(stage, copied);
    await look(stage);
    await look(stage);
    expect(await notices(stage)).toHaveLength(2);
  });

  it("S3: a second restore of the same copy is told by another message, which the first is not taken for", async () => {
    const stage = await openMoneyStage();
    const copied = stage.clock.now();
    stage.add({ txid: "LOST" });
    const tables = ["outbox", "restore_check", "database_restore"] as const;
    const keyAfterRestore = async (): Promise<string | undefined> => {
      for (const table of tables) await stage.db.deleteFrom(table).execute();
      stage.clock.moveBy(HOUR);
      await restore(stage, copied);
      await look(stage);
      return (await notices(stage))[0];
    };
    const first = await keyAfterRestore();
    expect(first).toMatch(/^restored/);
    expect(await keyAfterRestore()).not.toBe(first);
  });

  it("an operation that is being found out is neither taken for lost nor asked about", async () => {
    const stage = await openMoneyStage();
    await look(stage);
    await lostOne(stage, true);
    await restore(stage, stage.clock.now());
    await look(stage);
    expect(await ask(stage)).toMatchObject({ kind: "account_busy" });
    await stage.follow(MINUTE, 10_000);
    await look(stage);
    expect((await notices(stage)).filter((message) => message.startsWith("restored|"))).toEqual([]);
  });

  it("S3: a lost withdrawal beside an operation that is being found out is asked about after it", async () => {
    const stage = await openMoneyStage();
    await look(stage);
    const op = await lostOne(stage, true);
    const copied = stage.clock.now();
    stage.clock.moveBy(HOUR);
    stage.add({ txid: "LOST", pixKey: "carla@example.com" });
    await restore(stage, copied);
    await look(stage);
    expect(await ask(stage)).toMatchObject({ kind: "account_busy" });
    await stage.follow(MINUTE, 10_000);
    expect((await stage.op(op.id)).state).not.toBe("unknown");
    expect(await ask(stage)).toMatchObject({ why: "newer", withdrawals: [{ txid: "LOST" }] });
  });
});
