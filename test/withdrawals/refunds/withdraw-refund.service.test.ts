import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { daysToRead } from "#src/reports/sales-days.ts";
import { salesDay } from "../../closes/close-samples.ts";
import { sampleDispute } from "../../disputes/dispute-samples.ts";
import {
  actor,
  BRUNO,
  decided,
  type MoneyStage,
  refusal,
  restore,
  textsOf,
} from "../money-stage.ts";
import { LOST, REFUSED } from "../plain-wallet.ts";
import { ask, confirm, denied, lose, refunded, refunds, SALE, sale, sold } from "./refund-stage.ts";

describe("a refund", () => {
  it("asks once with the payment's facts, sends once, and ends when the payment is refunded", async () => {
    const stage = await sold();
    const asked = await ask(stage);
    expect(asked).toMatchObject({
      op: { kind: "refund", amount: 7_990, targetTxid: SALE, pixKeyMasked: "" },
      payment: {
        fee: 479,
        payer: { name: "Camila Ribeiro Fontes" },
        description: "Plano VIP mensal",
      },
      pinRequired: false,
    });
    expect(stage.sent).toEqual([]);

    const { op } = await confirm(stage, asked);

    expect(stage.sent).toEqual([{ refunded: SALE }]);
    expect(op).toMatchObject({ state: "completed", txid: undefined });
  });

  it("is asked with the number of disputes that the list lacks, where it can be read", async () => {
    const stage = await sold();
    const unlisted = async () => (await ask(stage)).unlistedDisputes;
    expect(await unlisted()).toBe(1);
    for (const count of [1, 2]) {
      const infractionId = `d${count}`;
      stage.disputes.set(infractionId, sampleDispute({ infractionId, txid: "other" }));
      expect(await unlisted()).toBe(0);
    }
    stage.failing.set("disputeSummary", "unavailable");
    expect(await unlisted()).toBeUndefined();
  });

  /** By its owner's word, while the service still shows the payment as approved. */
  const confirmedByHand = async (stage: MoneyStage, isReadable = true) => {
    lose(stage, false);
    const { op } = await refunded(stage);
    if (!isReadable) stage.failing.set("transaction", "unavailable");
    await stage.follow(46 * MINUTE, 23 * MINUTE);
    return await decided(stage, op.id, true);
  };

  it.each([
    ["made", (stage: MoneyStage) => refunded(stage), "completed"],
    ["confirmed by hand", (stage: MoneyStage) => confirmedByHand(stage), "resolved_manual"],
  ])(
    "has the kept figures of the sale's day and the three after it read again once %s, and no others",
    async (_, end, state) => {
      const createdAt = Temporal.Instant.from("2026-10-20T15:00Z");
      const stage = await sold({ createdAt, skewMs: -HOUR });
      const { salesDays } = stage.stores;
      const accountFp = (await ask(stage)).op.accountFp;
      const days = [19, 20, 21, 22, 23, 24].map((day) => new Temporal.PlainDate(2026, 10, day));
      const dates = days.map(String);
      const readAt = stage.clock.now().subtract({ hours: 24 });
      for (const day of days) await salesDays.keep(accountFp, salesDay(day, 100, { readAt }));
      await salesDays.want(accountFp, stage.clock.now());
      const dueNow = () => Array.fromAsync(salesDays.due(stage.clock.now(), 5));
      for (const due of await dueNow())
        await salesDays.lookAgain(due, stage.clock.now().add({ hours: 9 }));
      const stale = async () => {
        const kept = await salesDays.between(accountFp, days[0]!, days[5]!);
        return daysToRead(kept, 1, stage.clock.now())
          .map(String)
          .filter((day) => dates.includes(day));
      };
      expect(await stale()).toEqual([]);

      expect((await end(stage)).op.state).toBe(state);

      expect(await stale()).toEqual(dates.slice(1, 5).toReversed());
      expect(await dueNow()).toHaveLength(1);
      const later = stage.clock.now().subtract({ minutes: 59 });
      for (const day of days) await salesDays.keep(accountFp, salesDay(day, 50, { readAt: later }));
      expect(await stale()).toEqual([]);
    },
  );

  it("is made although the days cannot be marked", async () => {
    const stage = await sold();
    await stage.db.schema.dropTable("sales_day").execute();
    expect((await refunded(stage)).op.state).toBe("completed");
  });

  it("is confirmed by hand although the payment cannot be read", async () => {
    const stage = await sold();
    expect((await confirmedByHand(stage, false)).op.state).toBe("resolved_manual");
  });

  it("that was accepted is read until the payment is refunded, and is told once", async () => {
    const stage = await sold();
    stage.works = false;
    const { op } = await refunded(stage);
    expect(op.state).toBe("accepted");
    await stage.follow(2 * HOUR, 5 * MINUTE);
    expect((await stage.op(op.id)).state).toBe("accepted");

    stage.payments.set(SALE, sale({ status: "refunded" }));
    await stage.follow(HOUR, 5 * MINUTE);

    expect((await stage.op(op.id)).state).toBe("completed");
    const told = (await stage.messages()).filter((line) => line.includes(op.id));
    expect(told).toEqual([`withdrawal|${op.id}|completed due`]);
    expect(refunds(stage)).toHaveLength(1);
  });

  it("that was accepted is its owner's to judge when the payment stays approved, never 'not made'", async () => {
    const stage = await sold();
    stage.works = false;
    const { op } = await refunded(stage);

    await stage.follow(5 * DAY, 6 * HOUR);

    expect((await stage.op(op.id)).state).toBe("manual");
    expect(refunds(stage)).toHaveLength(1);
  });

  it("whose answer was lost is unknown, and found out by reading the payment", async () => {
    const stage = await sold();
    lose(stage, true);
    const { op } = await refunded(stage);
    expect(op.state).toBe("unknown");

    await stage.follow(MINUTE, 10_000);

    expect((await stage.op(op.id)).state).toBe("completed");
    expect(refunds(stage)).toHaveLength(1);
  });

  it.each([
    ["an error of the service", { errorCode: "HTTP_503", httpStatus: 503 }],
    ["a process that died", { errorCode: undefined }],
  ])(
    "of unknown outcome by %s becomes its owner's after 45 minutes, and was not made after three days and two readings",
    async (_, answer) => {
      const stage = await sold();
      lose(stage, false);
      Object.assign(stage, { answer: { ...LOST, ...answer } });
      const { op } = await refunded(stage);
      await stage.follow(44 * MINUTE, 11 * MINUTE);
      expect((await stage.op(op.id)).state).toBe("unknown");
      await stage.follow(2 * MINUTE);
      expect((await stage.op(op.id)).state).toBe("manual");
      await stage.follow(3 * DAY - HOUR, 6 * HOUR);
      expect((await stage.op(op.id)).state).toBe("manual");

      await stage.follow(3 * HOUR, 30 * MINUTE);

      expect(await stage.op(op.id)).toMatchObject({ state: "not_executed", absences: 2 });
      expect(refunds(stage)).toHaveLength(1);
    },
  );

  it("of unknown outcome whose sale could not be read is not said to lack the refund", async () => {
    const stage = await sold();
    lose(stage, true);
    await refunded(stage);
    stage.failing.set("transaction", "timeout");
    await stage.follow(46 * MINUTE, 23 * MINUTE);
    expect((await stage.messages()).join()).toContain("|manual due");
    expect(await textsOf(stage)).toContain("Não tenho certeza se ele foi feito");
    expect(await textsOf(stage)).not.toContain("ainda não aparece");
  });

  it("that waits for its owner's decision asks for it when the sale is to be refunded again", async () => {
    const stage = await sold();
    lose(stage, false);
    const { op } = await refunded(stage);
    await stage.follow(46 * MINUTE, 23 * MINUTE);
    const undecided = { kind: "refund_busy", opId: op.id, why: "manual" };
    expect(await refusal(ask(stage))).toEqual(undecided);
  });

  it("that was refused and made all the same is corrected at once", async () => {
    const stage = await sold();
    stage.answer = REFUSED;
    const { op } = await refunded(stage);
    expect(op.state).toBe("completed");
  });

  it.each([
    ["another one is asked for", (stage: MoneyStage) => refusal(ask(stage))],
    [
      "its owner looks at it",
      async (stage: MoneyStage, id: string) => {
        await stage.money.withdrawals.detail(actor(), id);
        return { kind: "payment_refunded" };
      },
    ],
  ])("that was denied and is found refunded when %s is corrected", async (_, look) => {
    const stage = await sold();
    const { op } = await denied(stage);
    expect(op.state).toBe("rejected");
    stage.payments.set(SALE, sale({ status: "refunded", updatedAt: stage.clock.now() }));

    expect(await look(stage, op.id)).toEqual({ kind: "payment_refunded" });

    expect((await stage.op(op.id)).state).toBe("completed");
    expect(await stage.messages()).toContain(`withdrawal|${op.id}|completed due`);
  });

  it("that was denied stays so when the payment is refunded elsewhere a day later", async () => {
    const stage = await sold();
    const { op } = await denied(stage);
    stage.clock.moveBy(DAY);
    stage.payments.set(SALE, sale({ status: "refunded", updatedAt: stage.clock.now() }));
    expect(await refusal(ask(stage))).toEqual({ kind: "payment_refunded" });
    expect((await stage.op(op.id)).state).toBe("rejected");
  });

  it("that was denied is corrected when the last reading before another one finds it refunded", async () => {
    const stage = await sold();
    const { op } = await denied(stage);
    const asked = await ask(stage);
    stage.payments.set(SALE, sale({ status: "refunded", updatedAt: stage.clock.now() }));
    const next = await confirm(stage, asked);
    expect(next.op).toMatchObject({ state: "refused_local", errorCode: "payment_refunded" });
    expect((await stage.op(op.id)).state).toBe("completed");
  });

  it.each([
    ["a step of our clock", 0, -3 * DAY],
    ["a service without a clock", 0, undefined],
    ["a service whose clock was not measured before it", undefined, -3 * DAY],
  ])("of unknown outcome is not proved absent with %s", async (_, skewBeforeMs, skewMs) => {
    const stage = await sold();
    stage.skewMs = skewBeforeMs;
    lose(stage, false);
    const { op } = await refunded(stage);
    stage.clock.moveBy(3 * DAY);
    stage.skewMs = skewMs;
    await stage.follow(3 * HOUR, 30 * MINUTE);
    expect((await stage.op(op.id)).state).toBe("manual");
  });

  it("left in the middle of sending by a process that died is found out, and not sent again", async () => {
    const stage = await sold();
    const gone = stage.process();
    const asked = await ask(stage);
    stage.onRequest = () => new Promise<never>(() => {});
    void gone.withdrawals.confirm(actor(), asked.token, undefined);
    await expect.poll(() => refunds(stage)).toHaveLength(1);
    expect((await stage.op(asked.op.id)).state).toBe("sending");
    stage.payments.set(SALE, sale({ status: "refunded" }));

    stage.clock.moveBy(2 * MINUTE);
    await stage.check();
    await stage.follow(MINUTE, 10_000);

    expect((await stage.op(asked.op.id)).state).toBe("completed");
    expect(refunds(stage)).toHaveLength(1);
  });
});

