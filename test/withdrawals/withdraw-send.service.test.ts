import { describe, expect, it } from "vitest";
import { cents } from "#src/shared/money.ts";
import { HOUR } from "#src/shared/time.ts";
import type { WithdrawAnswer } from "#src/withdrawals/withdrawal.ts";
import type { WithdrawJournal } from "#src/withdrawals/withdraw-journal.store.ts";
import { isChecked, type WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import {
  atStep,
  actor,
  beforeList,
  confirmed,
  type MoneyStage,
  openMoneyStage,
  prepared,
  refusal,
  withdrawn,
} from "./money-stage.ts";
import { sampleDispute } from "../disputes/dispute-samples.ts";
import { LOST, NOT_SENT, REFUSED } from "./plain-wallet.ts";
import { ask, confirm, sold } from "./refunds/refund-stage.ts";

const rejected = (reason: "refused" | "rate_limited"): WithdrawAnswer => ({
  ...REFUSED,
  reason,
  requestId: "req-2",
  message: "@everyone",
  retryAfterMs: 2_000,
});

const statesOf = async ({ stores }: MoneyStage, id: string): Promise<readonly WithdrawState[]> =>
  (await stores.journal.events(id)).map(({ to }) => to);

const failingAt = (
  journal: WithdrawJournal,
  state: WithdrawState,
  when: "before" | "after",
  times = 1,
): WithdrawJournal =>
  atStep(journal, async ({ to }, take) => {
    if (to !== state || times-- <= 0) return await take();
    if (when === "after") await take();
    throw new Error("the connection broke");
  });

describe("the one request", () => {
  it.each([
    ["refused", rejected("rate_limited"), "rejected", undefined],
    ["never sent", NOT_SENT, "not_sent", undefined],
    ["without a clear answer", LOST, "unknown", "2026-11-20T15:00:05Z"],
    [
      "that fails in a way that nobody foresaw",
      new Error("boom"),
      "unknown",
      "2026-11-20T15:00:05Z",
    ],
  ] as const)("%s is kept as what it is, and read in time", async (_, answer, state, nextAt) => {
    const stage = await openMoneyStage();
    stage.works = false;
    stage.answer = answer;

    const { op } = await withdrawn(stage);

    expect([op.state, op.nextCheckAt?.toString()]).toEqual([state, nextAt]);
    expect(await statesOf(stage, op.id)).toEqual(["draft", "confirmed", "sending", state]);
    expect(await stage.messages()).toEqual(
      state === "unknown" ? [`withdrawal|${op.id}|unknown due`] : [],
    );
  });

  it("S21: tells how long our own pacing would have kept it", async () => {
    const stage = await openMoneyStage();
    const paced = { reason: "paced", errorCode: "PACED", retryAfterMs: 29_600 } as const;
    stage.answer = { state: "not_sent", ...paced };
    stage.works = false;

    const { op, sent } = await withdrawn(stage);

    expect(op).toMatchObject({ state: "not_sent", errorCode: "PACED" });
    expect(sent?.pacedForMs).toBe(29_600);
  });

  it("keeps nothing of the service's own words", async () => {
    const stage = await openMoneyStage();
    stage.works = false;
    stage.answer = rejected("refused");

    const { op, sent } = await withdrawn(stage);

    expect(sent?.rejected?.message).toBe("@everyone");
    const kept = JSON.stringify([op, await stage.stores.journal.events(op.id)]);
    expect(kept).not.toContain("everyone");
  });

  it("finds the journal in `sending` when it arrives, with the list of that moment", async () => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    stage.add({ txid: "BETWEEN" });
    let seen: unknown;
    stage.onRequest = async () => {
      const { state, preTxids } = await stage.op(confirmation.op.id);
      seen = { state, preTxids };
    };

    await confirmed(stage, confirmation);

    expect(seen).toEqual({ state: "sending", preTxids: ["BETWEEN"] });
  });

  it("keeps the draft's list when the one before the request cannot be read", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "OLD" });
    const confirmation = await prepared(stage);
    stage.failing.set("withdrawals", "timeout");

    const { op } = await confirmed(stage, confirmation);

    expect(op).toMatchObject({ state: "accepted", preTxids: ["OLD"] });
  });

  it.each([
    ["a withdrawal", ["balance money", "withdrawals money"]],
    [
      "a refund",
      [
        "dispute money",
        "disputes money",
        "disputes money",
        "transaction money",
        "withdrawals money",
      ],
    ],
  ])("of %s follows readings of its own, which share no earlier answer", async (what, reads) => {
    const stage = await sold();
    stage.disputes.set("d1", sampleDispute({ infractionId: "d1", txid: "another" }));
    const journal = atStep(stage.needs.journal, async ({ to }, take) => {
      if (to === "confirmed") stage.reads.length = 0;
      return await take();
    });
    const money = stage.process({ journal });
    let before: readonly string[] = [];
    stage.onRequest = () => void (before = stage.reads.toSorted());

    if (what === "a refund") await confirm({ money }, await ask(stage));
    else await confirmed({ money }, await prepared(stage));

    expect(stage.sent).toHaveLength(1);
    expect(before).toEqual(reads);
  });

  it("is left out when the process was held up after the commit", async () => {
    const stage = await openMoneyStage();
    const times = [0, 30_001];
    const money = stage.process({ monotonicMs: () => times.shift() ?? 30_001 });

    const { op } = await withdrawn({ money });

    expect(op).toMatchObject({ state: "not_sent", errorCode: "held_up" });
    expect(stage.sent).toEqual([]);
  });

  const acceptedAs = (value: unknown) =>
    ({
      state: "accepted",
      value: value as never,
      httpStatus: 200,
      requestId: undefined,
    }) as const;

  it("keeps the confirmed amount where the answer names another", async () => {
    const stage = await openMoneyStage();
    stage.answer = acceptedAs(stage.add({ amount: cents(4_000) }));

    expect((await withdrawn(stage)).op).toMatchObject({ state: "accepted", amount: 5_000 });
  });

  it("claims no withdrawal that another operation has", async () => {
    const stage = await openMoneyStage();
    const first = await withdrawn(stage);
    stage.become(first.op.txid ?? "", { status: "completed" });
    await stage.follow(60_000);
    stage.works = false;
    stage.answer = acceptedAs({ ...stage.executed.get("TX0001"), scheduledFor: undefined });

    const { op } = await withdrawn(stage);

    expect(op).toMatchObject({ state: "unknown", errorCode: "txid_taken", txid: undefined });
  });
});

