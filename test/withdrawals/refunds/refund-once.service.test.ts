import { describe, expect, it } from "vitest";
import type { Dispute } from "#src/disputes/dispute.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { withdrawalTexts } from "#src/withdrawals/texts.ts";
import { journalInWords } from "#src/withdrawals/withdrawal-fields.view.ts";
import { REFUSED } from "../plain-wallet.ts";
import { sampleDispute } from "../../disputes/dispute-samples.ts";
import {
  actor,
  ANA,
  atStep,
  decided,
  type MoneyStage,
  refusal,
  withdrawn,
} from "../money-stage.ts";
import {
  answerAgain,
  ask,
  bruno,
  confirm,
  lose,
  refunded,
  refunds,
  SALE,
  sale,
  sold,
} from "./refund-stage.ts";

const dispute = ({ disputes }: MoneyStage, given: Partial<Dispute> = {}) => {
  const { infractionId = "d1" } = given;
  disputes.set(infractionId, sampleDispute({ infractionId, txid: SALE, ...given }));
};

describe("between the confirmation and the request", () => {
  const late = async (change: (stage: MoneyStage) => unknown) => {
    const stage = await sold();
    const asked = await ask(stage);
    change(stage);
    const { op } = await confirm(stage, asked);
    expect(stage.sent).toEqual([]);
    expect(op.state).toBe("refused_local");
    return op.errorCode;
  };

  it.each<[string, string, (stage: MoneyStage) => unknown]>([
    ["a dispute is opened", "dispute_open", (stage) => dispute(stage)],
    [
      "a dispute returned the payment",
      "dispute_returned",
      (stage) => dispute(stage, { analysisStatus: "accepted" }),
    ],
    [
      "disputes became unreadable",
      "disputes_unreadable",
      ({ failing }) => failing.set("disputes", "timeout"),
    ],
    [
      "somebody refunded it",
      "payment_refunded",
      ({ payments }) => payments.set(SALE, sale({ status: "refunded" })),
    ],
    [
      "it changed",
      "payment_changed",
      ({ payments }) => payments.set(SALE, sale({ amount: cents(8_000) })),
    ],
    [
      "it became unreadable",
      "payment_unreadable",
      ({ failing }) => failing.set("transaction", "malformed"),
    ],
    [
      "the service refuses the key",
      "key_refused",
      ({ failing }) => failing.set("transaction", "unauthorized").set("disputes", "unauthorized"),
    ],
    [
      "the service refuses the key once the sale was read",
      "key_refused",
      ({ failing }) => failing.set("disputes", "unauthorized"),
    ],
  ])("%s: nothing is sent", async (_, reason, change) => {
    expect(await late(change)).toBe(reason);
  });

  it("a dispute that opens only once the confirmation is committed still stops it", async () => {
    const stage = await sold();
    const asked = await ask(stage);
    const journal = atStep(stage.needs.journal, async ({ to }, take) => {
      const moved = await take();
      if (to === "confirmed") dispute(stage);
      return moved;
    });

    const { op } = await confirm({ money: stage.process({ journal }) }, asked);

    expect(op).toMatchObject({ state: "refused_local", errorCode: "dispute_open" });
    expect(stage.sent).toEqual([]);
  });
});

describe("the last reading of the disputes", () => {
  it("comes after the wait for a turn", async () => {
    const stage = await sold();
    const asked = await ask(stage);
    stage.onTurn = () => dispute(stage);
    const { op } = await confirm(stage, asked);
    expect(op).toMatchObject({ state: "refused_local", errorCode: "dispute_open" });
    expect(stage.sent).toEqual([]);
  });

  it.each<[string, (stage: MoneyStage) => unknown]>([
    ["shows a new one", (stage) => dispute(stage, { infractionId: "d2" })],
    ["fails", ({ failing }) => failing.set("disputes", "unavailable")],
  ])("comes after the details, and forbids the refund where it %s", async (_, happens) => {
    const stage = await sold();
    dispute(stage, { txid: "another" });
    const asked = await ask(stage);
    const wallet: MoneyStage["wallet"] = {
      ...stage.wallet,
      dispute: (...given) => {
        happens(stage);
        return stage.wallet.dispute(...given);
      },
    };
    const { op } = await confirm({ money: stage.process({ wallet }) }, asked);
    expect(op).toMatchObject({ state: "refused_local", errorCode: "disputes_unreadable" });
    expect(stage.sent).toEqual([]);
  });

  it("lets a refund go out where the details are of other payments", async () => {
    const stage = await sold();
    dispute(stage, { txid: "another" });
    const { op } = await refunded(stage);
    expect(op.state).toBe("completed");
  });
});

