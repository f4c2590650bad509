import { describe, expect, test } from "vitest";
import { eraseNeedlessKeysOf } from "#src/withdrawals/withdraw-journal.store.ts";
import type { WithdrawOp } from "#src/withdrawals/withdraw-op.ts";
import { DAY, HOUR, MINUTE, SET_BACK_MS } from "#src/shared/time.ts";
import { databases, standingClock } from "../support/databases.ts";
import { ANA, later, NOON, noticeTo } from "../database/builders.ts";
import { useStore } from "../database/use-store.ts";
import {
  forceState,
  journalOf,
  LEASE_MS,
  moved,
  newOp,
  opIn,
  stepTo,
} from "./withdraw-builders.ts";

const PROCESSES = 4;

describe.each(databases)("what is left behind on $name", (kind) => {
  const clock = standingClock(NOON.toString());
  const store = useStore(kind, clock);
  const journal = () => journalOf(store());
  const noticesFor = (op: WithdrawOp) => [noticeTo(ANA, `withdrawal|${op.id}|${op.state}`)];
  const owed = async () => {
    const rows = await store().db.selectFrom("outbox").select("dedupe_key").execute();
    return rows.map((row) => row.dedupe_key).toSorted();
  };
  /** One operation that is sending, one confirmed, and one without a lease. */
  const leave = async () => ({
    sending: await opIn(journal(), "sending", { accountFp: "a" }),
    confirmed: await opIn(journal(), "confirmed", { accountFp: "b" }),
    accepted: await opIn(journal(), "accepted", { accountFp: "c" }),
  });

  test("is swept when its lease has ended, by the clock of leases", async () => {
    const { sending, confirmed, accepted } = await leave();
    clock.moveBy(LEASE_MS - 1);
    expect(await journal().sweep(false, later(DAY), noticesFor)).toEqual([]);
    clock.moveBy(1);
    const swept = await journal().sweep(false, later(DAY), noticesFor);
    expect(new Map(swept.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [sending.id, "unknown"],
        [confirmed.id, "refused_local"],
      ]),
    );
    const unknown = await journal().find(sending.id);
    expect(unknown?.nextCheckAt?.equals(later(DAY))).toBe(true);
    expect(await journal().find(accepted.id)).toEqual(accepted);
    expect((await journal().events(sending.id)).at(-1)).toMatchObject({
      from: "sending",
      to: "unknown",
      reason: "left_behind",
    });
    expect(await owed()).toEqual(
      [`withdrawal|${sending.id}|unknown`, `withdrawal|${confirmed.id}|refused_local`].toSorted(),
    );
  });

  test("is swept though the clock was set back since it was held", async () => {
    await leave();
    clock.moveBy(-SET_BACK_MS);
    expect(await journal().sweep(false, NOON, noticesFor)).toEqual([]);
    clock.moveBy(-1);
    expect(await journal().sweep(false, NOON, noticesFor)).toHaveLength(2);
    clock.moveBy(SET_BACK_MS + 1);
  });

  test("is swept at once when no other process can be alive", async () => {
    await leave();
    expect(await journal().sweep(true, NOON, () => [])).toHaveLength(2);
    expect(await journal().sweep(true, NOON, () => [])).toEqual([]);
  });

  test("is swept once by several processes, with one notice each", async () => {
    for (let index = 0; index < 12; index += 1) {
      await opIn(journal(), index % 2 ? "sending" : "confirmed", { accountFp: `fp-${index}` });
    }
    clock.moveBy(LEASE_MS);
    const swept = await Promise.all(
      Array.from({ length: PROCESSES }, () => journal().sweep(false, NOON, noticesFor)),
    );
    const ids = swept.flat().map(({ id }) => id);
    expect(ids).toHaveLength(12);
    expect(new Set(ids).size).toBe(12);
    expect(await owed()).toHaveLength(12);
  });

  test("leaves nothing to a process that comes back from the dead", async () => {
    const op = await opIn(journal(), "sending");
    await journal().sweep(true, NOON, () => []);
    expect(await journal().move(op, stepTo("accepted"), NOON)).toEqual({ kind: "lost" });
    expect(await journal().find(op.id)).toMatchObject({ state: "unknown" });
  });

  test("stays as it was when its notice cannot be kept", async () => {
    const op = await opIn(journal(), "sending");
    const failing = () => {
      throw new Error("no words");
    };
    await expect(journal().sweep(true, NOON, failing)).rejects.toThrow("no words");
    expect(await journal().find(op.id)).toEqual(op);
  });

  test("a draft is abandoned when its confirmation expired, once, however many look", async () => {
    // By one process more than are abandoned at once; several race for fewer on PostgreSQL.
    const [drafts, processes] = kind.name === "SQLite" ? [230, 1] : [40, PROCESSES];
    const expired = await Promise.all(
      Array.from({ length: drafts }, () => journal().draft(newOp(), NOON)),
    );
    const fresh = await journal().draft(newOp({ confirmExpiresAt: later(3 * MINUTE) }), NOON);
    expect(await journal().abandonExpired(later(2 * MINUTE - 1))).toEqual([]);
    const abandoned = await Promise.all(
      Array.from({ length: processes }, () => journal().abandonExpired(later(2 * MINUTE))),
    );
    expect(
      abandoned
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(expired.map(({ id }) => id).toSorted());
    expect(await journal().find(fresh.id)).toEqual(fresh);
    const [first] = expired;
    expect(await journal().find(first!.id)).toMatchObject({ state: "abandoned", version: 1 });
    expect(await journal().events(first!.id)).toMatchObject([{}, { reason: "expired" }]);
    expect(await journal().move(first!, stepTo("confirmed"), NOON)).toEqual({ kind: "lost" });
  });

  test("forgets clear keys of what ended and whole drafts, and nothing of what is open", async () => {
    const ended = await opIn(journal(), "completed", { accountFp: "a" });
    const open = await opIn(journal(), "unknown", { accountFp: "b" });
    const abandoned = await opIn(journal(), "abandoned");
    const draft = await journal().draft(newOp(), NOON);
    await journal().purgeEnded(NOON);
    expect(await journal().pixKeyOf(ended.id)).toBeDefined();
    await journal().purgeEnded(later(1));
    expect(await journal().pixKeyOf(ended.id)).toBeUndefined();
    expect(await journal().find(ended.id)).toEqual(ended);
    expect(await journal().events(ended.id)).toHaveLength(5);
    expect(await journal().find(abandoned.id)).toBeUndefined();
    expect(await journal().events(abandoned.id)).toEqual([]);
    for (const { id } of [open, draft]) expect(await journal().pixKeyOf(id)).toBeDefined();
  });

  test("forgets a disconnected owner's clear key once the txid tells what happens", async () => {
    const followed = await opIn(journal(), "accepted", { accountFp: "a" }, { txid: "TX1" });
    const lost = await opIn(journal(), "unknown", { accountFp: "b" });
    await eraseNeedlessKeysOf(store().db, "another");
    expect(await journal().pixKeyOf(followed.id)).toBeDefined();
    await eraseNeedlessKeysOf(store().db, ANA);
    expect(await journal().pixKeyOf(followed.id)).toBeUndefined();
    expect(await journal().find(followed.id)).toEqual(followed);
    expect(await journal().pixKeyOf(lost.id)).toBeDefined();
  });
});

