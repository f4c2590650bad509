import { describe, expect, it } from "vitest";
import { Secret } from "#src/shared/secret.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { DatabaseAwayError, WalletError } from "#src/shared/errors.ts";
import type { MoneyWallet } from "#src/withdrawals/money-services.service.ts";
import {
  actor,
  atStep,
  BRUNO,
  confirmed,
  connect,
  decided,
  disconnect,
  openMoneyStage,
  refusal,
  withdrawn,
} from "./money-stage.ts";
import { LOST, REFUSED } from "./plain-wallet.ts";

const ELSEWHERE = "900000000000000002";
const OTHER_KEY = new Secret("sk_sandbox_ana_other_4f5a6b7c");
const OTHER_WALLET = "930000000000000009";

/** A service that knows each withdrawal by the keys of this account alone. */
const ofOneAccount = (wallet: MoneyWallet, accountFp: string): MoneyWallet => {
  const notFound = () =>
    new WalletError({ kind: "not_found", method: "GET", route: "/v1/test", requestId: undefined });
  return {
    ...wallet,
    withdrawal: async (key, ...given) => {
      if (key.fingerprint !== accountFp) throw notFound();
      return await wallet.withdrawal(key, ...given);
    },
    cancelWithdrawal: async (key, ...given) => {
      if (key.fingerprint !== accountFp) throw notFound();
      return await wallet.cancelWithdrawal(key, ...given);
    },
  };
};

const scheduled = async () => {
  const stage = await openMoneyStage();
  const { op } = await withdrawn(stage, { turbo: false });
  await stage.follow(MINUTE);
  const txid = op.txid ?? "";
  return {
    stage,
    id: op.id,
    txid,
    prepare: () => stage.money.withdrawals.prepareCancel(actor(), txid),
  };
};

