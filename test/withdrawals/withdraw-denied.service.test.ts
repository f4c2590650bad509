import { describe, expect, it } from "vitest";
import type { Withdrawal } from "#src/withdrawals/withdrawal.ts";
import type { WithdrawOp } from "#src/withdrawals/withdraw-op.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import {
  actor,
  answered,
  atStep,
  BRUNO,
  confirmationIn,
  confirmed,
  connect,
  decided,
  ghostsOf,
  listInSmall,
  look,
  lostOne,
  type MoneyStage,
  openMoneyStage,
  prepared,
  refusal,
  withdrawn,
} from "./money-stage.ts";
import { REFUSED } from "./plain-wallet.ts";

/** A withdrawal that the service refuses in its documented envelope, executed or not. */
const refused = async (stage: MoneyStage, made: boolean) => {
  const op = await answered(stage, REFUSED, made);
  expect(op.state).toBe("rejected");
  return op;
};

/** A withdrawal requested that many seconds after the operation was sent. */
const at = ({ sentAt }: WithdrawOp, seconds: number): Partial<Withdrawal> =>
  sentAt === undefined ? {} : { requestedAt: sentAt.add({ seconds }) };

describe("S7: a withdrawal that was refused and made all the same", () => {
  it("is told, and claimed, before another one is prepared; the next order goes on", async () => {
    const stage = await openMoneyStage();
    const { id } = await refused(stage, true);

    expect(await refusal(prepared(stage))).toEqual({ kind: "earlier_was_made", opId: id });

    expect(await stage.op(id)).toMatchObject({ state: "processing", txid: "TX0001" });
    expect(await stage.messages()).toContain(`withdrawal|${id}|accepted due`);
    stage.become("TX0001", { status: "completed" });
    await stage.follow(60_000, 10_000);
    expect(await refusal(prepared(stage))).toBe("was not refused");
  });

  describe.each(["cancelled", "failed"])("and is %s by now", (status) => {
    it("is claimed before another one is prepared, and holds it up no longer", async () => {
      const stage = await openMoneyStage();
      const { id } = await refused(stage, true);
      stage.become("TX0001", { status });

      const { op } = await withdrawn(stage);

      expect(op.state).toBe("accepted");
      expect(await stage.op(id)).toMatchObject({ state: status, txid: "TX0001" });
      expect(await stage.messages()).toEqual([`withdrawal|${id}|${status} due`]);
    });

    it("is not said to have moved money when the list shows it only before the request", async () => {
      const stage = await openMoneyStage();
      const { id, sentAt } = await refused(stage, false);
      const asked = await prepared(stage);
      stage.add({ txid: "HIDDEN", status, ...(sentAt && { requestedAt: sentAt }) });

      const { op } = await confirmed(stage, asked);

      expect(op).toMatchObject({ state: "refused_local", errorCode: "sent_meanwhile" });
      expect(await stage.op(id)).toMatchObject({ state: status, txid: "HIDDEN" });
    });
  });

  it("holds up another owner of the account too, without the code", async () => {
    const stage = await openMoneyStage();
    await connect(stage, { ownerId: BRUNO, ownerVerified: false });
    await refused(stage, true);

    const asked = prepared(stage, { actor: actor({ userId: BRUNO }) });

    expect(await refusal(asked)).toEqual({ kind: "earlier_was_made", opId: undefined });
  });

  it("is seen just before the request when the list shows it only then", async () => {
    const stage = await openMoneyStage();
    const { id, sentAt } = await refused(stage, false);
    const confirmation = await prepared(stage);
    stage.add({ txid: "HIDDEN", ...(sentAt && { requestedAt: sentAt }) });

    const { op } = await confirmed(stage, confirmation);

    expect(op).toMatchObject({ state: "refused_local", errorCode: "earlier_was_made" });
    expect(await stage.op(id)).toMatchObject({ state: "processing", txid: "HIDDEN" });
    expect(stage.sent).toHaveLength(1);
  });

  /** How the bot may learn of it while another order's question waits for the click. */
  const ways: readonly (readonly [string, (stage: MoneyStage) => Promise<unknown>])[] = [
    ["the watch", look],
    [
      "another owner's order",
      (stage) => refusal(prepared(stage, { actor: actor({ userId: BRUNO }) })),
    ],
  ];

  it.each(ways)("asks again at the click when %s found it after the question", async (_, find) => {
    const stage = await openMoneyStage();
    await connect(stage, { ownerId: BRUNO, ownerVerified: false });
    await look(stage);
    const { id, ...sent } = await refused(stage, false);
    const { token } = await prepared(stage);
    stage.add({ txid: "HIDDEN", ...at({ id, ...sent }, 1) });
    await find(stage);
    expect(await stage.op(id)).toMatchObject({ state: "processing", txid: "HIDDEN" });

    const asked = confirmationIn(await stage.money.withdrawals.confirm(actor(), token, undefined));

    expect(asked).toMatchObject({ sentMeanwhile: true });
    expect(stage.sent).toHaveLength(1);
    expect((await confirmed(stage, asked)).op.state).toBe("accepted");
  });

  it("holds up the order of a click during which the watch found it", async () => {
    const stage = await openMoneyStage();
    await look(stage);
    const { id, ...sent } = await refused(stage, false);
    const confirmation = await prepared(stage);
    const journal = atStep(stage.needs.journal, async (step, take) => {
      const result = await take();
      if (step.to !== "confirmed") return result;
      stage.add({ txid: "HIDDEN", ...at({ id, ...sent }, 1) });
      await look(stage);
      return result;
    });

    const { op } = await confirmed({ money: stage.process({ journal }) }, confirmation);

    expect(op).toMatchObject({ state: "refused_local", errorCode: "sent_meanwhile" });
    expect(await stage.op(id)).toMatchObject({ state: "processing", txid: "HIDDEN" });
    expect(stage.sent).toHaveLength(1);
  });

  it("is found beneath the refusals that came after it", async () => {
    const stage = await openMoneyStage();
    const { id, ...first } = await refused(stage, false);
    for (let later = 0; later < 25; later++) {
      stage.clock.moveBy(20 * MINUTE);
      await refused(stage, false);
    }
    stage.add({ txid: "HIDDEN", ...at({ id, ...first }, 1) });

    expect(await refusal(prepared(stage))).toEqual({ kind: "earlier_was_made", opId: id });
  });

  it("is not told as somebody else's while it cannot be claimed: the next look claims it", async () => {
    const stage = await openMoneyStage();
    await look(stage);
    const { id } = await refused(stage, true);
    const { journal } = stage.needs;
    const move: typeof journal.move = async () => ({ kind: "txid_taken" });

    await look({ ...stage, money: stage.process({ journal: { ...journal, move } }) });
    expect((await stage.op(id)).state).toBe("rejected");
    await look(stage);

    expect(await stage.op(id)).toMatchObject({ state: "processing", txid: "TX0001" });
    expect(await ghostsOf(stage)).toEqual([]);
  });

  it.each(["processing", "completed"] as const)(
    "is told by direct message to its end, found %s, though the reply was edited",
    async (status) => {
      const stage = await openMoneyStage();
      const money = stage.process({ show: async () => true });
      await look(stage);
      const { id } = await refused(stage, true);
      stage.become("TX0001", { status });

      await look({ ...stage, money });

      const found = status === "completed" ? "completed" : "accepted";
      expect((await stage.op(id)).txid).toBe("TX0001");
      expect(await stage.messages()).toEqual([`withdrawal|${id}|${found} due`]);
      stage.become("TX0001", { status: "completed" });
      stage.clock.moveBy(MINUTE);
      await stage.check(money);
      expect(await stage.messages()).toContain(`withdrawal|${id}|completed due`);
    },
  );

  it("is not taken for the next one, whose answer was lost: its owner decides", async () => {
    const stage = await openMoneyStage();
    const { sentAt } = await refused(stage, false);
    const op = await lostOne(stage, false);
    stage.add({ txid: "HIDDEN", ...(sentAt && { requestedAt: sentAt }) });

    await stage.follow(5_000, 5_000);

    expect(await stage.op(op.id)).toMatchObject({ state: "manual", txid: undefined });
  });

  /** Two orders refused 21 seconds apart, and withdrawals requested that many seconds after the first. */
  it.each([
    ["the first's", [1], ["TX-1", undefined]],
    ["the second's", [22], [undefined, "TX-22"]],
    [
      "the first's, which took its time: nothing is made before its request",
      [15],
      ["TX-15", undefined],
    ],
    ["one of each", [1, 22], ["TX-1", "TX-22"]],
    ["one of each, both nearer to the second", [15, 22], ["TX-15", "TX-22"]],
  ])("is found among two refused ones: %s", async (_, seconds, txids) => {
    const stage = await openMoneyStage();
    await look(stage);
    const first = await refused(stage, false);
    stage.clock.moveBy(21_000);
    const ops = [first, await refused(stage, false)];
    for (const after of seconds) stage.add({ txid: `TX-${after}`, ...at(first, after) });

    await look(stage);

    const found = await Promise.all(ops.map(async ({ id }) => (await stage.op(id)).txid));
    expect(found).toEqual(txids);
    expect(await ghostsOf(stage)).toEqual([]);
  });

  /** A refused order, 30 seconds later an unanswered one; the result after the owner's decision. */
  it.each([
    ["what its owner says happened has the nearest", true, [31], undefined],
    ["what its owner says happened has one of two", true, [1, 31], "TX-1"],
    ["what its owner says happened has none that was asked for before it", true, [1], "TX-1"],
    ["what its owner says did not happen has none", false, [1], "TX-1"],
  ])("beside one of unknown outcome: %s", async (_, happened, seconds, txid) => {
    const stage = await openMoneyStage();
    await look(stage);
    const denied = await refused(stage, false);
    stage.clock.moveBy(30_000);
    const op = await lostOne(stage, false);
    await stage.follow(HOUR, 15 * MINUTE);
    await decided(stage, op.id, happened);
    for (const after of seconds) stage.add({ txid: `TX-${after}`, ...at(denied, after) });

    await look(stage);

    expect((await stage.op(denied.id)).txid).toBe(txid);
    expect(await ghostsOf(stage)).toEqual([]);
  });

  it("is read once, for it and for one that its owner declared as not made", async () => {
    const stage = await openMoneyStage();
    await look(stage);
    const op = await lostOne(stage, false);
    await stage.follow(HOUR, 15 * MINUTE);
    await decided(stage, op.id, false);
    await refused(stage, true);
    stage.failing.set("withdrawal", "timeout");
    stage.reads.length = 0;

    expect(await refusal(prepared(stage))).toBe("was not refused");

    expect(stage.reads.filter((read) => read.startsWith("withdrawal "))).toHaveLength(1);
  });

  it("is not mistaken for the one asked for right after it, whose txid the list writes in another case", async () => {
    const stage = await openMoneyStage();
    listInSmall(stage);
    const { id } = await refused(stage, false);
    const made = await withdrawn(stage);
    stage.become(made.op.txid ?? "", { status: "completed" });
    await stage.follow(60_000, 10_000);

    expect(await refusal(prepared(stage))).toBe("was not refused");
    expect((await stage.op(id)).state).toBe("rejected");
  });

  it("is not mistaken for one listed before it, which the list writes in another case since", async () => {
    const stage = await openMoneyStage();
    await refused(stage, false);
    stage.clock.moveBy(90_000);
    stage.add({ txid: "ELSEWHERE" });
    stage.clock.moveBy(30_000);
    const { id } = await refused(stage, false);
    listInSmall(stage);

    expect(await refusal(prepared(stage))).toBe("was not refused");
    expect((await stage.op(id)).state).toBe("rejected");
  });

  it("is not mistaken for one that its owner makes elsewhere later", async () => {
    const stage = await openMoneyStage();
    const { id } = await refused(stage, false);
    stage.clock.moveBy(90_000);
    stage.add({ txid: "ELSEWHERE" });

    expect(await refusal(prepared(stage))).toBe("was not refused");
    expect((await stage.op(id)).state).toBe("rejected");
  });
});
