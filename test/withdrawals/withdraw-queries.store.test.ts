import { describe, expect, test } from "vitest";
import { type WithdrawState, withdrawStates } from "#src/withdrawals/withdraw-op.ts";
import { DAY, MINUTE } from "#src/shared/time.ts";
import { cents } from "#src/shared/money.ts";
import { openVault } from "#src/database/vault.ts";
import { handOverOperations, withdrawJournal } from "#src/withdrawals/withdraw-journal.store.ts";
import { databases, standingClock, testRandom } from "../support/databases.ts";
import { ANA, BRUNO, later, NOON } from "../database/builders.ts";
import { useQueryPlans } from "../database/query-plans.ts";
import { testRing, useStore, WALLET } from "../database/use-store.ts";
import {
  ACCOUNT,
  forceState,
  journalOf,
  moved,
  newCancel,
  newRefund,
  newOp,
  opIn,
  OTHER_ACCOUNT,
  stepTo,
} from "./withdraw-builders.ts";

describe.each(databases)("asking the journal on $name", (kind) => {
  const store = useStore(kind);
  const journal = () => journalOf(store());
  /** One operation of Ana in every state, each on an account of its own, a minute apart. */
  const oneOfEach = () =>
    Promise.all(
      withdrawStates.map((state, index) =>
        opIn(
          journal(),
          state,
          { accountFp: `fp-${state}`, amount: cents(10 ** index % 9_007) },
          state === "resolved_manual" ? { resolution: "happened", resolvedBy: ANA } : {},
          later(index * MINUTE),
        ),
      ),
    );

  test("lists what a person asked for, newest first, without drafts", async () => {
    const ops = await oneOfEach();
    await opIn(journal(), "completed", { ownerId: BRUNO, accountFp: OTHER_ACCOUNT });
    const shown = ops
      .filter(({ state }) => state !== "draft" && state !== "abandoned")
      .toReversed();
    expect(await journal().list({ ownerId: ANA, limit: 50 })).toEqual(shown);
    expect(await journal().list({ ownerId: ANA, limit: 2 })).toEqual(shown.slice(0, 2));
    const states = ["failed", "unknown", "draft"] as const;
    const some = await journal().list({ ownerId: ANA, states, limit: 50 });
    expect(some.map(({ state }) => state)).toEqual(["failed", "unknown"]);
  });

  test("counts what left or may have left since an instant, and nothing that did not", async () => {
    const ops = await oneOfEach();
    const left = [
      "sending",
      "unknown",
      "accepted",
      "scheduled",
      "processing",
      "manual",
      "completed",
      "resolved_manual",
    ];
    const sum = (since: Temporal.Instant) =>
      ops
        .filter(({ state, sentAt }) => {
          return sentAt && Temporal.Instant.compare(sentAt, since) >= 0 && left.includes(state);
        })
        .reduce((total, { amount }) => total + (amount ?? 0), 0);
    expect(await journal().spentSince(ANA, NOON)).toBe(sum(NOON));
    const middle = later(6 * MINUTE);
    expect(sum(middle)).toBeGreaterThan(0);
    expect(sum(middle)).toBeLessThan(sum(NOON));
    expect(await journal().spentSince(ANA, middle)).toBe(sum(middle));
    expect(await journal().spentSince(BRUNO, NOON)).toBe(0);
  });

  test("lists the operations of that sum alone", async () => {
    await oneOfEach();
    const middle = later(6 * MINUTE);
    const sent = await journal().sentSince(ANA, middle);
    expect(sent.reduce((total, { amount }) => total + (amount ?? 0), 0)).toBe(
      await journal().spentSince(ANA, middle),
    );
    expect(await journal().sentSince(BRUNO, NOON)).toEqual([]);
  });

  test("counts a split of unknown amount and a withdrawal that did not happen as nothing", async () => {
    await opIn(journal(), "accepted", {
      kind: "split_turbo",
      amount: undefined,
      recipientId: BRUNO,
    });
    const change = { resolution: "did_not_happen", resolvedBy: ANA } as const;
    await opIn(journal(), "resolved_manual", { accountFp: OTHER_ACCOUNT }, change);
    expect(await journal().spentSince(ANA, NOON)).toBe(0);
    const large = { accountFp: "large", amount: cents(9_007_199_254_000_000) };
    await opIn(journal(), "sending", large);
    expect(await journal().spentSince(ANA, NOON)).toBe(9_007_199_254_000_000);
  });

  test("counts what the service took, once it told fee and net", async () => {
    await opIn(journal(), "accepted", {}, { fee: cents(350) });
    const before = await journal().spentSince(ANA, NOON);
    const taken = { fee: cents(350), net: cents(499_650) };
    await opIn(journal(), "accepted", { accountFp: OTHER_ACCOUNT }, taken);
    expect(await journal().spentSince(ANA, NOON)).toBe(before + 500_000);
  });

  test("knows when the account last had a withdrawal accepted, as far as can be", async () => {
    const at = async (state: Parameters<typeof opIn>[1], minute: number) => {
      const op = await opIn(journal(), state, {}, {}, later(minute * MINUTE));
      return forceState(store().db, op, state === "accepted" ? "failed" : state);
    };
    expect(await journal().lastSentAt(ACCOUNT)).toBeUndefined();
    await at("accepted", 1);
    await at("completed", 2);
    for (const state of ["rejected", "not_sent", "not_executed", "refused_local"] as const) {
      await at(state, 9);
    }
    expect((await journal().lastSentAt(ACCOUNT))?.equals(later(2 * MINUTE))).toBe(true);
    await at("unknown", 5);
    expect((await journal().lastSentAt(ACCOUNT))?.equals(later(5 * MINUTE))).toBe(true);
    expect(await journal().lastSentAt(OTHER_ACCOUNT)).toBeUndefined();
  });

  test.each([0, 1, -1])(
    "knows what was sent since it was shown, by a clock moved by %s days",
    async (days) => {
      const at = (steps: number) => later(steps * days * DAY);
      await opIn(journal(), "accepted", {}, {}, at(1));
      const op = await journal().draft(newOp(), at(2));
      expect(await journal().wasSentSinceShown(op)).toBe(false);
      await opIn(journal(), "rejected", {}, {}, at(3));
      await opIn(journal(), "accepted", { accountFp: OTHER_ACCOUNT }, {}, at(3));
      expect(await journal().wasSentSinceShown(op)).toBe(false);
      await opIn(journal(), "completed", {}, {}, at(3));
      expect(await journal().wasSentSinceShown(op)).toBe(true);
      const shown = await journal().amend(op, { confirmTokenHash: "again" }, at(4));
      expect(await journal().wasSentSinceShown(shown ?? op)).toBe(false);
      await journal().amend(shown ?? op, { confirmationsLeft: 1 }, at(4));
      await opIn(journal(), "unknown", {}, {}, at(1));
      expect(await journal().wasSentSinceShown(op)).toBe(true);
    },
  );

  test.each(["rejected", "not_executed"] as const)(
    "counts one that was %s as sent when it is found made",
    async (state) => {
      const denied = await opIn(journal(), state);
      const op = await journal().draft(newOp(), later(MINUTE));
      expect(await journal().wasSentSinceShown(op)).toBe(false);
      await moved(journal(), denied, stepTo("accepted", { change: { txid: "t1" } }));
      expect(await journal().wasSentSinceShown(op)).toBe(true);
      const next = await journal().draft(newOp(), later(MINUTE));
      expect(await journal().wasSentSinceShown(next)).toBe(false);
    },
  );

  test("leaves cancellations out of what withdrawals are counted by", async () => {
    let cancel = await journal().draft(newCancel("t1"), NOON);
    for (const to of ["confirmed", "sending"] as const) {
      cancel = await moved(journal(), cancel, stepTo(to));
    }
    cancel = await moved(journal(), cancel, stepTo("accepted", { change: { txid: "t1" } }));
    expect(await journal().openOf(ACCOUNT)).toEqual([]);
    expect(await journal().lockOf(ACCOUNT)).toBeUndefined();
    expect(await journal().lastSentAt(ACCOUNT)).toBeUndefined();
    expect(await journal().claimantsOf(ACCOUNT, ["t1"])).toEqual(new Map());
    expect(await journal().findByTxid(ACCOUNT, "t1")).toBeUndefined();
    const op = await opIn(journal(), "accepted", {}, { txid: "t1" });
    expect(await journal().findByTxid(ACCOUNT, "t1")).toEqual(op);
    expect(await journal().list({ ownerId: ANA, limit: 9 })).toHaveLength(2);
  });

  test("counts refunds toward what was spent, and toward nothing else of withdrawals", async () => {
    const sent = async (targetTxid: string, ...to: readonly WithdrawState[]) => {
      let refund = await journal().draft(newRefund(targetTxid), NOON);
      for (const state of ["confirmed", "sending", ...to] as const)
        refund = await moved(journal(), refund, stepTo(state));
      return refund;
    };
    await sent("p1", "unknown");
    await sent("p2", "accepted", "completed");
    await sent("p3", "rejected");
    const happened = await sent("p4", "unknown", "manual");
    const change = { resolvedBy: ANA, resolution: "happened" } as const;
    await moved(journal(), happened, stepTo("resolved_manual", { change }));
    expect(await journal().spentSince(ANA, NOON)).toBe(3 * 7_990);
    expect(await journal().refundedSince(ACCOUNT, NOON)).toBe(3 * 7_990);
    expect(await journal().refundedSince(OTHER_ACCOUNT, NOON)).toBe(0);
    // The open one may yet be carried out.
    expect(await journal().refundedSince(ACCOUNT, later(1))).toBe(7_990);
    expect(await journal().lastSentAt(ACCOUNT)).toBeUndefined();
    expect(await journal().openOf(ACCOUNT)).toEqual([]);
    expect(await journal().list({ ownerId: ANA, limit: 9 })).toHaveLength(4);
    // No withdrawal counts toward what was refunded.
    await opIn(journal(), "sending");
    expect(await journal().spentSince(ANA, NOON)).toBeGreaterThan(3 * 7_990);
    expect(await journal().refundedSince(ACCOUNT, NOON)).toBe(3 * 7_990);
  });

  test("finds and claims by a txid in letters that the database does not write small", async () => {
    const done = await opIn(journal(), "completed", {}, { txid: "SAÍDA-1" });
    expect(await journal().findByTxid(ACCOUNT, "SAÍDA-1")).toEqual(done);
    expect(await journal().claimantsOf(ACCOUNT, ["SAÍDA-1"])).toEqual(new Map([["SAÍDA-1", ANA]]));
  });

  test("finds by account and txid, and knows what was claimed", async () => {
    const done = await opIn(journal(), "completed", {}, { txid: "t1" });
    const open = await opIn(journal(), "scheduled", {}, { txid: "t2" });
    await opIn(journal(), "scheduled", { accountFp: OTHER_ACCOUNT }, { txid: "t3" });
    expect(await journal().findByTxid(ACCOUNT, "t1")).toEqual(done);
    expect(await journal().findByTxid(OTHER_ACCOUNT, "t1")).toBeUndefined();
    expect(await journal().claimantsOf(ACCOUNT, ["t1", "t2", "t3"])).toEqual(
      new Map([
        ["t1", ANA],
        ["t2", ANA],
      ]),
    );
    expect(await journal().claimantsOf(ACCOUNT, ["t2"])).toEqual(new Map([["t2", ANA]]));
    expect(await journal().openOf(ACCOUNT)).toEqual([open]);
    expect(await journal().openOf("nobody")).toEqual([]);
    expect(await journal().find("W-00000")).toBeUndefined();
    expect(await journal().findByToken("nothing")).toBeUndefined();
    expect(await journal().pixKeyOf("W-00000")).toBeUndefined();
  });

  test("knows one that its owner declared as not made, whose txid stands for no operation and is no other's", async () => {
    const change = { txid: "t1", resolution: "did_not_happen", resolvedBy: ANA } as const;
    const declared = await opIn(journal(), "resolved_manual", {}, change);
    await opIn(journal(), "completed", { kind: "split_turbo", recipientId: BRUNO }, { txid: "t2" });
    expect([...(await journal().claimantsOf(ACCOUNT, ["t1", "t2"])).keys()]).toEqual(["t2"]);
    expect((await journal().heldTxids(ACCOUNT)).toSorted()).toEqual(["t1", "t2"]);
    expect(await journal().heldTxids(ACCOUNT, ["split_turbo"])).toEqual(["t2"]);
    expect(await journal().declaredNotMade(ACCOUNT)).toEqual([declared]);
    expect(await journal().declaredNotMade(OTHER_ACCOUNT)).toEqual([]);
    expect(await journal().findByTxid(ACCOUNT, "t1")).toEqual(declared);
  });

  test("tells what was paid in a time, by when it was known, of every owner of the account", async () => {
    const paid = async (minutes: number, changes = {}) => {
      const op = await opIn(journal(), "accepted", changes, {}, NOON);
      return moved(journal(), op, stepTo("completed"), later(minutes * MINUTE));
    };
    const second = await paid(9, { ownerId: BRUNO, kind: "split_turbo" });
    const first = await paid(1);
    await paid(10);
    await paid(5, { accountFp: OTHER_ACCOUNT });
    await opIn(journal(), "failed", {}, {}, later(2 * MINUTE));
    await opIn(journal(), "resolved_manual", {}, { resolution: "did_not_happen" }, later(MINUTE));
    const byHand = { resolution: "happened", resolvedBy: ANA } as const;
    const confirmed = await opIn(journal(), "resolved_manual", {}, byHand, later(3 * MINUTE));
    const found = await journal().completedBetween(ACCOUNT, later(MINUTE), later(10 * MINUTE));
    expect(found.map(({ op, at }) => [op, at.toString()])).toEqual([
      [first, later(MINUTE).toString()],
      [confirmed, later(3 * MINUTE).toString()],
      [second, later(9 * MINUTE).toString()],
    ]);
  });

  test("counts what is open, and since when the oldest is unknown", async () => {
    expect(await journal().counts()).toEqual({ byState: {}, oldestUnknownSince: undefined });
    const first = await opIn(journal(), "sending", { accountFp: "a" }, {}, NOON);
    const unknown = await moved(journal(), first, stepTo("unknown"), later(MINUTE));
    await journal().amend(unknown, { checks: 1 }, later(DAY));
    await opIn(journal(), "unknown", { accountFp: "b" }, {}, later(DAY));
    await opIn(journal(), "scheduled", { accountFp: "c" });
    await opIn(journal(), "completed", { accountFp: "d" });
    await journal().draft(newOp(), NOON);
    const { byState, oldestUnknownSince } = await journal().counts();
    expect(byState).toEqual({ unknown: 2, scheduled: 1 });
    expect(oldestUnknownSince?.equals(later(MINUTE))).toBe(true);
  });

  test("counts one that its owner has to decide as unknown since it became so, until its txid is known", async () => {
    const sending = await opIn(journal(), "sending", {}, {}, NOON);
    const unknown = await moved(journal(), sending, stepTo("unknown"), later(MINUTE));
    const manual = await moved(journal(), unknown, stepTo("manual"), later(46 * MINUTE));
    expect((await journal().counts()).oldestUnknownSince?.equals(later(MINUTE))).toBe(true);
    await moved(journal(), manual, stepTo("accepted", { change: { txid: "SPX-1" } }), later(DAY));
    expect((await journal().counts()).oldestUnknownSince).toBeUndefined();
  });
});