describe("cancelling a scheduled withdrawal", () => {
  it("asks once, sends once, ends both operations, and is told once, by the message of its withdrawal", async () => {
    const { stage, id, txid, prepare } = await scheduled();
    const confirmation = await prepare();
    expect(confirmation).toMatchObject({
      op: { kind: "cancel", amount: 5_000, targetTxid: txid },
      target: { id, kind: "normal" },
      withdrawal: { txid },
    });
    expect(confirmation.withdrawal.scheduledFor).toBeDefined();

    const { op, target } = await confirmed(stage, confirmation);
    expect(target).toMatchObject({ id, kind: "normal" });
    await stage.follow(MINUTE, MINUTE);

    expect(stage.sent.slice(1)).toEqual([{ cancelled: txid }]);
    expect(op).toMatchObject({ kind: "cancel", state: "completed" });
    expect((await stage.op(op.id)).state).toBe("completed");
    expect((await stage.op(id)).state).toBe("cancelled");
    expect(await stage.messages()).toEqual([`withdrawal|${id}|cancelled due`]);
    // The withdrawal's kind tells where the money goes back.
    const detail = await stage.money.withdrawals.detail(actor(), op.id);
    expect(detail.target).toMatchObject({ id, kind: "normal" });
  });

  it("ends a doubt that was told before the answer came late", async () => {
    const { stage, id, prepare } = await scheduled();
    const asked = await prepare();
    const { wallet } = stage.needs;
    const slow = stage.process({
      wallet: {
        ...wallet,
        cancelWithdrawal: async (...given) => {
          const answer = await wallet.cancelWithdrawal(...given);
          // Another process takes the request for lost, and its message is posted.
          stage.failing.set("withdrawal", "timeout");
          stage.clock.moveBy(5 * MINUTE);
          await stage.money.sweep(false);
          await stage.db.updateTable("outbox").set({ state: "sent" }).execute();
          return answer;
        },
      },
    });
    await slow.withdrawals.confirm(actor(), asked.token, undefined);
    stage.failing.clear();
    await stage.follow(10 * MINUTE, MINUTE);

    const { op } = asked;
    const told = await stage.messages();
    expect(told).toContain(`withdrawal|${op.id}|unknown sent`);
    expect(new Set(told.filter((message) => message.endsWith(" due")))).toEqual(
      new Set([`withdrawal|${id}|cancelled due`, `withdrawal|${op.id}|completed due`]),
    );
  });

  it("is told by a message of its own where it was begun elsewhere", async () => {
    const stage = await openMoneyStage();
    const { txid } = stage.add({ isTurbo: false });
    const asked = await stage.money.withdrawals.prepareCancel(actor(), txid);

    const { op } = await confirmed(stage, asked);

    expect(await stage.messages()).toEqual([`withdrawal|${op.id}|completed due`]);
  });

  it("is told by a message of its own where its owner had decided about the withdrawal", async () => {
    const { stage, id, prepare } = await scheduled();
    const asked = await prepare();
    const change = { resolution: "happened", nextCheckAt: undefined } as const;
    for (const step of [{ to: "manual" }, { to: "resolved_manual", change }] as const)
      await stage.stores.journal.move(
        await stage.op(id),
        { ...step, reason: "test" },
        stage.clock.now(),
      );

    const { op } = await confirmed(stage, asked);

    expect(await stage.messages()).toEqual([`withdrawal|${op.id}|completed due`]);
  });

  it.each([true, false])(
    "leaves its owner's word about a withdrawal that it then reads as completed: %s",
    async (happened) => {
      const { stage, id, txid, prepare } = await scheduled();
      stage.failing.set("withdrawal", "not_found");
      await stage.follow(3 * DAY, 6 * HOUR);
      stage.failing.clear();
      const asked = await prepare();
      stage.answer = LOST as never;
      stage.works = false;
      const { op } = await confirmed(stage, asked);
      stage.failing.set("withdrawal", "not_found").set("transaction", "not_found");
      await decided(stage, id, happened);
      stage.failing.clear();
      stage.become(txid, { status: "completed" });
      await stage.follow(HOUR, MINUTE);

      expect((await stage.op(op.id)).state).toBe("not_executed");
      expect((await stage.op(id)).state).toBe("resolved_manual");
      expect(await stage.messages()).not.toContain(`withdrawal|${id}|completed due`);
    },
  );

  it("is told to both where another person began the withdrawal", async () => {
    const { stage, id, txid } = await scheduled();
    await connect(stage, { ownerId: BRUNO });
    const bruno = actor({ userId: BRUNO });
    const asked = await stage.money.withdrawals.prepareCancel(bruno, txid);
    expect(asked.target).toBeUndefined();
    await stage.money.withdrawals.confirm(bruno, asked.token, undefined);

    expect(await stage.messages()).toEqual(
      [`withdrawal|${id}|cancelled due`, `withdrawal|${asked.op.id}|completed due`].toSorted(),
    );
  });

  it("finds it by the code of one's own operation, and no other person's", async () => {
    const { stage, id, txid } = await scheduled();
    const { prepareCancel } = stage.money.withdrawals;
    expect((await prepareCancel(actor(), id)).op.targetTxid).toBe(txid);
    await connect(stage, { ownerId: BRUNO });
    const others = prepareCancel(actor({ userId: BRUNO }), id);
    expect(await refusal(others)).toEqual({ kind: "withdrawal_not_found" });
  });

  it("names it as the service writes its code, so that two letter cases are no two withdrawals", async () => {
    const { stage, txid } = await scheduled();
    const { wallet } = stage.needs;
    const withdrawal: MoneyWallet["withdrawal"] = (key, id, ...given) =>
      wallet.withdrawal(key, id.toUpperCase(), ...given);
    const { withdrawals } = stage.process({ wallet: { ...wallet, withdrawal } });
    const asked = await withdrawals.prepareCancel(actor(), txid.toLowerCase());
    expect(asked.op.targetTxid).toBe(txid);
  });

  it.each([
    ["another wallet", true],
    ["none", false],
  ])("goes by the withdrawal's own wallet in a server whose connection is %s", async (_, other) => {
    const { stage, id, txid } = await scheduled();
    const { accountFp } = await stage.op(id);
    if (other) await connect(stage, { guildId: ELSEWHERE }, OTHER_KEY, OTHER_WALLET);
    const money = stage.process({ wallet: ofOneAccount(stage.wallet, accountFp) });
    const there = (changes = {}) => actor({ guildId: ELSEWHERE, ...changes });
    const { withdrawals } = money;

    const given = await withdrawals.prepareCancel(there(), id);
    expect(given.op).toMatchObject({ kind: "cancel", targetTxid: txid, accountFp });
    await withdrawals.abandon(there(), given.token);
    const again = await withdrawals.redo(there(), given.op.id);
    if (again.kind !== "cancel") throw new Error("Nothing was asked");
    const done = await withdrawals.confirm(there(), again.token, undefined);

    expect(done).toMatchObject({ kind: "status", op: { kind: "cancel", state: "completed" } });
    expect(stage.sent.slice(1)).toEqual([{ cancelled: txid }]);
  });

  it("needs a key of the withdrawal's own wallet", async () => {
    const { stage, id } = await scheduled();
    await connect(stage, { guildId: ELSEWHERE }, OTHER_KEY, OTHER_WALLET);
    await disconnect(stage);

    const asked = stage.money.withdrawals.prepareCancel(actor({ guildId: ELSEWHERE }), id);

    expect(await refusal(asked)).toEqual({ kind: "not_connected" });
  });

  it("S15: goes through while withdrawals are locked, because it brings money back", async () => {
    const { stage, id, txid, prepare } = await scheduled();
    await stage.money.guards.lock(actor());

    const { op } = await confirmed(stage, await prepare());
    await stage.follow(MINUTE, MINUTE);

    expect(stage.sent.slice(1)).toEqual([{ cancelled: txid }]);
    expect(op.state).toBe("completed");
    expect((await stage.op(id)).state).toBe("cancelled");
    expect(await refusal(withdrawn(stage))).toMatchObject({ kind: "money_locked" });
  });

  it("S22: is not begun when neither the balance nor the list is answered", async () => {
    const { stage, prepare } = await scheduled();
    const confirmation = await prepare();
    stage.failing.set("balance", "unavailable");
    stage.failing.set("withdrawals", "timeout");

    expect(await refusal(confirmed(stage, confirmation))).toEqual({ kind: "service_down" });
    expect((await stage.op(confirmation.op.id)).state).toBe("draft");
    expect(stage.sent).toHaveLength(1);
  });

  it("is found out by reading when the answer is lost", async () => {
    const { stage, prepare } = await scheduled();
    stage.answer = LOST as never;

    const { op } = await confirmed(stage, await prepare());
    expect(op.state).toBe("unknown");
    await stage.follow(MINUTE, 10_000);

    expect((await stage.op(op.id)).state).toBe("completed");
    expect(await stage.messages()).toContain(`withdrawal|${op.id}|completed due`);
  });

  it("S6: is not concluded from a withdrawal that is still scheduled, since it may come late: its owner decides", async () => {
    const { stage, prepare } = await scheduled();
    stage.answer = LOST as never;
    stage.works = false;

    const { op } = await confirmed(stage, await prepare());
    await stage.follow(44 * MINUTE, 11 * MINUTE);
    expect((await stage.op(op.id)).state).toBe("unknown");
    await stage.follow(MINUTE);

    expect((await stage.op(op.id)).state).toBe("manual");
  });

  it.each(["processing", "completed"])(
    "of one that is %s by now was not executed",
    async (status) => {
      const { stage, txid, prepare } = await scheduled();
      stage.answer = LOST as never;
      stage.works = false;
      const { op } = await confirmed(stage, await prepare());
      stage.become(txid, { status });

      await stage.follow(MINUTE, 10_000);

      expect((await stage.op(op.id)).state).toBe("not_executed");
    },
  );

  it("that was taken and came too late has failed", async () => {
    const { stage, txid, prepare } = await scheduled();
    stage.works = false;
    stage.onRequest = () => stage.become(txid, { status: "completed" });

    const { op } = await confirmed(stage, await prepare());

    expect(op).toMatchObject({ kind: "cancel", state: "failed" });
  });

  it("is handed to its owner when the withdrawal cannot be read for a day", async () => {
    const { stage, prepare } = await scheduled();
    const confirmation = await prepare();
    stage.failing.set("withdrawal", "unavailable");
    const { op } = await confirmed(stage, confirmation);
    expect(op.state).toBe("accepted");

    await stage.follow(25 * HOUR, 5 * HOUR);

    expect((await stage.op(op.id)).state).toBe("manual");
  });

  it("is one at a time for each withdrawal", async () => {
    const { stage, txid, prepare } = await scheduled();
    await connect(stage, { ownerId: BRUNO });
    const bruno = actor({ userId: BRUNO });
    const [first, second] = [await prepare(), await prepare()];
    const others = await stage.money.withdrawals.prepareCancel(bruno, txid);
    stage.answer = LOST as never;
    await confirmed(stage, first);
    const { txid: another } = stage.add({ isTurbo: false });
    await confirmed(stage, await stage.money.withdrawals.prepareCancel(actor(), another));

    const busy = { kind: "cancel_busy" };
    expect(await refusal(confirmed(stage, second))).toEqual(busy);
    const click = stage.money.withdrawals.confirm(bruno, others.token, undefined);
    expect(await refusal(click)).toEqual(busy);
    expect(stage.sent.slice(1)).toEqual([{ cancelled: txid }, { cancelled: another }]);
  });

  it("is refused for what is on its way, what is not there, and where it is switched off", async () => {
    const { stage, txid, prepare } = await scheduled();
    stage.become(txid, { status: "processing" });
    expect(await refusal(prepare())).toEqual({ kind: "not_cancellable" });
    expect(await refusal(stage.money.withdrawals.prepareCancel(actor(), "NONE"))).toEqual({
      kind: "withdrawal_not_found",
    });
    const off = stage.process({ withdrawEnabled: false });
    expect(await refusal(off.withdrawals.prepareCancel(actor(), txid))).toEqual({
      kind: "withdrawals_disabled",
    });
    expect(await off.balance.read(actor())).toMatchObject({ withdrawEnabled: false });
    expect(await off.withdrawals.detail(actor(), txid)).toMatchObject({ withdrawEnabled: false });
    const bruno = actor({ userId: BRUNO });
    expect(await refusal(stage.money.withdrawals.prepareCancel(bruno, txid))).toEqual({
      kind: "not_connected",
    });
  });

  it.each(["cancelled", "processing"])(
    "is not sent for one that became %s after the question",
    async (status) => {
      const { stage, txid, prepare } = await scheduled();
      const asked = await prepare();
      stage.become(txid, { status });
      stage.answer = REFUSED;
      stage.works = false;

      const { op } = await confirmed(stage, asked);

      expect(op).toMatchObject({ state: "refused_local", errorCode: "not_cancellable" });
      expect(stage.sent).toHaveLength(1);
    },
  );

  it("S4: that is refused before its request is told so where the database is lost after the refusal", async () => {
    const { stage, txid, prepare } = await scheduled();
    const asked = await prepare();
    stage.become(txid, { status: "processing" });
    let isAway = false;
    const journal = atStep(stage.stores.journal, (step, take) => {
      isAway = step.to === "refused_local";
      return take();
    });
    const findByTxid: typeof journal.findByTxid = async (...given) => {
      if (isAway) throw new DatabaseAwayError();
      return await journal.findByTxid(...given);
    };
    const money = stage.process({ journal: { ...journal, findByTxid } });

    expect(await refusal(confirmed({ money }, asked))).toEqual({ kind: "database_away" });
    expect((await stage.op(asked.op.id)).state).toBe("refused_local");
    expect(stage.sent).toHaveLength(1);
  });

  it("is left to the service's dashboard where the service shows no detail of one's own withdrawal", async () => {
    const { stage, id, txid } = await scheduled();
    stage.failing.set("withdrawal", "not_found");
    const { prepareCancel } = stage.money.withdrawals;

    expect(await refusal(prepareCancel(actor(), id))).toEqual({ kind: "not_cancellable_here" });
    expect(await refusal(prepareCancel(actor(), txid))).toEqual({ kind: "withdrawal_not_found" });
  });

  it("leaves the withdrawal unpaid for the limit of a day, also where the service's list tells no states", async () => {
    const { stage, prepare } = await scheduled();
    await confirmed(stage, await prepare());
    const withdrawals: MoneyWallet["withdrawals"] = async (...given) => {
      const page = await stage.wallet.withdrawals(...given);
      return { ...page, items: page.items.map((row) => ({ ...row, status: undefined })) };
    };
    const { balance } = stage.process({ wallet: { ...stage.wallet, withdrawals } });

    expect((await balance.read(actor())).recent).toMatchObject({ isUnpaid: true });
  });

  it("asks for the PIN", async () => {
    const { stage, prepare } = await scheduled();
    const pin = new Secret("4821");
    await stage.money.guards.setPin(actor(), pin, undefined);
    const confirmation = await prepare();
    expect(confirmation.pinRequired).toBe(true);

    expect(await refusal(confirmed(stage, confirmation))).toEqual({ kind: "pin_required" });
    const { op } = await confirmed(stage, confirmation, pin);

    expect(op.state).toBe("completed");
  });
});
