import { describe, expect, it } from "vitest";
import type { Confirmation } from "#src/withdrawals/withdraw-facts.ts";
import { Secret } from "#src/shared/secret.ts";
import { cents } from "#src/shared/money.ts";
import {
  actor,
  BRUNO,
  confirmed,
  confirmationIn,
  connect,
  type MoneyStage,
  openMoneyStage,
  order,
  prepared,
  refusal,
  withdrawn,
} from "./money-stage.ts";

const GONE = { kind: "confirmation_gone" };
const BOTH = "11900000083";
const OTHER_KEY = new Secret("sk_sandbox_ana_other_4f5a6b7c");

const switched = async (stage: MoneyStage, token: string): Promise<Confirmation> =>
  confirmationIn(await stage.money.withdrawals.switchSpeed(actor(), token));

describe("the other speed", () => {
  it("is asked with another token, and sent as it was asked", async () => {
    const stage = await openMoneyStage();
    const first = await prepared(stage);

    const second = await switched(stage, first.token);

    expect(second).toMatchObject({ op: { id: first.op.id, kind: "normal" }, confirmationsLeft: 1 });
    expect(second.token).not.toBe(first.token);
    await confirmed(stage, second);
    expect(stage.sent).toEqual([{ amount: 5_000, pixKey: "bruno@example.com", turbo: false }]);
  });

  it("is what both a second click and a confirmation of the first question come to", async () => {
    const stage = await openMoneyStage();
    const first = await prepared(stage);
    const second = await switched(stage, first.token);

    expect(await switched(stage, first.token)).toEqual(second);
    const late = await stage.money.withdrawals.confirm(actor(), first.token, undefined);
    expect(late).toEqual(second);
    expect(stage.sent).toEqual([]);
  });

  it("counts as no confirmation for a click on the first of two questions at once", async () => {
    const stage = await openMoneyStage(false);
    const { token } = await prepared(stage);
    const confirm = stage.money.withdrawals.confirm(actor(), token, undefined);

    const both = await Promise.all([switched(stage, token), confirm]);

    const [one, other] = both.map((answer) => confirmationIn(answer));
    expect(other).toEqual(one);
    expect(stage.sent).toEqual([]);
  });

  it("takes no confirmation away, and is no way to send at once", async () => {
    const stage = await openMoneyStage(false);
    const { withdrawals } = stage.process({ readingMs: 2_000 });
    const first = await prepared(stage);
    const second = confirmationIn(await withdrawals.switchSpeed(actor(), first.token));
    expect(second.confirmationsLeft).toBe(2);
    const third = confirmationIn(await withdrawals.confirm(actor(), second.token, undefined));
    const fourth = confirmationIn(await withdrawals.switchSpeed(actor(), third.token));

    expect(fourth.confirmationsLeft).toBe(1);
    expect(await refusal(withdrawals.confirm(actor(), fourth.token, undefined))).toEqual({
      kind: "clicked_too_soon",
    });
  });

  it("hides no withdrawal that went out meanwhile", async () => {
    const stage = await openMoneyStage();
    const first = await prepared(stage);
    stage.clock.moveBy(1_000);
    await withdrawn(stage);
    stage.clock.moveBy(1_000);

    expect((await switched(stage, first.token)).sentMeanwhile).toBe(true);
  });

  it("of the whole balance is not called so after another withdrawal", async () => {
    const stage = await openMoneyStage();
    const whole = await prepared(stage, { what: { kind: "own", amount: "all" } });
    expect(whole.available).toBe(whole.op.amount);
    await withdrawn(stage);

    const again = await switched(stage, whole.token);
    const back = await switched(stage, again.token);

    expect(again).toMatchObject({ sentMeanwhile: true, available: undefined });
    expect(back).toMatchObject({ sentMeanwhile: false, available: undefined });
  });

  it("is refused when the money was locked, and to anybody else", async () => {
    const stage = await openMoneyStage();
    const { token, op } = await prepared(stage);
    const bruno = stage.money.withdrawals.switchSpeed(actor({ userId: BRUNO }), token);
    expect(await refusal(bruno)).toEqual({ kind: "not_your_button" });
    await stage.money.guards.lock(actor());

    expect(await refusal(switched(stage, token))).toMatchObject({ kind: "money_locked" });
    expect(await stage.op(op.id)).toEqual(op);
  });

  it("is no way to bring back what ran out", async () => {
    const stage = await openMoneyStage();
    const { token } = await prepared(stage);
    stage.clock.moveBy(120_000);

    const answer = await stage.money.withdrawals.switchSpeed(actor(), token);

    expect(answer).toMatchObject({ kind: "status", op: { state: "abandoned" } });
  });
});