describe("a commit that cannot be told", () => {
  it.each([
    ["confirmed", "before", "draft"],
    ["confirmed", "after", "refused_local"],
    ["sending", "before", "refused_local"],
    ["sending", "after", "not_sent"],
  ] as const)("of `%s`, broken %s it was made, sends nothing", async (step, when, state) => {
    const stage = await openMoneyStage();
    const money = stage.process({ journal: failingAt(stage.stores.journal, step, when) });
    const confirmation = await prepared({ money });

    await confirmed({ money }, confirmation).catch(() => undefined);

    expect(stage.sent).toEqual([]);
    expect((await stage.op(confirmation.op.id)).state).toBe(state);
  });

  it.each([["before"], ["after"]] as const)(
    "of the answer, broken %s it was made, is repeated without another request",
    async (when) => {
      const stage = await openMoneyStage();
      const journal = failingAt(stage.stores.journal, "accepted", when);

      const { op } = await withdrawn({ money: stage.process({ journal }) });

      expect(stage.sent).toHaveLength(1);
      expect(op).toMatchObject({ state: "accepted", txid: "TX0001" });
    },
  );

  it("leaves it when it cannot be read either", async () => {
    const stage = await openMoneyStage();
    const broken = failingAt(stage.stores.journal, "sending", "after");
    const away = { ...broken, find: () => Promise.reject(new Error("still away")) };
    const confirmation = await prepared(stage);

    const click = stage.process({ journal: away }).withdrawals;
    await expect(click.confirm(actor(), confirmation.token, undefined)).rejects.toThrow("still");

    expect(stage.sent).toEqual([]);
    expect((await stage.op(confirmation.op.id)).state).toBe("sending");
    stage.clock.moveBy(91_000);
    await stage.money.sweep(false);
    expect((await stage.op(confirmation.op.id)).state).toBe("unknown");
  });
});

describe("a sweeper that was quicker", () => {
  const swept = async (answer: WithdrawAnswer | undefined) => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    stage.works = answer === undefined;
    stage.answer = answer;
    stage.onRequest = () => stage.process().sweep(true);
    return { stage, status: await confirmed(stage, confirmation) };
  };

  it("does not lose the txid that the answer named", async () => {
    const { stage, status } = await swept(undefined);

    expect(status.op).toMatchObject({ state: "accepted", txid: "TX0001" });
    expect(await stage.messages()).toEqual([`withdrawal|${status.op.id}|unknown obsolete`]);
  });

  it.each([[rejected("rate_limited")], [NOT_SENT], [LOST]])(
    "leaves any other answer to reading",
    async (answer) => {
      const { stage, status } = await swept(answer);

      expect(status.op.state).toBe("unknown");
      expect(await stage.messages()).toEqual([`withdrawal|${status.op.id}|unknown due`]);
    },
  );

  it("stops one that was confirmed and not sent yet", async () => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    const wallet = beforeList(stage, () => stage.money.sweep(true));

    const { op } = await confirmed({ money: stage.process({ wallet }) }, confirmation);

    expect(op.state).toBe("refused_local");
    expect(stage.sent).toEqual([]);
    expect(await stage.messages()).toEqual([`withdrawal|${op.id}|refused_local due`]);
    expect(await refusal(prepared(stage))).toBe("was not refused");
  });
});