/** A query plan that reads every row of a table, instead of a partial index. */
const READS_ALL = /^(?:SCAN|SEARCH) withdraw_\w+(?: USING INDEX sqlite_autoindex_\w+)?$/;

/** SQLite answers on the bot's only thread, and the journal keeps years of operations. */
test("No question to the journal, and no step of it, reads all operations or all events", async () => {
  const { db, open, plans } = await useQueryPlans(standingClock(NOON.toString()));
  const vault = await openVault(db, testRing, WALLET, testRandom);
  const journal = withdrawJournal(db, vault, testRandom, open.leaseNow);
  const draft = await journal.draft(newOp(), NOON);
  await journal.move(draft, stepTo("confirmed"), NOON);

  const before = later(-DAY);
  await journal.claimDue(NOON, 8, MINUTE);
  await journal.nextDueAt();
  await journal.sweep(false, NOON, () => []);
  await journal.sweep(true, NOON, () => []);
  await journal.abandonExpired(NOON);
  await journal.purgeEnded(before);
  await journal.find(draft.id);
  await journal.findByToken("token");
  await journal.openOf(ACCOUNT);
  await journal.lockOf(ACCOUNT);
  await journal.refundsOf("P1");
  await journal.refundedSince(ACCOUNT, before);
  await journal.findByTxid(ACCOUNT, "TX1");
  await journal.claimantsOf(ACCOUNT, ["TX1"]);
  await journal.heldTxids(ACCOUNT);
  await journal.declaredNotMade(ACCOUNT);
  const denied = { states: ["rejected"], since: before } as const;
  await journal.withoutTxid({ accountFp: ACCOUNT, ownerIds: [ANA], ...denied });
  await journal.list({ ownerId: ANA, states: ["unknown"], limit: 25 });
  await journal.completedBetween(ACCOUNT, before, NOON);
  await journal.spentSince(ANA, before);
  await journal.sentSince(ANA, before);
  await journal.lastSentAt(ACCOUNT);
  await journal.wasSentSinceShown(draft);
  await journal.events(draft.id);
  await journal.counts();
  await handOverOperations(db, "one", { id: "other" });

  const found = plans(/"withdraw_(?:op|event)"/);
  expect(found.length).toBeGreaterThan(15);
  expect(found.filter(({ steps }) => steps.some((step) => READS_ALL.test(step)))).toEqual([]);
});
