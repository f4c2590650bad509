import { expect, test } from "vitest";
import { DAY, HOUR } from "#src/shared/time.ts";
import { anaOtherKey, anaKey } from "../../database/builders.ts";
import {
  actor,
  ANA,
  BRUNO,
  connect,
  GUILD,
  look,
  type MoneyStage,
  openMoneyStage,
  order,
  refusal,
  restore,
} from "../money-stage.ts";

const guardMessages = async (stage: MoneyStage): Promise<readonly string[]> =>
  (await stage.messages()).filter((message) => /^guard\|.*\|restored\|/.test(message));

/** A database put back from before a lock, with a list that shows no lost withdrawal. */
const putBack = async (cause: "restored" | "gap" = "restored"): Promise<MoneyStage> => {
  const stage = await openMoneyStage();
  stage.add({ txid: "BEFORE" });
  await look(stage);
  stage.clock.moveBy(HOUR);
  await restore(stage, stage.clock.now(), cause);
  return stage;
};

const askedFor = async ({ money }: MoneyStage): Promise<string> => {
  const reason = await refusal(money.withdrawals.prepare(order()));
  return (reason as { readonly answerId: string }).answerId;
};

test("each owner is told once in a restore that guards may be as they were, whatever the number of accounts", async () => {
  const stage = await putBack();
  await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
  const other = await connect(stage, { guildId: "3" }, anaOtherKey, "another account");
  await look(stage);
  const told = await guardMessages(stage);
  expect(told.map((message) => message.split("|")[1])).toEqual([ANA, BRUNO]);
  await look(stage);
  await stage.money.watchExternal(other, anaOtherKey);
  expect(await guardMessages(stage)).toEqual(told);

  stage.clock.moveBy(HOUR);
  await restore(stage, stage.clock.now());
  await look(stage);
  expect(await guardMessages(stage)).toHaveLength(4);
});

test("an owner whom the question about withdrawals tells of the guards reads of them there alone", async () => {
  const stage = await putBack();
  stage.add({ txid: "LOST" });
  await look(stage);
  const answerId = await askedFor(stage);
  await stage.money.withdrawals.acknowledgeRestore(actor(), answerId);
  expect(await guardMessages(stage)).toEqual([]);
});

test("an owner who answers a question before its message is due is told of the guards then", async () => {
  const stage = await putBack();
  stage.failing.set("withdrawals", "unavailable");
  const answerId = await askedFor(stage);
  expect(await guardMessages(stage)).toEqual([]);
  await stage.money.withdrawals.acknowledgeRestore(actor(), answerId);
  expect(await guardMessages(stage)).toHaveLength(1);
});

test("an owner is told of the guards where /saque is off, as splits and refunds leave without it", async () => {
  const stage = await putBack();
  const account = await stage.stores.accounts.find(GUILD, ANA);
  await stage.process({ withdrawEnabled: false }).watchExternal(account!, anaKey);
  expect(await guardMessages(stage)).toHaveLength(1);
});

test("nobody is told of the guards after a mere gap", async () => {
  const stage = await putBack("gap");
  await look(stage);
  expect(await guardMessages(stage)).toEqual([]);
});

/** A connection of long after a restore, compared with its list then, and a gap of an hour later. */
const connectedLongAfter = async (lost: readonly string[]) => {
  const stage = await openMoneyStage();
  stage.add({ txid: "BEFORE" });
  await restore(stage, stage.clock.now());
  stage.clock.moveBy(30 * DAY);
  const other = await connect(stage, { guildId: "3", ownerId: BRUNO }, anaOtherKey);
  const lookAgain = () => stage.money.watchExternal(other, anaOtherKey);
  await lookAgain();
  stage.clock.moveBy(HOUR);
  for (const txid of lost) stage.add({ txid });
  await restore(stage, stage.clock.now(), "gap", stage.clock.now().subtract({ minutes: 5 }));
  const holdOf = () => stage.stores.holds.find(other.accountFp, other.connectedAt);
  expect(await holdOf()).toMatchObject({ cause: "gap" });
  await lookAgain();
  return { stage, hold: await holdOf() };
};

test("who connected long after a restore is told of no guards from before it, though a gap's question stands", async () => {
  const { stage, hold } = await connectedLongAfter(["LOST"]);
  expect(hold?.asked).toMatchObject({ why: "newer", txids: ["LOST"] });
  const answerId = hold?.asked?.answerId ?? "";
  await stage.money.withdrawals.acknowledgeRestore({ userId: BRUNO }, answerId);
  expect(await guardMessages(stage)).toEqual([]);
});

test("who connected long after a restore is told of no guards from before it, where a gap ends without a question", async () => {
  const { stage, hold } = await connectedLongAfter([]);
  expect(hold).toBeUndefined();
  expect(await guardMessages(stage)).toEqual([]);
});