describe("a refund that the service accepted", () => {
  it("is read by the check of its click alone", async () => {
    const stage = await sold();
    const jobs: Promise<unknown>[] = [];
    const { signal } = new AbortController();
    const money = stage.process({ wake: () => void jobs.push(money.checkDue(signal)) });
    const asked = await ask({ money });
    stage.reads.length = 0;
    const { op } = await confirm({ money }, asked);
    await Promise.all(jobs);
    expect(op.state).toBe("completed");
    expect(stage.reads.filter((read) => read.startsWith("transaction "))).toEqual([
      "transaction money",
      "transaction interactive",
    ]);
  });
});

describe("one payment", () => {
  it("is refunded once by two clicks at once, and a later click sees the first", async () => {
    const stage = await sold();
    const asked = await ask(stage);
    await Promise.allSettled([confirm(stage, asked), confirm(stage, asked)]);
    const later = await confirm(stage, asked);
    expect(refunds(stage)).toHaveLength(1);
    expect(later.op).toMatchObject({ id: asked.op.id, state: "completed" });
  });

  it("is refunded once by two confirmations of two people with two keys of the account", async () => {
    const stage = await sold();
    const other = await bruno(stage);
    const [first, second] = [await ask(stage), await ask(stage, other)];
    expect(first.op.accountFp).not.toBe(second.op.accountFp);
    lose(stage, true);

    const outcomes = await Promise.all([
      refusal(confirm(stage, first)),
      refusal(confirm(stage, second, other)),
    ]);

    expect(refunds(stage)).toHaveLength(1);
    expect(outcomes).toContainEqual({ kind: "refund_busy", opId: undefined });
  });

  it("whose refund its owner says was made is not refunded again, by another key neither", async () => {
    const stage = await sold();
    const other = await bruno(stage);
    lose(stage, false);
    const { op } = await refunded(stage);
    await stage.follow(46 * MINUTE, 23 * MINUTE);
    const { state, resolution } = (await decided(stage, op.id, true)).op;
    expect([state, resolution]).toEqual(["resolved_manual", "happened"]);
    answerAgain(stage);
    for (const by of [actor(), other])
      expect(await refusal(ask(stage, by))).toEqual({ kind: "payment_refunded" });
    expect(refunds(stage)).toHaveLength(1);
  });

  it("in doubt is not sent to the service for a second refund where they were switched off since", async () => {
    const stage = await sold();
    const asked = await ask(stage);
    lose(stage, true);
    const { op } = await refunded(stage);
    const off = { money: stage.process({ refundEnabled: false }) };
    const busy = { kind: "refund_busy", opId: op.id };
    expect(await refusal(confirm(off, asked))).toEqual(busy);
    expect(await refusal(ask(off))).toEqual(busy);
  });

  it("has no second refund while the outcome is unknown; other payments and withdrawals go on", async () => {
    const stage = await sold();
    const other = await bruno(stage);
    stage.payments.set("b52f", sale({ txid: "b52f" }));
    lose(stage, false);
    const { op } = await refunded(stage);
    answerAgain(stage);

    expect(await refusal(ask(stage))).toEqual({ kind: "refund_busy", opId: op.id });
    expect(await refusal(ask(stage, other))).toEqual({ kind: "refund_busy", opId: undefined });
    expect((await confirm(stage, await ask(stage, actor(), "b52f"))).op.state).toBe("completed");
    expect((await withdrawn(stage)).op.state).toBe("accepted");
    expect(refunds(stage)).toHaveLength(2);
  });

  const declaredNotMade = async () => {
    const stage = await sold();
    lose(stage, false);
    const { op } = await refunded(stage);
    await stage.follow(46 * MINUTE, 23 * MINUTE);
    await decided(stage, op.id, false);
    return { stage, id: op.id };
  };
  const refundedAfter = async (stage: MoneyStage, ms: number) => {
    stage.clock.moveBy(ms);
    stage.payments.set(SALE, sale({ status: "refunded", updatedAt: stage.clock.now() }));
    expect(await refusal(ask(stage))).toEqual({ kind: "payment_refunded" });
  };

  it("whose refund its owner denied is told once it reads refunded, keeps that word, and counts in the limit per day", async () => {
    const { stage, id } = await declaredNotMade();
    await refundedAfter(stage, HOUR);
    expect(await stage.op(id)).toMatchObject({ state: "completed" });
    const { events } = await stage.money.withdrawals.detail(actor(), id);
    expect(journalInWords(events, await stage.op(id), withdrawalTexts("pt-BR"))).toMatch(
      /Respondido: não aconteceu\n.*Concluído$/,
    );
    expect(await stage.messages()).toContain(`withdrawal|${id}|completed due`);
    await stage.money.guards.setDailyCap(actor(), cents(7_990));
    stage.payments.set("b52f", sale({ txid: "b52f" }));
    expect(await refusal(ask(stage, actor(), "b52f"))).toMatchObject({
      kind: "daily_cap_exceeded",
    });
  });

  it("whose refund its owner denied keeps that word when it is refunded more than three days later", async () => {
    const { stage, id } = await declaredNotMade();
    await refundedAfter(stage, 3 * DAY);
    expect(await stage.op(id)).toMatchObject({ state: "resolved_manual" });
  });

  it("has no second refund when the service shows an old status after the first was made", async () => {
    const stage = await sold();
    const asked = await ask(stage);
    expect((await refunded(stage)).op.state).toBe("completed");
    stage.payments.set(SALE, sale());

    expect(await refusal(ask(stage))).toEqual({ kind: "payment_refunded" });
    expect(await refusal(confirm(stage, asked))).toEqual({ kind: "payment_refunded" });
    expect(refunds(stage)).toHaveLength(1);
  });

  it("that is not of the asker's account reads as missing while somebody else refunds it", async () => {
    const stage = await sold();
    lose(stage, false);
    await refunded(stage);
    stage.failing.set("transaction", "not_found");
    expect(await refusal(ask(stage))).toEqual({ kind: "payment_not_found" });
  });
});