describe("an order that ran out or was given up", () => {
  it("is prepared anew as it was, checked again, under a code of its own", async () => {
    const stage = await openMoneyStage();
    const { token, op } = await prepared(stage, { turbo: false });
    await stage.money.withdrawals.abandon(actor(), token);

    const again = confirmationIn(await stage.money.withdrawals.redo(actor(), op.id));

    expect(again.op.id).not.toBe(op.id);
    expect(again.op).toMatchObject({ kind: "normal", amount: 5_000, pixKeyHash: op.pixKeyHash });
    expect((await confirmed(stage, again)).op.state).toBe("accepted");
    expect(stage.sent).toHaveLength(1);
  });

  it("takes the whole balance of its own moment where it was the whole before", async () => {
    const stage = await openMoneyStage();
    const { op } = await prepared(stage, { what: { kind: "own", amount: "all" } });
    stage.clock.moveBy(120_000);
    await stage.check();
    stage.available = 150_000;

    const again = confirmationIn(await stage.money.withdrawals.redo(actor(), op.id));

    expect([op.amount, again.op.amount]).toEqual([100_000, 150_000]);
  });

  it("keeps an amount that happened to be the whole balance", async () => {
    const stage = await openMoneyStage();
    const what = { kind: "own", amount: cents(100_000) } as const;
    const { token, op } = await prepared(stage, { what });
    await stage.money.withdrawals.abandon(actor(), token);
    stage.available = 150_000;

    expect(confirmationIn(await stage.money.withdrawals.redo(actor(), op.id)).op.amount).toBe(
      100_000,
    );
  });

  it("asks again what eleven digits are", async () => {
    const stage = await openMoneyStage();
    const question = await stage.money.withdrawals.prepare(order({ pixKey: BOTH }));
    stage.clock.moveBy(120_000);
    const late = await stage.money.withdrawals.chooseKeyType(actor(), question.token, "phone");
    expect(late).toMatchObject({ kind: "status", op: { state: "abandoned" } });

    const again = await stage.money.withdrawals.redo(actor(), question.op.id);

    expect(again).toMatchObject({ kind: "key_question", op: { amount: 5_000 } });
  });

  it("goes on with the whole balance where the balance did not cover it", async () => {
    const stage = await openMoneyStage();
    const what = { kind: "own", amount: cents(100_001) } as const;
    const why = await refusal(prepared(stage, { what }));
    expect(why).toMatchObject({ kind: "amount_above_balance", available: 100_000 });
    const opId: unknown = Reflect.get(Object(why), "wholeOpId");
    expect(await stage.op(String(opId))).toMatchObject({ state: "abandoned", amount: undefined });

    const whole = confirmationIn(await stage.money.withdrawals.redo(actor(), String(opId)));

    expect(whole.op).toMatchObject({ kind: "turbo", amount: 100_000 });
    expect((await confirmed(stage, whole)).op.state).toBe("accepted");
  });

  it("is nothing for anybody else, and only what was never confirmed is prepared anew", async () => {
    const stage = await openMoneyStage();
    const { token, op } = await prepared(stage);
    const redo = (changes = {}) => stage.money.withdrawals.redo(actor(changes), op.id);
    expect(await refusal(redo())).toEqual(GONE);
    await stage.money.withdrawals.abandon(actor(), token);

    expect(await refusal(redo({ userId: BRUNO }))).toEqual({ kind: "not_your_button" });
    expect(await refusal(redo({ channelId: "1" }))).toEqual({ kind: "not_your_button" });
    const sent = await withdrawn(stage);
    expect(await refusal(stage.money.withdrawals.redo(actor(), sent.op.id))).toEqual(GONE);
    expect(stage.sent).toHaveLength(1);
  });

  it.each([
    ["own", { kind: "own", amount: cents(5_000) }],
    ["split", { kind: "split", recipientId: BRUNO }],
  ] as const)("is not carried to the key of another account: %s", async (_, what) => {
    const stage = await openMoneyStage();
    const { withdrawals } = stage.money;
    const { token, op } = await prepared(stage, { what });
    await withdrawals.abandon(actor(), token);
    const question = await withdrawals.prepare(order({ what, pixKey: BOTH }));
    const ranOut = await withdrawals.prepare(order({ what, pixKey: BOTH }));
    await withdrawals.abandon(actor(), ranOut.token);

    await connect(stage, { ownerVerified: false }, OTHER_KEY, "user_of_another_account");

    expect(await refusal(withdrawals.redo(actor(), op.id))).toEqual(GONE);
    expect(await refusal(withdrawals.redo(actor(), ranOut.op.id))).toEqual(GONE);
    const chosen = withdrawals.chooseKeyType(actor(), question.token, "phone");
    expect(await refusal(chosen)).toEqual(GONE);
  });
});