it.each([
  ["and says so in its reply, although its monotonic clock slept too", 30_001, []],
  ["and tells so by message after hours: its reply is dead", 8 * HOUR, ["not_sent due"]],
])("A machine that slept since the commit sends nothing, %s", async (_, sleptMs, told) => {
  const stage = await openMoneyStage();
  const journal = atStep(stage.stores.journal, async ({ to }, take) => {
    const moved = await take();
    if (to === "sending") stage.clock.moveBy(sleptMs);
    return moved;
  });

  const { op } = await withdrawn({ money: stage.process({ monotonicMs: () => 0, journal }) });

  expect(op).toMatchObject({ state: "not_sent", errorCode: "held_up" });
  expect(stage.sent).toEqual([]);
  expect(await stage.messages()).toEqual(told.map((each) => `withdrawal|${op.id}|${each}`));
});

it("A machine that slept over the request tells by message that it was accepted, though a sweep came first", async () => {
  const stage = await openMoneyStage();
  stage.onRequest = async () => {
    stage.clock.moveBy(8 * HOUR);
    await stage.money.sweep(false);
  };

  const { op } = await withdrawn(stage);

  expect(op.state).toBe("accepted");
  const [outcome, doubt] = ["accepted due", "unknown obsolete"];
  expect(await stage.messages()).toEqual(
    [outcome, doubt].map((each) => `withdrawal|${op.id}|${each}`),
  );
});

it("A machine that slept during the last readings sends nothing hours after the confirmation", async () => {
  const stage = await openMoneyStage();
  const confirmation = await prepared(stage);
  const wallet = beforeList(stage, async () => stage.clock.moveBy(8 * HOUR));
  const money = stage.process({ monotonicMs: () => 0, wallet });

  const { op } = await confirmed({ money }, confirmation);

  expect(op).toMatchObject({ state: "refused_local", errorCode: "held_up" });
  expect(stage.sent).toEqual([]);
  expect(await stage.messages()).toEqual([`withdrawal|${op.id}|refused_local due`]);
});

it("A machine that slept during the last readings tells by message which one forbade a refund", async () => {
  const stage = await sold();
  const asked = await ask(stage);
  const wallet = {
    ...stage.wallet,
    refundTurn: async () => {
      stage.clock.moveBy(8 * HOUR);
      stage.failing.set("disputes", "unavailable");
    },
  };

  const { op } = await confirm({ money: stage.process({ wallet }) }, asked);

  expect(op).toMatchObject({ state: "refused_local", errorCode: "disputes_unreadable" });
  expect(await stage.messages()).toEqual([`withdrawal|${op.id}|refused_local due`]);
});

it.each<[WithdrawState, WithdrawAnswer | undefined]>([
  ["accepted", undefined],
  ["rejected", REFUSED],
  ["not_sent", NOT_SENT],
  ["unknown", LOST],
])(
  "Whoever was told that nobody knows is told that it was %s, once the database takes it",
  async (state, answer) => {
    const stage = await openMoneyStage();
    let failures = 3;
    const journal = atStep(stage.stores.journal, async (_, take, op) => {
      if (op.state === "sending" && failures-- > 0) throw new Error("the connection broke");
      return await take();
    });
    const money = stage.process({ journal });
    const confirmation = await prepared({ money });
    stage.works = answer === undefined;
    stage.answer = answer;
    await expect(confirmed({ money }, confirmation)).rejects.toThrow("the connection broke");

    // No reading is due any more by the times after the request.
    stage.clock.moveBy(46 * 60_000);
    await money.sweep(false);

    const { id } = confirmation.op;
    const { nextCheckAt } = await stage.op(id);
    expect((await stage.op(id)).state).toBe(state);
    expect(nextCheckAt !== undefined).toBe(isChecked(state));
    expect(stage.sent).toHaveLength(1);
    expect(await stage.messages()).toEqual([`withdrawal|${id}|${state} due`]);
  },
);

it("An operation of a kind without rules is never sent as one of another kind", async () => {
  const stage = await openMoneyStage();
  const confirmation = await prepared(stage);
  const { id } = confirmation.op;
  const kind = "advance" as never;
  await stage.db.updateTable("withdraw_op").set({ kind }).where("id", "=", id).execute();

  await refusal(confirmed(stage, confirmation));

  expect(stage.sent).toEqual([]);
});