describe("the owner's guards hold for refunds", () => {
  it("a lock stops them, asked before or after the question", async () => {
    const stage = await sold();
    const asked = await ask(stage);
    await stage.money.guards.lock(actor());
    expect(await refusal(confirm(stage, asked))).toMatchObject({ kind: "money_locked" });
    expect(await refusal(ask(stage))).toMatchObject({ kind: "money_locked" });
    expect(stage.sent).toEqual([]);
  });

  it("the PIN is asked for", async () => {
    const stage = await sold();
    const pin = new Secret("4821");
    await stage.money.guards.setPin(actor(), pin, undefined);
    const asked = await ask(stage);
    expect(asked.pinRequired).toBe(true);
    expect(await refusal(confirm(stage, asked))).toEqual({ kind: "pin_required" });
    expect((await confirm(stage, asked, actor(), pin)).op.state).toBe("completed");
  });

  it("their gross sum counts toward the daily cap, with withdrawals", async () => {
    const stage = await sold();
    stage.payments.set("b52f", sale({ txid: "b52f" }));
    await stage.money.guards.setDailyCap(actor(), cents(10_000));
    await refunded(stage);
    expect(
      await stage.stores.journal.spentSince(ANA, stage.clock.now().subtract({ hours: 1 })),
    ).toBe(7_990);
    expect(await refusal(ask(stage, actor(), "b52f"))).toMatchObject({
      kind: "daily_cap_exceeded",
      left: 2_010,
      noLess: "refund",
    });
    expect(await refusal(withdrawn(stage))).toMatchObject({ kind: "daily_cap_exceeded" });
  });
});

it("a refund, sent before an unknown withdrawal and carried out after it, does not make that look carried out", async () => {
  const stage = await sold();
  lose(stage, false);
  const refund = await refunded(stage);
  stage.clock.moveBy(MINUTE);
  const { op } = await withdrawn(stage);
  const updatedAt = stage.clock.now().add({ minutes: 1 });
  stage.payments.set(SALE, sale({ status: "refunded", updatedAt }));
  stage.available -= 7_511;

  await stage.follow(30 * MINUTE);

  expect((await stage.op(refund.op.id)).state).toBe("completed");
  expect(await stage.op(op.id)).toMatchObject({ state: "unknown" });
});

it("a refund that ran out or was given up can be asked for again", async () => {
  const stage = await sold();
  const { token, op } = await ask(stage);
  expect((await stage.money.withdrawals.abandon(actor(), token)).state).toBe("abandoned");
  expect(await stage.money.withdrawals.redo(actor(), op.id)).toMatchObject({
    kind: "refund",
    op: { targetTxid: SALE },
  });
});

it.each<[string, (stage: MoneyStage) => unknown]>([
  ["denied", (stage) => Object.assign(stage, { answer: REFUSED, works: false })],
  ["accepted", (stage) => Object.assign(stage, { works: false })],
  ["of unknown outcome", (stage) => lose(stage, false)],
])(
  "a refund that is %s is shown with the support code of an unreadable payment",
  async (_, set) => {
    const stage = await sold();
    set(stage);
    const { op } = await refunded(stage);
    stage.failing.set("transaction", "timeout");
    const shown = await stage.money.withdrawals.detail(actor(), op.id);
    expect(shown).toMatchObject({ problem: "timeout", supportCodes: ["req_timeout"] });
  },
);