describe("a refund is refused before anything is sent", () => {
  const dispute = (changes = {}) => sampleDispute({ txid: SALE, ...changes });

  it.each([
    ["a payment that is refunded", { status: "refunded" }, { kind: "payment_refunded" }],
    [
      "a payment that is not paid",
      { status: "pending" },
      { kind: "payment_not_approved", status: "pending" },
    ],
    [
      "a payment in a state that the document does not name",
      { status: "in_review" },
      { kind: "payment_not_approved", status: "in_review" },
    ],
    ["a withdrawal", { type: "withdrawal" }, { kind: "not_a_payment" }],
  ] as const)("for %s", async (_, changes, reason) => {
    const stage = await sold(changes);
    expect(await refusal(ask(stage))).toEqual(reason);
  });

  it("for a txid that is not there or is somebody else's, and for text that cannot be one", async () => {
    const stage = await sold();
    expect(await refusal(ask(stage, actor(), "b52f07c98e2d"))).toEqual({
      kind: "payment_not_found",
    });
    expect(await refusal(ask(stage, actor(), "../meds"))).toEqual({
      kind: "txid_unreadable",
      given: "../meds",
    });
    expect(await refusal(ask(stage, actor({ userId: BRUNO })))).toEqual({ kind: "not_connected" });
  });

  it("where it is switched off, even for a confirmation that was shown before", async () => {
    const stage = await sold();
    const asked = await ask(stage);
    const off = { money: stage.process({ refundEnabled: false }) };
    expect(await refusal(ask(off))).toEqual({ kind: "refunds_disabled" });
    expect(await refusal(confirm(off, asked))).toEqual({ kind: "refunds_disabled" });
    expect(stage.sent).toEqual([]);
  });

  it.each([
    ["open", {}, "open"],
    ["open, and spells the txid in another case", { txid: SALE.toUpperCase() }, "open"],
    ["decided for the payer", { status: "disagreed", analysisStatus: "accepted" }, "returned"],
  ] as const)("under a dispute that is %s", async (_, changes, why) => {
    const stage = await sold();
    const { infractionId } = dispute();
    stage.disputes.set(infractionId, dispute(changes));
    expect(await refusal(ask(stage))).toEqual({ kind: "payment_disputed", why, infractionId });
  });

  it("but not under one that is won", async () => {
    const stage = await sold();
    const won = dispute({ analysisStatus: "rejected", status: "disagreed" });
    stage.disputes.set(won.infractionId, won);
    expect((await refunded(stage)).op.state).toBe("completed");
  });

  it("that opens while the payment is still being read", async () => {
    const stage = await sold();
    const asked = await ask(stage);
    const wallet: MoneyStage["wallet"] = {
      ...stage.wallet,
      transaction: async (...given) => {
        const read = await stage.wallet.transaction(...given);
        // Later turns of the loop, in which a list that was asked at the same time is read.
        for (let turns = 0; turns < 100; turns++) await setImmediate();
        stage.disputes.set("d1", sampleDispute({ infractionId: "d1", txid: SALE }));
        return read;
      },
    };
    const { op } = await confirm({ money: stage.process({ wallet }) }, asked);
    expect(stage.sent).toEqual([]);
    expect(op.state).toBe("refused_local");
  });

  it.each([
    ["has a row without an id", { unnamed: 1, isWhole: true }],
    ["lacks a page", { unnamed: 0, isWhole: false }],
  ])("while the list of disputes %s", async (_, page) => {
    const stage = await sold();
    const wallet = { ...stage.wallet, disputes: async () => ({ items: [], ...page }) };
    const money = stage.process({ wallet });
    expect(await refusal(ask({ money }))).toEqual({ kind: "disputes_unreadable" });
  });

  it("for three days after a restore, as the copy may lack a refund that the service took", async () => {
    const stage = await sold();
    const asked = await ask(stage);
    const noticedAt = stage.clock.now();
    for (const cause of ["restored", "gap"] as const) await restore(stage, null, cause);
    const { op } = await confirm(stage, asked);
    expect(op).toMatchObject({ state: "refused_local", errorCode: "refund_after_restore" });

    stage.clock.moveBy(3 * DAY - MINUTE);
    const until = noticedAt.add({ hours: 72 });
    expect(await refusal(ask(stage))).toEqual({ kind: "refund_after_restore", noticedAt, until });
    const createdAt = noticedAt.add({ minutes: 6 });
    stage.payments.set("b52f", sale({ txid: "b52f", createdAt }));
    expect((await ask(stage, actor(), "b52f")).op.targetTxid).toBe("b52f");
    expect(stage.sent).toEqual([]);

    stage.clock.moveBy(MINUTE);
    expect((await refunded(stage)).op.state).toBe("completed");
  });

  it("for its key, which the service refuses once the sale was read", async () => {
    const stage = await sold();
    stage.failing.set("disputes", "unauthorized");
    await expect(ask(stage)).rejects.toMatchObject({ kind: "unauthorized" });
  });
});