describe.each(databases)("checks that are due on $name", (kind) => {
  const store = useStore(kind);
  const journal = () => journalOf(store());
  const due = (index: number, at: Temporal.Instant) =>
    opIn(journal(), "unknown", { accountFp: `fp-${index}` }, { nextCheckAt: at });
  const ids = (ops: readonly WithdrawOp[]) => ops.map(({ id }) => id);

  test("are taken after those that are due when a clock that was set back put them off", async () => {
    const beyond = await due(1, later(HOUR));
    const followed = (index: number, at: Temporal.Instant) =>
      opIn(journal(), "accepted", { accountFp: `fp-${index}` }, { nextCheckAt: at });
    const [farther, past] = [await followed(2, later(HOUR + 1)), await followed(3, NOON)];
    await due(4, later(15 * MINUTE));
    await followed(5, later(HOUR));
    expect(ids(await journal().claimDue(NOON, 10, MINUTE))).toEqual([
      past.id,
      farther.id,
      beyond.id,
    ]);
    expect(await journal().claimDue(NOON, 10, MINUTE)).toEqual([]);
  });

  test("are taken oldest first and put off while they are held", async () => {
    const [late, early, future] = [
      await due(1, later(2)),
      await due(2, later(1)),
      await due(3, later(15 * MINUTE)),
    ];
    expect((await journal().nextDueAt())?.equals(later(1))).toBe(true);
    const claimed = await journal().claimDue(later(2), 10, MINUTE);
    expect(ids(claimed)).toEqual([early.id, late.id]);
    expect(claimed[0]?.nextCheckAt?.equals(later(2 + MINUTE))).toBe(true);
    expect(await journal().claimDue(later(MINUTE), 10, MINUTE)).toEqual([]);
    expect(ids(await journal().claimDue(later(2 + MINUTE), 10, MINUTE))).toHaveLength(2);
    expect(ids(await journal().claimDue(later(15 * MINUTE), 1, MINUTE))).not.toContain(future.id);
  });

  test("are checked at once after a call about their wallet account, and others in their turn", async () => {
    const own = await due(1, later(10 * MINUTE));
    await due(2, later(10 * MINUTE));
    expect(await journal().claimDue(later(2), 10, MINUTE)).toEqual([]);
    await journal().makeDue("fp-1", later(2));
    expect(ids(await journal().claimDue(later(2), 10, MINUTE))).toEqual([own.id]);
  });

  test("held or not can be moved as they were read", async () => {
    const op = await due(1, NOON);
    const [claimed] = await journal().claimDue(NOON, 1, MINUTE);
    expect(claimed?.version).toBe(op.version);
    expect((await journal().move(op, stepTo("manual"), NOON)).kind).toBe("moved");
  });

  test("are given to one of several workers each", async () => {
    for (let index = 0; index < 30; index += 1) await due(index, later(index));
    const taken = await Promise.all(
      Array.from({ length: 6 }, () => journal().claimDue(later(MINUTE), 7, MINUTE)),
    );
    const all = taken.flatMap(ids);
    expect(new Set(all).size).toBe(all.length);
    expect(taken.every((ops) => ops.length <= 7)).toBe(true);
    const rest = await journal().claimDue(later(MINUTE), 30, MINUTE);
    expect(all.length + rest.length).toBe(30);
  });

  test("are none of drafts, of what is being sent and of what ended", async () => {
    for (const state of ["draft", "confirmed", "sending", "completed", "not_executed"] as const) {
      const op = await journal().draft(newOp({ accountFp: state }), NOON);
      await journal().amend(op, { nextCheckAt: NOON }, NOON);
      await forceState(store().db, op, state);
    }
    expect(await journal().nextDueAt()).toBeUndefined();
    expect(await journal().claimDue(later(DAY), 10, MINUTE)).toEqual([]);
    const followed = await opIn(journal(), "scheduled", { accountFp: "s" }, { nextCheckAt: NOON });
    await moved(journal(), followed, stepTo("processing", { change: { nextCheckAt: later(5) } }));
    expect(ids(await journal().claimDue(later(5), 10, MINUTE))).toEqual([followed.id]);
  });
});
